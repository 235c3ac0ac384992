// New models from old ones.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker {

// The same robot with some joints held at a configuration, given by joint name: one number for a
// revolute, prismatic or helical joint, all of the joint's coordinates for another. Joints that mimic a
// locked one are locked with it. Links stay as frames.
Model lock_joints(const Model& model, const std::map<std::string, std::vector<double>>& values);

// `model` with `part` attached: part's root link is fixed to the frame `frame` of `model`, at
// `placement`. All names of the part get the prefix.
Model attach(const Model& model, const std::string& frame, const Model& part,
             const Pose<double>& placement = {}, const std::string& prefix = "");

// The same robot standing fixed, or floating.
Model with_base(const Model& model, Base base);

// The same robot under another gravity.
Model with_gravity(const Model& model, const Vec3<double>& gravity);

}  // namespace plucker
