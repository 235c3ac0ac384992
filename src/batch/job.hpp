// A batch call, described: what the code for each instruction set is given to do.
#pragma once

#include <array>
#include <span>

#include "plucker/batch/batch.hpp"

namespace plucker::batch {

enum class Algorithm {
    kInverseDynamics,
    kBiasTorque,
    kGravityTorque,
    kForwardDynamics,
    kForwardDynamicsByMassMatrix,
    kHybridDynamics,
    kFloatingBaseInverseDynamics,
    kReactionForces,
    kMassMatrix,
    kMassMatrixByInverseDynamics,
    kInverseMassMatrix,
    kInverseMassMatrixByArticulatedBodies,
    kInverseMassMatrixTimes,
    kCoriolisMatrix,
    kCoriolisTransposeTimesVelocity,
    kModifiedNewtonEuler,
    kChristoffelSymbols,
    kJacobians,
    kJacobianRates,
    kFramePose,
    kFrameVelocity,
    kFrameAcceleration,
    kFrameClassicalAcceleration,
    kFrameJacobian,
    kFrameJacobianRate,
    kCenterOfMass,
    kComVelocity,
    kComAcceleration,
    kComJacobian,
    kComJacobianRate,
    kCentroidalMomentum,
    kCentroidalMomentumRate,
    kCentroidalMomentumMatrix,
    kCentroidalMomentumMatrixRate,
    kKineticEnergy,
    kPotentialEnergy,
    kMechanicalPower,
    kIntegrate,
    kDifference,
    kNormalizeConfiguration,
};

// Which arguments an algorithm takes besides the state.
struct Parameters {
    FrameId frame{};
    ReferenceFrame reference = ReferenceFrame::kBody;
    int root = 0;
    const Given* given = nullptr;
};

constexpr int kMaxInputs = 4;
constexpr int kMaxOutputs = 3;

template <class T>
struct Job {
    Algorithm algorithm;
    Parameters parameters;
    long count = 0;
    int num_inputs = 0;
    std::array<States<const T>, kMaxInputs> in;
    int num_outputs = 0;
    std::array<Matrices<T>, kMaxOutputs> out;
    const ExternalForces<T>* external = nullptr;  // null: none
    Status* status = nullptr;
};

// One worker: a workspace for some instruction set. `prepare` makes the memory that a job needs; `run`, which neither
// allocates nor throws, evaluates states [begin, end) and returns how many it flagged.
template <class T>
struct Worker {
    void* state;
    void (*prepare)(void* state, const Job<T>& job);
    long (*run)(void* state, const Job<T>& job, long begin, long end) noexcept;
    void (*destroy)(void* state);
};

// What the code for one instruction set offers.
struct IsaCode {
    int lanes_double;
    int lanes_float;
    Worker<double> (*make_worker_double)(const Model&);
    Worker<float> (*make_worker_float)(const Model&);
    // sin_cos_of_all for double.
    void (*sin_cos)(const double* angles, int n, SinCos<double>* out);
    // Runs `rounds` of independent fused multiply-adds (or multiplies and adds, where there is no fused
    // one) in registers; returns how many floating-point operations that was.
    double (*busy_double)(long rounds);
    double (*busy_float)(long rounds);
};

extern const IsaCode kGenericCode;
#ifdef PLUCKER_X86_KERNELS
extern const IsaCode kAvx2Code;
extern const IsaCode kAvx512Code;
#endif
const IsaCode& code_for(Isa isa);

}  // namespace plucker::batch
