// The kernels of a function in a generated file, and what launches them.
#pragma once

#include "plucker/algorithms/algorithm.hpp"
#include "plucker/compiler/cuda.hpp"

namespace plucker::compiler {

enum class StatesIn : bool { kPlanes, kRows };

class CudaLauncher {
public:
    CudaLauncher(const Algorithm& row, const Program& program, const KernelChecks& checks,
                 const std::string& name, GeneratedPrecision precision, StatesIn states);

    // Kernels in several parts, or several kernels, write before all is read.
    bool may_be_in_place() const { return may_be_in_place_; }
    // Bytes of a block.
    std::size_t shared_memory() const { return texts_.kernels[0].shared_memory; }
    // Of a state, that it takes on the GPU while it works; and how many states it takes at once then.
    long bytes_between() const { return bytes_between_; }
    long states_at_once() const;
    // How many states an array may have.
    long most_states() const;
    bool needs_transpose() const;

    std::string kernels() const;
    // int NAME(long count, const float* q, …, float* tau, …, unsigned char* status, void* stream)
    std::string head() const;
    std::string launcher() const;

private:
    struct Array {
        std::string type, name;
        int size;       // numbers of a state
        bool is_moved;  // computed in planes, for rows
    };
    const Program& program_;
    std::string name_;
    GeneratedPrecision precision_;
    StatesIn states_;
    std::vector<Array> inputs_, outputs_;
    KernelTexts texts_;
    bool may_be_in_place_ = true;
    long numbers_between_ = 0, bytes_between_ = 0;

    bool is_sliced() const { return texts_.kernels.size() > 1; }
    std::string number() const {
        return precision_ == GeneratedPrecision::kF32 ? "float" : "double";
    }
    long number_size() const { return precision_ == GeneratedPrecision::kF32 ? 4 : 8; }
    std::string checks() const;
    std::string piece() const;
};

// The kernel that brings planes to rows, and what launchers call; once a file.
std::string transpose_text(GeneratedPrecision precision);
std::string launch_helpers(GeneratedPrecision precision, bool transposes);

}  // namespace plucker::compiler
