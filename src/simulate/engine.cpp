#include "engine.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "open_loops.hpp"
#include "plucker/algorithms/door.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/simulate/start.hpp"
#include "steps.hpp"

namespace plucker::simulate {
namespace {

// Steps after which a correction that failed is tried again, unless depth has grown.
constexpr int kPauseOfWedged = 50;
// A start deeper in anything than this is a mistake, not a contact; and so is a joint farther beyond its limit, in m or rad.
constexpr double kDeepestStart = 0.01;

// The first velocity coordinate that is not a number, or whose joint has a coordinate that is none.
int first_lost(const Model& model, const VectorX<double>& q, const VectorX<double>& v) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || body.nv == 0) continue;
        for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
            if (!std::isfinite(v[k])) return k;
        }
        if (!q.segment(body.q_index, body.nq).allFinite()) return body.v_index;
    }
    return 0;
}

// A joint that moves nothing, wherever the robot is, but what rounding leaves of it; 0: none. A point mass on its own hinge is
// such a joint, and the step's factors would take the rounding for an inertia.
int weightless_joint(const Model& model) {
    Workspace<double> ws(model);
    MatrixX<double> M(model.nv(), model.nv());
    std::mt19937 generator(1);
    VectorX<double> q = neutral_configuration(model);
    int out = 0;
    for (int k = 0; k < 3; ++k, q = random_configuration(model, generator)) {
        const detail::MatrixView<double> view{M.data(), model.nv()};
        kernel::mass_matrix(ws, q.data(), view);
        kernel::factor_mass_matrix(ws, view);
        const int here = ws.coordinates.pivots.singular_joint;
        if (here == 0 || (out != 0 && here != out)) return 0;
        out = here;
    }
    return out;
}

}  // namespace

static std::vector<double> damping_of(const Model& model, const SimulatorOptions& options) {
    std::vector<double> out(static_cast<std::size_t>(model.nv()), 0.0);
    for (int k = 0; options.joint_friction && k < model.nv(); ++k) out[k] = model.damping()[k];
    return out;
}

StepEngine::StepEngine(const Model& model, const World& world, const SimulatorOptions& options)
    : options_(options),
      damping_(damping_of(model, options)),
      smooth_(model, options.step, damping_.data()),
      space_(smooth_.space),
      rows_(space_),
      finder_(model, world, options),
      solver_(options.solver),
      now_v_(VectorX<double>::Zero(model.nv())),
      next_q_(neutral_configuration(model)),
      next_v_(now_v_),
      p_(now_v_),
      free_p_(now_v_),
      impulse_(now_v_),
      moving_(now_v_),
      poses_(static_cast<std::size_t>(model.num_bodies()) + 1),
      next_momenta_(smooth_.momentum.num_trees()) {
    if (!(options.step > 0) || !std::isfinite(options.step)) {
        throw Error::because("Simulator: a step of ", options.step,
                             " s: it must be positive, such as 0.001");
    }
    if (!(options.compliance >= 0) || !std::isfinite(options.compliance)) {
        throw Error::because("Simulator: a compliance of ", options.compliance,
                             " m/N: it must be zero or positive");
    }
    const SolverOptions& solver = options.solver;
    for (const double goal : {solver.target, solver.tolerance}) {
        if (goal >= 0 && std::isfinite(goal)) continue;
        throw Error::because("Simulator: a target or tolerance of ", goal,
                             " m/s: it must be zero or positive");
    }
    if (!model.constraints().empty())
        closing_ = std::make_unique<Workspace<double>>(model, OnFailure::kReport);
    weightless_ = weightless_joint(model);
}

void StepEngine::make_code() {
    if (model().code() == nullptr || weightless_ != 0) return;
    code_ = step_code(model(), options_.step, damping_.data(), compiler::Lanes::kOneF64,
                      !finder_.finds_nothing());
    if (code_.smooth != nullptr) smooth_.use(code_.smooth->entry());
}

