// New models from existing ones.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker {

// The same robot with some joints held at a configuration, given by joint name: one number for a
// revolute, prismatic or helical joint, all of the joint's coordinates for another. Joints that mimic a
// locked one are locked with it. Links stay as frames. A constraint between what then moves as one is dropped; of a coupling,
// the other joint is held where the locked one wants it.
Model lock_joints(const Model& model, const std::map<std::string, std::vector<double>>& values);

// `model` with `part` attached: part's root link is fixed to the frame `frame` of `model`, at
// `placement`. All names of the part get the prefix, without which the two may have none in common.
Model attach(const Model& model, const std::string& frame, const Model& part,
             const Pose<double>& placement = {}, const std::string& prefix = "");

// The same robot standing fixed, or floating. A fixed base drops what tied it to the world.
Model with_base(const Model& model, Base base);

// The same robot under another gravity.
Model with_gravity(const Model& model, const Vec3<double>& gravity);

// The same robot with its friction, viscous and Coulomb, or without: with_friction(model, false). (A workspace can leave it
// out too, without a new model: Workspace::set_friction.)
Model with_friction(const Model& model, bool on);
// The same on what a model is made of.
Description without_friction(Description description);

// The same robot with another mass for one link.
Model with_mass(const Model& model, const std::string& link, const MassProperties& mass);

// The same robot carrying a load at `frame`, in that frame's coordinates. The load is a link of its own, fixed there. (To
// change loads while running: Workspace::set_payload.)
Model with_payload(const Model& model, const std::string& frame, const MassProperties& load,
                   const std::string& name = "payload");

}  // namespace plucker
