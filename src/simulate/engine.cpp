#include "engine.hpp"

#include <algorithm>
#include <cmath>

#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/simulate/start.hpp"
#include "steps.hpp"

namespace plucker::simulate {
namespace {

// What the position corrections leave alone: it is far below what anybody measures, and far above rounding.
constexpr double kDepthLeft = 1e-8;
// And no more of a depth than this is taken back in one step.
constexpr double kMostTakenBack = 0.002;
// A correction that is this part of it off is as good: the next step goes on with what is left.
constexpr double kPartOfCorrection = 0.1;
// Steps after which a correction that failed is tried again, unless depth has grown by so much.
constexpr int kPauseOfWedged = 50;
constexpr double kGrowthOfWedged = 1e-4;
// A start deeper in anything than this is a mistake, not a contact.
constexpr double kDeepestStart = 0.01;
// What a constraint may be open by at the start; the first step closes it.
constexpr double kOpenStart = 1e-6;

void refuse_nan(const Model& model, const VectorX<double>& q, const VectorX<double>& v) {
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        if (!std::isfinite(q[k])) {
            throw Error("set_state: q[" + std::to_string(k) + "] is " + std::to_string(q[k]));
        }
    }
    for (Eigen::Index k = 0; k < v.size(); ++k) {
        if (!std::isfinite(v[k])) {
            throw Error("set_state: v[" + std::to_string(k) + "], the velocity of '" +
                        model.velocity_names()[static_cast<std::size_t>(k)] + "', is " +
                        std::to_string(v[k]));
        }
    }
}

void refuse_open_loops(const Model& model, const VectorX<double>& q) {
    if (model.constraints().empty()) return;
    const VectorX<double> errors = constraint_errors(model, q);
    for (const Constraint& c : model.constraints()) {
        const double worst = errors.segment(c.first_row, c.num_rows).lpNorm<Eigen::Infinity>();
        if (worst <= kOpenStart) continue;
        throw Error("the robot starts with constraint '" + c.name + "' violated by " +
                    std::to_string(worst) +
                    " (m or rad); close_loops finds a configuration that meets it");
    }
}

}  // namespace

RobotState::RobotState(const Model& model)
    : q(neutral_configuration(model)),
      v(VectorX<double>::Zero(model.nv())),
      aim_q(q),
      aim_v(v),
      holding(v),
      forces(model),
      momenta(flying_trees(model).size()) {}

void RobotState::begin(const Start& at, const VectorX<double>& at_v, double at_time) {
    q = at.q;
    overlaps = at.overlaps;
    v = at_v;
    start = time = at_time;
    steps = 0;
    contacts.clear();
    remembered.clear();
    remembered_rows.clear();
    momenta_known = false;
    wedged_for = 0;
}

Springs::Springs(const Model& model, const VectorX<double>& stiffness,
                 const VectorX<double>& damping)
    : on(true), kp(stiffness), kd(damping) {
    check_size("hold", "kp", kp.size(), model.nv(), "nv");
    check_size("hold", "kd", kd.size(), model.nv(), "nv");
    for (Eigen::Index k = 0; k < kp.size(); ++k) {
        if (kp[k] >= 0 && kd[k] >= 0 && std::isfinite(kp[k]) && std::isfinite(kd[k])) continue;
        throw Error("hold: the gains of '" + model.velocity_names()[static_cast<std::size_t>(k)] +
                    "' are " + std::to_string(kp[k]) + " and " + std::to_string(kd[k]) +
                    "; they must be zero or positive");
    }
    const HoldingGains gains = with_bodies_free(model, {kp, kd});
    kp = gains.kp;
    kd = gains.kd;
}

