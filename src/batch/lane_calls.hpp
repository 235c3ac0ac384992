// One line an algorithm: from a batch call to the kernel that every other use of the library calls too.
#pragma once

#include "job.hpp"
#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/energy.hpp"
#include "plucker/algorithms/floating_base_inverse_dynamics.hpp"
#include "plucker/algorithms/gravity_torque.hpp"
#include "plucker/algorithms/hybrid_dynamics.hpp"
#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/algorithms/jacobian.hpp"
#include "plucker/algorithms/modified_newton_euler.hpp"
#include "plucker/algorithms/reaction_forces.hpp"

namespace plucker::batch {

template <class S>
struct LaneArguments {
    std::array<const S*, kMaxInputs> in;
    const plucker::ExternalForces<S>* external;
    // Matrices column by column. What a kernel leaves in the workspace need not be copied: the call points there.
    std::array<S*, kMaxOutputs> out;
};

template <class S, class SixVector>
void store_six(const SixVector& m, S* out) {
    plucker::detail::MatrixView<S>{out, 6}.set_column(0, m);
}
template <class S>
void store_three(const Vec3<S>& p, S* out) {
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.z;
}
// [R p], column by column.
template <class S>
void store_pose(const Pose<S>& pose, S* out) {
    const Mat3<S> columns = transpose(pose.rotation);
    store_three(columns.x, out);
    store_three(columns.y, out + 3);
    store_three(columns.z, out + 6);
    store_three(pose.position, out + 9);
}

// Where the poses of all bodies are after world_kinematics: E and r of each, twelve numbers in a row, which are the
// columns of [R p].
template <class S>
S* poses_of(Workspace<S>& ws) {
    static_assert(sizeof(Transform<S>) == 12 * sizeof(S));
    return reinterpret_cast<S*>(ws.kinematics.X.data() + 1);
}
// Where all joint axes, or their rates, are after world_kinematics. Those of joints that mimic another add up, in
// `sum`.
template <class S>
S* columns_of(const Workspace<S>& ws, std::vector<Motion<S>>& axes, S* sum) {
    static_assert(sizeof(Motion<S>) == 6 * sizeof(S));
    if (!ws.model().has_mimic_joints()) return reinterpret_cast<S*>(axes.data());
    const plucker::detail::MatrixView<S> J{sum, 6};
    J.set_zero(6, ws.model().nv());
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            J.add_column(body.v_index + k, axes[body.dof_index + k]);
        }
    }
    return sum;
}

template <class S>
void copy(const S* from, int n, S* to) {
    for (int k = 0; k < n; ++k) to[k] = from[k];
}

// Calls a kernel with everything that it calls compiled into it: a pack that is handed over goes through memory.
template <class Kernel>
[[gnu::flatten, gnu::noinline]] void flattened(const Kernel& kernel) {
    kernel();
}