Start StepEngine::check_start(const VectorX<double>& q, const VectorX<double>& v) {
    check_state("set_state", q.data(), q.size(), v.data(), v.size());
    Start out{q, {}};
    normalize_configuration(workspace(), out.q);
    refuse_open_loops(model(), out.q, v);
    refuse_beyond_limits(out.q);
    find_contacts(out.q);
    const ContactPoint* deepest = nullptr;
    for (const ContactPoint& point : acting_.points) {
        if (point.distance > -kDeepestStart) continue;
        if (options_.ignore_overlaps && are_links(point)) {
            // Points come by pairs of shapes in their order.
            const ShapePair pair(point.shape_a, point.shape_b);
            if (out.overlaps.empty() || out.overlaps.back() != pair) out.overlaps.push_back(pair);
        } else if (deepest == nullptr || point.distance < deepest->distance) {
            deepest = &point;
        }
    }
    if (deepest == nullptr) return out;
    const auto name = [&](int shape) {
        const CollisionShape& s = finder_.collisions().shapes()[static_cast<std::size_t>(shape)];
        return s.link.empty() ? "the world's '" + s.name + "'" : "link '" + s.link + "'";
    };
    const char* remedy =
        are_links(*deepest) ? "; move them apart, or let them through each other: ignore_overlaps"
        : free_bodies(model()).empty()
            ? "; begin where it is free; the base is fixed, and only a floating one (--floating, "
              "with_base) stands on the ground"
            : "; begin where it is free, for example higher";
    throw Error::because("the robot starts ", -deepest->distance,
                         " m deep: ", name(deepest->shape_a), " is inside ", name(deepest->shape_b),
                         remedy);
}

// Whether two links of one robot touch, and not a link and what stands in the world. A base that is fixed is a link to what hangs
// on it, unless it is ground: a plane, the link that MJCF and SDF call the world, or any link that stands to a body that floats.
bool StepEngine::are_links(const ContactPoint& point) const {
    if (point.body_b != 0) return true;
    for (int i = point.body_a; i != 0; i = model().body(i).parent) {
        if (model().body(i).joint == JointType::kFloating) return false;
    }
    const CollisionShape& base =
        finder_.collisions().shapes()[static_cast<std::size_t>(point.shape_b)];
    return !base.link.empty() && base.link != "world" && !base.is_plane;
}

// The joint that is farthest beyond.
void StepEngine::refuse_beyond_limits(const VectorX<double>& q) const {
    double most = kDeepestStart, limit = 0;
    int coordinate = -1;
    for (const ActingFinder::Stop& stop : finder_.stops()) {
        const double at = q[stop.q_index];
        for (const auto& [beyond, end] :
             {std::pair(stop.lower - at, stop.lower), {at - stop.upper, stop.upper}}) {
            if (!(beyond > most)) continue;
            most = beyond;
            limit = end;
            coordinate = stop.coordinate;
        }
    }
    if (coordinate < 0) return;
    const int i = model().joint_of_coordinate(coordinate);
    const char* unit = model().body(i).joint == JointType::kPrismatic ? " m" : " rad";
    throw Error::because(
        "the robot starts with joint '", model().joint(i).name, "' at ", q[model().body(i).q_index],
        unit, ", which is ", most, unit, " beyond its limit of ", limit, unit,
        "; begin within its limits, or leave them out (joint_limits, --integrator rk4)");
}

void StepEngine::check_aim(const double* q, Eigen::Index q_size, const double* v,
                           Eigen::Index v_size) {
    check_state("aim", q, q_size, v, v_size);
}

void StepEngine::check_state(const char* function, const double* q, Eigen::Index q_size,
                             const double* v, Eigen::Index v_size) {
    detail::Door<double> door(function, workspace());
    Operand<const double> at{q, q_size, 1, q_size}, moving{v, v_size, 1, v_size};
    door.input({"q", Kind::kConfiguration}, at);
    door.input({"v", Kind::kVelocity}, moving);
}

void StepEngine::find_contacts(const VectorX<double>& q) {
    kernel::position_kinematics(workspace(), workspace().kinematics, q.data());
    for (int i = 0; i <= model().num_bodies(); ++i) poses_[i] = space_.pose(i);
    finder_.collisions().find(poses_, 0, acting_.points);
}

