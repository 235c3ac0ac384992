#pragma once

#include <vector>

#include "plucker/laws/report.hpp"

namespace plucker::cli {

// Each law with its residual, tolerance, and whether it holds, or why it was not checked.
void print_law_table(const std::vector<laws::Residual>& residuals);

}  // namespace plucker::cli
