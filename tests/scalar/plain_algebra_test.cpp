// Formulas operator by operator: what Eigen makes of the same formula.
#include "plucker/scalar/plain_algebra.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plucker/scalar/decompositions.hpp"

namespace plucker::test {
namespace {

using plain::eigensystem_of;
using plain::eigenvalues_of;
using plain::Entries;
using plain::identity;
using plain::scaled_rows;
using plain::singular_values_of;
using plain::solved;
using plain::transposed;

using Matrix = MatrixX<double>;
using Vector = VectorX<double>;

Matrix random_matrix(long rows, long columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    return Matrix::NullaryExpr(rows, columns, [&] { return any(generator); });
}

template <class Left, class Right>
void expect_near(const Left& left, const Right& right) {
    ASSERT_EQ(left.rows(), right.rows());
    ASSERT_EQ(left.cols(), right.cols());
    for (long c = 0; c < left.cols(); ++c) {
        for (long r = 0; r < left.rows(); ++r) EXPECT_NEAR(left(r, c), right(r, c), 1e-14);
    }
}

// Here operators are Eigen's, where they are not called by name.
TEST(PlainAlgebra, IsThatOfEigen) {
    const Matrix A = random_matrix(4, 3, 1), B = random_matrix(4, 3, 2), C = random_matrix(3, 5, 3);
    const Vector x = random_matrix(3, 1, 4);
    static_assert(std::is_same_v<decltype(plain::operator+(A, B)), Matrix>);
    static_assert(std::is_same_v<decltype(plain::operator*(A, x)), Vector>);
    expect_near(plain::operator+(A, B), A + B);
    expect_near(plain::operator-(A, B), A - B);
    expect_near(plain::operator-(A), -A);
    expect_near(plain::operator*(2, A), 2 * A);
    expect_near(plain::operator*(A, 2), 2 * A);
    expect_near(plain::operator/(A, 2), A / 2);
    expect_near(plain::operator*(A, C), (A * C).eval());
    expect_near(plain::operator*(A, x), (A * x).eval());
    expect_near(plain::transposed(A), A.transpose());
    expect_near(plain::scaled_rows(x, C), (x.asDiagonal() * C).eval());
    EXPECT_NEAR(plain::sum_of_products(A, B), A.cwiseProduct(B).sum(), 1e-14);
}

TEST(PlainAlgebra, TakesPartsAndTransposesOfMatricesAsTheyStandInMemory) {
    const Matrix A = random_matrix(6, 7, 1), B = random_matrix(5, 4, 2);
    const Eigen::Matrix<double, 4, 3, Eigen::RowMajor> R = random_matrix(4, 3, 3);
    const auto part = A.block(1, 2, 3, 4);
    const auto top = B.topRows(4);
    expect_near(plain::operator*(part, top), (part * top).eval());
    expect_near(plain::operator*(A.transpose(), A), (A.transpose() * A).eval());
    expect_near(plain::operator*(R.transpose(), top), (R.transpose() * top).eval());
    expect_near(plain::operator-(A.row(2), A.row(3)), A.row(2) - A.row(3));
    expect_near(plain::rows_of(A, 2, 3), A.middleRows(2, 3));
    expect_near(plain::columns_of(A, 2, 3), A.middleCols(2, 3));
    expect_near(plain::row_of(A, 2), A.row(2).transpose());
    expect_near(plain::column_of(A, 2), A.col(2));
    expect_near(plain::diagonal_of(part.leftCols(3)), part.leftCols(3).diagonal());
}

// Elsewhere they are taken without a name.
TEST(PlainAlgebra, IsPreferredToThatOfEigen) {
    using plain::operator*;
    const Matrix A = random_matrix(4, 3, 1), B = random_matrix(3, 3, 2);
    static_assert(std::is_same_v<decltype(A * B), Matrix>);
    static_assert(std::is_same_v<decltype(A.topRows(2) * B.transpose()), Matrix>);
    static_assert(std::is_same_v<decltype(2 * A), Matrix>);
    expect_near(A * B, A.lazyProduct(B).eval());
}

TEST(PlainAlgebra, ComputesInEveryNumberType) {
    using D = Dual<double>;
    MatrixX<D> A(2, 2);
    VectorX<D> x(2);
    for (int k = 0; k < 4; ++k) A(k) = D(k + 1, 10 * k);
    for (int k = 0; k < 2; ++k) x[k] = D(k + 5, 1);
    const VectorX<D> y = plain::operator*(A, x);  // [1 3; 2 4], rates [0 20; 10 30]
    EXPECT_EQ(y[0].value, 1 * 5 + 3 * 6);
    EXPECT_EQ(y[0].derivative, 1 + 0 * 5 + 3 + 20 * 6);
    EXPECT_EQ(y[1].derivative, 2 + 10 * 5 + 4 + 30 * 6);
}

TEST(PlainAlgebra, OfNothingIsNothing) {
    const Matrix A(0, 3), B(3, 0);
    EXPECT_EQ(plain::operator*(A, B).size(), 0);
    expect_near(plain::operator*(B, A), plain::zeros<double>(3, 3));
    expect_near(identity<double>(0), Matrix(0, 0));
}

TEST(PlainAlgebra, AddsSquaresOnAndBelowTheDiagonal) {
    const Vector y = random_matrix(5, 1, 1);
    Matrix A = plain::filled<double>(5, 5, 7);
    plain::add_square_below(y, A);
    for (int c = 0; c < 5; ++c) {
        // Products are added without rounding where the processor can.
        for (int r = 0; r < 5; ++r) EXPECT_DOUBLE_EQ(A(r, c), r < c ? 7 : 7 + y[r] * y[c]);
    }
}

TEST(Entries, OfAnExpressionAreKept) {
    const Matrix A = random_matrix(3, 2, 1);
    const Entries<double> stored(A), computed(A.cwiseAbs().transpose());
    EXPECT_EQ(&stored(2, 1), &A(2, 1));
    ASSERT_EQ(computed.rows(), 2);
    ASSERT_EQ(computed.columns(), 3);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 2; ++c) EXPECT_EQ(computed(c, r), std::abs(A(r, c)));
    }
}

