// Findings that are allowed but look like mistakes.
#pragma once

#include <vector>

#include "plucker/model/description.hpp"

namespace plucker {

// Warnings and notes about a description that has no errors: masses and inertias of moving leaves, absurd
// magnitudes and densities, left and right sides that differ as if by a typing mistake, odd limits.
std::vector<Diagnostic> find_suspicions(const Description& description);

}  // namespace plucker
