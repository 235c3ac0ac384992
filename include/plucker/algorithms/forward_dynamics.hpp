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
    for (int i = 1; i <= ws.num_bodies(); ++i)
        detail::start_articulated_body(ws, i, q, v, [](const auto&) {});
    detail::subtract_external_forces(ws, external, ws.articulated.p);

    // Pass 2, inward: U, D, u = τ - Sᵀ p^A; I^a and p^a go to the parent.
    ws.coordinates.pivots = {};
    for (int i = ws.num_bodies(); i >= 1; --i) {
        detail::with_subspace(ws, i,
                              [&](const auto& S_i) { detail::articulate(ws, i, S_i, v, tau); });
    }

    // Pass 3, outward: a' = ⁱX_λ a_λ + c_i, q̈ = D⁻¹ (u - Uᵀ a'), a_i = a' + S q̈.
    ws.bodies.a[0] = {{}, -cast<S>(ws.gravity())};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const Motion<S> moved = detail::acceleration_without_joint(ws, i);
        detail::with_subspace(
            ws, i, [&](const auto& S_i) { detail::accelerate_joint(ws, i, S_i, moved, a); });
    }
}

}  // namespace kernel
}  // namespace plucker
