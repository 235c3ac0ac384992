#pragma once

#include <array>
#include <cmath>

namespace plucker::io {

// A colour that a library keeps in single precision, as the file has it: with few digits.
inline std::array<double, 4> rgba_of(const std::array<float, 4>& colour) {
    const auto rounded = [](float x) { return std::round(1e6 * double{x}) / 1e6; };
    return {rounded(colour[0]), rounded(colour[1]), rounded(colour[2]), rounded(colour[3])};
}

}  // namespace plucker::io
