// The viewer's page as viewer/build.mjs makes it; it writes the source of these functions.
#pragma once

#include <string_view>

namespace plucker::view {

// Empty if it was not built; then there is a reason.
std::string_view built_page();
// With the library in it; empty if that was not compiled.
std::string_view built_play_page();
std::string_view why_no_page();

}  // namespace plucker::view
