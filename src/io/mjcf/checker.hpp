// Checks an MJCF document for what MuJoCo's compiler does not check.
#pragma once

#include "traced_xml.hpp"

namespace plucker::io {

// MuJoCo takes infinities and NaN as they come, and expands composites before anything can be counted.
void check_mjcf(const TracedXml& document, Findings& findings);

}  // namespace plucker::io
