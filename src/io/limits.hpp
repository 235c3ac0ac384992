// Joint limits that say something.
#pragma once

#include <limits>

#include "plucker/model/description.hpp"

namespace plucker::io {

// The limits without those that make no sense; warn(…) is called for each. Nothing computes with limits, so that they
// never stop a robot.
template <class Warn>
JointLimits sensible(JointLimits l, Warn&& warn) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (l.lower > l.upper) {
        warn("lower limit ", l.lower, " exceeds upper limit ", l.upper, "; both are left out");
        l.lower = -kNone;
        l.upper = kNone;
    } else if (l.lower == kNone || l.upper == -kNone) {
        warn("no number lies between lower limit ", l.lower, " and upper limit ", l.upper,
             "; both are left out");
        l.lower = -kNone;
        l.upper = kNone;
    }
    const auto drop_negative = [&](const char* what, double& value) {
        if (value >= 0) return;
        warn(what, " limit is ", value, ", which is negative; it is left out");
        value = kNone;
    };
    drop_negative("velocity", l.velocity);
    drop_negative("effort", l.effort);
    return l;
}

}  // namespace plucker::io
