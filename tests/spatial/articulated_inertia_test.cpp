// Articulated-body inertia: a symmetric 6×6 matrix in three blocks.
#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
class ArticulatedInertiaLaws : public testing::Test {};
TYPED_TEST_SUITE(ArticulatedInertiaLaws, Scalars, ScalarNames);

TYPED_TEST(ArticulatedInertiaLaws, RigidBodyIsOneWithNothingHangingOnIt) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> I = random.inertia();
        const Motion<S> v = random.motion();
        EXPECT_TRUE(close(ArticulatedInertia<S>(I), to_eigen(I), 0));
        EXPECT_TRUE(close(ArticulatedInertia<S>(I) * v, I * v));
    });
}

TYPED_TEST(ArticulatedInertiaLaws, ActsAndAddsAsItsMatrix) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const ArticulatedInertia<S> A = random.articulated_inertia(),
                                    B = random.articulated_inertia();
        const Motion<S> m = random.motion();
        EXPECT_TRUE(close(A * m, to_eigen(A) * to_eigen(m)));
        EXPECT_TRUE(close(A + B, to_eigen(A) + to_eigen(B), 0));
        ArticulatedInertia<S> C = A;
        C += B;
        EXPECT_TRUE(close(C, A + B, 0));
        EXPECT_TRUE(close(to_eigen(A).transpose(), to_eigen(A), 0));
    });
}

// ᴬX*_B I^A_B ᴮX_A.
TYPED_TEST(ArticulatedInertiaLaws, ChangesCoordinatesByCongruence) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const ArticulatedInertia<S> A = random.articulated_inertia();
        const Transform<S> X = random.transform();
        const Matrix6<S> X_BA = motion_matrix(X), dense = to_eigen(A);
        EXPECT_TRUE(close(apply_inverse(X, A), (X_BA.transpose() * dense * X_BA).eval()));
        // A rigid body's two kinds of inertia stay one.
        const Inertia<S> I = random.inertia();
        EXPECT_TRUE(
            close(apply_inverse(X, ArticulatedInertia<S>(I)), to_eigen(apply_inverse(X, I))));
    });
}

TYPED_TEST(ArticulatedInertiaLaws, SubtractsASymmetricOuterProduct) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const ArticulatedInertia<S> A = random.articulated_inertia();
        const Force<S> u = random.force();
        const S k = random.scalar();
        const Force<S> w = k * u;
        EXPECT_TRUE(close(subtract_outer(A, u, w),
                          (to_eigen(A) - to_eigen(u) * to_eigen(w).transpose()).eval()));
    });
}

// A body on a joint with axis s resists no motion along s: (I - U Uᵀ/D) s = 0 with U = I s, D = sᵀU.
TYPED_TEST(ArticulatedInertiaLaws, JointFreesItsAxis) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const ArticulatedInertia<S> A = random.articulated_inertia();
        const Motion<S> s = random.motion();
        const Force<S> U = A * s;
        const S D = dot(s, U);
        EXPECT_GT(D, S(0));
        const ArticulatedInertia<S> freed = subtract_outer(A, U, (S(1) / D) * U);
        // U Uᵀ/D may be some ten times larger than one entry of it.
        EXPECT_TRUE(close(freed * s, Force<S>{}, 10 * kRoundings));
        // Momentum by any motion m is then felt without its part along s.
        const Motion<S> m = random.motion();
        EXPECT_TRUE(close(freed * m, A * m - (dot(m, U) / D) * U, 10 * kRoundings));
    });
}

}  // namespace
}  // namespace plucker::test