StepEngine::StepEngine(const Model& model, const World& world, const SimulatorOptions& options)
    : options_(options),
      space_(model),
      momentum_(model),
      rows_(space_),
      collisions_(model, world),
      solver_(options.solver),
      damping_(static_cast<std::size_t>(model.nv()), 0.0),
      next_q_(neutral_configuration(model)),
      next_v_(VectorX<double>::Zero(model.nv())),
      p_(next_v_),
      free_p_(next_v_),
      push_(next_v_),
      moving_(next_v_),
      error_(next_v_),
      poses_(static_cast<std::size_t>(model.num_bodies()) + 1) {
    if (!(options.step > 0) || !std::isfinite(options.step)) {
        throw Error("Simulator: a step of " + std::to_string(options.step) +
                    " s: it must be positive, such as 0.001");
    }
    if (!(options.compliance >= 0) || !std::isfinite(options.compliance)) {
        throw Error("Simulator: a compliance of " + std::to_string(options.compliance) +
                    " m/N: it must be zero or positive");
    }
    for (int i = 1; options.joint_limits && i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const JointLimits& limits = model.joint(i).limits;
        if (body.mimic || body.nv != 1) continue;
        if (!std::isfinite(limits.lower) && !std::isfinite(limits.upper)) continue;
        stops_.push_back({body.q_index, body.v_index, limits.lower, limits.upper});
    }
    for (int k = 0; options.joint_friction && k < model.nv(); ++k) {
        if (model.friction()[k] > 0) dry_.push_back(k);
        damping_[k] = model.damping()[k];
    }
}

Start StepEngine::check_start(const VectorX<double>& q, const VectorX<double>& v) {
    check_size("set_state", "q", q.size(), model().nq(), "nq");
    check_size("set_state", "v", v.size(), model().nv(), "nv");
    refuse_nan(model(), q, v);
    Start out{q, {}};
    normalize_configuration(workspace(), out.q);
    refuse_open_loops(model(), out.q);
    find_contacts(out.q);
    const ContactPoint* deepest = nullptr;
    for (const ContactPoint& point : points_) {
        if (point.distance > -kDeepestStart) continue;
        if (options_.ignore_overlaps && point.body_b != 0) {
            // Points come by pairs of shapes in their order.
            const ShapePair pair(point.shape_a, point.shape_b);
            if (out.overlaps.empty() || out.overlaps.back() != pair) out.overlaps.push_back(pair);
        } else if (deepest == nullptr || point.distance < deepest->distance) {
            deepest = &point;
        }
    }
    if (deepest == nullptr) return out;
    const auto name = [&](int shape) {
        const CollisionShape& s = collisions_.shapes()[static_cast<std::size_t>(shape)];
        return s.link.empty() ? "the world's '" + s.name + "'" : "link '" + s.link + "'";
    };
    throw Error("the robot starts " + std::to_string(-deepest->distance) +
                " m deep: " + name(deepest->shape_a) + " is inside " + name(deepest->shape_b) +
                (deepest->body_b == 0 ? "; begin where it is free, for example higher"
                                      : "; move them apart, or let them through each other: "
                                        "ignore_overlaps"));
}

bool StepEngine::is_free() const {
    if (!stops_.empty() || !dry_.empty() || !model().constraints().empty()) return false;
    const int n = static_cast<int>(collisions_.shapes().size());
    for (int a = 0; a < n; ++a) {
        for (int b = a + 1; b < n; ++b) {
            if (collisions_.can_touch(a, b)) return false;
        }
    }
    return true;
}

void StepEngine::find_contacts(const VectorX<double>& q) {
    kernel::position_kinematics(workspace(), workspace().kinematics, q.data());
    for (int i = 0; i <= model().num_bodies(); ++i) poses_[i] = space_.pose(i);
    collisions_.find(poses_, 0, points_);
}

// push_: how p = L v changes in a step without impulses. Returns a coordinate that nothing resists, or -1.
int StepEngine::apply_forces(RobotState& robot, const Springs& springs, const double* tau) {
    const double h = options_.step;
    const int n = model().nv();
    VectorX<double>& v = robot.v;
    space_.place(robot.q.data());
    space_.move(v.data());
    momentum_.begin(robot.momenta.data(), robot.momenta_known, space_, v.data());
    if (!model().constraints().empty()) space_.turn_axes(v.data());
    space_.weigh(v.data(), &robot.forces);
    for (int k = 0; k < n; ++k) push_[k] = h * (tau[k] - space_.c[k] - damping_[k] * v[k]);
    int lost = -1;
    if (springs.on) {
        kernel::difference(model(), robot.aim_q.data(), robot.q.data(), error_.data());
        for (int k = 0; k < n; ++k) {
            push_[k] -= h * (springs.kp[k] * (error_[k] + h * v[k]) +
                             springs.kd[k] * (v[k] - robot.aim_v[k]));
        }
        lost = space_.factor(
            [&](int k) { return h * (damping_[k] + springs.kd[k] + h * springs.kp[k]); });
    } else {
        lost = space_.factor([&](int k) { return h * damping_[k]; });
    }
    if (lost >= 0) return lost;
    space_.to_push(push_.data());
    return -1;
}

