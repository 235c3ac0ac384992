// One MJCF document put into another: what <attach> does with a <model> asset.
#pragma once

#include <filesystem>
#include <string>

#include "traced_xml.hpp"

namespace plucker::io {

// Makes a document independent of its <compiler> settings: angles in radians, orientations as quaternions, limits
// said, mesh files named from `folder`. Default classes and replicates must have been written out.
void settle(tinyxml2::XMLElement& root, const std::filesystem::path& folder, TracedXml& document,
            Findings& findings);

// Puts the prefix before every name, and before every mention of one.
void add_prefix(tinyxml2::XMLElement& e, const std::string& prefix);

// Moves what <attach> asks for, with the assets and equalities that belong to it, from `part` to `root`. The
// names in both have been made to differ.
void attach_part(tinyxml2::XMLElement& attach, tinyxml2::XMLElement& part,
                 tinyxml2::XMLElement& root, TracedXml& document, Findings& findings);

}  // namespace plucker::io
