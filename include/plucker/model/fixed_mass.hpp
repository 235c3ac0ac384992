// The part of a robot that is fixed to the world.
//
// Model::total_mass and center_of_mass are of the bodies that move: a base that stands on the floor takes no
// part in the dynamics. Who weighs the robot, or asks whether it tips over, wants all of it:
//
//     const MassProperties base = fixed_mass(model);
//     const double all = model.total_mass() + base.mass;
#pragma once

#include "plucker/model/model.hpp"

namespace plucker {

// Mass, centre and rotational inertia, in the world, of the links that are part of it. Together with the moving
// bodies they are all links of the description. Nothing with a floating base.
MassProperties fixed_mass(const Model& model);

}  // namespace plucker
