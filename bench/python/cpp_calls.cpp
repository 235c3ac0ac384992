// The same calls from C++, for bench/python/bench.py to time beside those from Python: loaded by ctypes, so that both run in
// one process, in turn.
#include <vector>

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

// So many calls in place.
void bench_single(void* opened, int index, const double* const* vectors, double* out, long calls) {
    auto& robot = *static_cast<Robot*>(opened);
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    Operands<double> x;
    const Model& model = robot.model;
    set_inputs(row, [&](int k) {
        const long size = k == 0 ? model.nq() : model.nv();
        x.inputs[static_cast<std::size_t>(k)] = {vectors[k], size, 1, size};
    });
    const Extent extent = extent_of(row.outputs[0].kind, model);
    x.outputs[0] = {out, extent.rows, extent.columns, extent.rows};
    x.frame = model.body_frame(model.num_bodies());
    x.from_states = row.num_states() > 0;  // frame_jacobian(ws, q, …), as Python calls it
    for (long n = 0; n < calls; ++n) table::perform_compiled(index, robot.workspace, x);
}

// One batch in the caller's memory.
void bench_batch(void* opened, int index, const double* const* vectors, double* out, long states) {
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
    robot.evaluator.perform(index, x);
}

}  // extern "C"
