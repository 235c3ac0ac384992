// Robots at random: every type of joint, both kinds of base, and all that a joint may have.
#pragma once

#include "plucker/model/description.hpp"

namespace plucker::test {

struct RandomRobotOptions {
    int most_links = 8;  // at least two
    bool only_urdf_joints =
        false;  // no helical, cylindrical, universal, spherical or translation joints
};

// A description without errors; the same seed gives the same robot. Links may lack mass, but only where the mass matrix
// is regular all the same: on fixed joints and on those with a rotor.
Description random_robot(unsigned seed, const RandomRobotOptions& options = {});

}  // namespace plucker::test
