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
    inverse_dynamics_with_forces(ws, q, v, a, external, ws.coordinates.any.data());
    forces[0] = ws.bodies.f[0];
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        forces[i] = cast<S>(ws.X_frame_body(ws.model().body_frame(i))) * ws.bodies.f[i];
    }
}

}  // namespace kernel
}  // namespace plucker
