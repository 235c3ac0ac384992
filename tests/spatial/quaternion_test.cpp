// Quaternions: rotations, exponential and logarithm.
#include <array>
#include <numbers>
#include <string>

#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
Eigen::Matrix<S, 4, 1> numbers(const Quaternion<S>& q) {
    return {q.x, q.y, q.z, q.w};
}

// Angles across the whole range: zero, tiny, on both sides of where a series gives way to the closed
// form (0.2 in exp, 2e-3 in log), and up to half a turn.
constexpr double kAngles[] = {0,      1e-30, 1e-12, 1e-6, 1e-4, 1.999e-3, 2.001e-3, 0.1999,
                              0.2001, 0.7,   1.5,   2.5,  3.0,  3.1,      3.14159};

template <class S>
class QuaternionLaws : public testing::Test {
protected:
    // Calls law(rotation vector) for each angle about a random axis.
    template <class Law>
    static void for_rotations(Law&& law) {
        for_samples<SpatialSampler<S>>([&](auto& random) {
            for (const double angle : kAngles) {
                SCOPED_TRACE("angle " + std::to_string(angle));
                const Vec3<S> axis = random.vec3() + Vec3<S>{S(1), S(1), S(1)};
                law((S(angle) / norm(axis)) * axis);
            }
        });
    }
    static void expect_rotation(const Mat3<S>& E) {
        EXPECT_TRUE(close(transpose(E) * E, Mat3<S>::identity()));
        EXPECT_TRUE(close(determinant(E), S(1)));
    }
};
TYPED_TEST_SUITE(QuaternionLaws, Scalars, ScalarNames);

TYPED_TEST(QuaternionLaws, ProductIsAGroupOfUnitQuaternions) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const auto a = random.attitude(), b = random.attitude(), c = random.attitude();
        EXPECT_TRUE(close(squared_norm(a), S(1)));
        EXPECT_TRUE(close(squared_norm(a * b), S(1)));
        EXPECT_TRUE(close(numbers((a * b) * c), numbers(a * (b * c))));
        EXPECT_TRUE(close(numbers(a * conjugate(a)), numbers(Quaternion<S>{})));
        EXPECT_TRUE(close(numbers(Quaternion<S>{} * a), numbers(a)));
    });
    const Quaternion<S> i{S(1), S(0), S(0), S(0)}, j{S(0), S(1), S(0), S(0)},
        k{S(0), S(0), S(1), S(0)}, minus_one{S(0), S(0), S(0), S(-1)};
    EXPECT_EQ(i * j, k);
    EXPECT_EQ(j * k, i);
    EXPECT_EQ(k * i, j);
    EXPECT_EQ(i * i, minus_one);
}

TYPED_TEST(QuaternionLaws, ProductIsTheProductOfRotations) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const auto a = random.attitude(), b = random.attitude();
        // E takes the outer coordinates to the inner: the order is reversed.
        EXPECT_TRUE(
            close(coordinate_rotation(a * b), coordinate_rotation(b) * coordinate_rotation(a)));
        EXPECT_TRUE(close(coordinate_rotation(conjugate(a)), transpose(coordinate_rotation(a))));
        TestFixture::expect_rotation(coordinate_rotation(a));
        // R v = q (v, 0) q*.
        const Vec3<S> v = random.vec3();
        const auto turned = a * Quaternion<S>{v.x, v.y, v.z, S(0)} * conjugate(a);
        EXPECT_TRUE(close(transpose_times(coordinate_rotation(a), v),
                          Vec3<S>{turned.x, turned.y, turned.z}));
    });
}

// A quaternion that has drifted from unit length still gives a rotation, and the same one.
TYPED_TEST(QuaternionLaws, LengthDoesNotMatterToTheRotation) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const auto a = random.attitude();
        const S k = random.scalar(0.25, 4);
        const Quaternion<S> longer{k * a.x, k * a.y, k * a.z, k * a.w};
        const Quaternion<S> opposite{-a.x, -a.y, -a.z, -a.w};
        EXPECT_TRUE(close(coordinate_rotation(longer), coordinate_rotation(a)));
        EXPECT_TRUE(close(coordinate_rotation(opposite), coordinate_rotation(a), 0));
        EXPECT_TRUE(close(numbers(normalized(longer)), numbers(a)));
    });
}

// Which of the four numbers is the largest decides the way in which the others are found: each is tried, with both signs
// of each of the others.
TYPED_TEST(QuaternionLaws, AttitudeOfAMatrixIsTheOneItWasMadeOf) {
    using S = TypeParam;
    const double small[] = {0.3, 0.4, 0.5};
    for (std::size_t largest = 0; largest < 4; ++largest) {
        for (unsigned signs = 0; signs < 8; ++signs) {
            SCOPED_TRACE("largest " + std::to_string(largest) + " signs " + std::to_string(signs));
            std::array<double, 4> x{};
            x[largest] = 1;
            for (unsigned k = 0; k < 3; ++k)
                x[(largest + 1 + k) % 4] = (signs >> k & 1U) == 0 ? small[k] : -small[k];
            const auto q = normalized(Quaternion<S>{S(x[0]), S(x[1]), S(x[2]), S(x[3])});
            const auto found = normalized(attitude_of(coordinate_rotation(q)));
            EXPECT_TRUE(close(coordinate_rotation(found), coordinate_rotation(q)));
        }
    }
}

// A quarter turn about z: the frame's x axis lies along y.
TYPED_TEST(QuaternionLaws, QuarterTurnAboutZ) {
    using S = TypeParam;
    const S half = S(std::numbers::sqrt2_v<ValueOf<S>> / 2);
    const auto E = coordinate_rotation(Quaternion<S>{S(0), S(0), half, half});
    EXPECT_TRUE(close(E, rotation_z(SinCos<S>{S(1), S(0)}), 4));
    EXPECT_EQ(coordinate_rotation(Quaternion<S>{}), Mat3<S>::identity());
}

