// A few hundred robots at random beside MuJoCo and DART; ./test --fuzz SECONDS takes as many as fit.
#include "oracles/differential.hpp"

#include <gtest/gtest.h>

#include "plucker/model/error.hpp"
#include "support/random_robot.hpp"

namespace plucker::test {
namespace {

TEST(Differential, RandomRobotsAgreeWithOtherLibraries) {
    constexpr unsigned kRobots = 300;
    for (unsigned seed = 1; seed <= kRobots; ++seed) {
        const Description robot = random_robot(seed);
        EXPECT_EQ(disagreement(robot, seed), "") << to_text(robot);
    }
}

// A comparison that cannot fail would be worth nothing: a joint that sits a micrometre elsewhere is noticed, and of the
// robot only what is needed to see it is left.
TEST(Differential, ADifferenceIsNoticedAndShrunken) {
    constexpr unsigned kRobots = 10;
    for (unsigned seed = 1; seed <= kRobots; ++seed) {
        const auto fails = [&](const Description& robot) {
            if (robot.joints.empty()) return false;
            Description moved = robot;
            moved.joints.back().placement.position.x += 1e-6;
            try {
                return !disagreement(robot, moved, seed).empty();
            } catch (const Error&) {
                return false;  // smaller, but singular
            }
        };
        const Description robot = random_robot(seed);
        ASSERT_TRUE(fails(robot)) << to_text(robot);
        const Description smaller = shrunken(robot, fails);
        EXPECT_TRUE(fails(smaller));
        EXPECT_LE(smaller.links.size(), 2U) << to_text(smaller);
    }
}

}  // namespace
}  // namespace plucker::test
