// Kernels that are no programs: they have loops, and are the same for every robot.
#pragma once

#include <string>

namespace plucker::gpu {

struct PlainKernel {
    const char* name;
    const char* text;  // NUMBER stands for float or double
    unsigned threads;  // of a block
};
std::string text_of(const PlainKernel& kernel, bool is_narrow);

// Copies arrays of matrices from any strides to any others, by tiles of so many states and entries.
extern const PlainKernel kTranspose;
inline constexpr long kTile = 32;

// to = times · A B + plus · C, of square matrices, which may have any strides; where a result is not finite, and nothing else
// was found, that is noted. `inner` columns of A and rows of B count: 0 is no product. C may be `to`. A block does so many
// states, and a square of so many rows.
extern const PlainKernel kProduct;
inline constexpr long kProductTile = 6;

// What was found of each state, a Status: what a part found is noted where there is nothing yet; results of what was flagged
// become NaN; and all is told.
extern const PlainKernel kNote, kWithdraw, kTell;

// From accelerations to velocities, and how far they lead.
extern const PlainKernel kAdvance;

}  // namespace plucker::gpu
