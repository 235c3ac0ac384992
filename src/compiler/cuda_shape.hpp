#pragma once

#include "plucker/compiler/cuda.hpp"

namespace plucker::compiler {

// Of one of several kernels, which are short.
KernelShape shape_for_slice(const Program& program, GeneratedPrecision precision);

}  // namespace plucker::compiler
