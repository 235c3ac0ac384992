// The quantities that `evaluate` knows: what each needs, and the call that computes it.
#pragma once

#include <vector>

#include "answer.hpp"
#include "plucker/model/conventions.hpp"
#include "state.hpp"

namespace plucker::io {

// One state of one robot, and what all quantities share.
struct Context {
    const Model& model;
    const Coordinates& coordinates;
    const std::vector<FrameId>& frames;  // to report
    const State& s;
    const ExternalForces<double>* forces;  // null: none
    Workspace<double>& ws;
};

struct Quantity {
    const char* name;
    unsigned needs;
    Answer (*compute)(const Context&);
};

const std::vector<Quantity>& quantities();

}  // namespace plucker::io
