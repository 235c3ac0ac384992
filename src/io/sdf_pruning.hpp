// Leaves out of an SDF document what this reader does not use: sdformat fails on some of it.
#pragma once

#include <tinyxml2.h>

namespace plucker::io {

// Elements that are not mechanics, and unknown attributes, from the whole document.
void leave_out_what_mechanics_does_not_need(tinyxml2::XMLElement& element);

// All but the known children and attributes of an <include>.
void leave_out_of_include(tinyxml2::XMLElement& include);

}  // namespace plucker::io
