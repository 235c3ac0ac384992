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

    // y -= Σ m_i x_i over four rows, from the eight that holds `first`.
    static void take_four(int first, int pitch, const double* m, const double* const* x,
                          double* __restrict y) {
        const double* __restrict p = x[0], * __restrict q = x[1], * __restrict r = x[2], * __restrict s = x[3];
        const double a = m[0], b = m[1], c = m[2], d = m[3];
        for (int k = first & ~7; k < pitch; k += 8) {
            for (int i = k; i < k + 8; ++i) y[i] -= (a * p[i] + b * q[i]) + (c * r[i] + d * s[i]);
        }
    }

    // Four rows at a time: those below are read and written a quarter as often.
    static bool factor(int n, int pitch, double* A, double* inverses) {
        const auto row = [&](int r) { return A + static_cast<long>(r) * pitch; };
        for (int k = 0; k < n; k += 4) {
            const int end = k + 4 < n ? k + 4 : n;
            for (int r = k; r < end; ++r) {
                double* U = row(r);
                for (int above = k; above < r; ++above)
                    add_from(r, pitch, -row(above)[r], row(above), U);
                if (!(U[r] > 0)) return false;
                const double inverse = 1 / __builtin_sqrt(U[r]);
                inverses[r] = inverse;
                for (int c = r & ~7; c < pitch; c += 8) {
                    for (int i = c; i < c + 8; ++i) U[i] *= inverse;
                }
            }
            if (end == n) break;
            const double* const four[] = {row(k), row(k + 1), row(k + 2), row(k + 3)};
            for (int r = end; r < n; ++r) {
                const double m[] = {four[0][r], four[1][r], four[2][r], four[3][r]};
                take_four(r, pitch, m, four, row(r));
            }
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

    static bool solve_any(int n, int symmetric, int pitch, double* A, double* b) {
        const auto row = [&](int r) { return A + static_cast<long>(r) * pitch; };
        int k = 0;
        for (; k + 4 <= symmetric; k += 4) {
            if (!eliminate_four(k, n, pitch, A, b)) return false;
        }
        for (; k < n; ++k) {
            if (k >= symmetric) {
                int pivot = k;
                for (int r = k + 1; r < n; ++r) {
                    if (__builtin_fabs(row(r)[k]) > __builtin_fabs(row(pivot)[k])) pivot = r;
                }
                if (pivot != k) exchange(k, pitch, row(k), row(pivot), b[k], b[pivot]);
            }
            if (!(__builtin_fabs(row(k)[k]) > 0)) return false;
            const double inverse = 1 / row(k)[k];
            for (int r = k + 1; r < n; ++r) {
                const double share = row(r)[k] * inverse;
                if (share == 0) continue;
                add_from(k, pitch, -share, row(k), row(r));
                b[r] -= share * b[k];
            }
        }
        for (int r = n - 1; r >= 0; --r) b[r] = (b[r] - product(r + 1, n, row(r), b)) / row(r)[r];
        return true;
    }

    static void choose(int n, int pitch, const double* G, const int* __restrict chosen,
                       bool upper_half, double* __restrict A) {
        const int wide = pitch_of(n);
        for (int i = 0; i < n; ++i) {
            const double* __restrict row = G + static_cast<long>(chosen[i]) * pitch;
            double* own = A + static_cast<long>(i) * wide;
            int j = upper_half ? i & ~7 : 0;
            for (; j + 8 <= n; j += 8) {
                for (int k = 0; k < 8; ++k) own[j + k] = row[chosen[j + k]];
            }
            for (; j < n; ++j) own[j] = row[chosen[j]];
            for (; j < wide; ++j) own[j] = 0;
        }
    }

    // Pivots as they stand, four columns at a time, as long as they are not lost; what is left, with pivots looked for.
    static bool factor_any(int n, int pitch, double* A, double* lower, int* pivots) {
        const auto row = [&](int r) { return A + static_cast<long>(r) * pitch; };
        const auto column = [&](int k) { return lower + static_cast<long>(k) * pitch; };
        for (int k = 0; k < n; ++k) {
            pivots[k] = k;
            for (int r = k & ~7; r < pitch; ++r) column(k)[r] = 0;
        }
        int k = 0;
        for (; k + 4 <= n; k += 4) {
            double* const four[] = {row(k), row(k + 1), row(k + 2), row(k + 3)};
            double inverse[4];
            for (int i = 0; i < 4; ++i) {
                const double before = __builtin_fabs(four[i][k + i]);
                for (int j = 0; j < i; ++j) {
                    const double share = four[i][k + j] * inverse[j];
                    column(k + j)[k + i] = share;
                    add_from(k, pitch, -share, four[j], four[i]);
                }
                if (!(__builtin_fabs(four[i][k + i]) > 1e-12 * before)) return false;
                inverse[i] = 1 / four[i][k + i];
            }
            for (int r = k + 4; r < n; ++r) {
                double* own = row(r);
                double m[4];
                for (int i = 0; i < 4; ++i) {
                    double entry = own[k + i];
                    for (int j = 0; j < i; ++j) entry -= m[j] * four[j][k + i];
                    m[i] = entry * inverse[i];
                    column(k + i)[r] = m[i];
                }
                take_four(k + 4, pitch, m, four, own);
            }
        }
        for (; k < n; ++k) {
            int pivot = k;
            for (int r = k + 1; r < n; ++r) {
                if (__builtin_fabs(row(r)[k]) > __builtin_fabs(row(pivot)[k])) pivot = r;
            }
            pivots[k] = pivot;
            double none = 0;
            if (pivot != k) exchange(k, pitch, row(k), row(pivot), none, none);
            if (!(__builtin_fabs(row(k)[k]) > 0)) return false;
            const double inverse = 1 / row(k)[k];
            for (int r = k + 1; r < n; ++r) {
                const double share = row(r)[k] * inverse;
                column(k)[r] = share;
                if (share != 0) add_from(k, pitch, -share, row(k), row(r));
            }
        }
        return true;
    }

    static void solve_factored(int n, int pitch, const double* U, const double* lower,
                               const int* pivots, double* b) {
        for (int k = 0; k < n; ++k) {
            if (const int pivot = pivots[k]; pivot != k) {
                const double kept = b[k];
                b[k] = b[pivot];
                b[pivot] = kept;
            }
            // What stands before k + 1 among the shares is zero.
            add_from(k, pitch, -b[k], lower + static_cast<long>(k) * pitch, b);
        }
        for (int r = n - 1; r >= 0; --r) {
            const double* row = U + static_cast<long>(r) * pitch;
            b[r] = (b[r] - product(r + 1, n, row, b)) / row[r];
        }
    }

    // Columns k to k + 3 of all rows below, with the pivots as they stand: the rows are read and written once instead of
    // four times.
    static bool eliminate_four(int k, int n, int pitch, double* A, double* b) {
        const auto row = [&](int r) { return A + static_cast<long>(r) * pitch; };
        double* const four[] = {row(k), row(k + 1), row(k + 2), row(k + 3)};
        double inverse[4];
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < i; ++j) {
                const double share = four[i][k + j] * inverse[j];
                add_from(k, pitch, -share, four[j], four[i]);
                b[k + i] -= share * b[k + j];
            }
            if (!(four[i][k + i] > 0)) return false;
            inverse[i] = 1 / four[i][k + i];
        }
        for (int r = k + 4; r < n; ++r) {
            double* own = row(r);
            double m[4];
            for (int i = 0; i < 4; ++i) {
                double entry = own[k + i];
                for (int j = 0; j < i; ++j) entry -= m[j] * four[j][k + i];
                m[i] = entry * inverse[i];
            }
            take_four(k + 4, pitch, m, four, own);
            b[r] -= (m[0] * b[k] + m[1] * b[k + 1]) + (m[2] * b[k + 2] + m[3] * b[k + 3]);
        }
        return true;
    }

    static void exchange(int first, int pitch, double* __restrict x, double* __restrict y,
                         double& b_x, double& b_y) {
        for (int k = first & ~7; k < pitch; k += 8) {
            for (int i = k; i < k + 8; ++i) {
                const double kept = x[i];
                x[i] = y[i];
                y[i] = kept;
            }
        }
        const double kept = b_x;
        b_x = b_y;
        b_y = kept;
    }

    static void respond(int length, const int* path, const int* first, const double* L,
                        const double* inverses, double* __restrict x) {
        for (int a = length - 1; a >= 0; --a) {
            const double* row = L + first[path[a]];
            const double inverse = inverses[path[a]];
            double own[8];
            for (int i = 0; i < 8; ++i) own[i] = x[8 * a + i] * inverse;
            for (int i = 0; i < 8; ++i) x[8 * a + i] = own[i];
            for (int b = 0; b < a; ++b) {
                for (int i = 0; i < 8; ++i) x[8 * b + i] -= row[b] * own[i];
            }
        }
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
        return {&multiply,   &factor,         &solve,   &solve_any, &choose,
                &factor_any, &solve_factored, &combine, &add,       &respond};
    }
};

}  // namespace plucker::impulses
