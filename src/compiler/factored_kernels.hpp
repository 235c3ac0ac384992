// Algorithms up to the products of matrices with which they end, Uᵀ V: those are left to loops (../scalar/products.hpp), of which
// straight-line code would be long.
//
//     M = Lᵀ D L,  U = D^-½ L⁻ᵀ:    M⁻¹ = Uᵀ U,    -M⁻¹ X = Uᵀ V  with  V = -U X.
//
// U has entries only between coordinates one of which hangs on the other, and so has V where X has. Cost: O(n · depth²).
#pragma once

#include "plucker/algorithms/table.hpp"

namespace plucker::compiler {

// Of each result: what stands right in its product, and what is added to it.
template <class S>
struct FactoredResult {
    detail::MatrixView<S> right, rest;
};
template <class S>
struct FactoredResults {
    detail::MatrixView<S> left;
    std::array<FactoredResult<S>, kMostOutputs> results;
};

// ±1/√d with the sign inside, where a program need not change it at each entry.
template <class S>
S over_root(const S& one, const S& d) {
    return (one / d) * sqrt(d);
}

// U from M's factors, which stand in LD.
template <class S>
void left_factor(Workspace<S>& ws, detail::MatrixView<const S> LD, detail::MatrixView<S> U) {
    const int* parent = ws.model().coordinate_parent().data();
    const int n = ws.model().nv();
    for (int r = 0; r < n; ++r) {
        // Column r of L⁻ᵀ, from the columns of the coordinates that r hangs on.
        U(r, r) = S(1);
        for (int j = parent[r]; j >= 0; j = parent[j]) {
            S sum(0);
            for (int i = parent[r]; i != parent[j]; i = parent[i]) sum -= LD(i, r) * U(j, i);
            U(j, r) = sum;
        }
    }
    for (int j = 0; j < n; ++j) {
        const S scale = over_root(S(1), LD(j, j));
        for (int r = 0; r < n; ++r) U(j, r) = scale * U(j, r);
    }
}
// A column of X, in place of which comes -U times it, by eliminating with M's factors.
template <class S>
void multiply_by_minus_left_factor(Workspace<S>& ws, detail::MatrixView<const S> LD, S* x) {
    const int* parent = ws.model().coordinate_parent().data();
    const int n = ws.model().nv();
    for (int i = n - 1; i >= 0; --i) {
        for (int j = parent[i]; j >= 0; j = parent[j]) x[j] -= LD(j, i) * x[i];
    }
    for (int j = 0; j < n; ++j) x[j] = over_root(S(-1), LD(j, j)) * x[j];
}

// Of a row of the table; none of those that do not end with products.
template <class Row>
struct FactoredKernel {
    static constexpr bool kExists = false;
};

template <>
struct FactoredKernel<table::InverseMassMatrix> {
    static constexpr bool kExists = true;
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x, const FactoredResults<S>& to) {
        const detail::MatrixView<S> M = x.matrix(0);
        kernel::mass_matrix(ws, x.in(0), M);
        kernel::factor_mass_matrix(ws, M);
        left_factor<S>(ws, M, to.left);
        const int n = ws.model().nv();
        for (int c = 0; c < n; ++c) {
            for (int r = 0; r < n; ++r) to.results[0].right(r, c) = to.left(r, c);
        }
    }
};

template <>
struct FactoredKernel<table::ForwardDynamicsDerivatives> {
    static constexpr bool kExists = true;
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x, const FactoredResults<S>& to) {
        const detail::MatrixView<S> M = x.matrix(2);
        const detail::MatrixView<S> dq = to.results[0].right, dv = to.results[1].right;
        const int n = ws.model().nv();
        S* const a = ws.coordinates.any.data();
        kernel::solve_forward_dynamics(ws, x.in(0), x.in(1), x.in(2), x.external, M, a);
        kernel::torque_derivatives(ws, ws.passing_kinematics, x.in(1), a, x.external, dq, dv, M);
        if (kernel::has_free_base(ws, x.external)) {
            const WorldKinematics<S>& kin = ws.passing_kinematics;
            for (int c = 0; c < 6; ++c) {
                for (int r = 0; r < n; ++r) {
                    dq(r, c) = S(0);
                    if (c >= 3) dv(r, c) = S(0);
                }
            }
            kernel::free_base_columns<S>(n, -kin.a[0].linear, kin.v[1].angular, to.results[0].rest,
                                         to.results[1].rest);
        }
        kernel::factor_mass_matrix(ws, M);
        left_factor<S>(ws, M, to.left);
        // From the leaves, as their torques come.
        for (int c = n - 1; c >= 0; --c) {
            multiply_by_minus_left_factor<S>(ws, M, &dq(0, c));
            multiply_by_minus_left_factor<S>(ws, M, &dv(0, c));
        }
        for (int c = 0; c < n; ++c) {
            for (int r = 0; r < n; ++r) to.results[2].right(r, c) = to.left(r, c);
        }
    }
};

}  // namespace plucker::compiler
