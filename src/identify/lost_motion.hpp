// Whether the low-pass filter of a log takes away motion, beside noise.
#pragma once

#include <string>

#include "plucker/identify/motion_log.hpp"

namespace plucker {

// "the filter takes away 7.1 % of …", with a cutoff that does not; nothing where it takes away none, or what cannot be told
// from noise.
std::string remark_on_lost_motion(const Model& model, const MotionLog& log, double cutoff);

}  // namespace plucker
