// Numbers for the vectors of dense_code.hpp.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "dense_code.hpp"

namespace plucker::impulses {

// Begins where a register's numbers do not cross lines of the cache.
template <class T>
struct InLines {
    using value_type = T;  // NOLINT(readability-identifier-naming): the standard's name
    static constexpr std::align_val_t kLine{64};
    InLines() = default;
    template <class U>
    InLines(const InLines<U>&) {}  // NOLINT(google-explicit-constructor): as allocators are
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
    void deallocate(T* x, std::size_t) { ::operator delete(x, kLine); }
    bool operator==(const InLines&) const = default;
};
using Numbers = std::vector<double, InLines<double>>;

}  // namespace plucker::impulses
