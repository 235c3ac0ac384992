// Excitation trajectories: a sum of sines within the joints' limits, and those of the joints that mimic them, chosen so that the
// regressor of the base parameters is well conditioned.
//
//     q_k(t) = c_k + Σ_h (a_kh / (h ω) sin(h ω t) - b_kh / (h ω) cos(h ω t)),   ω = 2π / duration
//
// It begins and ends at rest, and can be repeated. (Swevers and others, Optimal Robot Excitation and Identification, 1997.)
#pragma once

#include <functional>

#include "plucker/identify/motion_log.hpp"

namespace plucker {

struct ExciteOptions {
    double duration = 10;  // s
    double rate = 100;     // samples a second
    int harmonics = 5;
    int trials = 400;       // motions that are tried
    double margin = 0.1;    // of the way between the limits, left free at both ends
    double reach = 1;       // rad or m to both sides of zero, where a joint has no limits
    double velocity = 1.5;  // rad/s or m/s, where it has no limit for that
    unsigned seed = 1;
    std::function<void()> between = {};  // called between trials; what it throws ends them
};

struct Excitation {
    MotionLog log;  // with the torques that the model says
    // Of the regressor, each column in the unit that a random state gives it, without what the motion never shows.
    double condition_number = 0;
    double first_condition_number = 0;  // ... of the first motion that was tried
    int num_unseen = 0;  // combinations of parameters that it never shows, such as a held base's
};

// Joints whose coordinates are no vector space (spherical, planar, floating) are held. That the robot keeps clear of itself and
// of what is around it is not looked at. Throws Error for robots with constraints beyond the tree, which such a motion would
// violate.
Excitation excite(const Model& model, const ExciteOptions& options = {});

}  // namespace plucker
