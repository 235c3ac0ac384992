// What is computed at a state, before it becomes text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plucker::io {

using AxisNames = std::vector<std::string>;
inline const AxisNames kEnergies{"kinetic", "potential"};
inline const AxisNames kXyz{"x", "y", "z"};
inline const AxisNames kSpatial{"angular.x", "angular.y", "angular.z",
                                "linear.x",  "linear.y",  "linear.z"};

// A number, a vector, a matrix or a higher array: the numbers, the last axis fastest, and the names along each axis.
struct Array {
    std::vector<double> numbers;
    std::vector<const AxisNames*> axes;  // none: a number
};

// An array, or several under names: {"pelvis", "position"}.
struct Answer {
    struct Part {
        std::vector<std::string> path;
        Array array;
    };
    std::vector<Part> parts;

    Answer() = default;
    Answer(Array array) {
        parts.push_back({{}, std::move(array)});
    }  // NOLINT(google-explicit-constructor)
};

// All that was computed at one state.
struct StateAnswer {
    std::vector<std::pair<const char*, Answer>> quantities;
    std::vector<std::pair<const char*, std::string>> unavailable;  // and why
};

}  // namespace plucker::io
