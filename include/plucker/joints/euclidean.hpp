// What many joints share: coordinates that are a vector space, a subspace that does not vary.
#pragma once

#include "plucker/spatial/motion.hpp"

namespace plucker {

// Coordinates that are a plain vector space: the velocity is the rate of the coordinates, and has their names.
template <int n>
struct Euclidean {
    static constexpr int kNq = n;
    static constexpr int kNv = n;
    static constexpr bool kVelocityIsRate = true;
    static constexpr bool kHasQuaternion = false;

    template <class S>
    static constexpr void neutral(S* q) {
        for (int k = 0; k < n; ++k) q[k] = S(0);
    }
    template <class S>
    static constexpr void integrate(const S* q, const S* dv, S* out) {
        for (int k = 0; k < n; ++k) out[k] = q[k] + dv[k];
    }
    template <class S>
    static constexpr void difference(const S* q0, const S* q1, S* out) {
        for (int k = 0; k < n; ++k) out[k] = q1[k] - q0[k];
    }
    template <class S>
    static constexpr void normalize(S*) {}
};

// Most joints' motion subspace does not vary in the body's own frame.
struct ConstantSubspace {
    static constexpr bool kConstantSubspace = true;
};

}  // namespace plucker
