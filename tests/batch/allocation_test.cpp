// No batch call but the first of a function allocates, whatever the thread: counted at malloc, in the build that users run.
#include <gtest/gtest.h>

#include "batch/runs.hpp"
#include "support/count_allocations.hpp"

namespace plucker::test {
namespace {

template <class T>
class BatchCalls : public testing::Test {};
TYPED_TEST_SUITE(BatchCalls, Numbers, NumberNames);

TYPED_TEST(BatchCalls, AllocateNothing) {
    using T = TypeParam;
#if PLUCKER_CAN_COUNT
    {
        const long before = allocations;
        const std::vector<double> seen(100);
        ASSERT_GT(allocations - before, 0) << "the counter does not count; size " << seen.size();
    }
#endif
    for (const char* name : {"exoskeleton", "tree(12,1)", "joint_floating_mimic"}) {
        const Model model = model_named(name);
        StateRows<T> states = random_states<T>(model, 150);
        states.q(77, 0) =
            std::numeric_limits<T>::quiet_NaN();  // being flagged costs nothing either
        batch::Evaluator<T> evaluator(model, {.threads = 2});
        for (const BatchFunction& function : batch_functions(model)) {
            Arguments<T> arguments(function, model, states);
            function.call(evaluator, arguments.views);  // code and memory are made
            const long before = allocations;
            const long flagged = function.call(evaluator, arguments.views);
            EXPECT_EQ(allocations - before, 0) << name << " " << function.name;
            EXPECT_EQ(flagged, function.read().find('q') == std::string::npos ? 0 : 1)
                << name << " " << function.name;
        }
    }
}

// A lack of memory is an exception of the caller's and never ends the program, whichever allocation fails while an Evaluator
// is made: of its arrays, of a thread, after some threads have started.
TEST(BatchEvaluator, ThatGetsNoMemoryThrows) {
    if (!PLUCKER_CAN_COUNT) GTEST_SKIP() << "a sanitizer has its own malloc";
    const Model model = robots::arm();
    int failed = 0;
    for (long k = 0;; ++k) {
        allocations_before_failure = k;
        try {
            const batch::Evaluator<double> evaluator(model, {.threads = 4});
            const bool all_served = allocations_before_failure >= 0;
            allocations_before_failure = -1;
            if (all_served) break;
        } catch (const std::bad_alloc&) {
            ++failed;
        }
        allocations_before_failure = -1;
        ASSERT_LT(k, 100000);
    }
    EXPECT_GT(failed, 4);
}

}  // namespace
}  // namespace plucker::test
