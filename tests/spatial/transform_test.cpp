// Coordinate transforms, and poses, which are the same thing as people state it.
#include <Eigen/LU>

#include "plucker/spatial/pose.hpp"
#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
class TransformLaws : public testing::Test {
protected:
    static void expect_equal(const Transform<S>& X, const Transform<S>& Y) {
        EXPECT_TRUE(close(X.E, Y.E));
        EXPECT_TRUE(close(X.r, Y.r));
    }
    static void expect_equal(const Pose<S>& a, const Pose<S>& b) {
        EXPECT_TRUE(close(a.rotation, b.rotation));
        EXPECT_TRUE(close(a.position, b.position));
    }
};
TYPED_TEST_SUITE(TransformLaws, Scalars, ScalarNames);

// Slide "Coordinate Transforms": [E 0; 0 E] [1 0; r̃ᵀ 1].
TYPED_TEST(TransformLaws, MotionMatrixIsThatOfTheSlides) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform();
        Matrix6<S> rotation = Matrix6<S>::Zero(), translation = Matrix6<S>::Identity();
        rotation.template topLeftCorner<3, 3>() = to_eigen(X.E);
        rotation.template bottomRightCorner<3, 3>() = to_eigen(X.E);
        translation.template bottomLeftCorner<3, 3>() = to_eigen(skew(X.r)).transpose();
        EXPECT_TRUE(close(motion_matrix(X), rotation * translation));
    });
}

TYPED_TEST(TransformLaws, ForcesTransformByTheInverseTranspose) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform();
        EXPECT_TRUE(close(force_matrix(X).transpose() * motion_matrix(X), Matrix6<S>::Identity()));
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(X * m, motion_matrix(X) * to_eigen(m)));
        EXPECT_TRUE(close(X * f, force_matrix(X) * to_eigen(f)));
    });
}

TYPED_TEST(TransformLaws, PowerIsInvariant) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform();
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(dot(X * m, X * f), dot(m, f)));
        EXPECT_TRUE(close(dot(apply_inverse(X, m), apply_inverse(X, f)), dot(m, f)));
    });
}

TYPED_TEST(TransformLaws, CommutesWithBothCrossProducts) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform();
        const Motion<S> v = random.motion(), m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(X * cross(v, m), cross(X * v, X * m)));
        EXPECT_TRUE(close(X * cross_force(v, f), cross_force(X * v, X * f)));
    });
}

TYPED_TEST(TransformLaws, FormAGroup) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform(), Y = random.transform(), Z = random.transform();
        TestFixture::expect_equal(X * inverse(X), Transform<S>::identity());
        TestFixture::expect_equal(inverse(X) * X, Transform<S>::identity());
        TestFixture::expect_equal((X * Y) * Z, X * (Y * Z));
        TestFixture::expect_equal(inverse(X * Y), inverse(Y) * inverse(X));
        TestFixture::expect_equal(Transform<S>::identity() * X, X);
        EXPECT_TRUE(close(motion_matrix(X * Y), motion_matrix(X) * motion_matrix(Y)));
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close((X * Y) * m, X * (Y * m)));
        EXPECT_TRUE(close((X * Y) * f, X * (Y * f)));
    });
}

TYPED_TEST(TransformLaws, ApplyingTheInverseIsUsingTheInverse) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform();
        const Motion<S> m = random.motion();
        const Force<S> f = random.force();
        EXPECT_TRUE(close(apply_inverse(X, m), inverse(X) * m));
        EXPECT_TRUE(close(apply_inverse(X, f), inverse(X) * f));
        EXPECT_TRUE(close(apply_inverse(X, X * m), m));
        EXPECT_TRUE(close(apply_inverse(X, X * f), f));
    });
}

TYPED_TEST(TransformLaws, PointsGoWithTheirVelocitiesAndForces) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X = random.transform();
        const Vec3<S> p = random.vec3(), linear = random.vec3();
        const Motion<S> v = random.motion();
        const Vec3<S> p_B = transform_point(X, p);
        EXPECT_TRUE(close(inverse_transform_point(X, p_B), p));
        EXPECT_TRUE(close(transform_point(X, X.r), Vec3<S>{}));
        EXPECT_TRUE(close(point_velocity(X * v, p_B), X.E * point_velocity(v, p)));
        EXPECT_TRUE(close(X * force_at_point(linear, p), force_at_point(X.E * linear, p_B)));
    });
}

