// One time step of one robot. What is kept from step to step is the robot's own (RobotState); all else is the engine's, and
// serves one robot after the other.
#pragma once

#include <memory>
#include <vector>

#include "momentum.hpp"
#include "plucker/collide/collision_shapes.hpp"
#include "plucker/simulate/joint_space.hpp"
#include "plucker/simulate/simulator.hpp"
#include "rows.hpp"

namespace plucker::simulate {

struct RememberedContact {
    std::uint64_t id;
    Vec3<double> impulse;
    double spin;
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
    explicit RobotState(const Model& model);

    double start = 0;  // when it began, and how many steps ago
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
    std::vector<double> remembered_rows;  // of all other rows, by their order
    std::vector<TreeMomentum> momenta;    // that the next step begins with, one a tree
    bool momenta_known = false;           // or as v has them

    // Steps for which depth is left alone, since it could not be taken back, and how much it was.
    int wedged_for = 0;
    double wedged_depth = 0;

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
};

class StepEngine {
public:
    // Throws Error for options that make no sense.
    StepEngine(const Model& model, const World& world, const SimulatorOptions& options);

    const Model& model() const { return space_.model(); }
    const SimulatorOptions& options() const { return options_; }
    Workspace<double>& workspace() { return space_.workspace(); }
    CollisionShapes& collisions() { return collisions_; }

    // Throws Error where a robot cannot begin: sizes, numbers, depth, open loops.
    Start check_start(const VectorX<double>& q, const VectorX<double>& v);

    // The robot after one step; as it was, with another status, where there is no such state. Neither throws nor, after a
    // few steps, allocates.
    StepReport step(RobotState& robot, const Springs& springs, const double* tau);
    // Whether nothing can ever act but torques and forces: no contact, no limit, no constraint, no dry friction.
    bool is_free() const;
    const std::vector<double>& damping() const { return damping_; }
    // The coordinate that made the last step fail.
    int culprit() const { return culprit_; }

private:
    struct Stop {  // a joint limit
        int q_index, coordinate;
        double lower, upper;
    };
    void find_contacts(const VectorX<double>& q);
    int apply_forces(RobotState& robot, const Springs& springs, const double* tau);
    void add_rows(const RobotState& robot);
    void add_ties(const RobotState& robot);
    void add_contacts(const RobotState& robot);
    void guess(const RobotState& robot);
    void remember(RobotState& robot);
    bool gives_way() const;
    double deepest() const;
    bool needs_correction() const;
    void correct(RobotState& robot);

    SimulatorOptions options_;
    JointSpace<double> space_;
    MomentumKeeper<double> momentum_;
    RowWriter rows_;
    CollisionShapes collisions_;
    ImpulseProblem problem_;
    ImpulseSolver solver_;
    std::vector<Stop> stops_;
    std::vector<double> ways_left_;  // of the rows of limits, in their order; negative: beyond
    std::vector<int> dry_;           // coordinates with dry friction
    std::vector<double> damping_;
    VectorX<double> next_q_, next_v_, p_, free_p_, push_, moving_, error_;
    std::vector<Pose<double>> poses_;
    std::vector<ContactPoint> points_;
    std::vector<ContactFrame> frames_;  // of points_
    std::vector<double> lambda_, lambda_of_correction_;
    int culprit_ = -1;
};

}  // namespace plucker::simulate
