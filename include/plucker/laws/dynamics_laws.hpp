// Laws of the equation of motion M a + C v + G = τ.
#pragma once

#include "plucker/algorithms/floating_base_inverse_dynamics.hpp"
#include "plucker/algorithms/gravity_torque.hpp"
#include "plucker/algorithms/hybrid_dynamics.hpp"
#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/algorithms/modified_newton_euler.hpp"
#include "plucker/laws/along_motion.hpp"

namespace plucker::laws {

template <class S>
void check_mass_matrix(const Model& model, const State<S>& s, Report<S>& report) {
    const MatrixX<S> M = mass_matrix(model, s.q);
    report.equal("M is symmetric", M, M.transpose());
    report.equal("M by composite bodies = M by unit accelerations", M,
                 mass_matrix_by_inverse_dynamics(model, s.q, s.v),
                 max_magnitude(bias_torque(model, s.q, s.v)));
    // M = LᵀDL with positive D.
    MatrixX<S> factors = M;
    Workspace<S> ws(model);
    bool positive = true;
    try {
        factor_mass_matrix(ws, factors);
    } catch (const Error&) {
        positive = false;
    }
    report.is_true("M is positive definite", positive);
    MatrixX<S> L = MatrixX<S>::Constant(model.nv(), model.nv(), S(0));
    for (int r = 0; r < model.nv(); ++r) {
        L(r, r) = S(1);
        for (int c = model.coordinate_parent()[r]; c >= 0; c = model.coordinate_parent()[c]) {
            L(r, c) = factors(c, r);
        }
    }
    report.equal("M = LᵀDL with the tree's sparsity", M,
                 (L.transpose() * factors.diagonal().asDiagonal() * L).eval());
    report.equal("the base's place does not change M", M, mass_matrix(model, [&] {
                     VectorX<S> moved = s.q;
                     if (!model.has_floating_base()) return moved;
                     moved[0] += S(1.0);
                     moved[1] -= S(2.0);
                     const Quaternion<S> turned = exponential(Vec3<S>{S(0.3), S(-0.2), S(0.5)}) *
                                                  SphericalJoint::attitude(moved.data() + 3);
                     SphericalJoint::store(turned, moved.data() + 3);
                     return moved;
                 }()));
}

template <class S>
void check_forward_dynamics(const Model& model, const State<S>& s, Report<S>& report) {
    const MatrixX<S> M = mass_matrix(model, s.q);
    const MatrixX<S> Minv = inverse_mass_matrix(model, s.q);
    const VectorX<S> tau = inverse_dynamics(model, s.q, s.v, s.a);
    const VectorX<S> bias = bias_torque(model, s.q, s.v);
    const double inverse_size = max_magnitude(Minv);
    // An error in a torque becomes one in the acceleration, enlarged by M⁻¹.
    const double scale = inverse_size * (max_magnitude(tau) + max_magnitude(bias));
    report.equal("M a + bias = inverse dynamics", (M * s.a + bias).eval(), tau,
                 max_magnitude(M) * max_magnitude(s.a));
    report.equal("M M⁻¹ = 1", (M * Minv).eval(), MatrixX<S>::Identity(model.nv(), model.nv()),
                 inverse_size * max_magnitude(M));
    report.equal("M⁻¹ by articulated bodies = M⁻¹ by factors",
                 inverse_mass_matrix_by_articulated_bodies(model, s.q), Minv,
                 inverse_size * max_magnitude(M) * inverse_size);
    report.equal("M⁻¹ x without forming M⁻¹", inverse_mass_matrix_times(model, s.q, s.tau),
                 (Minv * s.tau).eval(), inverse_size * max_magnitude(s.tau));
    report.equal("forward dynamics undoes inverse dynamics", forward_dynamics(model, s.q, s.v, tau),
                 s.a, scale);
    const VectorX<S> a = forward_dynamics(model, s.q, s.v, s.tau);
    const double free_scale = inverse_size * (max_magnitude(s.tau) + max_magnitude(bias));
    report.equal("articulated bodies = solving with M", a,
                 forward_dynamics_by_mass_matrix(model, s.q, s.v, s.tau), free_scale);
    report.equal("articulated bodies = M⁻¹ (τ - bias)", a, (Minv * (s.tau - bias)).eval(),
                 free_scale);
    report.equal("inverse dynamics undoes forward dynamics", inverse_dynamics(model, s.q, s.v, a),
                 s.tau, max_magnitude(M) * max_magnitude(a) + max_magnitude(bias));
}

template <class S>
void check_hybrid_dynamics(const Model& model, const State<S>& s, Report<S>& report) {
    const VectorX<S> tau = inverse_dynamics(model, s.q, s.v, s.a);
    const double torques = max_magnitude(tau) + max_magnitude(bias_torque(model, s.q, s.v));
    const double accelerations = max_magnitude(inverse_mass_matrix(model, s.q)) * torques;
    // Every second joint, all, or none given: the rest of a consistent motion must be found.
    for (const int period : {1, 2, model.num_bodies() + 1}) {
        std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
        VectorX<S> a = s.a;
        VectorX<S> torque = tau;
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            const bool is_given = i % period == 0;
            if (is_given) given[static_cast<std::size_t>(i)] = Given::kAcceleration;
            if (body.mimic) continue;
            for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
                (is_given ? torque : a)[k] = S(0);
            }
        }
        const auto found = hybrid_dynamics(model, s.q, s.v, given, a, torque);
        report.equal("hybrid dynamics completes a motion", found.a, s.a, accelerations);
        report.equal("hybrid dynamics completes a motion", found.tau, tau,
                     torques + max_magnitude(mass_matrix(model, s.q)) * accelerations);
    }
    if (!model.has_floating_base()) return;
    const auto base = floating_base_inverse_dynamics(model, s.q, s.v, s.a.tail(model.nv() - 6));
    VectorX<S> a = s.a;
    a.template head<6>() = to_eigen(base.base_acceleration);
    VectorX<S> torque = VectorX<S>::Constant(model.nv(), S(0));
    torque.tail(model.nv() - 6) = base.joint_torques;
    report.equal("floating-base dynamics leaves no force on the base",
                 inverse_dynamics(model, s.q, s.v, a), torque,
                 torques + max_magnitude(mass_matrix(model, s.q)) * max_magnitude(a));
}