// Velocities at the end of the step keep the constraints where they will be then: J v⁺ + h J̇ v = 0.
void StepEngine::add_ties(const RobotState& robot) {
    double apart[kernel::kMostConstraintRows], bias[kernel::kMostConstraintRows];
    ConstraintRow<double> ties[kernel::kMostConstraintRows];
    for (const Constraint& c : model().constraints()) {
        const WorldKinematics<double>& kin = space_.kinematics();
        kernel::constraint_forces(kin, robot.q.data(), c, apart, ties);
        kernel::constraint_bias(space_.workspace(), kin, robot.q.data(), now_v_.data(), c, bias);
        const Motion<double> straight =
            space_.straightening(c.body_a) - space_.straightening(c.body_b);
        for (int r = 0; r < c.num_rows; ++r) {
            acting_.add(Law::kTied, Acting::On::kTie, static_cast<int>(acting_.ties.size()), 0,
                        options_.step * (bias[r] + dot(straight, ties[r].force)));
            acting_.ties.push_back(ties[r]);
        }
    }
}

void StepEngine::find_acting(const RobotState& robot) {
    acting_.clear();
    add_ties(robot);
    finder_.add_coordinates(robot, {robot.q.data()}, {now_v_.data()}, acting_);
    if (!finder_.has_shapes()) return;
    const WorldKinematics<double>& kin = space_.kinematics();
    const std::span<const double> reach = finder_.collisions().reach();
    double fastest = 0;
    for (int i = 1; i <= model().num_bodies(); ++i) {
        poses_[i] = space_.pose(i);
        fastest = std::max(fastest, norm(point_velocity(kin.v[i], kin.X[i].r)) +
                                        reach[i] * norm(kin.v[i].angular));
    }
    finder_.collisions().find(poses_, finder_.margin(fastest), acting_.points);
    finder_.add_contacts(robot, {kin.v.data(), kin.anchor}, acting_);
}

void StepEngine::write_rows() {
    problem_.clear(model().nv());
    rows_.begin();
    for (const Acting::Block& b : acting_.blocks) {
        const auto which = static_cast<std::size_t>(b.which);
        if (b.on == Acting::On::kTie) {
            rows_.add_tie(acting_.ties[which], problem_);
        } else if (b.on == Acting::On::kCoordinate) {
            rows_.add_coordinate(b.law, b.coefficient, b.which, b.side, problem_);
        } else if (b.law == Law::kContact) {
            rows_.add_contact(acting_.points[which], acting_.frames[which], problem_);
            problem_.softness[static_cast<std::size_t>(b.row)] = finder_.softness();
        }
    }
    problem_.offset = acting_.offset;
}

// Adds to moving_. The step's rows get other offsets.
void StepEngine::correct(RobotState& robot) {
    correction_.ask(acting_, lambda_.data(), sigma_.data(), options_.step,
                    finder_.contacts_give_way());
    problem_.offset = correction_.offset;
    for (std::size_t i = 0; i < acting_.blocks.size(); ++i) {
        if (acting_.blocks[i].law == Law::kDry) problem_.set_coefficient(i, 0);
    }
    free_p_.setZero();
    const SolverReport report = solver_.solve_again(
        problem_, free_p_.data(), correction_.lambda.data(), correction_.target());
    // Links that are wedged into each other cannot be parted: they stay as they are, and for a while it is not tried again.
    if (!report.converged && report.certificate.worst() > Correction::kPart * correction_.most) {
        robot.wedged_for = kPauseOfWedged;
        robot.wedged_depth = acting_.deepest();
        return;
    }
    space_.to_velocity(free_p_.data(), p_.data());
    moving_ += p_;
}

// By the code, where nothing acts. False where it does not serve: the robot is as it was.
bool StepEngine::step_free(RobotState& robot, const Springs& springs, const double* tau) {
    if (code_.free == nullptr || springs.on || !robot.prescribed.empty() ||
        !robot.forces.entries().empty())
        return false;
    const double known = robot.momenta_known ? 1 : 0;
    const void* const inputs[] = {robot.q.data(), robot.v.data(), tau, robot.momenta.data(),
                                  &known};
    void* const outputs[] = {next_q_.data(), next_v_.data(), next_momenta_.data()};
    code_.free->run(inputs, outputs);
    if (!next_q_.allFinite() || !next_v_.allFinite()) return false;
    robot.q.swap(next_q_);
    robot.v.swap(next_v_);
    robot.momenta.swap(next_momenta_);
    robot.momenta_known = true;
    robot.advance_time(1, options_.step);
    return true;
}

// Of the rows that are written, from lambda_; p_ is what they lead to, and impulse_ what they have changed.
SolverReport StepEngine::find_impulses() {
    space_.to_momentum(now_v_.data(), p_.data());
    p_ += Eigen::Map<const VectorX<double>>(smooth_.push.data(), model().nv());
    impulse_ = p_;
    const SolverReport report = solver_.solve(problem_, p_.data(), lambda_.data());
    impulse_ = p_ - impulse_;
    sigma_ = solver_.velocities();  // a correction has others
    return report;
}

