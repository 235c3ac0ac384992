// Dual numbers a + b ε with ε² = 0: forward-mode derivatives, exact to rounding.
//
// Running an algorithm on Dual<double> with inputs x + ε dx gives f(x) + ε (∂f/∂x) dx. The type nests:
// Dual<Dual<double>> carries second derivatives.
#pragma once

#include <cmath>

#include "plucker/scalar/scalar.hpp"

namespace plucker {

template <class T>
struct Dual {
    T value{};
    T derivative{};

    constexpr Dual() = default;
    // A constant: its derivative is zero. Implicit, so that formulas can mix in plain numbers.
    constexpr Dual(T v) : value(v) {}  // NOLINT(google-explicit-constructor)
    constexpr Dual(T v, T d) : value(v), derivative(d) {}
    template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>) constexpr Dual(U v)
        : value(static_cast<T>(v)) {}  // NOLINT(google-explicit-constructor)

    constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
    constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
    constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
    constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

    friend constexpr Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }
    friend constexpr Dual operator+(const Dual& a, const Dual& b) {
        return {a.value + b.value, a.derivative + b.derivative};
    }
    friend constexpr Dual operator-(const Dual& a, const Dual& b) {
        return {a.value - b.value, a.derivative - b.derivative};
    }
    friend constexpr Dual operator*(const Dual& a, const Dual& b) {
        return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
    }
    friend constexpr Dual operator/(const Dual& a, const Dual& b) {
        const T quotient = a.value / b.value;
        return {quotient, (a.derivative - quotient * b.derivative) / b.value};
    }

    // Order is the order of values: a derivative must not change which branch is selected.
    friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
    friend constexpr bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
    friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
    friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
    friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
    friend constexpr bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }

    friend SinCos<Dual> sin_cos(const Dual& x) {
        const auto [s, c] = sin_cos(x.value);
        return {{s, c * x.derivative}, {c, -s * x.derivative}};
    }
    friend Dual sin(const Dual& x) { return sin_cos(x).sin; }
    friend Dual cos(const Dual& x) { return sin_cos(x).cos; }
    friend Dual sqrt(const Dual& x) {
        using std::sqrt;
        const T root = sqrt(x.value);
        return {root, x.derivative / (T(2) * root)};
    }
    friend Dual abs(const Dual& x) { return x.value < T(0) ? -x : x; }
    friend Dual atan2(const Dual& y, const Dual& x) {
        using std::atan2;
        const T radius_squared = x.value * x.value + y.value * y.value;
        return {atan2(y.value, x.value),
                (x.value * y.derivative - y.value * x.derivative) / radius_squared};
    }
    friend bool isfinite(const Dual& x) {
        using std::isfinite;
        return isfinite(x.value) && isfinite(x.derivative);
    }
    friend constexpr auto value_of(const Dual& x) { return value_of(x.value); }
    friend auto magnitude(const Dual& x) {
        const auto plain = magnitude(x.value);
        const auto rate = magnitude(x.derivative);
        // Written so that a NaN in either part comes through.
        return plain > rate ? plain : (rate >= plain ? rate : plain + rate);
    }
};

template <class T>
struct ScalarTraits<Dual<T>> {
    using Parameter = ParameterOf<T>;
    using Mask = bool;
};

}  // namespace plucker
