// Laws of derivatives: along the robot's motion they add up to the rates, which dual numbers compute.
#pragma once

#include "plucker/laws/dynamics_laws.hpp"
#include "plucker/laws/energy_laws.hpp"
#include "plucker/laws/kinematics_laws.hpp"

namespace plucker::laws {

namespace law {

inline constexpr const char* kForwardSlope = "rate of forward dynamics = its derivatives · motion";
inline constexpr const char* kForwardInverse = "∂a/∂τ = M⁻¹";
inline constexpr const char* kForwardCurvature = "μᵀ ∂²a/∂v∂v v = -λᵀ ∂²τ/∂v∂v v, with μ = M λ";
inline constexpr const char* kForwardMixed = "M (μᵀ ∂²a/∂q∂τ)ᵀ v = -(λᵀ ∂²τ/∂q∂a)ᵀ v";
inline constexpr std::array kOfForwardSlopes{kForwardSlope, kForwardInverse, kForwardCurvature,
                                             kForwardMixed};
inline constexpr const char* kMomentumSlope = "rate of momentum = its derivatives · motion";
inline constexpr const char* kMomentumRateSlope =
    "rate of the momentum's rate = its derivatives · motion";
inline constexpr const char* kComVelocitySlope =
    "acceleration of the centre of mass = its velocity's derivatives · motion";
inline constexpr const char* kComAccelerationSlope =
    "jerk of the centre of mass = its acceleration's derivatives · motion";
inline constexpr std::array kOfCentroidalSlopes{kMomentumSlope, kMomentumRateSlope,
                                                kComVelocitySlope, kComAccelerationSlope};

}  // namespace law

// Torques and accelerations.
template <class S>
void check_dynamics_derivatives(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v), a_size = magnitudes(s.a);
    const State<Dual<S>> next = moving(model, s);
    const auto x = inverse_dynamics_derivatives(model, s.q, s.v, s.a);
    const Sizes::Slopes slopes = sizes.torque_slopes(v_size, a_size);
    const VectorX<double> rate_size =
        slopes.dq * v_size + slopes.dv * a_size + sizes.torques(v_size, a_size);
    report.equal("rate of torques = ∂τ/∂q v + ∂τ/∂v a",
                 rate_of(inverse_dynamics(model, next.q, next.v, next.a)),
                 x.dtau_dq * s.v + x.dtau_dv * s.a, rate_size);
    report.equal("∂τ/∂a = M", x.dtau_da, mass_matrix(model, s.q), sizes.mass_matrix());

    // Second derivatives, contracted with the accelerations in the place of λ.
    const VectorX<double>& lambda_size = a_size;
    const auto H = inverse_dynamics_hessians(model, s.q, s.v, s.a, s.a);
    report.equal("λᵀ ∂²τ/∂q∂a v = rate of M λ", transposed(H.qa) * s.v,
                 rate_of(mass_matrix(model, next.q)) * s.a,
                 2 * sizes.coriolis_matrix(v_size) * lambda_size);
    // τ and its derivatives by q are quadratic in v, but for friction: Euler's rule.
    const VectorX<S> still = zeros<S>(model.nv());
    const auto at_rest = inverse_dynamics_derivatives(model, s.q, still, s.a);
    report.equal("λᵀ ∂²τ/∂q∂v v = twice what v adds to λᵀ ∂τ/∂q", H.qv * s.v,
                 S(2) * (transposed(x.dtau_dq - at_rest.dtau_dq) * s.a),
                 transposed(slopes.dq) * lambda_size);
    report.equal("λᵀ ∂²τ/∂v∂v v = what v adds to λᵀ ∂τ/∂v", H.vv * s.v,
                 transposed(x.dtau_dv - at_rest.dtau_dv) * s.a,
                 transposed(slopes.dv) * lambda_size);

    // Of every torque by itself. An entry is rounded as the largest of its matrix are.
    const auto all = inverse_dynamics_second_derivatives(model, s.q, s.v, s.a);
    const auto make_up = [&](const MatrixX<S>& tensor, const MatrixX<S>& whole, double size) {
        const long n = model.nv();
        MatrixX<S> sum = zeros<S>(n, n);
        for (long k = 0; k < n; ++k) sum += s.a[k] * columns_of(tensor, k * n, n);
        const double scale =
            static_cast<double>(n) * (size + max_magnitude(tensor)) * max_magnitude(s.a);
        report.equal("Σ λ_k ∂²τ_k = λᵀ ∂²τ", sum, whole, filled<double>(n, n, scale));
    };
    make_up(all.qq, H.qq, max_magnitude(slopes.dq));
    make_up(all.qv, H.qv, max_magnitude(slopes.dq));
    make_up(all.vv, H.vv, max_magnitude(slopes.dv));
    make_up(all.qa, H.qa, max_magnitude(sizes.mass_matrix()));

