// <replicate> and <frame>, words of MuJoCo 3 that stand for other elements.
#pragma once

#include "mjcf/poses.hpp"
#include "traced_xml.hpp"

namespace plucker::io {

// Replaces every <replicate>, whose angles are written as `angles` says, by its copies, each in a <frame>, and copies
// the equalities between their joints. Default classes must have been written out, and models attached. An error if
// there would be more than `most_elements`.
void expand_replicates(tinyxml2::XMLElement& root, const MjcfAngles& angles, TracedXml& document,
                       std::size_t most_elements, Findings& findings);

// Replaces every <frame> by what is in it, moved by the frame's pose.
void dissolve_frames(tinyxml2::XMLElement& root, const TracedXml& document, Findings& findings);

}  // namespace plucker::io
