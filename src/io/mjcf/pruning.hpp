// Leaves out of an MJCF document what does not move bodies: some of it can take any amount of time or memory.
#pragma once

#include "mjcf/summary.hpp"
#include "traced_xml.hpp"

namespace plucker::io {

// Notes and warnings say what is not used, where somebody might expect that it is.
void leave_out_what_dynamics_does_not_need(tinyxml2::XMLElement& root, const TracedXml& document,
                                           MjcfSummary& summary);

// What is only drawn never stops a robot: colours that are none, and materials that are not there, are left out
// with a warning.
void leave_out_bad_materials(TracedXml& document, Findings& findings);

}  // namespace plucker::io
