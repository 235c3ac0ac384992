// Whether the arrays of a batch share memory.
#pragma once

#include <array>
#include <cstdlib>

#include "plucker/algorithms/views.hpp"

namespace plucker::batch {

// The places of an array's numbers, counted in numbers: begin + Σ k · stride, 0 ≤ k < count, in up to three directions.
struct Lattice {
    struct Direction {
        long count, stride;
    };
    const void* begin = nullptr;
    std::array<Direction, 3> directions{};

    template <class T>
    explicit Lattice(const States<T>& x)
        : begin(x.data),
          directions{{{x.count, x.state_stride}, {x.size, x.entry_stride}, {1, 1}}} {}
    template <class T>
    explicit Lattice(const Matrices<T>& x)
        : begin(x.data),
          directions{
              {{x.count, x.state_stride}, {x.rows, x.row_stride}, {x.columns, x.column_stride}}} {}
};

// False only where no number of the one is a number of the other: arrays apart, and blocks of one larger array. Anything
// more tangled counts as shared.
bool share_memory(const Lattice& a, const Lattice& b, long number_size);
// Whether each number of the one has the place of the same number of the other.
bool are_the_same(const Lattice& a, const Lattice& b);
// False only where each number has a place of its own, and in each direction steps pass over all that lies closer together.
bool overlaps_itself(const Lattice& x);

}  // namespace plucker::batch
