// States at random, arrays of any layout to hold them, and one call of a batch function on them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <type_traits>

#include "plucker/robots/robots.hpp"
#include "support/batch_functions.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {

template <class T>
using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One row per state.
template <class T>
struct StateRows {
    Rows<T> q, v, a, tau, other_q, forces;

    long count() const { return q.rows(); }
    Rows<T>& of(char letter) {
        switch (letter) {
            case 'q':
                return q;
            case 'v':
                return v;
            case 'a':
                return a;
            case 't':
                return tau;
            case 'f':
                return forces;
            default:
                return other_q;
        }
    }
    const Rows<T>& of(char letter) const { return const_cast<StateRows*>(this)->of(letter); }
    static constexpr const char* kAll = "qvatof";

    // The rows [begin, begin + n).
    StateRows part(long begin, long n) const {
        StateRows out;
        for (const char* c = kAll; *c != 0; ++c) out.of(*c) = of(*c).middleRows(begin, n);
        return out;
    }
    // The rows with these numbers, in this order.
    StateRows picked(const std::vector<long>& order) const {
        StateRows out;
        for (const char* c = kAll; *c != 0; ++c) {
            out.of(*c).resize(static_cast<long>(order.size()), of(*c).cols());
            for (std::size_t n = 0; n < order.size(); ++n)
                out.of(*c).row(static_cast<long>(n)) = of(*c).row(order[n]);
        }
        return out;
    }
};

template <class T>
StateRows<T> random_states(const Model& model, long count, unsigned seed = 5) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    StateRows<T> out;
    const auto set = [&](Rows<T>& rows, long n, const VectorX<double>& x) {
        rows.conservativeResize(count, x.size());
        rows.row(n) = x.cast<T>().transpose();
    };
    for (long n = 0; n < count; ++n) {
        const auto s = laws::random_state(model, generator);
        set(out.q, n, s.q);
        set(out.v, n, s.v);
        set(out.a, n, s.a);
        set(out.tau, n, s.tau);
        set(out.other_q, n, laws::random_state(model, generator).q);
        set(out.forces, n, VectorX<double>::NullaryExpr(18, [&] { return unit(generator); }));
    }
    return out;
}

// What a function does not read of an output that it reads in part holds NaN: nobody may mind.
template <class Vector>
void forget_unread(const BatchFunction& function, const Model& model, std::size_t output,
                   Vector&& x) {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    const Argument& argument = function.row->outputs[static_cast<int>(output)];
    if (argument.reads == Reads::kJoints) x.head(6).setConstant(kNothing);
    if (argument.reads != Reads::kGiven) return;
    const Given read = argument.kind == Kind::kAcceleration ? Given::kAcceleration : Given::kTorque;
    const std::vector<Given> given = every_other_acceleration(model);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (!body.mimic && given[static_cast<std::size_t>(i)] != read)
            x.segment(body.v_index, body.nv).setConstant(kNothing);
    }
}

// --- Arrays --------------------------------------------------------------------------------------

enum class Layout {
    kRowMajor,
    kColumnMajor,
    kBlockOfRows,     // every second row of a block of a wider matrix
    kBlockOfColumns,  // the same, column by column
};
constexpr Layout kLayouts[] = {Layout::kRowMajor, Layout::kColumnMajor, Layout::kBlockOfRows,
                               Layout::kBlockOfColumns};

// Memory around and between what a view shows holds this number, and has to keep it.
template <class T>
constexpr T kUntouched = T(-12345);

template <class T>
struct Vectors {
    std::vector<T> memory;
    batch::States<T> view;

    Vectors(const Rows<T>& values, Layout layout) {
        const long n = values.rows(), size = values.cols();
        memory.resize(static_cast<std::size_t>((2 * n + 3) * (size + 5)), kUntouched<T>);
        view = batch::States<T>(memory.data(), n, size);
        if (layout == Layout::kColumnMajor) view = {memory.data(), n, size, 1, n};
        if (layout == Layout::kBlockOfRows) view = {memory.data() + 2, n, size, 2 * (size + 5), 1};
        if (layout == Layout::kBlockOfColumns) view = {memory.data() + 1, n, size, 2, 2 * n + 3};
        for (long i = 0; i < n; ++i) {
            for (long k = 0; k < size; ++k)
                view.data[i * view.state_stride + k * view.entry_stride] = values(i, k);
        }
    }
};

// Tests are not optimised: large memory is filled and looked through by functions of the C library.
template <class T>
void leave_untouched(T* first, std::size_t count) {
    if (count > 0) *first = kUntouched<T>;
    for (std::size_t done = 1; done < count; done *= 2)
        std::memcpy(first + done, first, std::min(done, count - done) * sizeof(T));
}
template <class T>
bool is_untouched(const T* first, std::size_t count) {
    return count == 0 ||
           (*first == kUntouched<T> && std::memcmp(first, first + 1, (count - 1) * sizeof(T)) == 0);
}

template <class T>
struct MatrixArray {
    std::size_t size;
    std::unique_ptr<T[]> memory;
    batch::Matrices<T> view;

    MatrixArray(long n, BatchFunction::Shape shape, Layout layout) {
        const long r = shape.rows, c = shape.columns;
        const bool is_dense = layout == Layout::kRowMajor || layout == Layout::kColumnMajor;
        size = static_cast<std::size_t>((n + 1) * (is_dense ? r * c : (r + 2) * (2 * c + 2)) + 8);
        memory = std::make_unique_for_overwrite<T[]>(size);
        T* data = memory.get();
        leave_untouched(data, size);
        view = batch::Matrices<T>(data, n, r, c);
        if (layout == Layout::kColumnMajor) view = {data, n, r, c, batch::Order::kColumnMajor};
        if (layout == Layout::kBlockOfRows)
            view = {data + 1, n, r, c, (r + 1) * (c + 2) + 1, c + 2, 1};
        if (layout == Layout::kBlockOfColumns)  // states innermost, every second column
            view = {data + 3, n, r, c, 1, n + 1, 2 * (n + 1) * r};
    }

