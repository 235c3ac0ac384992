// Rates of spatial quantities: formulas against derivatives of the motion itself.
#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

// A frame or body at X moves with the velocity v, seen from A; time is the differentiating number.
template <class S>
class SpatialDifferentiation : public testing::Test {};
TYPED_TEST_SUITE(SpatialDifferentiation, DifferentiatingScalars, ScalarNames);

// Slide "Differentiation": a vector fixed in a body that moves with v has the rate v × m or v ×* f.
TYPED_TEST(SpatialDifferentiation, VectorsFixedInABodyTurnWithIt) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto X = random.transform();
        const auto v = random.motion(), m = random.motion();
        const auto f = random.force();
        const Transform<S> X_t = moved(cast<S>(X), cast<S>(v), time<S>());
        // m and f are B's coordinates, constant; these are A's.
        EXPECT_TRUE(close(rate_of(apply_inverse(X_t, cast<S>(m))), cross(v, apply_inverse(X, m))));
        EXPECT_TRUE(
            close(rate_of(apply_inverse(X_t, cast<S>(f))), cross_force(v, apply_inverse(X, f))));
    });
}

// Slide "Differentiation in Moving Coordinates": [ds/dt]_B = d(s_B)/dt + v × s_B.
TYPED_TEST(SpatialDifferentiation, MovingCoordinatesAddTheirOwnMotion) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto X = random.transform();
        const auto v = random.motion(), m = random.motion(), m_dot = random.motion();
        const auto f = random.force(), f_dot = random.force();
        const S t = time<S>();
        const Transform<S> X_t = moved(cast<S>(X), cast<S>(v), t);
        const auto m_rate = rate_of(X_t * (cast<S>(m) + t * cast<S>(m_dot)));
        const auto f_rate = rate_of(X_t * (cast<S>(f) + t * cast<S>(f_dot)));
        EXPECT_TRUE(close(derivative_in_moving_frame(m_rate, X * v, X * m), X * m_dot));
        EXPECT_TRUE(close(derivative_in_moving_frame(f_rate, X * v, X * f), X * f_dot));
    });
}

// Slide "Equation of Motion": f = d(I v)/dt, in fixed coordinates, where I moves with the body.
TYPED_TEST(SpatialDifferentiation, ForceIsTheRateOfMomentum) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto X = random.transform();
        const auto I = random.inertia();
        const auto v = random.motion(), a = random.motion();
        const S t = time<S>();
        const Transform<S> X_t = moved(cast<S>(X), cast<S>(v), t);
        const Force<S> momentum = apply_inverse(X_t, cast<S>(I)) * (cast<S>(v) + t * cast<S>(a));
        EXPECT_TRUE(close(rate_of(momentum), equation_of_motion(apply_inverse(X, I), a, v)));
    });
}

// Power is the rate of kinetic energy.
TYPED_TEST(SpatialDifferentiation, PowerIsTheRateOfEnergy) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto I = random.inertia();
        const auto v = random.motion(), a = random.motion();
        const S t = time<S>();
        const Transform<S> X_t = moved(Transform<S>{}, cast<S>(v), t);
        const S energy =
            energy_of_motion(apply_inverse(X_t, cast<S>(I)), cast<S>(v) + t * cast<S>(a));
        EXPECT_TRUE(close(derivative_of(energy), dot(v, equation_of_motion(I, a, v))));
    });
}

TYPED_TEST(SpatialDifferentiation, InertiaRateIsTheRateOfTheMovingBodysInertia) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto X = random.transform();
        const auto I = random.inertia();
        const auto v = random.motion();
        const Transform<S> X_t = moved(cast<S>(X), cast<S>(v), time<S>());
        EXPECT_TRUE(close(derivatives_of(to_eigen(apply_inverse(X_t, cast<S>(I)))),
                          inertia_rate(apply_inverse(X, I), v)));
    });
}

// The body-fixed point at p moves with ṗ = v_O + ω × p; its classical acceleration is the rate of that.
TYPED_TEST(SpatialDifferentiation, ClassicalAccelerationIsTheRateOfAPointsVelocity) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto v = random.motion(), a = random.motion();
        const auto p = random.vec3();
        const S t = time<S>();
        const Vec3<S> p_t = cast<S>(p) + t * cast<S>(point_velocity(v, p));
        const Vec3<S> velocity = point_velocity(cast<S>(v) + t * cast<S>(a), p_t);
        EXPECT_TRUE(close(rate_of(velocity), classical_point_acceleration(a, v, p)));
    });
}

