// What is said where a robot's constraints take no part in an answer.
#pragma once

#include "model_argument.hpp"

namespace plucker::cli {

// A note on standard error that these results, if there are any, are those of the tree without its constraints; `instead` is
// what knows them, and may be empty.
void note_left_out_constraints(const ModelArgument& argument, const Model& model,
                               const std::vector<std::string>& results, const char* instead);

}  // namespace plucker::cli
