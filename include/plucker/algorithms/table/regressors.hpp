// The table: regressors, in which the dynamic parameters are the unknowns.
#pragma once

#include "plucker/algorithms/function.hpp"
#include "plucker/algorithms/regressors.hpp"

namespace plucker {
namespace table {

struct TorqueRegressor {
    static constexpr Algorithm kAlgorithm{
        .name = "torque_regressor",
        .says =
            "Y with Y π = inverse_dynamics(q, v, a): ten columns per link, then rotors, viscous "
            "and Coulomb friction",
        .source = "Atkeson, An and Hollerbach, 1986; seen from the links, see regressors.hpp",
        .inputs = {q, v, a},
        .outputs = {{"Y", Kind::kRegressor}},
        .tells_bodies_apart = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::torque_regressor(ws, x.in(0), x.in(1), x.in(2), x.matrix(0));
    }
};

struct StaticRegressor {
    static constexpr Algorithm kAlgorithm{.name = "static_regressor",
                                          .says = "Y with Y π = gravity_torque(q)",
                                          .source = "torque_regressor with nothing moving",
                                          .inputs = {q},
                                          .outputs = {{"Y", Kind::kRegressor}},
                                          .tells_bodies_apart = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::static_regressor(ws, x.in(0), x.matrix(0));
    }
};

struct MomentumRegressor {
    static constexpr Algorithm kAlgorithm{.name = "momentum_regressor",
                                          .says = "Y with Y π = M(q) v",
                                          .source = "Σ Jᵀ I v, see regressors.hpp",
                                          .inputs = {q, v},
                                          .outputs = {{"Y", Kind::kRegressor}},
                                          .tells_bodies_apart = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::momentum_regressor(ws, x.in(0), x.in(1), x.matrix(0));
    }
};

struct MomentumBiasRegressor {
    static constexpr Algorithm kAlgorithm{
        .name = "momentum_bias_regressor",
        .says =
            "Y with Y π = τ - d(M v)/dt = G + friction - Cᵀ v, for torques without "
            "accelerations",
        .source = "Slotine and Li, On the Adaptive Control of Robot Manipulators, 1987",
        .inputs = {q, v},
        .outputs = {{"Y", Kind::kBiasRegressor}},
        .tells_bodies_apart = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::momentum_bias_regressor(ws, x.in(0), x.in(1), x.matrix(0));
    }
};

struct EnergyRegressor {
    static constexpr Algorithm kAlgorithm{
        .name = "energy_regressor",
        .says = "Y with Y π = (kinetic_energy, potential_energy)",
        .source =
            "Gautier and Khalil, On the Identification of the Inertial Parameters of Robots, "
            "1988",
        .inputs = {q, v},
        .outputs = {{"Y", Kind::kEnergyRegressor}},
        .tells_bodies_apart = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::energy_regressor(ws, x.in(0), x.in(1), x.matrix(0));
    }
};

}  // namespace table

inline constexpr Function<table::TorqueRegressor> torque_regressor;
inline constexpr Function<table::StaticRegressor> static_regressor;
inline constexpr Function<table::MomentumRegressor> momentum_regressor;
inline constexpr Function<table::MomentumBiasRegressor> momentum_bias_regressor;
inline constexpr Function<table::EnergyRegressor> energy_regressor;

}  // namespace plucker
