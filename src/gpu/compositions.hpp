// Functions whose programs are too long to be compiled, of large robots, as calls of others, with loops over matrices in
// between: what takes a program n³ operations is then one kernel for all robots.
#pragma once

#include "calls.hpp"

namespace plucker::gpu {

bool can_be_composed(const Algorithm& row);
// How long a program may be that is compiled, where no longer ones than `allowed` are: beyond, it is composed if it can be.
template <class T>
std::size_t most_nodes_of(const Algorithm& row, std::size_t allowed);
// Of a program that is too long, and cannot be composed.
Error too_long(const Algorithm& row, const Model& model);

// Within Calls::run.
template <class T>
void compose(Calls<T>& calls, int row, const BatchOperands<T>& x, long count,
             unsigned long long* flagged);

}  // namespace plucker::gpu
