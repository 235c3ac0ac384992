// States from files, as evaluate reads them: JSON or CSV (docs/files.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plucker/io/evaluate.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker {

// In the model's own coordinates. What was not given is empty.
struct GivenState {
    std::optional<double> time;
    ResultVector<double> q, v, tau;
};

// All states of a text. `source` names it in messages. Throws Error with the place and the remedy.
std::vector<GivenState> read_states(const Model& model, const std::string& text,
                                    const std::string& source, TextFormat format,
                                    Convention order = Convention::kFile);

}  // namespace plucker
