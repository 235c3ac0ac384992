// Kinetic and potential energy, and the power that flows into them. Cost: O(n).
#pragma once

#include "plucker/algorithms/center_of_mass.hpp"

namespace plucker {
namespace kernel {

// Each body's velocity in its own coordinates: v_i = X v_λ + S q̇, one place a level of the tree.
template <class S>
void kinetic_energy(Workspace<S>& ws, const S* q, const S* v, S* energy) {
    detail::joint_angles(ws, q);
    ws.v[0] = {};
    S sum = S(0);
    Transform<S> X;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        Motion<S> v_i = detail::joint_transform(ws, i, q, X) * ws.v[body.level - 1];
        detail::with_subspace(ws, i,
                              [&](const auto& S_i) { v_i = v_i + S_i * (v + body.v_index); });
        ws.v[body.level] = v_i;
        sum += plucker::kinetic_energy(cast<S>(body.inertia), v_i);
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
                ws.moment[0] + S(ws.body(0).subtree_mass) * ws.kinematics.anchor);
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
        const Transform<S> X_frame = cast<S>(entry.X_frame_body) * kin.X[entry.body];
        Transform<S> X = X_frame;
        if (entry.expressed_in == ReferenceFrame::kWorld)
            X = Transform<S>::translation(-kin.anchor);
        if (entry.expressed_in == ReferenceFrame::kWorldAligned) {
            X = Transform<S>::translation(X_frame.r);
        }
        power += dot(X * kin.v[entry.body], entry.force);
    }
    return power;
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void kinetic_energy(Workspace<double>& ws, const double* q, const double* v, double* energy);

}  // namespace kernel

// ½ Σ v·I v over the bodies, and ½ I q̇² of the rotors.
template <class S>
S kinetic_energy(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v) {
    detail::Door<S> door("kinetic_energy", ws);
    const S* q_in = door.q(q);
    const S* v_in = door.in("v", v);
    S energy = S(detail::kNaN);
    if (door.opens()) kernel::kinetic_energy(ws, q_in, v_in, &energy);
    return energy;
}

// -Σ m g·c, zero at the world's origin. Needs forward_kinematics(ws, q).
template <class S>
S potential_energy(Workspace<S>& ws) {
    detail::Door<S> door("potential_energy", ws);
    door.needs(Kinematics::kPosition);
    return door.opens() ? kernel::potential_energy(ws) : S(detail::kNaN);
}

// The rate of the total energy: power of the torques and the external forces, less what friction takes.
template <class S>
S mechanical_power(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v, ConstVector<S> tau,
                   MaybeForces<S> external = nullptr) {
    detail::Door<S> door("mechanical_power", ws);
    const S* q_in = door.q(q);
    const S* v_in = door.in("v", v);
    const S* tau_in = door.in("tau", tau);
    door.forces(external);
    return door.opens() ? kernel::mechanical_power(ws, q_in, v_in, tau_in, external)
                        : S(detail::kNaN);
}

template <class Q, class V>
auto kinetic_energy(const Model& model, const Eigen::MatrixBase<Q>& q,
                    const Eigen::MatrixBase<V>& v) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    return kinetic_energy(ws, q.derived(), v.derived());
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
    return mechanical_power(ws, q.derived(), v.derived(), tau.derived(), external);
}

}  // namespace plucker
