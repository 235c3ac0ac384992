// Every algorithm over many states: SIMD lanes, and all cores.
//
//     batch::Evaluator<double> robot(model);
//     robot.inverse_dynamics(q, v, a, tau);      // q: N × nq; v, a, tau: N × nv
//
// Arguments are views (batch/views.hpp) of the caller's arrays, in double or in float. The functions mean
// what their namesakes in algorithms/ mean: they are the same templates, with a pack of states as scalar.
//
// A state that holds a number that is not finite, or whose mass matrix is singular where that matters, is
// flagged in `status` and its results are NaN. The others are untouched by it: with the same instruction
// set (batch/isa.hpp) a state's result has the same bits in any batch, at any place in it, on any number of
// threads. Each function returns how many states were flagged.
//
// Nothing is allocated after construction. One Evaluator serves one caller at a time. Outputs may be inputs
// but must not overlap them otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plucker/algorithms/hybrid_dynamics.hpp"
#include "plucker/batch/views.hpp"
#include "plucker/scalar/isa.hpp"

namespace plucker::batch {

enum class Status : std::uint8_t {
    kOk,
    kNonFiniteInput,      // an argument of this state is NaN or infinite
    kSingularMassMatrix,  // something that a joint moves has no inertia about it
    kNonFiniteResult,     // the numbers overflowed, or a quaternion was 0 0 0 0
};
const char* name_of(Status status);

struct Options {
    int threads = 0;  // 0: as many as the machine has cores
};

// Forces from outside, at the same places in every state. More places than the model has frames allocate memory
// at the first call.
template <class T>
struct ExternalForces {
    struct Place {
        FrameId frame;
        ReferenceFrame expressed_in;
    };
    std::vector<Place> places;
    States<const T> forces;  // N × 6·places: (moment; force) at each place in turn
};

template <class T>
class Evaluator {
public:
    using In = States<const T>;
    using Vectors = States<T>;
    using Flags = std::span<Status>;  // one a state, or empty
    using Forces = ExternalForces<T>;

    explicit Evaluator(const Model& model, Options options = {});
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) noexcept;

    const Model& model() const;
    Isa isa() const;
    int lanes() const;
    int threads() const;

    // --- Dynamics ---
    long inverse_dynamics(In q, In v, In a, Vectors tau, const Forces& external = {},
                          Flags status = {});
    long bias_torque(In q, In v, Vectors tau, Flags status = {});
    long gravity_torque(In q, Vectors tau, Flags status = {});
    long forward_dynamics(In q, In v, In tau, Vectors a, const Forces& external = {},
                          Flags status = {});
    long forward_dynamics_by_mass_matrix(In q, In v, In tau, Vectors a, const Forces& external = {},
                                         Flags status = {});
    // a and tau are read where they are given, and written where they are not.
    long hybrid_dynamics(In q, In v, std::span<const Given> given, Vectors a, Vectors tau,
                         const Forces& external = {}, Flags status = {});
    // a: the joints' accelerations from entry 6 on are read, the base's are written.
    long floating_base_inverse_dynamics(In q, In v, Vectors a, Vectors tau,
                                        const Forces& external = {}, Flags status = {});
    // N × (num_bodies + 1) × 6.
    long reaction_forces(In q, In v, In a, Matrices<T> forces, const Forces& external = {},
                         Flags status = {});

    // --- Matrices of the equation of motion: N × nv × nv ---
    long mass_matrix(In q, Matrices<T> M, Flags status = {});
    long mass_matrix_by_inverse_dynamics(In q, In v, Vectors bias, Matrices<T> M,
                                         Flags status = {});
    long inverse_mass_matrix(In q, Matrices<T> Minv, Flags status = {});
    long inverse_mass_matrix_by_articulated_bodies(In q, Matrices<T> Minv, Flags status = {});
    long inverse_mass_matrix_times(In q, In b, Vectors x, Flags status = {});
    long coriolis_matrix(In q, In v, Matrices<T> C, Flags status = {});
    long coriolis_transpose_times_velocity(In q, In v, Vectors w, Flags status = {});
    long modified_newton_euler(In q, In v, Matrices<T> C, Vectors G, Flags status = {});
    // N × nv × nv²: Γ_ijk at (i, k·nv + j).
    long christoffel_symbols(In q, Matrices<T> symbols, Flags status = {});

    // --- Kinematics ---
    // All bodies' poses in the world, N × num_bodies × 12: the rows of [R p], where R turns the body's axes
    // to the world's; and the joints' axes in world coordinates, N × 6 × nv, from which every frame's
    // Jacobian follows.
    long jacobians(In q, Matrices<T> poses, Matrices<T> J, Flags status = {});
    long jacobian_rates(In q, In v, Matrices<T> poses, Matrices<T> J, Matrices<T> J_dot,
                        Flags status = {});
    // N × 3 × 4: [R p].
    long frame_pose(In q, FrameId frame, Matrices<T> pose, Flags status = {});
    // N × 6.
    long frame_velocity(In q, In v, FrameId frame, ReferenceFrame reference, Vectors velocity,
                        Flags status = {});
    long frame_acceleration(In q, In v, In a, FrameId frame, ReferenceFrame reference,
                            Vectors acceleration, Flags status = {});
    long frame_classical_acceleration(In q, In v, In a, FrameId frame, ReferenceFrame reference,
                                      Vectors acceleration, Flags status = {});
    // N × 6 × nv.
    long frame_jacobian(In q, FrameId frame, ReferenceFrame reference, Matrices<T> J,
                        Flags status = {});
    long frame_jacobian_rate(In q, In v, FrameId frame, ReferenceFrame reference, Matrices<T> J_dot,
                             Flags status = {});

    // --- Centre of mass, momentum, energy; of the subtree of body `root`, 0: the whole robot ---
    long center_of_mass(In q, Vectors position, int root = 0, Flags status = {});
    long com_velocity(In q, In v, Vectors velocity, int root = 0, Flags status = {});
    long com_acceleration(In q, In v, In a, Vectors acceleration, int root = 0, Flags status = {});
    long com_jacobian(In q, Matrices<T> J, int root = 0, Flags status = {});
    long com_jacobian_rate(In q, In v, Matrices<T> J_dot, int root = 0, Flags status = {});
    long centroidal_momentum(In q, In v, Vectors h, Flags status = {});
    long centroidal_momentum_rate(In q, In v, In a, Vectors h_dot, Flags status = {});
    long centroidal_momentum_matrix(In q, Matrices<T> A, Flags status = {});
    long centroidal_momentum_matrix_rate(In q, In v, Matrices<T> A_dot, Flags status = {});
    long kinetic_energy(In q, In v, Vectors energy, Flags status = {});
    long potential_energy(In q, Vectors energy, Flags status = {});
    long mechanical_power(In q, In v, In tau, Vectors power, const Forces& external = {},
                          Flags status = {});

    // --- Configurations ---
    long integrate(In q, In dv, Vectors q_out, Flags status = {});
    long difference(In q0, In q1, Vectors dv, Flags status = {});
    long normalize_configuration(In q, Vectors q_out, Flags status = {});

private:
    struct Crew;
    std::unique_ptr<Crew> crew_;
};

extern template class Evaluator<double>;
extern template class Evaluator<float>;

}  // namespace plucker::batch
