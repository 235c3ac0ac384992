// What an MJCF document ties together beyond its tree, and what it keeps from touching. It is taken out of the document
// before MuJoCo gets it: version 2.2 knows no sites in it, and nothing of it is needed to compile the bodies.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traced_xml.hpp"

namespace plucker::io {

// An active <connect> or <weld>, between two bodies (the second may be the world) or two sites.
struct MjcfTie {
    std::string name;  // may be empty
    Origin at;
    bool is_weld = false;
    bool of_sites = false;
    std::string first, second;
    Vec3<double> anchor{};
    std::optional<std::array<double, 7>> relpose = {};
};

struct MjcfTies {
    std::vector<MjcfTie> ties;
    std::vector<std::pair<std::string, std::string>> apart;  // bodies of <exclude>
};

// Takes them out of the document. What is wrong with them is reported.
MjcfTies take_ties(TracedXml& document, Findings& findings);

}  // namespace plucker::io
