// M⁶ and F⁶: two vector spaces, the scalar product between them, and their two cross products.
#include <Eigen/LU>

#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
class MotionAndForce : public testing::Test {};
TYPED_TEST_SUITE(MotionAndForce, Scalars, ScalarNames);

template <template <class> class SpatialVector, class S>
void expect_vector_space(const SpatialVector<S>& a, const SpatialVector<S>& b, const S& s) {
    EXPECT_TRUE(close(a + b, to_eigen(a) + to_eigen(b), 0));
    EXPECT_TRUE(close(a - b, to_eigen(a) - to_eigen(b), 0));
    EXPECT_TRUE(close(-a, -to_eigen(a), 0));
    EXPECT_TRUE(close(s * a, s * to_eigen(a), 0));
    EXPECT_TRUE(close(a * s, s * a, 0));
    SpatialVector<S> c = a;
    c += b;
    EXPECT_TRUE(close(c, a + b, 0));
    c -= a;
    EXPECT_TRUE(close(c, (a + b) - a, 0));
    EXPECT_EQ(a, a);
    EXPECT_NE(a, b);
}

TYPED_TEST(MotionAndForce, AreVectorSpaces) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        expect_vector_space(random.motion(), random.motion(), random.scalar());
        expect_vector_space(random.force(), random.force(), random.scalar());
    });
}

TYPED_TEST(MotionAndForce, PowerIsTheScalarProduct) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(dot(m, f), (to_eigen(m).transpose() * to_eigen(f)).value()));
        EXPECT_TRUE(close(dot(f, m), dot(m, f), 0));
    });
}

// The force of a motor: a couple delivers power to a rotation, a linear force to the velocity of the
// point where it acts.
TYPED_TEST(MotionAndForce, PowerOfAForceIsItsPowerAtThePointWhereItActs) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> v = random.motion();
        const Vec3<S> linear = random.vec3(), point = random.vec3();
        EXPECT_TRUE(
            close(dot(v, force_at_point(linear, point)), dot(linear, point_velocity(v, point))));
    });
}

// Slide "Velocity": v_O = v_P + OP × ω.
TYPED_TEST(MotionAndForce, VelocityAtAnotherOriginIsShiftedByTheRotation) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> w = random.vec3(), v_P = random.vec3(), OP = random.vec3();
        // O is at -OP, seen from P.
        const Motion<S> at_O = Transform<S>::translation(-OP) * Motion<S>{w, v_P};
        EXPECT_TRUE(close(at_O, Motion<S>{w, v_P + cross(OP, w)}));
        EXPECT_TRUE(close(point_velocity(at_O, OP), v_P));
    });
}

// Slide "Force": n_O = n_P + OP × f.
TYPED_TEST(MotionAndForce, MomentAboutAnotherOriginIsShiftedByTheForce) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> n_P = random.vec3(), f = random.vec3(), OP = random.vec3();
        const Force<S> at_O = Transform<S>::translation(-OP) * Force<S>{n_P, f};
        EXPECT_TRUE(close(at_O, Force<S>{n_P + cross(OP, f), f}));
        EXPECT_TRUE(close(at_O - force_at_point(f, OP), Force<S>{n_P, {}}));
    });
}

TYPED_TEST(MotionAndForce, PluckerBasesAreReciprocal) {
    using S = TypeParam;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            const Motion<S> d = to_motion(Vector6<S>::Unit(i));
            const Force<S> e = to_force(Vector6<S>::Unit(j));
            EXPECT_TRUE(close(dot(d, e), S(i == j ? 1 : 0), 0)) << i << ", " << j;
        }
    }
}

TYPED_TEST(MotionAndForce, CrossProductsAreTheirMatrices) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> v = random.motion(), m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(cross(v, m), cross_matrix(v) * to_eigen(m)));
        EXPECT_TRUE(close(cross_force(v, f), cross_force_matrix(v) * to_eigen(f)));
        // v×* = -(v×)ᵀ
        EXPECT_TRUE(close(cross_force_matrix(v), -cross_matrix(v).transpose(), 0));
    });
}

// The slide's formulas, written out.
TYPED_TEST(MotionAndForce, CrossProductsAreThoseOfTheSlides) {
    using S = TypeParam;
    const Motion<S> v{{1, 0, 0}, {0, 2, 0}}, m{{0, 1, 0}, {0, 0, 3}};
    const Force<S> f{{0, 1, 0}, {0, 0, 3}};
    // (ω×m; ω×m_O + v_O×m) and (ω×n + v_O×f; ω×f)
    EXPECT_EQ(cross(v, m), (Motion<S>{{0, 0, 1}, {0, -3, 0}}));
    EXPECT_EQ(cross_force(v, f), (Force<S>{{6, 0, 1}, {0, -3, 0}}));
}

TYPED_TEST(MotionAndForce, CrossProductIsALieBracket) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> u = random.motion(), v = random.motion(), m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(cross(v, m), -cross(m, v)));
        // Jacobi's identity, and the same on forces: (u × v) ×* f = u ×* v ×* f - v ×* u ×* f.
        EXPECT_TRUE(close(cross(u, cross(v, m)) + cross(v, cross(m, u)) + cross(m, cross(u, v)),
                          Motion<S>{}));
        EXPECT_TRUE(close(cross_force(cross(u, v), f),
                          cross_force(u, cross_force(v, f)) - cross_force(v, cross_force(u, f))));
    });
}

// A scalar is the same in every frame: d(m·f)/dt = 0 for m and f fixed in one body.
TYPED_TEST(MotionAndForce, MovingTogetherLeavesThePowerAlone) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> v = random.motion(), m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(dot(cross(v, m), f) + dot(m, cross_force(v, f)), S(0)));
        EXPECT_TRUE(close(dot(v, cross_force(v, f)), S(0)));
    });
}

// Slide "Bases": any basis on M⁶ has one reciprocal basis on F⁶, and in the two the scalar product is
// the product of coordinates.
TEST(Bases, AnyBasisHasAReciprocal) {
    for_samples<SpatialSampler<double>>([](auto& random) {
        Matrix6<double> D;  // columns d_i
        for (int i = 0; i < 6; ++i) {
            D.col(i) = to_eigen(random.motion()) + 2 * Vector6<double>::Unit(i);
        }
        const Matrix6<double> E = D.inverse().transpose();
        const Vector6<double> m = to_eigen(random.motion()), f = to_eigen(random.force());
        const Motion<double> motion = to_motion(D * m);
        const Force<double> force = to_force(E * f);
        // D has a condition number of about ten.
        EXPECT_TRUE(close(dot(motion, force), m.dot(f), 10 * kRoundings));
        for (int i = 0; i < 6; ++i) {
            EXPECT_TRUE(close(dot(motion, to_force(E.col(i))), m(i), 10 * kRoundings));
        }
    });
}

}  // namespace
}  // namespace plucker::test