// The first coordinate of the weightless joint that neither a damper nor a spring resists; -1: there is none.
int StepEngine::unresisted(const Springs& springs) const {
    if (weightless_ == 0) return -1;
    const Body<double>& body = model().body(weightless_);
    for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
        const bool is_held = springs.on && (springs.kp[k] > 0 || springs.kd[k] > 0);
        if (damping_[static_cast<std::size_t>(k)] == 0 && !is_held) return k;
    }
    return -1;
}

SmoothPart StepEngine::smooth_part() {
    return {space_.parts(), smooth_.push.data(), now_v_.data()};
}

void StepEngine::guess(const RobotState& robot) {
    lambda_.resize(static_cast<std::size_t>(problem_.num_rows()));
    acting_.guess(robot, lambda_.data());
}

void StepEngine::solve(RobotState& robot, Acting& acting, Solution& out, bool is_begun) {
    std::swap(acting_, acting);
    write_rows();
    if (is_begun) {
        lambda_ = out.lambda;
    } else {
        guess(robot);
    }
    out.report = find_impulses();
    moving_.setZero();
    if (finder_.asks_for_correction(acting_, robot)) correct(robot);
    out.lambda = lambda_;
    out.sigma = sigma_;
    out.impulse = impulse_.data();
    out.moved = moving_.data();
    std::swap(acting_, acting);
}

StepReport StepEngine::step(RobotState& robot, const Springs& springs, const double* tau) {
    const double h = options_.step;
    const int n = model().nv();
    StepReport report;
    if (step_free(robot, springs, tau)) return report;
    now_v_ = robot.v;
    culprit_ = unresisted(springs);
    if (culprit_ < 0)
        culprit_ = smooth_.begin(robot.q.data(), now_v_.data(), tau, springs.gains(),
                                 robot.aim_q.data(), robot.aim_v.data(), robot.momenta.data(),
                                 robot.momenta_known, &robot.forces);
    if (culprit_ >= 0) {
        report.status = Status::kSingularMassMatrix;
        return report;
    }
    find_acting(robot);
    write_rows();
    const bool is_pushed = problem_.num_rows() > 0;
    const Eigen::Map<const VectorX<double>> push(smooth_.push.data(), n);
    if (is_pushed) {
        guess(robot);
        report.solver = find_impulses();
        report.deepest = acting_.deepest();
        report.beyond_limits = acting_.beyond_limits();
        space_.to_velocity(p_.data(), next_v_.data());
    } else {
        space_.to_velocity(push.data(), next_v_.data());
        next_v_ += now_v_;
    }
    for (int k = 0; k < n; ++k) {
        if (std::isfinite(next_v_[k])) continue;
        culprit_ = k;
        report.status = Status::kNonFiniteResult;
        return report;
    }
    smooth_.momentum.end(space_, h, &robot.forces, tau, is_pushed ? impulse_.data() : nullptr,
                         next_momenta_.data());
    moving_ = next_v_;
    if (finder_.asks_for_correction(acting_, robot)) correct(robot);
    advance(model(), robot.q.data(), moving_.data(), h, next_q_.data());
    // What the curvature of constraints leaves open is closed by a movement, so that nothing drifts.
    if (closing_ != nullptr) {
        report.status = project_configuration(*closing_, next_q_).status;
        culprit_ = 0;
        if (report.status != Status::kOk) return report;
    }
    turn_along(model(), robot.q.data(), next_q_.data(), next_v_.data());
    if (!next_q_.allFinite() || !next_v_.allFinite()) {
        culprit_ = first_lost(model(), next_q_, next_v_);
        report.status = Status::kNonFiniteResult;
        return report;
    }
    acting_.remember(robot, lambda_.data(), sigma_.data(), h);
    robot.momenta.swap(next_momenta_);
    robot.momenta_known = true;
    if (springs.on) {
        smooth_.read_springs(springs.gains(), next_v_.data(), robot.aim_v.data(),
                             robot.holding.data());
    }
    robot.q.swap(next_q_);
    robot.v.swap(next_v_);
    robot.advance_time(1, h);
    return report;
}

}  // namespace plucker::simulate
