// One time step of one robot. What is kept from step to step is the robot's own (RobotState); all else is the engine's, and
// serves one robot after the other.
#pragma once

#include <memory>
#include <vector>

#include "acting.hpp"
#include "robot_state.hpp"
#include "rows.hpp"
#include "smooth_step.hpp"
#include "step_code.hpp"
#include "step_lanes.hpp"

namespace plucker::simulate {

class StepEngine {
public:
    // Throws Error for options that make no sense.
    StepEngine(const Model& model, const World& world, const SimulatorOptions& options);
    StepEngine(const StepEngine&) = delete;  // parts refer to each other
    StepEngine& operator=(const StepEngine&) = delete;

    // Makes code for the robot, if its model is compiled: where the engine is to make whole steps, not to help lanes.
    void make_code();

    const Model& model() const { return space_.model(); }
    const SimulatorOptions& options() const { return options_; }
    Workspace<double>& workspace() { return space_.workspace(); }
    ActingFinder& finder() { return finder_; }
    const ActingFinder& finder() const { return finder_; }
    const std::vector<double>& damping() const { return damping_; }
    // Whether a joint moves nothing, wherever the robot is: then steps are made by the engine alone, which sees what resists it.
    bool has_weightless_joint() const { return weightless_ != 0; }

    // Throws Error where a robot cannot begin: sizes, numbers, open loops, joints beyond their limits, depth.
    Start check_start(const VectorX<double>& q, const VectorX<double>& v);
    // ... and where springs cannot pull to.
    void check_aim(const double* q, Eigen::Index q_size, const double* v, Eigen::Index v_size);

    // The robot after one step; as it was, with another status, where there is no such state. Neither throws nor, after a
    // few steps, allocates.
    StepReport step(RobotState& robot, const Springs& springs, const double* tau);
    // Of that, for a robot whose smooth part is known: where to write it, and then the impulses of what acts on it, how they
    // change p, and what else moves it.
    struct Solution {
        SolverReport report;
        std::vector<double> lambda, sigma;
        const double *impulse, *moved;
    };
    SmoothPart smooth_part();
    // From out.lambda, where that has been begun elsewhere; else from the impulses of the step before.
    void solve(RobotState& robot, Acting& acting, Solution& out, bool is_begun);
    // The coordinate that made the last step fail.
    int culprit() const { return culprit_; }

private:
    void check_state(const char* function, const double* q, Eigen::Index q_size, const double* v,
                     Eigen::Index v_size);
    void find_contacts(const VectorX<double>& q);
    void refuse_beyond_limits(const VectorX<double>& q) const;
    bool are_links(const ContactPoint& point) const;
    void find_acting(const RobotState& robot);
    void add_ties(const RobotState& robot);
    void write_rows();
    void guess(const RobotState& robot);
    SolverReport find_impulses();
    void correct(RobotState& robot);
    bool step_free(RobotState& robot, const Springs& springs, const double* tau);
    int unresisted(const Springs& springs) const;

    SimulatorOptions options_;
    std::vector<double> damping_;
    SmoothStep<double> smooth_;
    JointSpace<double>& space_;
    RowWriter rows_;
    ActingFinder finder_;
    Acting acting_;
    Correction correction_;
    ImpulseProblem problem_;
    ImpulseSolver solver_;
    VectorX<double> now_v_, next_q_, next_v_, p_, free_p_, impulse_, moving_;
    std::vector<Pose<double>> poses_;
    std::vector<double> lambda_, sigma_;
    std::unique_ptr<Workspace<double>>
        closing_;  // for what constraints ask of q, where there are any; says why it fails
    StepCode code_;
    std::vector<TreeMomentum> next_momenta_;
    int weightless_ = 0;  // a joint; 0: none
    int culprit_ = -1;
};

}  // namespace plucker::simulate
