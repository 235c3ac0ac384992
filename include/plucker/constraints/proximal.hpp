// G x = b with a symmetric positive semidefinite G that may be singular, because constraints are redundant or
// restrict motions that are impossible anyway.
//
// Source: Carpentier, Budhiraja and Mansard, Proximal and Sparse Resolution of Constrained Dynamic Equations, RSS 2021,
// eqs 16–17: the proximal point iteration (G + μ) x⁺ = b + μ x. Its solution does not depend on μ, which only says how fast
// it comes: a direction of eigenvalue σ gains a factor 1 + σ/μ a step. Directions in which G is zero stay where they are, so
// forces that nothing decides stay zero, and what rounding leaves of b there does not grow.
//
// Departure: rows are first scaled to a unit diagonal, because metres and radians have no common size; then one μ does for
// all mechanisms. A row whose diagonal is rounding takes no part.
#pragma once

#include <algorithm>
#include <type_traits>

#include "plucker/algorithms/operands.hpp"

namespace plucker {

// How a system of constraints was solved.
struct ConstraintReport {
    Status status = Status::kOk;
    int iterations = 0;
    // The largest by which a row is not met: of positions in m and rad, velocities per second, accelerations per second².
    double residual = 0;
};

namespace kernel {

// Relative to a diagonal of one. What moves less than this, beside the others, counts as not moving at all.
inline constexpr double kProximal = 1e-7;
// Innovations are sums of products, right to some 1e-10 of what cancelled; G has their squares.
inline constexpr double kRoundingOfRows = 1e-20;

// A = L D Lᵀ of n × n in place: D on the diagonal, L below it.
template <class S>
void factor_symmetric(int n, detail::MatrixView<S> A) {
    for (int j = 0; j < n; ++j) {
        S* column = &A(0, j);
        const S inverse = S(1) / column[j];
        for (int i = j + 1; i < n; ++i) {
            const S L_ij = column[i] * inverse;
            for (int k = i; k < n; ++k) A(k, i) -= L_ij * column[k];
        }
        for (int i = j + 1; i < n; ++i) column[i] *= inverse;
    }
}
template <class S>
void solve_symmetric(int n, detail::MatrixView<const S> LD, S* x) {
    for (int j = 0; j < n; ++j) {
        for (int i = j + 1; i < n; ++i) x[i] -= LD(i, j) * x[j];
    }
    for (int j = n - 1; j >= 0; --j) {
        x[j] /= LD(j, j);
        for (int i = j + 1; i < n; ++i) x[j] -= LD(i, j) * x[i];
    }
}

// Scales G to a unit diagonal, in place, and factors it with μ added. `scale` is 1/√G_rr, or 0 for a row that is rounding.
template <class S>
void prepare_proximal(int n, detail::MatrixView<S> G, const S* noise, S* scale,
                      detail::MatrixView<S> factor) {
    using std::sqrt;
    for (int r = 0; r < n; ++r) {
        const auto is_there = G(r, r) > S(kRoundingOfRows) * noise[r];
        scale[r] = select(is_there, S(1) / sqrt(select(is_there, G(r, r), S(1))), S(0));
    }
    for (int c = 0; c < n; ++c) {
        for (int r = 0; r < n; ++r) {
            G(r, c) *= scale[r] * scale[c];
            factor(r, c) = G(r, c);
        }
        factor(c, c) += S(kProximal);
    }
    factor_symmetric(n, factor);
}

// G x = b after prepare_proximal, with `residual` as scratch. A plain number stops as soon as more steps bring no more;
// others take a number of steps that is always the same.
template <class S>
int solve_proximal(int n, detail::MatrixView<const S> G, detail::MatrixView<const S> factor,
                   const S* scale, const S* b, S* x, S* residual) {
    constexpr bool kPlain = std::is_floating_point_v<S>;
    constexpr int kMost = kPlain ? 50 : 8;
    std::fill_n(x, n, S(0));
    for (int r = 0; r < n; ++r) residual[r] = scale[r] * b[r];
    S before(0);
    int step = 0;
    for (; step < kMost; ++step) {
        // x⁺ = x + (G + μ)⁻¹ (b - G x)
        solve_symmetric<S>(n, factor, residual);
        for (int r = 0; r < n; ++r) x[r] += residual[r];
        for (int r = 0; r < n; ++r) residual[r] = scale[r] * b[r];
        for (int c = 0; c < n; ++c) {
            for (int r = 0; r < n; ++r) residual[r] -= G(r, c) * x[c];
        }
        if constexpr (kPlain) {
            S largest(0);
            for (int r = 0; r < n; ++r) largest = std::max(largest, std::abs(residual[r]));
            if (largest == 0 || (step > 0 && largest > S(0.5) * before)) break;
            before = largest;
        }
    }
    for (int r = 0; r < n; ++r) x[r] *= scale[r];
    return std::min(step + 1, kMost);
}

}  // namespace kernel
}  // namespace plucker
