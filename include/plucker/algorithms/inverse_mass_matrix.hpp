// The inverse of the mass matrix.
//
// inverse_mass_matrix: from the factors of M, which have the sparsity of the tree. For the robots that people
// build it takes the fewest operations; a deep tree, such as a long chain, is inverted by the other method. Cost:
// O(n · depth²), and O(depth) for each of the n² entries.
//
// inverse_mass_matrix_by_articulated_bodies: directly, without forming M. Source: the corrected listing
// "Algorithm 1" of the note on the inverse joint-space inertia matrix, with its replacement for line 14 (see
// docs/errata.md). It is the articulated-body algorithm at rest, run for every unit torque at once: F_i τ = p_i^A,
// P_i τ = a_i. Departures: joints may have several freedoms. F is one 6 × nv array, because the columns of
// subtree(i) belong to one child of λ(i) alone, so that line 14's sum is an assignment. The second forward pass
// takes one column after another, so that P needs one motion per body instead of nv. Rotor inertia is added to D.
// A model with mimic joints is inverted through its factors in either case. Cost: O(n²).
//
// inverse_mass_matrix_times: M⁻¹ B without forming M⁻¹, O(n) a column of B.
#pragma once

#include "plucker/algorithms/articulated_pass.hpp"
#include "plucker/algorithms/mass_matrix.hpp"
#include "plucker/algorithms/mass_matrix_factorization.hpp"

// Says of the loop that follows that its iterations do not depend on one another: it can be vectorised. Clang
// finds out for itself.
#if defined(__clang__)
#define PLUCKER_INDEPENDENT_LOOP
#else
#define PLUCKER_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif

namespace plucker {
namespace kernel {

template <class S>
void inverse_mass_matrix_by_articulated_bodies(Workspace<S>& ws, const S* q,
                                               detail::MatrixView<S> Minv);

// From the factors of M to M⁻¹ in the same place: solves L Z = D⁻¹ L⁻ᵀ for Z = M⁻¹. The right-hand side is zero below the
// diagonal, where it is D⁻¹, and Z is symmetric; so row k follows from the rows of the coordinates that k hangs on:
//
//     Z_kc = -Σ_i L_ki Z_ic  for c < k,    Z_kk = D_k⁻¹ - Σ_i L_ki Z_ik.
template <class S>
void invert_factors(Workspace<S>& ws, detail::MatrixView<S> Z) {
    const int n = ws.model().nv();
    const int* parent = ws.model().coordinate_parent().data();
    S* L_k = ws.coordinates.any.data();
    for (int k = 0; k < n; ++k) {
        S* Z_k = &Z(0, k);  // column k, that is, row k: L_k stands there, Z_k comes there
        S diagonal = S(1) / Z_k[k];
        for (int j = parent[k]; j >= 0; j = parent[j]) L_k[j] = -Z_k[j];
        for (int c = 0; c < k; ++c) Z_k[c] = S(0);
        // Ancestors four at a time, to read and write Z_k a quarter as often.
        int i = parent[k];
        while (i >= 0) {
            int four[4];
            int count = 0;
            for (; i >= 0 && count < 4; i = parent[i]) four[count++] = i;
            if (count == 4) {
                const S a = L_k[four[0]], b = L_k[four[1]], c = L_k[four[2]], d = L_k[four[3]];
                const S* A = &Z(0, four[0]);
                const S* B = &Z(0, four[1]);
                const S* C = &Z(0, four[2]);
                const S* D = &Z(0, four[3]);
                PLUCKER_INDEPENDENT_LOOP
                for (int r = 0; r < k; ++r)
                    Z_k[r] = Z_k[r] + d * D[r] + c * C[r] + b * B[r] + a * A[r];
                continue;
            }
            for (int m = 0; m < count; ++m) {
                const S a = L_k[four[m]];
                const S* A = &Z(0, four[m]);
                PLUCKER_INDEPENDENT_LOOP
                for (int r = 0; r < k; ++r) Z_k[r] += a * A[r];
            }
        }
        for (int j = parent[k]; j >= 0; j = parent[j]) diagonal += L_k[j] * Z_k[j];
        Z_k[k] = diagonal;
        for (int c = 0; c < k; ++c) Z(k, c) = Z_k[c];
    }
}

template <class S>
void inverse_mass_matrix(Workspace<S>& ws, const S* q, detail::MatrixView<S> Z) {
    if (ws.model().is_deep()) {
        inverse_mass_matrix_by_articulated_bodies(ws, q, Z);
        return;
    }
    if (ws.model().has_mimic_joints()) {
        mass_matrix(ws, q, Z);
    } else {
        upper_mass_matrix(ws, q, Z);
    }
    factor_mass_matrix(ws, Z);
    invert_factors(ws, Z);
}

// M⁻¹ by articulated bodies, without forming M: the corrected listing.
template <class S>
void inverse_mass_matrix_by_articulated_bodies(Workspace<S>& ws, const S* q,
                                               detail::MatrixView<S> Minv) {
    const int n = ws.model().nv();
    if (ws.model().has_mimic_joints()) {
        inverse_mass_matrix(ws, q, Minv);
        return;
    }
    detail::joint_transforms(ws, q);
    detail::articulated_inertias(ws);
    Minv.set_zero(n, n);

    // Backward pass, lines 7–18.
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        const int first = body.v_index;
        const int below = first + body.nv;
        const auto& last = ws.body(body.subtree_end - 1);
        const int end = last.v_index + last.nv;  // columns [first, end) are subtree(i)
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            for (int c = first; c < end; ++c) {
                // Minv[i,i] = D⁻¹,  Minv[i,c] = -D⁻¹ S_iᵀ F[:,c]
                S* row = ws.articulated.u.data();  // the entries Minv[i, c] of joint i's freedoms
                for (int k = 0; k < S_i.dim(); ++k) {
                    row[k] = c < below ? S(c == first + k ? 1 : 0)
                                       : -S_i.transpose_times(k, ws.coordinates.F[c]);
                }
                detail::solve_joint_inertia(ws, i, S_i, row);
                for (int k = 0; k < S_i.dim(); ++k) Minv(first + k, c) = row[k];
                // Fᵃ = F + U Minv[i,c];  F_λ = λX*_i Fᵃ  (replacement for line 14)
                if (body.parent == 0) continue;
                const Force<S> Fa = detail::U_times(ws, i, S_i, row);
                ws.coordinates.F[c] =
                    apply_inverse(ws.joints.X[i], c < below ? Fa : ws.coordinates.F[c] + Fa);
            }
        });
    }

    // Second forward pass, lines 19–28: upper triangle, column by column; ws.bodies.a holds P[:, c].
    for (int c = 0; c < n; ++c) {
        for (int i = 1; i <= ws.num_bodies() && ws.body(i).v_index <= c; ++i) {
            const auto& body = ws.body(i);
            detail::with_subspace(ws, i, [&](const auto& S_i) {
                S* row = &Minv(body.v_index, c);
                Motion<S> P{};
                if (body.parent != 0) {
                    // Minv[i,c] -= D⁻¹ U_iᵀ ⁱX_λ P_λ[:,c]
                    P = ws.joints.X[i] * ws.bodies.a[body.parent];
                    S* correction = ws.articulated.u.data();
                    for (int k = 0; k < S_i.dim(); ++k) {
                        correction[k] = dot(P, ws.articulated.U[body.dof_index + k]);
                    }
                    detail::solve_joint_inertia(ws, i, S_i, correction);
                    for (int k = 0; k < S_i.dim(); ++k) row[k] -= correction[k];
                }
                ws.bodies.a[i] = P + S_i * row;
            });
        }
    }
    for (int c = 0; c < n; ++c) {
        for (int r = 0; r < c; ++r) Minv(c, r) = Minv(r, c);
    }
}

