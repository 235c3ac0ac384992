#include "plucker/simulate/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/simulate/joint_space.hpp"
#include "rows.hpp"
#include "steps.hpp"

namespace plucker {
namespace {

// What the position corrections leave alone: it is far below what anybody measures, and far above rounding.
constexpr double kDepthLeft = 1e-8;
// A start deeper in anything than this part of a robot's own size is a mistake, not a contact.
constexpr double kDeepestStart = 0.01;
// What a constraint may be open by at the start; the first step closes it.
constexpr double kOpenStart = 1e-6;

struct Stop {  // a joint limit
    int q_index, coordinate;
    double lower, upper;
    std::string joint;
};

}  // namespace

struct Simulator::State {
    State(const Model& m, const World& w, const SimulatorOptions& o)
        : options(o),
          space(m),
          rows(space),
          collisions(m, w),
          solver(o.solver),
          forces(m),
          q(neutral_configuration(m)),
          v(VectorX<double>::Zero(m.nv())),
          next_q(q),
          next_v(v),
          p(v),
          push(v),
          correction(v),
          no_torque(v),
          kp(v),
          kd(v),
          aim_q(q),
          aim_v(v),
          error(v),
          holding(v),
          poses(static_cast<std::size_t>(m.num_bodies()) + 1) {}

    SimulatorOptions options;
    JointSpace<double> space;
    RowWriter rows;
    CollisionShapes collisions;
    ImpulseProblem problem, correcting;
    ImpulseSolver solver;
    ExternalForces<double> forces;
    double time = 0;
    VectorX<double> q, v, next_q, next_v, p, push, correction, no_torque;

    bool holds = false;
    VectorX<double> kp, kd, aim_q, aim_v, error, holding;
    std::vector<Stop> stops;
    std::vector<int> dry;  // coordinates
    struct Prescribed {
        int coordinate;
        double velocity;
    };
    std::vector<Prescribed> prescribed;

    std::vector<Pose<double>> poses;
    std::vector<ContactPoint> points;
    std::vector<Contact> contacts;
    struct Remembered {
        std::uint64_t id;
        Vec3<double> impulse;
        double spin;
    };
    std::vector<Remembered> remembered;   // contacts of the last step
    std::vector<double> remembered_rows;  // λ of the others, by their order
    std::vector<double> lambda, lambda_correction;
    std::vector<ContactFrame> frames;  // of `points`
    std::vector<double> incoming;  // the velocity of each contact before the step, along its normal

    const Model& model() const { return space.model(); }
    void refuse_depth(const VectorX<double>& q_start);
    void refuse_open_loops(const VectorX<double>& q_start);
    void find_contacts(const VectorX<double>& q_now);
    int apply_forces(const VectorX<double>& tau);
    void add_ties();
    void add_rows();
    void add_stop(const Stop& stop, double side, double distance);
    void guess();
    void remember();
    bool needs_correction(double& deepest) const;
    void correct();
};

Simulator::Simulator(const Model& model, const World& world, const SimulatorOptions& options)
    : state_(std::make_unique<State>(model, world, options)) {
    if (!(options.step > 0) || !std::isfinite(options.step)) {
        throw Error("Simulator: a step of " + std::to_string(options.step) +
                    " s: it must be positive, such as 0.001");
    }
    if (!(options.compliance >= 0) || !std::isfinite(options.compliance)) {
        throw Error("Simulator: a compliance of " + std::to_string(options.compliance) +
                    " m/N: it must be zero or positive");
    }
    State& s = *state_;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const JointLimits& limits = model.joint(i).limits;
        if (!options.joint_limits || body.mimic || body.nv != 1) continue;
        if (!std::isfinite(limits.lower) && !std::isfinite(limits.upper)) continue;
        s.stops.push_back(
            {body.q_index, body.v_index, limits.lower, limits.upper, model.joint(i).name});
    }
    for (int k = 0; options.joint_friction && k < model.nv(); ++k) {
        if (model.friction()[k] > 0) s.dry.push_back(k);
    }
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Model& Simulator::model() const { return state_->model(); }
double Simulator::step_length() const { return state_->options.step; }
double Simulator::time() const { return state_->time; }
const VectorX<double>& Simulator::q() const { return state_->q; }
const VectorX<double>& Simulator::v() const { return state_->v; }
ExternalForces<double>& Simulator::forces() { return state_->forces; }
std::span<const Contact> Simulator::contacts() const { return state_->contacts; }
const VectorX<double>& Simulator::holding_torque() const { return state_->holding; }

double Simulator::kinetic_energy() const {
    return plucker::kinetic_energy(state_->space.workspace(), state_->q, state_->v);
}
double Simulator::potential_energy() const {
    Workspace<double>& ws = state_->space.workspace();
    forward_kinematics(ws, state_->q);
    return plucker::potential_energy(ws);
}

void Simulator::set_state(const VectorX<double>& q, const VectorX<double>& v, double time) {
    State& s = *state_;
    check_size("set_state", "q", q.size(), s.model().nq(), "nq");
    check_size("set_state", "v", v.size(), s.model().nv(), "nv");
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        if (!std::isfinite(q[k])) {
            throw Error("set_state: q[" + std::to_string(k) + "] is " + std::to_string(q[k]));
        }
    }
    for (Eigen::Index k = 0; k < v.size(); ++k) {
        if (!std::isfinite(v[k])) {
            throw Error("set_state: v[" + std::to_string(k) + "], the velocity of '" +
                        s.model().velocity_names()[static_cast<std::size_t>(k)] + "', is " +
                        std::to_string(v[k]));
        }
    }
    VectorX<double> unit = q;
    normalize_configuration(s.space.workspace(), unit);
    s.refuse_depth(unit);
    s.refuse_open_loops(unit);
    s.q = unit;
    s.v = v;
    s.time = time;
    s.contacts.clear();
    s.remembered.clear();
    s.remembered_rows.clear();
}

