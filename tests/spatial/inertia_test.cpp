// Rigid-body inertia: a worked example, coordinates, momentum and energy.
#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
class InertiaLaws : public testing::Test {};
TYPED_TEST_SUITE(InertiaLaws, Scalars, ScalarNames);

// Mass 2 at c = (1, 2, 3), I_C = diag(4, 5, 6). Parallel axes: Ī = I_C + m ((c·c) 1 - c cᵀ).
TYPED_TEST(InertiaLaws, ParallelAxisTheorem) {
    using S = TypeParam;
    const auto I =
        Inertia<S>::from_center_of_mass(2, {1, 2, 3}, SymMat3<S>::diagonal(S(4), S(5), S(6)));
    EXPECT_EQ(I.mass, S(2));
    EXPECT_EQ(I.first_moment, (Vec3<S>{2, 4, 6}));
    EXPECT_EQ(I.rotational, (SymMat3<S>{4 + 2 * 13, -4, -6, 5 + 2 * 10, -12, 6 + 2 * 5}));
    EXPECT_EQ(Inertia<S>::point_mass(2, {1, 2, 3}).rotational,
              (SymMat3<S>{26, -4, -6, 20, -12, 10}));
}

// Slide "Rigid Body Inertia": [I_C - m c̃ c̃, m c̃; m c̃ᵀ, m 1].
TYPED_TEST(InertiaLaws, MatrixIsThatOfTheSlides) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const S mass = random.scalar(1, 2);
        const Vec3<S> c = random.vec3();
        const SymMat3<S> about_center = random.symmetric();
        const auto I = Inertia<S>::from_center_of_mass(mass, c, about_center);
        const Mat3<S> mc = mass * skew(c);
        EXPECT_TRUE(close(I, blocks(to_mat3(about_center) - mc * skew(c), mc, transpose(mc),
                                    mass * Mat3<S>::identity())));
    });
}

TYPED_TEST(InertiaLaws, MomentumIsTheMatrixProduct) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> I = random.inertia();
        const Motion<S> v = random.motion();
        EXPECT_TRUE(close(I * v, to_eigen(I) * to_eigen(v)));
        // Linear momentum is mass times the velocity of the centre of mass.
        const Vec3<S> c = (S(1) / I.mass) * I.first_moment;
        EXPECT_TRUE(close((I * v).linear, I.mass * point_velocity(v, c)));
    });
}

TYPED_TEST(InertiaLaws, BodiesJoinedTogetherAdd) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> A = random.inertia(), B = random.inertia();
        EXPECT_TRUE(close(A + B, to_eigen(A) + to_eigen(B)));
        Inertia<S> C = A;
        C += B;
        EXPECT_TRUE(close(C, A + B, 0));
    });
    // A dumbbell: two masses of 3 at x = ±2. Turning it about x costs nothing.
    const auto dumbbell =
        Inertia<S>::point_mass(3, {2, 0, 0}) + Inertia<S>::point_mass(3, {-2, 0, 0});
    EXPECT_EQ(dumbbell, (Inertia<S>{6, {0, 0, 0}, SymMat3<S>::diagonal(S(0), S(24), S(24))}));
}

// I_A = (ᴮX_A)ᵀ I_B ᴮX_A and I_B = ᴮX*_A I_A ᴬX_B.
TYPED_TEST(InertiaLaws, ChangesCoordinatesByCongruence) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> I = random.inertia();
        const Transform<S> X = random.transform();
        const Matrix6<S> X_BA = motion_matrix(X), X_star = force_matrix(X);
        const Matrix6<S> dense = to_eigen(I);
        EXPECT_TRUE(close(apply_inverse(X, I), (X_BA.transpose() * dense * X_BA).eval()));
        EXPECT_TRUE(close(X * I, (X_star * dense * X_star.transpose()).eval()));
        EXPECT_TRUE(close(apply_inverse(X, X * I), I));
    });
}

// A place further away is no other body: the mass and the inertia about the centre stay.
TYPED_TEST(InertiaLaws, MovingTheFrameMovesTheCentre) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const S mass = random.scalar(1, 2);
        const Vec3<S> c = random.vec3();
        const SymMat3<S> about_center = random.symmetric();
        const Transform<S> X = random.transform();
        const auto I = Inertia<S>::from_center_of_mass(mass, c, about_center);
        const auto seen = Inertia<S>::from_center_of_mass(mass, inverse_transform_point(X, c),
                                                          rotate_back(X.E, about_center));
        EXPECT_TRUE(close(apply_inverse(X, I), seen));
    });
}

TYPED_TEST(InertiaLaws, MomentumAndEnergyBelongToTheBodyNotTheFrame) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> I = random.inertia();
        const Motion<S> v = random.motion();
        const Transform<S> X = random.transform();
        EXPECT_TRUE(close((X * I) * (X * v), X * (I * v)));
        EXPECT_TRUE(close(apply_inverse(X, I) * apply_inverse(X, v), apply_inverse(X, I * v)));
        EXPECT_TRUE(close(energy_of_motion(X * I, X * v), energy_of_motion(I, v)));
        // The force that a motion takes transforms as a force.
        const Motion<S> a = random.motion();
        EXPECT_TRUE(
            close(equation_of_motion(X * I, X * a, X * v), X * equation_of_motion(I, a, v)));
    });
}

// König: ½ m |v_C|² + ½ ω·I_C ω.
TYPED_TEST(InertiaLaws, KineticEnergyIsThatOfTheCentreAndOfTheTurning) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const S mass = random.scalar(1, 2);
        const Vec3<S> c = random.vec3();
        const SymMat3<S> about_center = random.symmetric();
        const Motion<S> v = random.motion();
        const S energy =
            energy_of_motion(Inertia<S>::from_center_of_mass(mass, c, about_center), v);
        EXPECT_TRUE(close(energy, S(0.5) * mass * squared_norm(point_velocity(v, c)) +
                                      S(0.5) * dot(v.angular, about_center * v.angular)));
    });
}

TYPED_TEST(InertiaLaws, EnergyOfARealBodyIsPositive) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>(
        [](auto& random) { EXPECT_GT(energy_of_motion(random.inertia(), random.motion()), S(0)); });
}

// Euler's equation for a body that turns about its centre of mass: n = I ω̇ + ω × I ω; and Newton's.
TYPED_TEST(InertiaLaws, EquationOfMotionIsNewtonsAndEulersAtTheCentreOfMass) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const S mass = random.scalar(1, 2);
        const SymMat3<S> about_center = random.symmetric();
        const Vec3<S> w = random.vec3(), w_dot = random.vec3(), v = random.vec3(),
                      classical = random.vec3();
        const auto I = Inertia<S>::from_center_of_mass(mass, {}, about_center);
        // Spatial from classical: a_O = r̈ - ω × ṙ.
        const Force<S> f =
            equation_of_motion(I, Motion<S>{w_dot, classical - cross(w, v)}, Motion<S>{w, v});
        EXPECT_TRUE(close(f.linear, mass * classical));
        EXPECT_TRUE(close(f.angular, about_center * w_dot + cross(w, about_center * w)));
    });
}

TYPED_TEST(InertiaLaws, RateIsTheCommutatorWithTheVelocity) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> I = random.inertia();
        const Motion<S> v = random.motion();
        const Matrix6<S> dense = to_eigen(I);
        EXPECT_TRUE(close(inertia_rate(I, v),
                          (cross_force_matrix(v) * dense - dense * cross_matrix(v)).eval()));
    });
}

}  // namespace
}  // namespace plucker::test
