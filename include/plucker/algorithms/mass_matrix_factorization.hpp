// M = Lᵀ D L with the sparsity of the tree: no fill-in, because elimination runs from the leaves.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §6.5, Table 6.3 (LTDL) and Table 6.5. Departure: the
// upper triangle is used, where row k of L is column k, so that what is read together stands together.
// Cost: O(n · depth²) to factor, O(n · depth) to solve.
#pragma once

#include "plucker/algorithms/arguments.hpp"

namespace plucker {
namespace kernel {

// In place: D on the diagonal, Lᵀ above it; what is below is neither read nor written. Pivots that are not
// positive are noted in the workspace.
template <class S>
void factor_mass_matrix(Workspace<S>& ws, detail::MatrixView<S> M) {
    const Model& model = ws.model();
    const int* parent = model.coordinate_parent().data();
    ws.pivots = {};
    for (int k = model.nv() - 1; k >= 0; --k) {
        S* column = &M(0, k);
        const S pivot = column[k];
        ws.pivots.note(model.joint_of_coordinate(k), pivot);
        const S inverse = S(1) / pivot;
        for (int i = parent[k]; i >= 0; i = parent[i]) {
            const S M_ki = column[i];
            const S L_ki = M_ki * inverse;
            S* above = &M(0, i);
            above[i] -= L_ki * M_ki;
            for (int j = parent[i]; j >= 0; j = parent[j]) above[j] -= L_ki * column[j];
            column[i] = L_ki;
        }
    }
}

// Solves Lᵀ D L x = b in place.
template <class S>
void solve_with_factor(const Workspace<S>& ws, detail::MatrixView<S> LD, S* x) {
    const int* parent = ws.model().coordinate_parent().data();
    const int n = ws.model().nv();
    for (int i = n - 1; i >= 0; --i) {
        const S* L_i = &LD(0, i);
        const S x_i = x[i];
        for (int j = parent[i]; j >= 0; j = parent[j]) x[j] -= L_i[j] * x_i;
    }
    for (int i = 0; i < n; ++i) {
        const S* L_i = &LD(0, i);
        S sum = x[i] / L_i[i];
        for (int j = parent[i]; j >= 0; j = parent[j]) sum -= L_i[j] * x[j];
        x[i] = sum;
    }
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void factor_mass_matrix(Workspace<double>& ws, detail::MatrixView<double> M);

}  // namespace kernel

// Replaces the mass matrix by its factors: D on the diagonal, Lᵀ (unit diagonal) above it. What is below stays.
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
