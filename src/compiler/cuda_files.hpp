// A robot's functions over many states as files of CUDA.
#pragma once

#include "plucker/compiler/generate.hpp"

namespace plucker::compiler {

std::vector<GeneratedFile> generate_cuda(const Model& model, const GenerateOptions& options);

}  // namespace plucker::compiler
