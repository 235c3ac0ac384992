// What DenseCode points to. Included by a file for each instruction set; templates on it, so that none shares a symbol with
// another (../scalar/isa_code.hpp).
#pragma once

#include "dense_code.hpp"

namespace plucker::impulses {

template <class ThisIsa>
struct DenseKernels {
    // Of a row, the eights from the one that holds `first`.
    static void add_from(int first, int pitch, double a, const double* __restrict x,
                         double* __restrict y) {
        for (int k = first & ~7; k < pitch; k += 8) {
            for (int i = 0; i < 8; ++i) y[k + i] += a * x[k + i];
        }
    }
    static void add(int pitch, double a, const double* x, double* y) {
        add_from(0, pitch, a, x, y);
    }

    static void combine(int count, int pitch, const double* w, const int* at,
                        const double* __restrict S, double* __restrict y) {
        for (int k = 0; k < pitch; k += 8) {
            double sums[8] = {};
            for (int j = 0; j < count; ++j) {
                const double* row = S + static_cast<long>(at[j]) * pitch + k;
                for (int i = 0; i < 8; ++i) sums[i] += w[j] * row[i];
            }
            for (int i = 0; i < 8; ++i) y[k + i] = sums[i];
        }
    }

    static void multiply(int n, int pitch, const double* G, const double* x,
                         const double* __restrict g, double* __restrict y) {
        for (int k = 0; k < pitch; ++k) y[k] = g[k];
        // Rows are columns too. Four at a time, so that y is read and written a quarter as often.
        for (int c = 0; c < n;) {
            int found = 0;
            const double* rows[4];
            double factors[4];
            for (; c < n && found < 4; ++c) {
                if (x[c] == 0) continue;
                rows[found] = G + static_cast<long>(c) * pitch;
                factors[found++] = x[c];
            }
            if (found == 4) {
                const double* __restrict p = rows[0], * __restrict q = rows[1], * __restrict r = rows[2], * __restrict s = rows[3];
                const double a = factors[0], b = factors[1], d = factors[2], e = factors[3];
                for (int k = 0; k < pitch; k += 8) {
                    for (int i = k; i < k + 8; ++i)
                        y[i] += (a * p[i] + b * q[i]) + (d * r[i] + e * s[i]);
                }
            } else {
                for (int i = 0; i < found; ++i) add(pitch, factors[i], rows[i], y);
            }
        }
    }

    static bool factor(int n, int pitch, double* A, double* inverses) {
        for (int k = 0; k < n; ++k) {
            double* U = A + static_cast<long>(k) * pitch;
            if (!(U[k] > 0)) return false;
            const double inverse = 1 / __builtin_sqrt(U[k]);
            inverses[k] = inverse;
            for (int c = k & ~7; c < pitch; c += 8) {
                for (int i = c; i < c + 8; ++i) U[i] *= inverse;
            }
            for (int r = k + 1; r < n; ++r)
                add_from(r, pitch, -U[r], U, A + static_cast<long>(r) * pitch);
        }
        return true;
    }

    static void solve(int n, int pitch, const double* U, const double* inverses, double* x) {
        for (int r = 0; r < n; ++r) {
            const double* row = U + static_cast<long>(r) * pitch;
            const double own = x[r] * inverses[r];
            const int next = r + 1;
            int c = next;
            for (; c < n && (c & 7) != 0; ++c) x[c] -= own * row[c];
            if (c < n) add_from(c, pitch, -own, row, x);
            x[r] = own;
        }
        for (int r = n - 1; r >= 0; --r)
            x[r] = (x[r] - product(r + 1, n, U + static_cast<long>(r) * pitch, x)) * inverses[r];
    }

    static bool solve_any(int n, int pitch, double* A, double* b) {
        for (int k = 0; k < n; ++k) {
            int pivot = k;
            double largest = 0;
            for (int r = k; r < n; ++r) {
                const double size = __builtin_fabs(A[static_cast<long>(r) * pitch + k]);
                if (size > largest) {
                    largest = size;
                    pivot = r;
                }
            }
            if (!(largest > 0)) return false;
            double* A_k = A + static_cast<long>(k) * pitch;
            if (pivot != k) {
                double* other = A + static_cast<long>(pivot) * pitch;
                for (int c = k; c < n; ++c) {
                    const double kept = A_k[c];
                    A_k[c] = other[c];
                    other[c] = kept;
                }
                const double kept = b[k];
                b[k] = b[pivot];
                b[pivot] = kept;
            }
            const double inverse = 1 / A_k[k];
            for (int r = k + 1; r < n; ++r) {
                double* A_r = A + static_cast<long>(r) * pitch;
                const double share = A_r[k] * inverse;
                if (share == 0) continue;
                add_from(k, pitch, -share, A_k, A_r);
                b[r] -= share * b[k];
            }
        }
        for (int r = n - 1; r >= 0; --r) {
            const double* row = A + static_cast<long>(r) * pitch;
            b[r] = (b[r] - product(r + 1, n, row, b)) / row[r];
        }
        return true;
    }

    // Over [first, n). Eight sums side by side, so that the order of additions is the same for all widths.
    static double product(int first, int n, const double* a, const double* b) {
        double rest = 0;
        int k = first;
        for (; k < n && (k & 7) != 0; ++k) rest += a[k] * b[k];
        double sums[8] = {};
        for (; k + 8 <= n; k += 8) {
            for (int i = 0; i < 8; ++i) sums[i] += a[k + i] * b[k + i];
        }
        for (; k < n; ++k) rest += a[k] * b[k];
        return ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
               ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest;
    }

    static constexpr DenseCode code() {
        return {&multiply, &factor, &solve, &solve_any, &combine, &add};
    }
};

}  // namespace plucker::impulses
