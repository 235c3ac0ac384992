// What a number must do: the concept Scalar.
//
// Every algorithm is a template on its scalar S, and an S may be more than one number: a value with derivatives (Dual,
// ComplexStep), one state per lane (Pack), a number that records what is done to it (Trace, of the compiler), and these nest. So the
// kernels ask little of S, and never branch on its value:
//
//     S(2.5), S(0)                      from a plain number
//     -a  a + b  a - b  a * b  a / b    and += -= *= /=
//     a < b  a > b  a <= b  ...         comparison gives a mask, MaskOf<S>: a bool, or a bool for each lane
//     select(mask, a, b)                a where the mask holds, b elsewhere: this is the only way to choose
//     sqrt abs atan2 sin_cos isfinite   found by argument-dependent lookup, or in std; isfinite gives a mask
//
// Masks know ! & | any all. What asks any or all, as the checks of arguments do, is outside of the kernels.
//
// Two things more are said about S, in ScalarTraits: the type of its masks, and ParameterOf<S>, in which a model's
// constants are kept for a computation in S. Derivatives and lanes have no part in these, so it is a plain number; or S
// itself where constants need not be known yet (compiler/trace.hpp).
#pragma once

#include <cmath>
#include <concepts>

// For small functions in inner loops, where a call would cost more than the work.
#define PLUCKER_ALWAYS_INLINE [[gnu::always_inline]] inline

namespace plucker {

template <class S>
struct ScalarTraits {
    using Parameter = S;
    using Mask = bool;
};
template <class S>
using ParameterOf = typename ScalarTraits<S>::Parameter;
template <class S>
using MaskOf = typename ScalarTraits<S>::Mask;

// Whether a number holds those of many states: then memory, not instructions, is what to save.
template <class S>
inline constexpr bool kManyStates = false;

// The mask of a single number.
constexpr bool any(bool mask) { return mask; }
constexpr bool all(bool mask) { return mask; }

// a where the condition holds, b elsewhere.
template <class S>
constexpr S select(bool condition, const S& a, const S& b) {
    return condition ? a : b;
}

template <class S>
struct SinCos {
    S sin, cos;
};

template <std::floating_point S>
SinCos<S> sin_cos(S angle) {
    return {std::sin(angle), std::cos(angle)};
}

// Sines and cosines of n angles. In double they are computed together, in the widest vectors that the
// processor has; `out` must have room for n rounded up to a multiple of kAngleBlock.
inline constexpr int kAngleBlock = 16;
template <class S>
void sin_cos_of_all(const S* angles, int n, SinCos<S>* out) {
    for (int k = 0; k < n; ++k) out[k] = sin_cos(angles[k]);
}
void sin_cos_of_all(const double* angles, int n, SinCos<double>* out);  // src/scalar/isa.cpp

// The plain number in x: what a message prints and what a test compares.
template <std::floating_point S>
constexpr S value_of(S x) {
    return x;
}

// The largest of the numbers in x: what a residual is measured by.
template <std::floating_point S>
S magnitude(S x) {
    return std::abs(x);
}
// The larger of two magnitudes, written so that a NaN in either comes through.
template <std::floating_point S>
constexpr S larger_magnitude(S a, S b) {
    return a > b ? a : (b >= a ? b : a + b);
}

// -1, 0 or 1. Zero has sign zero: a joint at rest has no Coulomb friction torque of its own.
template <class S>
constexpr S sign(const S& x) {
    return select(x > S(0), S(1), select(x < S(0), S(-1), S(0)));
}

// --- The concept -----------------------------------------------------------------------------------

// NOLINTBEGIN(misc-redundant-expression)
template <class M>
concept ScalarMask = requires(const M& m) {
    { !m } -> std::convertible_to<M>;
    { m& m } -> std::convertible_to<M>;
    { m | m } -> std::convertible_to<M>;
    { any(m) } -> std::same_as<bool>;
    { all(m) } -> std::same_as<bool>;
};
// NOLINTEND(misc-redundant-expression)

namespace scalar_functions {

// Those of plain numbers are in std, the others beside their types.
using std::abs;
using std::atan2;
using std::isfinite;
using std::sqrt;

template <class S>
concept Offered = requires(const S& a) {
    { sqrt(a) } -> std::same_as<S>;
    { abs(a) } -> std::same_as<S>;
    { atan2(a, a) } -> std::same_as<S>;
    { sin_cos(a) } -> std::same_as<SinCos<S>>;
    { isfinite(a) } -> std::same_as<MaskOf<S>>;
};

}  // namespace scalar_functions

// NOLINTBEGIN(misc-redundant-expression): what can be done with a can be done with any two
template <class S>
concept Arithmetic = requires(S x, const S& a) {
    { -a } -> std::same_as<S>;
    { a + a } -> std::same_as<S>;
    { a - a } -> std::same_as<S>;
    { a* a } -> std::same_as<S>;
    { a / a } -> std::same_as<S>;
    { x += a } -> std::same_as<S&>;
    { x -= a } -> std::same_as<S&>;
    { x *= a } -> std::same_as<S&>;
    { x /= a } -> std::same_as<S&>;
};

template <class S>
concept ComparedByMask = ScalarMask<MaskOf<S>> && requires(const S& a, const MaskOf<S>& mask) {
    { a < a } -> std::same_as<MaskOf<S>>;
    { a > a } -> std::same_as<MaskOf<S>>;
    { a <= a } -> std::same_as<MaskOf<S>>;
    { a >= a } -> std::same_as<MaskOf<S>>;
    { a == a } -> std::same_as<MaskOf<S>>;
    { a != a } -> std::same_as<MaskOf<S>>;
    { select(mask, a, a) } -> std::same_as<S>;
};
// NOLINTEND(misc-redundant-expression)

template <class S>
concept Scalar = std::copyable<S> && std::default_initializable<S> &&
    std::constructible_from<S, double> && std::constructible_from<S, int> &&
    (std::floating_point<ParameterOf<S>> ||
     std::same_as<ParameterOf<S>,
                  S>)&&Arithmetic<S>&& ComparedByMask<S>&& scalar_functions::Offered<S>;

static_assert(Scalar<float> && Scalar<double> && Scalar<long double>);
static_assert(!Scalar<int>, "it has no square root");

}  // namespace plucker
