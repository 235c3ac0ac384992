// The same calls from C++, for bench/python/bench.py to time beside those from Python: loaded by ctypes, so that both run in
// one process, in turn.
#include <chrono>
#include <memory>

#include "plucker/batch/batch.hpp"
#include "plucker/robots/robots.hpp"

using namespace plucker;

namespace {

struct Robot {
    Model model;
    Workspace<double> workspace;
    batch::Evaluator<double> evaluator;
    std::vector<Status> status;

    Robot(const Model& m, int threads)
        : model(m), workspace(m), evaluator(m, {.threads = threads}) {}
};

double nanoseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
        .count();
}

// Vectors in the order q, v, a or tau, as many as the row takes.
template <class Set>
int set_inputs(const Algorithm& row, const Set& set) {
    int vectors = 0;
    for (; vectors < row.num_states(); ++vectors) set(vectors);
    for (const Argument& x : row.inputs) {
        if (!is_option(x.kind)) set(vectors++);
    }
    return vectors;
}

}  // namespace

extern "C" {

void* bench_open(const char* name, int threads) {
    return new Robot(robots::by_name(name), threads);
}

int bench_row(const char* name) {
    return row_named(name, "algorithm", [](const Algorithm&) { return true; });
}

// Nanoseconds a call, of so many calls in place.
double bench_single(void* opened, int index, const double* const* vectors, double* out,
                    long calls) {
    auto& robot = *static_cast<Robot*>(opened);
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    constexpr int kKinematics = table::All::index<table::PositionKinematics>();
    Operands<double> x;
    const Model& model = robot.model;
    set_inputs(row, [&](int k) {
        const long size = k == 0 ? model.nq() : model.nv();
        x.inputs[static_cast<std::size_t>(k)] = {vectors[k], size, 1, size};
    });
    const Extent extent = extent_of(row.outputs[0].kind, model);
    x.outputs[0] = {out, extent.rows, extent.columns, extent.rows};
    x.frame = model.body_frame(model.num_bodies());
    const auto start = std::chrono::steady_clock::now();
    for (long n = 0; n < calls; ++n) {
        if (row.num_states() > 0)
            table::perform_compiled(kKinematics + row.num_states() - 1, robot.workspace, x);
        table::perform_compiled(index, robot.workspace, x);
    }
    return nanoseconds_since(start) / static_cast<double>(calls);
}

// Nanoseconds a state, of one batch in the caller's memory.
double bench_batch(void* opened, int index, const double* const* vectors, double* out,
                   long states) {
    auto& robot = *static_cast<Robot*>(opened);
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    batch::BatchOperands<double> x;
    const Model& model = robot.model;
    set_inputs(row, [&](int k) {
        x.take(batch::States<const double>(vectors[k], states, k == 0 ? model.nq() : model.nv()));
    });
    const Extent extent = extent_of(row.outputs[0].kind, model);
    x.give(batch::Matrices<double>(out, states, extent.rows, extent.columns));
    x.frame = model.body_frame(model.num_bodies());
    robot.status.resize(static_cast<std::size_t>(states));
    x.status = robot.status;  // Python's calls have one too
    const auto start = std::chrono::steady_clock::now();
    robot.evaluator.perform(index, x);
    return nanoseconds_since(start) / static_cast<double>(states);
}

}  // extern "C"
