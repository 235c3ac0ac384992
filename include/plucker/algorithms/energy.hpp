// Kinetic and potential energy, and the power that flows into them.
//
// Cost: O(n).
#pragma once

#include "plucker/algorithms/center_of_mass.hpp"

namespace plucker {
namespace kernel {

template <class S>
S kinetic_energy(const Workspace<S>& ws, const S* v) {
    S energy = S(0);
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        energy +=
            plucker::kinetic_energy(cast<S>(ws.body(i).inertia), ws.X_anchor[i] * ws.v_anchor[i]);
    }
    for (int k = 0; k < ws.model().nv(); ++k) {
        energy += S(0.5) * S(ws.model().armature()[k]) * v[k] * v[k];
    }
    return energy;
}

template <class S>
S potential_energy(Workspace<S>& ws) {
    subtree_moments(ws);
    return -dot(cast<S>(ws.model().gravity()), ws.moment[0] + ws.mass[0] * ws.anchor);
}

template <class S>
S mechanical_power(Workspace<S>& ws, const S* v, const S* tau, MaybeForces<S> external) {
    S power = S(0);
    for (int k = 0; k < ws.model().nv(); ++k) {
        power += (tau[k] - detail::friction_at(ws.model(), v, k)) * v[k];
    }
    if (external == nullptr) return power;
    for (const auto& entry : external->entries()) {
        const Transform<S> X_frame = cast<S>(entry.X_frame_body) * ws.X_anchor[entry.body];
        Transform<S> X = X_frame;
        if (entry.expressed_in == ReferenceFrame::kWorld) X = Transform<S>::translation(-ws.anchor);
        if (entry.expressed_in == ReferenceFrame::kWorldAligned) {
            X = Transform<S>::translation(X_frame.r);
        }
        power += dot(X * ws.v_anchor[entry.body], entry.force);
    }
    return power;
}

}  // namespace kernel

// ½ Σ v·I v over the bodies, and ½ v² of the rotors. Needs forward_kinematics(ws, q, v) with this v.
template <class S>
S kinetic_energy(const Workspace<S>& ws, ConstVector<S> v) {
    detail::require_kinematics("kinetic_energy", ws, Kinematics::kVelocity);
    detail::check_velocity_like("kinetic_energy", "v", ws, v.size());
    return kernel::kinetic_energy(ws, v.data());
}

// -Σ m g·c, zero at the world's origin. Needs forward_kinematics(ws, q).
template <class S>
S potential_energy(Workspace<S>& ws) {
    detail::require_kinematics("potential_energy", ws, Kinematics::kPosition);
    return kernel::potential_energy(ws);
}

// The rate of the total energy: power of the torques and the external forces, less what friction takes.
// Needs forward_kinematics(ws, q, v) with this v.
template <class S>
S mechanical_power(Workspace<S>& ws, ConstVector<S> v, ConstVector<S> tau,
                   MaybeForces<S> external = nullptr) {
    detail::require_kinematics("mechanical_power", ws, Kinematics::kVelocity);
    detail::check_velocity_like("mechanical_power", "v", ws, v.size());
    detail::check_velocity_like("mechanical_power", "tau", ws, tau.size());
    return kernel::mechanical_power(ws, v.data(), tau.data(), external);
}

template <class Q, class V>
auto kinetic_energy(const Model& model, const Eigen::MatrixBase<Q>& q,
                    const Eigen::MatrixBase<V>& v) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived());
    return kinetic_energy(ws, v.derived());
}
template <class Q>
auto potential_energy(const Model& model, const Eigen::MatrixBase<Q>& q) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived());
    return potential_energy(ws);
}
template <class Q, class V, class T>
auto mechanical_power(const Model& model, const Eigen::MatrixBase<Q>& q,
                      const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<T>& tau,
                      const ExternalForces<detail::ScalarOf<Q>>* external = nullptr) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived());
    return mechanical_power(ws, v.derived(), tau.derived(), external);
}

}  // namespace plucker
