#include "acting.hpp"

#include <algorithm>
#include <cmath>

namespace plucker::simulate {
namespace {

// What the position corrections leave alone: it is far below what anybody measures, and far above rounding.
constexpr double kDepthLeft = 1e-8;
// And no more of a depth, or of what a joint is beyond its limit, than this is taken back in one step.
constexpr double kMostTakenBack = 0.002;
// Depth that could not be taken back is tried again when it has grown by so much.
constexpr double kGrowthOfWedged = 1e-4;

}  // namespace

void Acting::clear() {
    blocks.clear();
    offset.clear();
    ties.clear();
    points.clear();
    frames.clear();
    ways_left.clear();
}

void Acting::add(Law law, On on, int which, double coefficient, double asks, double side) {
    blocks.push_back({law, on, which, num_rows(), coefficient, side});
    offset.push_back(asks);
    for (int r = 1; r < rows_of(law); ++r) offset.push_back(0);
}

double Acting::deepest() const {
    double depth = 0;
    for (const ContactPoint& point : points) depth = std::max(depth, -point.distance);
    return depth;
}

double Acting::beyond_limits() const {
    double beyond = 0;
    for (const double way : ways_left) beyond = std::max(beyond, -way);
    return beyond;
}

void Acting::guess(const RobotState& robot, double* lambda) const {
    std::fill_n(lambda, num_rows(), 0.0);
    const std::vector<RememberedContact>& before = robot.remembered;
    auto other = robot.remembered_rows.begin();
    std::size_t hint = 0;
    for (const Block& b : blocks) {
        double* l = lambda + b.row;
        if (b.law == Law::kContact) {
            const ContactPoint& point = points[static_cast<std::size_t>(b.which)];
            const ContactFrame& frame = frames[static_cast<std::size_t>(b.which)];
            // Most contacts stand where they stood, one after the other.
            std::size_t k = 0;
            while (k < before.size() && before[(hint + k) % before.size()].id != point.id) ++k;
            if (k == before.size()) continue;
            hint = (hint + k) % before.size();
            const Vec3<double>& impulse = before[hint].impulse;
            l[0] = dot(frame.normal, impulse);
            l[1] = dot(frame.tangent, impulse);
            l[2] = dot(frame.second_tangent, impulse);
            if (point.surface.torsional > 0) l[3] = before[hint].spin;
            ++hint;
        } else if (b.law != Law::kSpin) {
            const auto is_it = [&](const RememberedRow& row) {
                return row.law == b.law && row.which == b.which && row.side == b.side;
            };
            const auto found = std::find_if(other, robot.remembered_rows.end(), is_it);
            if (found == robot.remembered_rows.end()) continue;
            l[0] = found->impulse;
            other = found + 1;
        }
    }
}

void Acting::remember(RobotState& robot, const double* lambda, const double* sigma,
                      double h) const {
    robot.contacts.clear();
    robot.remembered.clear();
    robot.remembered_rows.clear();
    for (const Block& b : blocks) {
        const double* l = lambda + b.row;
        if (b.law == Law::kSpin) {
            robot.contacts.back().spin = l[0] / h;
            robot.remembered.back().spin = l[0];
        } else if (b.law == Law::kContact) {
            const ContactPoint& point = points[static_cast<std::size_t>(b.which)];
            const ContactFrame& frame = frames[static_cast<std::size_t>(b.which)];
            const Vec3<double> impulse =
                l[0] * frame.normal + l[1] * frame.tangent + l[2] * frame.second_tangent;
            robot.remembered.push_back({point.id, impulse, 0});
            Contact& c = robot.contacts.emplace_back();
            c.point = point;
            c.force = (1 / h) * impulse;
            const double x = sigma[b.row + 1], y = sigma[b.row + 2],
                         slip = std::sqrt(x * x + y * y);
            // A contact sticks where it does not move beyond what the solution is good for.
            c.mode = l[0] <= 0     ? ContactMode::kOpen
                     : slip > 1e-9 ? ContactMode::kSlide
                                   : ContactMode::kStick;
        } else {
            robot.remembered_rows.push_back({b.law, b.which, b.side, l[0]});
        }
    }
}

void Correction::ask(const Acting& acting, const double* lambda_of_step, const double* sigma,
                     double h, bool contacts_give_way) {
    // What carries something is likely to stick meanwhile: a small part of its impulse says so.
    constexpr double kHint = 1e-6;
    const auto too_deep = [&](double distance) {
        return distance < -kDepthLeft ? std::max(distance, -kMostTakenBack) / h : 0.0;
    };
    offset.assign(acting.offset.size(), 0.0);
    lambda.assign(acting.offset.size(), 0.0);
    most = 0;
    std::size_t stop = 0;
    for (const Acting::Block& b : acting.blocks) {
        double back = 0;
        if (b.law == Law::kContact) {
            const double distance = acting.points[static_cast<std::size_t>(b.which)].distance;
            if (!contacts_give_way) back = too_deep(distance);
        } else if (b.law == Law::kStop) {
            back = too_deep(acting.ways_left[stop++]);
        } else {
            continue;
        }
        most = std::max(most, -back);
        // What the step leaves open may be used up.
        offset[static_cast<std::size_t>(b.row)] = back + std::max(sigma[b.row], 0.0);
        lambda[static_cast<std::size_t>(b.row)] = kHint * lambda_of_step[b.row];
    }
}

ActingFinder::ActingFinder(const Model& model, const World& world, const SimulatorOptions& options)
    : options_(options), collisions_(model, world), falling_(options.step * norm(model.gravity())) {
    for (int i = 1; options.joint_limits && i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const JointLimits& limits = model.joint(i).limits;
        if (body.mimic || body.nv != 1) continue;
        if (!std::isfinite(limits.lower) && !std::isfinite(limits.upper)) continue;
        stops_.push_back({body.q_index, body.v_index, limits.lower, limits.upper});
    }
    for (int k = 0; options.joint_friction && k < model.nv(); ++k) {
        if (model.friction()[k] > 0) dry_.emplace_back(k, options.step * model.friction()[k]);
    }
}

bool ActingFinder::finds_nothing() const {
    if (!stops_.empty() || !dry_.empty()) return false;
    const int n = static_cast<int>(collisions_.shapes().size());
    for (int a = 0; a < n; ++a) {
        for (int b = a + 1; b < n; ++b) {
            if (collisions_.can_touch(a, b)) return false;
        }
    }
    return true;
}

void ActingFinder::add_coordinates(const RobotState& robot, Strided q, Strided v,
                                   Acting& out) const {
    const double h = options_.step;
    using On = Acting::On;
    for (const PrescribedCoordinate& x : robot.prescribed) {
        out.add(Law::kTied, On::kCoordinate, x.coordinate, 0, -x.velocity);
    }
    for (const auto& [k, limit] : dry_) out.add(Law::kDry, On::kCoordinate, k, limit, 0);
    for (const Stop& stop : stops_) {
        // Whatever may be reached within a step or two.
        const double near = 2 * h * std::abs(v[stop.coordinate]) + 1e-3;
        const double at = q[stop.q_index];
        for (const auto& [way, side] : {std::pair(at - stop.lower, 1.0), {stop.upper - at, -1.0}}) {
            if (way > near) continue;
            out.add(Law::kStop, On::kCoordinate, stop.coordinate, 0, std::max(way, 0.0) / h, side);
            out.ways_left.push_back(way);
        }
    }
}

double ActingFinder::margin(double fastest) const {
    const double margin = 2 * options_.step * (fastest + falling_) + 1e-4;
    // A robot that is about to leave the range of numbers touches nothing any more.
    return std::isfinite(margin) ? margin : 0;
}

void ActingFinder::add_contacts(const RobotState& robot, const BodiesNow& bodies,
                                Acting& out) const {
    const double h = options_.step;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < out.points.size(); ++i) {
        const ContactPoint& point = out.points[i];
        if (std::binary_search(robot.overlaps.begin(), robot.overlaps.end(),
                               ShapePair(point.shape_a, point.shape_b)))
            continue;
        const Vec3<double> v_a = bodies.velocity_at(point.body_a, point.position);
        const Vec3<double> v_b = bodies.velocity_at(point.body_b, point.position);
        // Either may be stopped by something else within the step while the other goes on.
        if (point.distance > h * (norm(v_a) + norm(v_b) + 2 * falling_) + 1e-5) continue;
        // It may close; where it closes in this step, e of the speed returns. A contact that gives way is a spring: its depth
        // at the end of the step is compliance times force.
        const double closing = dot(point.normal, v_a - v_b), e = point.surface.restitution;
        const bool bounces = e > 0 && closing < 0 && point.distance <= h * (falling_ - closing);
        const double gap = contacts_give_way() ? point.distance : std::max(point.distance, 0.0);
        const int number = static_cast<int>(kept);
        out.frames.push_back(ContactFrame::along(point.normal));
        out.add(Law::kContact, Acting::On::kPoint, number, point.surface.friction,
                bounces ? e * closing : gap / h);
        if (point.surface.torsional > 0)
            out.add(Law::kSpin, Acting::On::kPoint, number, point.surface.torsional, 0);
        if (kept != i) out.points[kept] = point;
        ++kept;
    }
    out.points.resize(kept);
}

bool ActingFinder::asks_for_correction(const Acting& acting, RobotState& robot) const {
    const double deepest = acting.deepest();
    if (robot.wedged_for > 0 && deepest <= robot.wedged_depth + kGrowthOfWedged) {
        --robot.wedged_for;
        return false;
    }
    return std::max(contacts_give_way() ? 0 : deepest, acting.beyond_limits()) > kDepthLeft;
}

}  // namespace plucker::simulate
