// Checks an SDF document before sdformat sees it, which would dereference null pointers, print, or report
// errors without a line.
#pragma once

#include "traced_xml.hpp"

namespace plucker::io {

// Structure, names, references and numbers; adds what is wrong to the findings.
void check_sdf(const TracedXml& document, Findings& findings);

// The same of one element and what is in it.
void check_sdf(const TracedXml& document, const tinyxml2::XMLElement& element, Findings& findings);

// The numbers alone: all that are used, and how many each element must have.
void check_sdf_numbers(const TracedXml& document, const tinyxml2::XMLElement& element,
                       Findings& findings);

}  // namespace plucker::io
