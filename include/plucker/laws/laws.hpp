// Every law of the library, checked on any robot at any state: the trust certificate.
//
// The laws are the library's own test suite, and they can be run on a user's robot.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>

#include "plucker/laws/derivative_laws.hpp"
#include "plucker/laws/dynamics_laws.hpp"
#include "plucker/laws/energy_laws.hpp"
#include "plucker/laws/kinematics_laws.hpp"
#include "plucker/laws/operational_laws.hpp"
#include "plucker/laws/regressor_laws.hpp"

namespace plucker::laws {

// For each coordinate of v, how large the numbers are that it is found from, as a difference of configurations.
template <class S>
VectorX<double> difference_size(const Model& model, const State<S>& s) {
    const VectorX<double> q_size = magnitudes(s.q);
    VectorX<double> size = magnitudes(s.v);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic) continue;
        const double* const q = q_size.data() + body.q_index;
        double* const v = size.data() + body.v_index;
        if (has_coordinate_velocity(body.joint)) {
            for (int k = 0; k < body.nv; ++k) v[k] += q[k];
            continue;
        }
        // In the rest, angular coordinates come first in v, and last in q; they turn the linear ones.
        const int turns = number_of_turns(body.joint);
        const int moves = body.nv - turns;
        const double turned =
            std::accumulate(q + moves, q + body.nq, std::accumulate(v, v + turns, 0.0));
        const double moved =
            std::accumulate(q, q + moves, std::accumulate(v + turns, v + body.nv, 0.0));
        std::fill_n(v, turns, turned);
        std::fill_n(v + turns, moves, (1 + turned) * moved);
    }
    return size;
}

// With a velocity that turns nothing by more than a radian or two within a second: farther round, difference finds the shorter way.
template <class S>
State<S> with_short_step(const Model& model, State<S> s) {
    double largest = 1;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (has_coordinate_velocity(body.joint)) continue;
        for (int k = 0; k < number_of_turns(body.joint); ++k)
            largest = std::max(largest, static_cast<double>(magnitude(s.v[body.v_index + k])));
    }
    s.v = S(1 / largest) * s.v;
    return s;
}

// Configurations, and steps between them.
template <class S>
void check_steps(const Model& model, const State<S>& state, Report<S>& report) {
    const State<S> s = with_short_step(model, state);
    const VectorX<double> size = difference_size(model, s);
    const VectorX<S> there = integrate(model, s.q, s.v);
    report.equal("difference undoes integrate", difference(model, s.q, there), s.v, size);

    VectorX<S> normal = s.q;
    Workspace<S> ws(model);
    normalize_configuration(ws, normal);
    report.equal("to normalize is no step", difference(model, s.q, normal), zeros<S>(model.nv()),
                 size);

    report.equal("q̇ is the rate of q", configuration_rate(model, s.q, s.v),
                 rate_of(moving(model, s).q),
                 filled<double>(model.nq(), (1 + max_magnitude(s.q)) * size.sum()));

    const auto step = integrate_derivatives(model, s.q, s.v);
    const auto apart = difference_derivatives(model, s.q, there);
    const MatrixX<double> by_end = magnitudes(apart.by_q1);
    // Beside the products of their numbers: turns are found from configurations, and turn what hangs on them.
    const auto rounded = [&](MatrixX<double> products) {
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            if (body.mimic || has_coordinate_velocity(body.joint)) continue;
            const int turns = number_of_turns(body.joint), moves = body.nv - turns;
            for (int k = 0; k < turns; ++k) products.col(body.v_index + k) += size;
            // What turns is found up to rounding of one, also where it turns nothing.
            products.block(body.v_index + turns, body.v_index + turns, moves, moves).array() += 1;
        }
        return products;
    };
    report.equal("derivatives of difference undo those of integrate", apart.by_q1 * step.by_dv,
                 identity<S>(model.nv()), rounded(by_end * magnitudes(step.by_dv)));
    report.equal("a step's end moves with its beginning", apart.by_q1 * step.by_q, -apart.by_q0,
                 rounded(by_end * magnitudes(step.by_q)));
}

// All laws at one state. Those that the robot does not have there, as it lacks mass, are reported as such.
template <class S>
void check_all(const Model& model, const State<S>& s, Report<S>& report) {
    check_mass_matrix(model, s, report);
    check_forward_dynamics(model, s, report);
    check_hybrid_dynamics(model, s, report);
    check_coriolis(model, s, report);
    check_frames(model, s, report);
    check_all_jacobians(model, s, report);
    check_operational_inertia(model, s, report);
    check_center_of_mass(model, s, report);
    check_momentum(model, s, report);
    check_energy(model, s, report);
    check_free_motion(model, s, report);
    check_constraint_forces(model, s, report);
    check_dynamics_derivatives(model, s, report);
    check_frame_derivatives(model, s, report);
    check_centroidal_derivatives(model, s, report);
    check_regressors(model, s, report);
    check_steps(model, s, report);
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

// The worst residual of each law at these states. `progress`, if given, is called after each with the number done.
std::vector<Residual> verify(const Model& model, std::span<const State<double>> states,
                             const std::function<void(int)>& progress = {});
// At `samples` random states, with torques of the order that such motions of this robot take.
std::vector<Residual> verify(const Model& model, int samples, std::uint32_t seed,
                             const std::function<void(int)>& progress = {});

}  // namespace plucker::laws
