// Files and standard input, read whole.
#pragma once

#include <string>

namespace plucker::cli {

// `path` may be -: standard input. Throws Error if it cannot be read.
std::string read_input(const std::string& path);
// What messages call it.
std::string name_of_input(const std::string& path);

}  // namespace plucker::cli
