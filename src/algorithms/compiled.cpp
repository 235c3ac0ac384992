// The kernels in double, compiled once for each instruction set. Which one runs is decided at the first call.
//
// `flatten` inlines everything into each version, where the compiler may use the version's instructions; what it
// leaves out of line stays code for any processor.
#include "plucker/algorithms/instantiations.hpp"
#include "plucker/scalar/isa.hpp"

#ifdef PLUCKER_X86_KERNELS
#define PLUCKER_FOR_AVX2 [[gnu::flatten, gnu::target("avx2,fma")]]
#define PLUCKER_FOR_AVX512 [[gnu::flatten, gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]]
#else
#define PLUCKER_FOR_AVX2
#define PLUCKER_FOR_AVX512
#endif

#define PLUCKER_COMPILE(NAME, PARAMETERS, ARGUMENTS)                                    \
    namespace {                                                                         \
    [[gnu::flatten]] void NAME##_generic PARAMETERS { NAME<double> ARGUMENTS; }         \
    PLUCKER_FOR_AVX2 void NAME##_avx2 PARAMETERS { NAME<double> ARGUMENTS; }            \
    PLUCKER_FOR_AVX512 void NAME##_avx512 PARAMETERS { NAME<double> ARGUMENTS; }        \
    }                                                                                   \
    void NAME PARAMETERS {                                                              \
        static auto* const chosen = choose(NAME##_generic, NAME##_avx2, NAME##_avx512); \
        chosen ARGUMENTS;                                                               \
    }

namespace plucker::kernel {
namespace {

template <class Function>
Function choose(Function generic, Function avx2, Function avx512) {
    switch (active_isa()) {
        case Isa::kAvx2:
            return avx2;
        case Isa::kAvx512:
            return avx512;
        case Isa::kGeneric:
            break;
    }
    return generic;
}

}  // namespace

// clang-format off
PLUCKER_COMPILE(inverse_dynamics, (Workspace<double>& ws, const double* q, const double* v, const double* a, MaybeForces<double> external, double* tau),
                (ws, q, v, a, external, tau))
PLUCKER_COMPILE(gravity_torque, (Workspace<double>& ws, const double* q, double* tau),
                (ws, q, tau))
PLUCKER_COMPILE(kinetic_energy, (Workspace<double>& ws, const double* q, const double* v, double* energy),
                (ws, q, v, energy))
PLUCKER_COMPILE(mass_matrix, (Workspace<double>& ws, const double* q, detail::MatrixView<double> M),
                (ws, q, M))
PLUCKER_COMPILE(mass_matrix_times, (Workspace<double>& ws, const double* q, detail::MatrixView<double> B, int cols),
                (ws, q, B, cols))
PLUCKER_COMPILE(factor_mass_matrix, (Workspace<double>& ws, detail::MatrixView<double> M),
                (ws, M))
PLUCKER_COMPILE(forward_dynamics, (Workspace<double>& ws, const double* q, const double* v, const double* tau, MaybeForces<double> external, double* a),
                (ws, q, v, tau, external, a))
PLUCKER_COMPILE(hybrid_dynamics, (Workspace<double>& ws, const double* q, const double* v, const Given* given, MaybeForces<double> external, double* a, double* tau),
                (ws, q, v, given, external, a, tau))
PLUCKER_COMPILE(floating_base_inverse_dynamics, (Workspace<double>& ws, const double* q, const double* v, MaybeForces<double> external, double* a, double* tau),
                (ws, q, v, external, a, tau))
PLUCKER_COMPILE(inverse_mass_matrix, (Workspace<double>& ws, const double* q, detail::MatrixView<double> Minv),
                (ws, q, Minv))
PLUCKER_COMPILE(inverse_mass_matrix_by_articulated_bodies, (Workspace<double>& ws, const double* q, detail::MatrixView<double> Minv),
                (ws, q, Minv))
PLUCKER_COMPILE(inverse_mass_matrix_times, (Workspace<double>& ws, const double* q, detail::MatrixView<double> B, int cols),
                (ws, q, B, cols))
PLUCKER_COMPILE(position_kinematics, (Workspace<double>& ws, WorldKinematics<double>& kin, const double* q),
                (ws, kin, q))
PLUCKER_COMPILE(velocity_kinematics, (Workspace<double>& ws, WorldKinematics<double>& kin, const double* v),
                (ws, kin, v))
PLUCKER_COMPILE(acceleration_kinematics, (const Workspace<double>& ws, WorldKinematics<double>& kin, const double* v, const double* a),
                (ws, kin, v, a))
PLUCKER_COMPILE(com_jacobian, (Workspace<double>& ws, int root, detail::MatrixView<double> J),
                (ws, root, J))
PLUCKER_COMPILE(com_jacobian_rate, (Workspace<double>& ws, int root, detail::MatrixView<double> J_dot),
                (ws, root, J_dot))
PLUCKER_COMPILE(centroidal_momentum_matrix, (Workspace<double>& ws, detail::MatrixView<double> A),
                (ws, A))
PLUCKER_COMPILE(centroidal_momentum_matrix_rate, (Workspace<double>& ws, detail::MatrixView<double> A_dot),
                (ws, A_dot))
PLUCKER_COMPILE(coriolis_matrix, (Workspace<double>& ws, const double* q, const double* v, detail::MatrixView<double> C),
                (ws, q, v, C))
PLUCKER_COMPILE(coriolis_transpose_times_velocity, (Workspace<double>& ws, const double* q, const double* v, double* out),
                (ws, q, v, out))
PLUCKER_COMPILE(modified_newton_euler, (Workspace<double>& ws, const double* q, const double* v, detail::MatrixView<double> C, double* G),
                (ws, q, v, C, G))
// clang-format on

}  // namespace plucker::kernel
