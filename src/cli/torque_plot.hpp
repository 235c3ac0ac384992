// Measured and computed torques of a log as a picture.
#pragma once

#include <string>

#include "plucker/identify/identify.hpp"

namespace plucker::cli {

// An SVG: for each coordinate what was measured, and what the file's and the identified model make of the motion.
std::string torque_plot(const Model& model, const MotionLog& log, const MatrixX<double>& before,
                        const MatrixX<double>& after);

}  // namespace plucker::cli
