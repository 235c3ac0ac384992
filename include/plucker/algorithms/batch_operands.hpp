// A call of an algorithm over many states: what a batch is given to do.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "plucker/algorithms/operands.hpp"
#include "plucker/algorithms/views.hpp"

namespace plucker::batch {

// Forces from outside, at the same places in every state. More places than the model has frames allocate memory
// at the first call.
template <class T>
struct ExternalForces {
    using Place = ForcePlace;
    std::vector<Place> places;
    States<const T> forces;  // N × 6·places: (moment; force) at each place in turn
};

template <class T>
struct BatchOperands {
    std::array<States<const T>, kMostInputs> inputs;
    int num_inputs = 0;
    std::array<Matrices<T>, kMostOutputs> outputs;
    int num_outputs = 0;
    const ExternalForces<T>* external = nullptr;  // null: none
    FrameId frame{};
    ReferenceFrame reference = ReferenceFrame::kBody;
    int root = 0;
    std::span<const Given> given{};
    std::span<Status> status{};  // one per state, or empty

    void take(const States<const T>& x) { inputs[static_cast<std::size_t>(num_inputs++)] = x; }
    void take(const ExternalForces<T>& x) { external = &x; }
    void take(FrameId x) { frame = x; }
    void take(ReferenceFrame x) { reference = x; }
    void take(int x) { root = x; }
    void take(std::span<const Given> x) { given = x; }
    void give(const Matrices<T>& x) { outputs[static_cast<std::size_t>(num_outputs++)] = x; }
};

}  // namespace plucker::batch
