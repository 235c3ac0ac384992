// Reading a file that may be anything.
#pragma once

#include <string>

namespace plucker::io {

// The whole file. Throws Error if it is missing, not a regular file, not readable, or larger than any robot
// description is.
std::string read_text_file(const std::string& path);

}  // namespace plucker::io
