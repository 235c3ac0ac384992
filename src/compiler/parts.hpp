// A program in parts that run side by side: the limbs of a robot, and its trunk.
//
// A part computes its own nodes, in phases. What another part needs is handed over between two phases, when all parts wait for
// each other. So each part keeps only its own numbers at hand, which is what a GPU has registers for.
#pragma once

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

struct Parts {
    int count = 1;
    int num_phases = 1;
    std::vector<int>
        part;  // of each node; of a constant and of an input nothing is said: all have them
    std::vector<int> phase;  // of each node
    std::vector<int> slot;   // where each is handed over; -1: nobody else needs it
    int num_slots = 0;
    std::vector<int> part_of_input;  // that looks at it
    std::vector<int> operations;     // of each part
};

// Into at most so many. One, where the program knows of no limbs.
Parts divide(const Program& program, int most);

// How many numbers the part that needs most has to keep at hand at once, if it computes in this order.
int pressure(const Program& program, const Parts& parts);

}  // namespace plucker::compiler
