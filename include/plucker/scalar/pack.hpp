// A SIMD pack: N numbers that take part in the same computation, one state per lane.
//
// An algorithm run with a Pack as its scalar runs for N states at once, with the same text as for one. No
// lane ever sees another: comparison gives a mask, `select` picks by it, and nothing branches on either. A
// lane's result is therefore the same whatever its neighbours hold, bit for bit.
//
// The compiler's own vector types do the arithmetic, so a Pack of any width compiles for any processor; it
// is fast where N numbers fill a register. `Isa` only tells packs apart: code for different instruction
// sets must not share symbols (see src/scalar/isa/), and templates on different types do not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "plucker/scalar/scalar.hpp"

namespace plucker {

struct AnyIsa {};

template <class T, int N, class Isa = AnyIsa>
class Pack {
public:
    using Lane = T;
    using Integer = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    // NOLINTBEGIN(modernize-use-using): an alias would drop the attribute
    typedef T Vector __attribute__((vector_size(N * sizeof(T))));
    typedef Integer IntegerVector __attribute__((vector_size(N * sizeof(T))));
    // NOLINTEND(modernize-use-using)
    static constexpr int kLanes = N;

    // What a comparison gives: all bits of a lane set, or none.
    struct Mask {
        IntegerVector bits{};

        bool operator[](int lane) const { return bits[lane] != 0; }
        friend Mask operator!(const Mask& a) { return {~a.bits}; }
        friend Mask operator|(const Mask& a, const Mask& b) { return {a.bits | b.bits}; }
        friend Mask operator&(const Mask& a, const Mask& b) { return {a.bits & b.bits}; }
        friend bool any(const Mask& a) { return any_of(a.bits); }
        friend bool all(const Mask& a) { return !any(!a); }

    private:
        // Whether a bit is set: one half over the other, down to a number. Lane by lane takes more instructions than a sine.
        template <class V>
        static bool any_of(const V& bits) {
            constexpr int kNumbers = sizeof(V) / sizeof(Integer);
            if constexpr (kNumbers % 2 == 0 && kNumbers > 2) {
                return any_of(halves_joined(bits, std::make_integer_sequence<int, kNumbers / 2>{}));
            } else {
                Integer set = 0;
                for (int i = 0; i < kNumbers; ++i) set |= bits[i];
                return set != 0;
            }
        }
        template <class V, int... lane>
        static auto halves_joined(const V& bits, std::integer_sequence<int, lane...>) {
            constexpr int kHalf = sizeof...(lane);
            return __builtin_shufflevector(bits, bits, lane...) |
                   __builtin_shufflevector(bits, bits, (kHalf + lane)...);
        }
    };

    Pack() = default;
    // The same number in every lane.
    Pack(T x)  // NOLINT(google-explicit-constructor): numbers mix freely
        : v_(broadcast(x, std::make_integer_sequence<int, N>{})) {}
    template <class Number>
    requires(std::is_arithmetic_v<Number> && !std::is_same_v<Number, T>) explicit Pack(Number x)
        : Pack(static_cast<T>(x)) {}
    explicit Pack(const Vector& v) : v_(v) {}

    // From and to N numbers in a row, wherever they stand.
    static Pack load(const T* from) {
        Pack out;
        std::memcpy(&out.v_, from, sizeof(Vector));
        return out;
    }
    void store(T* to) const { std::memcpy(to, &v_, sizeof(Vector)); }

    const Vector& vector() const { return v_; }
    T operator[](int lane) const { return v_[lane]; }
    void set(int lane, T x) { v_[lane] = x; }

