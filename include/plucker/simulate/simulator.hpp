// Simulation of one robot: time steps with contact and friction.
//
//     Simulator simulator(load("robot.urdf"), World::flat());
//     while (simulator.time() < 10) simulator.step(controller(simulator.time(), simulator.q(), simulator.v()));
//
// A step of length h is semi-implicit: the velocities at its end move the positions.
//
//     M̂ (v⁺ - v) = h (τ - c - D v - K_d (v - v_d) - K_p (q + h v - q_d)) + Jᵀ λ,    M̂ = M + h D + h K_d + h² K_p
//     q⁺ = q ⊕ h v⁺
//
// Joint damping and the gains of `hold` are implicit, so that stiff ones stay stable. λ satisfies the laws of
// simulate/impulses.hpp. A contact at distance φ has φ/h + σ_N ≥ 0: the gap may close within the step, but no further. After
// an impact, e times its velocity returns. Penetration left by nonlinearity is removed by moving the robot without giving it
// velocity. There is nothing to tune, and each step reports how exactly the laws hold.
//
// After a few steps, stepping no longer allocates. The same calls give the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plucker/collide/collision_shapes.hpp"
#include "plucker/model/external_forces.hpp"
#include "plucker/scalar/eigen.hpp"
#include "plucker/simulate/impulses.hpp"

namespace plucker {

struct SimulatorOptions {
    double step = 1e-3;  // seconds
    bool joint_limits = true;
    bool joint_friction = true;  // viscous and dry, as the model has it
    // Links that are deep inside each other where the robot begins: refused, or let through each other until it begins
    // anew, as those of files whose hulls overlap. Links of a fixed base are links to those that hang on it. What is deep in the
    // world is refused in any case: in its shapes, in a plane, in links called "world", and bodies that float in links that stand.
    bool ignore_overlaps = false;
    // How much each contact gives: metres for a newton. Zero: rigid.
    double compliance = 0;
    SolverOptions solver = {};
};

// A contact of the last step.
struct Contact {
    ContactPoint point;
    Vec3<double> force{};  // on body a, in the world's axes; its mean over the step
    double spin = 0;       // the torque about the normal, on body a
    ContactMode mode = ContactMode::kOpen;
};

struct StepReport {
    // kOk, or why the state stayed as it was: kSingularMassMatrix, kNonFiniteResult.
    Status status = Status::kOk;
    SolverReport solver;
    double deepest = 0;  // how far anything was inside anything else before the step, in metres
    double beyond_limits = 0;  // and how far a joint was beyond a limit, in m or rad
};

class Simulator {
public:
    // It begins at rest at the neutral configuration, joints that would be beyond a limit at that limit. Throws Error for options
    // that make no sense, such as a step that is not positive.
    explicit Simulator(const Model& model, const World& world = {},
                       const SimulatorOptions& options = {});
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    const Model& model() const;
    double step_length() const;
    double time() const;
    // Views of the state as it is, now and after the next steps.
    VectorView<double> q() const;
    VectorView<double> v() const;
    // Throws Error if sizes are wrong, numbers are not finite, the position or the velocity violates a constraint, a joint is far
    // beyond a limit, or something is deep inside something else. What is less than a centimetre deep, or 0.01 m or rad beyond
    // a limit, is moved back by the steps that follow.
    void set_state(const VectorX<double>& q, const VectorX<double>& v, double time = 0);

    // One step under the joint torques τ. Throws Error, with the state as it was, if τ is not finite, if a joint moves no mass and
    // has neither rotor, damper nor spring, or if the robot's motion leaves the range of numbers.
    StepReport step(const VectorX<double>& tau);
    StepReport step();

    // Springs and dampers at the joints, which pull towards q and v: a position controller inside of the robot. The
    // gains, one for each velocity coordinate, act on those of the joints; bodies that float in the world are left alone.
    void hold(const VectorX<double>& q, const VectorX<double>& kp, const VectorX<double>& kd);
    void hold(const VectorX<double>& q, double kp, double kd);
    void aim(const VectorX<double>& q, const VectorX<double>& v);  // where they pull to from now on
    void release();

    // A joint that moves as it is told, whatever that takes: a velocity for each of its coordinates.
    void prescribe(const std::string& joint, const VectorX<double>& velocity);
    void free(const std::string& joint);

    // Forces on links, in every step until they are changed.
    ExternalForces<double>& forces();

    // Of the last step.
    std::span<const Contact> contacts() const;
    // Pairs of links that are let through each other (ignore_overlaps).
    std::vector<std::pair<std::string, std::string>> overlaps() const;
    // What the contacts' shape_a and shape_b mean.
    std::span<const CollisionShape> shapes() const;
    // The torque of `hold` at the end of the last step or, before the first, where the robot begins; by coordinate.
    VectorView<double> holding_torque() const;

    double kinetic_energy();
    double potential_energy();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace plucker
