// Kinetic and potential energy, and the power that flows into them. Cost: O(n).
#pragma once

#include "plucker/algorithms/center_of_mass.hpp"

namespace plucker {
namespace kernel {

// Each body's velocity in its own coordinates: v_i = X v_λ + S q̇, one place per level of the tree.
template <class S>
void kinetic_energy(Workspace<S>& ws, const S* q, const S* v, S* energy) {
    detail::joint_angles(ws, q);
    ws.bodies.v[0] = {};
    S sum = S(0);
    Transform<S> X;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        Motion<S> v_i = detail::joint_transform(ws, i, q, X) * ws.bodies.v[body.level - 1];
        detail::with_subspace(ws, i,
                              [&](const auto& S_i) { v_i = v_i + S_i * (v + body.v_index); });
        ws.bodies.v[body.level] = v_i;
        sum += energy_of_motion(cast<S>(body.inertia), v_i);
    }
    for (int k = 0; k < ws.model().nv(); ++k) {
        sum += S(0.5) * S(ws.armature(k)) * v[k] * v[k];
    }
    *energy = sum;
}

template <class S>
S potential_energy(Workspace<S>& ws) {
    subtree_moments(ws);
    return -dot(cast<S>(ws.gravity()),
                ws.subtrees.moment[0] + S(ws.body(0).subtree_mass) * ws.kinematics.anchor);
}

template <class S>
S mechanical_power(Workspace<S>& ws, const S* q, const S* v, const S* tau,
                   MaybeForces<S> external) {
    S power = S(0);
    for (int k = 0; k < ws.model().nv(); ++k) {
        power += (tau[k] - detail::friction_at(ws, v, k)) * v[k];
    }
    if (external == nullptr) return power;
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    position_kinematics(ws, ws.passing_kinematics, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    for (const auto& entry : external->entries()) {
        const Transform<S> X = detail::X_reference_anchor(ws, kin, entry.frame, entry.expressed_in);
        power += dot(X * kin.v[entry.body], entry.force);
    }
    return power;
}

}  // namespace kernel
}  // namespace plucker
