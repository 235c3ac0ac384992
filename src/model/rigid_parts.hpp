// Which links of a description move as one, because fixed joints connect them.
#pragma once

#include <string>

#include "plucker/model/description.hpp"

namespace plucker {

inline constexpr const char* kWorldFrame = "world";  // to a constraint, unless a link has that name

// The first link, from the root, of the rigid part that a link or frame belongs to, or the world: with a fixed base, the
// root link is part of it.
std::string rigid_part_of(const Description& description, const std::string& frame);

}  // namespace plucker
