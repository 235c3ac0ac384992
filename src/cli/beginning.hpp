// Where a simulation begins: as --state says, where the file has its free bodies, or on the ground as the robot is at zero.
#pragma once

#include "ground.hpp"
#include "plucker/model/model.hpp"
#include "plucker/scalar/eigen.hpp"
#include "simulate_options.hpp"

namespace plucker::cli {

struct Beginning {
    VectorX<double> q, v;
};

// With its loops closed. Throws Error for a file without a state, and for loops that cannot be closed.
Beginning beginning_of(const Model& model, const SimulateOptions& o, const Ground& ground);

}  // namespace plucker::cli