void Simulator::State::refuse_depth(const VectorX<double>& start) {
    find_contacts(start);
    const ContactPoint* deepest = nullptr;
    for (const ContactPoint& point : points) {
        if (deepest == nullptr || point.distance < deepest->distance) deepest = &point;
    }
    if (deepest == nullptr || deepest->distance > -kDeepestStart) return;
    const auto name = [&](int shape) {
        const CollisionShape& s = collisions.shapes()[static_cast<std::size_t>(shape)];
        return s.link.empty() ? "the world's '" + s.name + "'" : "link '" + s.link + "'";
    };
    throw Error("the robot starts " + std::to_string(-deepest->distance) +
                " m deep: " + name(deepest->shape_a) + " is inside " + name(deepest->shape_b) +
                "; move it out, for example by raising the base");
}

void Simulator::State::refuse_open_loops(const VectorX<double>& start) {
    if (model().constraints().empty()) return;
    const VectorX<double> errors = constraint_errors(model(), start);
    for (const Constraint& c : model().constraints()) {
        const double worst = errors.segment(c.first_row, c.num_rows).lpNorm<Eigen::Infinity>();
        if (worst <= kOpenStart) continue;
        throw Error("the robot starts with constraint '" + c.name + "' violated by " +
                    std::to_string(worst) +
                    " (m or rad); close_loops finds a configuration that meets it");
    }
}

void Simulator::State::find_contacts(const VectorX<double>& now) {
    WorldKinematics<double>& kin = space.workspace().kinematics;
    kernel::position_kinematics(space.workspace(), kin, now.data());
    for (int i = 0; i <= model().num_bodies(); ++i) poses[i] = space.pose(i);
    collisions.find(poses, 0, points);
}

void Simulator::hold(const VectorX<double>& q, const VectorX<double>& kp,
                     const VectorX<double>& kd) {
    State& s = *state_;
    check_size("hold", "q", q.size(), s.model().nq(), "nq");
    check_size("hold", "kp", kp.size(), s.model().nv(), "nv");
    check_size("hold", "kd", kd.size(), s.model().nv(), "nv");
    for (Eigen::Index k = 0; k < kp.size(); ++k) {
        if (!(kp[k] >= 0) || !(kd[k] >= 0) || !std::isfinite(kp[k]) || !std::isfinite(kd[k])) {
            throw Error("hold: the gains of '" +
                        s.model().velocity_names()[static_cast<std::size_t>(k)] + "' are " +
                        std::to_string(kp[k]) + " and " + std::to_string(kd[k]) +
                        "; they must be zero or positive");
        }
    }
    s.kp = kp;
    s.kd = kd;
    if (s.model().has_floating_base()) {
        s.kp.head(6).setZero();
        s.kd.head(6).setZero();
    }
    s.holds = true;
    aim(q, VectorX<double>::Zero(s.model().nv()));
}
void Simulator::hold(const VectorX<double>& q, double kp, double kd) {
    const int n = state_->model().nv();
    hold(q, VectorX<double>::Constant(n, kp), VectorX<double>::Constant(n, kd));
}
void Simulator::aim(const VectorX<double>& q, const VectorX<double>& v) {
    State& s = *state_;
    check_size("aim", "q", q.size(), s.model().nq(), "nq");
    check_size("aim", "v", v.size(), s.model().nv(), "nv");
    if (!q.allFinite() || !v.allFinite()) throw Error("aim: a number is not finite");
    s.aim_q = q;
    s.aim_v = v;
}
void Simulator::release() {
    state_->holds = false;
    state_->holding.setZero();
}

