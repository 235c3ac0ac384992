// Linear systems of an island, row by row in memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace plucker::impulses {

// A = L Lᵀ in place, of the lower half; false where a pivot is lost.
inline bool factor_symmetric(int n, double* A) {
    for (int c = 0; c < n; ++c) {
        double* A_c = A + static_cast<std::ptrdiff_t>(c) * n;
        for (int k = 0; k < c; ++k) {
            const double* A_k = A + static_cast<std::ptrdiff_t>(k) * n;
            double sum = A_c[k];
            for (int j = 0; j < k; ++j) sum -= A_c[j] * A_k[j];
            A_c[k] = sum / A_k[k];
        }
        double pivot = A_c[c];
        for (int j = 0; j < c; ++j) pivot -= A_c[j] * A_c[j];
        if (!(pivot > 0)) return false;
        A_c[c] = std::sqrt(pivot);
    }
    return true;
}
inline void solve_symmetric(int n, const double* L, double* x) {
    for (int r = 0; r < n; ++r) {
        const double* L_r = L + static_cast<std::ptrdiff_t>(r) * n;
        double sum = x[r];
        for (int c = 0; c < r; ++c) sum -= L_r[c] * x[c];
        x[r] = sum / L_r[r];
    }
    for (int r = n - 1; r >= 0; --r) {
        const double* L_r = L + static_cast<std::ptrdiff_t>(r) * n;
        x[r] /= L_r[r];
        for (int c = 0; c < r; ++c) x[c] -= L_r[c] * x[r];
    }
}

// A x = b by elimination with pivoting, in place; false where A is singular.
inline bool solve_any(int n, double* A, double* b) {
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int r = k + 1; r < n; ++r) {
            if (std::abs(A[r * n + k]) > std::abs(A[pivot * n + k])) pivot = r;
        }
        if (!(std::abs(A[pivot * n + k]) > 0)) return false;
        if (pivot != k) {
            std::swap_ranges(A + k * n + k, A + k * n + n, A + pivot * n + k);
            std::swap(b[k], b[pivot]);
        }
        const double* A_k = A + k * n;
        for (int r = k + 1; r < n; ++r) {
            double* A_r = A + r * n;
            const double factor = A_r[k] / A_k[k];
            if (factor == 0) continue;
            for (int c = k + 1; c < n; ++c) A_r[c] -= factor * A_k[c];
            b[r] -= factor * b[k];
        }
    }
    for (int r = n - 1; r >= 0; --r) {
        double sum = b[r];
        for (int c = r + 1; c < n; ++c) sum -= A[r * n + c] * b[c];
        b[r] = sum / A[r * n + r];
    }
    return true;
}

}  // namespace plucker::impulses
