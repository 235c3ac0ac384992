// Every law of the library, checked on any robot at any state: the trust certificate.
//
// The laws are the library's own test suite, and they can be run on a user's robot.
#pragma once

#include <cstdint>
#include <functional>

#include "plucker/laws/dynamics_laws.hpp"
#include "plucker/laws/energy_laws.hpp"
#include "plucker/laws/kinematics_laws.hpp"

namespace plucker::laws {

// All laws at one state. The robot must have mass, and a mass matrix that is not singular.
template <class S>
void check_all(const Model& model, const State<S>& s, Report<S>& report) {
    check_mass_matrix(model, s, report);
    check_forward_dynamics(model, s, report);
    check_hybrid_dynamics(model, s, report);
    check_coriolis(model, s, report);
    check_frames(model, s, report);
    check_center_of_mass(model, s, report);
    check_momentum(model, s, report);
    check_energy(model, s, report);
    check_free_motion(model, s, report);
    check_constraint_forces(model, s, report);
    report.equal("difference undoes integrate", difference(model, s.q, integrate(model, s.q, s.v)),
                 s.v);
}

// A state at random: configuration within limits; velocities, accelerations and torques of order one.
template <class Generator>
State<double> random_state(const Model& model, Generator& generator) {
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&] {
        VectorX<double> out(model.nv());
        for (double& x : out) x = unit(generator);
        return out;
    };
    VectorX<double> q = random_configuration(model, generator);
    return {std::move(q), vector(), vector(), vector()};
}

// Checks `samples` random states in double precision and returns the worst residual of each law.
// `progress`, if given, is called after each state with the number done.
std::vector<Residual> verify(const Model& model, int samples, std::uint32_t seed,
                             const std::function<void(int)>& progress = {});

}  // namespace plucker::laws
