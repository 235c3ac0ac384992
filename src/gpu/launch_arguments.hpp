// The values of a kernel's parameters, and pointers to them.
#pragma once

#include <cstring>
#include <vector>

#include "plucker/algorithms/views.hpp"
#include "plucker/compiler/cuda.hpp"

namespace plucker::gpu {

class LaunchArguments {
public:
    explicit LaunchArguments(long count) { add(count); }

    template <class T>
    void add_pointer(T* pointer) {
        add(reinterpret_cast<std::uintptr_t>(pointer));
    }
    template <class T>
    void add_number(T number) {
        std::uint64_t value = 0;
        std::memcpy(&value, &number, sizeof(T));
        add(value);
    }
    // As kernels of programs take an array.
    template <class T>
    void add_array(compiler::KernelArray how, const batch::Matrices<T>& x) {
        add_pointer(x.data);
        if (how.layout == compiler::ArrayLayout::kPlanes) {
            const bool by_columns = how.order == compiler::EntryOrder::kByColumns;
            const bool no_inner = by_columns ? x.rows == 1 : x.columns == 1;
            add((by_columns == no_inner ? x.column_stride : x.row_stride) *
                static_cast<long>(sizeof(T)));
        }
        if (how.layout == compiler::ArrayLayout::kAnything) {
            add(x.state_stride);
            add(x.row_stride);
            add(x.column_stride);
        }
    }
    template <class T>
    void add_strides(const batch::Matrices<T>& x) {
        add_pointer(x.data);
        add(x.state_stride);
        add(x.row_stride);
        add(x.column_stride);
    }
    void** pointers() {
        pointers_.clear();
        for (std::uint64_t& value : values_) pointers_.push_back(&value);
        return pointers_.data();
    }

    template <class V>
    void add(V value) {
        values_.push_back(static_cast<std::uint64_t>(value));
    }

private:
    std::vector<std::uint64_t> values_;  // narrower ones begin with their lowest byte
    std::vector<void*> pointers_;
};

}  // namespace plucker::gpu