// Velocities at the end of the step keep the constraints where they will be then: J v⁺ + h J̇ v = 0.
void StepEngine::add_ties(const RobotState& robot) {
    double apart[kernel::kMostConstraintRows], bias[kernel::kMostConstraintRows];
    ConstraintRow<double> ties[kernel::kMostConstraintRows];
    for (const Constraint& c : model().constraints()) {
        const WorldKinematics<double>& kin = space_.kinematics();
        kernel::constraint_forces(kin, robot.q.data(), c, apart, ties);
        kernel::constraint_bias(space_.workspace(), kin, robot.q.data(), robot.v.data(), c, bias);
        const Motion<double> straight =
            space_.straightening(c.body_a) - space_.straightening(c.body_b);
        for (int r = 0; r < c.num_rows; ++r) {
            rows_.add_tie(ties[r], problem_);
            problem_.offset.back() = options_.step * (bias[r] + dot(straight, ties[r].force));
        }
    }
}

void StepEngine::add_rows(const RobotState& robot) {
    const double h = options_.step;
    problem_.clear(model().nv());
    rows_.begin();
    add_ties(robot);
    for (const PrescribedCoordinate& x : robot.prescribed) {
        rows_.add_coordinate(Law::kTied, 0, x.coordinate, 1, problem_);
        problem_.offset.back() = -x.velocity;
    }
    for (const int k : dry_) {
        rows_.add_coordinate(Law::kDry, h * model().friction()[k], k, 1, problem_);
    }
    ways_left_.clear();
    for (const Stop& stop : stops_) {
        // Whatever may be reached within a step or two.
        const double near = 2 * h * std::abs(robot.v[stop.coordinate]) + 1e-3;
        const double q = robot.q[stop.q_index];
        for (const auto& [way, side] : {std::pair(q - stop.lower, 1.0), {stop.upper - q, -1.0}}) {
            if (way > near) continue;
            rows_.add_coordinate(Law::kStop, 0, stop.coordinate, side, problem_);
            problem_.offset.back() = std::max(way, 0.0) / h;
            ways_left_.push_back(way);
        }
    }
    add_contacts(robot);
}

void StepEngine::add_contacts(const RobotState& robot) {
    points_.clear();
    frames_.clear();
    if (collisions_.shapes().empty()) return;
    const double h = options_.step;
    const double falling = h * norm(model().gravity());
    // All that the fastest point of a shape could reach within a step or two.
    const std::span<const double> reach = collisions_.reach();
    double fastest = 0;
    for (int i = 1; i <= model().num_bodies(); ++i) {
        const Motion<double>& v = space_.kinematics().v[i];
        poses_[i] = space_.pose(i);
        const Vec3<double> r = poses_[i].position - space_.kinematics().anchor;
        fastest = std::max(fastest, norm(point_velocity(v, r)) + reach[i] * norm(v.angular));
    }
    // A robot that is about to leave the range of numbers touches nothing any more.
    const double margin = 2 * h * (fastest + falling) + 1e-4;
    collisions_.find(poses_, std::isfinite(margin) ? margin : 0, points_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const ContactPoint& point = points_[i];
        if (std::binary_search(robot.overlaps.begin(), robot.overlaps.end(),
                               ShapePair(point.shape_a, point.shape_b)))
            continue;
        const Vec3<double> at = point.position - space_.kinematics().anchor;
        const Vec3<double> v_a = point_velocity(space_.kinematics().v[point.body_a], at);
        const Vec3<double> v_b = point_velocity(space_.kinematics().v[point.body_b], at);
        // Either may be stopped by something else within the step while the other goes on.
        if (point.distance > h * (norm(v_a) + norm(v_b) + 2 * falling) + 1e-5) continue;
        frames_.push_back(ContactFrame::along(point.normal));
        rows_.add_contact(point, frames_.back(), problem_);
        const std::size_t row = problem_.offset.size() - (point.surface.torsional > 0 ? 4 : 3);
        // It may close; where it has closed too fast, e of that returns. A contact that gives way is a spring: its depth
        // at the end of the step is compliance times force.
        const double closing = dot(point.normal, v_a - v_b), e = point.surface.restitution;
        const double gap = gives_way() ? point.distance : std::max(point.distance, 0.0);
        problem_.offset[row] = e > 0 && closing < 0 ? e * closing : gap / h;
        problem_.softness[row] = options_.compliance / (h * h);
        if (kept != i) points_[kept] = point;
        ++kept;
    }
    points_.resize(kept);
}

