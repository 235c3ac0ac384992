#include "plucker/batch/batch.hpp"

#include <algorithm>
#include <atomic>

#include "call.hpp"
#include "thread_crew.hpp"

namespace plucker::batch {

namespace {

int thread_count(int asked) {
    if (asked < 0) {
        throw Error::because("batch::Evaluator: threads is ", asked,
                             "; it must be positive, or 0 for as many as there are cores");
    }
    constexpr int kMost = 1024;
    if (asked > kMost) {
        throw Error::because("batch::Evaluator: threads is ", asked, "; at most ", kMost,
                             " are started, and 0 starts as many as there are cores");
    }
    if (asked > 0) return asked;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

template <class T>
Worker<T> make_worker_for(Isa isa, const Model& model) {
    if constexpr (std::is_same_v<T, double>) {
        return code_for(isa).make_worker_double(model);
    } else {
        return code_for(isa).make_worker_float(model);
    }
}

}  // namespace

// The threads, and a worker (a workspace) for each.
template <class T>
struct Evaluator<T>::Crew {
    Model model;
    Isa isa = active_isa();
    ThreadCrew threads;
    std::vector<Worker<T>> workers;

    Crew(const Model& model_, int num_threads) : model(model_), threads(num_threads) {
        workers.reserve(static_cast<std::size_t>(threads.size()));
        try {
            for (int i = 0; i < threads.size(); ++i) {
                workers.push_back(make_worker_for<T>(isa, model));
            }
        } catch (...) {  // a worker for which there is no memory
            destroy_workers();
            throw;
        }
    }
    ~Crew() { destroy_workers(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Memory is made here, on the caller's thread, where a failure can be thrown.
    long run(const Job<T>& job) {
        // Blocks of whole packs, taken in turn: fine enough to even out, coarse enough to be cheap.
        const long lanes = lanes_of<T>(isa);
        const long packs = (job.count + lanes - 1) / lanes;
        const long wanted =
            std::max(1L, std::min<long>(threads.size(), packs / kPacksWorthAThread));
        const int members = static_cast<int>(wanted);
        for (int i = 0; i < members; ++i) {
            const Worker<T>& worker = workers[static_cast<std::size_t>(i)];
            worker.prepare(worker.state, job);
        }
        last_members = members;
        if (members == 1) return workers[0].run(workers[0].state, job, 0, job.count);
        const long block = lanes * std::clamp(packs / (8L * members), 1L, 64L);
        std::atomic<long> next = 0;
        std::atomic<long> flagged = 0;
        auto task = [&](int member) {
            const Worker<T>& worker = workers[static_cast<std::size_t>(member)];
            for (long begin; (begin = next.fetch_add(block)) < job.count;) {
                flagged += worker.run(worker.state, job, begin, std::min(begin + block, job.count));
            }
        };
        threads.run(members, task);
        return flagged;
    }

    int last_members = 0;

private:
    static constexpr long kPacksWorthAThread = 4;

    void destroy_workers() {
        for (const Worker<T>& worker : workers) worker.destroy(worker.state);
    }
};

template <class T>
Evaluator<T>::Evaluator(const Model& model, Options options)
    : crew_(std::make_unique<Crew>(model, thread_count(options.threads))) {}
template <class T>
Evaluator<T>::~Evaluator() = default;
template <class T>
Evaluator<T>::Evaluator(Evaluator&&) noexcept = default;
template <class T>
Evaluator<T>& Evaluator<T>::operator=(Evaluator&&) noexcept = default;

template <class T>
const Model& Evaluator<T>::model() const {
    return crew_->model;
}
template <class T>
Isa Evaluator<T>::isa() const {
    return crew_->isa;
}
template <class T>
int Evaluator<T>::lanes() const {
    return lanes_of<T>(crew_->isa);
}
template <class T>
int Evaluator<T>::threads() const {
    return crew_->threads.size();
}
template <class T>
int Evaluator<T>::threads_of_last_call() const {
    return crew_->last_members;
}

template <class T>
long Evaluator<T>::inverse_dynamics(In q, In v, In a, const Forces& external, Vectors tau,
                                    Flags status) {
    return crew_->run(Call<T>("batch::inverse_dynamics", model(), Algorithm::kInverseDynamics)
                          .q("q", q)
                          .v("v", v)
                          .v("a", a)
                          .out("tau", tau, model().nv())
                          .forces(external)
                          .with(status));
}

template <class T>
long Evaluator<T>::bias_torque(In q, In v, Vectors tau, Flags status) {
    return crew_->run(Call<T>("batch::bias_torque", model(), Algorithm::kBiasTorque)
                          .q("q", q)
                          .v("v", v)
                          .out("tau", tau, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::gravity_torque(In q, Vectors tau, Flags status) {
    return crew_->run(Call<T>("batch::gravity_torque", model(), Algorithm::kGravityTorque)
                          .q("q", q)
                          .out("tau", tau, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::forward_dynamics(In q, In v, In tau, const Forces& external, Vectors a,
                                    Flags status) {
    return crew_->run(Call<T>("batch::forward_dynamics", model(), Algorithm::kForwardDynamics)
                          .q("q", q)
                          .v("v", v)
                          .v("tau", tau)
                          .out("a", a, model().nv())
                          .forces(external)
                          .with(status));
}

template <class T>
long Evaluator<T>::forward_dynamics_by_mass_matrix(In q, In v, In tau, const Forces& external,
                                                   Vectors a, Flags status) {
    return crew_->run(Call<T>("batch::forward_dynamics_by_mass_matrix", model(),
                              Algorithm::kForwardDynamicsByMassMatrix)
                          .q("q", q)
                          .v("v", v)
                          .v("tau", tau)
                          .out("a", a, model().nv())
                          .forces(external)
                          .with(status));
}

template <class T>
long Evaluator<T>::hybrid_dynamics(In q, In v, std::span<const Given> given, const Forces& external,
                                   Vectors a, Vectors tau, Flags status) {
    return crew_->run(Call<T>("batch::hybrid_dynamics", model(), Algorithm::kHybridDynamics)
                          .q("q", q)
                          .v("v", v)
                          .v("a", a)
                          .v("tau", tau)
                          .out("a", a, model().nv())
                          .out("tau", tau, model().nv())
                          .given(given)
                          .forces(external)
                          .with(status));
}

template <class T>
long Evaluator<T>::floating_base_inverse_dynamics(In q, In v, const Forces& external, Vectors a,
                                                  Vectors tau, Flags status) {
    return crew_->run(Call<T>("batch::floating_base_inverse_dynamics", model(),
                              Algorithm::kFloatingBaseInverseDynamics)
                          .floating_base()
                          .q("q", q)
                          .v("v", v)
                          .v("a", a)
                          .out("a", a, model().nv())
                          .out("tau", tau, model().nv())
                          .forces(external)
                          .with(status));
}

template <class T>
long Evaluator<T>::reaction_forces(In q, In v, In a, const Forces& external, Matrices<T> forces,
                                   Flags status) {
    return crew_->run(Call<T>("batch::reaction_forces", model(), Algorithm::kReactionForces)
                          .q("q", q)
                          .v("v", v)
                          .v("a", a)
                          .out("forces", forces, model().num_bodies() + 1, 6)
                          .forces(external)
                          .with(status));
}

template <class T>
long Evaluator<T>::mass_matrix(In q, Matrices<T> M, Flags status) {
    return crew_->run(Call<T>("batch::mass_matrix", model(), Algorithm::kMassMatrix)
                          .q("q", q)
                          .out("M", M, model().nv(), model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::mass_matrix_by_inverse_dynamics(In q, In v, Vectors bias, Matrices<T> M,
                                                   Flags status) {
    return crew_->run(Call<T>("batch::mass_matrix_by_inverse_dynamics", model(),
                              Algorithm::kMassMatrixByInverseDynamics)
                          .q("q", q)
                          .v("v", v)
                          .out("bias", bias, model().nv())
                          .out("M", M, model().nv(), model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::inverse_mass_matrix(In q, Matrices<T> Minv, Flags status) {
    return crew_->run(Call<T>("batch::inverse_mass_matrix", model(), Algorithm::kInverseMassMatrix)
                          .q("q", q)
                          .out("Minv", Minv, model().nv(), model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::inverse_mass_matrix_by_articulated_bodies(In q, Matrices<T> Minv, Flags status) {
    return crew_->run(Call<T>("batch::inverse_mass_matrix_by_articulated_bodies", model(),
                              Algorithm::kInverseMassMatrixByArticulatedBodies)
                          .q("q", q)
                          .out("Minv", Minv, model().nv(), model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::inverse_mass_matrix_times(In q, In b, Vectors x, Flags status) {
    return crew_->run(
        Call<T>("batch::inverse_mass_matrix_times", model(), Algorithm::kInverseMassMatrixTimes)
            .q("q", q)
            .v("b", b)
            .out("x", x, model().nv())
            .with(status));
}

template <class T>
long Evaluator<T>::coriolis_matrix(In q, In v, Matrices<T> C, Flags status) {
    return crew_->run(Call<T>("batch::coriolis_matrix", model(), Algorithm::kCoriolisMatrix)
                          .q("q", q)
                          .v("v", v)
                          .out("C", C, model().nv(), model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::coriolis_transpose_times_velocity(In q, In v, Vectors w, Flags status) {
    return crew_->run(Call<T>("batch::coriolis_transpose_times_velocity", model(),
                              Algorithm::kCoriolisTransposeTimesVelocity)
                          .q("q", q)
                          .v("v", v)
                          .out("w", w, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::modified_newton_euler(In q, In v, Matrices<T> C, Vectors G, Flags status) {
    return crew_->run(
        Call<T>("batch::modified_newton_euler", model(), Algorithm::kModifiedNewtonEuler)
            .q("q", q)
            .v("v", v)
            .out("C", C, model().nv(), model().nv())
            .out("G", G, model().nv())
            .with(status));
}

template <class T>
long Evaluator<T>::christoffel_symbols(In q, Matrices<T> symbols, Flags status) {
    return crew_->run(Call<T>("batch::christoffel_symbols", model(), Algorithm::kChristoffelSymbols)
                          .q("q", q)
                          .out("symbols", symbols, model().nv(), long{model().nv()} * model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::jacobians(In q, Matrices<T> poses, Matrices<T> J, Flags status) {
    return crew_->run(Call<T>("batch::jacobians", model(), Algorithm::kJacobians)
                          .q("q", q)
                          .out("poses", poses, model().num_bodies(), 12)
                          .out("J", J, 6, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::jacobian_rates(In q, In v, Matrices<T> poses, Matrices<T> J, Matrices<T> J_dot,
                                  Flags status) {
    return crew_->run(Call<T>("batch::jacobian_rates", model(), Algorithm::kJacobianRates)
                          .q("q", q)
                          .v("v", v)
                          .out("poses", poses, model().num_bodies(), 12)
                          .out("J", J, 6, model().nv())
                          .out("J_dot", J_dot, 6, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::frame_pose(In q, FrameId frame, Matrices<T> pose, Flags status) {
    return crew_->run(Call<T>("batch::frame_pose", model(), Algorithm::kFramePose)
                          .q("q", q)
                          .frame(frame)
                          .out("pose", pose, 3, 4)
                          .with(status));
}

template <class T>
long Evaluator<T>::frame_velocity(In q, In v, FrameId frame, ReferenceFrame reference,
                                  Vectors velocity, Flags status) {
    return crew_->run(Call<T>("batch::frame_velocity", model(), Algorithm::kFrameVelocity)
                          .q("q", q)
                          .v("v", v)
                          .frame(frame, reference)
                          .out("velocity", velocity, 6)
                          .with(status));
}

template <class T>
long Evaluator<T>::frame_acceleration(In q, In v, In a, FrameId frame, ReferenceFrame reference,
                                      Vectors acceleration, Flags status) {
    return crew_->run(Call<T>("batch::frame_acceleration", model(), Algorithm::kFrameAcceleration)
                          .q("q", q)
                          .v("v", v)
                          .v("a", a)
                          .frame(frame, reference)
                          .out("acceleration", acceleration, 6)
                          .with(status));
}

template <class T>
long Evaluator<T>::frame_classical_acceleration(In q, In v, In a, FrameId frame,
                                                ReferenceFrame reference, Vectors acceleration,
                                                Flags status) {
    return crew_->run(Call<T>("batch::frame_classical_acceleration", model(),
                              Algorithm::kFrameClassicalAcceleration)
                          .q("q", q)
                          .v("v", v)
                          .v("a", a)
                          .frame(frame, reference)
                          .out("acceleration", acceleration, 6)
                          .with(status));
}

template <class T>
long Evaluator<T>::frame_jacobian(In q, FrameId frame, ReferenceFrame reference, Matrices<T> J,
                                  Flags status) {
    return crew_->run(Call<T>("batch::frame_jacobian", model(), Algorithm::kFrameJacobian)
                          .q("q", q)
                          .frame(frame, reference)
                          .out("J", J, 6, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::frame_jacobian_rate(In q, In v, FrameId frame, ReferenceFrame reference,
                                       Matrices<T> J_dot, Flags status) {
    return crew_->run(Call<T>("batch::frame_jacobian_rate", model(), Algorithm::kFrameJacobianRate)
                          .q("q", q)
                          .v("v", v)
                          .frame(frame, reference)
                          .out("J_dot", J_dot, 6, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::center_of_mass(In q, int root, Vectors position, Flags status) {
    return crew_->run(Call<T>("batch::center_of_mass", model(), Algorithm::kCenterOfMass)
                          .q("q", q)
                          .root(root)
                          .out("position", position, 3)
                          .with(status));
}

template <class T>
long Evaluator<T>::com_velocity(In q, In v, int root, Vectors velocity, Flags status) {
    return crew_->run(Call<T>("batch::com_velocity", model(), Algorithm::kComVelocity)
                          .q("q", q)
                          .v("v", v)
                          .root(root)
                          .out("velocity", velocity, 3)
                          .with(status));
}

template <class T>
long Evaluator<T>::com_acceleration(In q, In v, In a, int root, Vectors acceleration,
                                    Flags status) {
    return crew_->run(Call<T>("batch::com_acceleration", model(), Algorithm::kComAcceleration)
                          .q("q", q)
                          .v("v", v)
                          .v("a", a)
                          .root(root)
                          .out("acceleration", acceleration, 3)
                          .with(status));
}

template <class T>
long Evaluator<T>::com_jacobian(In q, int root, Matrices<T> J, Flags status) {
    return crew_->run(Call<T>("batch::com_jacobian", model(), Algorithm::kComJacobian)
                          .q("q", q)
                          .root(root)
                          .out("J", J, 3, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::com_jacobian_rate(In q, In v, int root, Matrices<T> J_dot, Flags status) {
    return crew_->run(Call<T>("batch::com_jacobian_rate", model(), Algorithm::kComJacobianRate)
                          .q("q", q)
                          .v("v", v)
                          .root(root)
                          .out("J_dot", J_dot, 3, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::centroidal_momentum(In q, In v, Vectors h, Flags status) {
    return crew_->run(Call<T>("batch::centroidal_momentum", model(), Algorithm::kCentroidalMomentum)
                          .q("q", q)
                          .v("v", v)
                          .out("h", h, 6)
                          .with(status));
}

template <class T>
long Evaluator<T>::centroidal_momentum_rate(In q, In v, In a, Vectors h_dot, Flags status) {
    return crew_->run(
        Call<T>("batch::centroidal_momentum_rate", model(), Algorithm::kCentroidalMomentumRate)
            .q("q", q)
            .v("v", v)
            .v("a", a)
            .out("h_dot", h_dot, 6)
            .with(status));
}

template <class T>
long Evaluator<T>::centroidal_momentum_matrix(In q, Matrices<T> A, Flags status) {
    return crew_->run(
        Call<T>("batch::centroidal_momentum_matrix", model(), Algorithm::kCentroidalMomentumMatrix)
            .q("q", q)
            .out("A", A, 6, model().nv())
            .with(status));
}

template <class T>
long Evaluator<T>::centroidal_momentum_matrix_rate(In q, In v, Matrices<T> A_dot, Flags status) {
    return crew_->run(Call<T>("batch::centroidal_momentum_matrix_rate", model(),
                              Algorithm::kCentroidalMomentumMatrixRate)
                          .q("q", q)
                          .v("v", v)
                          .out("A_dot", A_dot, 6, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::kinetic_energy(In q, In v, Vectors energy, Flags status) {
    return crew_->run(Call<T>("batch::kinetic_energy", model(), Algorithm::kKineticEnergy)
                          .q("q", q)
                          .v("v", v)
                          .out("energy", energy, 1)
                          .with(status));
}

template <class T>
long Evaluator<T>::potential_energy(In q, Vectors energy, Flags status) {
    return crew_->run(Call<T>("batch::potential_energy", model(), Algorithm::kPotentialEnergy)
                          .q("q", q)
                          .out("energy", energy, 1)
                          .with(status));
}

template <class T>
long Evaluator<T>::mechanical_power(In q, In v, In tau, const Forces& external, Vectors power,
                                    Flags status) {
    return crew_->run(Call<T>("batch::mechanical_power", model(), Algorithm::kMechanicalPower)
                          .q("q", q)
                          .v("v", v)
                          .v("tau", tau)
                          .out("power", power, 1)
                          .forces(external)
                          .with(status));
}

template <class T>
long Evaluator<T>::integrate(In q, In dv, Vectors q_out, Flags status) {
    return crew_->run(Call<T>("batch::integrate", model(), Algorithm::kIntegrate)
                          .q("q", q)
                          .v("dv", dv)
                          .out("q_out", q_out, model().nq())
                          .with(status));
}

template <class T>
long Evaluator<T>::difference(In q0, In q1, Vectors dv, Flags status) {
    return crew_->run(Call<T>("batch::difference", model(), Algorithm::kDifference)
                          .q("q0", q0)
                          .q("q1", q1)
                          .out("dv", dv, model().nv())
                          .with(status));
}

template <class T>
long Evaluator<T>::normalize_configuration(In q, Vectors q_out, Flags status) {
    return crew_->run(
        Call<T>("batch::normalize_configuration", model(), Algorithm::kNormalizeConfiguration)
            .q("q", q)
            .out("q_out", q_out, model().nq())
            .with(status));
}

template class Evaluator<double>;
template class Evaluator<float>;

}  // namespace plucker::batch
