// The default classes of an MJCF document.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "traced_xml.hpp"

namespace plucker::io {

class MjcfDefaults {
public:
    explicit MjcfDefaults(const tinyxml2::XMLElement& root);

    // An element's attribute: its own or, where it has none, that of its class. Empty if neither has it.
    std::string value(const tinyxml2::XMLElement& e, const std::string& attribute) const;

    // Gives every element the attributes of its class, and takes the classes away.
    void write_out(tinyxml2::XMLElement& root, const TracedXml& document, Findings& findings) const;

private:
    using Attributes = std::map<std::string, std::string>;

    void collect(const tinyxml2::XMLElement& defaults, const std::string& name);
    void write_out_below(tinyxml2::XMLElement& parent, const TracedXml& document,
                         Findings& findings) const;
    std::string class_of(const tinyxml2::XMLElement& e) const;

    std::map<std::string, std::map<std::string, Attributes>> classes_;  // class, kind of element
};

// The ways to write an orientation; whoever has one of them needs no other.
bool is_orientation(const std::string& attribute);

}  // namespace plucker::io
