// What holds for each built-in robot.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cctype>
#include <cmath>
#include <random>

#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

class EveryRobotTest : public testing::TestWithParam<std::string> {
protected:
    Model model_ = robots::by_name(GetParam());
};

TEST_P(EveryRobotTest, HasItsName) { EXPECT_EQ(model_.name(), GetParam()); }

TEST_P(EveryRobotTest, HasASymmetricPositiveMassMatrix) {
    std::mt19937 generator(11);
    for (int sample = 0; sample < 5; ++sample) {
        SCOPED_TRACE("seed 11, sample " + std::to_string(sample));
        const MatrixX<double> M = mass_matrix(model_, random_configuration(model_, generator));
        EXPECT_EQ(M, M.transpose());
        EXPECT_EQ(Eigen::LLT<MatrixX<double>>(M).info(), Eigen::Success);
    }
}

// Forward dynamics undoes inverse dynamics. The error is relative to the torques' share of each
// acceleration, so the tolerance allows for mass matrices with condition numbers up to 1e6.
TEST_P(EveryRobotTest, MovesAsItsTorquesSay) {
    std::mt19937 generator(12);
    const VectorX<double> q = random_configuration(model_, generator);
    const VectorX<double> v = difference(model_, q, random_configuration(model_, generator));
    const VectorX<double> a = difference(model_, q, random_configuration(model_, generator));
    const VectorX<double> tau = inverse_dynamics(model_, q, v, a);
    EXPECT_LE((forward_dynamics(model_, q, v, tau) - a).norm(), 1e-9 * (1 + a.norm()));
}

TEST_P(EveryRobotTest, HasLimitsThatHoldItsNeutralPosture) {
    for (int i = 1; i <= model_.num_bodies(); ++i) {
        const JointLimits& limits = model_.joint(i).limits;
        SCOPED_TRACE(model_.joint(i).name);
        EXPECT_LE(limits.lower, 0);
        EXPECT_GE(limits.upper, 0);
        EXPECT_LT(limits.lower, limits.upper);
        EXPECT_GT(limits.velocity, 0);
        EXPECT_GT(limits.effort, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Robots, EveryRobotTest,
                         testing::Values("particle", "pendulum", "double_pendulum", "cart_pole",
                                         "lamp", "exoskeleton", "arm", "quadruped", "humanoid",
                                         "chain(1)", "chain(12)", "tree(1,0)", "tree(9,3)",
                                         "tree(20,1)", "tree(40,2)"),
                         [](const auto& robot) {
                             std::string name = robot.param;
                             for (char& c : name) {
                                 if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                             }
                             return name;
                         });

// Robots whose joints have motors: all limits are finite, and angles stay within one turn.
TEST(ActuatedRobots, HaveFiniteLimits) {
    for (const char* name : {"exoskeleton", "arm", "quadruped", "humanoid"}) {
        const Model model = robots::by_name(name);
        for (int i = model.has_floating_base() ? 2 : 1; i <= model.num_bodies(); ++i) {
            const JointLimits& limits = model.joint(i).limits;
            SCOPED_TRACE(std::string(name) + ", " + model.joint(i).name);
            EXPECT_GT(limits.lower, -4);
            EXPECT_LT(limits.upper, 4);
            EXPECT_LT(limits.velocity, 30);
            EXPECT_LT(limits.effort, 300);
        }
    }
}

TEST(Arm, StandsUprightWithItsToolDown) {
    const Model model = robots::arm();
    EXPECT_EQ(model.nv(), 7);
    const Pose<double> tool = frame_pose(model, neutral_configuration(model), "tool");
    EXPECT_NEAR(norm(tool.position - Vec3<double>{0.09, 0, 0.34 + 0.32 + 0.38 - 0.11}), 0, 1e-15);
    EXPECT_EQ(tool.rotation, (Mat3<double>{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}));
}

// The motors can hold the arm in any posture.
TEST(Arm, CarriesItself) {
    const Model model = robots::arm();
    std::mt19937 generator(13);
    for (int sample = 0; sample < 1000; ++sample) {
        const VectorX<double> tau = gravity_torque(model, random_configuration(model, generator));
        for (int i = 1; i <= 7; ++i) {
            EXPECT_LT(std::abs(tau[i - 1]), model.joint(i).limits.effort) << model.joint(i).name;
        }
    }
}

}  // namespace
}  // namespace plucker::test
