// Calls of sdformat that neither print nor throw, and read numbers the same in every locale.
#pragma once

#include <functional>
#include <sdf/Element.hh>
#include <sdf/ParserConfig.hh>
#include <sdf/SDFImpl.hh>
#include <sdf/Types.hh>
#include <string>

#include "plucker/spatial/pose.hpp"

namespace plucker::io {

Vec3<double> vec3(const ignition::math::Vector3d& v);
Pose<double> pose(const ignition::math::Pose3d& p);

// Calls f, which returns sdformat's errors, and returns those that say something of their own.
sdf::Errors call_sdformat(const std::function<sdf::Errors()>& f);

// Parses a text into `out`. False, with at least one error, if it cannot be used.
bool parse_sdf(const std::string& text, const sdf::ParserConfig& config, const sdf::SDFPtr& out,
               sdf::Errors& errors);

}  // namespace plucker::io
