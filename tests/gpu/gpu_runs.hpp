// One call of a function on a GPU, from arrays as batch/runs.hpp makes them.
#pragma once

#include "batch/runs.hpp"
#include "plucker/gpu/gpu.hpp"
#include "plucker/model/builder.hpp"

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

template <class T>
StateRows<double> in_double(const StateRows<T>& states) {
    StateRows<double> out;
    for (const char* c = StateRows<T>::kAll; *c != 0; ++c)
        out.of(*c) = states.of(*c).template cast<double>();
    return out;
}
template <class T>
Outcome<double> in_double(const Outcome<T>& run) {
    Outcome<double> out{run.flagged, run.status, {}};
    for (const std::vector<T>& x : run.out) out.out.emplace_back(x.begin(), x.end());
    return out;
}

// What the kernel may be off by, where a batch is off by that much. In float both differ from what is right by rounding, which
// a mass matrix that is almost singular enlarges: a kernel may be some times as far from the result in double as a batch in
// float is.
template <class T>
double tolerance(double of_batch, int nv) {
    const auto epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
    return std::is_same_v<T, double> ? 1e-10 : 16 * of_batch + 64 * (nv + 8) * epsilon;
}

// Statuses, and numbers: `right` in double.
template <class T>
void expect_same(const Outcome<T>& got, const Outcome<T>& expected, const Outcome<double>& right,
                 int nv) {
    EXPECT_EQ(got.flagged, expected.flagged);
    for (std::size_t n = 0; n < got.status.size(); ++n)
        ASSERT_EQ(name_of(got.status[n]), name_of(expected.status[n])) << "state " << n;
    const double off = difference_of(in_double(expected), right);
    EXPECT_LE(difference_of(in_double(got), right), tolerance<T>(off, nv));
}

// Large angles, numbers that are none, and no attitude among them.
template <class T>
StateRows<T> states_of_all_kinds(const Model& model) {
    StateRows<T> states = random_states<T>(model, 37);
    // An angle, which is no displacement, nor leads to one: ten thousand kilometres away rounding leaves little of a velocity.
    const auto leads = [&](int i) {
        for (int other = 1; other <= model.num_bodies(); ++other) {
            if (model.body(other).mimic && model.body(other).q_index == model.body(i).q_index)
                return true;
        }
        return false;
    };
    for (int i = model.num_bodies(); i > 0; --i) {
        if (model.body(i).joint != JointType::kRevolute || leads(i)) continue;
        states.q(5, model.body(i).q_index) = T(1e7);
        break;
    }
    states.v(11, 0) = std::numeric_limits<T>::infinity();
    states.q(12, model.nq() / 2) = std::numeric_limits<T>::quiet_NaN();
    for (const int i : model.bodies_with_quaternion()) {
        const auto& body = model.body(i);
        states.q.row(20).segment(body.q_index + body.nq - 4, 4).setZero();
    }
    return states;
}

// A trunk with two limbs.
inline Model fork() {
    const MassProperties mass = MassProperties::box(2, {0.1, 0.2, 0.3}, {0.05, 0.02, -0.1});
    return Builder("fork")
        .link("ground")
        .body("ground", revolute("waist", {0, 0, 1}), "trunk", mass)
        .body("trunk", revolute("left_shoulder", {0, 1, 0}).at(0, 0.2, 0.1), "left_arm", mass)
        .body("left_arm", revolute("left_elbow", {1, 0, 0}).at(0, 0, -0.3), "left_hand", mass)
        .body("trunk", revolute("right_shoulder", {0, 1, 0}).at(0, -0.2, 0.1), "right_arm", mass)
        .build();
}

}  // namespace plucker::test
