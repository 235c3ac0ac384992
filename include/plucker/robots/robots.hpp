// Built-in robots, by name, defined in code.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker::robots {

// The free particle of "Forward Dynamics with Spatial Vectors", §3.1: two massless slides, x then y, and
// gravity along -y.
Model particle();
// A point mass on a massless rod.
Model pendulum();
Model double_pendulum();
// A pole on a cart that slides along x.
Model cart_pole();
// The planar jumping lamp of "Forward Dynamics with Spatial Vectors", Fig. 1: five freedoms, in the x–y
// plane with gravity along -y.
Model lamp();
// The self-balancing exoskeleton Co-Ex of Soliman and Ugurlu: a floating base and two legs of four
// joints (hip adduction, hip flexion, knee, ankle). The paper gives no masses or lengths: these are of an
// adult's size and stated here as our own.
Model exoskeleton();
// A seven-joint arm, fixed base.
Model arm();
// A floating base and four legs of three joints.
Model quadruped();
// A floating base and thirty joints.
Model humanoid();
// n revolute joints in a row, about y and z in turn.
Model chain(int n);
// n bodies with every kind of joint, hung on one another at random, the same for the same seed.
Model tree(int n, unsigned seed);

// By name: "exoskeleton", …, and with arguments "chain(10)", "tree(20,1)". Throws, with the closest
// names, when there is none.
Model by_name(const std::string& name);
std::vector<std::string> names();

}  // namespace plucker::robots
