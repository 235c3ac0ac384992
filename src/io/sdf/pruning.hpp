// Leaves out of an SDF document what this reader does not use: sdformat fails on some of it.
#pragma once

#include <tinyxml2.h>

#include <string>
#include <vector>

namespace plucker::io {

// Elements that are not mechanics, and unknown attributes, from the whole document.
void leave_out_what_mechanics_does_not_need(tinyxml2::XMLElement& element);

// The models beside the one of that name, at the top of a document and in its worlds; all stay if there is none. An
// include stays that does not say its name, unless the model is there. Returns the names of those that are gone.
std::vector<std::string> leave_out_other_models(tinyxml2::XMLElement& root,
                                                const std::string& model);

// All but the known children and attributes of an <include>.
void leave_out_of_include(tinyxml2::XMLElement& include);

}  // namespace plucker::io
