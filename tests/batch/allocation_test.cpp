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

}  // namespace
}  // namespace plucker::test
