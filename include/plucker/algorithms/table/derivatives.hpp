// The table: derivatives. Those by q are along the tangent, as `integrate` moves.
#pragma once

#include <tuple>

#include "plucker/algorithms/configuration_derivatives.hpp"
#include "plucker/algorithms/function.hpp"
#include "plucker/algorithms/motion_derivatives.hpp"
#include "plucker/algorithms/second_derivative_tensors.hpp"
#include "plucker/algorithms/table/dynamics.hpp"
#include "plucker/algorithms/table/matrices.hpp"

namespace plucker {
namespace table {

struct InverseDynamicsDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_dynamics_derivatives",
        .says = "∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M of inverse dynamics",
        .source = "Singh, Russell and Wensing 2022, Algorithm 1; Carpentier and Mansard 2018",
        .inputs = {q, v, a, external},
        .outputs = {{"dtau_dq", Kind::kTorqueDerivative},
                    {"dtau_dv", Kind::kTorqueDerivative},
                    {"dtau_da", Kind::kTorqueDerivative}},
        .is_hot = true};
    template <class S>
    struct Result {
        MatrixX<S> dtau_dq, dtau_dv, dtau_da;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_dynamics_derivatives(ws, x.in(0), x.in(1), x.in(2), x.external, x.matrix(0),
                                             x.matrix(1), x.matrix(2));
    }
};

struct ForwardDynamicsDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "forward_dynamics_derivatives",
        .says = "∂a/∂q, ∂a/∂v and ∂a/∂τ = M⁻¹ of forward dynamics",
        .source = "Carpentier and Mansard 2018: -M⁻¹ times those of inverse dynamics",
        .inputs = {q, v, tau, external},
        .outputs = {{"da_dq", Kind::kAccelerationDerivative},
                    {"da_dv", Kind::kAccelerationDerivative},
                    {"da_dtau", Kind::kAccelerationDerivative}},
        .needs_regular_mass_matrix = true,
        .is_hot = true};
    template <class S>
    struct Result {
        MatrixX<S> da_dq, da_dv, da_dtau;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::forward_dynamics_derivatives(ws, x.in(0), x.in(1), x.in(2), x.external, x.matrix(0),
                                             x.matrix(1), x.matrix(2));
    }

    // For a robot of which these have code of their own: the acceleration, the derivatives there and M⁻¹ by code, the
    // products of matrices by loops.
    using Parts = std::tuple<ForwardDynamics, InverseDynamicsDerivatives, InverseMassMatrix>;
    template <class S, class CodeOfParts>
    static bool run_by_parts(Workspace<S>& ws, Operands<S>& x, const CodeOfParts& code) {
        S* const motion = ws.coordinates.any.data();
        if (!code(ForwardDynamics{}, {x.in(0), x.in(1), x.in(2)}, {motion})) return false;
        code(InverseDynamicsDerivatives{}, {x.in(0), x.in(1), motion},
             {x.out(0), x.out(1), x.out(2)});
        const auto dq = x.matrix(0), dv = x.matrix(1), M = x.matrix(2);
        const bool free_base = kernel::has_free_base<S>(ws, nullptr);
        if (free_base) {
            // A base that is turned is pulled another way: ∂τ/∂q tells where gravity points.
            const S* turning = x.in(1);
            const Vec3<S> pull{dq(4, 2), dq(5, 0), dq(3, 1)};
            kernel::free_base_columns<S>(ws.model().nv(), (S(1) / M(3, 3)) * pull,
                                         {turning[0], turning[1], turning[2]}, dq, dv);
        }
        if (!code(InverseMassMatrix{}, {x.in(0)}, {x.out(2)})) return false;
        kernel::multiply_by_minus_inverse<S>(ws, M, free_base, dq, dv);
        return true;
    }
};

struct InverseDynamicsHessians {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_dynamics_hessians",
        .says =
            "second derivatives of λᵀ τ for given multipliers λ, by (q, q), (q, v), (v, v) and (q, "
            "a); rows belong to the first of the two",
        .source = "Nganga and Wensing 2021; Singh, Russell and Wensing 2023",
        .inputs = {q, v, a, {"multipliers", Kind::kVelocity}, external},
        .outputs = {{"qq", Kind::kHessian},
                    {"qv", Kind::kHessian},
                    {"vv", Kind::kHessian},
                    {"qa", Kind::kHessian}}};
    template <class S>
    struct Result {
        MatrixX<S> qq, qv, vv, qa;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_dynamics_hessians<S>(ws, x.in(0), x.in(1), x.in(2), x.in(3), x.external,
                                             {x.matrix(0), x.matrix(1), x.matrix(2), x.matrix(3)});
    }
};

