// The table: torques, accelerations, and the forces between bodies.
#pragma once

#include "plucker/algorithms/floating_base_inverse_dynamics.hpp"
#include "plucker/algorithms/function.hpp"
#include "plucker/algorithms/gravity_torque.hpp"
#include "plucker/algorithms/hybrid_dynamics.hpp"
#include "plucker/algorithms/reaction_forces.hpp"

namespace plucker {
namespace table {

struct InverseDynamics {
    static constexpr Algorithm kAlgorithm{
        .name = "inverse_dynamics",
        .says = "τ that gives the robot at (q, v) the acceleration a under the external forces",
        .source = "Featherstone, Short Course: The Recursive Newton–Euler Algorithm",
        .inputs = {q, v, a, external},
        .outputs = {tau},
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_dynamics(ws, x.in(0), x.in(1), x.in(2), x.external, x.out(0));
    }
};

struct BiasTorque {
    static constexpr Algorithm kAlgorithm{
        .name = "bias_torque",
        .says = "C(q, v) v + G(q) and friction: the torque at zero acceleration",
        .source = "Featherstone, Forward Dynamics with Spatial Vectors, eq. 9",
        .inputs = {q, v},
        .outputs = {{"tau", Kind::kBiasTorque}},
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::inverse_dynamics(ws, x.in(0), x.in(1), ws.coordinates.zero.data(), nullptr,
                                 x.out(0));
    }
};

struct GravityTorque {
    static constexpr Algorithm kAlgorithm{.name = "gravity_torque",
                                          .says = "G(q): the torque that holds the robot still",
                                          .source = "Newton–Euler with nothing moving",
                                          .inputs = {q},
                                          .outputs = {tau},
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::gravity_torque(ws, x.in(0), x.out(0));
    }
};

struct FrictionTorque {
    static constexpr Algorithm kAlgorithm{
        .name = "friction_torque",
        .says = "viscous and Coulomb friction, as included in inverse_dynamics",
        .source = "D v + F sign(v), in joint space",
        .inputs = {v},
        .outputs = {tau}};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::friction_torque(ws, x.in(0), x.out(0));
    }
};

struct ForwardDynamics {
    static constexpr Algorithm kAlgorithm{
        .name = "forward_dynamics",
        .says = "the acceleration of the robot at (q, v) under torques and external forces",
        .source = "Featherstone, Rigid Body Dynamics Algorithms, §7.3 (articulated bodies)",
        .inputs = {q, v, tau, external},
        .outputs = {a},
        .needs_regular_mass_matrix = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::forward_dynamics(ws, x.in(0), x.in(1), x.in(2), x.external, x.out(0));
    }
};

struct ForwardDynamicsByMassMatrix {
    static constexpr Algorithm kAlgorithm{
        .name = "forward_dynamics_by_mass_matrix",
        .says = "forward dynamics by solving M a = τ - C; M returns the factors of the mass matrix",
        .source = "Featherstone, Forward Dynamics with Spatial Vectors, eq. 6",
        .inputs = {q, v, tau, external},
        .outputs = {{"M", Kind::kFactors}, a},
        .needs_regular_mass_matrix = true,
        .another_way_for = "forward_dynamics",
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::forward_dynamics_by_mass_matrix(ws, x.in(0), x.in(1), x.in(2), x.external,
                                                x.matrix(0), x.out(1));
    }
};

struct HybridDynamics {
    static constexpr Algorithm kAlgorithm{
        .name = "hybrid_dynamics",
        .says = "given the acceleration or the torque of each joint, computes the other",
        .source = "Featherstone, Rigid Body Dynamics Algorithms, §9.2",
        .inputs = {q, v, {"given", Kind::kGiven}, external},
        .outputs = {{"a", Kind::kAcceleration, Reads::kGiven},
                    {"tau", Kind::kTorque, Reads::kGiven}},
        .needs_regular_mass_matrix = true,
        .is_hot = true};
    template <class S>
    struct Result {
        VectorX<S> a, tau;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::hybrid_dynamics(ws, x.in(0), x.in(1), x.given.data(), x.external, x.out(0),
                                x.out(1));
    }
};

struct FloatingBaseInverseDynamics {
    static constexpr Algorithm kAlgorithm{
        .name = "floating_base_inverse_dynamics",
        .says =
            "the base's acceleration (the first six entries of a) and the torques, from the "
            "joints' accelerations (the other entries)",
        .source =
            "Supplement, Table III, corrected; Featherstone, Rigid Body Dynamics Algorithms, §9.3",
        .inputs = {q, v, external},
        .outputs = {{"a", Kind::kAcceleration, Reads::kJoints}, tau},
        .needs_regular_mass_matrix = true,
        .needs_floating_base = true,
        .is_hot = true};
    template <class S>
    struct Result {
        VectorX<S> a, tau;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::floating_base_inverse_dynamics(ws, x.in(0), x.in(1), x.external, x.out(0),
                                               x.out(1));
    }
};

struct ReactionForces {
    static constexpr Algorithm kAlgorithm{
        .name = "reaction_forces",
        .says =
            "the force on each body from its parent, in its link's frame; the first row is the "
            "force of the ground, in the world",
        .source = "Featherstone, Short Course: the f_i of recursive Newton–Euler",
        .inputs = {q, v, a, external},
        .outputs = {{"forces", Kind::kJointForces}},
        .tells_bodies_apart = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::reaction_forces(ws, x.in(0), x.in(1), x.in(2), x.external,
                                reinterpret_cast<Force<S>*>(x.out(0)));
    }
};

}  // namespace table

inline constexpr Function<table::InverseDynamics> inverse_dynamics;
inline constexpr Function<table::BiasTorque> bias_torque;
inline constexpr Function<table::GravityTorque> gravity_torque;
inline constexpr Function<table::FrictionTorque> friction_torque;
inline constexpr Function<table::ForwardDynamics> forward_dynamics;
inline constexpr Function<table::ForwardDynamicsByMassMatrix> forward_dynamics_by_mass_matrix;
inline constexpr Function<table::HybridDynamics> hybrid_dynamics;
inline constexpr Function<table::FloatingBaseInverseDynamics> floating_base_inverse_dynamics;
inline constexpr Function<table::ReactionForces> reaction_forces;

}  // namespace plucker
