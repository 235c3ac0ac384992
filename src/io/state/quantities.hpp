// The quantities that `evaluate` knows: what each needs, and the call that computes it.
#pragma once

#include <functional>
#include <vector>

#include "plucker/model/conventions.hpp"
#include "state/answer.hpp"
#include "state/state.hpp"

namespace plucker::io {

// One state of one robot, and what all quantities share.
struct Context {
    const Model& model;
    const Coordinates& coordinates;
    const std::vector<FrameId>& frames;  // to report
    const State& s;
    const ExternalForces<double>* forces;  // null: none
    Workspace<double>& ws;
    const AxisNames& parameters;  // dynamic_parameter_names
};

struct Quantity {
    const char* name;
    unsigned needs;
    std::function<Answer(const Context&)> compute;
    bool in_all = true;                // whether "all" means it too
    bool needs_floating_base = false;  // "all" of a robot without one does not mean it
    bool needs_constraints = false;    // the same
    bool leaves_out_constraints = false;
};

// One for each row of the table of algorithms that a state has the arguments for, and what is put together from them.
const std::vector<Quantity>& quantities();

}  // namespace plucker::io
