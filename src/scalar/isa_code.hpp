// What the library holds once for each instruction set: code in files that differ in their compiler flags only.
//
// What such a file instantiates must be templates on its own packs: a symbol shared with other code could end up in a
// program that runs on a lesser processor. tests/batch/isa_symbols.sh checks that none is.
#pragma once

#include "plucker/scalar/isa.hpp"
#include "plucker/scalar/pack.hpp"
#include "products.hpp"

namespace plucker::detail {

// An instruction set as a type, which tells its packs apart.
struct GenericIsa {
    static constexpr int kRegisterBytes = 16;
};
struct Avx2Isa {
    static constexpr int kRegisterBytes = 32;
};
struct Avx512Isa {
    static constexpr int kRegisterBytes = 64;
};
// As many numbers as a register holds.
template <class T, class ThisIsa>
using RegisterOf = Pack<T, ThisIsa::kRegisterBytes / static_cast<int>(sizeof(T)), ThisIsa>;

// Of this layer: plain computations in vectors.
struct VectorCode {
    int lanes_double;
    int lanes_float;
    // sin_cos_of_all for double.
    void (*sin_cos)(const double* angles, int n, SinCos<double>* out);
    // Sines and cosines of n packs, as long as a register: of each pack its sines, then its cosines.
    void (*sin_cos_packs_double)(const double* angles, int n, double* out);
    void (*sin_cos_packs_float)(const float* angles, int n, float* out);
    // keep_busy.
    double (*busy_double)(long rounds);
    double (*busy_float)(long rounds);
    // multiply_factors.
    MultiplyFactors multiply;
};
#ifdef PLUCKER_WITH_GENERIC
extern const VectorCode kGenericCode;
#endif
#ifdef PLUCKER_WITH_AVX2
extern const VectorCode kAvx2Code;
#endif
#ifdef PLUCKER_WITH_AVX512
extern const VectorCode kAvx512Code;
#endif

}  // namespace plucker::detail
