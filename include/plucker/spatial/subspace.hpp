// Motion subspaces S ⊂ M⁶, constraint-force subspaces T ⊂ F⁶, and constrained motion.
//
// A joint lets a body move in range(S); it pushes back with forces in range(T), which do no work
// against any allowed motion: SᵀT = 0, dim T = 6 - dim S. [Short Course, "Motion Constraints"]
#pragma once

#include <array>
#include <cmath>

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

namespace detail {

// Exchanges a and b where the mask holds.
template <class S>
void exchange(const MaskOf<S>& mask, S& a, S& b) {
    const S old_a = a;
    a = select(mask, b, a);
    b = select(mask, old_a, b);
}

}  // namespace detail

// A basis T of the forces that do no work against any motion in range(S). S must have full rank.
//
// Row-reduces Sᵀ with complete pivoting; each column of T then has a one in one free coordinate and
// the negated reduced entries in the pivot coordinates. Lanes may have their pivots in different places, so
// that rows and coordinates are exchanged by masks.
template <class S>
ForceSubspace<S> constraint_force_subspace(const MotionSubspace<S>& motion) {
    using std::abs;
    const int n = motion.dim;
    std::array<std::array<S, 6>, 6> A{};
    for (int i = 0; i < n; ++i) {
        const auto& [w, v] = motion.column[i];
        A[i] = {w.x, w.y, w.z, v.x, v.y, v.z};
    }
    // Which coordinate was exchanged with the k-th to make it a pivot: afterwards the first n are.
    std::array<std::array<MaskOf<S>, 6>, 6> exchanged{};
    for (int k = 0; k < n; ++k) {
        S row = S(k), col = S(k), largest = abs(A[k][k]);
        for (int i = k; i < n; ++i) {
            for (int j = k; j < 6; ++j) {
                const MaskOf<S> larger = abs(A[i][j]) > largest;
                largest = select(larger, abs(A[i][j]), largest);
                row = select(larger, S(i), row);
                col = select(larger, S(j), col);
            }
        }
        for (int i = k + 1; i < n; ++i) {
            const MaskOf<S> here = row == S(i);
            for (int j = 0; j < 6; ++j) detail::exchange(here, A[k][j], A[i][j]);
        }
        for (int j = k + 1; j < 6; ++j) {
            exchanged[k][j] = col == S(j);
            for (int i = 0; i < n; ++i) detail::exchange(exchanged[k][j], A[i][k], A[i][j]);
        }
        const S pivot = A[k][k];
        for (S& entry : A[k]) entry /= pivot;
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const S factor = A[i][k];
            for (int j = 0; j < 6; ++j) A[i][j] -= factor * A[k][j];
        }
    }
    ForceSubspace<S> T;
    T.dim = 6 - n;
    for (int free = n; free < 6; ++free) {
        std::array<S, 6> t{};
        t[free] = S(1);
        for (int k = 0; k < n; ++k) t[k] = -A[k][free];
        // The coordinates in their own order again.
        for (int k = n - 1; k >= 0; --k) {
            for (int j = k + 1; j < 6; ++j) detail::exchange(exchanged[k][j], t[k], t[j]);
        }
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
