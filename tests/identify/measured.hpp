// Logs of a robot that is not what its file says.
#pragma once

#include <random>

#include "plucker/identify/identify.hpp"

namespace plucker::test {

// What is measured: torques with noise of a part of their size.
inline MotionLog measured(const Model& robot, const MotionLog& motion, double noise,
                          std::mt19937& generator) {
    std::normal_distribution<double> any;
    MotionLog log = motion;
    log.tau = predict_torques(robot, log);
    const VectorX<double> size = root_mean_squares(log.tau);
    for (long c = 0; c < log.tau.cols(); ++c) {
        for (double& x : log.tau.col(c)) x += noise * size[c] * any(generator);
    }
    return log;
}

}  // namespace plucker::test
