#include "bench_algorithms.hpp"

#include <algorithm>
#include <memory>
#include <random>

#include "plucker/algorithms/table.hpp"

namespace plucker::cli {
namespace {

// The largest array of results with many numbers per state, such as Christoffel's symbols, in numbers.
constexpr long kMostOfLarge = 1L << 23U;
// The largest array of any other result, in bytes.
constexpr double kMostBytes = 4e9;

long numbers_in(Kind kind, const Model& model) {
    const Extent extent = extent_of(kind, model);
    return extent.rows * (extent.columns == kAnyColumns ? 1 : extent.columns);
}

// Whether a batch of these has fewer states than others, lest it fill the memory.
bool is_large(Kind kind) { return comes_in_blocks(kind) || is_regressor(kind); }

// How many numbers the largest such output has; 0: there is none.
long numbers_of_large(const Algorithm& row, const Model& model) {
    long most = 0;
    for (const Argument& output : row.outputs) {
        if (is_large(output.kind)) most = std::max(most, numbers_in(output.kind, model));
    }
    return most;
}

// Whether the numbers that a call writes are not fit for the next: M⁻¹ B of M⁻¹ B of …
bool wears_out(const Algorithm& row) {
    return row.outputs.size() > 0 && row.outputs[0].reads == Reads::kAll;
}

// q, v and a in place of kinematics.
void take_states(const Algorithm& row, const Sample<double>& s, Operands<double>& x) {
    const VectorX<double>* const states[] = {&s.q, &s.v, &s.a};
    x.from_states = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(row.num_states()); ++k)
        x.inputs[k] = {states[k]->data(), states[k]->size(), 1, states[k]->size()};
}
// The row that fills the kinematics up to a level; -1: none is needed.
int row_that_fills(Kinematics level) {
    using table::All;
    if (level == Kinematics::kPosition) return All::index<table::PositionKinematics>();
    if (level == Kinematics::kVelocity) return All::index<table::VelocityKinematics>();
    if (level == Kinematics::kAcceleration) return All::index<table::AccelerationKinematics>();
    return -1;
}

// Calls of one row, at each sample.
struct Calls {
    int row;
    Arranged<double> arranged;
    std::vector<Operands<double>> operands;

    Calls(int row_, const SingleBench& b)
        : row(row_), arranged(algorithms()[static_cast<std::size_t>(row_)], b.ws.model()) {
        const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row_)];
        arranged.refill(b.samples.front());
        for (const Sample<double>& s : b.samples) {
            operands.push_back(arranged.at(s));
            if (algorithm.num_states() > 0 && !algorithm.returns())
                take_states(algorithm, s, operands.back());
        }
    }
};

std::function<void()> each_sample(SingleBench& b, int index) {
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    auto calls = std::make_shared<Calls>(index, b);
    std::shared_ptr<Calls> before;
    if (const int filling = row_that_fills(row.kinematics); filling >= 0 && row.returns())
        before = std::make_shared<Calls>(filling, b);
    return [&b, calls, before, refills = wears_out(row)] {
        for (std::size_t k = 0; k < b.samples.size(); ++k) {
            if (before) table::perform_compiled(before->row, b.ws, before->operands[k]);
            if (refills) calls->arranged.refill(b.samples[k]);
            table::perform_compiled(calls->row, b.ws, calls->operands[k]);
        }
    };
}

bool applies(const Algorithm& row, const Model& model) {
    if (row.outputs.size() == 0) return false;  // forward kinematics: timed with those that read it
    if (!applies_to(row, model)) return false;
    return numbers_of_large(row, model) <= kMostOfLarge;
}

}  // namespace

std::vector<Sample<double>> bench_samples(const Model& model, long count) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random = [&] {
        return VectorX<double>::NullaryExpr(model.nv(), [&] { return uniform(generator); }).eval();
    };
    std::vector<Sample<double>> samples(static_cast<std::size_t>(count));
    for (Sample<double>& s : samples) {
        s.q = random_configuration(model, generator);
        s.v = random();
        s.a = random();
        s.tau = random();
    }
    for (Sample<double>& s : samples) s.other_q = samples.back().q;
    return samples;
}

