// Every algorithm over many states: SIMD lanes, and all cores.
//
//     batch::Evaluator<double> robot(model);
//     robot.inverse_dynamics(q, v, a, tau);      // q: N × nq; v, a, tau: N × nv
//
// Arguments are views (batch/views.hpp) of the caller's arrays, in double or in float. The functions mean
// what their namesakes in algorithms/ mean: they are the same templates, with a pack of states as scalar.
//
// A state that holds a number that is not finite or a quaternion without direction, or whose mass matrix is singular
// where that matters, is flagged in `status` and its results are NaN. The others are untouched by it: with the same instruction
// set (batch/isa.hpp) a state's result has the same bits in any batch, at any place in it, on any number of
// threads. Each function returns how many states were flagged.
//
// Nothing is allocated after construction. One Evaluator serves one caller at a time. An output may be an input, number
// for number; any other sharing of memory is refused. The whole contract: docs/contract.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plucker/algorithms/hybrid_dynamics.hpp"
#include "plucker/batch/views.hpp"
#include "plucker/scalar/isa.hpp"

namespace plucker::batch {

using plucker::name_of;
using plucker::Status;

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
    // How many there are: fewer than asked for where the system refuses more. Small batches use only some of them.
    int threads() const;
    int threads_of_last_call() const;

    // --- Dynamics, with external forces or without ---
    long inverse_dynamics(In q, In v, In a, const Forces& external, Vectors tau, Flags status = {});
    long inverse_dynamics(In q, In v, In a, Vectors tau, Flags status = {}) {
        return inverse_dynamics(q, v, a, Forces{}, tau, status);
    }
    long bias_torque(In q, In v, Vectors tau, Flags status = {});
    long gravity_torque(In q, Vectors tau, Flags status = {});
    long forward_dynamics(In q, In v, In tau, const Forces& external, Vectors a, Flags status = {});
    long forward_dynamics(In q, In v, In tau, Vectors a, Flags status = {}) {
        return forward_dynamics(q, v, tau, Forces{}, a, status);
    }
    long forward_dynamics_by_mass_matrix(In q, In v, In tau, const Forces& external, Vectors a,
                                         Flags status = {});
    long forward_dynamics_by_mass_matrix(In q, In v, In tau, Vectors a, Flags status = {}) {
        return forward_dynamics_by_mass_matrix(q, v, tau, Forces{}, a, status);
    }
    // a and tau are read where they are given, and written where they are not.
    long hybrid_dynamics(In q, In v, std::span<const Given> given, const Forces& external,
                         Vectors a, Vectors tau, Flags status = {});
    long hybrid_dynamics(In q, In v, std::span<const Given> given, Vectors a, Vectors tau,
                         Flags status = {}) {
        return hybrid_dynamics(q, v, given, Forces{}, a, tau, status);
    }
    // a: the joints' accelerations from entry 6 on are read, the base's are written.
    long floating_base_inverse_dynamics(In q, In v, const Forces& external, Vectors a, Vectors tau,
                                        Flags status = {});
    long floating_base_inverse_dynamics(In q, In v, Vectors a, Vectors tau, Flags status = {}) {
        return floating_base_inverse_dynamics(q, v, Forces{}, a, tau, status);
    }
    // N × (num_bodies + 1) × 6.
    long reaction_forces(In q, In v, In a, const Forces& external, Matrices<T> forces,
                         Flags status = {});
    long reaction_forces(In q, In v, In a, Matrices<T> forces, Flags status = {}) {
        return reaction_forces(q, v, a, Forces{}, forces, status);
    }

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

    // --- Centre of mass, momentum, energy; of the subtree of body `root`, or of the whole robot ---
    long center_of_mass(In q, int root, Vectors position, Flags status = {});
    long center_of_mass(In q, Vectors position, Flags status = {}) {
        return center_of_mass(q, 0, position, status);
    }
    long com_velocity(In q, In v, int root, Vectors velocity, Flags status = {});
    long com_velocity(In q, In v, Vectors velocity, Flags status = {}) {
        return com_velocity(q, v, 0, velocity, status);
    }
    long com_acceleration(In q, In v, In a, int root, Vectors acceleration, Flags status = {});
    long com_acceleration(In q, In v, In a, Vectors acceleration, Flags status = {}) {
        return com_acceleration(q, v, a, 0, acceleration, status);
    }
    long com_jacobian(In q, int root, Matrices<T> J, Flags status = {});
    long com_jacobian(In q, Matrices<T> J, Flags status = {}) {
        return com_jacobian(q, 0, J, status);
    }
    long com_jacobian_rate(In q, In v, int root, Matrices<T> J_dot, Flags status = {});
    long com_jacobian_rate(In q, In v, Matrices<T> J_dot, Flags status = {}) {
        return com_jacobian_rate(q, v, 0, J_dot, status);
    }
    long centroidal_momentum(In q, In v, Vectors h, Flags status = {});
    long centroidal_momentum_rate(In q, In v, In a, Vectors h_dot, Flags status = {});
    long centroidal_momentum_matrix(In q, Matrices<T> A, Flags status = {});
    long centroidal_momentum_matrix_rate(In q, In v, Matrices<T> A_dot, Flags status = {});
    long kinetic_energy(In q, In v, Vectors energy, Flags status = {});
    long potential_energy(In q, Vectors energy, Flags status = {});
    long mechanical_power(In q, In v, In tau, const Forces& external, Vectors power,
                          Flags status = {});
    long mechanical_power(In q, In v, In tau, Vectors power, Flags status = {}) {
        return mechanical_power(q, v, tau, Forces{}, power, status);
    }

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