void Simulator::prescribe(const std::string& joint, const VectorX<double>& velocity) {
    State& s = *state_;
    const Body<double>& body = s.model().body(s.model().joint_index(joint));
    check_size("prescribe", "velocity", velocity.size(), body.nv, "coordinates of the joint");
    if (!velocity.allFinite())
        throw Error("prescribe: the velocity of '" + joint + "' is not finite");
    free(joint);
    for (int k = 0; k < body.nv; ++k) s.prescribed.push_back({body.v_index + k, velocity[k]});
}
void Simulator::free(const std::string& joint) {
    State& s = *state_;
    const Body<double>& body = s.model().body(s.model().joint_index(joint));
    std::erase_if(s.prescribed, [&](const State::Prescribed& x) {
        return x.coordinate >= body.v_index && x.coordinate < body.v_index + body.nv;
    });
}

// p: the velocity at the end of a step without impulses. Returns a coordinate that nothing resists, or -1.
int Simulator::State::apply_forces(const VectorX<double>& tau) {
    const double h = options.step;
    space.update(q.data(), v.data(), &forces);
    if (holds) {
        kernel::difference(model(), aim_q.data(), q.data(), error.data());
        for (int k = 0; k < model().nv(); ++k) {
            holding[k] = -kp[k] * (error[k] + h * v[k]) - kd[k] * (v[k] - aim_v[k]);
        }
    }
    const auto damping = [&](int k) { return options.joint_friction ? model().damping()[k] : 0.0; };
    const int lost = space.factor(
        [&](int k) { return h * damping(k) + (holds ? h * kd[k] + h * h * kp[k] : 0.0); });
    if (lost >= 0) return lost;
    for (int k = 0; k < model().nv(); ++k) {
        push[k] = h * (tau[k] - space.c[k] - damping(k) * v[k] + (holds ? holding[k] : 0.0));
    }
    space.to_push(push.data());
    space.to_momentum(v.data(), p.data());
    p += push;
    return -1;
}

void Simulator::State::add_stop(const Stop& stop, double side, double distance) {
    const double h = options.step;
    // Only those that could be reached within a step or two.
    if (distance > 2 * h * std::abs(v[stop.coordinate]) + 1e-3) return;
    rows.add_coordinate(Law::kStop, 0, stop.coordinate, side, problem);
    problem.offset.back() = std::max(distance, 0.0) / h;
}

// Velocities at the end of the step keep the constraints where they will be then: J v⁺ + h J̇ v = 0.
void Simulator::State::add_ties() {
    double apart[kernel::kMostConstraintRows], bias[kernel::kMostConstraintRows];
    ConstraintRow<double> ties[kernel::kMostConstraintRows];
    for (const Constraint& c : model().constraints()) {
        const WorldKinematics<double>& kin = space.kinematics();
        kernel::constraint_forces(kin, q.data(), c, apart, ties);
        kernel::constraint_bias(space.workspace(), kin, q.data(), v.data(), c, bias);
        const Motion<double> straight =
            space.straightening(c.body_a) - space.straightening(c.body_b);
        for (int r = 0; r < c.num_rows; ++r) {
            rows.add_tie(ties[r], problem);
            problem.offset.back() = options.step * (bias[r] + dot(straight, ties[r].force));
        }
    }
}

