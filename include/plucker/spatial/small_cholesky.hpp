// L D Lᵀ factorisation of a symmetric positive definite matrix of at most 6×6: the joint-space
// inertia Sᵀ I S of one joint. No square roots, no allocation.
#pragma once

#include <array>

#include "plucker/scalar/scalar.hpp"

namespace plucker {

template <class S>
struct SmallCholesky {
    int n = 0;
    std::array<std::array<S, 6>, 6> L{};  // strictly lower part; the diagonal is one
    std::array<S, 6> D{};
    std::array<S, 6> D_inv{};

    // `A` is called as A(row, column) for row ≥ column.
    template <class Matrix>
    static constexpr SmallCholesky factor(int n, const Matrix& A) {
        SmallCholesky out;
        out.n = n;
        for (int j = 0; j < n; ++j) {
            for (int i = j; i < n; ++i) {
                S sum = A(i, j);
                for (int k = 0; k < j; ++k) sum -= out.L[i][k] * out.L[j][k] * out.D[k];
                if (i == j) {
                    out.D[j] = sum;
                    out.D_inv[j] = S(1) / sum;
                } else {
                    out.L[i][j] = sum * out.D_inv[j];
                }
            }
        }
        return out;
    }

    // Solves A x = b in place.
    constexpr void solve(S* b) const {
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < i; ++k) b[i] -= L[i][k] * b[k];
        }
        for (int i = n - 1; i >= 0; --i) {
            b[i] *= D_inv[i];
            for (int k = i + 1; k < n; ++k) b[i] -= L[k][i] * b[k];
        }
    }
};

}  // namespace plucker
