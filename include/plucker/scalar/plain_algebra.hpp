// Sums and products of matrices as functions, each of which gives a matrix.
//
// Eigen makes a type of every formula, and compiles each: of laws, with hundreds of formulas that are evaluated once, that was
// two thirds of the compiler's time. Where it says `using namespace plain`, the same formulas share one function for each
// operator and number type: these operators match matrices exactly, and so are preferred to Eigen's.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <vector>

#include "plucker/scalar/eigen.hpp"

namespace plucker::plain {

// What has its numbers in memory: matrices, maps, references, and parts of these.
template <class M>
concept Stored = requires(const M& m) {
    typename M::Scalar;
    { m.data() } -> std::convertible_to<const typename M::Scalar*>;
    m.rowStride();
    m.colStride();
};

// The numbers of a matrix. An expression is evaluated, and its numbers kept.
template <class S>
class Entries {
public:
    Entries(const S* data, long rows, long columns, long row_stride, long column_stride)
        : data_(data),
          rows_(rows),
          columns_(columns),
          row_stride_(row_stride),
          column_stride_(column_stride) {}
    template <class Derived>
    Entries(const Eigen::MatrixBase<Derived>& m)  // NOLINT(google-explicit-constructor)
        : rows_(m.rows()), columns_(m.cols()) {
        if constexpr (Stored<Derived>) {
            data_ = m.derived().data();
            row_stride_ = m.derived().rowStride();
            column_stride_ = m.derived().colStride();
        } else {
            owned_.resize(static_cast<std::size_t>(m.size()));
            Eigen::Map<MatrixX<S>>(owned_.data(), rows_, columns_) = m;
            data_ = owned_.data();
            row_stride_ = 1;
            column_stride_ = rows_;
        }
    }
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;

