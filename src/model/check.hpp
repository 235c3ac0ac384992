// Checks a description before it is compiled: names, tree structure, numbers, physics.
#pragma once

#include "plucker/model/description.hpp"

namespace plucker {

// Throws Error at the first thing that is wrong. Returns the index of the root link.
int check_description(const Description& description);

}  // namespace plucker
