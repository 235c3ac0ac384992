// The words of a file format for types of joints, from the list of all types.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plucker/joints/joint.hpp"

namespace plucker::io {

using JointWords = std::map<std::string, JointType>;

// `format`: &FileWords::urdf or another one.
inline JointWords joint_words(const char* FileWords::*format) {
    JointWords types;
    for_each_joint_type([&](auto joint) {
        constexpr FileWords kWords = decltype(joint)::kWords;
        if (kWords.*format != nullptr) types.emplace(kWords.*format, joint.kType);
        // MJCF has an attribute for what is a type of its own in the others.
        if (kWords.unlimited != nullptr && format != &FileWords::mjcf)
            types.emplace(kWords.unlimited, joint.kType);
    });
    return types;
}

inline std::vector<std::string> names_of(const JointWords& types) {
    std::vector<std::string> names;
    for (const auto& [name, type] : types) names.push_back(name);
    return names;
}

}  // namespace plucker::io