template <class T>
BatchBench<T>::BatchBench(const Model& model, std::span<const Sample<double>> samples, long count,
                          int threads)
    : evaluator(model, {.threads = threads}),
      count_(count),
      given_(every_other_acceleration(model)) {
    long most = 0;
    for (const Algorithm& row : algorithms()) {
        for (const Argument& output : row.outputs) {
            if (is_large(output.kind)) continue;
            most = std::max(most, numbers_in(output.kind, model));
        }
    }
    const double bytes = static_cast<double>(count) * static_cast<double>(most) * sizeof(T);
    if (bytes > kMostBytes) {
        throw Error::because("bench: the matrices of ", count, " states of '", model.name(),
                             "' take ", static_cast<long>(bytes / 1e9),
                             " GB; up to 4 GB are used, so --batch may be ",
                             static_cast<long>(kMostBytes / (bytes / static_cast<double>(count))));
    }
    const auto append = [](std::vector<T>& to, const VectorX<double>& from) {
        for (const double x : from) to.push_back(static_cast<T>(x));
    };
    for (long k = 0; k < count; ++k) {
        const auto at = [&](long i) -> const Sample<double>& {
            return samples[static_cast<std::size_t>(i) % samples.size()];
        };
        append(q_, at(k).q);
        append(other_q_, at(k + 1).q);
        append(v_, at(k).v);
        append(a_, at(k).a);
        append(tau_, at(k).tau);
    }
}

template <class T>
const std::vector<T>& BatchBench<T>::input(Kind kind, bool is_first) const {
    if (kind == Kind::kConfiguration) return is_first ? q_ : other_q_;
    if (kind == Kind::kVelocity) return v_;
    return kind == Kind::kAcceleration ? a_ : tau_;
}

template <class T>
long BatchBench<T>::call(int index) {
    const Model& model = evaluator.model();
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    const long large = numbers_of_large(row, model);
    const long count = large == 0 ? count_ : std::clamp(kMostOfLarge / large, long{1}, count_);
    batch::BatchOperands<T> x;
    const auto take = [&](Kind kind) {
        const std::vector<T>& from = input(kind, x.num_inputs == 0);
        x.take(batch::States<const T>(from.data(), count, numbers_in(kind, model)));
    };
    constexpr Kind kStates[] = {Kind::kConfiguration, Kind::kVelocity, Kind::kAcceleration};
    for (int k = 0; k < row.num_states(); ++k) take(kStates[k]);
    for (const Argument& argument : row.inputs) {
        if (!is_option(argument.kind)) take(argument.kind);
    }
    x.frame = model.body_frame(model.num_bodies());
    x.given = given_;
    for (int k = 0; k < row.outputs.size(); ++k) {
        const Argument& output = row.outputs[k];
        std::vector<T>& memory = out_[static_cast<std::size_t>(k)];
        const long size = numbers_in(output.kind, model);
        memory.resize(std::max(memory.size(), static_cast<std::size_t>(count * size)));
        if (output.reads != Reads::kNothing) {
            const std::vector<T>& from = input(output.kind, true);
            std::copy_n(from.begin(), count * size, memory.begin());
        }
        const long rows = extent_of(output.kind, model).rows;
        x.give({memory.data(), count, rows, size / std::max(1L, rows)});
    }
    evaluator.perform(index, x);
    return count;
}
template class BatchBench<double>;
template class BatchBench<float>;

std::vector<BenchAlgorithm> bench_algorithms(SingleBench& single, SingleBench& compiled,
                                             BatchBench<double>& f64, BatchBench<float>& f32) {
    std::vector<BenchAlgorithm> out;
    const RobotCode* code = compiled.ws.model().code();
    int index = -1;
    for (const Algorithm& row : algorithms()) {
        ++index;
        if (!applies(row, single.ws.model())) continue;
        const bool has_code =
            code != nullptr && code->single[static_cast<std::size_t>(index)].entry != nullptr;
        out.push_back({row.name, index, each_sample(single, index),
                       has_code ? each_sample(compiled, index) : std::function<void()>(),
                       [&f64, index] { return f64.call(index); },
                       [&f32, index] { return f32.call(index); }});
    }
    return out;
}

}  // namespace plucker::cli
