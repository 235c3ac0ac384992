// Arrays are used as they stand: rows, columns, parts of wider ones, and an output on top of an input.
#include "batch/runs.hpp"

namespace plucker::test {
namespace {

template <class T>
class BatchLayout : public testing::Test {};
TYPED_TEST_SUITE(BatchLayout, Numbers, NumberNames);

TYPED_TEST(BatchLayout, ChangesNoBit) {
    // Rows of 7 numbers and of 18 and 19: shorter than a register, and longer.
    for (const char* name : {"arm", "quadruped"}) {
        const Model model = model_named(name);
        batch::Evaluator<TypeParam> evaluator(model, {.threads = 1});
        const auto states = random_states<TypeParam>(model, 19);
        for (const BatchFunction& function : batch_functions(model)) {
            const auto plain = run(evaluator, function, states);
            EXPECT_EQ(plain.flagged, 0);
            for (const Layout in : kLayouts) {
                for (const Layout out : kLayouts) {
                    SCOPED_TRACE(name + (" " + function.name) + ", layouts " +
                                 std::to_string(static_cast<int>(in)) + " and " +
                                 std::to_string(static_cast<int>(out)));
                    const auto other = run(evaluator, function, states, in, out);
                    for (long n = 0; n < states.count(); ++n)
                        EXPECT_TRUE(other.same_bits(n, plain, n)) << "state " << n;
                }
            }
        }
    }
}

// Where a robot has many coordinates, results are products of factors, in tiles; with 33 of them, these overlap.
TYPED_TEST(BatchLayout, ChangesNoBitOfProducts) {
    for (const char* name : {"humanoid", "tree(14,2)"}) {
        SCOPED_TRACE(name);
        const Model model = model_named(name);
        batch::Evaluator<TypeParam> evaluator(model, {.threads = 1});
        const auto states = random_states<TypeParam>(model, 75);  // not in whole packs
        for (const BatchFunction& function : batch_functions(model)) {
            if (function.name != "forward_dynamics_derivatives") continue;
            const auto plain = run(evaluator, function, states);
            EXPECT_EQ(plain.flagged, 0);
            for (const Layout out : kLayouts) {
                SCOPED_TRACE("layout " + std::to_string(static_cast<int>(out)));
                const auto other = run(evaluator, function, states, Layout::kRowMajor, out);
                for (long n = 0; n < states.count(); ++n)
                    EXPECT_TRUE(other.same_bits(n, plain, n)) << "state " << n;
            }
            // Nor does what was computed in between.
            for (const BatchFunction& other : batch_functions(model)) {
                if (other.name == function.name || other.row != function.row) continue;
                const auto loaded = run(evaluator, other, states);
                const auto fresh = run(model, other, states);
                const auto again = run(evaluator, function, states);
                for (long n = 0; n < states.count(); ++n) {
                    EXPECT_TRUE(loaded.same_bits(n, fresh, n)) << other.name << ", state " << n;
                    EXPECT_TRUE(again.same_bits(n, plain, n))
                        << "after " << other.name << ", state " << n;
                }
            }
            for (const long n : {0, 7, 40, 74}) {
                const auto alone = run(evaluator, function, states.part(n, 1));
                EXPECT_TRUE(alone.same_bits(0, plain, n)) << "state " << n;
            }
            batch::Evaluator<TypeParam> kernels(model, {.threads = 1, .compile = false});
            const auto expected = run(kernels, function, states);
            const double most = std::is_same_v<TypeParam, double> ? 1e-10 : 1e-2;
            for (std::size_t k = 0; k < plain.out.size(); ++k) {
                double size = 0, off = 0;
                for (std::size_t i = 0; i < plain.out[k].size(); ++i) {
                    const double x = static_cast<double>(expected.out[k][i]);
                    size = std::max(size, std::abs(x));
                    off = std::max(off, std::abs(static_cast<double>(plain.out[k][i]) - x));
                }
                EXPECT_LE(off, most * size) << "result " << k;
            }
        }
    }
}

TYPED_TEST(BatchLayout, LetsAnOutputBeAnInput) {
    using T = TypeParam;
    const Model model = robots::exoskeleton();         // nq 15, nv 14
    const auto states = random_states<T>(model, 300);  // enough for every thread
    batch::Evaluator<T> evaluator(model, {.threads = 3});
    int tried = 0;
    for (const BatchFunction& function : batch_functions(model)) {
        const auto apart = run(evaluator, function, states);
        for (std::size_t k = 0; k < function.outputs.size(); ++k) {
            for (const char letter : function.inputs) {
                const auto which = std::string(StateRows<T>::kAll).find(letter);
                const long size = states.of(letter).cols();
                if (function.outputs[k].columns != 1 || function.outputs[k].rows != size ||
                    function.initially[k] != 0) {
                    continue;
                }
                SCOPED_TRACE(function.name + ", result " + std::to_string(k) + " on " + letter);
                Arguments<T> arguments(function, model, states);
                Vectors<T>& shared = arguments.inputs[which];
                arguments.views.out[k] = shared.view;
                EXPECT_EQ(function.call(evaluator, arguments.views), 0);
                auto together = arguments.results(0);
                together.out[k].assign(shared.view.data, shared.view.data + 300 * size);
                for (long n = 0; n < states.count(); ++n)
                    EXPECT_TRUE(together.same_bits(n, apart, n)) << "state " << n;
                ++tried;
            }
        }
    }
    EXPECT_GE(tried, 15);
}

TEST(BatchViews, AreMadeOfEigenMatricesAndBlocks) {
    const Model model = robots::arm();
    batch::Evaluator<double> robot(model, {.threads = 1});
    const auto states = random_states<double>(model, 10);
    const MatrixX<double> v = states.v;              // column by column
    Rows<double> wide = Rows<double>::Zero(20, 30);  // a is a part of something larger
    wide.block(3, 5, 10, 7) = states.a;
    Rows<double> expected(10, 7);
    inverse_dynamics(robot, states.q, states.v, states.a, expected);
    MatrixX<double> tau(10, 7);
    inverse_dynamics(robot, states.q, v, wide.block(3, 5, 10, 7), tau);
    EXPECT_EQ(tau, expected);
    // Into the block, over its own input.
    inverse_dynamics(robot, Eigen::Map<const Rows<double>>(states.q.data(), 10, 7), v,
                     wide.block(3, 5, 10, 7), wide.block(3, 5, 10, 7));
    EXPECT_EQ(wide.block(3, 5, 10, 7), expected);
    wide.block(3, 5, 10, 7).setZero();
    EXPECT_EQ(wide.cwiseAbs().maxCoeff(), 0) << "written beside the block";
    // Every second state.
    Rows<double> five(5, 7);
    using Strides = Eigen::OuterStride<>;
    const auto halved = [](const Rows<double>& m) {
        return Eigen::Map<const Rows<double>, 0, Strides>(m.data(), 5, 7, Strides(14));
    };
    inverse_dynamics(robot, halved(states.q), halved(states.v), halved(states.a), five);
    for (int n = 0; n < 5; ++n) EXPECT_EQ(five.row(n), expected.row(2 * n));
}

TEST(BatchViews, TakeMatricesInEitherOrder) {
    const Model model = robots::arm();
    batch::Evaluator<double> robot(model, {.threads = 1});
    const auto states = random_states<double>(model, 3);
    std::vector<double> rows(3 * 49), columns(3 * 49);
    coriolis_matrix(robot, states.q, states.v, {rows.data(), 3, 7, 7});
    coriolis_matrix(robot, states.q, states.v,
                    {columns.data(), 3, 7, 7, batch::Order::kColumnMajor});
    for (int n = 0; n < 3; ++n) {
        const Eigen::Map<const Rows<double>> by_rows(rows.data() + 49 * n, 7, 7);
        const Eigen::Map<const MatrixX<double>> by_columns(columns.data() + 49 * n, 7, 7);
        EXPECT_EQ(by_rows, by_columns);
        EXPECT_NE(by_rows, by_rows.transpose());  // so the order matters
    }
}

}  // namespace
}  // namespace plucker::test
