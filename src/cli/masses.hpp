// What a robot weighs, and where its centre of mass is.
#pragma once

#include <vector>

#include "plucker/model/model.hpp"

namespace plucker::cli {

struct MassOf {
    const char* what;  // "moving", "fixed", "whole"
    double mass;
    Vec3<double> center;  // in the world, with all joints at their neutral values
};

// The bodies that move, the links that are fixed to the world, and both together.
std::vector<MassOf> masses_of(const Model& model);

}  // namespace plucker::cli
