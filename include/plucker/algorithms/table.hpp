// The table of algorithms. An algorithm is a kernel, which computes it, and a row, which describes it: its name, its
// arguments, its requirements, one sentence and its source. Everything that uses an algorithm (single calls, batches,
// instruction sets, `plucker eval`, `plucker bench`, the tests of the contract) is derived from its row.
//
// The rows are in table/, by subject. To add one, write it there, with the function that it represents, add its name to the
// list below, and give it a law (laws/).
#pragma once

#include <span>
#include <string_view>

#include "plucker/algorithms/door.hpp"
#include "plucker/algorithms/table/configurations.hpp"
#include "plucker/algorithms/table/derivatives.hpp"
#include "plucker/algorithms/table/dynamics.hpp"
#include "plucker/algorithms/table/kinematics.hpp"
#include "plucker/algorithms/table/matrices.hpp"
#include "plucker/algorithms/table/regressors.hpp"
#include "plucker/algorithms/table/whole_robot.hpp"
#include "plucker/scalar/dual.hpp"

namespace plucker {
namespace table {

template <class... Rows>
struct List {
    static constexpr int kSize = sizeof...(Rows);

    // Calls f with each row.
    template <class F>
    static void for_each(F&& f) {
        (f(Rows{}), ...);
    }
    template <class Row>
    static constexpr int index() {
        int k = 0;
        int found = -1;
        ((found = std::is_same_v<Row, Rows> ? k : found, ++k), ...);
        return found;
    }
};

using All =
    List<InverseDynamics, BiasTorque, GravityTorque, FrictionTorque, ForwardDynamics,
         ForwardDynamicsByMassMatrix, HybridDynamics, FloatingBaseInverseDynamics, ReactionForces,
         MassMatrix, MassMatrixByInverseDynamics, MassMatrixTimes, InverseMassMatrix,
         InverseMassMatrixByArticulatedBodies, InverseMassMatrixTimes, CoriolisMatrix,
         CoriolisTransposeTimesV, ModifiedNewtonEuler, ChristoffelSymbols, OperationalInertia,
         InverseOperationalInertia, PositionKinematics, VelocityKinematics, AccelerationKinematics,
         Jacobians, JacobiansDot, FramePose, FrameVelocity, FrameAcceleration,
         FrameClassicalAcceleration, FrameJacobian, FrameJacobianDot, CenterOfMass, ComVelocity,
         ComAcceleration, ComJacobian, ComJacobianDot, CentroidalMomentum, CentroidalMomentumDot,
         CentroidalMomentumMatrix, CentroidalMomentumMatrixDot, KineticEnergy, PotentialEnergy,
         MechanicalPower, TorqueRegressor, StaticRegressor, MomentumRegressor,
         MomentumBiasRegressor, EnergyRegressor, Integrate, Difference, NormalizeConfiguration,
         InverseDynamicsDerivatives, ForwardDynamicsDerivatives, InverseDynamicsHessians,
         InverseDynamicsSecondDerivatives, ForwardDynamicsHessians, FrameVelocityDerivatives,
         FrameAccelerationDerivatives, FrameClassicalAccelerationDerivatives,
         ComVelocityDerivatives, ComAccelerationDerivatives, CentroidalMomentumDerivatives,
         CentroidalMomentumDotDerivatives, GroundForceDerivatives, KineticEnergyGradient,
         IntegrateDerivatives, DifferenceDerivatives, ConfigurationRate>;

// --- From a function to its kernel -------------------------------------------------------------------

// Compiled in the library: for double for each instruction set, which is chosen at the first call.
Status perform_compiled(int row, Workspace<double>& ws, Operands<double>& x);
Status perform_compiled(int row, Workspace<Dual<double>>& ws, Operands<Dual<double>>& x);
template <class S>
inline constexpr bool kCompiled = std::is_same_v<S, double> || std::is_same_v<S, Dual<double>>;

// A kernel that reads kinematics, called with the states that they stand for. What forward_kinematics left stays.
template <class S>
class FromStates {
public:
    FromStates(Kinematics level, Kernel<S> kernel) : level_(level), kernel_(kernel) {}

    void operator()(Workspace<S>& ws, Operands<S>& x) const {
        std::swap(ws.kinematics, ws.passing_kinematics);
        kernel::kinematics_up_to(level_, ws, ws.kinematics, x.in(0), x.in(1), x.in(2));
        kernel_(ws, x);
        std::swap(ws.kinematics, ws.passing_kinematics);
    }

private:
    Kinematics level_;
    Kernel<S> kernel_;
};
template <class S>
Status perform_from_states(const Algorithm& row, Kernel<S> kernel, Workspace<S>& ws,
                           Operands<S>& x) {
    return detail::perform(row, FromStates<S>(row.kinematics, kernel), ws, x);
}

template <class Row, class S>
Status perform_row(Row, Workspace<S>& ws, Operands<S>& x) {
    static_assert(All::index<Row>() >= 0, "this row is not in the list");
    static_assert(!kManyStates<S>, "many states are evaluated by batch::Evaluator");
    if constexpr (kCompiled<S>) {
        return perform_compiled(All::index<Row>(), ws, x);
    } else {
        if (x.from_states)
            return perform_from_states<S>(Row::kAlgorithm, &Row::template run<S>, ws, x);
        return detail::perform(Row::kAlgorithm, &Row::template run<S>, ws, x);
    }
}
template <class Row, class Executor, class T>
long perform_row(Row, Executor& executor, batch::BatchOperands<T>& x) {
    return executor.perform(All::index<Row>(), x);
}

}  // namespace table

extern template class Workspace<Dual<double>>;

}  // namespace plucker
