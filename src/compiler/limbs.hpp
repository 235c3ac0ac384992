// Limbs that are equal but for their numbers: the legs of a quadruped, the arms of a humanoid.
#pragma once

#include <vector>

#include "plucker/model/model.hpp"

namespace plucker::compiler {

// Two or four subtrees of one parent with the same joints: the bodies that they begin with.
using EqualLimbs = std::vector<int>;

// None of them within another.
std::vector<EqualLimbs> equal_limbs(const Model& model);

// Of each body the limb that it is part of, by number; -1: none. A limb is a chain without branches that hangs on what has
// some: the trunk.
std::vector<int> limb_of_bodies(const Model& model);

}  // namespace plucker::compiler
