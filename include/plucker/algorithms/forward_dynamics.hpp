// Forward dynamics.
//
// forward_dynamics: by articulated bodies (ABA), Featherstone, Rigid Body Dynamics Algorithms, §7.3,
// Table 7.1, the algorithm that the note on M⁻¹ refers to. Joints may have several freedoms; rotor
// inertia is added to D, friction taken from τ. Cost: O(n).
//
// forward_dynamics_by_mass_matrix: by solving M a = τ - C, Forward Dynamics with Spatial Vectors, §2,
// eq. 6, with M from composite bodies and the tree-sparse factorisation. Cost: O(n · depth²).
//
// A joint that mimics another ties two places of the tree together, so that no articulated-body
// recursion exists; models with such joints take the second way in both functions.
#pragma once

#include "plucker/algorithms/articulated_pass.hpp"
#include "plucker/algorithms/mass_matrix.hpp"
#include "plucker/algorithms/mass_matrix_factorization.hpp"

namespace plucker {
namespace kernel {

// `M` (nv × nv) is left holding the factors of the mass matrix.
template <class S>
void forward_dynamics_by_mass_matrix(Workspace<S>& ws, const S* q, const S* v, const S* tau,
                                     MaybeForces<S> external, detail::MatrixView<S> M, S* a) {
    const int n = ws.model().nv();
    inverse_dynamics(ws, q, v, ws.coordinates.zero.data(), external, a);
    for (int k = 0; k < n; ++k) a[k] = tau[k] - a[k];
    mass_matrix(ws, q, M);
    factor_mass_matrix(ws, M);
    solve_with_factor<S>(ws, M, a);
}

template <class S>
void forward_dynamics(Workspace<S>& ws, const S* q, const S* v, const S* tau,
                      MaybeForces<S> external, S* a) {
    const Model& model = ws.model();
    if (model.has_mimic_joints()) {
        forward_dynamics_by_mass_matrix(ws, q, v, tau, external,
                                        {ws.coordinates.M.data(), model.nv()}, a);
        return;
    }
    detail::joint_angles(ws, q);
    detail::subspace_rates(ws, v);

    // Pass 1, outward: v_i, c_i = Ṡ q̇ + v_i × S q̇, p_i^A = v_i ×* I v_i - f_external.
    ws.bodies.v[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Inertia<S> I = cast<S>(body.inertia);
        const Transform<S>& X = detail::joint_transform(ws, i, q, ws.joints.X[i]);
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const S* v_q = v + body.v_index;
            const auto v_J = S_i * v_q;
            ws.bodies.v[i] = X * ws.bodies.v[body.parent] + v_J;
            ws.bodies.c[i] = detail::add_bias(cross(ws.bodies.v[i], v_J), S_i, v_q);
        });
        ws.articulated.IA[i] = ArticulatedInertia<S>(I);
        ws.articulated.p[i] = cross_force(ws.bodies.v[i], I * ws.bodies.v[i]);
    }
    detail::subtract_external_forces(ws, external, ws.articulated.p);

    // Pass 2, inward: U, D, u = τ - Sᵀ p^A; I^a and p^a go to the parent.
    ws.coordinates.pivots = {};
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        S* u = ws.articulated.u.data() + body.dof_index;
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            detail::factor_joint_inertia(ws, i, S_i, ws.articulated.IA[i]);
            for (int k = 0; k < S_i.dim(); ++k) {
                const int c = body.v_index + k;
                u[k] = tau[c] - detail::friction_at(ws, v, c) -
                       S_i.transpose_times(k, ws.articulated.p[i]);
            }
            detail::solve_joint_inertia(ws, i, S_i, u);  // from here on u is D⁻¹ u
            if (body.parent == 0) return;
            detail::with_transmitted_inertia(ws, i, S_i, ws.articulated.IA[i], [&](const auto& Ia) {
                const Force<S> pa =
                    ws.articulated.p[i] + Ia * ws.bodies.c[i] + detail::U_times(ws, i, S_i, u);
                ws.articulated.IA[body.parent] += apply_inverse(ws.joints.X[i], Ia);
                ws.articulated.p[body.parent] += apply_inverse(ws.joints.X[i], pa);
            });
        });
    }

    // Pass 3, outward: a' = ⁱX_λ a_λ + c_i, q̈ = D⁻¹ (u - Uᵀ a'), a_i = a' + S q̈.
    ws.bodies.a[0] = {{}, -cast<S>(ws.gravity())};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        S* qdd = a + body.v_index;
        const Motion<S> moved = ws.joints.X[i] * ws.bodies.a[body.parent] + ws.bodies.c[i];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            for (int k = 0; k < S_i.dim(); ++k)
                qdd[k] = dot(moved, ws.articulated.U[body.dof_index + k]);
            detail::solve_joint_inertia(ws, i, S_i, qdd);
            for (int k = 0; k < S_i.dim(); ++k)
                qdd[k] = ws.articulated.u[body.dof_index + k] - qdd[k];
            ws.bodies.a[i] = moved + S_i * qdd;
        });
    }
}

}  // namespace kernel
}  // namespace plucker
