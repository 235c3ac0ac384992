// The record of a function up to the products with which it ends (factored_kernels.hpp).
#pragma once

#include "plucker/compiler/record.hpp"

namespace plucker::compiler {

// Outputs, nv × nv each: the left factor; and of each output of the row the right one, and the numbers that are no sums.
Recorded record_factors(const Model& model, int row, const RecordOptions& options);

}  // namespace plucker::compiler
