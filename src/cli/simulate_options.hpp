// What plucker simulate was asked for.
#pragma once

#include <string>
#include <vector>

namespace plucker::cli {

struct SimulateOptions {
    double duration = 1, step = 1e-3, tolerance = 1e-9;
    std::string integrator = "euler", state, ground, hold, torque, output = "-";
    bool has_ground = false, has_hold = false;
    std::vector<std::string> pushes, frames;
    long every = 1;
};

}  // namespace plucker::cli