    friend constexpr Pack operator-(const Pack& a) { return Pack(-a.v_); }
    friend constexpr Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v_ + b.v_); }
    friend constexpr Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v_ - b.v_); }
    friend constexpr Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v_ * b.v_); }
    friend constexpr Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v_ / b.v_); }
    Pack& operator+=(const Pack& b) { return *this = *this + b; }
    Pack& operator-=(const Pack& b) { return *this = *this - b; }
    Pack& operator*=(const Pack& b) { return *this = *this * b; }
    Pack& operator/=(const Pack& b) { return *this = *this / b; }

    friend constexpr Mask operator<(const Pack& a, const Pack& b) { return {a.v_ < b.v_}; }
    friend constexpr Mask operator>(const Pack& a, const Pack& b) { return {a.v_ > b.v_}; }
    friend constexpr Mask operator<=(const Pack& a, const Pack& b) { return {a.v_ <= b.v_}; }
    friend constexpr Mask operator>=(const Pack& a, const Pack& b) { return {a.v_ >= b.v_}; }
    friend constexpr Mask operator==(const Pack& a, const Pack& b) { return {a.v_ == b.v_}; }
    friend constexpr Mask operator!=(const Pack& a, const Pack& b) { return {a.v_ != b.v_}; }

    friend Pack select(const Mask& mask, const Pack& a, const Pack& b) {
        return Pack(mask.bits ? a.v_ : b.v_);
    }
    friend Pack abs(const Pack& a) { return select(a < Pack(T(0)), -a, a); }
    friend Mask isfinite(const Pack& a) { return abs(a) <= Pack(std::numeric_limits<T>::max()); }
    friend Pack sqrt(const Pack& a) {
        return each(a, [](T x) { return std::sqrt(x); });
    }
    friend Pack atan2(const Pack& y, const Pack& x) {
        Pack out;
        for (int i = 0; i < N; ++i) out.v_[i] = std::atan2(y.v_[i], x.v_[i]);
        return out;
    }

    friend SinCos<Pack> sin_cos(const Pack& angle) {
        SinCos<Pack> out = sin_cos_of_moderate(angle);
        const Mask large = !(abs(angle) <= Pack(kLargest));
        if (any(large)) [[unlikely]]
            correct_large(angle, large, out);
        return out;
    }

    // As sin_cos, of angles that are not large.
    static SinCos<Pack> sin_cos_of_moderate(const Pack& angle) {
        // Quarter turns n = round(2x/π): adding 1.5 · 2^(digits-1) rounds, and leaves n in the low bits.
        constexpr T kRound = sizeof(T) == 8 ? T(6755399441055744.0) : T(12582912.0);
        const Pack shifted = angle * Pack(T(0.63661977236758134308)) + Pack(kRound);
        const IntegerVector n = std::bit_cast<IntegerVector>(shifted.v_);
        const Pack turns = shifted - Pack(kRound);
        const Pack x = ((angle - turns * Pack(kHalfPi[0])) - turns * Pack(kHalfPi[1])) -
                       turns * Pack(kHalfPi[2]);
        const Pack x2 = x * x;
        const Pack s = x + x * x2 * sin_tail(x2);
        const Pack c = (Pack(T(1)) - Pack(T(0.5)) * x2) + x2 * x2 * cos_tail(x2);
        const Mask odd{(n & 1) != 0};
        const auto sin_sign = (n & 2) << (8 * sizeof(T) - 2);
        const auto cos_sign = ((n + 1) & 2) << (8 * sizeof(T) - 2);
        return {with_sign(select(odd, c, s), sin_sign), with_sign(select(odd, s, c), cos_sign)};
    }
    // Looks at many angles, and tells once whether one of them is large.
    class LargeAngles {
    public:
        void look_at(const Pack& angle) {
            const auto magnitude =
                std::bit_cast<IntegerVector>(angle.v_) & std::numeric_limits<Integer>::max();
            largest_ = magnitude > largest_ ? magnitude : largest_;
        }
        bool are_there() const { return any(Mask{largest_ > std::bit_cast<Integer>(kLargest)}); }

    private:
        IntegerVector largest_{};  // as bits, whose order is that of magnitudes; NaN is beyond all
    };

    // What a message prints: the first lane that is not finite, or else the first.
    friend T value_of(const Pack& a) {
        for (int i = 0; i < N; ++i) {
            if (!std::isfinite(a.v_[i])) return a.v_[i];
        }
        return a.v_[0];
    }
    friend T magnitude(const Pack& a) {
        T largest = std::abs(a.v_[0]);
        for (int i = 1; i < N; ++i) largest = larger_magnitude(largest, std::abs(a.v_[i]));
        return largest;
    }

