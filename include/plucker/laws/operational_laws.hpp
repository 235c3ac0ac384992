// Laws of operational-space inertia.
#pragma once

#include "plucker/laws/dynamics_laws.hpp"
#include "plucker/laws/kinematics_laws.hpp"

namespace plucker::laws {

namespace law {

inline constexpr const char* kLambdaInverse = "Λ⁻¹ = J M⁻¹ Jᵀ";
inline constexpr const char* kPushedFrame = "a force changes its frame's acceleration by Λ⁻¹ f";
inline constexpr const char* kLambda = "Λ Λ⁻¹ = 1";
inline constexpr std::array kOfAnyFrame{kLambdaInverse, kPushedFrame};

}  // namespace law

template <class S>
void check_operational_inertia(const Model& model, const State<S>& s, Report<S>& report) {
    // Most robots are too simple to move a frame in all six ways: that is nothing to report.
    const bool is_free = applies_to(table::OperationalInertia::kAlgorithm, model);
    const Regularity regularity = regularity_of_mass_matrix(model, s, report);
    if (!regularity.regular()) {
        report.not_checked(law::kOfAnyFrame, regularity.obstacle);
        if (is_free) report.not_checked(std::array{law::kLambda}, regularity.obstacle);
        return;
    }
    const Sizes sizes(model, s.q);
    const MatrixX<S> Minv = inverse_mass_matrix(model, s.q);
    // An error of M, taken through M⁻¹, is one of M⁻¹.
    const MatrixX<double> Minv_error = magnitudes(Minv) * sizes.mass_matrix() * magnitudes(Minv);
    const FrameId frame = model.body_frame(model.num_bodies());
    for (const auto reference : kReferenceFrames) {
        const MatrixX<S> J = frame_jacobian(model, s.q, frame, reference);
        const MatrixX<double> J_size = sizes.jacobian(frame, reference);
        const MatrixX<S> Lambda_inv = inverse_operational_inertia(model, s.q, frame, reference);
        report.equal(law::kLambdaInverse, Lambda_inv, J * Minv * transposed(J),
                     J_size * Minv_error * transposed(J_size));

        if (!is_free) continue;
        Workspace<S> ws(model, OnFailure::kReport);
        MatrixX<S> Lambda(6, 6);
        if (operational_inertia(ws, s.q, frame, reference, Lambda) != Status::kOk) {
            report.not_checked(std::array{law::kLambda}, "the last body cannot move freely here");
            continue;
        }
        // A factorisation is off by rounding of √(A_ii A_jj), which solving enlarges by Λ; Λ is symmetric by decree. And it is that
        // of Λ⁻¹ in the frame's own coordinates, which in others, far away, is another sum.
        VectorX<double> root = diagonal_of(magnitudes(Lambda_inv));
        for (double& x : root) x = std::sqrt(x);
        const MatrixX<double> enlarged = root * (transposed(root) * magnitudes(Lambda));
        const MatrixX<double> summed = J_size * magnitudes(Minv) * transposed(J_size);
        report.equal(law::kLambda, Lambda_inv * Lambda, identity<S>(6),
                     enlarged * enlarged + summed * magnitudes(Lambda));
    }

    // A force on the frame as large as what the last body takes.
    const MatrixX<S> J = frame_jacobian(model, s.q, frame, ReferenceFrame::kBody);
    const MatrixX<double> J_size = sizes.jacobian(frame, ReferenceFrame::kBody);
    const Transform<S> X = cast<S>(model.frame(frame).X_frame_body);
    const Inertia<S> inertia = X * cast<S>(model.body(model.num_bodies()).inertia);
    const Force<S> f = inertia * to_motion(J * s.a);
    ExternalForces<S> push(model);
    push.add(frame, f, ReferenceFrame::kBody);
    const VectorX<S> a = forward_dynamics(model, s.q, s.v, s.tau);
    const VectorX<S> pushed = forward_dynamics(model, s.q, s.v, s.tau, &push);
    const VectorX<double> torques =
        sizes.torques(magnitudes(s.v), larger(magnitudes(a), magnitudes(pushed))) +
        magnitudes(s.tau) + transposed(J_size) * magnitudes(to_eigen(f));
    report.equal(law::kPushedFrame, J * (pushed - a),
                 inverse_operational_inertia(model, s.q, frame) * to_eigen(f),
                 J_size * (Minv_error * torques));
}

}  // namespace plucker::laws
