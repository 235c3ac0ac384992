// Linear algebra of an island's matrix, once for each instruction set.
//
// Matrices stand row by row, rows `pitch` numbers apart: a multiple of eight, so that registers of any width share a row
// without a rest. Vectors are as long. What stands beyond the n entries of either is read by nobody.
#pragma once

#include "plucker/scalar/isa.hpp"

namespace plucker::impulses {

constexpr int pitch_of(int n) { return (n + 7) & ~7; }

struct DenseCode {
    // y = g + G x, G symmetric. Entries of x that are zero cost nothing.
    void (*multiply)(int n, int pitch, const double* G, const double* x, const double* g,
                     double* y);
    // A = Uᵀ U in place, of the upper half; `inverses` of U's diagonal. False where a pivot is lost.
    bool (*factor)(int n, int pitch, double* A, double* inverses);
    // x ← A⁻¹ x, with what `factor` left.
    void (*solve)(int n, int pitch, const double* U, const double* inverses, double* x);
    // A x = b by elimination with pivoting, in place; false where A is singular.
    bool (*solve_any)(int n, int pitch, double* A, double* b);
    // y = Σ w_k S_at[k], over `count` rows of S.
    void (*combine)(int count, int pitch, const double* w, const int* at, const double* S,
                    double* y);
    // y += a x, along a whole row.
    void (*add)(int pitch, double a, const double* x, double* y);
};

// That of the instruction set in use.
const DenseCode& dense_code();

#ifdef PLUCKER_WITH_GENERIC
extern const DenseCode kGenericCode;
#endif
#ifdef PLUCKER_WITH_AVX2
extern const DenseCode kAvx2Code;
#endif
#ifdef PLUCKER_WITH_AVX512
extern const DenseCode kAvx512Code;
#endif

}  // namespace plucker::impulses
