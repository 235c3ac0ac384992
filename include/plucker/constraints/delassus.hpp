// The Delassus matrix G = J M⁻¹ Jᵀ: how rows of constraints or contacts, pushed with a unit force, accelerate each other.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §7.1 (articulated bodies), read as the factorisation
// M⁻¹ = Aᵀ D⁻¹ A of Rodriguez, Jain and Kreutz-Delgado, A Spatial Operator Algebra for Manipulator Modeling and Control,
// 1991, with A τ the innovations u of the articulated-body algorithm at rest. So neither M nor M⁻¹ is formed:
//
//     a row's force goes to the root    u_k = S_kᵀ F,    F ← F - U_k D_k⁻¹ u_k
//     two rows meet at common joints    G_rs = Σ_k u_kr D_k⁻¹ u_ks
//
// Departures: all forces stand along the world's axes about the anchor, where they pass joints without a transform; a row
// has two ends, which go up separately to where their ways meet. Joints may have several freedoms.
//
// A model with mimic joints has no such recursion; there u = Jᵀ and D⁻¹u = M⁻¹ Jᵀ, by the factors of M, and the product is
// the same.
//
// Cost: O(n) for the articulated bodies, O(depth) a row, O(depth) a pair of rows.
#pragma once

#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/constraints/rows.hpp"

namespace plucker::kernel {

// Calls on_a and on_b with each body on the ways from a row's ends to where they meet, and on_both from there to the root.
// Torques start at their joints.
template <class S, class OnA, class OnB, class OnBoth>
void walk_row(const Workspace<S>& ws, const ConstraintRow<S>& row, const OnA& on_a, const OnB& on_b,
              const OnBoth& on_both) {
    int a = row.v_a >= 0 ? ws.model().joint_of_coordinate(row.v_a) : row.body_a;
    int b = row.v_b >= 0 ? ws.model().joint_of_coordinate(row.v_b) : row.body_b;
    while (a != b) {
        if (a > b) {
            on_a(a);
            a = ws.body(a).parent;
        } else {
            on_b(b);
            b = ws.body(b).parent;
        }
    }
    for (; a != 0; a = ws.body(a).parent) on_both(a);
}

// What row_responses needs beside the articulated bodies: U = I^A S about the anchor, by freedom. Needs
// prepare_inverse_mass_matrix_times or forward_dynamics, and position_kinematics, at the same q.
template <class S>
void articulated_forces_about_anchor(const Workspace<S>& ws, const WorldKinematics<S>& kin,
                                     Force<S>* U) {
    if (ws.model().has_mimic_joints()) return;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            U[body.dof_index + k] = apply_inverse(kin.X[i], ws.articulated.U[body.dof_index + k]);
        }
    }
}

// For each of `count` rows, u and D⁻¹u: both count × nv, written whole. `noise` (count): what G_rr would be if nothing in
// it cancelled; far below it there is only rounding.
template <class S>
void row_responses(Workspace<S>& ws, const WorldKinematics<S>& kin, const Force<S>* U,
                   const ConstraintRow<S>* rows, int count, detail::MatrixView<S> u,
                   detail::MatrixView<S> D_inv_u, S* noise) {
    const int n = ws.model().nv();
    // No less than (f · J_k)² could be.
    const auto largest_power2 = [](const Force<S>& f, const Motion<S>& axis) {
        return S(2) * (squared_norm(f.angular) * squared_norm(axis.angular) +
                       squared_norm(f.linear) * squared_norm(axis.linear));
    };
    if (ws.model().has_mimic_joints()) {
        jacobian_of_rows(ws, kin, rows, count, u);
        S* x = ws.coordinates.any.data();
        for (int r = 0; r < count; ++r) {
            for (int k = 0; k < n; ++k) x[k] = u(r, k);
            inverse_mass_matrix_times(ws, x);
            for (int k = 0; k < n; ++k) D_inv_u(r, k) = x[k];
            noise[r] = S(0);
            for (int i = 1; i <= ws.num_bodies(); ++i) {
                const auto& body = ws.body(i);
                for (int k = 0; k < body.nv; ++k) {
                    const int c = body.v_index + k;
                    const S D = ws.coordinates.pivot_scale[c] + S(ws.armature(c));
                    noise[r] += largest_power2(rows[r].force, kin.J[body.dof_index + k]) / D;
                }
            }
        }
        return;
    }
    u.set_zero(count, n);
    D_inv_u.set_zero(count, n);
    for (int r = 0; r < count; ++r) {
        const ConstraintRow<S>& row = rows[r];
        noise[r] = S(0);
        // Across joint i: u = Sᵀ F + τ; what goes on to the parent is F - U D⁻¹ u.
        const auto pass = [&](int i, Force<S>& F) {
            const auto& body = ws.body(i);
            S y[6];
            for (int k = 0; k < body.nv; ++k) {
                const int c = body.v_index + k;
                y[k] = dot(F, kin.J[body.dof_index + k]);
                if (c == row.v_a) y[k] += row.torque_a;
                if (c == row.v_b) y[k] += row.torque_b;
                u(r, c) = y[k];
                // D⁻¹ ≤ its entry for one freedom alone, which is what the row would see.
                const Motion<S>& axis = kin.J[body.dof_index + k];
                const S D = dot(axis, U[body.dof_index + k]) + S(ws.armature(c));
                noise[r] += (largest_power2(row.force, axis) + y[k] * y[k]) / D;
            }
            detail::with_subspace(
                ws, i, [&](const auto& S_i) { detail::solve_joint_inertia(ws, i, S_i, y); });
            for (int k = 0; k < body.nv; ++k) {
                D_inv_u(r, body.v_index + k) = y[k];
                F -= y[k] * U[body.dof_index + k];
            }
        };
        Force<S> F_a = row.force, F_b = -row.force;
        bool have_met = false;
        walk_row(
            ws, row, [&](int i) { pass(i, F_a); }, [&](int i) { pass(i, F_b); },
            [&](int i) {
                if (!have_met) F_a += F_b;
                have_met = true;
                pass(i, F_a);
            });
    }
}

// G = u (D⁻¹u)ᵀ, count × count, both triangles.
template <class S>
void delassus_matrix(const Workspace<S>& ws, const ConstraintRow<S>* rows, int count,
                     detail::MatrixView<const S> u, detail::MatrixView<const S> D_inv_u,
                     detail::MatrixView<S> G) {
    G.set_zero(count, count);
    for (int s = 0; s < count; ++s) {
        S* column = &G(0, s);
        const auto add = [&](int coordinate) {
            const S y = D_inv_u(s, coordinate);
            const S* u_k = &u(0, coordinate);
            for (int r = 0; r <= s; ++r) column[r] += u_k[r] * y;
        };
        if (ws.model().has_mimic_joints()) {
            for (int k = 0; k < ws.model().nv(); ++k) add(k);
        } else {
            const auto add_joint = [&](int i) {
                const auto& body = ws.body(i);
                for (int k = 0; k < body.nv; ++k) add(body.v_index + k);
            };
            walk_row(ws, rows[s], add_joint, add_joint, add_joint);
        }
        for (int r = 0; r < s; ++r) G(s, r) = column[r];
    }
}

}  // namespace plucker::kernel
