// Views of many vectors or matrices in the caller's memory: the arguments of batches.
//
// A view copies and owns nothing. Make one from an Eigen matrix of either storage order, from a block of
// one, or from a pointer with strides.
#pragma once

#include <concepts>
#include <type_traits>

namespace plucker::batch {

// N vectors: entry k of vector n is data[n · state_stride + k · entry_stride]. As an Eigen matrix: one row
// a state.
template <class T>
struct States {
    T* data = nullptr;
    long count = 0;
    long size = 0;
    long state_stride = 0;
    long entry_stride = 1;

    States() = default;
    // Dense rows, one after another.
    States(T* data_, long count_, long size_) : States(data_, count_, size_, size_, 1) {}
    States(T* data_, long count_, long size_, long state_stride_, long entry_stride_)
        : data(data_),
          count(count_),
          size(size_),
          state_stride(state_stride_),
          entry_stride(entry_stride_) {}
    template <class EigenMatrix>
    requires requires(EigenMatrix& m) {
        { m.data() } -> std::convertible_to<T*>;
        m.rowStride();
    }
    // NOLINTNEXTLINE(google-explicit-constructor, bugprone-forwarding-reference-overload)
    States(EigenMatrix&& m) : States(m.data(), m.rows(), m.cols(), m.rowStride(), m.colStride()) {}
    // Numbers that may change serve where constant ones are asked for.
    template <class U>
    requires std::is_same_v<T, const U> States(
        const States<U>& other)  // NOLINT(google-explicit-constructor)
        : States(other.data, other.count, other.size, other.state_stride, other.entry_stride) {}
};

enum class Order { kRowMajor, kColumnMajor };

// N matrices: entry (r, c) of matrix n is data[n · state_stride + r · row_stride + c · column_stride].
template <class T>
struct Matrices {
    T* data = nullptr;
    long count = 0;
    long rows = 0;
    long columns = 0;
    long state_stride = 0;
    long row_stride = 0;
    long column_stride = 0;

    Matrices() = default;
    // Dense, one after another: an array of shape (count, rows, columns) in C order by default.
    Matrices(T* data_, long count_, long rows_, long columns_, Order order = Order::kRowMajor)
        : Matrices(data_, count_, rows_, columns_, rows_ * columns_,
                   order == Order::kRowMajor ? columns_ : 1,
                   order == Order::kRowMajor ? 1 : rows_) {}
    Matrices(T* data_, long count_, long rows_, long columns_, long state_stride_, long row_stride_,
             long column_stride_)
        : data(data_),
          count(count_),
          rows(rows_),
          columns(columns_),
          state_stride(state_stride_),
          row_stride(row_stride_),
          column_stride(column_stride_) {}
    // N vectors are N matrices of one column.
    Matrices(const States<T>& vectors)  // NOLINT(google-explicit-constructor)
        : Matrices(vectors.data, vectors.count, vectors.size, 1, vectors.state_stride,
                   vectors.entry_stride, 1) {}
};

}  // namespace plucker::batch
