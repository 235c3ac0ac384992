// One call of a function on a GPU, from arrays as batch/runs.hpp makes them.
#pragma once

#include "batch/runs.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::test {

template <class T>
batch::BatchOperands<T> operands_of(const BatchFunction& f, const BatchArguments<T>& x) {
    batch::BatchOperands<T> out;
    for (const char letter : f.inputs) out.take(x.of(letter));
    for (std::size_t k = 0; k < f.outputs.size(); ++k) out.give(x.out[k]);
    if (f.row->inputs.has(Kind::kForces)) out.take(x.external);
    out.frame = f.frame;
    out.reference = f.reference;
    out.root = f.root;
    out.given = x.given;
    out.status = x.status;
    return out;
}
inline int row_of(const BatchFunction& f) {
    for (std::size_t k = 0; k < algorithms().size(); ++k) {
        if (std::string(algorithms()[k].name) == f.row->name) return static_cast<int>(k);
    }
    throw Error("no such row");
}

// By any evaluator that takes memory of the host.
template <class T, class Evaluator>
Outcome<T> run_on(Evaluator& evaluator, const BatchFunction& function, const StateRows<T>& states,
                  Layout in = Layout::kRowMajor, Layout out = Layout::kRowMajor) {
    Arguments<T> arguments(function, evaluator.model(), states, in, out);
    batch::BatchOperands<T> x = operands_of(function, arguments.views);
    return arguments.results(evaluator.perform(row_of(function), x));
}

// The largest difference between two outcomes, where both have a result, relative to the largest number of each output.
template <class T>
double difference_of(const Outcome<T>& one, const Outcome<T>& other) {
    double most = 0;
    for (std::size_t k = 0; k < one.out.size(); ++k) {
        double scale = 1, error = 0;
        for (std::size_t i = 0; i < one.out[k].size(); ++i) {
            const auto a = static_cast<double>(one.out[k][i]),
                       b = static_cast<double>(other.out[k][i]);
            if (std::isnan(a) && std::isnan(b)) continue;
            if (std::isnan(a) != std::isnan(b)) return std::numeric_limits<double>::infinity();
            scale = std::max(scale, std::abs(b));
            error = std::max(error, std::abs(a - b));
        }
        most = std::max(most, error / scale);
    }
    return most;
}

}  // namespace plucker::test