private:
    Vector v_{};

    template <int... lane>
    static Vector broadcast(T x, std::integer_sequence<int, lane...>) {
        return Vector{(static_cast<void>(lane), x)...};
    }

    template <class F>
    static Pack each(const Pack& a, F f) {
        Pack out;
        for (int i = 0; i < N; ++i) out.v_[i] = f(a.v_[i]);
        return out;
    }

    // Up to here the number of quarter turns times the first parts of π/2 is exact in T.
    static constexpr T kLargest = sizeof(T) == 8 ? T(1.6e6) : T(6e3);

    // π/2 as a sum of parts with trailing zeros. Source: fdlibm, e_rem_pio2.c; Cephes, sinf.c.
    static constexpr T kHalfPi[3] = {
        sizeof(T) == 8 ? T(1.57079632673412561417e+00) : T(1.5703125),
        sizeof(T) == 8 ? T(6.07710050630396597660e-11) : T(4.837512969970703125e-4),
        sizeof(T) == 8 ? T(2.02226624879595063154e-21) : T(7.54978995489188216e-8)};

    // No lane but the large ones is touched. Out of line: a compiler that sees sines without side effects computes them
    // for every lane, always.
    [[gnu::noinline, gnu::cold]] static void correct_large(const Pack& angle, const Mask& large,
                                                           SinCos<Pack>& out) {
        for (int i = 0; i < N; ++i) {
            if (large[i]) {
                out.sin.set(i, std::sin(angle[i]));
                out.cos.set(i, std::cos(angle[i]));
            }
        }
    }
    static Pack with_sign(const Pack& a, const IntegerVector& sign) {
        return Pack(std::bit_cast<Vector>(std::bit_cast<IntegerVector>(a.v_) ^ sign));
    }

    // (sin x - x)/x³ and (cos x - 1 + x²/2)/x⁴ for |x| ≤ π/4, as polynomials in x² of least error.
    // Source of the coefficients: fdlibm, k_sin.c and k_cos.c; Cephes, sinf.c.
    static Pack sin_tail(const Pack& x2) {
        if constexpr (sizeof(T) == 8) {
            return polynomial(x2, -1.66666666666666324348e-01, 8.33333333332248946124e-03,
                              -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                              -2.50507602534068634195e-08, 1.58969099521155010221e-10);
        } else {
            return polynomial(x2, -1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f);
        }
    }
    static Pack cos_tail(const Pack& x2) {
        if constexpr (sizeof(T) == 8) {
            return polynomial(x2, 4.16666666666666019037e-02, -1.38888888888741095749e-03,
                              2.48015872894767294178e-05, -2.75573143513906633035e-07,
                              2.08757232129817482790e-09, -1.13596475577881948265e-11);
        } else {
            return polynomial(x2, 4.166664568298827e-2f, -1.388731625493765e-3f,
                              2.443315711809948e-5f);
        }
    }
    // c₀ + x (c₁ + x (c₂ + …))
    template <class... More>
    static Pack polynomial(const Pack& x, T c0, More... more) {
        if constexpr (sizeof...(more) == 0) {
            return Pack(c0);
        } else {
            return Pack(c0) + x * polynomial(x, more...);
        }
    }
};

// A model's constants are the same in every lane.
template <class T, int N, class Isa>
struct ScalarTraits<Pack<T, N, Isa>> {
    using Parameter = T;
    using Mask = typename Pack<T, N, Isa>::Mask;
};
template <class T, int N, class Isa>
inline constexpr bool kManyStates<Pack<T, N, Isa>> = true;

static_assert(Scalar<Pack<double, 2>> && Scalar<Pack<float, 4>>);

}  // namespace plucker
