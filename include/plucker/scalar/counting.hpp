// Numbers that count: how many operations does an algorithm take?
//
// An algorithm run on Counting<double> gives the same results as on double, and adds up every operation
// that its text executes on the way:
//
//     reset_operation_counts();
//     inverse_dynamics(workspace, q, v, a, tau);      // a Workspace<Counting<double>>
//     operation_counts().flops();
//
// What is counted is the text, not what a compiler makes of it. A product with a literal S(0) or S(1) is a
// multiplication here, though a compiler may drop it. A fused multiply-add is two operations. Changes of
// sign, comparisons, selects and copies are none, and neither are a model's constants, which stay plain
// numbers.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "plucker/scalar/scalar.hpp"

namespace plucker {

struct OperationCounts {
    long additions = 0;  // and subtractions
    long multiplications = 0;
    long divisions = 0;
    long square_roots = 0;
    long sines_and_cosines = 0;  // a sine and a cosine of one angle are two
    long arc_tangents = 0;

    // Every operation is one, even a sine, which takes a processor some twenty.
    constexpr long flops() const {
        return additions + multiplications + divisions + square_roots + sines_and_cosines +
               arc_tangents;
    }
    friend constexpr bool operator==(const OperationCounts&, const OperationCounts&) = default;
};

namespace detail {
inline thread_local OperationCounts operations_of_this_thread;
}  // namespace detail

// What this thread has executed since it last reset its counts.
inline const OperationCounts& operation_counts() { return detail::operations_of_this_thread; }
inline void reset_operation_counts() { detail::operations_of_this_thread = {}; }

template <class T>
struct Counting {
    using Mask = MaskOf<T>;

    T value{};

    constexpr Counting() = default;
    // Implicit, so that formulas can mix in plain numbers.
    constexpr Counting(T v) : value(v) {}  // NOLINT(google-explicit-constructor)
    template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>) constexpr Counting(U v)
        : value(static_cast<T>(v)) {}  // NOLINT(google-explicit-constructor)

    Counting& operator+=(const Counting& b) { return *this = *this + b; }
    Counting& operator-=(const Counting& b) { return *this = *this - b; }
    Counting& operator*=(const Counting& b) { return *this = *this * b; }
    Counting& operator/=(const Counting& b) { return *this = *this / b; }

    friend constexpr Counting operator-(const Counting& a) { return {-a.value}; }
    friend Counting operator+(const Counting& a, const Counting& b) {
        ++detail::operations_of_this_thread.additions;
        return {a.value + b.value};
    }
    friend Counting operator-(const Counting& a, const Counting& b) {
        ++detail::operations_of_this_thread.additions;
        return {a.value - b.value};
    }
    friend Counting operator*(const Counting& a, const Counting& b) {
        ++detail::operations_of_this_thread.multiplications;
        return {a.value * b.value};
    }
    friend Counting operator/(const Counting& a, const Counting& b) {
        ++detail::operations_of_this_thread.divisions;
        return {a.value / b.value};
    }

    friend constexpr Mask operator==(const Counting& a, const Counting& b) {
        return a.value == b.value;
    }
    friend constexpr Mask operator!=(const Counting& a, const Counting& b) {
        return a.value != b.value;
    }
    friend constexpr Mask operator<(const Counting& a, const Counting& b) {
        return a.value < b.value;
    }
    friend constexpr Mask operator>(const Counting& a, const Counting& b) {
        return a.value > b.value;
    }
    friend constexpr Mask operator<=(const Counting& a, const Counting& b) {
        return a.value <= b.value;
    }
    friend constexpr Mask operator>=(const Counting& a, const Counting& b) {
        return a.value >= b.value;
    }

    // By a bool such a number is chosen as a whole, by the general `select`.
    friend constexpr Counting select(const Mask& mask, const Counting& a,
                                     const Counting& b) requires(!std::same_as<Mask, bool>) {
        return {select(mask, a.value, b.value)};
    }

    friend SinCos<Counting> sin_cos(const Counting& x) {
        detail::operations_of_this_thread.sines_and_cosines += 2;
        const auto [s, c] = sin_cos(x.value);
        return {{s}, {c}};
    }
    friend Counting sin(const Counting& x) {
        using std::sin;
        ++detail::operations_of_this_thread.sines_and_cosines;
        return {sin(x.value)};
    }
    friend Counting cos(const Counting& x) {
        using std::cos;
        ++detail::operations_of_this_thread.sines_and_cosines;
        return {cos(x.value)};
    }
    friend Counting sqrt(const Counting& x) {
        using std::sqrt;
        ++detail::operations_of_this_thread.square_roots;
        return {sqrt(x.value)};
    }
    friend Counting atan2(const Counting& y, const Counting& x) {
        using std::atan2;
        ++detail::operations_of_this_thread.arc_tangents;
        return {atan2(y.value, x.value)};
    }
    friend constexpr Counting abs(const Counting& x) { return select(x.value < T(0), -x, x); }
    friend Mask isfinite(const Counting& x) {
        using std::isfinite;
        return isfinite(x.value);
    }
    friend constexpr auto value_of(const Counting& x) { return value_of(x.value); }
    friend auto magnitude(const Counting& x) { return magnitude(x.value); }
};

template <class T>
struct ScalarTraits<Counting<T>> {
    using Parameter = ParameterOf<T>;
    using Mask = MaskOf<T>;
};

static_assert(Scalar<Counting<double>>);

}  // namespace plucker

namespace Eigen {

template <class T>
struct NumTraits<plucker::Counting<T>> : NumTraits<T> {
    using Real = plucker::Counting<T>;
    using NonInteger = plucker::Counting<T>;
    using Nested = plucker::Counting<T>;
    enum { IsComplex = 0, RequireInitialization = 1, ReadCost = 1, AddCost = 1, MulCost = 1 };
};

}  // namespace Eigen
