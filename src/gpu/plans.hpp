// The kernels of a robot, each made at its first call.
#pragma once

#include <vector>

#include "kernel_cache.hpp"
#include "plucker/compiler/cuda.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {

// How a call's arrays lie in memory.
struct ArrayLayouts {
    std::vector<compiler::KernelArray> inputs, outputs;  // as the program's groups

    friend bool operator==(const ArrayLayouts&, const ArrayLayouts&) = default;
};
// Programs give the forces of joints joint by joint, and all else column by column: as if their matrix were its transpose.
inline bool is_transposed(Kind kind) { return kind == Kind::kJointForces; }

template <class T>
ArrayLayouts layouts_of(const Algorithm& row, const BatchOperands<T>& x);

struct Plan {
    compiler::RecordOptions options;
    ArrayLayouts layouts;
    bool in_place = false;        // an output is an input
    int threads = 0, states = 0;  // of a block
    std::size_t shared_memory = 0;
    std::unique_ptr<Kernel> kernel;
    KernelReport report;
};

template <class T>
class Plans {
public:
    Plans(const Model& model, Device& device, const Options& options);

    Plan& find(int row, const BatchOperands<T>& x);

private:
    const Model& model_;
    Device& device_;
    KernelCache cache_;
    std::optional<compiler::KernelShape> shape_;
    std::vector<std::vector<std::unique_ptr<Plan>>> made_;  // by row

    std::unique_ptr<Plan> make(int row, const BatchOperands<T>& x, ArrayLayouts layouts) const;
};

// What a kernel has to look at, as batches do.
compiler::KernelChecks checks_of(const Algorithm& row, const Model& model,
                                 const compiler::RecordOptions& options);

}  // namespace plucker::gpu
