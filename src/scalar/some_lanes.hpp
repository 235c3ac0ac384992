// The first lanes of a pack, from memory that ends after them: in one instruction, because a pack that is put together
// number by number is read late.
#pragma once

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace plucker::detail {

template <class S>
inline constexpr bool kOfDoubles = sizeof(typename S::Lane) == 8;

#ifdef __AVX2__
// All bits of the first n lanes of a register of 32 bytes.
template <class S>
__m256i first_lanes(int n) {
    if constexpr (kOfDoubles<S>) {
        return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_set_epi64x(3, 2, 1, 0));
    } else {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    }
}
#endif
// n numbers, and zeros.
template <class S>
S load_first(const typename S::Lane* from, int n) {
#ifdef __AVX512F__
    const unsigned mask = (1U << static_cast<unsigned>(n)) - 1U;
    if constexpr (sizeof(S) == 64 && kOfDoubles<S>)
        return S(_mm512_maskz_loadu_pd(static_cast<__mmask8>(mask), from));
    if constexpr (sizeof(S) == 64 && !kOfDoubles<S>)
        return S(_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from));
#endif
#ifdef __AVX2__
    if constexpr (sizeof(S) == 32 && kOfDoubles<S>)
        return S(_mm256_maskload_pd(from, first_lanes<S>(n)));
    if constexpr (sizeof(S) == 32 && !kOfDoubles<S>)
        return S(_mm256_maskload_ps(from, first_lanes<S>(n)));
#endif
    S out(0);
    for (int k = 0; k < n; ++k) out.set(k, from[k]);
    return out;
}

}  // namespace plucker::detail
