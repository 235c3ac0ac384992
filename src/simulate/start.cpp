#include "plucker/simulate/start.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plucker/algorithms/table.hpp"
#include "plucker/collide/collision_shapes.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"

namespace plucker {
namespace {

std::vector<Pose<double>> poses_at(const Model& model, const VectorX<double>& q) {
    Workspace<double> ws(model);
    forward_kinematics(ws, q);
    std::vector<Pose<double>> poses(static_cast<std::size_t>(model.num_bodies()) + 1);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        poses[static_cast<std::size_t>(i)] = to_pose(ws.kinematics.X[i]);
        poses[static_cast<std::size_t>(i)].position += ws.kinematics.anchor;
    }
    return poses;
}

// A coordinate that moves every body along `up`, a metre for a metre; -1: there is none.
int lifting_coordinate(const Model& model, const Vec3<double>& up, const VectorX<double>& q) {
    const std::vector<Pose<double>> before = poses_at(model, q);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || body.joint != JointType::kPrismatic) continue;
        VectorX<double> moved = q;
        moved[body.q_index] += 1;
        const std::vector<Pose<double>> after = poses_at(model, moved);
        bool lifts = true;
        for (int k = 1; k <= model.num_bodies(); ++k) {
            if (model.body(k).inertia.mass == 0) continue;
            const auto at = static_cast<std::size_t>(k);
            const Vec3<double> step = after[at].position - before[at].position;
            lifts = lifts && norm(step - up) < 1e-9;
        }
        if (lifts) return body.q_index;
    }
    return -1;
}

VectorX<double> diagonal_of_mass_matrix(const Model& model, const VectorX<double>& q) {
    Workspace<double> ws(model);
    MatrixX<double> M(model.nv(), model.nv());
    mass_matrix(ws, q, M);
    return M.diagonal();
}

// The constraint with the largest error by row that is more than what is allowed for it.
template <class Allowed>
Violation worst_violation(const Model& model, const VectorX<double>& errors,
                          const Allowed& allowed) {
    Violation out;
    for (const Constraint& c : model.constraints()) {
        const double worst = errors.segment(c.first_row, c.num_rows).lpNorm<Eigen::Infinity>();
        if (worst > allowed(c) && worst > out.by) out = {c.name, worst};
    }
    return out;
}

// What rounding in a file may leave; m, rad, or these a second.
constexpr double kClosed = 1e-6;

}  // namespace

std::vector<int> free_bodies(const Model& model) {
    std::vector<int> out;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        if (model.body(i).joint != JointType::kFloating) continue;
        int above = model.body(i).parent;
        while (above != 0 && model.body(above).joint == JointType::kFixed) {
            above = model.body(above).parent;
        }
        if (above == 0) out.push_back(i);
    }
    return out;
}

std::vector<std::string> posture_names(const Model& model) {
    std::vector<std::string> out;
    for (const PostureDescription& each : model.description().postures) out.push_back(each.name);
    return out;
}

ResultVector<double> posture(const Model& model, const std::string& name) {
    const auto& all = model.description().postures;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const PostureDescription& x) { return x.name == name; });
    if (found == all.end()) throw unknown_name("posture", name, posture_names(model));
    VectorX<double> q = neutral_configuration(model);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        for (const auto& [joint, coordinates] : found->joints) {
            if (joint != model.joint(i).name || body.mimic || body.nq == 0) continue;
            std::copy(coordinates.begin(), coordinates.end(), q.data() + body.q_index);
        }
    }
    Workspace<double> ws(model);
    normalize_configuration(ws, q);
    return q;
}

bool lift(const Model& model, const Vec3<double>& up, double height, VectorX<double>& q) {
    if (model.has_floating_base()) {
        q[0] += height * up.x;
        q[1] += height * up.y;
        q[2] += height * up.z;
        return true;
    }
    const int coordinate = lifting_coordinate(model, up, q);
    if (coordinate < 0) return false;
    q[coordinate] += height;
    return true;
}

void put_on_ground(const Model& model, const World& world, const Vec3<double>& up,
                   VectorX<double>& q) {
    CollisionShapes shapes(model, world);
    std::vector<ContactPoint> points;
    constexpr double kAnywhere = 1e3, kSteepest = 0.1;
    shapes.find(poses_at(model, q), kAnywhere, points);
    double lowest = INFINITY;
    for (const ContactPoint& point : points) {
        // On a slope the way along `up` is longer than the distance. On a wall nobody stands.
        const double rise = dot(point.normal, up);
        if (point.body_b == 0 && rise > kSteepest) lowest = std::min(lowest, point.distance / rise);
    }
    if (std::isfinite(lowest)) lift(model, up, -lowest, q);
}

ResultVector<double> within_limits(const Model& model, const VectorX<double>& q) {
    check_size("within_limits", "q", q.size(), model.nq(), "nq");
    VectorX<double> out = q;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || body.nv != 1) continue;
        const JointLimits& limits = model.joint(i).limits;
        double& x = out[body.q_index];
        x = std::max(limits.lower, std::min(x, limits.upper));
    }
    return out;
}

Violation violation_of_position(const Model& model, const VectorX<double>& q) {
    if (model.constraints().empty()) return {};
    return worst_violation(model, constraint_errors(model, q),
                           [](const Constraint&) { return kClosed; });
}

Violation violation_of_velocity(const Model& model, const VectorX<double>& q,
                                const VectorX<double>& v) {
    constexpr double kPart = 0.01;
    if (model.constraints().empty()) return {};
    const MatrixX<double> J = constraint_jacobian(model, q);
    const VectorX<double> terms = J.cwiseAbs() * v.cwiseAbs();
    return worst_violation(model, J * v, [&](const Constraint& c) {
        return kClosed + kPart * terms.segment(c.first_row, c.num_rows).maxCoeff();
    });
}

HoldingGains with_bodies_free(const Model& model, HoldingGains gains) {
    for (const int i : free_bodies(model)) {
        gains.kp.segment<6>(model.body(i).v_index).setZero();
        gains.kd.segment<6>(model.body(i).v_index).setZero();
    }
    return gains;
}

HoldingGains holding_gains(const Model& model, const VectorX<double>& q, double frequency) {
    const VectorX<double> M = diagonal_of_mass_matrix(model, q);
    const double w = 2 * std::numbers::pi * frequency;
    return with_bodies_free(model, {M * w * w, 2 * M * w});
}

HoldingGains critically_damped(const Model& model, const VectorX<double>& q,
                               const VectorX<double>& kp) {
    const VectorX<double> M = diagonal_of_mass_matrix(model, q);
    return with_bodies_free(model, {kp, 2 * kp.cwiseProduct(M).cwiseSqrt()});
}

}  // namespace plucker
