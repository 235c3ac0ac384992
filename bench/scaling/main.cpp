// plucker_bench_scaling: how the cost of a call grows with the number of bodies, on chains and on random trees.
// Prints JSON: for each family and algorithm, pairs of number of bodies and nanoseconds per call.
#include <time.h>

#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "plucker/plucker.hpp"

namespace plucker {
namespace {

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The shortest of the calls that fit into a fifth of a second, and of three at least.
double nanoseconds(const std::function<void()>& call) {
    constexpr double kSeconds = 0.2;
    constexpr int kFewest = 3;
    call();
    double best = 1e30;
    const double begin = cpu_seconds();
    for (int n = 0; n < kFewest || cpu_seconds() - begin < kSeconds; ++n) {
        const double start = cpu_seconds();
        call();
        best = std::min(best, cpu_seconds() - start);
    }
    return 1e9 * best;
}

void measure(const Model& model, nlohmann::json& out) {
    const int n = model.num_bodies();
    std::mt19937 generator(1);
    const VectorX<double> q = random_configuration(model, generator);
    const VectorX<double> v = VectorX<double>::Constant(model.nv(), 0.1);
    VectorX<double> x(model.nv());
    Workspace<double> ws(model);
    const auto add = [&](const char* algorithm, const std::function<void()>& call) {
        out[algorithm].push_back({n, nanoseconds(call)});
    };
    add("inverse_dynamics", [&] { inverse_dynamics(ws, q, v, v, x); });
    add("forward_dynamics", [&] { forward_dynamics(ws, q, v, v, x); });
    constexpr int kLargestMatrix = 1000;
    if (n > kLargestMatrix) return;
    MatrixX<double> M(model.nv(), model.nv());
    add("mass_matrix", [&] { mass_matrix(ws, q, M); });
    add("inverse_mass_matrix", [&] { inverse_mass_matrix(ws, q, M); });
    add("inverse_mass_matrix_by_articulated_bodies",
        [&] { inverse_mass_matrix_by_articulated_bodies(ws, q, M); });
    add("coriolis_matrix", [&] { coriolis_matrix(ws, q, v, M); });
    constexpr int kLargestDerivatives = 500;
    if (n > kLargestDerivatives) return;
    MatrixX<double> by_v = M, by_a = M;
    add("inverse_dynamics_derivatives",
        [&] { inverse_dynamics_derivatives(ws, q, v, v, M, by_v, by_a); });
    add("forward_dynamics_derivatives",
        [&] { forward_dynamics_derivatives(ws, q, v, v, M, by_v, by_a); });
    MatrixX<double> Y(model.nv(), num_dynamic_parameters(model));
    add("torque_regressor", [&] { torque_regressor(ws, q, v, v, Y); });
    MatrixX<double> by_q_and_a = M;
    add("inverse_dynamics_hessians",
        [&] { inverse_dynamics_hessians(ws, q, v, v, v, M, by_v, by_a, by_q_and_a); });
}

}  // namespace
}  // namespace plucker

int main() {
    using namespace plucker;
    nlohmann::json out;
    for (const int n : {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}) {
        measure(robots::chain(n), out["chain"]);
        measure(robots::tree(n, 1), out["tree"]);
    }
    std::cout << out.dump(1) << "\n";
}
