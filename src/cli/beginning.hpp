// Where a simulation begins: as --state says, where the file has its free bodies, or on the ground as the robot is at zero; with
// contact, joints that are beyond a limit at zero begin at that limit.
#pragma once

#include "ground.hpp"
#include "plucker/model/model.hpp"
#include "plucker/scalar/eigen.hpp"
#include "simulate_options.hpp"

namespace plucker::cli {

struct Beginning {
    VectorX<double> q, v;
    double time = 0;
};

// With its constraints met; what that takes is said where a state was given. Throws Error for a file without a state, and for
// loops that cannot be closed.
Beginning beginning_of(const Model& model, const SimulateOptions& o, const Ground& ground);

}  // namespace plucker::cli
