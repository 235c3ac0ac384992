// M = Lᵀ D L with the sparsity of the tree: no fill-in, because elimination runs from the leaves.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §6.5, Table 6.3 (LTDL) and Table 6.5.
// Cost: O(n · depth²) to factor, O(n · depth) to solve.
#pragma once

#include "plucker/algorithms/arguments.hpp"

namespace plucker {
namespace kernel {

// In place: D on the diagonal, L below it. Pivots that are not positive are noted in the workspace.
template <class S>
void factor_mass_matrix(Workspace<S>& ws, detail::MatrixView<S> M) {
    const Model& model = ws.model();
    const auto parent = model.coordinate_parent();
    ws.pivots = {};
    for (int k = model.nv() - 1; k >= 0; --k) {
        ws.pivots.note(model.joint_of_coordinate(k), M(k, k));
        const S inverse = S(1) / M(k, k);
        for (int i = parent[k]; i >= 0; i = parent[i]) {
            const S L_ki = M(k, i) * inverse;
            for (int j = i; j >= 0; j = parent[j]) M(i, j) -= L_ki * M(k, j);
            M(k, i) = L_ki;
        }
    }
}

// Solves Lᵀ D L x = b in place.
template <class S>
void solve_with_factor(const Workspace<S>& ws, detail::MatrixView<S> LD, S* x) {
    const auto parent = ws.model().coordinate_parent();
    const int n = ws.model().nv();
    for (int i = n - 1; i >= 0; --i) {
        for (int j = parent[i]; j >= 0; j = parent[j]) x[j] -= LD(i, j) * x[i];
    }
    for (int i = 0; i < n; ++i) {
        x[i] /= LD(i, i);
        for (int j = parent[i]; j >= 0; j = parent[j]) x[i] -= LD(i, j) * x[j];
    }
}

}  // namespace kernel

// Replaces the mass matrix by its factors: D on the diagonal, L (unit diagonal) below it.
template <class S>
void factor_mass_matrix(Workspace<S>& ws, MutableMatrix<S> M) {
    const int n = ws.model().nv();
    check_shape("factor_mass_matrix", "M", M.rows(), M.cols(), n, n);
    kernel::factor_mass_matrix(ws, detail::view(M));
    detail::check_regular("factor_mass_matrix", ws);
}

// x = M⁻¹ x with factors from factor_mass_matrix.
template <class S>
void solve_with_factor(const Workspace<S>& ws, MutableMatrix<S> factors, MutableVector<S> x) {
    const int n = ws.model().nv();
    check_shape("solve_with_factor", "factors", factors.rows(), factors.cols(), n, n);
    check_size("solve_with_factor", "x", x.size(), n, "nv");
    kernel::solve_with_factor(ws, detail::view(factors), x.data());
}

}  // namespace plucker