// Evaluates one pack of states. Christoffel's symbols, whose result is too large for scratch memory, are
// not among them: see lane_worker.hpp.
template <class S>
void call(Algorithm algorithm, const Parameters& parameters, Workspace<S>& ws,
          LaneArguments<S>& args) {
    using plucker::detail::MatrixView;
    const Model& model = ws.model();
    const int nv = model.nv();
    const S* q = args.in[0];
    const S* v = args.in[1];
    const S* x = args.in[2];
    const FrameId frame = parameters.frame;
    const ReferenceFrame reference = parameters.reference;
    const int root = parameters.root;
    S* out = args.out[0];
    const MatrixView<S> square{out, nv};

    switch (algorithm) {
        case Algorithm::kInverseDynamics:
            flattened([&] { kernel::inverse_dynamics(ws, q, v, x, args.external, out); });
            break;
        case Algorithm::kBiasTorque:
            kernel::inverse_dynamics<S>(ws, q, v, ws.zero.data(), nullptr, out);
            break;
        case Algorithm::kGravityTorque:
            flattened([&] { kernel::gravity_torque(ws, q, out); });
            break;
        case Algorithm::kForwardDynamics:
            flattened([&] { kernel::forward_dynamics(ws, q, v, x, args.external, out); });
            break;
        case Algorithm::kForwardDynamicsByMassMatrix:
            kernel::forward_dynamics_by_mass_matrix(ws, q, v, x, args.external,
                                                    MatrixView<S>{args.out[1], nv}, out);
            break;
        case Algorithm::kHybridDynamics:
            copy(x, nv, out);
            copy(args.in[3], nv, args.out[1]);
            kernel::hybrid_dynamics(ws, q, v, parameters.given, args.external, out, args.out[1]);
            break;
        case Algorithm::kFloatingBaseInverseDynamics:
            copy(x, nv, out);
            kernel::floating_base_inverse_dynamics(ws, q, v, args.external, out, args.out[1]);
            break;
        case Algorithm::kReactionForces: {
            const int rows = ws.num_bodies() + 1;
            Force<S>* forces = ws.p.data();  // free: inverse dynamics does not use it
            kernel::reaction_forces(ws, q, v, x, args.external, forces);
            for (int i = 0; i < rows; ++i) {
                S six[6];
                store_six(forces[i], six);
                for (int k = 0; k < 6; ++k) out[i + k * rows] = six[k];
            }
            break;
        }
        case Algorithm::kMassMatrix:
            // Without mimic joints its zeros stay where they are, and what is below the diagonal is read
            // from above it: see LaneWorker::places.
            if (model.has_mimic_joints()) {
                kernel::mass_matrix(ws, q, square);
            } else {
                flattened([&] { kernel::upper_mass_matrix(ws, q, square); });
            }
            break;
        case Algorithm::kMassMatrixByInverseDynamics:
            kernel::mass_matrix_by_inverse_dynamics(ws, q, v, out, MatrixView<S>{args.out[1], nv});
            break;
        case Algorithm::kInverseMassMatrix:
            flattened([&] { kernel::inverse_mass_matrix(ws, q, square); });
            break;
        case Algorithm::kInverseMassMatrixByArticulatedBodies:
            kernel::inverse_mass_matrix_by_articulated_bodies(ws, q, square);
            break;
        case Algorithm::kInverseMassMatrixTimes:
            copy(v, nv, out);
            flattened([&] { kernel::inverse_mass_matrix_times(ws, q, square, 1); });
            break;
        case Algorithm::kCoriolisMatrix:
            flattened([&] { kernel::coriolis_matrix(ws, q, v, square); });
            break;
        case Algorithm::kCoriolisTransposeTimesVelocity:
            kernel::coriolis_transpose_times_velocity(ws, q, v, out);
            break;
        case Algorithm::kModifiedNewtonEuler:
            kernel::modified_newton_euler(ws, q, v, square, args.out[1]);
            break;
        case Algorithm::kJacobians:
            flattened([&] { kernel::world_kinematics(ws, ws.kinematics, q); });
            args.out[0] = poses_of(ws);
            args.out[1] = columns_of(ws, ws.kinematics.J, args.out[1]);
            break;
        case Algorithm::kJacobianRates:
            flattened([&] { kernel::world_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            args.out[0] = poses_of(ws);
            args.out[1] = columns_of(ws, ws.kinematics.J, args.out[1]);
            args.out[2] = columns_of(ws, ws.kinematics.J_dot, args.out[2]);
            break;
        case Algorithm::kFramePose:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            store_pose(kernel::frame_pose(ws, frame), out);
            break;
        case Algorithm::kFrameVelocity:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            store_six(kernel::frame_velocity(ws, frame, reference), out);
            break;
        case Algorithm::kFrameAcceleration:
        case Algorithm::kFrameClassicalAcceleration:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            kernel::acceleration_kinematics(ws, ws.kinematics, v, x);
            store_six(algorithm == Algorithm::kFrameAcceleration
                          ? kernel::frame_acceleration(ws, frame, reference)
                          : kernel::frame_classical_acceleration(ws, frame, reference),
                      out);
            break;
        case Algorithm::kFrameJacobian:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            kernel::frame_jacobian(ws, frame, reference, MatrixView<S>{out, 6});
            break;
        case Algorithm::kFrameJacobianRate:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            kernel::frame_jacobian_rate(ws, frame, reference, MatrixView<S>{out, 6});
            break;
        case Algorithm::kCenterOfMass:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            store_three(kernel::center_of_mass(ws, root), out);
            break;
        case Algorithm::kComVelocity:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            store_three(kernel::com_velocity(ws, root), out);
            break;
        case Algorithm::kComAcceleration:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            kernel::acceleration_kinematics(ws, ws.kinematics, v, x);
            store_three(kernel::com_acceleration(ws, root), out);
            break;
        case Algorithm::kComJacobian:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::com_jacobian(ws, root, MatrixView<S>{out, 3}); });
            break;
        case Algorithm::kComJacobianRate:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            kernel::com_jacobian_rate(ws, root, MatrixView<S>{out, 3});
            break;
        case Algorithm::kCentroidalMomentum:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            store_six(kernel::centroidal_momentum(ws), out);
            break;
        case Algorithm::kCentroidalMomentumRate:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            kernel::acceleration_kinematics(ws, ws.kinematics, v, x);
            store_six(kernel::centroidal_momentum_rate(ws), out);
            break;
        case Algorithm::kCentroidalMomentumMatrix:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::centroidal_momentum_matrix(ws, MatrixView<S>{out, 6}); });
            break;
        case Algorithm::kCentroidalMomentumMatrixRate:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            flattened([&] { kernel::velocity_kinematics(ws, ws.kinematics, v); });
            kernel::centroidal_momentum_matrix_rate(ws, MatrixView<S>{out, 6});
            break;
        case Algorithm::kKineticEnergy:
            flattened([&] { kernel::kinetic_energy(ws, q, v, out); });
            break;
        case Algorithm::kPotentialEnergy:
            flattened([&] { kernel::position_kinematics(ws, ws.kinematics, q); });
            out[0] = kernel::potential_energy(ws);
            break;
        case Algorithm::kMechanicalPower:
            out[0] = kernel::mechanical_power(ws, q, v, x, args.external);
            break;
        case Algorithm::kIntegrate:
            kernel::integrate(model, q, v, out);
            break;
        case Algorithm::kDifference:
            kernel::difference(model, q, v, out);
            break;
        case Algorithm::kNormalizeConfiguration:
            copy(q, model.nq(), out);
            kernel::normalize_configuration(model, out);
            break;
        case Algorithm::kChristoffelSymbols:
            break;
    }
}

}  // namespace plucker::batch