// Rodrigues: R = 1 + sin θ k× + (1 - cos θ) k× k×.
TYPED_TEST(QuaternionLaws, ExponentialIsRodriguesFormula) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        for (const double degrees : {1.0, 10.0, 30.0, 90.0, 150.0, 300.0}) {
            const Vec3<S> raw = random.vec3() + Vec3<S>{S(1), S(1), S(1)};
            const Vec3<S> k = (S(1) / norm(raw)) * raw;
            const S angle = S(degrees / 180) * S(std::numbers::pi_v<ValueOf<S>>);
            const auto [s, c] = sin_cos(angle);
            const Mat3<S> R = Mat3<S>::identity() + s * skew(k) + (S(1) - c) * (skew(k) * skew(k));
            EXPECT_TRUE(close(transpose(coordinate_rotation(exponential(angle * k))), R));
        }
    });
}

TYPED_TEST(QuaternionLaws, ExponentialHasUnitLength) {
    using S = TypeParam;
    TestFixture::for_rotations([](const Vec3<S>& theta) {
        EXPECT_TRUE(close(squared_norm(exponential(theta)), S(1), 16));
        TestFixture::expect_rotation(coordinate_rotation(exponential(theta)));
        // Turning back undoes it, and half twice is all of it.
        EXPECT_TRUE(close(numbers(exponential(-theta)), numbers(conjugate(exponential(theta))), 0));
        const Quaternion<S> half = exponential(S(0.5) * theta);
        EXPECT_TRUE(close(numbers(half * half), numbers(exponential(theta)), 16));
    });
}

TYPED_TEST(QuaternionLaws, LogarithmUndoesTheExponential) {
    using S = TypeParam;
    TestFixture::for_rotations([](const Vec3<S>& theta) {
        const Quaternion<S> q = exponential(theta);
        EXPECT_TRUE(close(logarithm(q), theta, 64));
        // q and -q are one attitude.
        EXPECT_TRUE(close(logarithm(Quaternion<S>{-q.x, -q.y, -q.z, -q.w}), theta, 64));
    });
}

TYPED_TEST(QuaternionLaws, ExponentialUndoesTheLogarithm) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Quaternion<S> q = random.attitude();  // w > 0
        EXPECT_TRUE(close(numbers(exponential(logarithm(q))), numbers(q), 64));
    });
}

// An angle past half a turn is the smaller turn the other way.
TYPED_TEST(QuaternionLaws, LogarithmIsTheShortWay) {
    using S = TypeParam;
    const S turn = S(2 * std::numbers::pi_v<ValueOf<S>>);
    EXPECT_TRUE(close(logarithm(exponential(Vec3<S>{S(0), S(4), S(0)})),
                      Vec3<S>{S(0), S(4) - turn, S(0)}, 64));
    // Exactly half a turn.
    const Vec3<S> half = logarithm(Quaternion<S>{S(0), S(1), S(0), S(0)});
    EXPECT_TRUE(close(half, Vec3<S>{S(0), S(std::numbers::pi_v<ValueOf<S>>), S(0)}, 4));
}

// Of any attitude, half turns about whatever axis among them, the rotation gives the quaternion back, with a length that is
// not near zero.
TYPED_TEST(QuaternionLaws, AttitudesAreKnownFromTheirRotations) {
    using S = TypeParam;
    for (int k = 0; k < 81; ++k) {
        if (k == 40) continue;  // zero
        const auto digit = [&](int place) { return S(k / place % 3 - 1); };
        const Quaternion<S> q = normalized(Quaternion<S>{digit(1), digit(3), digit(9), digit(27)});
        const Quaternion<S> raw = attitude_of(coordinate_rotation(q));
        EXPECT_GE(value_of(squared_norm(raw)), 3)
            << k;  // four times a component of a half at least
        const Quaternion<S> found = normalized(raw);
        const S same = q.x * found.x + q.y * found.y + q.z * found.z + q.w * found.w;
        const S sign = S(value_of(same) < 0 ? -1 : 1);
        EXPECT_TRUE(close(
            numbers(Quaternion<S>{sign * found.x, sign * found.y, sign * found.z, sign * found.w}),
            numbers(q), 16))
            << k;
    }
}

// --- Where a series gives way to the closed form --------------------------------------------------

// Two neighbouring arguments on either side of the threshold must give neighbouring results.
TYPED_TEST(QuaternionLaws, ExponentialIsContinuousAcrossItsThreshold) {
    using S = TypeParam;
    const ValueOf<S> edge = ValueOf<S>(0.2), step = 8 * kEpsilon<S>;
    const auto at = [](ValueOf<S> angle) {
        return numbers(exponential(Vec3<S>{S(0), with_derivative<S>(angle, 1), S(0)}));
    };
    EXPECT_TRUE(close(at(edge - step), at(edge + step), 32));
}

TYPED_TEST(QuaternionLaws, LogarithmIsContinuousAcrossItsThreshold) {
    using S = TypeParam;
    const ValueOf<S> edge = ValueOf<S>(1e-3), step = 8 * kEpsilon<S>;
    const auto at = [](ValueOf<S> s) {
        const S sine = with_derivative<S>(s, 1);
        using std::sqrt;
        return logarithm(Quaternion<S>{S(0), sine, S(0), sqrt(S(1) - sine * sine)});
    };
    EXPECT_TRUE(close(at(edge - step), at(edge + step), 64));
}

}  // namespace
}  // namespace plucker::test