// A frame turned by +90° about z has its x axis along the old y, and so on.
TYPED_TEST(TransformLaws, QuarterTurnsTakeOneAxisToTheNext) {
    using S = TypeParam;
    const SinCos<S> quarter{S(1), S(0)};
    const Vec3<S> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    EXPECT_EQ(rotation_x(quarter) * z, y);
    EXPECT_EQ(rotation_x(quarter) * x, x);
    EXPECT_EQ(rotation_y(quarter) * x, z);
    EXPECT_EQ(rotation_y(quarter) * y, y);
    EXPECT_EQ(rotation_z(quarter) * y, x);
    EXPECT_EQ(rotation_z(quarter) * z, z);
    for_samples<SpatialSampler<S>>([](auto& random) {
        const SinCos<S> q = sin_cos(random.scalar(-3, 3));
        for (const Mat3<S>& E : {rotation_x(q), rotation_y(q), rotation_z(q)}) {
            EXPECT_TRUE(close(transpose(E) * E, Mat3<S>::identity()));
            EXPECT_TRUE(close(determinant(E), S(1)));
        }
    });
}

TYPED_TEST(TransformLaws, NamedConstructorsTurnOnlyOrMoveOnly) {
    using S = TypeParam;
    SpatialSampler<S> random(1);
    const Mat3<S> E = random.rotation();
    const Vec3<S> r = random.vec3();
    TestFixture::expect_equal(Transform<S>::rotation(E) * Transform<S>::translation(r),
                              Transform<S>{E, r});
    TestFixture::expect_equal(Transform<S>{}, Transform<S>::identity());
}

// --- Poses ----------------------------------------------------------------------------------------

TYPED_TEST(TransformLaws, PoseIsTheInverseOfItsCoordinateTransform) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Transform<S> X_BA = random.transform(), X_CB = random.transform();
        const Pose<S> B_in_A = to_pose(X_BA), C_in_B = to_pose(X_CB);
        TestFixture::expect_equal(to_transform(B_in_A), X_BA);
        TestFixture::expect_equal(B_in_A * C_in_B, to_pose(X_CB * X_BA));
        TestFixture::expect_equal(inverse(B_in_A), to_pose(inverse(X_BA)));
        TestFixture::expect_equal(B_in_A * inverse(B_in_A), Pose<S>{});
        const Vec3<S> p = random.vec3();
        EXPECT_TRUE(close(B_in_A * p, inverse_transform_point(X_BA, p)));
        EXPECT_TRUE(close((B_in_A * C_in_B) * p, B_in_A * (C_in_B * p)));
    });
}

TYPED_TEST(TransformLaws, RollPitchYawTurnsAboutFixedAxesInThatOrder) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Vec3<S> position = random.vec3(), rpy = random.vec3();
        const Pose<S> pose = Pose<S>::roll_pitch_yaw(position, rpy);
        EXPECT_TRUE(close(pose.position, position, 0));
        // Rotations (not coordinate rotations) about fixed axes multiply from the left.
        const Quaternion<S> roll = exponential(Vec3<S>{rpy.x, S(0), S(0)});
        const Quaternion<S> pitch = exponential(Vec3<S>{S(0), rpy.y, S(0)});
        const Quaternion<S> yaw = exponential(Vec3<S>{S(0), S(0), rpy.z});
        EXPECT_TRUE(close(pose.rotation, transpose(coordinate_rotation(yaw * pitch * roll))));
    });
    // Nose down by a quarter turn, then to the left: forward has become down, and stays it.
    const S quarter = S(std::acos(-1.0L) / 2);
    const Pose<S> pose = Pose<S>::roll_pitch_yaw({}, {S(0), quarter, quarter});
    EXPECT_TRUE(close(pose * Vec3<S>{1, 0, 0}, Vec3<S>{0, 0, -1}));
    EXPECT_TRUE(close(pose * Vec3<S>{0, 1, 0}, Vec3<S>{-1, 0, 0}));
    TestFixture::expect_equal(Pose<S>::translation(S(1), S(2), S(3)),
                              Pose<S>{Mat3<S>::identity(), {S(1), S(2), S(3)}});
}

}  // namespace
}  // namespace plucker::test
