// Robots with machine code of their own, as Python asks for them.
#pragma once

#include "robot.hpp"

namespace plucker::python {

// Compiled, with these numbers for its parameters; none: those that it has. Throws Error where they do not fit.
std::shared_ptr<Robot> compiled(const Model& model, const CompileOptions& options,
                                compiler::ParameterNumbers<double> numbers,
                                std::vector<Diagnostic> findings);

}  // namespace plucker::python
