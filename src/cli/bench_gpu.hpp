// `plucker bench --gpu`: functions over many states that are in a GPU's memory.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker::cli {

struct GpuBenchOptions {
    int device = 0;
    long states = 1L << 20;
    std::vector<std::string> functions = {"inverse_dynamics", "forward_dynamics",
                                          "inverse_mass_matrix", "inverse_dynamics_derivatives"};
    bool as_json = false;
};

void bench_gpu(const std::vector<Model>& models, const GpuBenchOptions& options);

}  // namespace plucker::cli
