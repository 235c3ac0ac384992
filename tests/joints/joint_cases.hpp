// One joint of every type, placed and turned arbitrarily, for laws that hold for all of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plucker/algorithms/table.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/spatial/subspace.hpp"
#include "scalar/scalars.hpp"

namespace plucker::test {

inline const Pose<double> kPlacement =
    Pose<double>::roll_pitch_yaw({0.3, -0.5, 0.7}, {0.4, -1.1, 2.3});

// A joint under test is the last of a two-joint arm; its own place on the first link is kPlacement.
struct JointCase {
    std::string name;
    JointDescription joint;
    Model model;
    int body;  // of the joint under test
};

inline std::vector<JointCase> all_joint_cases() {
    const Vec3<double> skewed{1, -2, 3}, down{0.5, 1, -2};
    const std::vector<JointDescription> joints = {
        fixed("fixed"),
        revolute("revolute", skewed),
        revolute("revolute_down", down),
        prismatic("prismatic", skewed),
        prismatic("prismatic_down", down),
        helical("helical", skewed, 0.35),
        cylindrical("cylindrical", down),
        universal("universal", skewed, {2, 1, 0}),
        spherical("spherical"),
        planar("planar", skewed),
        translation("translation"),
        floating("floating"),
        revolute("mimic_revolute", skewed).mimicking("leader", -1.7, 0.4),
        prismatic("mimic_prismatic", skewed).mimicking("leader", 0.6, -0.2),
        helical("mimic_helical", down, -0.25).mimicking("leader", 1.3, 0.9),
    };
    std::vector<JointCase> cases;
    for (const JointDescription& joint : joints) {
        const Model model = Builder(joint.name)
                                .fixed_joints(FixedJoints::kKeep)
                                .link("ground")
                                .body("ground", revolute("leader", {1, 1, 0}).at(0.1, 0.2, 0.3),
                                      "upper", MassProperties::sphere(1, 0.1))
                                .body("upper", joint.at(kPlacement), "lower",
                                      MassProperties::box(2, {0.1, 0.2, 0.3}, {0.1, 0, 0.2}))
                                .build();
        cases.push_back({joint.name, joint, model, model.joint_index(joint.name)});
    }
    return cases;
}

// Calls law(joint case, random) for each type and a few seeds.
template <class S, class Law>
void for_all_joints(Law&& law) {
    static const std::vector<JointCase> kCases = all_joint_cases();
    for (const JointCase& joint : kCases) {
        SCOPED_TRACE(joint.name);
        for_samples<Sampler<S>>([&](auto& random) { law(joint, random); });
    }
}

// A configuration on the manifold, in every coordinate of the model.
template <class S>
VectorX<S> random_q(const Model& model, Sampler<S>& random) {
    return normalize_configuration(model, random.vector(model.nq()));
}

// Transforms and motion subspaces at q, and their rates at v.
template <class S>
Workspace<S> joints_at(const Model& model, const VectorX<S>& q, const VectorX<S>& v) {
    Workspace<S> ws(model);
    detail::joint_transforms(ws, q.data());
    detail::subspace_rates(ws, v.data());
    return ws;
}
template <class S>
Workspace<S> joints_at(const Model& model, const VectorX<S>& q) {
    return joints_at(model, q, VectorX<S>(VectorX<S>::Zero(model.nv())));
}

// S_i q̇_i, from the columns that the workspace holds.
template <class S>
Motion<S> joint_velocity(const Workspace<S>& ws, int i, const VectorX<S>& v) {
    const Body<double>& body = ws.model().body(i);
    Motion<S> sum{};
    for (int k = 0; k < body.nv; ++k) {
        sum +=
            v[body.v_index + k] * ws.joints.subspace[static_cast<std::size_t>(body.dof_index + k)];
    }
    return sum;
}

// A model's constants are doubles: a law that compares with them holds to double's precision at best.
template <class S>
double model_roundings() {
    return kRoundings * std::max(1.0, static_cast<double>(kEpsilon<double> / kEpsilon<S>));
}

// Two attitudes as rotations: q and -q are one.
template <class S>
testing::AssertionResult same_place(const Transform<S>& a, const Transform<S>& b,
                                    double roundings = kRoundings) {
    if (auto result = close(a.E, b.E, roundings); !result) return result << " (rotation)";
    if (auto result = close(a.r, b.r, roundings); !result) return result << " (position)";
    return testing::AssertionSuccess();
}

}  // namespace plucker::test
