// Whether two libraries agree, and how long each takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "peer.hpp"
#include "plucker/model/model.hpp"

namespace plucker::peers {

struct Settings {
    double seconds = 0.2;  // of measuring, for each function
    int checked_states = 32;
};

struct Measurement {
    std::string function;
    // From Plucker's results: relative to the largest value, or absolute where all values are below one.
    double difference = 0;
    bool agrees = false;
    // Nanoseconds a call; each sample is the mean over one pass through all states.
    double minimum = 0, median = 0;
};

// One algorithm: an entry for each library, the first for Plucker; empty where a library has not got it.
std::vector<std::optional<Measurement>> measure(const std::string& algorithm,
                                                const std::vector<std::vector<Function>>& libraries,
                                                int num_states, const Settings& settings);

// States at random, the same for the same model.
std::vector<State> random_states(const Model& model, int count);

// Keeps this process on one core.
void pin_to_core(int core);

}  // namespace plucker::peers
