// What a register holds, by the processor's instruction set and by what a lane stands for.
#pragma once

#include "plucker/compiler/machine_code.hpp"

namespace plucker::compiler {

struct VectorUnit {
    Lanes lanes = Lanes::kOneF64;
    bool is_wide = false;  // AVX-512

    int num_registers() const { return is_wide ? 32 : 16; }
    // Of one state; then the lanes of a register are limbs of the robot, if anything.
    bool has_limbs_in_lanes() const { return lanes == Lanes::kOneF64; }
    bool is_narrow() const { return lanes == Lanes::kManyF32; }
    int number_bytes() const { return is_narrow() ? 4 : 8; }
    // Of a number of each state that is computed at once.
    int pack_bytes() const { return has_limbs_in_lanes() ? 8 : is_wide ? 64 : 32; }
    // A constant stands once, and is read into every lane.
    bool broadcasts() const { return is_wide && !has_limbs_in_lanes(); }
};

}  // namespace plucker::compiler
