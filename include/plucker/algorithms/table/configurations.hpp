// The table: steps between configurations.
#pragma once

#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/function.hpp"

namespace plucker {
namespace table {

struct Integrate {
    static constexpr Algorithm kAlgorithm{
        .name = "integrate",
        .says = "q ⊕ dv: the configuration that the velocity dv reaches from q in one unit of time",
        .source = "exponential maps of the joints",
        .inputs = {q, {"dv", Kind::kVelocity}},
        .outputs = {{"q_out", Kind::kConfiguration}}};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::integrate(ws.model(), x.in(0), x.in(1), x.out(0));
    }
};

struct Difference {
    static constexpr Algorithm kAlgorithm{
        .name = "difference",
        .says =
            "q1 ⊖ q0: the velocity that leads from q0 to q1 in one unit of time, along the "
            "shortest way",
        .source = "logarithms of the joints",
        .inputs = {{"q0", Kind::kConfiguration}, {"q1", Kind::kConfiguration}},
        .outputs = {{"dv", Kind::kVelocity}}};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::difference(ws.model(), x.in(0), x.in(1), x.out(0));
    }
};

struct NormalizeConfiguration {
    static constexpr Algorithm kAlgorithm{.name = "normalize_configuration",
                                          .says =
                                              "scales quaternions to unit length, in place; a "
                                              "quaternion without direction is an error",
                                          .source = "q / |q|",
                                          .inputs = {},
                                          .outputs = {{"q", Kind::kConfiguration, Reads::kAll}}};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::normalize_configuration(ws.model(), x.out(0));
    }
};

}  // namespace table

inline constexpr Function<table::Integrate> integrate;
inline constexpr Function<table::Difference> difference;
inline constexpr Function<table::NormalizeConfiguration> normalize_configuration;

}  // namespace plucker
