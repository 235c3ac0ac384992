// Files that may be anything: reading them whole. Writing them: plucker/io/write_text.hpp.
#pragma once

#include <cstdint>
#include <string>

namespace plucker::io {

// What is wrong with a text of that many bytes: empty, unless it is larger than any robot description is.
std::string complaint_of_size(std::uintmax_t size);

// The whole file. Throws Error if it is missing, not a regular file, not readable, or too large.
std::string read_text_file(const std::string& path);
// The same of a path that a person gave: it may be a pipe, as in `plucker check <(xacro robot.xacro)`. What other files
// name may not: they could let a program wait for ever.
std::string read_given_text(const std::string& path);

}  // namespace plucker::io
