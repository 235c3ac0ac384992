// Forces on links for a while: --push.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/external_forces.hpp"

namespace plucker::cli {

struct Push {
    FrameId link;
    std::string name;
    Vec3<double> force;
    double start, duration;
    bool acts_at(double time) const { return time >= start && time < start + duration; }
};

// LINK,FX,FY,FZ,START,DURATION. Throws Error for anything else.
Push parse_push(const Model& model, const std::string& text);
// Those that act at this time, and no others.
void apply_pushes(const std::vector<Push>& pushes, double time, ExternalForces<double>& forces);

}  // namespace plucker::cli
