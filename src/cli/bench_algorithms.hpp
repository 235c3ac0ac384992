// What `plucker bench` times: every algorithm of the table, singly and over many states.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plucker/algorithms/arranged.hpp"
#include "plucker/batch/batch.hpp"

namespace plucker::cli {

// States at random, the same ones for the same model.
std::vector<Sample<double>> bench_samples(const Model& model, long count);

// For calls one state at a time.
struct SingleBench {
    Workspace<double> ws;
    std::span<const Sample<double>> samples;
};

// For calls with many states.
template <class T>
class BatchBench {
public:
    batch::Evaluator<T> evaluator;

    // The samples are repeated until there are `count` of them.
    BatchBench(const Model& model, std::span<const Sample<double>> samples, long count,
               int threads);

    // Calls a row of the table, and returns for how many states.
    long call(int row);

private:
    const std::vector<T>& input(Kind kind, bool is_first) const;

    long count_;
    std::vector<Given> given_;
    std::vector<T> q_, other_q_, v_, a_, tau_;      // row by row
    std::array<std::vector<T>, kMostOutputs> out_;  // of whichever row is called
};

struct BenchAlgorithm {
    const char* name;
    int row;                         // of the table
    std::function<void()> single;    // each sample once
    std::function<void()> compiled;  // the same with code made for the robot; empty: there is none
    std::function<long()> batch_f64, batch_f32;
};

// Those that this robot can have, and whose results have a reasonable size.
std::vector<BenchAlgorithm> bench_algorithms(SingleBench& single, SingleBench& compiled,
                                             BatchBench<double>& f64, BatchBench<float>& f32);

}  // namespace plucker::cli
