#include "plucker/scalar/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace plucker::plain {
namespace {

using Matrix = MatrixX<double>;

}  // namespace

Eigensystem eigensystem_of(const MatrixX<double>& symmetric) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

ResultVector<double> eigenvalues_of(const MatrixX<double>& symmetric) {
    return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

// Those of R, where rows = Q R.
SingularValues singular_values_of(const MatrixX<double>& rows) {
    const long n = rows.cols();
    const Matrix factors = Eigen::HouseholderQR<Matrix>(rows).matrixQR();
    Matrix R = Matrix::Zero(n, n);
    for (long c = 0; c < n; ++c) {
        for (long r = 0; r <= std::min(c, rows.rows() - 1); ++r) R(r, c) = factors(r, c);
    }
    const Eigen::JacobiSVD<Matrix, Eigen::NoQRPreconditioner> svd(R, Eigen::ComputeFullV);
    return {svd.singularValues(), svd.matrixV()};
}

ResultMatrix<double> solved(const MatrixX<double>& A, const MatrixX<double>& B) {
    return A.ldlt().solve(B);
}

}  // namespace plucker::plain
