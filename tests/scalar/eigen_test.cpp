// Matrices of numbers that carry derivatives: what holds for plain numbers holds for them.
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

template <class S>
class EigenOfScalar : public testing::Test {};
TYPED_TEST_SUITE(EigenOfScalar, DifferentiatingScalars, ScalarNames);

TYPED_TEST(EigenOfScalar, ProductsFollowTheProductRule) {
    using S = TypeParam;
    for_samples<Sampler<S>>([](auto& random) {
        const MatrixX<S> A = random.matrix(4, 5), B = random.matrix(5, 3);
        const MatrixX<S> AB = A * B;
        EXPECT_TRUE(close(values_of(AB), values_of(A) * values_of(B)));
        EXPECT_TRUE(close(derivatives_of(AB),
                          derivatives_of(A) * values_of(B) + values_of(A) * derivatives_of(B)));
    });
}

// A complex step is a real number with a mark on it: transposing must not conjugate the mark away.
TYPED_TEST(EigenOfScalar, AdjointIsTheTranspose) {
    using S = TypeParam;
    Sampler<S> random(1);
    const MatrixX<S> A = random.matrix(3, 4);
    const VectorX<S> x = random.vector(4);
    EXPECT_TRUE(close(A.adjoint(), A.transpose(), 0));
    EXPECT_TRUE(close(derivatives_of(A.transpose()), derivatives_of(A).transpose(), 0));
    EXPECT_TRUE(close(x.dot(x), (x.transpose() * x).value()));
    EXPECT_TRUE(close(x.squaredNorm(), x.cwiseProduct(x).sum()));
    EXPECT_TRUE(close(x.norm() * x.norm(), x.squaredNorm()));
}

TYPED_TEST(EigenOfScalar, MixesWithPlainNumbers) {
    using S = TypeParam;
    Sampler<S> random(2);
    const MatrixX<S> A = random.matrix(3, 3);
    EXPECT_TRUE(close(S(2) * A, A + A));
    EXPECT_TRUE(close(A / S(2) + A / S(2), A));
    EXPECT_TRUE(close(MatrixX<S>::Identity(3, 3) * A - A, MatrixX<S>::Zero(3, 3), 0));
    EXPECT_TRUE(
        close(derivatives_of(values_of(A).template cast<S>()), MatrixX<ValueOf<S>>::Zero(3, 3), 0));
}

// Derivatives of x = A⁻¹ b: ẋ = A⁻¹ (ḃ - Ȧ x). The matrices have condition numbers of about ten.
template <class S, class Solve>
void expect_solves(const Solve& solve) {
    for_samples<Sampler<S>>([&](auto& random) {
        const MatrixX<S> A = random.positive_definite(6);
        const VectorX<S> b = random.vector(6);
        const VectorX<S> x = solve(A, b);
        EXPECT_TRUE(close(A * x, b));
        const MatrixX<ValueOf<S>> rate =
            values_of(A).llt().solve(derivatives_of(b) - derivatives_of(A) * values_of(x));
        EXPECT_TRUE(close(derivatives_of(x), rate, 10 * kRoundings));
    });
}

TYPED_TEST(EigenOfScalar, CholeskyFactorsSolve) {
    using S = TypeParam;
    expect_solves<S>([](const MatrixX<S>& A, const VectorX<S>& b) -> VectorX<S> {
        const Eigen::LLT<MatrixX<S>> factor(A);
        EXPECT_EQ(factor.info(), Eigen::Success);
        const MatrixX<S> L = factor.matrixL();
        EXPECT_TRUE(close(L * L.transpose(), A));
        return factor.solve(b);
    });
}

TYPED_TEST(EigenOfScalar, SquareRootFreeCholeskyFactorsSolve) {
    using S = TypeParam;
    expect_solves<S>([](const MatrixX<S>& A, const VectorX<S>& b) -> VectorX<S> {
        const Eigen::LDLT<MatrixX<S>> factor(A);
        EXPECT_EQ(factor.info(), Eigen::Success);
        EXPECT_TRUE(factor.isPositive());
        EXPECT_TRUE(close(factor.reconstructedMatrix(), A));
        return factor.solve(b);
    });
}

TYPED_TEST(EigenOfScalar, PivotedEliminationSolves) {
    using S = TypeParam;
    expect_solves<S>([](const MatrixX<S>& A, const VectorX<S>& b) -> VectorX<S> {
        return A.partialPivLu().solve(b);
    });
}

TYPED_TEST(EigenOfScalar, CholeskyRefusesAnIndefiniteMatrix) {
    using S = TypeParam;
    MatrixX<S> A = Sampler<S>(3).positive_definite(3);
    A(1, 1) = with_derivative<S>(-1, 100);
    EXPECT_EQ(Eigen::LLT<MatrixX<S>>(A).info(), Eigen::NumericalIssue);
    EXPECT_FALSE(Eigen::LDLT<MatrixX<S>>(A).isPositive());
}

// Jacobi's formula: the rate of det A is det A tr(A⁻¹ Ȧ).
TYPED_TEST(EigenOfScalar, DeterminantFollowsJacobisFormula) {
    using S = TypeParam;
    for_samples<Sampler<S>>([](auto& random) {
        const Eigen::Matrix<S, 3, 3> A = random.positive_definite(3);
        const S det = A.determinant();
        const Eigen::Matrix<S, 3, 3> inverse = A.inverse();
        EXPECT_TRUE(close(A * inverse, MatrixX<S>::Identity(3, 3)));
        const ValueOf<S> rate = value_of(det) * (values_of(inverse) * derivatives_of(A)).trace();
        EXPECT_TRUE(close(derivative_of(det), rate, 10 * kRoundings));
    });
}

TYPED_TEST(EigenOfScalar, LargestEntryIsByValue) {
    using S = TypeParam;
    VectorX<S> x(3);
    x << with_derivative<S>(-3, 0), with_derivative<S>(1, 50), with_derivative<S>(2, -50);
    Eigen::Index at = 0;
    EXPECT_EQ(value_of(x.cwiseAbs().maxCoeff(&at)), 3);
    EXPECT_EQ(at, 0);
    EXPECT_EQ(value_of(x.minCoeff(&at)), -3);
    EXPECT_EQ(value_of(x.maxCoeff(&at)), 2);
    EXPECT_EQ(at, 2);
}

static_assert(!Eigen::NumTraits<ComplexStep<double>>::IsComplex);
static_assert(std::is_same_v<Eigen::NumTraits<Dual<double>>::Real, Dual<double>>);

}  // namespace
}  // namespace plucker::test
