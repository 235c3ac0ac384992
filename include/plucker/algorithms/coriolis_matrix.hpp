// The Coriolis matrix C(q, v) with C v the Coriolis and centrifugal torques; the factorisation by
// Christoffel symbols, the symbols themselves, and Cᵀ v.
//
// For joints i above j, with Iᶜ and Bᶜ summed over subtree(j), and J, J̇ the joint axes and their rates
// in fixed coordinates,
//
//     C_ij = J_iᵀ (Iᶜ J̇_j + Bᶜ J_j),    C_ji = J_jᵀ (Iᶜ J̇_i + Bᶜ J_i)
//
// Source: after Echeandia and Wensing (2021), Algorithm 1, in fixed coordinates instead of body
// coordinates, so that Iᶜ and Bᶜ need no transforms, and for any B (spatial/coriolis_terms.hpp). For joints
// whose velocity is the rate of their coordinates C_ij = Σ_k Γ_ijk v_k with Christoffel's symbols Γ of the
// first kind; for the others (spherical, planar, floating) Γ are their generalisation to quasi-velocities.
//
// Cost: O(n · depth); the symbols O(n² · depth).
#pragma once

#include "plucker/algorithms/centroidal_momentum.hpp"

namespace plucker {
namespace kernel {

// Fills C from the kinematics in passing, which must be at velocity level. Leaves composite inertias in ws.subtrees.I.
template <class Term, class S>
void coriolis_from_kinematics(Workspace<S>& ws, Array<Term>& B, detail::MatrixView<S> C) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    ws.subtrees.I[0] = {};
    B[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        ws.subtrees.I[i] = apply_inverse(kin.X[i], cast<S>(ws.body(i).inertia));
        B[i] = Term::of(ws.subtrees.I[i], kin.v[i]);
    }
    C.set_zero(ws.model().nv(), ws.model().nv());
    for (int j = ws.num_bodies(); j >= 1; --j) {
        const auto& body = ws.body(j);
        for (int k = 0; k < body.nv; ++k) {
            const int column = body.v_index + k;
            const Motion<S>& J_j = kin.J[body.dof_index + k];
            const Force<S> momentum = ws.subtrees.I[j] * J_j;
            const Force<S> force = ws.subtrees.I[j] * kin.J_dot[body.dof_index + k] + B[j] * J_j;
            const Force<S> reverse = transpose_times(B[j], J_j);
            for (int l = 0; l < body.nv; ++l) {
                C(body.v_index + l, column) += dot(kin.J[body.dof_index + l], force);
            }
            for (int i = body.parent; i != 0; i = ws.body(i).parent) {
                const auto& above = ws.body(i);
                for (int l = 0; l < above.nv; ++l) {
                    const Motion<S>& J_i = kin.J[above.dof_index + l];
                    const Motion<S>& J_i_dot = kin.J_dot[above.dof_index + l];
                    C(above.v_index + l, column) += dot(J_i, force);
                    C(column, above.v_index + l) += dot(J_i_dot, momentum) + dot(J_i, reverse);
                }
            }
        }
        ws.subtrees.I[body.parent] += ws.subtrees.I[j];
        B[body.parent] += B[j];
    }
}

template <class S>
void coriolis_matrix(Workspace<S>& ws, const S* q, const S* v, detail::MatrixView<S> C) {
    root_kinematics(ws, ws.passing_kinematics, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    coriolis_from_kinematics(ws, ws.subtrees.B_christoffel, C);
}

// C is linear in v: Γ_··k = C(q, e_k), one matrix beside the other. Where `take_block` is given, each comes to the same
// place, and is taken away before the next.
template <class S>
void christoffel_symbols(Workspace<S>& ws, const S* q, detail::MatrixView<S> symbols,
                         void (*take_block)(void* taker, int k), void* taker) {
    const int n = ws.model().nv();
    root_kinematics(ws, ws.passing_kinematics, q);
    for (int k = 0; k < n; ++k) {
        for (int l = 0; l < n; ++l) ws.coordinates.any[l] = S(l == k ? 1 : 0);
        velocity_kinematics(ws, ws.passing_kinematics, ws.coordinates.any.data());
        const int column = take_block != nullptr ? 0 : k * n;
        coriolis_from_kinematics(ws, ws.subtrees.B_christoffel,
                                 detail::MatrixView<S>{&symbols(0, column), symbols.stride});
        if (take_block != nullptr) take_block(taker, k);
    }
}

// B of either factorisation has Bᵀ v = 0, so Cᵀ v = Σ J̇ᵀ I v: axis rates times subtree momenta.
template <class S>
void coriolis_transpose_times_v(Workspace<S>& ws, const S* q, const S* v, S* out) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    root_kinematics(ws, ws.passing_kinematics, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        ws.subtrees.h[i] =
            apply_inverse(kin.X[i], cast<S>(ws.body(i).inertia) * (kin.X[i] * kin.v[i]));
    }
    for (int k = 0; k < ws.model().nv(); ++k) out[k] = S(0);
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            out[body.v_index + k] += dot(kin.J_dot[body.dof_index + k], ws.subtrees.h[i]);
        }
        ws.subtrees.h[body.parent] += ws.subtrees.h[i];
    }
}

}  // namespace kernel
}  // namespace plucker
