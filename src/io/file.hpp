// Files that may be anything: reading and writing them whole.
#pragma once

#include <cstdint>
#include <string>

namespace plucker::io {

// What is wrong with a text of that many bytes: empty, unless it is larger than any robot description is.
std::string complaint_of_size(std::uintmax_t size);

// The whole file. Throws Error if it is missing, not a regular file, not readable, or too large.
std::string read_text_file(const std::string& path);

// Puts the text in the place of what the file held, all of it or nothing: it is written beside and renamed. A
// symbolic link stays one, and its target is written; a file keeps its mode, and as far as allowed its owner; a
// device or a pipe is written to. Throws Error with the path and the reason, and leaves nothing behind.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace plucker::io
