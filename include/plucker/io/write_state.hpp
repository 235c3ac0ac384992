// States in JSON, to edit and pass to evaluate.
#pragma once

#include <string>

#include "plucker/model/model.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker {

// The state as evaluate reads it, every joint by its name and in the order of the file. Joints that mimic others
// have no coordinates of their own and are left out.
std::string write_state(const Model& model, const VectorX<double>& q, const VectorX<double>& v,
                        const VectorX<double>& a, const VectorX<double>& tau);

}  // namespace plucker
