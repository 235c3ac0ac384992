// What the comparisons with other libraries share: the robots and states, what counts as agreement, and
// how velocities are translated.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>
#include <string>
#include <vector>

#include "plucker/plucker.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::test {

// --- Robots -------------------------------------------------------------------------------------

// A link of a description and the joint it hangs on: what all robot formats consist of. The converters
// read these, not the compiled bodies, so that compiling is part of what is compared.
struct LinkAndJoint {
    LinkDescription link;
    JointDescription joint;  // without a parent: the root's
    int number = 0;          // the joint's number in the Model; 0: it is fixed
    bool has_body = false;   // whether it is part of a body; otherwise it stands still in the world
};
// Depth first, the root first. A floating base's joint is among them.
std::vector<LinkAndJoint> links_of(const Model& model);

// Which joint constants the other library knows too.
enum class JointConstants { kDamping, kArmature, kDampingAndArmature };

// The robot, its joints given random constants of those kinds and freed of the others.
Model with_constants(Description description, JointConstants constants);

// The robots to compare on: every built-in one, of those that take arguments several, and two that have
// what they lack.
std::vector<std::string> robot_names();
Description robot(const std::string& name);

// "tree(20,1)" as part of a test's name.
std::string test_name(const testing::TestParamInfo<std::string>& info);

// --- States -------------------------------------------------------------------------------------

struct State {
    VectorX<double> q, v, a, tau;
};

// A force on a link: along the world's axes, its moment about the link's origin.
struct LinkForce {
    std::string link;
    Force<double> force;
};

State random_state(const Model& model, std::mt19937& generator);
std::vector<LinkForce> random_forces(const Model& model, std::mt19937& generator);
// Calls f(state, forces) for ten random states of the seed.
template <class F>
void for_each_random_state(const Model& model, unsigned seed, F&& f) {
    constexpr int kStates = 10;
    std::mt19937 generator(seed);
    for (int k = 0; k < kStates; ++k) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", state " + std::to_string(k));
        const State state = random_state(model, generator);
        const std::vector<LinkForce> forces = random_forces(model, generator);
        f(state, forces);
    }
}
// For our functions: a third of each force expressed in each reference frame. Reads poses from the
// workspace.
ExternalForces<double> external_forces(Workspace<double>& ws, const std::vector<LinkForce>& forces);

// --- Coordinates --------------------------------------------------------------------------------

// Another library's velocity coordinates v' are a linear function of ours, v' = T v; so a' = T a + Ṫ v
// and, because power is the same in both, τ = Tᵀ τ'. T has more rows than columns where the other
// library has no such joint and it is composed of several there.
struct VelocityMap {
    MatrixX<double> T, T_dot;

    explicit VelocityMap(const Model& model, int their_nv)
        : T(MatrixX<double>::Zero(their_nv, model.nv())),
          T_dot(MatrixX<double>::Zero(their_nv, model.nv())) {}

    // The usual planar joint. Ours is (ω; v) in the body's frame, theirs the rate of (x; y; angle).
    void set_planar(int their_row, const Body<double>& ours, double angle, double omega);

    bool is_square() const { return T.rows() == T.cols(); }
    VectorX<double> to_theirs(const VectorX<double>& v) const { return T * v; }
    VectorX<double> to_theirs(const VectorX<double>& v, const VectorX<double>& a) const {
        return T * a + T_dot * v;
    }
    // One of the torques that do the same work as ours.
    VectorX<double> torque_to_theirs(const VectorX<double>& tau) const {
        return T * (T.transpose() * T).ldlt().solve(tau);
    }
    VectorX<double> torque(const VectorX<double>& theirs) const { return T.transpose() * theirs; }
    MatrixX<double> mass_matrix(const MatrixX<double>& theirs) const {
        return T.transpose() * theirs * T;
    }
    MatrixX<double> jacobian(const MatrixX<double>& theirs) const { return theirs * T; }
    MatrixX<double> jacobian_rate(const MatrixX<double>& theirs,
                                  const MatrixX<double>& their_rate) const {
        return their_rate * T + theirs * T_dot;
    }
};

// --- Agreement ----------------------------------------------------------------------------------

// Both sides round differently; on robots of this size that costs three digits of sixteen.
inline constexpr double kTolerance = 1e-12;
// Accelerations inherit the condition number of the mass matrix.
inline constexpr double kAccelerationTolerance = 1e-10;

// The largest difference, relative to the largest value, or absolute where all values are below one.
void expect_agree(const MatrixX<double>& ours, const MatrixX<double>& theirs, double tolerance,
                  const std::string& what);

// Entry by entry, relative to √(M_ii M_jj): a finger's inertia counts as much as the trunk's.
void expect_mass_matrices_agree(const MatrixX<double>& ours, const MatrixX<double>& theirs,
                                double tolerance);

}  // namespace plucker::test
