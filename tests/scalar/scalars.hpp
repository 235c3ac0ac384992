// The scalars that the laws run on, random numbers of each, and how two results are compared.
//
// A number that carries a derivative is drawn with a random derivative and compared in both parts:
// differentiating both sides of a law gives a law, so each is checked on values and on derivatives.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "plucker/scalar/eigen.hpp"

namespace plucker::test {

using Scalars = testing::Types<float, double, long double, Dual<double>, ComplexStep<double>>;
// Those that carry a derivative.
using DifferentiatingScalars = testing::Types<Dual<double>, ComplexStep<double>>;

struct ScalarNames {
    template <class S>
    static std::string GetName(int) {
        if (std::is_same_v<S, float>) return "Float";
        if (std::is_same_v<S, double>) return "Double";
        if (std::is_same_v<S, long double>) return "LongDouble";
        if (std::is_same_v<S, Dual<float>>) return "DualFloat";
        if (std::is_same_v<S, Dual<double>>) return "DualDouble";
        if (std::is_same_v<S, ComplexStep<float>>) return "ComplexStepFloat";
        if (std::is_same_v<S, ComplexStep<double>>) return "ComplexStepDouble";
        if (std::is_same_v<S, Dual<Dual<double>>>) return "DualDualDouble";
        if (std::is_same_v<S, Dual<ComplexStep<double>>>) return "DualComplexStepDouble";
        return "Unnamed";
    }
};

// The floating-point type at the bottom of S, and its precision.
template <class S>
using ValueOf = decltype(value_of(S{}));
template <class S>
inline constexpr ValueOf<S> kEpsilon = std::numeric_limits<ValueOf<S>>::epsilon();

// x + ε dx, in whichever way S carries a derivative; without one, x.
template <class S>
S with_derivative(ValueOf<S> x, ValueOf<S> dx) {
    if constexpr (std::is_floating_point_v<S>) {
        return x;
    } else if constexpr (requires(S s) { s.imaginary; }) {
        return S(x, ValueOf<S>(S::kStep) * dx);
    } else {
        return S(x, dx);
    }
}
template <class S>
ValueOf<S> derivative_of(const S& x) {
    if constexpr (std::is_floating_point_v<S>) {
        return 0;
    } else if constexpr (requires { x.imaginary; }) {
        return x.imaginary / ValueOf<S>(S::kStep);
    } else {
        return x.derivative;
    }
}
// The same for each entry.
template <class Derived>
auto derivatives_of(const Eigen::MatrixBase<Derived>& a) {
    using S = typename Derived::Scalar;
    return MatrixX<ValueOf<S>>(a.unaryExpr([](const S& x) { return derivative_of(x); }));
}
template <class Derived>
auto values_of(const Eigen::MatrixBase<Derived>& a) {
    using S = typename Derived::Scalar;
    return MatrixX<ValueOf<S>>(a.unaryExpr([](const S& x) { return value_of(x); }));
}

// A scalar, an Eigen expression, or a spatial quantity (through to_eigen) as a matrix.
template <class A>
auto as_matrix(const A& a) {
    if constexpr (requires { a.rows(); }) {
        return MatrixX<typename A::Scalar>(a);
    } else if constexpr (requires { to_eigen(a); }) {
        return as_matrix(to_eigen(a));
    } else {
        return MatrixX<A>(MatrixX<A>::Constant(1, 1, a));
    }
}

// How many roundings two sides may lie apart unless a test says otherwise. Entries are drawn from ±1.
// The longest law, a congruence of 6×6 matrices, adds some seventy products to an entry, each with its
// own rounding, and an intermediate may be a few times larger than the result.
inline constexpr double kRoundings = 256;

// Whether a and b differ by at most `roundings` epsilons of their largest entry, or of one if they are
// smaller, in values and in derivatives. NaNs are close to nothing.
template <class S>
testing::AssertionResult compare(const MatrixX<S>& a, const MatrixX<S>& b, double roundings) {
    using Value = ValueOf<S>;
    if (a.rows() != b.rows() || a.cols() != b.cols()) {
        return testing::AssertionFailure()
               << a.rows() << "×" << a.cols() << " against " << b.rows() << "×" << b.cols();
    }
    Value scale = 1;
    for (Eigen::Index k = 0; k < b.size(); ++k) {
        const S& x = b.data()[k];
        scale = std::max({scale, std::abs(value_of(x)), std::abs(derivative_of(x))});
    }
    const Value unit = kEpsilon<S> * scale;
    for (Eigen::Index k = 0; k < a.size(); ++k) {
        const S& x = a.data()[k];
        const S& y = b.data()[k];
        const Value apart = std::abs(value_of(x) - value_of(y)) / unit;
        const Value derivatives_apart = std::abs(derivative_of(x) - derivative_of(y)) / unit;
        if (apart <= static_cast<Value>(roundings) &&
            derivatives_apart <= static_cast<Value>(roundings)) {
            continue;
        }
        return testing::AssertionFailure()
               << "entry (" << k % a.rows() << ", " << k / a.rows() << ") is " << value_of(x)
               << " + ε " << derivative_of(x) << " against " << value_of(y) << " + ε "
               << derivative_of(y) << "; apart by " << apart << " and " << derivatives_apart
               << " roundings of " << scale << ", allowed " << roundings;
    }
    return testing::AssertionSuccess();
}
template <class A, class B>
testing::AssertionResult close(const A& a, const B& b, double roundings = kRoundings) {
    return compare(as_matrix(a), as_matrix(b), roundings);
}

// Random numbers, each with a random derivative where S has one.
template <class S>
class Sampler {
public:
    using Scalar = S;
    explicit Sampler(unsigned seed) : generator_(seed) {}

    double number(double lower = -1, double upper = 1) {
        return std::uniform_real_distribution<double>(lower, upper)(generator_);
    }
    S scalar(double lower = -1, double upper = 1) {
        const auto value = static_cast<ValueOf<S>>(number(lower, upper));
        return with_derivative<S>(value, static_cast<ValueOf<S>>(number()));
    }
    MatrixX<S> matrix(int rows, int cols) {
        return MatrixX<S>::NullaryExpr(rows, cols, [&] { return scalar(); });
    }
    VectorX<S> vector(int size) { return matrix(size, 1); }
    // A Aᵀ + 1: symmetric, with eigenvalues from one to about ten.
    MatrixX<S> positive_definite(int size) {
        const MatrixX<S> A = matrix(size, size);
        return A * A.transpose() + MatrixX<S>::Identity(size, size);
    }

private:
    std::mt19937 generator_;
};

// Checks a law on several sets of random numbers; a failure names its seed.
template <class AnySampler, class Law>
void for_samples(Law&& law) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        AnySampler random(seed);
        law(random);
    }
}

}  // namespace plucker::test
