// L D Lᵀ of a joint's own inertia, against its definition and against Eigen.
#include <Eigen/Cholesky>

#include "plucker/spatial/small_cholesky.hpp"
#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

template <class S>
class SmallCholeskyLaws : public testing::Test {
protected:
    // A Aᵀ + 1 by plain loops.
    static MatrixX<S> positive_definite(Sampler<S>& random, int n) {
        const MatrixX<S> A = random.matrix(n, n);
        MatrixX<S> out = MatrixX<S>::Identity(n, n);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                for (int k = 0; k < n; ++k) out(i, j) += A(i, k) * A(j, k);
            }
        }
        return out;
    }
};
TYPED_TEST_SUITE(SmallCholeskyLaws, Scalars, ScalarNames);

TYPED_TEST(SmallCholeskyLaws, FactorsMultiplyToTheMatrix) {
    using S = TypeParam;
    for_samples<Sampler<S>>([](auto& random) {
        for (int n = 0; n <= 6; ++n) {
            const MatrixX<S> A = TestFixture::positive_definite(random, n);
            const auto factor = SmallCholesky<S>::factor(n, A);
            EXPECT_EQ(factor.n, n);
            MatrixX<S> product = MatrixX<S>::Zero(n, n);
            for (int i = 0; i < n; ++i) {
                EXPECT_TRUE(close(factor.D[i] * factor.D_inv[i], S(1), 4));
                for (int j = 0; j < n; ++j) {
                    for (int k = 0; k <= std::min(i, j); ++k) {
                        const S L_ik = i == k ? S(1) : factor.L[i][k];
                        const S L_jk = j == k ? S(1) : factor.L[j][k];
                        product(i, j) += L_ik * factor.D[k] * L_jk;
                    }
                }
            }
            EXPECT_TRUE(close(product, A)) << n;
        }
    });
}

TYPED_TEST(SmallCholeskyLaws, SolutionSatisfiesTheEquation) {
    using S = TypeParam;
    for_samples<Sampler<S>>([](auto& random) {
        for (int n = 0; n <= 6; ++n) {
            const MatrixX<S> A = TestFixture::positive_definite(random, n);
            const VectorX<S> b = random.vector(n);
            VectorX<S> x = b;
            SmallCholesky<S>::factor(n, A).solve(x.data());
            VectorX<S> Ax = VectorX<S>::Zero(n);
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) Ax[i] += A(i, j) * x[j];
            }
            EXPECT_TRUE(close(Ax, b)) << n;
        }
    });
}

TYPED_TEST(SmallCholeskyLaws, ReadsTheLowerTriangleOnly) {
    using S = TypeParam;
    Sampler<S> random(1);
    MatrixX<S> A = TestFixture::positive_definite(random, 5);
    VectorX<S> x = random.vector(5), y = x;
    SmallCholesky<S>::factor(5, A).solve(x.data());
    A.template triangularView<Eigen::StrictlyUpper>().setConstant(S(1e6));
    SmallCholesky<S>::factor(5, A).solve(y.data());
    EXPECT_TRUE(close(x, y, 0));
}

TYPED_TEST(SmallCholeskyLaws, SmallestPivotTellsWhetherTheMatrixIsPositiveDefinite) {
    using S = TypeParam;
    const auto smallest = [](double a, double b, double c) {
        // [a b; b c] has the pivots a and c - b²/a.
        const auto D = SmallCholesky<S>::factor(2, [&](int i, int j) {
                           return i != j ? S(b) : (i == 0 ? S(a) : S(c));
                       }).D;
        return D[0] < D[1] ? D[0] : D[1];
    };
    EXPECT_EQ(smallest(2, 2, 3), S(1));
    EXPECT_EQ(smallest(2, 2, 5), S(2));
    EXPECT_EQ(smallest(2, 2, 2), S(0));
    EXPECT_EQ(smallest(2, 2, 1), S(-1));
    EXPECT_EQ(smallest(-1, 0, 4), S(-1));
}

TEST(SmallCholesky, AgreesWithEigen) {
    for_samples<Sampler<double>>([](auto& random) {
        for (int n = 1; n <= 6; ++n) {
            const MatrixX<double> A = random.positive_definite(n);
            VectorX<double> x = random.vector(n);
            // Condition numbers are about ten.
            const VectorX<double> theirs = A.llt().solve(x);
            SmallCholesky<double>::factor(n, A).solve(x.data());
            EXPECT_TRUE(close(x, theirs, 10 * kRoundings));
        }
    });
}

constexpr double solve_at_compile_time() {
    double b[2] = {2, 6};
    // [2 2; 2 6] x = b has x = (0, 1).
    SmallCholesky<double>::factor(2, [](int i, int j) { return i + j == 2 ? 6.0 : 2.0; }).solve(b);
    return 10 * b[0] + b[1];
}
static_assert(solve_at_compile_time() == 1);

}  // namespace
}  // namespace plucker::test
