// One small robot for each type of joint, in the middle of a branching tree, for suites of laws.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker::test {

// Names such as "revolute", "universal", "mimic", "kept_fixed", each also as "floating_…" on a floating base,
// and "dissipative": armature and friction on joints of several types.
std::vector<std::string> joint_model_names();
Model joint_model(const std::string& name);

// A body with a general inertia, different for each number.
MassProperties odd_mass(int number);
// A general placement, different for each number.
Pose<double> odd_placement(int number);

}  // namespace plucker::test
