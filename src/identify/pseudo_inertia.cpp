#include "pseudo_inertia.hpp"

#include <array>
#include <cmath>

#include "plucker/scalar/decompositions.hpp"

namespace plucker {
namespace {

// Where the ten entries of a symmetric matrix stand.
struct Entry {
    int row, column;
};
constexpr std::array<Entry, 10> kEntries{
    {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

// U with P = U Uᵀ, from its last column to its first. Where P is not positive definite, a number on its diagonal is not positive.
Matrix4 upper_factor(const Matrix4& P) {
    Matrix4 U = Matrix4::Zero();
    for (int c = 3; c >= 0; --c) {
        for (int r = c; r >= 0; --r) {
            double rest = P(r, c);
            for (int k = c + 1; k < 4; ++k) rest -= U(r, k) * U(c, k);
            U(r, c) = r == c ? std::sqrt(rest) : rest / U(c, c);
        }
    }
    return U;
}
// U⁻¹ B, where U is upper triangular.
Matrix4 solved_upper(const Matrix4& U, Matrix4 B) {
    for (int c = 0; c < 4; ++c) {
        for (int r = 3; r >= 0; --r) {
            for (int k = r + 1; k < 4; ++k) B(r, c) -= U(r, k) * B(k, c);
            B(r, c) /= U(r, r);
        }
    }
    return B;
}
// A Bᵀ.
Matrix4 times_transposed(const Matrix4& A, const Matrix4& B) {
    Matrix4 out = Matrix4::Zero();
    for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 4; ++k) {
            for (int r = 0; r < 4; ++r) out(r, c) += A(r, k) * B(c, k);
        }
    }
    return out;
}

}  // namespace

Matrix4 pseudo_inertia(const Vector10& x) {
    const double half_trace = (x[4] + x[7] + x[9]) / 2;
    Matrix4 P;
    P << half_trace - x[4], -x[5], -x[6], x[1],  //
        -x[5], half_trace - x[7], -x[8], x[2],   //
        -x[6], -x[8], half_trace - x[9], x[3],   //
        x[1], x[2], x[3], x[0];
    return P;
}

Vector10 parameters_of(const Matrix4& P) {
    const double trace = P(0, 0) + P(1, 1) + P(2, 2);
    Vector10 x;
    x << P(3, 3), P(0, 3), P(1, 3), P(2, 3), trace - P(0, 0), -P(0, 1), -P(0, 2), trace - P(1, 1),
        -P(1, 2), trace - P(2, 2);
    return x;
}

bool is_body(const Matrix4& P) {
    const Matrix4 U = upper_factor(P);
    for (int k = 0; k < 4; ++k) {
        if (!(U(k, k) > 0)) return false;
    }
    return true;
}

// Column k is that of an M which has ones at the k-th entry alone: U's columns, times each other.
Matrix10 own_directions(const Matrix4& P) {
    const Matrix4 U = upper_factor(P);
    Matrix10 out;
    for (int k = 0; k < 10; ++k) {
        const auto [row, column] = kEntries[static_cast<std::size_t>(k)];
        Matrix4 dP;
        for (int c = 0; c < 4; ++c) {
            for (int r = 0; r < 4; ++r) {
                dP(r, c) = U(r, row) * U(c, column);
                if (row != column) dP(r, c) += U(r, column) * U(c, row);
            }
        }
        const Vector10 x = parameters_of(dP);
        for (int i = 0; i < 10; ++i) out(i, k) = x[i];
    }
    return out;
}
bool is_on_diagonal(long k) { return k < 4; }

// Where the least eigenvalue of 1 + part M comes near zero.
double part_within_bodies(const Vector10& m) {
    constexpr double kNear = 0.9;
    MatrixX<double> M(4, 4);
    for (int k = 0; k < 10; ++k) {
        const auto [row, column] = kEntries[static_cast<std::size_t>(k)];
        M(row, column) = M(column, row) = m[k];
    }
    const double least = plain::eigenvalues_of(M)[0];
    return least < -kNear ? kNear / -least : 1;
}

double log_determinant(const Matrix4& P) {
    const Matrix4 U = upper_factor(P);
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += 2 * std::log(U(k, k));
    return sum;
}

// With W = U₀⁻¹ U: tr(P₀⁻¹ P) = Σ W_ij², and det(P₀⁻¹ P) = Π W_kk².
double divergence(const Matrix4& P, const Matrix4& P0) {
    const Matrix4 W = solved_upper(upper_factor(P0), upper_factor(P));
    double sum = -4;
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r <= c; ++r) sum += W(r, c) * W(r, c);
        sum -= 2 * std::log(W(c, c));
    }
    return sum;
}

// U⁻ᵀ U⁻¹.
Matrix4 inverse_of(const Matrix4& P) {
    const Matrix4 U_inv = solved_upper(upper_factor(P), Matrix4::Identity());
    Matrix4 U_inv_T;
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) U_inv_T(r, c) = U_inv(c, r);
    }
    return times_transposed(U_inv_T, U_inv_T);
}

}  // namespace plucker
