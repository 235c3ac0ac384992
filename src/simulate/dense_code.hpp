// Linear algebra of an island's matrix, once for each instruction set.
//
// Matrices stand row by row, rows `pitch` numbers apart: a multiple of eight, so that registers of any width share a row
// without a rest. Vectors are as long. What stands beyond the n entries of either is read by nobody.
#pragma once

#include "plucker/scalar/isa.hpp"

namespace plucker::impulses {

constexpr int pitch_of(int n) { return (n + 7) & ~7; }

// Which laws the rows of an island obey, one, two or three of Stop, Tied, and Contact.
struct RowLaws {
    int pitch;
    const double* weight;  // by row: what turns an impulse into a velocity
    const double*
        one_sided;  // one where 0 ≤ λ ⟂ σ ≥ 0 is asked for: stops, and normals of contacts; else zero
    const double* tied;  // one where σ = 0 is
    int contacts;        // rounded up to eights by repeating the last
    const int* first_row;
    const double* friction;
    const double* rho;
};

// What a row asks for instead of σ = 0, of the impulse along x of `row` and y of `second` and of the velocity s that it is left
// with: of_impulse (Δλ - share Δλ_normal) + of_velocity s = goal.
struct Departure {
    int row, second, normal;
    double x, y, share;
    double of_impulse, of_velocity, goal;
};

struct DenseCode {
    // y = g + G x, G symmetric.
    void (*multiply)(int n, int pitch, const double* G, const double* x, const double* g,
                     double* y);
    // A = Uᵀ U in place, of the upper half; `inverses` of U's diagonal. False where a pivot is lost.
    bool (*factor)(int n, int pitch, double* A, double* inverses);
    // x ← A⁻¹ x, with what `factor` left.
    void (*solve)(int n, int pitch, const double* U, const double* inverses, double* x);
    // A ← A⁻¹, symmetric and positive, of `pitch` rows: those beyond n are for its own use. False where a pivot is lost.
    bool (*invert)(int n, int pitch, double* A);
    // `change` is what an impulse does, by P, to rows that all ask for σ = 0; here it becomes what they do where some depart from
    // that. `system` has room for as many rows as depart, and one of P. False where their equations are singular, or nearly.
    bool (*depart)(int wide, const double* P, int departing, int symmetric, const Departure* all,
                   double* system, double* change);
    // The certificate of λ and σ: primal, dual, complementarity. What stands beyond the rows must be zero.
    void (*certify)(const RowLaws& laws, const double* lambda, const double* sigma, double* worst);
    // A x = b by elimination, in place; false where A is singular. Pivots are looked for from column `symmetric` on: what
    // stands before, among itself, is symmetric and positive.
    bool (*solve_any)(int n, int symmetric, int pitch, double* A, double* b);
    // The rows and columns `chosen` of G, as rows of A, which is pitch_of(n) wide; the rest of a row is zero. `upper_half`:
    // what stands left of the eight that holds the diagonal is left out.
    void (*choose)(int n, int pitch, const double* G, const int* chosen, bool upper_half,
                   double* A);
    // A = P L U, for several right-hand sides: U in place, by fours, the columns of L as rows of `lower`, and which row
    // each pivot was taken from. Most are taken as they stand. False where one is lost. Then b ← A⁻¹ b.
    bool (*factor_any)(int n, int pitch, double* A, double* lower, int* pivots);
    void (*solve_factored)(int n, int pitch, const double* U, const double* lower,
                           const int* pivots, double* b);
    // y = Σ w_k S_at[k], over `count` rows of S: one, or several with the same `at`.
    void (*combine)(int rows, int count, int pitch, const double* w, const int* at, const double* S,
                    double* y);
    // y += a x, along a whole row.
    void (*add)(int pitch, double a, const double* x, double* y);
    // y_at[j] += S_at[j] · x, of whole rows.
    void (*read)(int count, int pitch, const int* at, const double* S, const double* x, double* y);
    // A row of L⁻¹ from those before it on a path of so many coordinates, of which it is the last. Its entries in L; rows of
    // coordinate k begin at first[k] in N, with zeros beyond their ends.
    void (*invert_row)(int length, const int* path, const int* first, const double* L,
                       double inverse, double* N);
    // X = Jᵀ L⁻¹, six rows of pitch_of(length), from rows of L⁻¹ along a path. Column k of Jᵀ is at J + 6 column[k].
    void (*respond)(int length, const int* path, const int* first, const double* N, const double* J,
                    const int* column, double* X);
    // y = F X, of `count` rows of six, each of pitch numbers.
    void (*push)(int count, int pitch, const double* F, const double* X, double* y);

    static const DenseCode kGenericCode, kAvx2Code, kAvx512Code;
};

// That of the instruction set in use.
const DenseCode& dense_code();

}  // namespace plucker::impulses
