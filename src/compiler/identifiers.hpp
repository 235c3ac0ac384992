// Names of robots, joints and frames, as generated code can use them. identifier_from is in generate.hpp.
#pragma once

#include <string>
#include <vector>

namespace plucker::compiler {

// Ends of longer names, all different, however letters are written: words of the languages may be among them, and what
// begins with a digit.
std::vector<std::string> identifiers(const std::vector<std::string>& names);

std::string upper(std::string text);

// A name in a comment, which it may not end.
std::string in_comment(std::string text);

}  // namespace plucker::compiler