struct InverseDynamicsSecondDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_dynamics_second_derivatives",
        .says =
            "second derivatives of every torque: nv matrices side by side, 4 nv³ numbers in all",
        .source = "Singh, Russell and Wensing 2023",
        .inputs = {q, v, a, external},
        .outputs = {{"qq", Kind::kHessians},
                    {"qv", Kind::kHessians},
                    {"vv", Kind::kHessians},
                    {"qa", Kind::kHessians}},
        .is_hot = true};
    template <class S>
    struct Result {
        MatrixX<S> qq, qv, vv, qa;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_dynamics_second_derivatives<S>(
            ws, x.in(0), x.in(1), x.in(2), x.external,
            {x.matrix(0), x.matrix(1), x.matrix(2), x.matrix(3)}, x.take_block, x.taker);
    }
};

struct ForwardDynamicsHessians {
    static constexpr Algorithm kAlgorithm{
        .name = "forward_dynamics_hessians",
        .says =
            "second derivatives of μᵀ a for given multipliers μ, by (q, q), (q, v), (v, v) and (q, "
            "τ); rows belong to the first of the two",
        .source = "Singh, Russell and Wensing 2023: from those of inverse dynamics with λ = M⁻¹ μ",
        .inputs = {q, v, tau, {"multipliers", Kind::kTorque}, external},
        .outputs = {{"qq", Kind::kAccelerationDerivative},
                    {"qv", Kind::kAccelerationDerivative},
                    {"vv", Kind::kAccelerationDerivative},
                    {"qtau", Kind::kAccelerationDerivative}},
        .needs_regular_mass_matrix = true};
    template <class S>
    struct Result {
        MatrixX<S> qq, qv, vv, qtau;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::forward_dynamics_hessians<S>(ws, x.in(0), x.in(1), x.in(2), x.in(3), x.external,
                                             {x.matrix(0), x.matrix(1), x.matrix(2), x.matrix(3)});
    }
};

struct FrameVelocityDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "frame_velocity_derivatives",
        .says = "derivatives of a frame's velocity, in a reference frame, by q and v",
        .source = "Singh, Russell and Wensing 2022, eqs 19–33",
        .inputs = {q, v, frame, reference},
        .outputs = {{"dvelocity_dq", Kind::kSpatialDerivative},
                    {"dvelocity_dv", Kind::kSpatialDerivative}}};
    template <class S>
    struct Result {
        Matrix6X<S> dvelocity_dq, dvelocity_dv;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::frame_velocity_derivatives(ws, x.in(0), x.in(1), x.frame, x.reference, x.matrix(0),
                                           x.matrix(1));
    }
};

struct FrameAccelerationDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "frame_acceleration_derivatives",
        .says =
            "derivatives of a frame's spatial acceleration, in a reference frame, by q, v and a",
        .source = "Singh, Russell and Wensing 2022, eqs 19–33",
        .inputs = {q, v, a, frame, reference},
        .outputs = {{"dacceleration_dq", Kind::kSpatialDerivative},
                    {"dacceleration_dv", Kind::kSpatialDerivative},
                    {"dacceleration_da", Kind::kSpatialDerivative}}};
    template <class S>
    struct Result {
        Matrix6X<S> dacceleration_dq, dacceleration_dv, dacceleration_da;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::frame_acceleration_derivatives(ws, x.in(0), x.in(1), x.in(2), x.frame, x.reference,
                                               x.matrix(0), x.matrix(1), x.matrix(2));
    }
};

struct FrameClassicalAccelerationDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "frame_classical_acceleration_derivatives",
        .says =
            "derivatives of a frame's angular and classical acceleration, in a reference frame, by "
            "q, v and a",
        .source = "those of its spatial acceleration, and of ω × v",
        .inputs = {q, v, a, frame, reference},
        .outputs = {{"dacceleration_dq", Kind::kSpatialDerivative},
                    {"dacceleration_dv", Kind::kSpatialDerivative},
                    {"dacceleration_da", Kind::kSpatialDerivative}}};
    template <class S>
    struct Result {
        Matrix6X<S> dacceleration_dq, dacceleration_dv, dacceleration_da;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::frame_classical_acceleration_derivatives(ws, x.in(0), x.in(1), x.in(2), x.frame,
                                                         x.reference, x.matrix(0), x.matrix(1),
                                                         x.matrix(2));
    }
};

struct ComVelocityDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "com_velocity_derivatives",
        .says = "derivatives of the velocity of the centre of mass by q and v",
        .source = "the linear part of the momentum's derivatives, by mass",
        .inputs = {q, v},
        .outputs = {{"dvelocity_dq", Kind::kPointDerivative},
                    {"dvelocity_dv", Kind::kPointDerivative}},
        .needs_mass = true,
        .tells_bodies_apart = true};
    template <class S>
    struct Result {
        Matrix3X<S> dvelocity_dq, dvelocity_dv;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::com_velocity_derivatives(ws, x.in(0), x.in(1), x.matrix(0), x.matrix(1));
    }
};

struct ComAccelerationDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "com_acceleration_derivatives",
        .says = "derivatives of the acceleration of the centre of mass by q, v and a",
        .source = "the linear part of the derivatives of the momentum's rate, by mass",
        .inputs = {q, v, a},
        .outputs = {{"dacceleration_dq", Kind::kPointDerivative},
                    {"dacceleration_dv", Kind::kPointDerivative},
                    {"dacceleration_da", Kind::kPointDerivative}},
        .needs_mass = true,
        .tells_bodies_apart = true};
    template <class S>
    struct Result {
        Matrix3X<S> dacceleration_dq, dacceleration_dv, dacceleration_da;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::com_acceleration_derivatives(ws, x.in(0), x.in(1), x.in(2), x.matrix(0),
                                             x.matrix(1), x.matrix(2));
    }
};

struct CentroidalMomentumDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "centroidal_momentum_derivatives",
        .says = "derivatives of the momentum about the centre of mass by q and v",
        .source = "Carpentier and Mansard 2018, applied to the momentum",
        .inputs = {q, v},
        .outputs = {{"dmomentum_dq", Kind::kSpatialDerivative},
                    {"dmomentum_dv", Kind::kSpatialDerivative}},
        .needs_mass = true,
        .tells_bodies_apart = true};
    template <class S>
    struct Result {
        Matrix6X<S> dmomentum_dq, dmomentum_dv;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::centroidal_momentum_derivatives(ws, x.in(0), x.in(1), x.matrix(0), x.matrix(1));
    }
};

struct CentroidalMomentumDotDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "centroidal_momentum_dot_derivatives",
        .says = "derivatives of the rate of the momentum about the centre of mass by q, v and a",
        .source = "Carpentier and Mansard 2018, applied to the momentum's rate",
        .inputs = {q, v, a},
        .outputs = {{"drate_dq", Kind::kSpatialDerivative},
                    {"drate_dv", Kind::kSpatialDerivative},
                    {"drate_da", Kind::kSpatialDerivative}},
        .needs_mass = true,
        .tells_bodies_apart = true};
    template <class S>
    struct Result {
        Matrix6X<S> drate_dq, drate_dv, drate_da;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::centroidal_momentum_dot_derivatives(ws, x.in(0), x.in(1), x.in(2), x.matrix(0),
                                                    x.matrix(1), x.matrix(2));
    }
};

struct GroundForceDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "ground_force_derivatives",
        .says =
            "derivatives of the total force of the ground on the robot (the first of the reaction "
            "forces, in the world) by q, v and a",
        .source = "the sums of inverse_dynamics_derivatives at the root",
        .inputs = {q, v, a, external},
        .outputs = {{"dforce_dq", Kind::kSpatialDerivative},
                    {"dforce_dv", Kind::kSpatialDerivative},
                    {"dforce_da", Kind::kSpatialDerivative}},
        .tells_bodies_apart = true};
    template <class S>
    struct Result {
        Matrix6X<S> dforce_dq, dforce_dv, dforce_da;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::ground_force_derivatives(ws, x.in(0), x.in(1), x.in(2), x.external, x.matrix(0),
                                         x.matrix(1), x.matrix(2));
    }
};

