// Where a motion begins, closed loops are closed.
#pragma once

#include <string>

#include "plucker/constraints/constrained_dynamics.hpp"

namespace plucker::simulate {

// Throws Error with the first constraint that q violates by more than the first step is to close.
inline void refuse_open_loops(const Model& model, const VectorX<double>& q) {
    constexpr double kOpenStart = 1e-6;
    if (model.constraints().empty()) return;
    const VectorX<double> errors = constraint_errors(model, q);
    for (const Constraint& c : model.constraints()) {
        const double worst = errors.segment(c.first_row, c.num_rows).lpNorm<Eigen::Infinity>();
        if (worst <= kOpenStart) continue;
        throw Error::because("the robot starts with constraint '", c.name, "' violated by ", worst,
                             " (m or rad); close_loops finds a configuration that meets it");
    }
}

}  // namespace plucker::simulate