void Simulator::State::add_rows() {
    const double h = options.step;
    problem.clear(model().nv());
    add_ties();
    for (const Prescribed& x : prescribed) {
        rows.add_coordinate(Law::kTied, 0, x.coordinate, 1, problem);
        problem.offset.back() = -x.velocity;
    }
    for (const int k : dry) {
        rows.add_coordinate(Law::kDry, h * model().friction()[k], k, 1, problem);
    }
    for (const Stop& stop : stops) {
        add_stop(stop, 1, q[stop.q_index] - stop.lower);
        add_stop(stop, -1, stop.upper - q[stop.q_index]);
    }
    // Contacts: those that the fastest point could reach within the step.
    double fastest = 0;
    for (int i = 1; i <= model().num_bodies(); ++i) {
        const Motion<double>& v_i = space.kinematics().v[i];
        poses[i] = space.pose(i);
        const Vec3<double> r = poses[i].position - space.kinematics().anchor;
        fastest = std::max(fastest, squared_norm(point_velocity(v_i, r)));
    }
    const double margin = 2 * h * (std::sqrt(fastest) + h * norm(model().gravity())) + 1e-4;
    collisions.find(poses, margin, points);
    frames.clear();
    incoming.clear();
    std::size_t kept = 0;
    for (const ContactPoint& point : points) {
        const Vec3<double> at = point.position - space.kinematics().anchor;
        const Vec3<double> relative = point_velocity(space.kinematics().v[point.body_a], at) -
                                      point_velocity(space.kinematics().v[point.body_b], at);
        const double closing = dot(point.normal, relative);
        const double reach = h * (norm(relative) + 2 * h * norm(model().gravity())) + 1e-5;
        if (point.distance > reach) continue;
        frames.push_back(ContactFrame::along(point.normal));
        incoming.push_back(closing);
        rows.add_contact(point, frames.back(), problem);
        const std::size_t row = problem.offset.size() - (point.surface.torsional > 0 ? 4 : 3);
        const double e = point.surface.restitution;
        problem.offset[row] = std::max(point.distance, 0.0) / h;
        if (e > 0 && closing < 0)
            problem.offset[row] = std::min(problem.offset[row], 0.0) + e * closing;
        problem.softness[row] = options.compliance / (h * h);
        points[kept++] = point;
    }
    points.resize(kept);
}

// Impulses of the step before, where it had the same contacts; its others, where it had as many.
void Simulator::State::guess() {
    lambda.assign(static_cast<std::size_t>(problem.num_rows()), 0.0);
    int row = 0;
    std::size_t contact = 0, other = 0, hint = 0;
    for (const ImpulseBlock& b : problem.blocks()) {
        if (b.law == Law::kContact) {
            const ContactPoint& point = points[contact];
            const ContactFrame& frame = frames[contact++];
            std::size_t k = 0;
            while (k < remembered.size() &&
                   remembered[(hint + k) % remembered.size()].id != point.id)
                ++k;
            if (k < remembered.size()) {
                hint = (hint + k) % remembered.size();
                const Vec3<double>& impulse = remembered[hint].impulse;
                lambda[row] = dot(frame.normal, impulse);
                lambda[row + 1] = dot(frame.tangent, impulse);
                lambda[row + 2] = dot(frame.second_tangent, impulse);
                if (point.surface.torsional > 0) lambda[row + 3] = remembered[hint].spin;
            }
        } else if (b.law != Law::kSpin) {
            if (other < remembered_rows.size()) lambda[row] = remembered_rows[other];
            ++other;
        }
        row += rows_of(b.law);
    }
}

void Simulator::State::remember() {
    const double h = options.step;
    contacts.clear();
    remembered.clear();
    remembered_rows.clear();
    std::size_t contact = 0;
    const std::vector<double>& sigma = solver.velocities();
    for (const ImpulseBlock& b : problem.blocks()) {
        const double* l = lambda.data() + b.row;
        if (b.law == Law::kSpin) {
            contacts.back().spin = l[0] / h;
            remembered.back().spin = l[0];
        } else if (b.law == Law::kContact) {
            const ContactFrame& frame = frames[contact];
            const Vec3<double> impulse =
                l[0] * frame.normal + l[1] * frame.tangent + l[2] * frame.second_tangent;
            remembered.push_back({points[contact].id, impulse, 0});
            Contact& c = contacts.emplace_back();
            c.point = points[contact];
            c.force = (1 / h) * impulse;
            const double slip = std::hypot(sigma[b.row + 1], sigma[b.row + 2]);
            // A contact sticks where it does not move beyond what the solution is good for.
            c.mode = l[0] <= 0     ? ContactMode::kOpen
                     : slip > 1e-9 ? ContactMode::kSlide
                                   : ContactMode::kStick;
            ++contact;
        } else {
            remembered_rows.push_back(l[0]);
        }
    }
}

bool Simulator::State::needs_correction(double& deepest) const {
    deepest = 0;
    for (const ContactPoint& point : points) deepest = std::max(deepest, -point.distance);
    double beyond = deepest;
    for (const Stop& stop : stops) {
        beyond = std::max({beyond, stop.lower - q[stop.q_index], q[stop.q_index] - stop.upper});
    }
    return beyond > kDepthLeft;
}