template <class S>
void check_coriolis(const Model& model, const State<S>& s, Report<S>& report) {
    const auto [C, G] = modified_newton_euler(model, s.q, s.v);
    const MatrixX<S> christoffel = coriolis_matrix(model, s.q, s.v);
    const VectorX<S> bias = bias_torque(model, s.q, s.v);
    const VectorX<S> friction = friction_torque(model, s.v);
    const double scale = max_magnitude(C) * max_magnitude(s.v) + max_magnitude(bias);
    report.equal("C v + G = bias (Modified Newton–Euler)", (C * s.v + G + friction).eval(), bias,
                 scale);
    report.equal("C v + G = bias (Christoffel)", (christoffel * s.v + G + friction).eval(), bias,
                 scale);
    report.equal("G = gravity torque", G, gravity_torque(model, s.q));
    const MatrixX<S> M_dot = rate_of(mass_matrix(model, moving(model, s).q));
    const auto skew = [&](const char* law, const MatrixX<S>& Coriolis) {
        const MatrixX<S> N = M_dot - S(2) * Coriolis;
        report.equal(law, N, (-N.transpose()).eval());
    };
    skew("Ṁ - 2C is skew-symmetric (Modified Newton–Euler)", C);
    skew("Ṁ - 2C is skew-symmetric (Christoffel)", christoffel);
    const VectorX<S> transposed = coriolis_transpose_times_velocity(model, s.q, s.v);
    report.equal("Cᵀ v", transposed, (C.transpose() * s.v).eval(), scale);
    report.equal("Cᵀ v", transposed, (christoffel.transpose() * s.v).eval(), scale);
    if (model.nv() > 64) return;  // nv³ numbers
    const int n = model.nv();
    const MatrixX<S> symbols = christoffel_symbols(model, s.q);
    MatrixX<S> sum = MatrixX<S>::Constant(n, n, S(0));
    for (int k = 0; k < n; ++k) sum += symbols.middleCols(k * n, n) * s.v[k];
    report.equal("C = Σ Γ v", sum, christoffel, max_magnitude(symbols) * max_magnitude(s.v));
    for (int i = 1; i <= model.num_bodies(); ++i) {
        if (!has_coordinate_velocity(model.body(i).joint)) return;
    }
    // Where velocities are the rates of coordinates, the last two indices commute.
    for (int k = 0; k < n; ++k) {
        MatrixX<S> swapped(n, n);
        for (int j = 0; j < n; ++j) swapped.col(j) = symbols.col(j * n + k);
        report.equal("Γ_ijk = Γ_ikj", symbols.middleCols(k * n, n), swapped);
    }
}

}  // namespace plucker::laws
