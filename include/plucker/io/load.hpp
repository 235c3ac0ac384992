// Robots from files: URDF, SDF and MJCF, recognised by their content.
//
//     Model arm = load("arm.urdf");
//     Model dog = load("dog.urdf", {.base = Base::kFloating});
//
// A file is checked once, here: structure, numbers, physics. Messages name the file, line and
// element. A file without a meaningful interpretation is rejected; no partial robot is returned. Files with physically
// impossible inertias are common; they load with warnings, unless physics is strict. Defects of visuals never stop a
// robot.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker {

struct LoadOptions {
    Base base = Base::kFixed;
    FixedJoints fixed_joints = FixedJoints::kMerge;
    Physics physics = Physics::kLenient;
    // Folders in which package://NAME and model://NAME are looked for, and from which meshes and included
    // models may be read, besides the file's own package (or its own folder), packages beside it, and those
    // that the environment names (see docs/files.md).
    std::vector<std::string> package_paths = {};
    // Which model of an SDF file that has several.
    std::string model = {};
};

enum class Format { kUrdf, kSdf, kMjcf };
constexpr const char* name_of(Format format) {
    return format == Format::kUrdf ? "URDF" : (format == Format::kSdf ? "SDF" : "MJCF");
}

// What a file says, and all that was found wrong or odd about it.
struct ReadResult {
    Format format = Format::kUrdf;
    Description description;
    std::vector<Diagnostic> diagnostics;  // in the order of the file's lines
};

// Reads without judging: errors are in the diagnostics, and with one the description is not to be used.
// Throws only if the file cannot be read at all.
ReadResult read_robot(const std::string& path, const LoadOptions& options = {});
// The same from text; `file` is the name used in messages, and where relative paths start.
ReadResult read_robot_text(const std::string& text, const std::string& file,
                           const LoadOptions& options = {});

// Reads and compiles; throws Error with the first thing that is wrong. Warnings and notes go to
// `diagnostics` if it is given.
Model load(const std::string& path, const LoadOptions& options = {},
           std::vector<Diagnostic>* diagnostics = nullptr);

// Which readers this build has, besides URDF.
bool can_read(Format format);

}  // namespace plucker
