// The table: the matrices of the equation of motion, M a + C v + G = τ.
#pragma once

#include "plucker/algorithms/function.hpp"
#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/algorithms/modified_newton_euler.hpp"
#include "plucker/algorithms/operational_inertia.hpp"

namespace plucker {
namespace table {

struct MassMatrix {
    static constexpr Algorithm kAlgorithm{
        .name = "mass_matrix",
        .says = "M(q), rotor inertias included",
        .source = "Featherstone, Rigid Body Dynamics Algorithms, §6.2 (composite rigid bodies)",
        .inputs = {q},
        .outputs = {{"M", Kind::kMassMatrix}},
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::mass_matrix(ws, x.in(0), x.matrix(0));
    }
};

struct MassMatrixByInverseDynamics {
    static constexpr Algorithm kAlgorithm{
        .name = "mass_matrix_by_inverse_dynamics",
        .says =
            "M by inverse dynamics from unit accelerations, column by column; also the bias C(q, "
            "v) v + G(q)",
        .source = "Featherstone, Forward Dynamics with Spatial Vectors, eq. 11",
        .inputs = {q, v},
        .outputs = {{"bias", Kind::kBiasTorque}, {"M", Kind::kJointMatrix}},
        .another_way_for = "mass_matrix"};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::mass_matrix_by_inverse_dynamics(ws, x.in(0), x.in(1), x.out(0), x.matrix(1));
    }
};

struct MassMatrixTimes {
    static constexpr Algorithm kAlgorithm{
        .name = "mass_matrix_times",
        .says = "replaces B, a vector or the columns of a matrix, by M B, without forming M",
        .source = "Newton–Euler at rest and without gravity",
        .inputs = {q},
        .outputs = {{"B", Kind::kColumns, Reads::kAll}},
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::mass_matrix_times(ws, x.in(0), x.matrix(0), x.columns(0));
    }
};

struct InverseMassMatrix {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_mass_matrix",
        .says = "M⁻¹, from the factors of M or, for a deep tree, directly",
        .source = "Featherstone, Rigid Body Dynamics Algorithms, §6.5",
        .inputs = {q},
        .outputs = {{"Minv", Kind::kSymmetricMatrix}},
        .needs_regular_mass_matrix = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_mass_matrix(ws, x.in(0), x.matrix(0));
    }
};

struct InverseMassMatrixByArticulatedBodies {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_mass_matrix_by_articulated_bodies",
        .says = "M⁻¹ directly, without forming M",
        .source = "the note on the inverse joint-space inertia matrix, Algorithm 1, corrected",
        .inputs = {q},
        .outputs = {{"Minv", Kind::kSymmetricMatrix}},
        .needs_regular_mass_matrix = true,
        .another_way_for = "inverse_mass_matrix",
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_mass_matrix_by_articulated_bodies(ws, x.in(0), x.matrix(0));
    }
};

struct InverseMassMatrixTimes {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_mass_matrix_times",
        .says = "replaces B, a vector or the columns of a matrix, by M⁻¹ B, without forming M⁻¹",
        .source = "articulated bodies at rest and without gravity",
        .inputs = {q},
        .outputs = {{"B", Kind::kColumns, Reads::kAll}},
        .needs_regular_mass_matrix = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_mass_matrix_times(ws, x.in(0), x.matrix(0), x.columns(0));
    }
};

struct CoriolisMatrix {
    static constexpr Algorithm kAlgorithm{
        .name = "coriolis_matrix",
        .says = "C(q, v) by Christoffel symbols: Ṁ - 2 C is skew-symmetric",
        .source = "in fixed coordinates, see coriolis_matrix.hpp",
        .inputs = {q, v},
        .outputs = {{"C", Kind::kCoriolisMatrix}},
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::coriolis_matrix(ws, x.in(0), x.in(1), x.matrix(0));
    }
};

