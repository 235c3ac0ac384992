// Three-dimensional vectors and matrices, and the identities that the six-dimensional ones rest on.
#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
class Euclidean3 : public testing::Test {};
TYPED_TEST_SUITE(Euclidean3, Scalars, ScalarNames);

TYPED_TEST(Euclidean3, VectorsFormAVectorSpace) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> a = random.vec3(), b = random.vec3();
        const S s = random.scalar();
        EXPECT_TRUE(close(a + b, to_eigen(a) + to_eigen(b), 0));
        EXPECT_TRUE(close(a - b, to_eigen(a) - to_eigen(b), 0));
        EXPECT_TRUE(close(-a, -to_eigen(a), 0));
        EXPECT_TRUE(close(s * a, s * to_eigen(a), 0));
        EXPECT_TRUE(close(a * s, s * a, 0));
        Vec3<S> c = a;
        c += b;
        EXPECT_TRUE(close(c, a + b, 0));
        c -= a;
        EXPECT_TRUE(close(c, (a + b) - a, 0));
        c *= s;
        EXPECT_TRUE(close(c, s * ((a + b) - a), 0));
        EXPECT_TRUE(close(norm(a) * norm(a), squared_norm(a)));
    });
}

TYPED_TEST(Euclidean3, CrossProductIsNormalToBothWithTheAreaAsLength) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> a = random.vec3(), b = random.vec3();
        const Vec3<S> n = cross(a, b);
        EXPECT_TRUE(close(dot(a, n), S(0)));
        EXPECT_TRUE(close(dot(b, n), S(0)));
        EXPECT_TRUE(
            close(squared_norm(n), squared_norm(a) * squared_norm(b) - dot(a, b) * dot(a, b)));
        EXPECT_TRUE(close(skew(a) * b, n));
        EXPECT_TRUE(close(transpose(skew(a)), -skew(a), 0));
        // a × (b × c) = b (a·c) - c (a·b)
        const Vec3<S> c = random.vec3();
        EXPECT_TRUE(close(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c));
        EXPECT_TRUE(close(determinant(Mat3<S>{a, b, c}), dot(a, cross(b, c))));
    });
    EXPECT_EQ(cross(Vec3<S>{1, 0, 0}, Vec3<S>{0, 1, 0}), (Vec3<S>{0, 0, 1}));
}

TYPED_TEST(Euclidean3, MatricesMultiplyAsEigens) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Mat3<S> A = random.mat3(), B = random.mat3();
        const SymMat3<S> C = random.symmetric();
        const Vec3<S> a = random.vec3(), b = random.vec3();
        EXPECT_TRUE(close(A * B, to_eigen(A) * to_eigen(B)));
        EXPECT_TRUE(close(A * a, to_eigen(A) * to_eigen(a)));
        EXPECT_TRUE(close(transpose_times(A, a), to_eigen(A).transpose() * to_eigen(a)));
        EXPECT_TRUE(close(C * a, to_eigen(C) * to_eigen(a)));
        EXPECT_TRUE(close(outer(a, b), to_eigen(a) * to_eigen(b).transpose()));
        EXPECT_TRUE(close(determinant(A * B), determinant(A) * determinant(B)));
        EXPECT_TRUE(close(trace(C), to_eigen(C).trace()));
        EXPECT_TRUE(close(Mat3<S>::identity() * A, A, 0));
        EXPECT_TRUE(close(to_mat3(SymMat3<S>::identity()), Mat3<S>::identity(), 0));
    });
}

