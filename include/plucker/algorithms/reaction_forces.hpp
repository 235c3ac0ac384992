// The force that each joint transmits: what the bearings, bolts and force sensors feel.
//
// A by-product of the recursive Newton–Euler algorithm: its f_i. The joint's own torque is part of it;
// the rest lies in the constraint-force subspace and does no work.
#pragma once

#include <span>

#include "plucker/algorithms/inverse_dynamics.hpp"

namespace plucker {
namespace kernel {

// forces: num_bodies() + 1 of them.
template <class S>
void reaction_forces(Workspace<S>& ws, const S* q, const S* v, const S* a, MaybeForces<S> external,
                     Force<S>* forces) {
    inverse_dynamics_with_forces(ws, q, v, a, external, ws.coordinates.data());
    forces[0] = ws.f[0];
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        forces[i] = cast<S>(ws.model().frame(ws.model().body_frame(i)).X_frame_body) * ws.f[i];
    }
}

}  // namespace kernel

// forces[i] for i in 1 … num_bodies(): the force on body i from its parent, across joint i, in the frame
// of the link that names body i, about its origin. forces[0]: all that the ground puts on the robot, in
// world coordinates.
template <class S>
Status reaction_forces(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v, ConstVector<S> a,
                       MaybeForces<S> external, std::span<Force<std::type_identity_t<S>>> forces) {
    detail::Door<S> door("reaction_forces", ws);
    door.out("forces", forces, ws.num_bodies() + 1, "bodies, and the ground");
    const S* q_in = door.q(q);
    const S* v_in = door.in("v", v);
    const S* a_in = door.in("a", a);
    door.forces(external);
    if (!door.opens()) return door.status();
    kernel::reaction_forces(ws, q_in, v_in, a_in, external, forces.data());
    return door.status();
}
template <class Q, class V, class A>
auto reaction_forces(const Model& model, const Eigen::MatrixBase<Q>& q,
                     const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a,
                     const ExternalForces<detail::ScalarOf<Q>>* external = nullptr) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    std::vector<Force<detail::ScalarOf<Q>>> forces(static_cast<std::size_t>(model.num_bodies()) +
                                                   1);
    reaction_forces(ws, q.derived(), v.derived(), a.derived(), external, forces);
    return forces;
}

}  // namespace plucker