// Impulses of the step before, where it had the same contacts; its others, where it had as many.
void StepEngine::guess(const RobotState& robot) {
    lambda_.assign(static_cast<std::size_t>(problem_.num_rows()), 0.0);
    int row = 0;
    std::size_t contact = 0, other = 0, hint = 0;
    for (const ImpulseBlock& b : problem_.blocks()) {
        if (b.law == Law::kContact) {
            const ContactPoint& point = points_[contact];
            const ContactFrame& frame = frames_[contact++];
            std::size_t k = 0;
            while (k < robot.remembered.size() &&
                   robot.remembered[(hint + k) % robot.remembered.size()].id != point.id)
                ++k;
            if (k < robot.remembered.size()) {
                hint = (hint + k) % robot.remembered.size();
                const Vec3<double>& impulse = robot.remembered[hint].impulse;
                lambda_[row] = dot(frame.normal, impulse);
                lambda_[row + 1] = dot(frame.tangent, impulse);
                lambda_[row + 2] = dot(frame.second_tangent, impulse);
                if (point.surface.torsional > 0) lambda_[row + 3] = robot.remembered[hint].spin;
            }
        } else if (b.law != Law::kSpin) {
            if (other < robot.remembered_rows.size()) lambda_[row] = robot.remembered_rows[other];
            ++other;
        }
        row += rows_of(b.law);
    }
}

void StepEngine::remember(RobotState& robot) {
    const double h = options_.step;
    robot.contacts.clear();
    robot.remembered.clear();
    robot.remembered_rows.clear();
    std::size_t contact = 0;
    const std::vector<double>& sigma = solver_.velocities();
    for (const ImpulseBlock& b : problem_.blocks()) {
        const double* l = lambda_.data() + b.row;
        if (b.law == Law::kSpin) {
            robot.contacts.back().spin = l[0] / h;
            robot.remembered.back().spin = l[0];
        } else if (b.law == Law::kContact) {
            const ContactFrame& frame = frames_[contact];
            const Vec3<double> impulse =
                l[0] * frame.normal + l[1] * frame.tangent + l[2] * frame.second_tangent;
            robot.remembered.push_back({points_[contact].id, impulse, 0});
            Contact& c = robot.contacts.emplace_back();
            c.point = points_[contact];
            c.force = (1 / h) * impulse;
            const double slip = std::hypot(sigma[b.row + 1], sigma[b.row + 2]);
            // A contact sticks where it does not move beyond what the solution is good for.
            c.mode = l[0] <= 0     ? ContactMode::kOpen
                     : slip > 1e-9 ? ContactMode::kSlide
                                   : ContactMode::kStick;
            ++contact;
        } else {
            robot.remembered_rows.push_back(l[0]);
        }
    }
}

// Springs are deep by themselves.
bool StepEngine::gives_way() const { return options_.compliance > 0; }

double StepEngine::deepest() const {
    double depth = 0;
    for (const ContactPoint& point : points_) depth = std::max(depth, -point.distance);
    return depth;
}

bool StepEngine::needs_correction() const {
    double beyond = gives_way() ? 0 : deepest();
    for (const double way : ways_left_) beyond = std::max(beyond, -way);
    return beyond > kDepthLeft;
}

