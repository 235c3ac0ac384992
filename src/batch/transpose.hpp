// Between rows of numbers, one row per state, and packs, one lane per state.
#pragma once

#include <array>
#include <cstring>
#include <utility>

#include "plucker/scalar/pack.hpp"

namespace plucker::batch {

// Swaps, in a pair of packs (a, b), b's lanes whose bit `Half` is clear with a's whose bit is set.
template <int Half, class S, int... lane>
inline void exchange(S& a, S& b, std::integer_sequence<int, lane...>) {
    constexpr int kN = sizeof...(lane);
    const S low(__builtin_shufflevector(a.vector(), b.vector(),
                                        ((lane & Half) ? kN + lane - Half : lane)...));
    b = S(__builtin_shufflevector(a.vector(), b.vector(),
                                  ((lane & Half) ? kN + lane : lane + Half)...));
    a = low;
}

// Transposes blocks of N packs and N lanes in registers, as many side by side as there are lanes: N · log₂ N shuffles.
template <int Half, class S, std::size_t N>
inline void transpose_from(std::array<S, N>& rows) {
    if constexpr (Half > 0) {
        for (std::size_t i = 0; i < N; ++i) {
            if ((i & Half) == 0) {
                exchange<Half>(rows[i], rows[i + Half],
                               std::make_integer_sequence<int, S::kLanes>{});
            }
        }
        transpose_from<Half / 2>(rows);
    }
}
template <class S, std::size_t N>
inline void transpose(std::array<S, N>& rows) {
    transpose_from<static_cast<int>(N) / 2>(rows);
}

// N times sixteen bytes, each from a place of its own, `stride` numbers apart, one after the other.
template <class S, class V, int... lane>
inline auto joined(const V& a, const V& b, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(a, b, lane...);
}
template <class S, int N>
inline auto load_chunks(const typename S::Lane* from, long stride) {
    using T = typename S::Lane;
    if constexpr (N == 1) {
        typedef T Chunk
            __attribute__((vector_size(16)));  // NOLINT: an alias would drop the attribute
        Chunk chunk;
        std::memcpy(&chunk, from, sizeof chunk);
        return chunk;
    } else {
        constexpr int kNumbers = N * 16 / static_cast<int>(sizeof(T));
        return joined<S>(load_chunks<S, N / 2>(from, stride),
                         load_chunks<S, N / 2>(from + N / 2 * stride, stride),
                         std::make_integer_sequence<int, kNumbers>{});
    }
}
// Sixteen bytes of a pack, from lane First on.
template <int First, class S, int... lane>
inline void store_chunk(const S& x, typename S::Lane* to, std::integer_sequence<int, lane...>) {
    const auto chunk = __builtin_shufflevector(x.vector(), x.vector(), (First + lane)...);
    std::memcpy(to, &chunk, sizeof chunk);
}
// Each sixteen bytes of a pack to a place of their own, `stride` numbers apart.
template <class S, int... k>
inline void store_chunks(const S& x, typename S::Lane* to, long stride,
                         std::integer_sequence<int, k...>) {
    constexpr int kChunk = 16 / static_cast<int>(sizeof(typename S::Lane));
    (store_chunk<k * kChunk>(x, to + k * stride, std::make_integer_sequence<int, kChunk>{}), ...);
}

}  // namespace plucker::batch
