// Leaves out of an MJCF document what does not move bodies: some of it can take any amount of time or memory.
#pragma once

#include "traced_xml.hpp"

namespace plucker::io {

// Notes and warnings say what is not used, where somebody might expect that it is.
void leave_out_what_dynamics_does_not_need(TracedXml& document, Findings& findings);

}  // namespace plucker::io
