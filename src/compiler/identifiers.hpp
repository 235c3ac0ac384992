// Names of robots, joints and frames, as generated code can use them. identifier_from is in generate.hpp.
#pragma once

#include <string>
#include <vector>

namespace plucker::compiler {

// Parts of longer names, all different, however letters are written: words of the languages may be among them.
std::vector<std::string> identifiers(const std::vector<std::string>& names);

std::string upper(std::string text);

}  // namespace plucker::compiler