TYPED_TEST(Euclidean3, MatricesAddAsEigens) {
    using S = TypeParam;
    SpatialSampler<S> random(1);
    const Mat3<S> A = random.mat3(), B = random.mat3();
    const SymMat3<S> C = random.symmetric(), D = random.symmetric();
    const S s = random.scalar();
    EXPECT_TRUE(close(A + s * B - A, to_eigen(A) + s * to_eigen(B) - to_eigen(A), 0));
    EXPECT_TRUE(close(C + s * D - C, to_eigen(C) + s * to_eigen(D) - to_eigen(C), 0));
    Mat3<S> E = A;
    E += B;
    EXPECT_TRUE(close(E, A + B, 0));
    E -= A;
    EXPECT_TRUE(close(E, (A + B) - A, 0));
    SymMat3<S> F = C;
    F += D;
    EXPECT_TRUE(close(F, C + D, 0));
    F -= C;
    EXPECT_TRUE(close(F, (C + D) - C, 0));
    EXPECT_TRUE(close(-A, S(-1) * A, 0));
    EXPECT_TRUE(close(-C, S(-1) * C, 0));
}

TYPED_TEST(Euclidean3, FusedSumsAreTheirFormulas) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> a = random.vec3(), b = random.vec3(), c = random.vec3();
        const Mat3<S> A = random.mat3();
        EXPECT_TRUE(close(add_cross(a, b, c), a + cross(b, c)));
        EXPECT_TRUE(close(subtract_cross(a, b, c), a - cross(b, c)));
        EXPECT_TRUE(close(add_times(a, A, b), a + A * b));
        EXPECT_TRUE(close(add_transpose_times(a, A, b), a + transpose(A) * b));
    });
}

TYPED_TEST(Euclidean3, SymmetricProductsAreTheirFormulas) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> a = random.vec3(), b = random.vec3();
        EXPECT_TRUE(close(symmetric_outer(a, b), outer(a, b) + outer(b, a)));
        EXPECT_TRUE(close(self_outer(a), outer(a, a)));
        EXPECT_TRUE(close(point_inertia(a), -(skew(a) * skew(a))));
        // Turning coordinates: Eᵀ A E, for symmetric and for general A.
        const Mat3<S> E = random.rotation(), A = random.mat3();
        const SymMat3<S> C = random.symmetric();
        EXPECT_TRUE(close(rotate_back(E, C), transpose(E) * to_mat3(C) * E));
        EXPECT_TRUE(close(rotate_back(E, A), transpose(E) * A * E));
    });
}

TYPED_TEST(Euclidean3, EigenViewsRoundTrip) {
    using S = TypeParam;
    SpatialSampler<S> random(1);
    const Vec3<S> a = random.vec3();
    const Mat3<S> A = random.mat3();
    const Motion<S> m = random.motion();
    const Force<S> f = random.force();
    EXPECT_TRUE(close(to_vec3(to_eigen(a)), a, 0));
    EXPECT_TRUE(close(to_mat3(to_eigen(A)), A, 0));
    EXPECT_TRUE(close(to_motion(to_eigen(m)), m, 0));
    EXPECT_TRUE(close(to_force(to_eigen(f)), f, 0));
    // Rows are rows, and the angular part comes first.
    EXPECT_TRUE(close(to_eigen(A)(0, 2), A.x.z, 0));
    EXPECT_TRUE(close(to_eigen(m)(2), m.angular.z, 0));
    EXPECT_TRUE(close(to_eigen(f)(3), f.linear.x, 0));
}

TYPED_TEST(Euclidean3, CastsKeepTheNumbers) {
    using S = TypeParam;
    const Mat3<double> A{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const SymMat3<double> C{1, 2, 3, 4, 5, 6};
    EXPECT_EQ(cast<S>(A), (Mat3<S>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
    EXPECT_EQ(cast<S>(C), (SymMat3<S>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(cast<S>(Motion<double>{A.x, A.y}), (Motion<S>{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(cast<S>(Force<double>{A.x, A.y}), (Force<S>{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(cast<S>(Transform<double>{Mat3<double>::identity(), A.x}).E, Mat3<S>::identity());
    EXPECT_EQ(cast<S>(Transform<double>{A, A.x}).r, (Vec3<S>{1, 2, 3}));
    EXPECT_EQ(cast<S>(Inertia<double>{7, A.x, C}), (Inertia<S>{7, {1, 2, 3}, {1, 2, 3, 4, 5, 6}}));
}

}  // namespace
}  // namespace plucker::test
