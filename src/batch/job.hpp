// A batch call, checked: what the code for each instruction set is given to do.
#pragma once

#include "plucker/algorithms/table.hpp"
#include "plucker/model/robot_code.hpp"
#include "plucker/scalar/isa.hpp"

namespace plucker::batch {

// Where the entries of a result stand among the packs that are computed for a state.
struct Places {
    const int* by_rows = nullptr;     // the entries row by row, and
    const int* by_columns = nullptr;  // column by column
};

// Where the code computes factors, and other code the results of them (compiler/lane_products.hpp, whose ProductCode::Entry these
// are); else null.
struct ProductsOfFactors {
    using Multiply = void (*)(const void* packs, void* to, long state_stride, long line_stride,
                              void* sum);
    std::array<Multiply, kMostOutputs> by_rows{}, by_columns{};
};

// How an algorithm with its options is computed for a robot.
struct Plan {
    // Machine code, from packs of what is read to packs of results or factors, and one that is zero where the mass matrix is regular.
    // Null: by the algorithm's kernel.
    // It asks for the memory of the results, if their states stand one after another (compiler/assemble.hpp).
    RobotCode::Entry entry = nullptr;
    long num_results = 0;
    std::array<Places, kMostOutputs> places;
    ProductsOfFactors products;
};

template <class T>
struct Job {
    int row;  // of the table
    const BatchOperands<T>& x;
    long count;
    const Plan& plan;
};

// One worker: a workspace for some instruction set. `prepare` makes the memory that a job needs; `run`, which neither
// allocates nor throws, evaluates states [begin, end) and returns how many it flagged.
template <class T>
struct Worker {
    void* state;
    void (*prepare)(void* state, const Job<T>& job);
    long (*run)(void* state, const Job<T>& job, long begin, long end) noexcept;
    void (*destroy)(void* state);
};

// What the code for one instruction set offers.
struct IsaCode {
    Worker<double> (*make_worker_double)(const Model&);
    Worker<float> (*make_worker_float)(const Model&);
};

#ifdef PLUCKER_WITH_GENERIC
extern const IsaCode kGenericCode;
#endif
#ifdef PLUCKER_WITH_AVX2
extern const IsaCode kAvx2Code;
#endif
#ifdef PLUCKER_WITH_AVX512
extern const IsaCode kAvx512Code;
#endif

}  // namespace plucker::batch
