// Laws of the regressors: their product with the robot's own parameters equals the results of the other algorithms.
#pragma once

#include "plucker/laws/dynamics_laws.hpp"

namespace plucker::laws {

template <class S>
VectorX<S> numbers_in(const VectorX<double>& numbers) {
    VectorX<S> out(numbers.size());
    for (long k = 0; k < out.size(); ++k) out[k] = S(numbers[k]);
    return out;
}

template <class S>
void check_regressors(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const VectorX<double> a_size = magnitudes(s.a);
    const VectorX<double> parameters = dynamic_parameters(model);
    const auto pi = numbers_in<S>(parameters);
    // A link's numbers are about its own origin: they may be larger than the body's, and their terms cancel.
    const auto same = [&](const char* law, const MatrixX<S>& Y, const VectorX<S>& right,
                          const VectorX<double>& size) {
        report.equal(law, Y * pi, right, size + magnitudes(Y) * magnitudes(parameters));
    };
    const VectorX<double> torques = sizes.torques(v_size, a_size);
    const VectorX<S> tau = inverse_dynamics(model, s.q, s.v, s.a);
    const VectorX<S> friction = friction_torque(model, s.v);
    same("torque regressor: Y π = inverse dynamics", torque_regressor(model, s.q, s.v, s.a), tau,
         torques);
    same("static regressor: Y π = G", static_regressor(model, s.q), gravity_torque(model, s.q),
         sizes.gravity_torques());
    const VectorX<S> momentum = mass_matrix(model, s.q) * s.v;
    same("momentum regressor: Y π = M v", momentum_regressor(model, s.q, s.v), momentum,
         sizes.mass_matrix() * v_size);
    const MatrixX<S> bias = momentum_bias_regressor(model, s.q, s.v);
    same("momentum bias regressor: Y π = G + friction - Cᵀ v", bias,
         gravity_torque(model, s.q) + friction - coriolis_transpose_times_v(model, s.q, s.v),
         torques);
    const VectorX<S> rate = [&] {
        const State<Dual<S>> next = moving(model, s);
        return rate_of(momentum_regressor(model, next.q, next.v) * numbers_in<Dual<S>>(parameters));
    }();
    report.equal("rate of momentum + its bias = inverse dynamics", rate + bias * pi, tau,
                 torques + magnitudes(bias) * magnitudes(parameters));
    VectorX<S> energies(2);
    energies[0] = kinetic_energy(model, s.q, s.v);
    energies[1] = potential_energy(model, s.q);
    VectorX<double> energy_size(2);
    energy_size[0] = sum_of_products(v_size, sizes.mass_matrix() * v_size);
    energy_size[1] = length(model.gravity()) * sizes.mass() *
                     (sizes.anchor() + (sizes.mass() > 0 ? sizes.centroid() : 0));
    same("energy regressor: Y π = kinetic, potential energy", energy_regressor(model, s.q, s.v),
         energies, energy_size);
}

}  // namespace plucker::laws
