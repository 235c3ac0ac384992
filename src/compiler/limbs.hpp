// Limbs that are equal but for their numbers: the legs of a quadruped, the arms of a humanoid.
#pragma once

#include <vector>

#include "plucker/compiler/program.hpp"
#include "plucker/model/model.hpp"

namespace plucker::compiler {

// Two or four subtrees of one parent with the same joints: the bodies that they begin with.
using EqualLimbs = std::vector<int>;

// None of them within another.
std::vector<EqualLimbs> equal_limbs(const Model& model);

// Of inputs, from this one on, that are the coordinates of all joints: those that play the same part in equal limbs.
std::vector<EqualInputs> equal_inputs(const Model& model, const std::vector<EqualLimbs>& limbs,
                                      int first, bool is_configuration);

// Of each body the limb that it is part of, by number; -1: none. A limb is a chain without branches that hangs on what has
// some: the trunk.
std::vector<int> limb_of_bodies(const Model& model);

}  // namespace plucker::compiler
