// Eigen's decompositions of matrices in double, each compiled once for the whole library.
#pragma once

#include "plucker/scalar/eigen.hpp"

namespace plucker::plain {

// Of a symmetric matrix: its eigenvalues, the smallest first, and its eigenvectors as columns.
struct Eigensystem {
    ResultVector<double> values;
    ResultMatrix<double> vectors;
};
Eigensystem eigensystem_of(const MatrixX<double>& symmetric);
ResultVector<double> eigenvalues_of(const MatrixX<double>& symmetric);

// Of any matrix with at least one column: its singular values, the largest first, as many as it has columns, and its right
// singular vectors.
struct SingularValues {
    ResultVector<double> values;
    ResultMatrix<double> V;
};
SingularValues singular_values_of(const MatrixX<double>& rows);

// A⁻¹ B of a symmetric A that is positive definite, or nearly.
ResultMatrix<double> solved(const MatrixX<double>& A, const MatrixX<double>& B);

}  // namespace plucker::plain
