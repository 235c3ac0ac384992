// What a number must do.
//
// Every algorithm is a template on its scalar S. Besides + - * / and construction from double, S
// needs the functions sin, cos, sqrt, abs and atan2 (found by argument-dependent lookup), comparison,
// and `select`. Algorithms never branch on a value of type S: they select, so that a SIMD lane, a
// traced number or a device thread runs the same text.
#pragma once

#include <cmath>
#include <concepts>

// For small functions in inner loops, where a call would cost more than the work.
#define PLUCKER_ALWAYS_INLINE [[gnu::always_inline]] inline

namespace plucker {

// The type in which a model's constants are kept for a computation in S. For a number that carries
// more than a value (a derivative, many lanes) the constants need only the value.
template <class S>
struct ScalarTraits {
    using Parameter = S;
    using Mask = bool;
};

// Whether a number holds those of many states: then memory, not instructions, is what to save.
template <class S>
inline constexpr bool kManyStates = false;

template <class S>
using ParameterOf = typename ScalarTraits<S>::Parameter;

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
// processor has; both arrays must have room for n rounded up to a multiple of kAngleBlock.
inline constexpr int kAngleBlock = 16;
template <class S>
void sin_cos_of_all(const S* angles, int n, SinCos<S>* out) {
    for (int k = 0; k < n; ++k) out[k] = sin_cos(angles[k]);
}
void sin_cos_of_all(const double* angles, int n, SinCos<double>* out);  // src/batch/isa.cpp

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

// -1, 0 or 1. Zero has sign zero: a joint at rest has no Coulomb friction torque of its own.
template <class S>
constexpr S sign(const S& x) {
    return select(x > S(0), S(1), select(x < S(0), S(-1), S(0)));
}

}  // namespace plucker
