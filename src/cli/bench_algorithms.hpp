// What `plucker bench` times: every algorithm, singly, counted, and over many states.
#pragma once

#include <span>
#include <vector>

#include "plucker/batch/batch.hpp"
#include "plucker/scalar/counting.hpp"
#include "plucker/spatial/pose.hpp"

namespace plucker::cli {

template <class S>
struct BenchState {
    VectorX<S> q, v, a, tau;
};

// States at random, the same ones for the same model.
std::vector<BenchState<double>> bench_states(const Model& model, long count);

// A workspace, states, and memory for results: for calls one state at a time.
template <class S>
struct SingleBench {
    Workspace<S> ws;
    std::vector<BenchState<S>> states;
    std::vector<Given> given;  // every other joint's acceleration
    FrameId frame;             // the last body's
    VectorX<S> x, q_out, a_out, tau_out;
    MatrixX<S> square, six, three, symbols;
    std::vector<Force<S>> forces;
    Pose<S> pose;
    Motion<S> motion;
    Force<S> force;
    Vec3<S> point;
    S energy;

    SingleBench(const Model& model, std::span<const BenchState<double>> states_);
};

// The same for calls with many states.
template <class T>
struct BatchBench {
    batch::Evaluator<T> evaluator;
    long count;
    long count_of_symbols;  // Christoffel's symbols are large: fewer states at once
    std::vector<Given> given;
    FrameId frame;
    std::vector<T> q_in, q1_in, v_in, a_in, tau_in;  // row by row
    std::vector<T> a_io, tau_io;                     // read in part, written in part
    std::vector<T> large, small, small2, symbols;    // results

    // `states` are repeated until there are `count` of them.
    BatchBench(const Model& model, std::span<const BenchState<double>> states, long count_,
               int threads);
};

struct BenchAlgorithm {
    const char* name;
    // Whether this robot can have it, and its result has a reasonable size.
    bool (*applies)(const Model&);
    // Each state once.
    void (*single)(SingleBench<double>&);
    // The first state.
    void (*counted)(SingleBench<Counting<double>>&);
    // All states; how many that was.
    long (*batch_f64)(BatchBench<double>&);
    long (*batch_f32)(BatchBench<float>&);
};

std::vector<BenchAlgorithm> bench_algorithms(const Model& model);

}  // namespace plucker::cli
