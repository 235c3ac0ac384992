// Motion subspaces S ⊂ M⁶, constraint-force subspaces T ⊂ F⁶, and constrained motion.
//
// A joint lets a body move in range(S); it pushes back with forces in range(T), which do no work
// against any allowed motion: SᵀT = 0, dim T = 6 - dim S. [Short Course, "Motion Constraints"]
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "plucker/spatial/inertia.hpp"
#include "plucker/spatial/small_cholesky.hpp"

namespace plucker {

template <class S>
struct MotionSubspace {
    int dim = 0;
    std::array<Motion<S>, 6> column{};

    // S α.
    constexpr Motion<S> operator*(const S* alpha) const {
        Motion<S> sum{};
        for (int j = 0; j < dim; ++j) sum += alpha[j] * column[j];
        return sum;
    }
    // Sᵀ f, into `out`.
    constexpr void transpose_times(const Force<S>& f, S* out) const {
        for (int j = 0; j < dim; ++j) out[j] = dot(column[j], f);
    }
};

template <class S>
struct ForceSubspace {
    int dim = 0;
    std::array<Force<S>, 6> column{};
};

// A basis T of the forces that do no work against any motion in range(S). S must have full rank.
//
// Row-reduces Sᵀ with complete pivoting; each column of T then has a one in one free coordinate and
// the negated reduced entries in the pivot coordinates.
template <class S>
ForceSubspace<S> constraint_force_subspace(const MotionSubspace<S>& motion) {
    using std::abs;
    const int n = motion.dim;
    std::array<std::array<S, 6>, 6> A{};
    for (int i = 0; i < n; ++i) {
        const auto& [w, v] = motion.column[i];
        A[i] = {w.x, w.y, w.z, v.x, v.y, v.z};
    }
    std::array<int, 6> order{0, 1, 2,
                             3, 4, 5};  // coordinates: first the n pivots, then the free ones
    for (int k = 0; k < n; ++k) {
        int row = k;
        int col = k;
        for (int i = k; i < n; ++i) {
            for (int j = k; j < 6; ++j) {
                if (abs(A[i][order[j]]) > abs(A[row][order[col]])) {
                    row = i;
                    col = j;
                }
            }
        }
        std::swap(A[k], A[row]);
        std::swap(order[k], order[col]);
        const S pivot = A[k][order[k]];
        for (S& entry : A[k]) entry /= pivot;
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const S factor = A[i][order[k]];
            for (int j = 0; j < 6; ++j) A[i][j] -= factor * A[k][j];
        }
    }
    ForceSubspace<S> T;
    T.dim = 6 - n;
    for (int free = n; free < 6; ++free) {
        std::array<S, 6> t{};
        t[order[free]] = S(1);
        for (int k = 0; k < n; ++k) t[order[k]] = -A[k][order[free]];
        T.column[free - n] = {{t[0], t[1], t[2]}, {t[3], t[4], t[5]}};
    }
    return T;
}

// The constrained body of the slides: a body at rest, free to move in range(S), feels a force f.
// a = S (SᵀIS)⁻¹ Sᵀ f. Works for a rigid and for an articulated inertia.
template <class S, template <class> class AnyInertia>
constexpr Motion<S> constrained_acceleration(const MotionSubspace<S>& subspace,
                                             const AnyInertia<S>& I, const Force<S>& f) {
    const auto D = SmallCholesky<S>::factor(subspace.dim, [&](int i, int j) {
        return dot(subspace.column[i], I * subspace.column[j]);
    });
    std::array<S, 6> alpha_dot{};
    subspace.transpose_times(f, alpha_dot.data());
    D.solve(alpha_dot.data());
    return subspace * alpha_dot.data();
}

}  // namespace plucker
