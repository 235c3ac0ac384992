// Simulation of many robots of one kind on all cores, each with its own state, torques, pushes and ground.
//
//     batch::Simulator robots(model, World::flat(), 1000, {.step = 0.005});
//     robots.set_states(q, v);                    // 1000 × nq, 1000 × nv: one row per robot
//     robots.hold(kp, kd);
//     for (int k = 0; k < 200; ++k) robots.step(tau);
//
// There is one robot per SIMD lane. A robot's bits depend neither on the threads nor on the other robots; they
// differ from those of Simulator by rounding. Steps that are hard to solve use the solver of Simulator, and robots with mimic
// joints or loops always do. A robot whose step fails keeps its state, and its report says why; the others continue. After
// a few steps, stepping no longer allocates.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plucker/simulate/simulator.hpp"

namespace plucker::batch {

class Simulator {
public:
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    // `threads`: 0 for as many as the machine has cores.
    Simulator(const Model& model, const World& world, int robots,
              const SimulatorOptions& options = {}, int threads = 0);
    // A world for each robot.
    Simulator(const Model& model, std::span<const World> worlds,
              const SimulatorOptions& options = {}, int threads = 0);
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    const Model& model() const;
    int size() const;
    int threads() const;
    double time(int robot) const;
    // One row per robot: size() × nq, size() × nv.
    Eigen::Map<const Rows> q() const;
    Eigen::Map<const Rows> v() const;

    // All robots begin anew. Throws Error, with the number of the robot and nothing changed, for a state that Simulator
    // would refuse.
    void set_states(const Rows& q, const Rows& v);
    // Those whose mask is not zero do; of the others, the rows are not looked at.
    void reset(std::span<const std::uint8_t> mask, const Rows& q, const Rows& v);

    // Springs and dampers at the joints of all robots, and where each one's pull to: where it is now, unless aim says
    // otherwise.
    void hold(const VectorX<double>& kp, const VectorX<double>& kd);
    void aim(const Rows& q, const Rows& v);
    void release();
    // On links of one robot, in every step until they are changed.
    plucker::ExternalForces<double>& forces(int robot);

    // So many steps under the same torques, size() × nv. Throws Error if their shape is wrong; a robot whose torques are not
    // finite stays where it is. Returns how many robots failed. Where memory runs out, std::bad_alloc is thrown, and the robots are
    // to be set anew.
    int step(const Rows& tau, int steps = 1);
    int step(int steps = 1);

    // Of the last step, by robot.
    std::span<const StepReport> reports() const;
    std::span<const Contact> contacts(int robot) const;

private:
    struct Crew;
    std::unique_ptr<Crew> crew_;
};

}  // namespace plucker::batch
