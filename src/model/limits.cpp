#include <algorithm>
#include <cmath>

#include "plucker/model/description.hpp"

namespace plucker {

JointLimits narrowed(JointLimits limits, const JointLimits& follower, double multiplier,
                     double offset) {
    if (multiplier == 0) return limits;  // it stands still
    const double one = (follower.lower - offset) / multiplier,
                 other = (follower.upper - offset) / multiplier;
    limits.lower = std::max(limits.lower, std::min(one, other));
    limits.upper = std::min(limits.upper, std::max(one, other));
    limits.velocity = std::min(limits.velocity, follower.velocity / std::abs(multiplier));
    return limits;
}

}  // namespace plucker
