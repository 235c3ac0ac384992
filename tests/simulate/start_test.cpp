// Where simulations begin: lifted, on the ground, held.
#include "plucker/simulate/start.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plucker/algorithms/table.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/simulate/simulator.hpp"
#include "support/error_message.hpp"

namespace plucker {
namespace {

constexpr Vec3<double> kUp{0, 0, 1};

// By joint, of those that the robot has; what it does not name is at zero.
TEST(Posture, IsAConfigurationWithAName) {
    const MassProperties mass = MassProperties::sphere(1, 0.1);
    Builder builder("arm");
    builder.base(Base::kFloating)
        .link("base", mass)
        .body("base", revolute("elbow", {0, 1, 0}), "arm", mass)
        .body("arm", spherical("wrist"), "hand", mass)
        .body("arm", revolute("thumb", {0, 1, 0}), "finger", mass)
        .posture("home", {{"elbow", {0.5}}, {"wrist", {0, 0, 0, 2}}, {"gone", {1, 2}}})
        .posture("away", {{"base", {1, 2, 3, 0, 0, 0, 1}}});
    const Model model = builder.build();
    EXPECT_EQ(posture_names(model), (std::vector<std::string>{"home", "away"}));
    VectorX<double> expected = neutral_configuration(model);
    expected[model.body(model.joint_index("elbow")).q_index] = 0.5;
    EXPECT_EQ(posture(model, "home"), expected);
    expected = neutral_configuration(model);
    expected.head(3) << 1, 2, 3;
    EXPECT_EQ(posture(model, "away"), expected);
    const Model locked = lock_joints(model, {{"elbow", {0.5}}});
    EXPECT_EQ(posture(locked, "home"), neutral_configuration(locked));
    EXPECT_NE(test::message([&] {
                  posture(model, "hom");
              }).find("unknown posture 'hom'; closest: 'home'"),
              std::string::npos);
    builder.posture("odd", {{"elbow", {1, 2}}});
    EXPECT_NE(test::message([&] {
                  builder.build();
              }).find("posture 'odd': joint 'elbow' is given 2 coordinates; it has 1"),
              std::string::npos);
}

TEST(Lift, MovesAFloatingBaseAndNothingElse) {
    const Model model = robots::quadruped();
    VectorX<double> q = neutral_configuration(model), before = q;
    ASSERT_TRUE(lift(model, kUp, 0.25, q));
    EXPECT_EQ(q[2], before[2] + 0.25);
    q[2] = before[2];
    EXPECT_EQ(q, before);
}

TEST(Lift, FindsTheSlideThatCarriesTheLamp) {
    const Model model = robots::lamp();
    VectorX<double> q = neutral_configuration(model);
    const Vector3<double> center = center_of_mass(model, q);
    ASSERT_TRUE(lift(model, {0, 1, 0}, 0.5, q));
    EXPECT_NEAR((center_of_mass(model, q) - center - Vector3<double>(0, 0.5, 0)).norm(), 0, 1e-15);
    EXPECT_FALSE(lift(model, kUp, 0.5, q)) << "nothing moves the lamp out of its plane";
}

TEST(Lift, LeavesARobotThatStandsFast) {
    const Model model = robots::arm();
    VectorX<double> q = neutral_configuration(model);
    const VectorX<double> before = q;
    EXPECT_FALSE(lift(model, kUp, 1, q));
    EXPECT_EQ(q, before);
}

// A slide that carries a part of the robot does not lift it, whichever part stands last.
TEST(Lift, IsNotDoneByWhatCarriesAPart) {
    const MassProperties mass = MassProperties::sphere(1, 0.1);
    const auto robot = [&](bool slide_first) {
        Builder builder("crane");
        builder.link("ground");
        if (slide_first) builder.body("ground", prismatic("hoist", {0, 0, 1}), "hook", mass);
        builder.body("ground", revolute("slew", {0, 0, 1}), "jib", mass);
        if (!slide_first) builder.body("ground", prismatic("hoist", {0, 0, 1}), "hook", mass);
        return builder.build();
    };
    for (const bool slide_first : {true, false}) {
        const Model model = robot(slide_first);
        VectorX<double> q = neutral_configuration(model);
        EXPECT_FALSE(lift(model, kUp, 1, q)) << slide_first;
        EXPECT_EQ(q, neutral_configuration(model));
    }
}

// How near the robot is to the ground: the first step finds its contacts there.
void expect_to_touch(const Model& model, const Vec3<double>& up, const World& world) {
    VectorX<double> q = neutral_configuration(model);
    lift(model, up, 0.7, q);
    put_on_ground(model, world, up, q);
    CollisionShapes shapes(model, world);
    Workspace<double> ws(model);
    forward_kinematics(ws, q);
    std::vector<Pose<double>> poses{{}};
    for (int i = 1; i <= model.num_bodies(); ++i) {
        poses.push_back(to_pose(ws.kinematics.X[i]));
        poses.back().position += ws.kinematics.anchor;
    }
    std::vector<ContactPoint> points;
    shapes.find(poses, 1e-6, points);
    double lowest = 1;
    for (const ContactPoint& point : points) {
        if (point.body_b == 0) lowest = std::min(lowest, point.distance);
    }
    EXPECT_NEAR(lowest, 0, 1e-12) << model.name();
}

TEST(PutOnGround, LetsTheLowestShapeTouch) {
    expect_to_touch(robots::quadruped(), kUp, World::flat());
    expect_to_touch(robots::humanoid(), kUp, World::flat());
    expect_to_touch(robots::lamp(), {0, 1, 0}, World::flat({0, 1, 0}));
    // On a slope of 20 degrees, too.
    expect_to_touch(robots::quadruped(), kUp, World::flat({0.342, 0, 0.94}));
}

// A wall beside the robot is nothing to be lifted over.
TEST(PutOnGround, IsNotLedAstrayByAWall) {
    const Model model = robots::quadruped();
    World world = World::flat();
    world.shapes.push_back(
        {.placement = Pose<double>::translation(1.2, 0, 0), .geometry = Plane{{-1, 0, 0}}});
    VectorX<double> q = neutral_configuration(model), on_flat = q;
    lift(model, kUp, 0.1, q);
    put_on_ground(model, World::flat(), kUp, on_flat);
    put_on_ground(model, world, kUp, q);
    EXPECT_NEAR(q[2], on_flat[2], 1e-9);
}

TEST(WithinLimits, MovesJointsToTheNearestLimit) {
    std::mt19937 generator(5);
    std::normal_distribution<double> normal;
    for (const Model& model : {robots::humanoid(), robots::quadruped(), robots::exoskeleton()}) {
        VectorX<double> q = random_configuration(model, generator);
        EXPECT_EQ(within_limits(model, q), q) << "it is within";
        VectorX<double> step(model.nv());
        for (double& x : step) x = 3 * normal(generator);
        const VectorX<double> far = integrate(model, q, step), near = within_limits(model, far);
        int moved = 0;
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            if (body.mimic) continue;
            const JointLimits& limits = model.joint(i).limits;
            for (int k = body.q_index; k < body.q_index + body.nq; ++k) {
                const double expected =
                    body.nv == 1 ? std::clamp(far[k], limits.lower, limits.upper) : far[k];
                EXPECT_EQ(near[k], expected) << model.joint(i).name;
                moved += near[k] == far[k] ? 0 : 1;
            }
        }
        EXPECT_GT(moved, 2) << model.name();
    }
}

TEST(HoldingGains, AreCriticallyDampedAgainstTheInertiaOfEachJoint) {
    const Model model = robots::exoskeleton();
    std::mt19937 generator(7);
    for (const VectorX<double>& q : {VectorX<double>(neutral_configuration(model)),
                                     VectorX<double>(random_configuration(model, generator))}) {
        const MatrixX<double> M = mass_matrix(model, q);
        const HoldingGains gains = holding_gains(model, q, 3);
        const HoldingGains same = critically_damped(model, q, gains.kp);
        for (int k = 0; k < model.nv(); ++k) {
            const double w = k < 6 ? 0 : 2 * 3.14159265358979323846 * 3;  // a base has no motors
            EXPECT_NEAR(gains.kp[k], M(k, k) * w * w, 1e-12 * M(k, k) * 400) << k;
            EXPECT_NEAR(gains.kd[k], 2 * M(k, k) * w, 1e-12 * M(k, k) * 40) << k;
            EXPECT_NEAR(same.kd[k], gains.kd[k], 1e-12 * M(k, k) * 40) << k;
        }
    }
}

}  // namespace
}  // namespace plucker