// A movement that takes back what is too deep, under the same laws: friction holds what it lifts.
void Simulator::State::correct() {
    const double h = options.step;
    correcting = problem;
    const std::vector<double>& sigma = solver.velocities();
    std::size_t contact = 0;
    std::size_t block = 0;
    for (const ImpulseBlock& b : problem.blocks()) {
        double& offset = correcting.offset[static_cast<std::size_t>(b.row)];
        switch (b.law) {
            case Law::kContact: {
                const double depth = std::min(0.0, points[contact++].distance);
                offset = std::max(sigma[b.row], 0.0) + (depth < -kDepthLeft ? depth / h : 0.0);
                break;
            }
            case Law::kStop: {
                offset = std::max(sigma[b.row], 0.0);
                break;
            }
            case Law::kTied:
                offset = 0;
                break;
            case Law::kDry:
                correcting.set_coefficient(block, 0);
                offset = 0;
                break;
            case Law::kSpin:
                offset = 0;
                break;
        }
        ++block;
    }
    // Limits that were overrun.
    std::size_t at = 0;
    const auto blocks = problem.blocks();
    while (at < blocks.size() && blocks[at].law != Law::kStop) ++at;
    for (const Stop& stop : stops) {
        for (const double side : {1.0, -1.0}) {
            const double distance =
                side > 0 ? q[stop.q_index] - stop.lower : stop.upper - q[stop.q_index];
            if (distance > 2 * h * std::abs(v[stop.coordinate]) + 1e-3) continue;
            if (distance < -kDepthLeft) correcting.offset[blocks[at].row] += distance / h;
            ++at;
        }
    }
    lambda_correction.assign(static_cast<std::size_t>(problem.num_rows()), 0.0);
    push.setZero();
    solver.solve(correcting, push.data(), lambda_correction.data());
    space.to_velocity(push.data(), correction.data());
}

StepReport Simulator::step() { return step(state_->no_torque); }

StepReport Simulator::step(const VectorX<double>& tau) {
    State& s = *state_;
    check_size("step", "tau", tau.size(), s.model().nv(), "nv");
    for (Eigen::Index k = 0; k < tau.size(); ++k) {
        if (!std::isfinite(tau[k])) {
            throw Error("step: the torque of '" +
                        s.model().velocity_names()[static_cast<std::size_t>(k)] + "' is " +
                        std::to_string(tau[k]) + " at " + std::to_string(s.time) + " s");
        }
    }
    if (const int lost = s.apply_forces(tau); lost >= 0) {
        throw Error("step: nothing resists a motion of '" +
                    s.model().velocity_names()[static_cast<std::size_t>(lost)] + "' at " +
                    std::to_string(s.time) +
                    " s: what hangs on it needs a mass or an inertia, or the joint an armature");
    }
    s.add_rows();
    s.guess();
    StepReport report;
    report.solver = s.solver.solve(s.problem, s.p.data(), s.lambda.data());
    s.space.to_velocity(s.p.data(), s.next_v.data());
    s.remember();
    s.push = s.next_v;
    VectorX<double>& moving = s.push;
    if (s.needs_correction(report.deepest)) {
        s.correct();
        moving = s.next_v + s.correction;
    }
    const double h = s.options.step;
    simulate::advance(s.model(), s.q.data(), moving.data(), h, s.next_q.data());
    // What the curvature of constraints leaves open is closed by a movement, so that nothing drifts.
    if (!s.model().constraints().empty()) {
        project_configuration(s.space.workspace(), s.next_q);
    }
    simulate::turn_along(s.model(), s.q.data(), s.next_q.data(), s.next_v.data());
    for (int k = 0; k < s.model().nv(); ++k) {
        if (!std::isfinite(s.next_v[k])) {
            throw Error("step: the velocity of '" +
                        s.model().velocity_names()[static_cast<std::size_t>(k)] +
                        "' left the range of numbers at " + std::to_string(s.time) +
                        " s; a smaller step may help");
        }
    }
    if (s.holds) {  // what the implicit springs and dampers did, with the velocity at the end
        for (int k = 0; k < s.model().nv(); ++k) {
            s.holding[k] =
                -s.kp[k] * (s.error[k] + h * s.next_v[k]) - s.kd[k] * (s.next_v[k] - s.aim_v[k]);
        }
    }
    s.q.swap(s.next_q);
    s.v.swap(s.next_v);
    s.time += h;
    return report;
}

}  // namespace plucker
