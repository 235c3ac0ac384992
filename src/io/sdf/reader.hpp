#pragma once

#include "plucker/io/load.hpp"
#include "xml.hpp"

namespace plucker::io {

// The model of an <sdf> document, through sdformat.
Description read_sdf(const tinyxml2::XMLElement& root, const LoadOptions& options,
                     Findings& findings);

}  // namespace plucker::io
