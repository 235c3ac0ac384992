// What all kernels of a precision call.
#include "plucker/compiler/cuda.hpp"
#include "transpose_text.hpp"

namespace plucker::compiler {
namespace {

constexpr const char* kPrelude = R"(
#ifdef __CUDACC__
#define PLUCKER_KEEP_LOOP _Pragma("unroll 1")
#else
#define PLUCKER_KEEP_LOOP
#endif
template <int part, int threads>
__device__ __forceinline__ void plucker_keep_step() {
#ifdef __CUDA_ARCH__
    asm volatile("bar.sync %0, %1;" : : "n"(part + 1), "n"(threads) : "memory");
#endif
}
template <class Number>
__device__ __forceinline__ Number& plucker_at(Number* const plane, const unsigned bytes, const unsigned k) {
    return *(Number*)((char*)plane + (unsigned long long)bytes * k);
}
)";

// Sines and cosines as the library has them: quarter turns are taken off, and the rest is a polynomial. Angles beyond those
// that this is good for are brought near zero first, by a function that is seldom called.
constexpr const char* kPreludeF32 = R"(
__device__ __noinline__ float plucker_near_zero(const float x) { return atan2f(sinf(x), cosf(x)); }
__device__ __forceinline__ void plucker_sin_cos(float x, float* const sine, float* const cosine) {
    if (!(fabsf(x) <= 1.0e5f)) x = plucker_near_zero(x);
    const float shifted = fmaf(x, 0.636619772f, 12582912.0f);
    const int turns = __float_as_int(shifted);
    const float k = shifted - 12582912.0f;
    float r = fmaf(k, -1.57079637e+0f, x);
    r = fmaf(k, 4.37113883e-8f, r);
    const float r2 = r * r;
    const float s = fmaf(r * r2, fmaf(r2, fmaf(r2, -1.9515295891e-4f, 8.3321608736e-3f), -1.6666654611e-1f), r);
    const float c = fmaf(r2 * r2, fmaf(r2, fmaf(r2, 2.443315711809948e-5f, -1.388731625493765e-3f), 4.166664568298827e-2f),
                         fmaf(r2, -0.5f, 1.0f));
    const int odd = turns & 1;
    *sine = __int_as_float(__float_as_int(odd ? c : s) ^ ((turns & 2) << 30));
    *cosine = __int_as_float(__float_as_int(odd ? s : c) ^ (((turns + 1) & 2) << 30));
}
__device__ __forceinline__ float plucker_quotient(const float a, const float b) {
#ifdef __CUDA_ARCH__
    float q; /* to two units of the last place, for all numbers, without a branch */
    asm("div.full.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
    return q;
#else
    return a / b;
#endif
}
)";
constexpr const char* kPreludeF64 = R"(
__device__ __noinline__ double plucker_near_zero(const double x) { return atan2(sin(x), cos(x)); }
__device__ __forceinline__ void plucker_sin_cos(double x, double* const sine, double* const cosine) {
    if (!(fabs(x) <= 1.0e6)) x = plucker_near_zero(x);
    const double shifted = fma(x, 0.63661977236758134308, 6755399441055744.0);
    const int turns = __double2loint(shifted);
    const double k = shifted - 6755399441055744.0;
    double r = fma(k, -1.5707963267948966, x);
    r = fma(k, -6.123233995736766e-17, r);
    const double r2 = r * r;
    const double s = fma(r * r2, fma(r2, fma(r2, fma(r2, fma(r2, fma(r2, 1.58969099521155010221e-10,
                     -2.50507602534068634195e-08), 2.75573137070700676789e-06), -1.98412698298579493134e-04),
                     8.33333333332248946124e-03), -1.66666666666666324348e-01), r);
    const double c = fma(r2 * r2, fma(r2, fma(r2, fma(r2, fma(r2, fma(r2, -1.13596475577881948265e-11,
                     2.08757232129817482790e-09), -2.75573143513906633035e-07), 2.48015872894767294178e-05),
                     -1.38888888888741095749e-03), 4.16666666666666019037e-02), fma(r2, -0.5, 1.0));
    const int odd = turns & 1;
    const double s_turned = odd ? c : s;
    const double c_turned = odd ? s : c;
    *sine = (turns & 2) ? -s_turned : s_turned;
    *cosine = ((turns + 1) & 2) ? -c_turned : c_turned;
}
__device__ __forceinline__ double plucker_quotient(const double a, const double b) {
#ifdef __CUDA_ARCH__
    double y; /* 1 / b by Newton's method, then what is left of a */
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
    double e = fma(-b, y, 1.0);
    y = fma(y, fma(e, e, e), y);
    e = fma(-b, y, 1.0);
    y = fma(y, e, y);
    const double q = a * y;
    return fma(fma(-b, q, a), y, q);
#else
    return a / b;
#endif
}
)";

}  // namespace

std::string kernel_prelude(GeneratedPrecision precision) {
    return kMeetText + std::string(kPrelude) +
           std::string(precision == GeneratedPrecision::kF32 ? kPreludeF32 : kPreludeF64);
}

}  // namespace plucker::compiler
