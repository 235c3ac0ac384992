// Numbers in sentences.
#pragma once

#include <cmath>

namespace plucker {

// To two digits.
inline double rounded(double x) {
    const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
    return unit * std::round(x / unit);
}

}  // namespace plucker
