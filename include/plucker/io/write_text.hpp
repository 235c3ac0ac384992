// Writes files completely or not at all.
#pragma once

#include <string>

namespace plucker::io {

// Puts the text in the place of what the file held, all of it or nothing: it is written beside and renamed. A
// symbolic link stays one, and its target is written; a file keeps its mode, and as far as allowed its owner; a
// device or a pipe is written to. Throws Error with the path and the reason, and leaves nothing behind.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace plucker::io