struct CoriolisTransposeTimesV {
    static constexpr Algorithm kAlgorithm{
        .name = "coriolis_transpose_times_v",
        .says = "Cᵀ v, for momentum observers: the same for every C with Ṁ - 2 C skew-symmetric",
        .source = "Σ J̇ᵀ I v, see coriolis_matrix.hpp",
        .inputs = {q, v},
        .outputs = {{"CTv", Kind::kTransposedBiasTorque}},
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::coriolis_transpose_times_v(ws, x.in(0), x.in(1), x.out(0));
    }
};

struct ModifiedNewtonEuler {
    static constexpr Algorithm kAlgorithm{
        .name = "modified_newton_euler",
        .says =
            "C(q, v) and G(q), separately; this C differs from that of coriolis_matrix, but C v is "
            "the same",
        .source = "Supplement, Table IV, corrected",
        .inputs = {q, v},
        .outputs = {{"C", Kind::kCoriolisMatrix}, {"G", Kind::kTorque}},
        .tells_bodies_apart = true,
        .is_hot = true};
    template <class S>
    struct Result {
        MatrixX<S> C;
        VectorX<S> G;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::modified_newton_euler(ws, x.in(0), x.in(1), x.matrix(0), x.out(1));
    }
};

struct ChristoffelSymbols {
    static constexpr Algorithm kAlgorithm{
        .name = "christoffel_symbols",
        .says = "Γ as nv matrices side by side: Γ_ijk is at (i, k·nv + j), and C = Σ_k Γ_··k v_k",
        .source = "C(q, e_k) for each coordinate",
        .inputs = {q},
        .outputs = {{"symbols", Kind::kChristoffelSymbols}}};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::christoffel_symbols(ws, x.in(0), x.matrix(0), x.take_block, x.taker);
    }
};

struct OperationalInertia {
    static constexpr Algorithm kAlgorithm{
        .name = "operational_inertia",
        .says =
            "Λ = (J M⁻¹ Jᵀ)⁻¹ of a frame that can move in all six directions: its "
            "operational-space inertia",
        .source = "Khatib, The Operational Space Formulation, 1987",
        .inputs = {q, frame, reference},
        .outputs = {{"Lambda", Kind::kFrameInertia}},
        .needs_regular_mass_matrix = true,
        .needs_free_frame = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::operational_inertia(ws, x.in(0), x.frame, x.reference, x.matrix(0));
    }
};

struct InverseOperationalInertia {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_operational_inertia",
        .says = "J M⁻¹ Jᵀ of any frame: how a force on the frame changes its acceleration",
        .source = "Khatib, The Operational Space Formulation, 1987",
        .inputs = {q, frame, reference},
        .outputs = {{"Lambda_inv", Kind::kFrameInertia}},
        .needs_regular_mass_matrix = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_operational_inertia(ws, x.in(0), x.frame, x.reference, x.matrix(0));
    }
};

}  // namespace table

inline constexpr Function<table::OperationalInertia> operational_inertia;
inline constexpr Function<table::InverseOperationalInertia> inverse_operational_inertia;
inline constexpr Function<table::MassMatrix> mass_matrix;
inline constexpr Function<table::MassMatrixByInverseDynamics> mass_matrix_by_inverse_dynamics;
inline constexpr Function<table::MassMatrixTimes> mass_matrix_times;
inline constexpr Function<table::InverseMassMatrix> inverse_mass_matrix;
inline constexpr Function<table::InverseMassMatrixByArticulatedBodies>
    inverse_mass_matrix_by_articulated_bodies;
inline constexpr Function<table::InverseMassMatrixTimes> inverse_mass_matrix_times;
inline constexpr Function<table::CoriolisMatrix> coriolis_matrix;
inline constexpr Function<table::CoriolisTransposeTimesV> coriolis_transpose_times_v;
inline constexpr Function<table::ModifiedNewtonEuler> modified_newton_euler;
inline constexpr Function<table::ChristoffelSymbols> christoffel_symbols;

}  // namespace plucker
