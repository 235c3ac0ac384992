// Robots and their parts as bytes, for pickle. Bytes may come from anywhere: whatever does not fit throws Error.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/description.hpp"

namespace plucker::python {

struct Archived {
    Description description;
    std::vector<Diagnostic> findings;
    bool is_compiled = false;
};

std::string to_bytes(const Archived& robot);
Archived robot_from_bytes(const std::string& bytes);

std::string to_bytes(const MassProperties& mass);
MassProperties mass_from_bytes(const std::string& bytes);
std::string to_bytes(const JointDescription& joint);
JointDescription joint_from_bytes(const std::string& bytes);

}  // namespace plucker::python
