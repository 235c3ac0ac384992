// Counts what the program asks of malloc, on any thread. It replaces malloc: include it in one file of a program.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdlib>

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

inline std::atomic<long> allocations{0};
// So many more are served; the one after them gets nothing, and all later ones are served again. Negative: none fails.
inline std::atomic<long> allocations_before_failure{-1};
inline bool allocation_fails() {
    ++allocations;
    if (allocations_before_failure.load() < 0 || allocations_before_failure.fetch_sub(1) != 0)
        return false;
    errno = ENOMEM;
    return true;
}

#if PLUCKER_CAN_COUNT
// glibc's own entry points, behind the counter. operator new calls malloc.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void* malloc(size_t size) { return allocation_fails() ? nullptr : __libc_malloc(size); }
void* calloc(size_t n, size_t size) {
    return allocation_fails() ? nullptr : __libc_calloc(n, size);
}
void* realloc(void* p, size_t size) {
    return allocation_fails() ? nullptr : __libc_realloc(p, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return allocation_fails() ? nullptr : __libc_memalign(alignment, size);
}
}
#endif
