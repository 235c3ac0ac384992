// No batch call allocates, whatever the thread: counted at malloc, in the build that users run.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "batch/runs.hpp"

// Sanitizers bring their own malloc. GCC announces them with macros, clang with features.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PLUCKER_HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(PLUCKER_HAS_SANITIZER)
#define PLUCKER_CAN_COUNT 0
#else
#define PLUCKER_CAN_COUNT 1
#endif

namespace {
std::atomic<long> allocations{0};
}

#if PLUCKER_CAN_COUNT
// glibc's own entry points, behind the counter. operator new calls malloc.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void* malloc(size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
void* calloc(size_t n, size_t size) {
    ++allocations;
    return __libc_calloc(n, size);
}
void* realloc(void* p, size_t size) {
    ++allocations;
    return __libc_realloc(p, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    ++allocations;
    return __libc_memalign(alignment, size);
}
}
#endif

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
            const long before = allocations;
            const long flagged = function.call(evaluator, arguments.views);
            EXPECT_EQ(allocations - before, 0) << name << " " << function.name;
            EXPECT_EQ(flagged, 1);
        }
    }
}

}  // namespace
}  // namespace plucker::test
