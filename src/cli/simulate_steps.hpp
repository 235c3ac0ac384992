// The steps of a simulation, shown to the recorder.
#pragma once

#include "beginning.hpp"
#include "motors.hpp"
#include "recorder.hpp"

namespace plucker::cli {

// A limit that a joint went beyond.
struct PassedLimit {
    std::string joint;
    double limit, most, first_time;
};

struct Summary {
    long steps = 0, unconverged = 0;
    double seconds = 0;  // from the beginning to the end
    double worst = 0, deepest = 0, beyond_limits = 0;
    double first_unconverged = 0;
    std::vector<PassedLimit> passed;  // of integrators that know no limits
};

void simulate_with_contact(const Model& model, const SimulateOptions& o, const World& world,
                           const Beginning& start, const Motors& motors,
                           const std::vector<Push>& pushes, Recorder& recorder, Summary& summary);
void simulate_freely(const Model& model, const SimulateOptions& o, const Beginning& start,
                     const Motors& motors, const std::vector<Push>& pushes, Recorder& recorder,
                     Summary& summary);

}  // namespace plucker::cli
