// Screw motions: the translation that goes with a rotation, its inverse, and both at zero rotation.
#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

constexpr double kTurns[] = {0,      1e-30, 1e-12, 1e-6, 1e-3, 0.05, 0.0999,
                             0.1001, 0.3,   1.0,   2.0,  3.0,  3.14, 4.5};

template <class S>
Vec3<S> turn_by(SpatialSampler<S>& random, double angle) {
    const Vec3<S> axis = random.vec3() + Vec3<S>{S(1), S(1), S(1)};
    return (S(angle) / norm(axis)) * axis;
}

template <class S>
class Turning : public testing::Test {};
TYPED_TEST_SUITE(Turning, Scalars, ScalarNames);

// Simpson's rule on ∫₀¹ exp(s θ) u ds. 64 panels: the error is θ⁴/(180·64⁴) = 1.5e-10 at the largest
// angle, where the coarser scalars round more than that.
TYPED_TEST(Turning, IsTheIntegralOfTheTurningVelocity) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        for (const double angle : kTurns) {
            const Vec3<S> theta = turn_by(random, angle), u = random.vec3();
            Vec3<S> sum{};
            constexpr int kPanels = 64;
            for (int k = 0; k <= 2 * kPanels; ++k) {
                const double weight = k == 0 || k == 2 * kPanels ? 1 : (k % 2 == 1 ? 4 : 2);
                const auto turned =
                    coordinate_rotation(exponential(S(k / (2.0 * kPanels)) * theta));
                sum += S(weight / (6.0 * kPanels)) * transpose_times(turned, u);
            }
            const double simpson = 1e-9 * (1 + angle * angle) / static_cast<double>(kEpsilon<S>);
            EXPECT_TRUE(close(integrate_turning(theta, u), sum, std::max(simpson, kRoundings)))
                << angle;
        }
    });
}

// Roundings to allow at an angle. The series below 0.1 are as good as their last sum. The closed form just
// above divides by θ² = 0.01 what is nearly zero, and its derivative does so once more.
double inverse_roundings(double angle) { return angle < 0.1 ? 16 : 256; }

TYPED_TEST(Turning, AndItsInverseUndoEachOther) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        for (const double angle : kTurns) {
            const Vec3<S> theta = turn_by(random, angle), u = random.vec3();
            const double bound = inverse_roundings(angle);
            EXPECT_TRUE(close(differentiate_turning(theta, integrate_turning(theta, u)), u, bound))
                << angle;
            EXPECT_TRUE(close(integrate_turning(theta, differentiate_turning(theta, u)), u, bound))
                << angle;
        }
    });
}

// Half a circle of radius one: the velocity starts along x, the body ends two metres to its left.
TYPED_TEST(Turning, HalfATurnEndsADiameterAway) {
    using S = TypeParam;
    const S pi = S(std::acos(ValueOf<S>(-1)));
    const Vec3<S> half_turn{S(0), S(0), pi}, speed{pi, S(0), S(0)};
    EXPECT_TRUE(close(integrate_turning(half_turn, speed), Vec3<S>{S(0), S(2), S(0)}, 8));
    EXPECT_TRUE(close(differentiate_turning(half_turn, Vec3<S>{S(0), S(2), S(0)}), speed, 8));
    // Along the axis nothing turns.
    EXPECT_TRUE(close(integrate_turning(half_turn, half_turn), half_turn, 8));
}

TYPED_TEST(Turning, IsContinuousAcrossItsThreshold) {
    using S = TypeParam;
    const ValueOf<S> edge = ValueOf<S>(0.1), step = 8 * kEpsilon<S>;
    const auto theta = [](ValueOf<S> angle) {
        return Vec3<S>{S(0), S(0), with_derivative<S>(angle, 1)};
    };
    const Vec3<S> u{S(1), S(2), S(3)};
    EXPECT_TRUE(close(integrate_turning(theta(edge - step), u),
                      integrate_turning(theta(edge + step), u), 64));
    EXPECT_TRUE(close(differentiate_turning(theta(edge - step), u),
                      differentiate_turning(theta(edge + step), u), inverse_roundings(0.1)));
}

// --- At zero rotation, where a careless formula divides by zero -----------------------------------

template <class S>
class AtZeroRotation : public testing::Test {};
TYPED_TEST_SUITE(AtZeroRotation, DifferentiatingScalars, ScalarNames);

TYPED_TEST(AtZeroRotation, DerivativesAreFiniteAndRight) {
    using S = TypeParam;
    for_samples<StillSampler<S>>([](auto& random) {
        const auto w = random.vec3(), u = random.vec3();
        const Vec3<S> theta = time<S>() * cast<S>(w);
        // exp(t ω) = (½ t ω, 1) + O(t²)
        const Quaternion<S> q = exponential(theta);
        const Vec3<ValueOf<S>> vector_rate = rate_of(Vec3<S>{q.x, q.y, q.z});
        EXPECT_TRUE(close(vector_rate, 0.5 * w, 4));
        EXPECT_TRUE(close(q.w, S(1), 0));
        EXPECT_TRUE(close(rate_of(logarithm(q)), w, 4));
        // ∫ = u + ½ t ω × u + O(t²), and the inverse
        EXPECT_TRUE(close(rate_of(integrate_turning(theta, cast<S>(u))), 0.5 * cross(w, u), 4));
        EXPECT_TRUE(
            close(rate_of(differentiate_turning(theta, cast<S>(u))), -0.5 * cross(w, u), 4));
    });
}

TEST(AtZeroRotation, SecondDerivativesAreFiniteAndRight) {
    using D = Dual<Dual<double>>;
    const D t(Dual<double>(0, 1), Dual<double>(1, 0));
    const auto second = [](const D& x) { return x.derivative.derivative; };
    for_samples<SpatialSampler<double>>([&](auto& random) {
        const auto w = random.vec3(), u = random.vec3();
        const Vec3<D> theta = t * cast<D>(w);
        // cos(t |ω|/2)'' = -|ω|²/4 and (t ω/2)'' = 0
        const Quaternion<D> q = exponential(theta);
        EXPECT_NEAR(second(q.w), -0.25 * squared_norm(w), 8 * kEpsilon<double>);
        EXPECT_NEAR(second(q.x), 0, 8 * kEpsilon<double>);
        EXPECT_NEAR(second(logarithm(q).y), 0, 8 * kEpsilon<double>);
        // (t²/6 ω × (ω × u))'' and (t²/12 ω × (ω × u))''
        const Vec3<double> twice = cross(w, cross(w, u));
        EXPECT_NEAR(second(integrate_turning(theta, cast<D>(u)).z), twice.z / 3,
                    16 * kEpsilon<double>);
        EXPECT_NEAR(second(differentiate_turning(theta, cast<D>(u)).z), twice.z / 6,
                    16 * kEpsilon<double>);
    });
}

}  // namespace
}  // namespace plucker::test
