#pragma once

#include "parts.hpp"

namespace plucker::compiler {

// In which order a part computes its nodes: phase by phase as the program has them. `late`: those that need inputs and constants
// alone come where they are needed first. Between two phases stands kMeet.
inline constexpr Value kMeet = -1;
std::vector<Value> order_of_part(const Program& program, const Parts& parts, int part, bool late);

// Whether an output is given at all, and by an operation.
bool is_computed(const Program& program, Value x);

}  // namespace plucker::compiler
