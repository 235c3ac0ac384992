// Where a motion begins, constraints are met.
#pragma once

#include "plucker/error.hpp"
#include "plucker/simulate/start.hpp"

namespace plucker::simulate {

// Throws Error with the constraint that a state violates most, and what mends it.
inline void refuse_open_loops(const Model& model, const VectorX<double>& q,
                              const VectorX<double>& v) {
    if (const Violation open = violation_of_position(model, q); !open.constraint.empty()) {
        throw Error::because("the robot starts with constraint '", open.constraint,
                             "' violated by ", open.by,
                             " (m or rad); close_loops finds a configuration that meets it");
    }
    if (const Violation torn = violation_of_velocity(model, q, v); !torn.constraint.empty()) {
        throw Error::because("the robot starts with a velocity that violates constraint '",
                             torn.constraint, "' by ", torn.by,
                             " (m/s or rad/s); project_velocity finds the nearest that meets it");
    }
}

}  // namespace plucker::simulate
