// The kernels of a robot, each made at its first call.
#pragma once

#include <map>
#include <vector>

#include "kernel_cache.hpp"
#include "plain_kernels.hpp"
#include "plucker/compiler/cuda.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {

// How a call's arrays lie in memory.
struct ArrayLayouts {
    std::vector<compiler::KernelArray> inputs, outputs;  // as the program's groups

    friend bool operator==(const ArrayLayouts&, const ArrayLayouts&) = default;
};

// The arrays of a call, as its program has groups: vectors, outputs that are read, forces; and outputs.
template <class T>
struct CallArrays {
    std::vector<batch::Matrices<const T>> inputs;
    std::vector<batch::Matrices<T>> outputs;

    CallArrays(const Algorithm& row, const BatchOperands<T>& x) {
        for (int k = 0; k < x.num_inputs; ++k)
            inputs.emplace_back(x.inputs[static_cast<std::size_t>(k)]);
        for (int k = 0; k < x.num_outputs; ++k) {
            const batch::Matrices<T>& to = x.outputs[static_cast<std::size_t>(k)];
            if (row.outputs[k].reads != Reads::kNothing)
                inputs.emplace_back(to.data, to.count, to.rows, 1, to.state_stride, to.row_stride,
                                    1);
            outputs.push_back(to);
            if (!stands_row_by_row(row.outputs[k].kind)) continue;  // as if it were the transpose
            std::swap(outputs.back().rows, outputs.back().columns);
            std::swap(outputs.back().row_stride, outputs.back().column_stride);
        }
        if (row.inputs.has(Kind::kForces) && x.external != nullptr && !x.external->places.empty())
            inputs.emplace_back(x.external->forces);
    }
};

template <class T>
ArrayLayouts layouts_of(const Algorithm& row, const BatchOperands<T>& x);

// As it lies in memory.
compiler::KernelArray layout_of(long rows, long columns, long state_stride, long row_stride,
                                long column_stride);
// Matrices whose neighbouring numbers are not those of neighbouring states go through planes of our own, unless they are
// small. Vectors do not: reading and writing them as they are was measured to be faster (docs/gpu.md).
template <class T>
bool goes_through_planes(const batch::Matrices<T>& x) {
    constexpr long kFewBytes = 64;
    return x.rows > 1 && x.columns > 1 &&
           x.rows * x.columns * static_cast<long>(sizeof(T)) > kFewBytes &&
           layout_of(x.rows, x.columns, x.state_stride, x.row_stride, x.column_stride).layout !=
               compiler::ArrayLayout::kPlanes;
}

// To be run one after another.
struct PlannedKernel {
    int threads = 0, states = 0;  // of a block
    std::size_t shared_memory = 0;
    std::unique_ptr<Kernel> kernel;
};

struct Plan {
    compiler::RecordOptions options;
    ArrayLayouts layouts;
    bool in_place = false;  // an output is an input
    std::vector<PlannedKernel> kernels;
    int num_kept = 0;  // numbers a state that they hand on
    KernelReport report;

    bool is_sliced() const { return kernels.size() > 1; }
};

template <class T>
class Plans {
public:
    Plans(const Model& model, Device& device, const Options& options);

    Plan& find(int row, const BatchOperands<T>& x);
    // One that is the same for every robot, too, from the cache where it is there.
    Kernel& plain(const PlainKernel& kernel);
    // Of the many plans of a function the oldest is forgotten, once nothing runs any more.
    bool has_forgotten() const { return !forgotten_.empty(); }
    void forget() { forgotten_.clear(); }

private:
    const Model& model_;
    Device& device_;
    KernelCache cache_;
    std::optional<compiler::KernelShape> shape_;
    std::size_t most_nodes_;
    std::vector<std::vector<std::unique_ptr<Plan>>> made_;  // by row
    std::vector<std::unique_ptr<Plan>> forgotten_;
    std::map<std::string, std::unique_ptr<Kernel>> plain_;

    // From text to kernel, or from the cache; tells which.
    std::unique_ptr<Kernel> kernel_from(const std::string& text, const std::string& name,
                                        bool& from_cache) const;

    std::unique_ptr<Plan> make(int row, const BatchOperands<T>& x, ArrayLayouts layouts) const;
};

}  // namespace plucker::gpu