    const S& operator()(long row, long column) const {
        return data_[row * row_stride_ + column * column_stride_];
    }
    // Where a column begins, and what lies between its numbers.
    const S* column(long c) const { return data_ + c * column_stride_; }
    long row_stride() const { return row_stride_; }
    long rows() const { return rows_; }
    long columns() const { return columns_; }

private:
    const S* data_;
    long rows_, columns_, row_stride_, column_stride_;
    std::vector<S> owned_;
};

// y += s x, of n numbers.
template <class S>
void add_scaled(const S& s, const S* x, long x_stride, long n, S* y) {
    for (long k = 0; k < n; ++k) y[k] += s * x[k * x_stride];
}
void add_scaled(const double& s, const double* x, long x_stride, long n, double* y);

// A += y yᵀ, of a symmetric matrix the entries on and below the diagonal.
inline void add_square_below(const VectorX<double>& y, MatrixX<double>& A) {
    for (long c = 0; c < y.size(); ++c)
        add_scaled(y[c], y.data() + c, 1, y.size() - c, A.data() + c * A.rows() + c);
}

// Dense columns `out` of: x, s x, x + s y, x y.
template <class S>
void copy(const Entries<S>& x, S* out) {
    for (long c = 0; c < x.columns(); ++c) {
        for (long r = 0; r < x.rows(); ++r) *out++ = x(r, c);
    }
}
template <class S>
void scale(const S& s, const Entries<S>& x, S* out) {
    for (long c = 0; c < x.columns(); ++c) {
        for (long r = 0; r < x.rows(); ++r) *out++ = s * x(r, c);
    }
}
template <class S>
void add(const Entries<S>& x, const S& s, const Entries<S>& y, S* out) {
    assert(x.rows() == y.rows() && x.columns() == y.columns());
    for (long c = 0; c < x.columns(); ++c) {
        for (long r = 0; r < x.rows(); ++r) *out++ = x(r, c) + s * y(r, c);
    }
}
template <class S>
void multiply(const Entries<S>& x, const Entries<S>& y, S* out) {
    assert(x.columns() == y.rows());
    std::fill_n(out, x.rows() * y.columns(), S(0));
    for (long c = 0; c < y.columns(); ++c) {
        S* column = out + c * x.rows();
        for (long k = 0; k < x.columns(); ++k)
            add_scaled(y(k, c), x.column(k), x.row_stride(), x.rows(), column);
    }
}

// --- Matrices of one number ---

template <class S>
VectorX<S> filled(long n, const S& x) {
    VectorX<S> out(n);
    std::fill_n(out.data(), n, x);
    return out;
}
template <class S>
MatrixX<S> filled(long rows, long columns, const S& x) {
    MatrixX<S> out(rows, columns);
    std::fill_n(out.data(), rows * columns, x);
    return out;
}
template <class S>
VectorX<S> zeros(long n) {
    return filled<S>(n, S(0));
}
template <class S>
MatrixX<S> zeros(long rows, long columns) {
    return filled<S>(rows, columns, S(0));
}
template <class S>
MatrixX<S> identity(long n) {
    MatrixX<S> out = zeros<S>(n, n);
    for (long k = 0; k < n; ++k) out(k, k) = S(1);
    return out;
}

// --- Formulas ---

// Memory for a result with the rows of A and the columns of B.
template <class S, class A, class B>
auto make_result(const A& a, const B& b) {
    if constexpr (B::ColsAtCompileTime == 1) {
        return VectorX<S>(a.rows());
    } else {
        return MatrixX<S>(a.rows(), b.cols());
    }
}

template <Stored A, Stored B>
requires std::same_as<typename A::Scalar, typename B::Scalar>
auto operator+(const A& a, const B& b) {
    using S = typename A::Scalar;
    auto out = make_result<S>(a, b);
    add<S>(a, S(1), b, out.data());
    return out;
}
template <Stored A, Stored B>
requires std::same_as<typename A::Scalar, typename B::Scalar>
auto operator-(const A& a, const B& b) {
    using S = typename A::Scalar;
    auto out = make_result<S>(a, b);
    add<S>(a, S(-1), b, out.data());
    return out;
}
template <Stored A, Stored B>
requires std::same_as<typename A::Scalar, typename B::Scalar>
auto operator*(const A& a, const B& b) {
    using S = typename A::Scalar;
    auto out = make_result<S>(a, b);
    multiply<S>(a, b, out.data());
    return out;
}
template <class Number, Stored A>
requires std::convertible_to<Number, typename A::Scalar>
auto operator*(const Number& s, const A& a) {
    using S = typename A::Scalar;
    auto out = make_result<S>(a, a);
    scale<S>(S(s), a, out.data());
    return out;
}
template <class Number, Stored A>
requires std::convertible_to<Number, typename A::Scalar>
auto operator*(const A& a, const Number& s) { return s * a; }
template <class Number, Stored A>
requires std::convertible_to<Number, typename A::Scalar>
auto operator/(const A& a, const Number& s) {
    return (typename A::Scalar(1) / typename A::Scalar(s)) * a;
}
template <Stored A>
auto operator-(const A& a) {
    return typename A::Scalar(-1) * a;
}

// --- Parts, and matrices turned round ---

template <Stored A>
MatrixX<typename A::Scalar> transposed(const A& a) {
    using S = typename A::Scalar;
    MatrixX<S> out(a.cols(), a.rows());
    copy<S>({a.data(), a.cols(), a.rows(), a.colStride(), a.rowStride()}, out.data());
    return out;
}
// `count` rows or columns from `first` on.
template <Stored A>
MatrixX<typename A::Scalar> rows_of(const A& a, long first, long count) {
    using S = typename A::Scalar;
    MatrixX<S> out(count, a.cols());
    copy<S>({a.data() + first * a.rowStride(), count, a.cols(), a.rowStride(), a.colStride()},
            out.data());
    return out;
}
template <Stored A>
MatrixX<typename A::Scalar> columns_of(const A& a, long first, long count) {
    using S = typename A::Scalar;
    MatrixX<S> out(a.rows(), count);
    copy<S>({a.data() + first * a.colStride(), a.rows(), count, a.rowStride(), a.colStride()},
            out.data());
    return out;
}
// A row as a vector, and a column.
template <Stored A>
VectorX<typename A::Scalar> row_of(const A& a, long k) {
    VectorX<typename A::Scalar> out(a.cols());
    for (long c = 0; c < a.cols(); ++c) out[c] = a(k, c);
    return out;
}
template <Stored A>
VectorX<typename A::Scalar> column_of(const A& a, long k) {
    VectorX<typename A::Scalar> out(a.rows());
    for (long r = 0; r < a.rows(); ++r) out[r] = a(r, k);
    return out;
}
// Scales row k of a matrix by the k-th number.
template <Stored D, Stored A>
auto scaled_rows(const D& scales, A a) {
    for (long c = 0; c < a.cols(); ++c) {
        for (long r = 0; r < a.rows(); ++r) a(r, c) *= scales(r);
    }
    return a;
}
// The diagonal of a matrix.
template <Stored A>
auto diagonal_of(const A& a) {
    VectorX<typename A::Scalar> out(a.cols());
    for (long k = 0; k < a.cols(); ++k) out[k] = a(k, k);
    return out;
}
// Σ a_k b_k.
template <Stored A, Stored B>
auto sum_of_products(const A& a, const B& b) {
    using S = typename A::Scalar;
    const Entries<S> x(a), y(b);
    assert(x.rows() == y.rows() && x.columns() == y.columns());
    S sum = S(0);
    for (long c = 0; c < x.columns(); ++c) {
        for (long r = 0; r < x.rows(); ++r) sum += x(r, c) * y(r, c);
    }
    return sum;
}

}  // namespace plucker::plain
