// The handout's convention (line vector first, forces and motions alike) against ours.
#include "plucker/spatial/handout.hpp"

#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
Vector6<S> numbers(const handout::SpatialVector<S>& a) {
    return to_eigen(Motion<S>{a.line, a.moment});
}

template <class S>
class Handout : public testing::Test {};
TYPED_TEST_SUITE(Handout, Scalars, ScalarNames);

TYPED_TEST(Handout, ConversionsRoundTrip) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        const Transform<S> X = random.transform();
        const Inertia<S> I = random.inertia();
        EXPECT_TRUE(close(handout::to_motion(handout::from(m)), m, 0));
        EXPECT_TRUE(close(handout::to_force(handout::from(f)), f, 0));
        EXPECT_TRUE(close(handout::to_transform(handout::from(X)).E, X.E, 0));
        EXPECT_TRUE(close(handout::to_transform(handout::from(X)).r, X.r));
        EXPECT_TRUE(close(handout::to_inertia(handout::from(I)), I, 0));
    });
}

// Eq. 31: a joint axis along s through r is (s; r × s); eq. 32: a slide along r is (0; r).
TYPED_TEST(Handout, JointAxesAreLinesAndDirections) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> s = random.vec3(), r = random.vec3();
        // A turn about s through the origin of a frame at r, seen from outside.
        const Motion<S> axis = apply_inverse(Transform<S>::translation(r), Motion<S>{s, {}});
        EXPECT_TRUE(close(handout::from(axis).line, s, 0));
        EXPECT_TRUE(close(handout::from(axis).moment, cross(r, s)));
        // Any other point of the axis would do.
        const S k = random.scalar();
        EXPECT_TRUE(close(cross(r + k * s, s), handout::from(axis).moment));
        EXPECT_TRUE(close(handout::from(Motion<S>{{}, r}).line, Vec3<S>{}, 0));
        EXPECT_TRUE(close(handout::from(Motion<S>{{}, r}).moment, r, 0));
    });
}

// Eq. 41, with the two halves exchanged.
TYPED_TEST(Handout, SpatialTransposeGivesThePower) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        const S power = handout::spatial_transpose_times(handout::from(m), handout::from(f));
        EXPECT_TRUE(close(power, dot(m, f)));
        EXPECT_TRUE(
            close(handout::spatial_transpose_times(handout::from(f), handout::from(m)), power));
    });
}

// Eq. 40: there one cross product serves motions and forces.
TYPED_TEST(Handout, OneCrossProductServesBothKinds) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> v = random.motion(), m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(
            close(handout::to_motion(cross(handout::from(v), handout::from(m))), cross(v, m), 8));
        EXPECT_TRUE(close(handout::to_force(cross(handout::from(v), handout::from(f))),
                          cross_force(v, f), 8));
    });
}

// Eq. 38: [R 0; t*R R] for motions and forces; eqs 34–36: first it turns, then it moves.
TYPED_TEST(Handout, OneTransformServesBothKinds) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform();
        const auto X_hat = handout::from(X);
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(handout::to_motion(X_hat * handout::from(m)), X * m));
        EXPECT_TRUE(close(handout::to_force(X_hat * handout::from(f)), X * f));
        const Matrix6<S> dense = blocks(X_hat.R, Mat3<S>{}, skew(X_hat.t) * X_hat.R, X_hat.R);
        EXPECT_TRUE(close(dense, motion_matrix(X)));
        // Eq. 35: a translation by t takes the axis (s; r × s) to (s; (r + t) × s).
        const Vec3<S> s = random.vec3(), r = random.vec3(), t = random.vec3();
        const handout::SpatialTransform<S> translation{Mat3<S>::identity(), t};
        const handout::SpatialVector<S> axis{s, cross(r, s)}, expected{s, cross(r + t, s)};
        EXPECT_TRUE(close(numbers(translation * axis), numbers(expected)));
    });
}

// Eq. 39: Î = [M c*ᵀ, M; I* + c* M c*ᵀ, c* M].
TYPED_TEST(Handout, InertiaIsOursWithItsHalvesExchanged) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const S mass = random.scalar(1, 2);
        const Vec3<S> c = random.vec3();
        const SymMat3<S> about_center = random.symmetric();
        const auto I = Inertia<S>::from_center_of_mass(mass, c, about_center);
        const handout::SpatialInertia<S> I_hat = handout::from(I);
        const Mat3<S> M = mass * Mat3<S>::identity(), c_star = skew(c);
        EXPECT_TRUE(close(I_hat.top_left, M * transpose(c_star)));
        EXPECT_TRUE(close(I_hat.top_right, M, 0));
        EXPECT_TRUE(
            close(I_hat.bottom_left, to_mat3(about_center) + c_star * M * transpose(c_star)));
        EXPECT_TRUE(close(I_hat.bottom_right, c_star * M));
        const Motion<S> v = random.motion();
        EXPECT_TRUE(close(handout::to_force(I_hat * handout::from(v)), I * v));
    });
}

// Section 3.1, a particle on two slides: eqs 18–30 with m = 2, q = (3, 5), q̈ = (7, 11), g = 10.
TYPED_TEST(Handout, ParticleExampleComesOutAsPrinted) {
    using S = TypeParam;
    using Vector = handout::SpatialVector<S>;
    const S m = 2, q0 = 3, q1 = 5, q0_ddot = 7, q1_ddot = 11, g = 10;
    const Vector s0{{}, {1, 0, 0}}, s1{{}, {0, 1, 0}};  // eq. 18
    // Eq. 19: from children to parents.
    const handout::SpatialTransform<S> X_world_0{Mat3<S>::identity(), {q0, 0, 0}};
    const handout::SpatialTransform<S> X_0_1{Mat3<S>::identity(), {0, q1, 0}};
    EXPECT_EQ(handout::to_transform(X_world_0).r, (Vec3<S>{-q0, 0, 0}));
    // Eq. 20, and eq. 26 for a_1; at rest there is no v × I v.
    const auto I = handout::from(Inertia<S>::point_mass(m, {}));
    const Vector a1{{}, {q0_ddot, q1_ddot + g, 0}};
    // Eq. 28.
    const Vector f1 = I * a1, f0 = X_0_1 * f1, f_world = X_world_0 * f0;
    EXPECT_EQ(f1, (Vector{{m * q0_ddot, m * (q1_ddot + g), 0}, {}}));
    EXPECT_EQ(f0, (Vector{f1.line, {0, 0, -m * q1 * q0_ddot}}));
    EXPECT_EQ(f_world, (Vector{f1.line, {0, 0, -m * q1 * q0_ddot + m * q0 * (q1_ddot + g)}}));
    // Eq. 30: F = m a.
    EXPECT_EQ(handout::spatial_transpose_times(s0, f0), m * q0_ddot);
    EXPECT_EQ(handout::spatial_transpose_times(s1, f1), m * (q1_ddot + g));
}

}  // namespace
}  // namespace plucker::test
