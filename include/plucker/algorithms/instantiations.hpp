// The algorithms for double and for Dual<double>, compiled once in the library instead of in every file that
// uses them. For any other scalar they are instantiated where they are used.
#pragma once

#include "plucker/algorithms/energy.hpp"
#include "plucker/algorithms/floating_base_inverse_dynamics.hpp"
#include "plucker/algorithms/gravity_torque.hpp"
#include "plucker/algorithms/hybrid_dynamics.hpp"
#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/algorithms/jacobian.hpp"
#include "plucker/algorithms/modified_newton_euler.hpp"

// clang-format off
#define PLUCKER_INSTANTIATE_ALGORITHMS(EXTERN, S)                                                                  \
    EXTERN template class Workspace<S>;                                                                            \
    EXTERN template void kernel::inverse_dynamics(Workspace<S>&, const S*, const S*, const S*, MaybeForces<S>, S*); \
    EXTERN template void kernel::gravity_torque(Workspace<S>&, const S*, S*);                                      \
    EXTERN template void kernel::kinetic_energy(Workspace<S>&, const S*, const S*, S*);                            \
    EXTERN template void kernel::mass_matrix(Workspace<S>&, const S*, detail::MatrixView<S>);                      \
    EXTERN template void kernel::mass_matrix_times(Workspace<S>&, const S*, detail::MatrixView<S>, int);           \
    EXTERN template void kernel::mass_matrix_by_inverse_dynamics(Workspace<S>&, const S*, const S*, S*,            \
                                                                 detail::MatrixView<S>);                           \
    EXTERN template void kernel::factor_mass_matrix(Workspace<S>&, detail::MatrixView<S>);                         \
    EXTERN template void kernel::solve_with_factor(const Workspace<S>&, detail::MatrixView<const S>, S*);          \
    EXTERN template void kernel::forward_dynamics(Workspace<S>&, const S*, const S*, const S*, MaybeForces<S>, S*); \
    EXTERN template void kernel::forward_dynamics_by_mass_matrix(Workspace<S>&, const S*, const S*, const S*,      \
                                                                 MaybeForces<S>, detail::MatrixView<S>, S*);       \
    EXTERN template void kernel::hybrid_dynamics(Workspace<S>&, const S*, const S*, const Given*, MaybeForces<S>,  \
                                                 S*, S*);                                                          \
    EXTERN template void kernel::floating_base_inverse_dynamics(Workspace<S>&, const S*, const S*, MaybeForces<S>, \
                                                                S*, S*);                                           \
    EXTERN template void kernel::inverse_mass_matrix(Workspace<S>&, const S*, detail::MatrixView<S>);              \
    EXTERN template void kernel::inverse_mass_matrix_by_articulated_bodies(Workspace<S>&, const S*,                \
                                                                           detail::MatrixView<S>);                 \
    EXTERN template void kernel::inverse_mass_matrix_times(Workspace<S>&, const S*, detail::MatrixView<S>, int);   \
    EXTERN template void kernel::position_kinematics(Workspace<S>&, WorldKinematics<S>&, const S*);                \
    EXTERN template void kernel::velocity_kinematics(Workspace<S>&, WorldKinematics<S>&, const S*);                \
    EXTERN template void kernel::acceleration_kinematics(const Workspace<S>&, WorldKinematics<S>&, const S*, const S*); \
    EXTERN template void kernel::subtree_moments(Workspace<S>&);                                                   \
    EXTERN template void kernel::composite_inertias(Workspace<S>&, const WorldKinematics<S>&);                     \
    EXTERN template void kernel::coriolis_matrix(Workspace<S>&, const S*, const S*, detail::MatrixView<S>);        \
    EXTERN template void kernel::christoffel_symbols(Workspace<S>&, const S*, detail::MatrixView<S>);              \
    EXTERN template void kernel::coriolis_transpose_times_velocity(Workspace<S>&, const S*, const S*, S*);         \
    EXTERN template void kernel::modified_newton_euler(Workspace<S>&, const S*, const S*, detail::MatrixView<S>, S*)
// clang-format on

namespace plucker {

PLUCKER_INSTANTIATE_ALGORITHMS(extern, Dual<double>);

}  // namespace plucker
