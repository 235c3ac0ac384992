// What drives the joints of a simulation: springs where it begins, or torques from a file.
#pragma once

#include <vector>

#include "plucker/io/read_states.hpp"
#include "simulate_options.hpp"

namespace plucker::cli {

struct Motors {
    bool hold = false;
    VectorX<double> kp, kd, q;
    std::vector<GivenState> torques;  // in the order of their times

    // τ of the file at a time: that of the last line before it, and none before the first. Integrators go back in time too,
    // where they reject a step.
    void set(double time, VectorX<double>& tau) const;
    // The same and, at a state, what springs add that are evaluated there.
    void set(const Model& model, double time, const VectorX<double>& at_q,
             const VectorX<double>& at_v, VectorX<double>& tau) const;
};

// Throws Error for gains and files that make no sense.
Motors motors_of(const Model& model, const SimulateOptions& o, const VectorX<double>& q);

}  // namespace plucker::cli
