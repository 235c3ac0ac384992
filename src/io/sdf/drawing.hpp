// Leaves out of an SDF document what nothing computes with and what makes no sense: it must not stop a robot.
#pragma once

#include "traced_xml.hpp"

namespace plucker::io {

// Shapes that cannot be read, their colours and scripts, and limits that are no numbers; a warning for each. Shapes of
// one name are given different ones.
void leave_out_what_makes_no_sense(TracedXml& document, Findings& findings);

}  // namespace plucker::io