// --- Decompositions ---

TEST(Decompositions, OfASymmetricMatrix) {
    const Matrix B = random_matrix(6, 6, 1), A = B + transposed(B);
    const auto [values, vectors] = eigensystem_of(A);
    expect_near(Matrix(A * vectors), Matrix(transposed(scaled_rows(values, transposed(vectors)))));
    expect_near(transposed(vectors) * vectors, identity<double>(6));
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    expect_near(eigenvalues_of(A), values);
}

TEST(Decompositions, BySingularValues) {
    for (const long rows : {1L, 3L, 4L, 30L}) {
        const Matrix A = random_matrix(rows, 4, 1);
        const auto [values, V] = singular_values_of(A);
        ASSERT_EQ(values.size(), 4);
        expect_near(transposed(V) * V, identity<double>(4));
        // The columns of A V are orthogonal, and as long as the singular values say.
        const Matrix AV = A * V, squares = transposed(AV) * AV;
        for (int c = 0; c < 4; ++c) {
            EXPECT_EQ(values[c] > 1e-12, c < rows);
            for (int r = 0; r < 4; ++r)
                EXPECT_NEAR(squares(r, c), r == c ? values[c] * values[c] : 0, 1e-13);
        }
        EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::greater<>()));
    }
}

TEST(Decompositions, SolveForAPositiveDefiniteMatrix) {
    const Matrix B = random_matrix(6, 6, 1), A = B * transposed(B) + identity<double>(6);
    const Matrix X = random_matrix(6, 2, 2);
    const Matrix found = solved(A, A * X);
    for (int k = 0; k < 12; ++k) EXPECT_NEAR(found(k), X(k), 1e-13);
}

}  // namespace
}  // namespace plucker::test
