// The table: centre of mass, momentum and energy.
#pragma once

#include "plucker/algorithms/centroidal_momentum.hpp"
#include "plucker/algorithms/energy.hpp"
#include "plucker/algorithms/function.hpp"

namespace plucker {
namespace table {

struct CenterOfMass {
    static constexpr Algorithm kAlgorithm{
        .name = "center_of_mass",
        .says = "the centre of mass of the robot, or of the subtree of body `root`, in the world",
        .source = "Supplement, eq. 7",
        .inputs = {root},
        .outputs = {{"position", Kind::kPoint}},
        .kinematics = Kinematics::kPosition,
        .needs_mass = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::center_of_mass(ws, x.root));
    }
};

struct ComVelocity {
    static constexpr Algorithm kAlgorithm{.name = "com_velocity",
                                          .says = "the velocity of the centre of mass",
                                          .source = "Supplement, eq. 7",
                                          .inputs = {root},
                                          .outputs = {{"velocity", Kind::kPoint}},
                                          .kinematics = Kinematics::kVelocity,
                                          .needs_mass = true,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::com_velocity(ws, x.root));
    }
};

struct ComAcceleration {
    static constexpr Algorithm kAlgorithm{.name = "com_acceleration",
                                          .says = "the acceleration of the centre of mass",
                                          .source = "Supplement, eq. 7, twice differentiated",
                                          .inputs = {root},
                                          .outputs = {{"acceleration", Kind::kPoint}},
                                          .kinematics = Kinematics::kAcceleration,
                                          .needs_mass = true,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::com_acceleration(ws, x.root));
    }
};

struct ComJacobian {
    static constexpr Algorithm kAlgorithm{.name = "com_jacobian",
                                          .says = "J with J v = velocity of the centre of mass",
                                          .source = "Supplement, eqs 7–8 and Table I, corrected",
                                          .inputs = {root},
                                          .outputs = {{"J", Kind::kPointJacobian}},
                                          .kinematics = Kinematics::kPosition,
                                          .needs_mass = true,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::com_jacobian(ws, x.root, x.matrix(0));
    }
};

struct ComJacobianDot {
    static constexpr Algorithm kAlgorithm{.name = "com_jacobian_dot",
                                          .says = "the rate of com_jacobian",
                                          .source = "Supplement, eq. 9 and Table I, corrected",
                                          .inputs = {root},
                                          .outputs = {{"J_dot", Kind::kPointJacobianRate}},
                                          .kinematics = Kinematics::kVelocity,
                                          .needs_mass = true,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::com_jacobian_dot(ws, x.root, x.matrix(0));
    }
};

struct CentroidalMomentum {
    static constexpr Algorithm kAlgorithm{
        .name = "centroidal_momentum",
        .says = "h = (angular; linear) about the centre of mass, along the world's axes",
        .source = "Orin, Goswami and Lee 2013",
        .inputs = {},
        .outputs = {{"h", Kind::kForce}},
        .kinematics = Kinematics::kVelocity,
        .needs_mass = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::centroidal_momentum(ws));
    }
};

struct CentroidalMomentumDot {
    static constexpr Algorithm kAlgorithm{.name = "centroidal_momentum_dot",
                                          .says =
                                              "the rate of centroidal_momentum: the sum of the "
                                              "external forces about the centre of mass",
                                          .source = "Orin, Goswami and Lee 2013",
                                          .inputs = {},
                                          .outputs = {{"h_dot", Kind::kForce}},
                                          .kinematics = Kinematics::kAcceleration,
                                          .needs_mass = true,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::centroidal_momentum_dot(ws));
    }
};

struct CentroidalMomentumMatrix {
    static constexpr Algorithm kAlgorithm{.name = "centroidal_momentum_matrix",
                                          .says = "A with A v = centroidal momentum",
                                          .source = "Orin, Goswami and Lee 2013",
                                          .inputs = {},
                                          .outputs = {{"A", Kind::kJacobian}},
                                          .kinematics = Kinematics::kPosition,
                                          .needs_mass = true,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::centroidal_momentum_matrix(ws, x.matrix(0));
    }
};

struct CentroidalMomentumMatrixDot {
    static constexpr Algorithm kAlgorithm{.name = "centroidal_momentum_matrix_dot",
                                          .says = "the rate of centroidal_momentum_matrix",
                                          .source = "Wensing and Orin 2016",
                                          .inputs = {},
                                          .outputs = {{"A_dot", Kind::kJacobianRate}},
                                          .kinematics = Kinematics::kVelocity,
                                          .needs_mass = true,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::centroidal_momentum_matrix_dot(ws, x.matrix(0));
    }
};

struct KineticEnergy {
    static constexpr Algorithm kAlgorithm{
        .name = "kinetic_energy",
        .says = "½ Σ v·I v over the bodies plus ½ I q̇² of the rotors",
        .source = "Featherstone, Short Course: kinetic energy",
        .inputs = {q, v},
        .outputs = {{"energy", Kind::kNumber}},
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::kinetic_energy(ws, x.in(0), x.in(1), x.out(0));
    }
};

struct PotentialEnergy {
    static constexpr Algorithm kAlgorithm{.name = "potential_energy",
                                          .says = "-Σ m g·c, zero at the world's origin",
                                          .source = "the weight of each body times its height",
                                          .inputs = {},
                                          .outputs = {{"energy", Kind::kNumber}},
                                          .kinematics = Kinematics::kPosition,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::potential_energy(ws));
    }
};

struct MechanicalPower {
    static constexpr Algorithm kAlgorithm{.name = "mechanical_power",
                                          .says =
                                              "the rate of the energy: the power of torques and "
                                              "external forces minus friction losses",
                                          .source = "Featherstone, Short Course: power, f·v",
                                          .inputs = {q, v, tau, external},
                                          .outputs = {{"power", Kind::kNumber}},
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::mechanical_power(ws, x.in(0), x.in(1), x.in(2), x.external));
    }
};

}  // namespace table

inline constexpr Function<table::CenterOfMass> center_of_mass;
inline constexpr Function<table::ComVelocity> com_velocity;
inline constexpr Function<table::ComAcceleration> com_acceleration;
inline constexpr Function<table::ComJacobian> com_jacobian;
inline constexpr Function<table::ComJacobianDot> com_jacobian_dot;
inline constexpr Function<table::CentroidalMomentum> centroidal_momentum;
inline constexpr Function<table::CentroidalMomentumDot> centroidal_momentum_dot;
inline constexpr Function<table::CentroidalMomentumMatrix> centroidal_momentum_matrix;
inline constexpr Function<table::CentroidalMomentumMatrixDot> centroidal_momentum_matrix_dot;
inline constexpr Function<table::KineticEnergy> kinetic_energy;
inline constexpr Function<table::PotentialEnergy> potential_energy;
inline constexpr Function<table::MechanicalPower> mechanical_power;

}  // namespace plucker
