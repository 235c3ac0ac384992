// The plain computations of one instruction set.
#pragma once

#include <algorithm>
#include <utility>

#include "isa_code.hpp"
#include "product_loops.hpp"
#include "some_lanes.hpp"

namespace plucker::detail {

// a₀ b₀ a₁ b₁ …
template <class S, int... lane>
void store_in_turn(const S& a, const S& b, typename S::Lane* to,
                   std::integer_sequence<int, lane...>) {
    constexpr int kN = sizeof...(lane);
    S(__builtin_shufflevector(a.vector(), b.vector(), ((lane & 1) * kN + lane / 2)...)).store(to);
    S(__builtin_shufflevector(a.vector(), b.vector(), ((lane & 1) * kN + (kN + lane) / 2)...))
        .store(to + kN);
}
template <class S>
void store_in_turn(const S& a, const S& b, typename S::Lane* to) {
    store_in_turn(a, b, to, std::make_integer_sequence<int, S::kLanes>{});
}

// Half as many numbers as S, where that is a register, too. To compute with half a register takes some processors half the
// time.
template <class S>
struct HalfOf {
    using Type = S;
};
template <class T, class ThisIsa>
struct HalfOf<Pack<T, 8, ThisIsa>> {
    using Type = Pack<T, 4, ThisIsa>;
};

// Sines and cosines of the angles of a single state, a pack of angles at a time. Writes whole packs.
template <class S>
void sin_cos_of_block(const double* angles, int n, SinCos<double>* out) {
    static_assert(kAngleBlock % S::kLanes == 0 && sizeof(SinCos<double>) == 2 * sizeof(double));
    using Half = typename HalfOf<S>::Type;
    auto* numbers = reinterpret_cast<double*>(out);
    typename S::LargeAngles large;
    for (int first = 0; first < n; first += S::kLanes) {
        const int left = std::min(n - first, S::kLanes);
        const S pack =
            left == S::kLanes ? S::load(angles + first) : load_first<S>(angles + first, left);
        large.look_at(pack);
        if (left > Half::kLanes) {
            const auto both = S::sin_cos_of_moderate(pack);
            store_in_turn(both.sin, both.cos, numbers + 2 * first);
        } else {
            const auto both = Half::sin_cos_of_moderate(load_first<Half>(angles + first, left));
            store_in_turn(both.sin, both.cos, numbers + 2 * first);
        }
    }
    if (large.are_there()) [[unlikely]] {
        for (int k = 0; k < n; ++k) {
            const auto both = sin_cos(Half(angles[k]));
            out[k] = {both.sin[0], both.cos[0]};
        }
    }
}

template <class S>
void sin_cos_of_packs(const typename S::Lane* angles, int n, typename S::Lane* out) {
    typename S::LargeAngles large;
    const auto store = [&](int k, const SinCos<S>& both) {
        both.sin.store(out + 2 * k * S::kLanes);
        both.cos.store(out + (2 * k + 1) * S::kLanes);
    };
    for (int k = 0; k < n; ++k) {
        const S angle = S::load(angles + k * S::kLanes);
        large.look_at(angle);
        store(k, S::sin_cos_of_moderate(angle));
    }
    if (large.are_there()) [[unlikely]] {
        for (int k = 0; k < n; ++k) store(k, sin_cos(S::load(angles + k * S::kLanes)));
    }
}

// Twelve independent chains keep two multiply-add units of four cycles' latency busy.
template <class S>
double busy_in_registers(long rounds) {
    using T = typename S::Lane;
    constexpr int kChains = 12;
    S x[kChains];
    for (int i = 0; i < kChains; ++i) x[i] = S(T(1) + T(i) * T(0.01));
    const S a(T(0.999)), b(T(0.001));
    for (long r = 0; r < rounds; ++r) {
        for (S& chain : x) chain = chain * a + b;
    }
    S sum(T(0));
    for (const S& chain : x) sum += chain;
    volatile T sink = sum[0];
    (void)sink;
    return 2.0 * kChains * S::kLanes * static_cast<double>(rounds);
}

template <class ThisIsa>
constexpr VectorCode code_of_this_file() {
    using F64 = RegisterOf<double, ThisIsa>;
    using F32 = RegisterOf<float, ThisIsa>;
    return {F64::kLanes,
            F32::kLanes,
            sin_cos_of_block<F64>,
            sin_cos_of_packs<F64>,
            sin_cos_of_packs<F32>,
            busy_in_registers<F64>,
            busy_in_registers<F32>,
            ProductLoops<F64>::run};
}

}  // namespace plucker::detail
