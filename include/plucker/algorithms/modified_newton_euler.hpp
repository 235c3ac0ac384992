// Modified Newton–Euler (MNE): the Coriolis matrix C(q, v) and the gravity torque G(q), separately.
//
// Source: Supplement, Table IV, with the corrections of docs/errata.md, for any tree, any joint, and any base.
// Departures. The listing carries, body by body, the matrix M_2,i that maps all velocities to the force
// across joint i. Its column for joint j is Iᶜ J̇_j + Bᶜ J_j, where B = v ×* I (line 10) and Iᶜ, Bᶜ are sums
// over the bodies below both joints; so we carry those sums instead, in fixed coordinates, and each entry
// of C is a product of two vectors (coriolis_matrix.hpp). A floating base needs no lines of its own: it is a
// joint with six freedoms. Cost: O(n · depth) instead of O(n²).
//
// This C differs from the Christoffel factorisation; C v, G, and the skew symmetry of Ṁ - 2C agree.
#pragma once

#include "plucker/algorithms/coriolis_matrix.hpp"

namespace plucker {
namespace kernel {

template <class S>
void modified_newton_euler(Workspace<S>& ws, const S* q, const S* v, detail::MatrixView<S> C,
                           S* G) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    root_kinematics(ws, ws.passing_kinematics, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    coriolis_from_kinematics(ws, ws.subtrees.B_newton_euler, C);
    // G_k = J_kᵀ f_g with f_g = Iᶜ (0; -g), the weight of the subtree (lines 10, 21, 23).
    const Motion<S> minus_g = acceleration_of_ground(ws, kin);
    for (int k = 0; k < ws.model().nv(); ++k) G[k] = S(0);
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Force<S> weight = ws.subtrees.I[i] * minus_g;
        for (int k = 0; k < body.nv; ++k) {
            G[body.v_index + k] += dot(kin.J[body.dof_index + k], weight);
        }
    }
}

}  // namespace kernel
}  // namespace plucker
