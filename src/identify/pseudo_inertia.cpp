#include "pseudo_inertia.hpp"

#include <Eigen/Cholesky>
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
    return std::exp(theta[0]) * U;
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

// The factor is upper triangular: the lower one of P with rows and columns in the opposite order.
Vector10 log_cholesky(const Matrix4& P) {
    const Matrix4 reversed = P.reverse();
    const Eigen::LLT<Matrix4> factors(reversed);
    if (factors.info() != Eigen::Success)
        throw Error("log_cholesky: this is the mass of no body with extent");
    const Matrix4 lower = factors.matrixL();
    const Matrix4 U = lower.reverse();
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
    return U * U.transpose();
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
        const Matrix4 half = dU * U.transpose();
        out.col(k) = parameters_of(half + half.transpose());
    }
    return out;
}

double divergence(const Matrix4& P, const Matrix4& P0) {
    const Eigen::LLT<Matrix4> of_P(P), of_P0(P0);
    const auto log_determinant = [](const Eigen::LLT<Matrix4>& factors) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += 2 * std::log(factors.matrixLLT()(k, k));
        return sum;
    };
    return of_P0.solve(P).trace() - log_determinant(of_P) + log_determinant(of_P0) - 4;
}

}  // namespace plucker
