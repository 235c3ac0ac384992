#include "masses.hpp"

#include <array>

#include "plucker/algorithms/configuration.hpp"
#include "plucker/model/fixed_mass.hpp"

namespace plucker::cli {
namespace {

// Body i in its parent, at q.
Transform<double> joint_transform(const Model& model, int i, const VectorX<double>& q) {
    const Body<double>& body = model.body(i);
    return visit_joint(body.joint, [&](auto joint) {
        std::array<SinCos<double>, kMostAngles> angles{};
        for (std::size_t k = 0; k < static_cast<std::size_t>(joint.kAngles); ++k) {
            const AngleSource<double>& at =
                model.angles()[static_cast<std::size_t>(body.angle_index) + k];
            angles[k] = sin_cos(at.multiplier * q[at.q_index] + at.offset);
        }
        const double followed = body.mimic ? body.multiplier * q[body.q_index] + body.offset : 0;
        return joint.transform(body, body.mimic ? &followed : q.data() + body.q_index,
                               angles.data());
    });
}

// Without a workspace: that has room for matrices of nv² numbers, and a robot may be too large for these.
Vec3<double> center_of_moving(const Model& model) {
    const VectorX<double> q = neutral_configuration(model);
    std::vector<Transform<double>> X(model.bodies().size());  // body ← world
    Vec3<double> moment{};
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const auto at = static_cast<std::size_t>(i);
        X[at] = joint_transform(model, i, q) * X[static_cast<std::size_t>(body.parent)];
        moment += apply_inverse(X[at], body.inertia).first_moment;
    }
    return (1 / model.total_mass()) * moment;
}

}  // namespace

std::vector<MassOf> masses_of(const Model& model) {
    const MassProperties standing = fixed_mass(model);
    const double moving = model.total_mass(), all = moving + standing.mass;
    Vec3<double> center{}, center_of_all{};
    if (moving > 0) center = center_of_moving(model);
    if (all > 0) center_of_all = (1 / all) * (moving * center + standing.mass * standing.center);
    return {{"moving", moving, center},
            {"fixed", standing.mass, standing.center},
            {"whole", all, center_of_all}};
}

}  // namespace plucker::cli