// What products with M⁻¹ at q need.
template <class S>
void prepare_inverse_mass_matrix_times(Workspace<S>& ws, const S* q) {
    if (ws.model().has_mimic_joints()) {
        const detail::MatrixView<S> M{ws.coordinates.M.data(), ws.model().nv()};
        mass_matrix(ws, q, M);
        factor_mass_matrix(ws, M);
    } else {
        detail::joint_transforms(ws, q);
        detail::articulated_inertias(ws);
    }
}

// M⁻¹ b in place: the articulated-body algorithm at rest and without gravity.
template <class S>
void inverse_mass_matrix_times(Workspace<S>& ws, S* b) {
    if (ws.model().has_mimic_joints()) {
        const detail::MatrixView<const S> factors{ws.coordinates.M.data(), ws.model().nv()};
        solve_with_factor<S>(ws, factors, b);
        return;
    }
    for (int i = 1; i <= ws.num_bodies(); ++i) ws.articulated.p[i] = {};
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        S* u = b + body.v_index;
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            for (int k = 0; k < S_i.dim(); ++k) u[k] -= S_i.transpose_times(k, ws.articulated.p[i]);
            detail::solve_joint_inertia(ws, i, S_i, u);
            if (body.parent == 0) return;
            ws.articulated.p[body.parent] +=
                apply_inverse(ws.joints.X[i], ws.articulated.p[i] + detail::U_times(ws, i, S_i, u));
        });
    }
    ws.bodies.a[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        S* x = b + body.v_index;
        const Motion<S> moved = ws.joints.X[i] * ws.bodies.a[body.parent];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            S* correction = ws.articulated.u.data();
            for (int k = 0; k < S_i.dim(); ++k)
                correction[k] = dot(moved, ws.articulated.U[body.dof_index + k]);
            detail::solve_joint_inertia(ws, i, S_i, correction);
            for (int k = 0; k < S_i.dim(); ++k) x[k] -= correction[k];
            ws.bodies.a[i] = moved + S_i * x;
        });
    }
}

template <class S>
void inverse_mass_matrix_times(Workspace<S>& ws, const S* q, detail::MatrixView<S> B, int cols) {
    prepare_inverse_mass_matrix_times(ws, q);
    for (int c = 0; c < cols; ++c) inverse_mass_matrix_times(ws, B.data + c * B.stride);
}

}  // namespace kernel
}  // namespace plucker
