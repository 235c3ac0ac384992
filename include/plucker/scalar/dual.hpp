// Dual numbers a + Σ b_k ε_k with ε_j ε_k = 0: forward-mode derivatives, exact to rounding.
//
// Running an algorithm on Dual<double> with inputs x + ε dx gives f(x) + ε (∂f/∂x) dx. Dual<double, N> carries the
// derivatives in N directions through one run, which computes the values once instead of N times. The type nests:
// Dual<Dual<double>> carries second derivatives, and Dual<Pack<double, 4>> those of four states.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "plucker/scalar/scalar.hpp"

namespace plucker {

// The derivatives in N directions: a vector, so that the rules of differentiation read as for one.
template <class T, int N>
struct Directions {
    std::array<T, N> along{};

    constexpr T& operator[](int k) { return along[static_cast<std::size_t>(k)]; }
    constexpr const T& operator[](int k) const { return along[static_cast<std::size_t>(k)]; }

    friend constexpr Directions operator-(const Directions& a) {
        return from([&](int k) { return -a[k]; });
    }
    friend constexpr Directions operator+(const Directions& a, const Directions& b) {
        return from([&](int k) { return a[k] + b[k]; });
    }
    friend constexpr Directions operator-(const Directions& a, const Directions& b) {
        return from([&](int k) { return a[k] - b[k]; });
    }
    friend constexpr Directions operator*(const Directions& a, const T& factor) {
        return from([&](int k) { return a[k] * factor; });
    }
    friend constexpr Directions operator*(const T& factor, const Directions& a) {
        return from([&](int k) { return factor * a[k]; });
    }
    friend constexpr Directions operator/(const Directions& a, const T& divisor) {
        return from([&](int k) { return a[k] / divisor; });
    }

    friend constexpr Directions select(const MaskOf<T>& mask, const Directions& a,
                                       const Directions& b) {
        return from([&](int k) { return select(mask, a[k], b[k]); });
    }
    friend MaskOf<T> isfinite(const Directions& a) {
        using std::isfinite;
        MaskOf<T> finite = isfinite(a[0]);
        for (int k = 1; k < N; ++k) {
            const MaskOf<T> this_one = isfinite(a[k]);
            finite = finite & this_one;
        }
        return finite;
    }
    friend auto magnitude(const Directions& a) {
        auto largest = magnitude(a[0]);
        for (int k = 1; k < N; ++k) largest = larger_magnitude(largest, magnitude(a[k]));
        return largest;
    }

private:
    template <class F>
    static constexpr Directions from(const F& entry) {
        Directions out;
        for (int k = 0; k < N; ++k) out[k] = entry(k);
        return out;
    }
};

template <class T, int N = 1>
struct Dual {
    static_assert(N >= 1);
    // A single direction needs no index.
    using Derivative = std::conditional_t<N == 1, T, Directions<T, N>>;
    using Mask = MaskOf<T>;

    T value{};
    Derivative derivative{};

    constexpr Dual() = default;
    // A constant: its derivative is zero. Implicit, so that formulas can mix in plain numbers.
    constexpr Dual(T v) : value(v) {}  // NOLINT(google-explicit-constructor)
    constexpr Dual(T v, Derivative d) : value(v), derivative(d) {}
    template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>) constexpr Dual(U v)
        : value(static_cast<T>(v)) {}  // NOLINT(google-explicit-constructor)

    // The derivative in direction k, for any N.
    constexpr T& along(int k) { return direction(derivative, k); }
    constexpr const T& along(int k) const { return direction(derivative, k); }
    // The variable itself of direction k: v + ε_k.
    static constexpr Dual variable(T v, int k = 0) {
        Dual out(v);
        out.along(k) = T(1);
        return out;
    }

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

    // Order is the order of values: a derivative must not change what is selected.
    friend constexpr Mask operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
    friend constexpr Mask operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
    friend constexpr Mask operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
    friend constexpr Mask operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
    friend constexpr Mask operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
    friend constexpr Mask operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
    // By a bool a dual number is chosen as a whole, by the general `select`.
    friend constexpr Dual select(const Mask& mask, const Dual& a,
                                 const Dual& b) requires(!std::same_as<Mask, bool>) {
        return {select(mask, a.value, b.value), select(mask, a.derivative, b.derivative)};
    }

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
    friend constexpr Dual abs(const Dual& x) { return select(x.value < T(0), -x, x); }
    friend Dual atan2(const Dual& y, const Dual& x) {
        using std::atan2;
        const T radius_squared = x.value * x.value + y.value * y.value;
        return {atan2(y.value, x.value),
                (x.value * y.derivative - y.value * x.derivative) / radius_squared};
    }
    friend Mask isfinite(const Dual& x) {
        using std::isfinite;
        const Mask plain = isfinite(x.value);
        const Mask rates = isfinite(x.derivative);
        return plain & rates;
    }
    friend constexpr auto value_of(const Dual& x) { return value_of(x.value); }
    friend auto magnitude(const Dual& x) {
        return larger_magnitude(magnitude(x.value), magnitude(x.derivative));
    }

private:
    template <class AnyDerivative>
    static constexpr auto& direction(AnyDerivative& derivative, int k) {
        if constexpr (N == 1) {
            return derivative;
        } else {
            return derivative[k];
        }
    }
};

template <class T, int N>
struct ScalarTraits<Dual<T, N>> {
    using Parameter = ParameterOf<T>;
    using Mask = MaskOf<T>;
};

static_assert(Scalar<Dual<double>> && Scalar<Dual<float, 3>>);
static_assert(Scalar<Dual<Dual<double>>> && Scalar<Dual<Dual<double, 2>, 3>>);

}  // namespace plucker
