// What is kept of a robot from step to step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plucker/simulate/simulator.hpp"
#include "smooth_step.hpp"

namespace plucker::simulate {

struct RememberedContact {
    std::uint64_t id;
    Vec3<double> impulse;
    double spin;
};
// Of any other law: a stop's by its coordinate and which way it pushes.
struct RememberedRow {
    Law law;
    int which;
    double side;
    double impulse;
};
struct PrescribedCoordinate {
    int coordinate;
    double velocity;
};

using ShapePair = std::pair<int, int>;

// Where a robot may begin.
struct Start {
    VectorX<double> q;                // its quaternions of unit length
    std::vector<ShapePair> overlaps;  // shapes that are let through each other, in order
};

struct RobotState {
    // At the neutral configuration or, with joint limits, where these are nearest to it.
    RobotState(const Model& model, const SimulatorOptions& options);

    bool has_begun = false;  // where it is was looked at
    double start = 0;        // when it began, and how many steps ago
    long steps = 0;
    double time = 0;
    VectorX<double> q, v;
    VectorX<double> aim_q, aim_v;  // of springs and dampers
    VectorX<double> holding;       // their torque in the last step
    std::vector<PrescribedCoordinate> prescribed;
    std::vector<ShapePair> overlaps;  // of its start
    ExternalForces<double> forces;
    // Of the last step: its contacts, and the impulses from which the next one starts.
    std::vector<Contact> contacts;
    std::vector<RememberedContact> remembered;
    std::vector<RememberedRow> remembered_rows;  // of all other rows, in their order
    std::vector<TreeMomentum> momenta;           // that the next step begins with, one a tree
    bool momenta_known = false;                  // or as v has them

    // Steps for which depth is left alone, since it could not be taken back, and how much it was.
    int wedged_for = 0;
    double wedged_depth = 0;

    RobotInLane in_lane(const double* tau);
    void advance_time(int by, double h) { time = start + static_cast<double>(steps += by) * h; }
    // It begins anew; springs, forces and prescribed motions stay.
    void begin(const Start& at, const VectorX<double>& at_v, double at_time);
};

// Springs and dampers at the joints, by velocity coordinate.
struct Springs {
    bool on = false;
    VectorX<double> kp, kd;

    Springs() = default;
    // Bodies that float in the world are left alone. Throws Error for gains of a wrong size, or that are negative or not finite.
    Springs(const Model& model, const VectorX<double>& kp, const VectorX<double>& kd);
    Gains gains() const { return on ? Gains{kp.data(), kd.data()} : Gains{}; }
};

}  // namespace plucker::simulate