    T& at(long n, long r, long c) {
        return view.data[n * view.state_stride + r * view.row_stride + c * view.column_stride];
    }
    // All entries in C order; also checks that nothing else was written.
    std::vector<T> entries() {
        const auto count = static_cast<std::size_t>(view.count * view.rows * view.columns);
        const bool in_order = view.column_stride == 1 && view.row_stride == view.columns &&
                              view.state_stride == view.rows * view.columns;
        std::vector<T> out =
            in_order ? std::vector<T>(view.data, view.data + count) : std::vector<T>(count);
        if (in_order) {
            leave_untouched(view.data, count);
        } else {
            T* to = out.data();
            for (long n = 0; n < view.count; ++n) {
                for (long r = 0; r < view.rows; ++r) {
                    T* from = &at(n, r, 0);
                    for (long c = 0; c < view.columns; ++c, from += view.column_stride) {
                        *to++ = *from;
                        *from = kUntouched<T>;
                    }
                }
            }
        }
        EXPECT_TRUE(is_untouched(memory.get(), size)) << "something was written outside the array";
        return out;
    }
};

// --- One call ------------------------------------------------------------------------------------

template <class T>
struct Outcome {
    long flagged = 0;
    std::vector<batch::Status> status;
    std::vector<std::vector<T>> out;  // every result in C order

    // The results of state n are those of state m of another run, bit for bit.
    bool same_bits(long n, const Outcome& other, long m) const {
        if (status[static_cast<std::size_t>(n)] != other.status[static_cast<std::size_t>(m)])
            return false;
        for (std::size_t k = 0; k < out.size(); ++k) {
            const std::size_t size = out[k].size() / status.size();
            const T* a = out[k].data() + static_cast<std::size_t>(n) * size;
            const T* b = other.out[k].data() + static_cast<std::size_t>(m) * size;
            if (std::memcmp(a, b, size * sizeof(T)) != 0) return false;
        }
        return true;
    }
    bool all_nan(long n) const {
        return std::all_of(out.begin(), out.end(), [&](const std::vector<T>& x) {
            const long size = static_cast<long>(x.size() / status.size());
            return std::all_of(x.begin() + n * size, x.begin() + (n + 1) * size,
                               [](T entry) { return entry != entry; });
        });
    }
};

// The arguments of a call, with the memory that they stand in.
template <class T>
struct Arguments {
    std::vector<Vectors<T>> inputs;
    std::vector<MatrixArray<T>> outputs;
    std::vector<batch::Status> status;
    BatchArguments<T> views;

    Arguments(const BatchFunction& function, const Model& model, const StateRows<T>& states,
              Layout in = Layout::kRowMajor, Layout out = Layout::kRowMajor)
        : status(static_cast<std::size_t>(states.count())) {
        for (const char* c = StateRows<T>::kAll; *c != 0; ++c)
            inputs.emplace_back(states.of(*c), in);
        views.q = inputs[0].view;
        views.v = inputs[1].view;
        views.a = inputs[2].view;
        views.tau = inputs[3].view;
        views.other_q = inputs[4].view;
        if (function.forces) views.external = {force_places<T>(model), inputs[5].view};
        views.given = every_other_acceleration(model);
        views.status = status;
        for (std::size_t k = 0; k < function.outputs.size(); ++k) {
            MatrixArray<T>& array = outputs.emplace_back(states.count(), function.outputs[k], out);
            views.out[k] = array.view;
        }
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            if (function.initially[k] == 0) continue;
            for (long n = 0; n < states.count(); ++n) {
                VectorX<T> initial = states.of(function.initially[k]).row(n);
                forget_unread(function, model, k, initial);
                for (long r = 0; r < initial.size(); ++r) outputs[k].at(n, r, 0) = initial[r];
            }
        }
    }
    Outcome<T> results(long flagged) {
        Outcome<T> run{flagged, status, {}};
        for (MatrixArray<T>& array : outputs) run.out.push_back(array.entries());
        return run;
    }
};

template <class T>
Outcome<T> run(batch::Evaluator<T>& evaluator, const BatchFunction& function,
               const StateRows<T>& states, Layout in = Layout::kRowMajor,
               Layout out = Layout::kRowMajor) {
    Arguments<T> arguments(function, evaluator.model(), states, in, out);
    return arguments.results(function.call(evaluator, arguments.views));
}

// The same on one thread, for what is compared with it.
template <class T>
Outcome<T> run(const Model& model, const BatchFunction& function, const StateRows<T>& states) {
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    return run(evaluator, function, states);
}

// "joint_mimic": a model of tests/support/joint_models; otherwise a built-in robot.
inline Model model_named(const std::string& name) {
    return name.starts_with("joint_") ? joint_model(name.substr(6)) : robots::by_name(name);
}
inline std::string name_for_test(const std::string& model) {
    std::string out = model;
    for (char& c : out) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return out;
}

// The numbers that batches are made of.
using Numbers = testing::Types<double, float>;
struct NumberNames {
    template <class T>
    static std::string GetName(int) {
        return std::is_same_v<T, double> ? "Double" : "Float";
    }
};

}  // namespace plucker::test
