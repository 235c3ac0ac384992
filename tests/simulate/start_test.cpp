// Where simulations begin: lifted, on the ground, held.
#include "plucker/simulate/start.hpp"

#include <gtest/gtest.h>

#include "plucker/algorithms/table.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/simulate/simulator.hpp"

namespace plucker {
namespace {

constexpr Vec3<double> kUp{0, 0, 1};

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

// How near the robot is to the ground: the first step finds its contacts there.
void expect_to_touch(const Model& model, const Vec3<double>& up) {
    const World world = World::flat(up);
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
    expect_to_touch(robots::quadruped(), kUp);
    expect_to_touch(robots::humanoid(), kUp);
    expect_to_touch(robots::lamp(), {0, 1, 0});
}

TEST(HoldingGains, AreCriticallyDampedAgainstTheInertiaOfEachJoint) {
    const Model model = robots::exoskeleton();
    const VectorX<double> q = neutral_configuration(model);
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

}  // namespace
}  // namespace plucker
