// A long program as several short ones, each of which gives some of its outputs.
//
// A GPU fetches code beyond what its instruction cache holds again and again, and what its registers do not hold goes to memory.
// Slices have little of both. What two of them need each computes for itself, where that is cheap; else an earlier slice
// computes it, and the others read it from memory.
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
