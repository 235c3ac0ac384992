// The part of a robot that is fixed to the world.
//
// Model::total_mass and center_of_mass refer to the moving bodies, because a base fixed to the floor takes no
// part in the dynamics. To weigh the robot, or to find out whether it tips over, add the fixed part:
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
