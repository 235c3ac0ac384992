#include "pseudo_inertia.hpp"

#include <array>
#include <cmath>

namespace plucker {
namespace {

// Where θ's last six stand in U.
struct Entry {
    int row, column;
};
constexpr std::array<Entry, 6> kOffDiagonal{{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

Matrix4 factor(const Vector10& theta) {
    Matrix4 U = Matrix4::Zero();
    for (int k = 0; k < 3; ++k) U(k, k) = std::exp(theta[1 + k]);
    U(3, 3) = 1;
    for (int k = 0; k < 6; ++k) {
        const Entry& at = kOffDiagonal[static_cast<std::size_t>(k)];
        U(at.row, at.column) = theta[4 + k];
    }
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r <= c; ++r) U(r, c) *= std::exp(theta[0]);
    }
    return U;
}

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

Vector10 log_cholesky(const Matrix4& P) {
    const Matrix4 U = upper_factor(P);
    for (int k = 0; k < 4; ++k) {
        if (!(U(k, k) > 0)) throw Error("log_cholesky: this is the mass of no body with extent");
    }
    Vector10 theta;
    theta[0] = std::log(U(3, 3));
    for (int k = 0; k < 3; ++k) theta[1 + k] = std::log(U(k, k) / U(3, 3));
    for (int k = 0; k < 6; ++k) {
        const Entry& at = kOffDiagonal[static_cast<std::size_t>(k)];
        theta[4 + k] = U(at.row, at.column) / U(3, 3);
    }
    return theta;
}

Matrix4 from_log_cholesky(const Vector10& theta) {
    const Matrix4 U = factor(theta);
    return times_transposed(U, U);
}

// dP = dU Uᵀ + U dUᵀ.
Matrix10 parameters_by_log_cholesky(const Vector10& theta) {
    const Matrix4 U = factor(theta);
    Matrix10 out;
    for (int k = 0; k < 10; ++k) {
        Matrix4 dU = Matrix4::Zero();
        if (k == 0) {
            dU = U;
        } else if (k < 4) {
            dU(k - 1, k - 1) = U(k - 1, k - 1);
        } else {
            const Entry& at = kOffDiagonal[static_cast<std::size_t>(k - 4)];
            dU(at.row, at.column) = std::exp(theta[0]);
        }
        // What is linear in P is so in each half.
        const Vector10 of_one = parameters_of(times_transposed(dU, U));
        const Vector10 of_other = parameters_of(times_transposed(U, dU));
        for (int i = 0; i < 10; ++i) out(i, k) = of_one[i] + of_other[i];
    }
    return out;
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
