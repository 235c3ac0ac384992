// Generated source: a robot's algorithms as plain C, C++ or CUDA that does not depend on this library.
//
// The functions are the programs of record.hpp as source: no loops, no branches, no allocation, no memory other than the
// arguments and the stack. The same robot, options and version give the same files, byte for byte.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/workspace.hpp"

namespace plucker {

enum class GeneratedLanguage { kC, kCpp, kCuda };
enum class GeneratedPrecision { kF64, kF32 };

struct GenerateOptions {
    // Algorithms by name: any that takes no list of what is given.
    std::vector<std::string> functions = {"inverse_dynamics", "forward_dynamics", "mass_matrix"};
    GeneratedLanguage language = GeneratedLanguage::kC;
    GeneratedPrecision precision = GeneratedPrecision::kF64;
    // Of algorithms that take a frame, one function per frame, in these coordinates.
    std::vector<std::string> frames = {};
    ReferenceFrame reference = ReferenceFrame::kBody;
    // Constants of the robot that are arguments of each function, by name (compiler/parameters.hpp).
    std::vector<std::string> parameters = {};
    // Frames on which external forces act, in the same coordinates. They are an argument of each function that takes such
    // forces: for each frame six numbers, moment and force.
    std::vector<std::string> forces = {};
};

struct GeneratedFile {
    std::string name;
    std::string text;
};

// In C: NAME.h, NAME.c; in C++ NAME.hpp alone; in CUDA NAME.h, which is C, and NAME.cu, with a kernel a function over many
// states and what launches it. Beside them NAME_test.c or .cpp, which compares with values that this library
// computed, and a CMakeLists.txt. NAME is the robot's, as an identifier. Throws Error where a function, a frame or a parameter
// is unknown, or the robot lacks what it needs.
std::vector<GeneratedFile> generate(const Model& model, const GenerateOptions& options = {});

// What stands for a name that is no identifier: letters, digits and underscores, not beginning with a digit, and no word of
// the languages.
std::string identifier_from(const std::string& name);

}  // namespace plucker
