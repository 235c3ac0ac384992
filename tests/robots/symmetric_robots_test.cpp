// Robots with a left and a right side: the mirror image of a motion takes the mirror image of its
// torques. And the numbers that each of them promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

// Sums over tens of bodies, in another order on the two sides; errors measured relative to the largest.
constexpr double kRelative = 1e-12;

std::string other_side(std::string name) {
    const std::size_t left = name.find("left"), right = name.find("right");
    if (left != std::string::npos) return name.replace(left, 4, "right");
    if (right != std::string::npos) return name.replace(right, 5, "left");
    return name;
}

// Reflection in the x–z plane. Arrows keep x and z and reverse y; turns and moments keep y and reverse
// x and z.
class Mirror {
public:
    explicit Mirror(const Model& model) : model_(model) {}

    VectorX<double> configuration(const VectorX<double>& q) const {
        VectorX<double> out = revolute_joints(q, model_.nq() - model_.nv());
        const Eigen::Vector<double, 7> signs{1, -1, 1, -1,
                                             1, -1, 1};  // position; quaternion x y z w
        out.head(7) = q.head(7).cwiseProduct(signs);
        return out;
    }
    // Velocities, accelerations and torques.
    VectorX<double> velocity(const VectorX<double>& v) const {
        VectorX<double> out = revolute_joints(v, 0);
        const Eigen::Vector<double, 6> signs{-1, 1, -1, 1, -1, 1};  // turn; arrow
        out.head(6) = v.head(6).cwiseProduct(signs);
        return out;
    }

private:
    // Joint i gets the value of its partner on the other side; `shift` is q's extra coordinate.
    VectorX<double> revolute_joints(const VectorX<double>& x, int shift) const {
        VectorX<double> out(x.size());
        for (int i = 2; i <= model_.num_bodies(); ++i) {
            const int partner = model_.joint_index(other_side(model_.joint(i).name));
            const double sign = model_.joint(i).axis.y != 0 ? 1 : -1;
            out[shift + model_.body(i).v_index] = sign * x[shift + model_.body(partner).v_index];
        }
        return out;
    }

    Model model_;
};

class SymmetricRobotTest : public testing::TestWithParam<std::string> {
protected:
    static void expect_near(const VectorX<double>& ours, const VectorX<double>& expected) {
        EXPECT_LE((ours - expected).norm(), kRelative * expected.norm());
    }

    Model model_ = robots::by_name(GetParam());
    Mirror mirror_{model_};
};

TEST_P(SymmetricRobotTest, TakesMirroredTorquesForMirroredMotion) {
    std::mt19937 generator(7);
    for (int sample = 0; sample < 5; ++sample) {
        SCOPED_TRACE("seed 7, sample " + std::to_string(sample));
        const VectorX<double> q = random_configuration(model_, generator);
        const VectorX<double> v = difference(model_, q, random_configuration(model_, generator));
        const VectorX<double> a = difference(model_, q, random_configuration(model_, generator));
        const VectorX<double> tau = inverse_dynamics(model_, q, v, a);
        const VectorX<double> mirrored = inverse_dynamics(model_, mirror_.configuration(q),
                                                          mirror_.velocity(v), mirror_.velocity(a));
        expect_near(mirrored, mirror_.velocity(tau));
        const Eigen::Vector3d flip(1, -1, 1);
        expect_near(center_of_mass(model_, mirror_.configuration(q)),
                    center_of_mass(model_, q).cwiseProduct(flip));
    }
}

TEST_P(SymmetricRobotTest, HasMirroredLimits) {
    for (int i = 2; i <= model_.num_bodies(); ++i) {
        const JointDescription& joint = model_.joint(i);
        SCOPED_TRACE(joint.name);
        const JointDescription& partner = model_.joint(model_.joint_index(other_side(joint.name)));
        const bool keeps = joint.axis.y != 0;
        EXPECT_EQ(joint.axis, partner.axis);
        EXPECT_EQ(joint.limits.velocity, partner.limits.velocity);
        EXPECT_EQ(joint.limits.effort, partner.limits.effort);
        if (joint.name == partner.name) continue;
        EXPECT_EQ(joint.limits.lower, keeps ? partner.limits.lower : -partner.limits.upper);
    }
}

