// How many operations of an algorithm remain after each pass of the compiler.
#pragma once

#include <array>
#include <optional>

#include "plucker/compiler/generate.hpp"
#include "plucker/compiler/program.hpp"

namespace plucker {

// Operations by kind: entry k is of compiler::Op(k). Constants and inputs are none.
using OperationsByKind = std::array<long, compiler::kNumOps>;
long total(const OperationsByKind& operations);

struct ExplainedFunction {
    struct Machine {
        const char* isa;
        int spills = 0;         // numbers that went to memory for want of a register
        std::size_t bytes = 0;  // of code
    };

    std::string name;                // of the algorithm
    std::string frame;               // that it asks; empty: none
    OperationsByKind asked;          // by the kernel
    OperationsByKind folded;         // left after folding and value numbering
    OperationsByKind needed;         // left after dead code
    OperationsByKind in_lanes;       // left when equal limbs are done at once, in single calls
    long steps = 0;                  // left after fusing
    std::optional<Machine> machine;  // code for single calls; none: the kernel does it
};

// Of the same functions, frames, forces and parameters as generate(); language and precision have no part in it.
std::vector<ExplainedFunction> explain(const Model& model, const GenerateOptions& options = {});

}  // namespace plucker
