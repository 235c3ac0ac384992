// One block of memory for many arrays, made once.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace plucker {

// A part of an arena. It may be copied and moved: the numbers stay where they are.
template <class T>
class Array {
public:
    Array() = default;
    Array(T* data, std::size_t size) : data_(data), size_(size) {}

    template <class Index>
    T& operator[](Index k) {
        return data_[k];
    }
    template <class Index>
    const T& operator[](Index k) const {
        return data_[k];
    }
    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Whoever needs arrays takes them twice, in the same order: first from an arena without memory, which measures, then
// from one that has as much as was measured.
class Arena {
public:
    Arena() = default;
    explicit Arena(const Arena& measured)
        : block_(static_cast<std::byte*>(::operator new(measured.used_, kAlignment))) {}
    Arena(Arena&&) = default;
    Arena& operator=(Arena&&) = default;

    // n values, each as T{}.
    template <class T>
    Array<T> take(std::size_t n) {
        static_assert(std::is_trivially_destructible_v<T>, "nobody would destroy it");
        static_assert(alignof(T) <= kLine);
        T* const data = block_ == nullptr ? nullptr : new (block_.get() + used_) T[n]{};
        used_ += whole_lines<T>(n);
        return {data, n};
    }
    // n values that whoever takes them writes before reading: what is never needed is never touched, and of a large array
    // the system gives no memory until it is.
    template <class T>
    Array<T> take_unwritten(std::size_t n) {
        if constexpr (std::is_trivially_default_constructible_v<T>) {
            Array<T> out(nullptr, n);
            if (block_ != nullptr) out = {new (block_.get() + used_) T[n], n};
            used_ += whole_lines<T>(n);
            return out;
        } else {
            return take<T>(n);
        }
    }
    std::size_t size() const { return used_; }

private:
    static constexpr std::size_t kLine = 64;
    static constexpr std::align_val_t kAlignment{kLine};
    // The next array begins a line of the cache.
    template <class T>
    static constexpr std::size_t whole_lines(std::size_t n) {
        return (n * sizeof(T) + kLine - 1) / kLine * kLine;
    }
    struct Free {
        void operator()(std::byte* block) const { ::operator delete(block, kAlignment); }
    };
    std::unique_ptr<std::byte, Free> block_;
    std::size_t used_ = 0;
};

}  // namespace plucker
