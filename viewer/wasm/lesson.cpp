#include "lesson.hpp"

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/newton_euler_listing.hpp"

namespace plucker::page {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json numbers(const VectorX<double>& x) { return std::vector<double>(x.begin(), x.end()); }
template <class SixVector>
ordered_json six(const SixVector& x) {
    const Vector6<double> y = to_eigen(x);
    return std::vector<double>(y.begin(), y.end());
}
ordered_json rows(const MatrixX<double>& x) {
    ordered_json out = ordered_json::array();
    for (Eigen::Index i = 0; i < x.rows(); ++i) out.push_back(numbers(x.row(i).transpose()));
    return out;
}

// The equations of body i, term by term.
void add_terms(const Workspace<double>& ws, int i, const VectorX<double>& v,
               const VectorX<double>& a, const laws::NewtonEuler<double>& steps,
               ordered_json& body) {
    const Model& model = ws.model();
    const auto at = static_cast<std::size_t>(i);
    const Body<double>& constants = ws.body(i);
    const auto parent = static_cast<std::size_t>(constants.parent);
    const Transform<double>& X = ws.joints.X[at];
    Motion<double> joint_v{}, joint_a{};
    ordered_json axes = ordered_json::array();
    for (int k = 0; k < constants.nv; ++k) {
        const Motion<double>& s = laws::axis(ws, constants, k);
        axes.push_back(six(s));
        joint_v += v[constants.v_index + k] * s;
        joint_a += a[constants.v_index + k] * s;
    }
    Force<double> carried{};
    for (int j = i + 1; j <= model.num_bodies(); ++j) {
        const auto child = static_cast<std::size_t>(j);
        if (ws.body(j).parent == i) carried += apply_inverse(ws.joints.X[child], steps.f[child]);
    }
    const Motion<double> carried_a = X * steps.a[parent];
    body["name"] = model.frame(model.body_frame(i)).name;
    body["joint"] = model.joint(i).name;
    body["parent"] = constants.parent;
    body["first"] = constants.v_index;
    body["S"] = std::move(axes);
    body["X"] = rows(motion_matrix(X));
    body["I"] = rows(to_eigen(constants.inertia));
    body["carried_v"] = six(X * steps.v[parent]);
    body["joint_v"] = six(joint_v);
    body["carried_a"] = six(carried_a);
    body["joint_a"] = six(joint_a);
    body["turning_a"] = six(steps.a[at] - carried_a - joint_a);
    body["momentum_rate"] = six(constants.inertia * steps.a[at]);
    body["gyroscopic"] = six(cross_force(steps.v[at], constants.inertia * steps.v[at]));
    body["net"] = six(steps.net[at]);
    body["carried_f"] = six(carried);
    body["f"] = six(steps.f[at]);
}

}  // namespace

ordered_json lesson(Loaded& robot, const json& request) {
    const Model& model = robot.model;
    const VectorX<double> none = VectorX<double>::Zero(model.nv());
    const VectorX<double> q =
        integrate(model, neutral_configuration(model), vector_of(request, "along", none));
    const VectorX<double> v = vector_of(request, "v", none);
    const VectorX<double> a = vector_of(request, "a", none);

    Workspace<double> ws(model);
    if (!request.value("gravity", true)) ws.set_gravity({});
    ws.set_friction(false);
    forward_kinematics(ws, q);
    std::vector<Pose<double>> poses;
    for (int i = 0; i <= model.num_bodies(); ++i) {
        poses.push_back(to_pose(ws.kinematics.X[i]));
        poses.back().position += i == 0 ? Vec3<double>{} : ws.kinematics.anchor;
    }
    const auto steps = laws::newton_euler_steps(ws, q, v, a);

    ordered_json bodies = ordered_json::array();
    for (int i = 0; i <= model.num_bodies(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        std::vector<double> pose;
        append_pose(poses[at], pose);
        ordered_json body{{"pose", pose}, {"v", six(steps.v[at])}, {"a", six(steps.a[at])}};
        if (i > 0) add_terms(ws, i, v, a, steps, body);
        bodies.push_back(std::move(body));
    }
    MatrixX<double> H(model.nv(), model.nv());
    VectorX<double> C(model.nv());
    mass_matrix(ws, q, H);
    bias_torque(ws, q, v, C);
    return {{"bodies", std::move(bodies)},
            {"tau", numbers(steps.tau)},
            {"H", rows(H)},
            {"C", numbers(C)}};
}

}  // namespace plucker::page
