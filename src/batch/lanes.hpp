// The states that a pack holds, one per lane.
#pragma once

#include <algorithm>

#include "plucker/scalar/pack.hpp"

namespace plucker::batch {

// The lanes beyond the last state repeat it, so that they compute something harmless.
struct Lanes {
    long first;
    long used;
    long state(int lane) const { return first + std::min<long>(lane, used - 1); }
};

// Zero, or NaN in lanes that met a number that is not finite. Several sums, so that none waits for another.
template <class S>
struct FiniteCheck {
    S sum[4] = {S(0), S(0), S(0), S(0)};

    void add(long k, const S& x) { sum[k % 4] += x * S(0); }
    S total() const { return (sum[0] + sum[1]) + (sum[2] + sum[3]); }
};

}  // namespace plucker::batch
