// A robot of ours beside the same robot in MuJoCo and in DART: for robots at random, as many as one likes.
#pragma once

#include <functional>
#include <string>

#include "plucker/model/description.hpp"

namespace plucker::test {

// What the first library that disagrees with us disagrees on, or the empty string. Compares poses, velocities,
// Jacobians, mass matrix, and the torques of gravity, of motion, of acceleration under external forces and of forward
// dynamics, at states that the seed chooses. `theirs` is the robot that the other libraries are given.
std::string disagreement(const Description& ours, const Description& theirs, unsigned seed);
inline std::string disagreement(const Description& robot, unsigned seed) {
    return disagreement(robot, robot, seed);
}

// A smaller and plainer robot on which `fails` still holds.
Description shrunken(Description robot, const std::function<bool(const Description&)>& fails);

// All that matters for dynamics, one line per link and one line per joint.
std::string to_text(const Description& robot);

}  // namespace plucker::test
