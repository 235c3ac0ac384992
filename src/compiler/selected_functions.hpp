// The functions that the options of generate() name.
#pragma once

#include "plucker/algorithms/algorithm.hpp"
#include "plucker/compiler/generate.hpp"
#include "plucker/compiler/record.hpp"

namespace plucker::compiler {

struct SelectedFunction {
    int row = 0;
    std::string frame;  // that it asks; empty: none
    std::string name;   // as an identifier, unlike that of any other

    const Algorithm& algorithm() const { return algorithms()[static_cast<std::size_t>(row)]; }
};

// Throws Error where a name is unknown, the robot lacks what it needs, or a frame is missing or of no use.
std::vector<SelectedFunction> selected_functions(const Model& model,
                                                 const GenerateOptions& options);

// Its program, with these parameters in place of those that the options name.
Recorded record(const Model& model, const SelectedFunction& function,
                const GenerateOptions& options, const std::vector<std::string>& parameters);

}  // namespace plucker::compiler