// --- Without differentiating numbers --------------------------------------------------------------

// The same rate of momentum by central differences of a body that moves along its exponential.
TEST(EquationOfMotion, AgreesWithCentralDifferencesOfMomentum) {
    // h = ε^⅓ balances truncation and rounding; third derivatives of the momentum are below a hundred.
    const double h = std::cbrt(kEpsilon<double>);
    for_samples<SpatialSampler<double>>([&](auto& random) {
        const auto attitude = random.attitude();
        const auto r = random.vec3();
        const auto I = random.inertia();
        const auto v = random.motion(), a = random.motion();
        const auto momentum = [&](double t) {
            // Constant v turns the attitude by exp(t ω) and carries r along; a adds t²/2 of itself,
            // which a central difference does not see, and changes the velocity.
            const Quaternion<double> turn = exponential(t * v.angular);
            const Vec3<double> carried = transpose_times(coordinate_rotation(turn), r) +
                                         integrate_turning(t * v.angular, t * v.linear);
            const Transform<double> X{coordinate_rotation(turn * attitude), carried};
            return apply_inverse(X, I) * (v + t * a);
        };
        const Force<double> rate = (0.5 / h) * (momentum(h) - momentum(-h));
        const Transform<double> X{coordinate_rotation(attitude), r};
        const Force<double> f = equation_of_motion(apply_inverse(X, I), a, v);
        EXPECT_TRUE(close(rate, f, 100 * h * h / kEpsilon<double>));
    });
}

// Slide "Acceleration Example": a body that turns steadily about a fixed axis has no spatial
// acceleration, and yet each of its points accelerates towards the axis.
TEST(Acceleration, OfABodyTurningSteadilyIsZeroThoughItsPointsAccelerate) {
    // Three radians a second about a vertical axis through (2, 0, 0).
    const Motion<double> v = {{0, 0, 3}, cross(Vec3<double>{2, 0, 0}, Vec3<double>{0, 0, 3})};
    const Motion<double> a{};
    EXPECT_EQ(point_velocity(v, {2, 0, 5}), (Vec3<double>{0, 0, 0}));
    EXPECT_EQ(classical_point_acceleration(a, v, {2, 0, 5}), (Vec3<double>{0, 0, 0}));
    // One metre out: ω² r = 9, inwards.
    EXPECT_EQ(point_velocity(v, {3, 0, 0}), (Vec3<double>{0, 3, 0}));
    EXPECT_EQ(classical_point_acceleration(a, v, {3, 0, 0}), (Vec3<double>{-9, 0, 0}));
    EXPECT_EQ(classical_point_acceleration(a, v, {2, 2, 0}), (Vec3<double>{0, -18, 0}));
}

// Slide "Acceleration Formula": â = (ω̇; r̈ - ω × ṙ), for the point that is passing the origin.
TEST(Acceleration, OfTheStreamLacksTheTurningOfTheVelocity) {
    for_samples<SpatialSampler<double>>([](auto& random) {
        const auto v = random.motion(), a = random.motion();
        const Vec3<double> r_dot = v.linear;
        const Vec3<double> r_ddot = classical_point_acceleration(a, v, {});
        EXPECT_TRUE(close(a.linear, r_ddot - cross(v.angular, r_dot)));
    });
}

// Slide "Basic Properties of Acceleration": accelerations add, "look, no Coriolis term": the relative
// velocity, fixed in a moving body, has a rate of its own, and that is all.
TYPED_TEST(SpatialDifferentiation, AccelerationsAddAsVelocitiesDo) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto v1 = random.motion(), a1 = random.motion(), axis = random.motion();
        const auto rate = random.number(), acceleration = random.number();
        const S t = time<S>();
        // Body 2 moves on body 1 about an axis that body 1 carries.
        const Transform<S> X_t = moved(Transform<S>{}, cast<S>(v1), t);
        const Motion<S> relative =
            (S(rate) + t * S(acceleration)) * apply_inverse(X_t, cast<S>(axis));
        const Motion<S> v2 = cast<S>(v1) + t * cast<S>(a1) + relative;
        EXPECT_TRUE(close(rate_of(v2), a1 + rate * cross(v1, axis) + acceleration * axis));
    });
}

}  // namespace
}  // namespace plucker::test