TEST_P(SymmetricRobotTest, StandsOnLevelFeet) {
    const VectorX<double> q = neutral_configuration(model_);
    std::vector<Vec3<double>> feet;
    for (const Frame& frame : model_.frames()) {
        if (frame.name.ends_with("_foot")) {
            feet.push_back(frame_pose(model_, q, frame.name).position);
        }
    }
    ASSERT_GE(feet.size(), 2u);
    for (const Vec3<double>& foot : feet) {
        EXPECT_LT(foot.z, -0.3);
        // The same sums in the same order on both sides: the same bits.
        EXPECT_EQ(foot.z, feet[0].z);
        EXPECT_EQ(std::abs(foot.y), std::abs(feet[0].y));
    }
    // The centre of mass is over the feet, so that the robot can stand.
    double front = feet[0].x, back = feet[0].x;
    for (const Vec3<double>& foot : feet) {
        front = std::max(front, foot.x);
        back = std::min(back, foot.x);
    }
    constexpr double kHalfFoot = 0.1;
    const Eigen::Vector3d com = center_of_mass(model_, q);
    EXPECT_LT(com.x(), front + kHalfFoot);
    EXPECT_GT(com.x(), back - kHalfFoot);
    EXPECT_NEAR(com.y(), 0, 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Robots, SymmetricRobotTest,
                         testing::Values("exoskeleton", "quadruped", "humanoid"),
                         [](const auto& robot) { return robot.param; });

TEST(Exoskeleton, HasTheJointsOfThePaper) {
    const Model model = robots::exoskeleton();
    EXPECT_TRUE(model.has_floating_base());
    EXPECT_EQ(model.nv(), 6 + 2 * 4);
    EXPECT_EQ(model.nq(), 7 + 2 * 4);
    EXPECT_EQ(model.num_bodies(), 9);
    EXPECT_EQ(model.joint(1).name, "base");
    const std::pair<const char*, Vec3<double>> joints[] = {{"hip_adduction", {1, 0, 0}},
                                                           {"hip_flexion", {0, 1, 0}},
                                                           {"knee", {0, 1, 0}},
                                                           {"ankle", {0, 1, 0}}};
    int i = 2;
    for (const std::string side : {"left_", "right_"}) {
        for (const auto& [name, axis] : joints) {
            EXPECT_EQ(model.joint(i).name, side + name);
            EXPECT_EQ(model.joint(i).axis, axis);
            ++i;
        }
    }
}

TEST(Exoskeleton, IsAnAdultInAMachine) {
    const Model model = robots::exoskeleton();
    EXPECT_NEAR(model.total_mass(), 75 + 31, 1e-12);
    const VectorX<double> q = neutral_configuration(model);
    const Vec3<double> left = frame_pose(model, q, "left_foot").position;
    const Vec3<double> right = frame_pose(model, q, "right_foot").position;
    EXPECT_NEAR(left.z, -(0.42 + 0.43 + 0.10), 1e-15);
    EXPECT_EQ(left.y, 0.09);
    EXPECT_EQ(right.y, -0.09);
    EXPECT_GT(frame_pose(model, q, "torso").position.z, 0);
    // About 0.57 of an adult's height is the usual height of the centre of mass; the machine, with
    // its pack at the pelvis, changes little.
    const double height_of_com = center_of_mass(model, q).z() - left.z;
    EXPECT_GT(height_of_com, 0.90);
    EXPECT_LT(height_of_com, 1.10);
}

// The signs that the model's comment promises.
TEST(Exoskeleton, BendsAsItsCommentSays) {
    const Model model = robots::exoskeleton();
    const VectorX<double> zero = neutral_configuration(model);
    const auto foot_moves = [&](const std::string& joint) {
        VectorX<double> q = zero;
        q[model.body(model.joint_index(joint)).q_index] = 0.2;
        return frame_pose(model, q, "left_foot").position -
               frame_pose(model, zero, "left_foot").position;
    };
    EXPECT_GT(foot_moves("left_hip_adduction").y, 0.1);  // to the left
    EXPECT_LT(foot_moves("left_hip_flexion").x, -0.1);   // back
    EXPECT_LT(foot_moves("left_knee").x, -0.05);         // back
    EXPECT_LT(foot_moves("left_ankle").x, 0);            // toes down: the sole turns back
    EXPECT_EQ(norm(foot_moves("right_knee")), 0);
}

TEST(Quadruped, HasTwelveJointsAndAFloatingBase) {
    const Model model = robots::quadruped();
    EXPECT_TRUE(model.has_floating_base());
    EXPECT_EQ(model.nv(), 6 + 12);
    EXPECT_NEAR(model.total_mass(), 14, 1e-12);
}

TEST(Humanoid, HasThirtyJointsAndAFloatingBase) {
    const Model model = robots::humanoid();
    EXPECT_TRUE(model.has_floating_base());
    EXPECT_EQ(model.nv(), 6 + 30);
    EXPECT_NEAR(model.total_mass(), 68, 1e-12);
    const VectorX<double> q = neutral_configuration(model);
    const double foot = frame_pose(model, q, "left_foot").position.z;
    const double hand = frame_pose(model, q, "left_hand").position.z;
    const double head = frame_pose(model, q, "head").position.z;
    EXPECT_LT(foot, hand);
    EXPECT_LT(hand, head);
    EXPECT_NEAR(head + 0.11 - foot, 1.74, 1e-12);  // to the top of the head
}

}  // namespace
}  // namespace plucker::test
