// The same state gives the same bits: anywhere in any batch, in any company, on any number of threads.
#include "batch/runs.hpp"

namespace plucker::test {
namespace {

// States that go wrong, or take the slow way, each in its own manner.
template <class T>
StateRows<T> poisoned(const StateRows<T>& states) {
    StateRows<T> out = states;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    constexpr T kHuge = std::is_same_v<T, double> ? T(1e300) : T(1e37);
    const T values[] = {std::numeric_limits<T>::quiet_NaN(), kInfinity, -kInfinity, kHuge, T(0)};
    for (long n = 0; n < out.count(); ++n) {
        const T x = values[n % 5];
        for (const char* c = StateRows<T>::kAll; *c != 0; ++c) {
            // Huge and zero in the configuration only: 0 0 0 0 is no quaternion.
            if (n % 5 < 3 || *c == 'q' || *c == 'o') out.of(*c).row(n).setConstant(x);
        }
    }
    return out;
}

template <class T>
class BatchBits : public testing::Test {
protected:
    // All functions on a robot with every type of joint, and on one with mimic joints.
    template <class Check>
    static void for_each_function(Check&& check) {
        for (const char* name : {"tree(12,1)", "joint_floating_mimic"}) {
            const Model model = model_named(name);
            StateRows<T> states = random_states<T>(model, 37);
            // Angles beyond the fast sine, in a state that is otherwise like any.
            states.q.row(5) *= T(1e8);
            states.q.row(20) *= T(1e8);
            for (const BatchFunction& function : batch_functions(model)) {
                SCOPED_TRACE(name + (" " + function.name));
                check(model, function, states, run(model, function, states));
            }
        }
    }
};
TYPED_TEST_SUITE(BatchBits, Numbers, NumberNames);

TYPED_TEST(BatchBits, DoNotDependOnThePlace) {
    using T = TypeParam;
    this->for_each_function([](const Model& model, const BatchFunction& function,
                               const StateRows<T>& states, const Outcome<T>& alone) {
        batch::Evaluator<T> evaluator(model, {.threads = 1});
        std::vector<long> order(61);
        std::mt19937 generator(1);
        for (long& n : order) n = static_cast<long>(generator() % 37);
        const Outcome<T> mixed = run(evaluator, function, states.picked(order));
        for (std::size_t n = 0; n < order.size(); ++n)
            EXPECT_TRUE(mixed.same_bits(static_cast<long>(n), alone, order[n])) << n;
    });
}

TYPED_TEST(BatchBits, DoNotDependOnTheSplit) {
    using T = TypeParam;
    this->for_each_function([](const Model& model, const BatchFunction& function,
                               const StateRows<T>& states, const Outcome<T>& alone) {
        batch::Evaluator<T> evaluator(model, {.threads = 1});
        const long cuts[] = {0, 1, 6, 20, 37};
        for (int part = 0; part < 4; ++part) {
            const long begin = cuts[part], size = cuts[part + 1] - begin;
            const Outcome<T> some = run(evaluator, function, states.part(begin, size));
            for (long n = 0; n < size; ++n)
                EXPECT_TRUE(some.same_bits(n, alone, begin + n)) << begin + n;
        }
    });
}

TYPED_TEST(BatchBits, DoNotDependOnTheNeighbours) {
    using T = TypeParam;
    this->for_each_function([](const Model& model, const BatchFunction& function,
                               const StateRows<T>& states, const Outcome<T>& alone) {
        batch::Evaluator<T> evaluator(model, {.threads = 1});
        const StateRows<T> bad = poisoned(states);
        StateRows<T> mixed = states;
        const auto is_good = [](long n) { return n % 3 == 1; };
        for (long n = 0; n < mixed.count(); ++n) {
            if (is_good(n)) continue;
            for (const char* c = StateRows<T>::kAll; *c != 0; ++c)
                mixed.of(*c).row(n) = bad.of(*c).row(n);
        }
        const Outcome<T> together = run(evaluator, function, mixed);
        for (long n = 0; n < mixed.count(); ++n)
            EXPECT_TRUE(!is_good(n) || together.same_bits(n, alone, n)) << n;
        EXPECT_GT(together.flagged, 0);
        // And nothing of it stays in the evaluator.
        const Outcome<T> again = run(evaluator, function, states);
        for (long n = 0; n < states.count(); ++n) EXPECT_TRUE(again.same_bits(n, alone, n)) << n;
    });
}

TYPED_TEST(BatchBits, DoNotDependOnTheThreads) {
    using T = TypeParam;
    const Model model = robots::quadruped();
    const StateRows<T> few = random_states<T>(model, 37);
    std::vector<long> order;
    for (long n = 0; n < 331; ++n) order.push_back(n * n % 37);
    const StateRows<T> many = few.picked(order);
    std::vector<batch::Evaluator<T>> evaluators;
    for (const int threads : {2, 3}) {
        evaluators.emplace_back(model, batch::Options{.threads = threads});
        EXPECT_EQ(evaluators.back().threads(), threads);
    }
    // Backwards: what has forces, or another option, comes before what has none.
    std::vector<BatchFunction> functions = batch_functions(model);
    std::reverse(functions.begin(), functions.end());
    for (const BatchFunction& function : functions) {
        SCOPED_TRACE(function.name);
        const Outcome<T> alone = run(model, function, few);
        for (batch::Evaluator<T>& evaluator : evaluators) {
            for (int repetition = 0; repetition < 2; ++repetition) {
                const Outcome<T> all = run(evaluator, function, many);
                for (long n = 0; n < many.count(); ++n)
                    EXPECT_TRUE(all.same_bits(n, alone, order[static_cast<std::size_t>(n)])) << n;
            }
        }
    }
}

}  // namespace
}  // namespace plucker::test
