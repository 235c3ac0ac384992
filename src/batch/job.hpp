// A batch call, checked: what the code for each instruction set is given to do.
#pragma once

#include "plucker/algorithms/table.hpp"
#include "plucker/scalar/isa.hpp"

namespace plucker::batch {

template <class T>
struct Job {
    int row;  // of the table
    const BatchOperands<T>& x;
    long count;
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
