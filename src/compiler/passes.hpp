// From one program to another that computes the same, but for rounding.
#pragma once

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

// Sums in the order in which their terms can be had, so that nothing waits longer than it must.
Program with_short_sums(const Program& program);

}  // namespace plucker::compiler
