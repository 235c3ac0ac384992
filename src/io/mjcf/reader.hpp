#pragma once

#include "plucker/io/load.hpp"
#include "xml.hpp"

namespace plucker::io {

// The bodies of a <mujoco> document, through MuJoCo's own compiler.
Description read_mjcf(const tinyxml2::XMLElement& root, const LoadOptions& options,
                      Findings& findings);

}  // namespace plucker::io
