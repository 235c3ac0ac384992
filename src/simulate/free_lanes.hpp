// Robots that nothing can touch, several at once: a robot a lane.
//
// The step is that of the engine without impulses. A lane never sees another, so that a robot's numbers do not depend on
// which others are with it; they differ from those of a robot that is stepped alone by rounding.
#pragma once

#include <memory>
#include <span>

#include "momentum.hpp"

namespace plucker::simulate {

// One robot's memory. Gains are null where it is not held.
struct RobotInLane {
    double *q, *v;
    const double* tau;
    const double *aim_q, *aim_v;
    double* holding;
    TreeMomentum* momenta;
    bool momenta_known;
};
struct LaneGains {
    const double *kp = nullptr, *kd = nullptr;
};

class FreeLanes {
public:
    virtual ~FreeLanes();
    virtual int lanes() const = 0;
    // So many steps of at most lanes() robots. `failed` has an entry for each: whether its numbers have left their range.
    // Such a robot is left as it was.
    virtual void step(std::span<const RobotInLane> robots, const LaneGains& gains, int steps,
                      bool* failed) = 0;
};

struct LanesCode {
    FreeLanes* (*make)(const Model& model, double h, const double* damping);

    static const LanesCode kGenericCode, kAvx2Code, kAvx512Code;
};

// In the instruction set in use. For a model without mimic joints.
std::unique_ptr<FreeLanes> free_lanes(const Model& model, double h, const double* damping);

}  // namespace plucker::simulate
