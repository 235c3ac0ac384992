// Pages that the tool writes are shown by the desktop's browser.
#pragma once

#include <string>

namespace plucker::cli {

// Lets the desktop open the file; says so where it cannot.
void open_in_browser(const std::string& path);

}  // namespace plucker::cli