    if (const Regularity M = regularity_of_mass_matrix(model, s, report); !M.regular()) {
        report.not_checked(law::kOfForwardSlopes, M.obstacle);
        return;
    }
    const auto y = forward_dynamics_derivatives(model, s.q, s.v, s.tau);
    const MatrixX<S> M = mass_matrix(model, s.q);
    const VectorX<S> a = forward_dynamics(model, s.q, s.v, s.tau);
    const VectorX<S> slope = y.da_dq * s.v + y.da_dv * s.a;
    const Sizes::Slopes there = sizes.torque_slopes(v_size, magnitudes(a));
    const MatrixX<double> M_size = sizes.mass_matrix();
    const MatrixX<double> error_of_inverse = magnitudes(y.da_dtau) * M_size * magnitudes(y.da_dtau);
    // As torques: an error of a, which is M⁻¹ times that of torques, is felt through ∂τ/∂q's own a.
    const VectorX<double> a_error =
        error_of_inverse * (sizes.torques(v_size, magnitudes(a)) + magnitudes(s.tau));
    report.equal(law::kForwardSlope, M * slope,
                 M * rate_of(forward_dynamics(model, next.q, next.v, next.tau)),
                 there.dq * v_size + there.dv * a_size + M_size * magnitudes(slope) +
                     sizes.torque_slopes(v_size, magnitudes(a) + a_error).dq * v_size);
    report.equal(law::kForwardInverse, M * y.da_dtau, identity<S>(model.nv()),
                 M_size * error_of_inverse);

    // Second derivatives at a, by those of inverse dynamics there. λ comes from M λ, with an error of M.
    const auto inverse = inverse_dynamics_hessians(model, s.q, s.v, a, s.a);
    const auto forward = forward_dynamics_hessians(model, s.q, s.v, s.tau, M * s.a);
    const VectorX<double> solved_size = lambda_size + error_of_inverse * M_size * lambda_size;
    report.equal(law::kForwardCurvature, forward.vv * s.v, -(inverse.vv * s.v),
                 transposed(there.dv) * solved_size);
    const VectorX<S> along = transposed(forward.qtau) * s.v;
    report.equal(law::kForwardMixed, M * along, -(transposed(inverse.qa) * s.v),
                 2 * sizes.coriolis_matrix(v_size) * solved_size +
                     M_size * magnitudes(y.da_dtau) * M_size * magnitudes(along));
}

// Frames.
template <class S>
void check_frame_derivatives(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v), a_size = magnitudes(s.a);
    const State<Dual<S>> next = moving(model, s);
    const FrameId frame = model.body_frame(model.num_bodies());
    for (const auto reference : kReferenceFrames) {
        const auto x = frame_velocity_derivatives(model, s.q, s.v, frame, reference);
        report.equal("rate of a frame's velocity = its derivatives · motion",
                     rate_of(to_eigen(frame_velocity(model, next.q, next.v, frame, reference))),
                     x.dvelocity_dq * s.v + x.dvelocity_dv * s.a,
                     sizes.frame_velocity_slopes(frame, reference, v_size) * v_size +
                         sizes.jacobian(frame, reference) * a_size);
        const auto y = frame_acceleration_derivatives(model, s.q, s.v, s.a, frame, reference);
        const Sizes::Slopes slopes =
            sizes.frame_acceleration_slopes(frame, reference, v_size, a_size);
        report.equal(
            "rate of a frame's acceleration = its derivatives · motion",
            rate_of(to_eigen(frame_acceleration(model, next.q, next.v, next.a, frame, reference))),
            y.dacceleration_dq * s.v + y.dacceleration_dv * s.a,
            slopes.dq * v_size + slopes.dv * a_size);
        report.equal("∂/∂a of a frame's acceleration = its Jacobian", y.dacceleration_da,
                     frame_jacobian(model, s.q, frame, reference),
                     sizes.jacobian(frame, reference));

        const auto z =
            frame_classical_acceleration_derivatives(model, s.q, s.v, s.a, frame, reference);
        // ω × v, and its rate.
        const VectorX<double> velocity = sizes.jacobian(frame, reference) * v_size;
        const VectorX<double> rate =
            sizes.frame_velocity_slopes(frame, reference, v_size) * v_size +
            sizes.jacobian(frame, reference) * a_size;
        VectorX<double> size = slopes.dq * v_size + slopes.dv * a_size;
        const auto turning = [](const VectorX<double>& six) { return six[0] + six[1] + six[2]; };
        const auto moving_on = [](const VectorX<double>& six) { return six[3] + six[4] + six[5]; };
        for (int k = 3; k < 6; ++k)
            size[k] += turning(velocity) * moving_on(rate) + turning(rate) * moving_on(velocity);
        report.equal("rate of a frame's classical acceleration = its derivatives · motion",
                     rate_of(to_eigen(frame_classical_acceleration(model, next.q, next.v, next.a,
                                                                   frame, reference))),
                     z.dacceleration_dq * s.v + z.dacceleration_dv * s.a, size);
        report.equal("∂/∂a of a frame's acceleration = its Jacobian", z.dacceleration_da,
                     frame_jacobian(model, s.q, frame, reference),
                     sizes.jacobian(frame, reference));
    }
}

