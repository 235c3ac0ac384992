// Each joint by hand: where the link is, and which way it moves.
#include <Eigen/Geometry>
#include <numbers>

#include "joints/joint_cases.hpp"

namespace plucker::test {
namespace {

constexpr double kPi = std::numbers::pi;
using Vec = Vec3<double>;

// One joint between the ground and a link.
class JointExample : public testing::Test {
protected:
    static Model model_of(const JointDescription& joint) {
        return Builder("example").link("ground").body("ground", joint, "link").build();
    }
    static Pose<double> pose(const JointDescription& joint, const std::vector<double>& q) {
        return frame_pose(model_of(joint), as_vector(q), "link");
    }
    static Motion<double> velocity(const JointDescription& joint, const std::vector<double>& q,
                                   const std::vector<double>& v,
                                   ReferenceFrame reference = ReferenceFrame::kBody) {
        return frame_velocity(model_of(joint), as_vector(q), as_vector(v), "link", reference);
    }
    static VectorX<double> as_vector(const std::vector<double>& x) {
        return Eigen::Map<const VectorX<double>>(x.data(), static_cast<Eigen::Index>(x.size()));
    }
    // The rotation by an angle about an axis, from Eigen.
    static Matrix3<double> turn(const Vec& axis, double angle) {
        return Eigen::AngleAxisd(angle, to_eigen(axis).normalized()).toRotationMatrix();
    }
    static void expect_pose(const Pose<double>& ours, const Matrix3<double>& rotation,
                            const Vec& position) {
        EXPECT_TRUE(close(ours.rotation, rotation, 16));
        EXPECT_TRUE(close(ours.position, position, 16));
    }
    const std::vector<Vec> axes_ = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {-1, 0, 0},    {0, -1, 0},
                                    {0, 0, -1}, {1, -2, 3}, {1, 2, -3}, {1, 1, -1e-9}, {3, 0, 4}};
};

// The user's frame, not the canonical one about z, is what comes out, for any axis.
TEST_F(JointExample, RevoluteTurnsAboutItsAxis) {
    for (const Vec& axis : axes_) {
        for (const double q : {0.0, 0.4, -2.0, kPi, 9.0}) {
            const auto joint = revolute("joint", axis).at(kPlacement);
            expect_pose(pose(joint, {q}), to_eigen(kPlacement.rotation) * turn(axis, q),
                        kPlacement.position);
            const Vec w = (3.0 / norm(axis)) * axis;
            EXPECT_TRUE(close(velocity(joint, {q}, {3}), Motion<double>{w, {}}, 16));
        }
    }
}

TEST_F(JointExample, PrismaticSlidesAlongItsAxisByMetres) {
    for (const Vec& axis : axes_) {
        const auto joint = prismatic("joint", axis).at(kPlacement);
        const Vec direction = (1.0 / norm(axis)) * axis;  // the axis's length does not count
        expect_pose(pose(joint, {0.8}), to_eigen(kPlacement.rotation),
                    kPlacement * (0.8 * direction));
        EXPECT_TRUE(close(velocity(joint, {0.8}, {3}), Motion<double>{{}, 3.0 * direction}, 16));
    }
}

// A pitch of 2 mm a radian: one turn advances 4π mm.
TEST_F(JointExample, HelicalAdvancesByItsPitchPerRadian) {
    expect_pose(pose(helical("joint", {0, 0, 1}, 0.002), {2 * kPi}), Matrix3<double>::Identity(),
                {0, 0, 0.004 * kPi});
    for (const Vec& axis : axes_) {
        const auto joint = helical("joint", axis, -0.25).at(kPlacement);
        const Vec direction = (1.0 / norm(axis)) * axis;
        expect_pose(pose(joint, {1.2}), to_eigen(kPlacement.rotation) * turn(axis, 1.2),
                    kPlacement * (-0.25 * 1.2 * direction));
        EXPECT_TRUE(close(velocity(joint, {1.2}, {2}),
                          Motion<double>{2.0 * direction, -0.5 * direction}, 16));
    }
}

TEST_F(JointExample, CylindricalTurnsAndSlidesIndependently) {
    for (const Vec& axis : axes_) {
        const auto joint = cylindrical("joint", axis).at(kPlacement);
        const Vec direction = (1.0 / norm(axis)) * axis;
        expect_pose(pose(joint, {1.2, 0.3}), to_eigen(kPlacement.rotation) * turn(axis, 1.2),
                    kPlacement * (0.3 * direction));
        EXPECT_TRUE(close(velocity(joint, {1.2, 0.3}, {2, 5}),
                          Motion<double>{2.0 * direction, 5.0 * direction}, 16));
    }
}

// First about the first axis, which stays; then about the second, which has turned with the first.
TEST_F(JointExample, UniversalTurnsAboutTheFirstAxisThenTheTurnedSecond) {
    const Vec first{1, -2, 3}, second{2, 1, 0};
    const auto joint = universal("joint", first, second).at(kPlacement);
    expect_pose(pose(joint, {0.7, -1.3}),
                to_eigen(kPlacement.rotation) * turn(first, 0.7) * turn(second, -1.3),
                kPlacement.position);
    // Quarter turns: about x, then about the new y, which points along the old z.
    const auto cross_shaft = universal("joint", {1, 0, 0}, {0, 1, 0});
    const Pose<double> turned = pose(cross_shaft, {kPi / 2, kPi / 2});
    EXPECT_TRUE(close(turned * Vec{0, 1, 0}, Vec{0, 0, 1}, 4));
    EXPECT_TRUE(close(turned * Vec{1, 0, 0}, Vec{0, 1, 0}, 4));
    // The first axis is fixed in the ground, whatever the angles; the second turns with the first.
    const auto world = ReferenceFrame::kWorld;
    EXPECT_TRUE(close(velocity(cross_shaft, {0.7, -1.3}, {2, 0}, world).angular, Vec{2, 0, 0}, 4));
    EXPECT_TRUE(
        close(velocity(cross_shaft, {kPi / 2, -1.3}, {0, 2}, world).angular, Vec{0, 0, 2}, 4));
}

// q is x y z w.
TEST_F(JointExample, SphericalTurnsByItsQuaternion) {
    const double s = std::sin(0.35), c = std::cos(0.35);
    expect_pose(pose(spherical("joint").at(kPlacement), {0, s, 0, c}),
                to_eigen(kPlacement.rotation) * turn({0, 1, 0}, 0.7), kPlacement.position);
    // The angular velocity is in the link's own axes: turned a quarter about z, its x is our y.
    const double h = std::numbers::sqrt2 / 2;
    const auto w = velocity(spherical("joint"), {0, 0, h, h}, {1, 2, 3}, ReferenceFrame::kWorld);
    EXPECT_TRUE(close(w.angular, Vec{-2, 1, 3}, 8));
}

// q is (x, y, heading); v is (ω, forward, left) in the link.
TEST_F(JointExample, PlanarMovesInItsPlane) {
    const auto vehicle = planar("joint", {0, 0, 1}).at(kPlacement);
    expect_pose(pose(vehicle, {0.5, -0.25, 0.9}),
                to_eigen(kPlacement.rotation) * turn({0, 0, 1}, 0.9),
                kPlacement * Vec{0.5, -0.25, 0});
    // Heading along y, forward is y.
    const auto v = velocity(planar("joint", {0, 0, 1}), {4, 5, kPi / 2}, {0, 2, 0},
                            ReferenceFrame::kWorldAligned);
    EXPECT_TRUE(close(v, Motion<double>{{}, {0, 2, 0}}, 8));
    for (const Vec& normal : axes_) {
        const Pose<double> there = pose(planar("joint", normal), {0.5, -0.25, 0.9});
        EXPECT_TRUE(close(there.rotation, turn(normal, 0.9), 16));
        EXPECT_NEAR(dot(there.position, (1.0 / norm(normal)) * normal), 0, 16 * kEpsilon<double>);
        EXPECT_NEAR(norm(there.position), std::hypot(0.5, 0.25), 16 * kEpsilon<double>);
    }
}

TEST_F(JointExample, TranslationMovesAlongTheJointsAxes) {
    const auto joint = translation("joint").at(kPlacement);
    expect_pose(pose(joint, {1, 2, 3}), to_eigen(kPlacement.rotation), kPlacement * Vec{1, 2, 3});
    EXPECT_TRUE(close(velocity(joint, {1, 2, 3}, {4, 5, 6}), Motion<double>{{}, {4, 5, 6}}, 4));
}

// q is (position; x y z w); v is (ω; v) in the link's own axes.
TEST_F(JointExample, FloatingStandsAtItsPositionAndAttitude) {
    const double s = std::sin(0.35), c = std::cos(0.35);
    const auto joint = floating("joint").at(kPlacement);
    expect_pose(pose(joint, {1, 2, 3, s, 0, 0, c}),
                to_eigen(kPlacement.rotation) * turn({1, 0, 0}, 0.7), kPlacement * Vec{1, 2, 3});
    // Turned a quarter about z, forward is y.
    const double h = std::numbers::sqrt2 / 2;
    const auto v = velocity(floating("joint"), {1, 2, 3, 0, 0, h, h}, {0, 0, 0, 2, 0, 5},
                            ReferenceFrame::kWorldAligned);
    EXPECT_TRUE(close(v, Motion<double>{{}, {0, 2, 5}}, 8));
}

// --- Steps ----------------------------------------------------------------------------------------

// A car that turns a quarter while it drives π/2 metres has gone around a circle of one metre: from the
// origin, heading along x, to (1, 1), heading along y.
TEST_F(JointExample, PlanarStepIsAnArc) {
    const Model car = model_of(planar("joint", {0, 0, 1}));
    const VectorX<double> q =
        integrate(car, as_vector({0, 0, 0}), as_vector({kPi / 2, kPi / 2, 0}));
    EXPECT_TRUE(close(q, as_vector({1, 1, kPi / 2}), 4));
    EXPECT_TRUE(
        close(difference(car, as_vector({0, 0, 0}), q), as_vector({kPi / 2, kPi / 2, 0}), 16));
}

// Whole turns between two headings make no difference: the short way is taken, from wherever and to wherever.
TEST_F(JointExample, PlanarHeadingsAreAWholeTurnApartOrTheSame) {
    const Model car = model_of(planar("joint", {0, 0, 1}));
    for (const double from : {-2.0, 0.0, 1.0}) {
        for (double turn = -9.9; turn < 10; turn += 0.3) {
            const double short_way = std::remainder(turn, 2 * kPi);
            const VectorX<double> step =
                difference(car, as_vector({1, 2, from}), as_vector({1, 2, from + turn}));
            EXPECT_TRUE(close(step, as_vector({short_way, 0, 0}), 64)) << from << " " << turn;
        }
    }
}

// The same with a climb: a screw about the vertical through (0, 1).
TEST_F(JointExample, FloatingStepIsAScrew) {
    const Model body = model_of(floating("joint"));
    const VectorX<double> start = neutral_configuration(body);
    const VectorX<double> step = as_vector({0, 0, kPi / 2, kPi / 2, 0, 0.5});
    const double h = std::numbers::sqrt2 / 2;
    const VectorX<double> q = integrate(body, start, step);
    EXPECT_TRUE(close(q, as_vector({1, 1, 0.5, 0, 0, h, h}), 4));
    EXPECT_TRUE(close(difference(body, start, q), step, 16));
    // A second step starts along y, where the first one ended.
    EXPECT_TRUE(close(integrate(body, q, step), as_vector({0, 2, 1, 0, 0, 1, 0}), 8));
}

// Past half a turn, a difference of attitudes goes the short way; a revolute joint remembers its turns.
TEST_F(JointExample, DifferenceOfAttitudesIsShortAndOfAnglesIsPlain) {
    const Model ball = model_of(spherical("joint")), hinge = model_of(revolute("joint", {0, 0, 1}));
    const VectorX<double> start = neutral_configuration(ball);
    const VectorX<double> turned = integrate(ball, start, as_vector({0, 0, 5}));
    EXPECT_TRUE(close(difference(ball, start, turned), as_vector({0, 0, 5 - 2 * kPi}), 16));
    EXPECT_TRUE(close(difference(hinge, as_vector({0}), as_vector({5})), as_vector({5}), 0));
}

}  // namespace
}  // namespace plucker::test
