// The laws of mechanics between results of one GPU: no other computation is asked.
#pragma once

#include <gtest/gtest.h>

#include "batch/runs.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::test {

// What a robot's functions give for some states, as an Eigen matrix in double for each state.
template <class T>
class OnGpu {
public:
    static constexpr long kStates = 32;

    OnGpu(const Model& model, const gpu::Options& options)
        : states(random_states<T>(model, kStates)), gpu(model, options), n(model.nv()) {}

    struct Results {
        Rows<T> numbers;
        long rows, columns;

        batch::States<T> states() { return {numbers.data(), kStates, rows}; }
        batch::Matrices<T> matrices() { return {numbers.data(), kStates, rows, columns}; }
        Eigen::MatrixXd operator()(long k) const {
            return Eigen::Map<const Rows<T>>(numbers.data() + k * rows * columns, rows, columns)
                .template cast<double>();
        }
    };
    static Results results(long rows, long columns = 1) {
        return {Rows<T>::Zero(kStates, rows * columns), rows, columns};
    }
    Results vectors() const { return results(n); }
    Results squares() const { return results(n, n); }

    StateRows<T> states;
    gpu::HostEvaluator<T> gpu;
    long n;
};

// Relative to the terms that were added up, as in plucker/laws; what is solved with M inherits its condition number.
template <class T>
void expect_laws(const Model& model, const gpu::Options& options) {
    SCOPED_TRACE(model.name() + (std::is_same_v<T, double> ? ", double" : ", float"));
    OnGpu<T> on(model, options);
    auto& gpu = on.gpu;
    const auto& [q, v, a, tau, other_q, forces] = on.states;
    const long n = on.n;
    auto M = on.squares(), inverse = on.squares();
    // A robot with a joint that moves no mass has no acceleration.
    if (inverse_mass_matrix(gpu, q, inverse.matrices()) > 0) return;
    mass_matrix(gpu, q, M.matrices());

    auto torque = on.vectors(), back = on.vectors(), bias = on.vectors();
    inverse_dynamics(gpu, q, v, a, torque.states());
    forward_dynamics(gpu, q, v, torque.numbers, back.states());
    bias_torque(gpu, q, v, bias.states());

    auto C = on.squares(), gravity = on.vectors(), friction = on.vectors(), CTv = on.vectors();
    coriolis_matrix(gpu, q, v, C.matrices());
    gravity_torque(gpu, q, gravity.states());
    friction_torque(gpu, v, friction.states());
    coriolis_transpose_times_v(gpu, q, v, CTv.states());

    auto by_q = on.squares(), by_v = on.squares(), by_a = on.squares(), by_tau = on.squares();
    inverse_dynamics_derivatives(gpu, q, v, a, by_q.matrices(), by_v.matrices(), by_a.matrices());
    forward_dynamics_derivatives(gpu, q, v, tau, by_q.matrices(), by_v.matrices(),
                                 by_tau.matrices());

    auto energy = on.results(1), energy_by_q = on.vectors(), energy_by_v = on.vectors();
    kinetic_energy(gpu, q, v, energy.states());
    kinetic_energy_gradient(gpu, q, v, energy_by_q.states(), energy_by_v.states());

    auto A = on.results(6, n), h = on.results(6), J = on.results(6, n), velocity = on.results(6);
    centroidal_momentum_matrix(gpu, q, A.matrices());
    centroidal_momentum(gpu, q, v, h.states());
    const FrameId tip = model.body_frame(model.num_bodies());
    frame_jacobian(gpu, q, tip, J.matrices());
    frame_velocity(gpu, q, v, tip, velocity.states());

    auto moved = on.results(model.nq()), step = on.vectors();
    integrate(gpu, q, v, moved.states());
    difference(gpu, q, moved.numbers, step.states());

    if (gpu.device().info().name == "collecting") return;  // host_device.hpp

    const double rounding =
        64 * static_cast<double>(n + 8) * static_cast<double>(std::numeric_limits<T>::epsilon());
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
    for (long k = 0; k < OnGpu<T>::kStates; ++k) {
        const auto equal = [&](const char* law, const Eigen::MatrixXd& left,
                               const Eigen::MatrixXd& right, double scale) {
            EXPECT_LE((left - right).norm(), rounding * scale) << law << ", state " << k;
        };
        const Eigen::VectorXd v_k = v.row(k).transpose().template cast<double>();
        const Eigen::VectorXd a_k = a.row(k).transpose().template cast<double>();
        const double condition = M(k).norm() * inverse(k).norm();
        const double of_bias = C(k).norm() * v_k.norm() + gravity(k).norm() + friction(k).norm();
        const double of_torque = M(k).norm() * a_k.norm() + of_bias;

        equal("M is symmetric", M(k), M(k).transpose(), M(k).norm());
        equal("M times its inverse is 1", M(k) * inverse(k), one, condition);
        equal("forward dynamics undoes inverse dynamics", back(k), a_k,
              inverse(k).norm() * of_torque + condition * a_k.norm());
        equal("tau = M a + bias", torque(k), M(k) * a_k + bias(k), of_torque);
        equal("bias = C v + G + friction", bias(k), C(k) * v_k + gravity(k) + friction(k), of_bias);
        equal("C^T v", CTv(k), C(k).transpose() * v_k, C(k).norm() * v_k.norm());
        equal("d tau / d a = M", by_a(k), M(k), M(k).norm());
        equal("d a / d tau = the inverse of M", by_tau(k), inverse(k),
              condition * inverse(k).norm());
        equal("kinetic energy = v M v / 2", energy(k), v_k.transpose() * M(k) * v_k / 2,
              M(k).norm() * v_k.squaredNorm());
        equal("its gradient by v = M v", energy_by_v(k), M(k) * v_k, M(k).norm() * v_k.norm());
        equal("centroidal momentum = A v", h(k), A(k) * v_k, A(k).norm() * v_k.norm());
        equal("velocity = J v", velocity(k), J(k) * v_k, J(k).norm() * v_k.norm());
        equal("difference undoes integrate", step(k), v_k,
              v_k.norm() + moved(k).norm() + q.row(k).template cast<double>().norm());
    }
}

}  // namespace plucker::test