// Sums over the robot.
template <class S>
void check_centroidal_derivatives(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v), a_size = magnitudes(s.a);
    const State<Dual<S>> next = moving(model, s);
    const Sizes::Slopes force = sizes.force_slopes(v_size, a_size);
    const VectorX<double> force_size = force.dq * v_size + force.dv * a_size;
    const Sizes::Slopes momentum = sizes.momentum_slopes(v_size);
    const VectorX<double> momentum_size = momentum.dq * v_size + momentum.dv * a_size;
    // A moment about a point that is farther away.
    const auto about = [](double distance, const VectorX<double>& size) {
        VectorX<double> out = size;
        for (int k = 0; k < 3; ++k) out[k] += distance * (size[3] + size[4] + size[5]);
        return out;
    };

    const auto T = kinetic_energy_gradient(model, s.q, s.v);
    report.equal(
        "rate of kinetic energy = its gradient · motion",
        kinetic_energy(model, next.q, next.v).derivative,
        S(sum_of_products(T.dq, s.v) + sum_of_products(T.dv, s.a)),
        sum_of_products(v_size, sizes.torques(v_size, a_size) + sizes.mass_matrix() * a_size));

    const auto f = ground_force_derivatives(model, s.q, s.v, s.a);
    const auto ground = reaction_forces(model, next.q, next.v, next.a);
    // The force is first summed about the anchor, or body by body, and the place of the sum moves with the robot.
    const ForceSize whole = sizes.forces(v_size, a_size)[0];
    const VectorX<double> moved = six_of(
        {sizes.velocities(v_size)[static_cast<std::size_t>(model.num_bodies() > 0 ? 1 : 0)].linear *
             whole.linear,
         0});
    report.equal("rate of the ground's force = its derivatives · motion",
                 rate_of(to_eigen(ground[0])), f.dforce_dq * s.v + f.dforce_dv * s.a,
                 about(sizes.anchor(), force_size) + moved);

    if (model.total_mass() <= 0) {
        report.not_checked(law::kOfCentroidalSlopes, law::kNoMass);
        return;
    }
    const auto h = centroidal_momentum_derivatives(model, s.q, s.v);
    report.equal(law::kMomentumSlope, rate_of(to_eigen(centroidal_momentum(model, next.q, next.v))),
                 h.dmomentum_dq * s.v + h.dmomentum_dv * s.a,
                 about(sizes.centroid(), momentum_size));
    const auto h_dot = centroidal_momentum_dot_derivatives(model, s.q, s.v, s.a);
    report.equal(law::kMomentumRateSlope,
                 rate_of(to_eigen(centroidal_momentum_dot(model, next.q, next.v, next.a))),
                 h_dot.drate_dq * s.v + h_dot.drate_dv * s.a, about(sizes.centroid(), force_size));
    const auto c = com_velocity_derivatives(model, s.q, s.v);
    report.equal(law::kComVelocitySlope, rate_of(com_velocity(model, next.q, next.v)),
                 c.dvelocity_dq * s.v + c.dvelocity_dv * s.a,
                 rows_of(momentum_size, 3, 3) / sizes.mass());
    const auto c_dot = com_acceleration_derivatives(model, s.q, s.v, s.a);
    report.equal(law::kComAccelerationSlope,
                 rate_of(com_acceleration(model, next.q, next.v, next.a)),
                 c_dot.dacceleration_dq * s.v + c_dot.dacceleration_dv * s.a,
                 rows_of(force_size, 3, 3) / sizes.mass());
}

}  // namespace plucker::laws
