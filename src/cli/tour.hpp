// The tour: everything that the library computes, on one robot in one stated posture.
#pragma once

#include "plucker/model/model.hpp"

namespace plucker::cli {

void print_tour(const Model& model);

// What the tool does when it is called without arguments: the tour of the built-in exoskeleton.
void run_default();

}  // namespace plucker::cli
