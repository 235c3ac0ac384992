// The keyframes of an MJCF document. They are taken out of it before MuJoCo gets it: what is left out of the document may have
// had coordinates in them.
#pragma once

#include <string>
#include <vector>

#include "mjcf/summary.hpp"
#include "traced_xml.hpp"

namespace plucker::io {

struct MjcfKeyframe {
    std::string name;
    Origin at;
    std::vector<double> qpos;  // empty: that of the file
};

// What cannot be read is said, and left out.
std::vector<MjcfKeyframe> keyframes_of(const tinyxml2::XMLElement& root, const TracedXml& document,
                                       MjcfSummary& summary);

}  // namespace plucker::io
