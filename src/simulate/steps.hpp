// Where a velocity leads within a time step.
#pragma once

#include "plucker/model/model.hpp"

namespace plucker::simulate {

// q moved for the time h with the velocity v, as it is at the beginning: a floating or planar joint moves along a straight
// line while it turns, and all others as integrate() has it. `out` is not `q`.
void advance(const Model& model, const double* q, const double* v, double h, double* out);

// The linear velocities of such joints, from the axes that the body had at `from` to those that it has at `to`.
void turn_along(const Model& model, const double* from, const double* to, double* v);

}  // namespace plucker::simulate