struct KineticEnergyGradient {
    static constexpr Algorithm kAlgorithm{
        .name = "kinetic_energy_gradient",
        .says = "∂T/∂q, and ∂T/∂v = M v; ∂V/∂q is gravity_torque",
        .source = "ψ̇ · momentum of the subtree",
        .inputs = {q, v},
        .outputs = {{"dq", Kind::kGradient}, {"dv", Kind::kGradient}}};
    template <class S>
    struct Result {
        VectorX<S> dq, dv;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::kinetic_energy_gradient(ws, x.in(0), x.in(1), x.out(0), x.out(1));
    }
};

struct IntegrateDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "integrate_derivatives",
        .says = "derivatives of q ⊕ dv by q and by dv, each along its tangent",
        .source = "exponential maps of the joints, by dual numbers",
        .inputs = {q, {"dv", Kind::kVelocity}},
        .outputs = {{"by_q", Kind::kStepDerivative}, {"by_dv", Kind::kStepDerivative}}};
    template <class S>
    struct Result {
        MatrixX<S> by_q, by_dv;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::integrate_derivatives(ws, x.in(0), x.in(1), x.matrix(0), x.matrix(1));
    }
};

struct DifferenceDerivatives {
    static constexpr Algorithm kAlgorithm{
        .name = "difference_derivatives",
        .says = "derivatives of q1 ⊖ q0 by q0 and by q1, along their tangents",
        .source = "logarithms of the joints, by dual numbers",
        .inputs = {{"q0", Kind::kConfiguration}, {"q1", Kind::kConfiguration}},
        .outputs = {{"by_q0", Kind::kStepDerivative}, {"by_q1", Kind::kStepDerivative}}};
    template <class S>
    struct Result {
        MatrixX<S> by_q0, by_q1;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::difference_derivatives(ws, x.in(0), x.in(1), x.matrix(0), x.matrix(1));
    }
};

struct ConfigurationRate {
    static constexpr Algorithm kAlgorithm{
        .name = "configuration_rate",
        .says = "q̇: the rates of the numbers in q when the robot moves with v",
        .source = "exponential maps of the joints, by dual numbers",
        .inputs = {q, v},
        .outputs = {{"q_dot", Kind::kConfigurationRate}}};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::configuration_rate(ws, x.in(0), x.in(1), x.out(0));
    }
};

}  // namespace table

inline constexpr Function<table::InverseDynamicsDerivatives> inverse_dynamics_derivatives;
inline constexpr Function<table::ForwardDynamicsDerivatives> forward_dynamics_derivatives;
inline constexpr Function<table::InverseDynamicsHessians> inverse_dynamics_hessians;
inline constexpr Function<table::InverseDynamicsSecondDerivatives>
    inverse_dynamics_second_derivatives;
inline constexpr Function<table::ForwardDynamicsHessians> forward_dynamics_hessians;
inline constexpr Function<table::FrameVelocityDerivatives> frame_velocity_derivatives;
inline constexpr Function<table::FrameAccelerationDerivatives> frame_acceleration_derivatives;
inline constexpr Function<table::FrameClassicalAccelerationDerivatives>
    frame_classical_acceleration_derivatives;
inline constexpr Function<table::ComVelocityDerivatives> com_velocity_derivatives;
inline constexpr Function<table::ComAccelerationDerivatives> com_acceleration_derivatives;
inline constexpr Function<table::CentroidalMomentumDerivatives> centroidal_momentum_derivatives;
inline constexpr Function<table::CentroidalMomentumDotDerivatives>
    centroidal_momentum_dot_derivatives;
inline constexpr Function<table::GroundForceDerivatives> ground_force_derivatives;
inline constexpr Function<table::KineticEnergyGradient> kinetic_energy_gradient;
inline constexpr Function<table::IntegrateDerivatives> integrate_derivatives;
inline constexpr Function<table::DifferenceDerivatives> difference_derivatives;
inline constexpr Function<table::ConfigurationRate> configuration_rate;

}  // namespace plucker
