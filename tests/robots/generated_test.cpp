// Robots of any size.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

TEST(Chain, TurnsAboutYAndZInTurn) {
    const Model model = robots::chain(5);
    ASSERT_EQ(model.num_bodies(), 5);
    for (int i = 1; i <= 5; ++i) {
        const Vec3<double> axis = i % 2 == 1 ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
        EXPECT_EQ(model.joint(i).axis, axis);
        EXPECT_EQ(model.body(i).parent, i - 1);
    }
    EXPECT_NEAR(frame_pose(model, neutral_configuration(model), "tip").position.x, 0.5, 1e-15);
}

// Stretched out, joint i about y carries the weight of the links after it: with k of them, each of
// 0.1 kg and 0.1 m, τ = -m g l k²/2. Joints about z carry nothing.
TEST(Chain, CarriesItsWeightAtTenThousandLinks) {
    constexpr int kLinks = 10000;
    const Model model = robots::chain(kLinks);
    ASSERT_EQ(model.nv(), kLinks);
    const VectorX<double> tau = gravity_torque(model, neutral_configuration(model));
    for (int i = 0; i < kLinks; ++i) {
        const double after = kLinks - i;
        const double expected = i % 2 == 0 ? -0.1 * 9.81 * 0.1 * after * after / 2 : 0;
        // Rounding grows with the number of additions: 1e4 · 1e-16 relative.
        EXPECT_NEAR(tau[i], expected, 1e-12 * (1 + std::abs(expected))) << "joint " << i + 1;
    }
}

TEST(Tree, HasEveryKindOfJoint) {
    for (const unsigned seed : {0u, 1u, 2u, 4294967295u}) {
        const Model model = robots::tree(9, seed);
        std::set<JointType> types;
        for (int i = 1; i <= 9; ++i) types.insert(model.body(i).joint);
        EXPECT_EQ(types.size(), 9u) << "seed " << seed;
        EXPECT_EQ(types.count(JointType::kFixed), 0u);
        EXPECT_FALSE(model.has_mimic_joints());
    }
}

TEST(Tree, BranchesAndHasDepth) {
    const Model model = robots::tree(20, 1);
    std::set<int> parents;
    for (int i = 1; i <= 20; ++i) parents.insert(model.body(i).parent);
    EXPECT_LT(parents.size(), 20u);  // some body has two children
    EXPECT_GT(parents.size(), 3u);
}

TEST(Tree, IsTheSameForTheSameSeed) {
    const auto torque = [](unsigned seed) {
        const Model model = robots::tree(20, seed);
        return gravity_torque(model, neutral_configuration(model));
    };
    EXPECT_EQ(torque(3), torque(3));
    EXPECT_NE(robots::tree(20, 3).total_mass(), robots::tree(20, 4).total_mass());
}

// The same on every platform, but for the last digits where a compiler fuses multiplication and
// addition. The numbers are those of the first version.
TEST(Tree, IsTheSameOnEveryPlatform) {
    const Model model = robots::tree(20, 1);
    const VectorX<double> q = neutral_configuration(model);
    const Eigen::Vector3d com = center_of_mass(model, q);
    EXPECT_NEAR(model.total_mass(), 27.815059585031122, 1e-12);
    EXPECT_NEAR(com.x(), -0.099270965608793366, 1e-12);
    EXPECT_NEAR(com.y(), -0.14304929845976269, 1e-12);
    EXPECT_NEAR(com.z(), 0.00062528507126879788, 1e-12);
}

TEST(GeneratedRobots, RefuseToHaveNoBodies) {
    for (const int n : {0, -1, -2147483647}) {
        for (const auto& make :
             {+[](int k) { return robots::chain(k); }, +[](int k) { return robots::tree(k, 1); }}) {
            try {
                make(n);
                ADD_FAILURE() << "no error for " << n;
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find(std::to_string(n)), std::string::npos);
            }
        }
    }
}

}  // namespace
}  // namespace plucker::test