// A movement that takes back what is too deep, under the same laws: friction holds what it lifts. Adds to moving_. The
// step's rows get other offsets.
void StepEngine::correct(RobotState& robot) {
    const double h = options_.step;
    const std::vector<double>& sigma = solver_.velocities();
    const auto blocks = problem_.blocks();
    const auto too_deep = [&](double distance, double most = INFINITY) {
        return distance < -kDepthLeft ? std::max(distance, -most) / h : 0.0;
    };
    std::size_t contact = 0, stop = 0;
    double most = 0;  // of what is asked for, m/s
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const ImpulseBlock& b = blocks[i];
        double back = 0;
        if (b.law == Law::kContact) {
            const double distance = points_[contact++].distance;
            if (!gives_way()) back = too_deep(distance, kMostTakenBack);
        } else if (b.law == Law::kStop) {
            back = too_deep(ways_left_[stop++]);
        } else if (b.law == Law::kDry) {
            problem_.set_coefficient(i, 0);
        }
        most = std::max(most, -back);
        // What the step leaves open may be used up.
        const bool may_open = b.law == Law::kContact || b.law == Law::kStop;
        problem_.offset[static_cast<std::size_t>(b.row)] =
            back + (may_open ? std::max(sigma[b.row], 0.0) : 0.0);
    }
    // What carries something is likely to stick meanwhile: a small part of its impulse says so.
    constexpr double kHint = 1e-6;
    lambda_of_correction_.assign(static_cast<std::size_t>(problem_.num_rows()), 0.0);
    for (const ImpulseBlock& b : blocks) {
        if (b.law != Law::kContact && b.law != Law::kStop) continue;
        lambda_of_correction_[static_cast<std::size_t>(b.row)] = kHint * lambda_[b.row];
    }
    push_.setZero();
    const SolverReport report =
        solver_.solve_again(problem_, push_.data(), lambda_of_correction_.data(),
                            kPartOfCorrection * kPartOfCorrection * most);
    // Links that are wedged into each other cannot be parted: they stay as they are, and for a while it is not tried again.
    if (!report.converged && report.certificate.worst() > kPartOfCorrection * most) {
        robot.wedged_for = kPauseOfWedged;
        robot.wedged_depth = deepest();
        return;
    }
    space_.to_velocity(push_.data(), p_.data());
    moving_ += p_;
}

StepReport StepEngine::step(RobotState& robot, const Springs& springs, const double* tau) {
    const double h = options_.step;
    const int n = model().nv();
    StepReport report;
    culprit_ = apply_forces(robot, springs, tau);
    if (culprit_ >= 0) {
        report.status = Status::kSingularMassMatrix;
        return report;
    }
    add_rows(robot);
    const bool is_pushed = problem_.num_rows() > 0;
    if (is_pushed) {
        guess(robot);
        space_.to_momentum(robot.v.data(), p_.data());
        p_ += push_;
        free_p_ = p_;
        report.solver = solver_.solve(problem_, p_.data(), lambda_.data());
        report.deepest = deepest();
        space_.to_velocity(p_.data(), next_v_.data());
    } else {
        space_.to_velocity(push_.data(), next_v_.data());
        next_v_ += robot.v;
    }
    for (int k = 0; k < n; ++k) {
        if (std::isfinite(next_v_[k])) continue;
        culprit_ = k;
        report.status = Status::kNonFiniteResult;
        return report;
    }
    remember(robot);
    if (is_pushed) free_p_ = p_ - free_p_;
    momentum_.end(space_, h, &robot.forces, tau, is_pushed ? free_p_.data() : nullptr,
                  robot.momenta.data());
    robot.momenta_known = true;
    moving_ = next_v_;
    if (robot.wedged_for > 0 && report.deepest <= robot.wedged_depth + kGrowthOfWedged) {
        --robot.wedged_for;
    } else if (needs_correction()) {
        correct(robot);
    }
    advance(model(), robot.q.data(), moving_.data(), h, next_q_.data());
    // What the curvature of constraints leaves open is closed by a movement, so that nothing drifts.
    if (!model().constraints().empty()) project_configuration(workspace(), next_q_);
    turn_along(model(), robot.q.data(), next_q_.data(), next_v_.data());
    if (springs.on) {  // what they did, with the velocity at the end
        for (int k = 0; k < n; ++k) {
            robot.holding[k] = -springs.kp[k] * (error_[k] + h * next_v_[k]) -
                               springs.kd[k] * (next_v_[k] - robot.aim_v[k]);
        }
    }
    robot.q.swap(next_q_);
    robot.v.swap(next_v_);
    robot.advance_time(1, h);
    return report;
}

}  // namespace plucker::simulate
