#pragma once

#include "plucker/io/load.hpp"
#include "xml.hpp"

namespace plucker::io {

// The description in a <robot> element. What is wrong goes to the findings.
Description read_urdf(const tinyxml2::XMLElement& robot, const LoadOptions& options,
                      Findings& findings);

}  // namespace plucker::io
