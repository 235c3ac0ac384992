// The steps of a simulation, shown to the recorder.
#pragma once

#include "beginning.hpp"
#include "motors.hpp"
#include "recorder.hpp"

namespace plucker::cli {

struct Summary {
    long steps = 0, unconverged = 0;
    double worst = 0, deepest = 0;
    double first_unconverged = 0;
};

void simulate_with_contact(const Model& model, const SimulateOptions& o, const World& world,
                           const Beginning& start, const Motors& motors,
                           const std::vector<Push>& pushes, Recorder& recorder, Summary& summary);
void simulate_freely(const Model& model, const SimulateOptions& o, const Beginning& start,
                     const Motors& motors, const std::vector<Push>& pushes, Recorder& recorder,
                     Summary& summary);

}  // namespace plucker::cli
