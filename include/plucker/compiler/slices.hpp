// Splits a long program into several short ones, each of which computes some of its outputs.
//
// A GPU fetches code that does not fit its instruction cache again and again, and spills what its registers do not hold.
// Slices keep both small. Each slice computes shared values itself if that is cheap; otherwise an earlier slice
// computes them, and the others read them from memory.
#pragma once

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

struct SliceOptions {
    // Of one slice. One output may need more.
    int most_operations = 3000;
    // What is read from memory costs as much as so many operations; 0: nothing is, each computes what it needs.
    int cost_of_reading = 0;
};

struct Slices {
    // To be run in this order. Of each program all outputs are there, but those that another gives are kNotGiven. What goes
    // from one to another is the last group of inputs, and of outputs, of all: "kept".
    std::vector<Program> programs;
    int num_kept = 0;

    int num_operations() const;
};

Slices slice(const Program& program, const SliceOptions& options);

}  // namespace plucker::compiler
