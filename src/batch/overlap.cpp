#include "overlap.hpp"

#include <algorithm>
#include <cstdint>

namespace plucker::batch {
namespace {

// From the first number to the last, but for one direction (-1: none).
long extent(const Lattice& x, int without) {
    long sum = 1;
    for (int d = 0; d < 3; ++d) {
        const auto& at = x.directions[static_cast<std::size_t>(d)];
        if (d != without) sum += (at.count - 1) * std::abs(at.stride);
    }
    return sum;
}

// The lowest place, in numbers.
long lowest(const Lattice& x, long number_size) {
    long at = static_cast<long>(reinterpret_cast<std::intptr_t>(x.begin)) / number_size;
    for (const auto& d : x.directions) at += std::min(0L, (d.count - 1) * d.stride);
    return at;
}

bool is_empty(const Lattice& x) {
    return std::any_of(x.directions.begin(), x.directions.end(),
                       [](const auto& d) { return d.count == 0; });
}

// Of a direction with one number the stride means nothing.
long stride_of(const Lattice::Direction& d) { return d.count == 1 ? 0 : std::abs(d.stride); }

}  // namespace

bool share_memory(const Lattice& a, const Lattice& b, long number_size) {
    if (is_empty(a) || is_empty(b)) return false;
    const long a_begin = lowest(a, number_size);
    const long b_begin = lowest(b, number_size);
    if (a_begin + extent(a, -1) <= b_begin || b_begin + extent(b, -1) <= a_begin) return false;
    // Blocks of one array: both step by the same stride, and within a step each keeps to its own part.
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const long step = stride_of(a.directions[static_cast<std::size_t>(i)]);
            if (step == 0 || step != stride_of(b.directions[static_cast<std::size_t>(j)])) continue;
            const long offset = ((b_begin - a_begin) % step + step) % step;
            if (offset >= extent(a, i) && offset + extent(b, j) <= step) return false;
        }
    }
    return true;
}

bool are_the_same(const Lattice& a, const Lattice& b) {
    if (a.begin != b.begin) return false;
    for (std::size_t d = 0; d < 3; ++d) {
        if (a.directions[d].count != b.directions[d].count) return false;
        if (a.directions[d].count > 1 && a.directions[d].stride != b.directions[d].stride)
            return false;
    }
    return true;
}

bool overlaps_itself(const Lattice& x) {
    if (is_empty(x)) return false;
    auto directions = x.directions;
    std::sort(directions.begin(), directions.end(),
              [](const auto& a, const auto& b) { return stride_of(a) < stride_of(b); });
    long reach = 0;
    for (const Lattice::Direction& d : directions) {
        if (d.count == 1) continue;
        if (stride_of(d) <= reach) return true;
        reach += (d.count - 1) * stride_of(d);
    }
    return false;
}

}  // namespace plucker::batch
