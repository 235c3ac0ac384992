// The complex step: f(x + i h) ≈ f(x) + i h f'(x) with h so small (1e-20, say) that the error O(h²)
// vanishes, and no difference of nearly equal numbers is taken.
//
// Unlike std::complex it is ordered, by its real part, and its absolute value is the analytic
// continuation of |x| on the reals, so that selects and friction follow the real computation.
#pragma once

#include <cmath>

#include "plucker/scalar/scalar.hpp"

namespace plucker {

template <class T>
struct ComplexStep {
    // A step small enough that its square vanishes beside one in every precision.
    static constexpr double kStep = 1e-20;

    using Mask = MaskOf<T>;

    T real{};
    T imaginary{};

    constexpr ComplexStep() = default;
    // A constant. Implicit, so that formulas can mix in plain numbers.
    constexpr ComplexStep(T re) : real(re) {}  // NOLINT(google-explicit-constructor)
    constexpr ComplexStep(T re, T im) : real(re), imaginary(im) {}
    template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>) constexpr ComplexStep(U v)
        : real(static_cast<T>(v)) {}  // NOLINT(google-explicit-constructor)

    constexpr ComplexStep& operator+=(const ComplexStep& b) { return *this = *this + b; }
    constexpr ComplexStep& operator-=(const ComplexStep& b) { return *this = *this - b; }
    constexpr ComplexStep& operator*=(const ComplexStep& b) { return *this = *this * b; }
    constexpr ComplexStep& operator/=(const ComplexStep& b) { return *this = *this / b; }

    friend constexpr ComplexStep operator-(const ComplexStep& a) { return {-a.real, -a.imaginary}; }
    friend constexpr ComplexStep operator+(const ComplexStep& a, const ComplexStep& b) {
        return {a.real + b.real, a.imaginary + b.imaginary};
    }
    friend constexpr ComplexStep operator-(const ComplexStep& a, const ComplexStep& b) {
        return {a.real - b.real, a.imaginary - b.imaginary};
    }
    friend constexpr ComplexStep operator*(const ComplexStep& a, const ComplexStep& b) {
        return {a.real * b.real - a.imaginary * b.imaginary,
                a.real * b.imaginary + a.imaginary * b.real};
    }
    friend constexpr ComplexStep operator/(const ComplexStep& a, const ComplexStep& b) {
        const T norm = b.real * b.real + b.imaginary * b.imaginary;
        return {(a.real * b.real + a.imaginary * b.imaginary) / norm,
                (a.imaginary * b.real - a.real * b.imaginary) / norm};
    }

    friend constexpr Mask operator==(const ComplexStep& a, const ComplexStep& b) {
        return a.real == b.real;
    }
    friend constexpr Mask operator!=(const ComplexStep& a, const ComplexStep& b) {
        return a.real != b.real;
    }
    friend constexpr Mask operator<(const ComplexStep& a, const ComplexStep& b) {
        return a.real < b.real;
    }
    friend constexpr Mask operator>(const ComplexStep& a, const ComplexStep& b) {
        return a.real > b.real;
    }
    friend constexpr Mask operator<=(const ComplexStep& a, const ComplexStep& b) {
        return a.real <= b.real;
    }
    friend constexpr Mask operator>=(const ComplexStep& a, const ComplexStep& b) {
        return a.real >= b.real;
    }

    // By a bool such a number is chosen as a whole, by the general `select`.
    friend constexpr ComplexStep select(const Mask& mask, const ComplexStep& a,
                                        const ComplexStep& b) requires(!std::same_as<Mask, bool>) {
        return {select(mask, a.real, b.real), select(mask, a.imaginary, b.imaginary)};
    }

    friend SinCos<ComplexStep> sin_cos(const ComplexStep& x) {
        using std::cosh;
        using std::sinh;
        const auto [s, c] = sin_cos(x.real);
        const T ch = cosh(x.imaginary);
        const T sh = sinh(x.imaginary);
        return {{s * ch, c * sh}, {c * ch, -s * sh}};
    }
    friend ComplexStep sin(const ComplexStep& x) { return sin_cos(x).sin; }
    friend ComplexStep cos(const ComplexStep& x) { return sin_cos(x).cos; }
    // The following two keep the first order in the imaginary part, which is all that a complex step
    // uses.
    friend ComplexStep sqrt(const ComplexStep& x) {
        using std::sqrt;
        const T root = sqrt(x.real);
        return {root, x.imaginary / (T(2) * root)};
    }
    friend ComplexStep atan2(const ComplexStep& y, const ComplexStep& x) {
        using std::atan2;
        return {atan2(y.real, x.real), (x.real * y.imaginary - y.real * x.imaginary) /
                                           (x.real * x.real + y.real * y.real)};
    }
    friend ComplexStep abs(const ComplexStep& x) { return select(x.real < T(0), -x, x); }
    friend Mask isfinite(const ComplexStep& x) {
        using std::isfinite;
        const Mask plain = isfinite(x.real);
        const Mask rate = isfinite(x.imaginary);
        return plain & rate;
    }
    // The derivative, of a result whose input was stepped by i kStep.
    constexpr T derivative() const { return imaginary / T(kStep); }
    friend constexpr auto value_of(const ComplexStep& x) { return value_of(x.real); }
    friend auto magnitude(const ComplexStep& x) {
        return larger_magnitude(magnitude(x.real), magnitude(x.derivative()));
    }
};

template <class T>
struct ScalarTraits<ComplexStep<T>> {
    using Parameter = ParameterOf<T>;
    using Mask = MaskOf<T>;
};

static_assert(Scalar<ComplexStep<double>>);

}  // namespace plucker
