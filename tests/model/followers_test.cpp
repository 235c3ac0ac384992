// Joints that mimic others have limits, too.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "plucker/model/builder.hpp"
#include "plucker/model/suspicions.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

// 'a' leads, 'b' mimics it, and 'c' mimics 'b'.
Model chain_of(const JointLimits& a, const JointLimits& b, const Mimic& of_a,
               const JointLimits& c = {}, const Mimic& of_b = {"b", 0.1, 0.05}) {
    const MassProperties mass = MassProperties::sphere(1, 0.1, {0.3, 0, 0});
    return Builder("hand")
        .link("palm")
        .body("palm", revolute("a", {0, 1, 0}).with_limits(a), "one", mass)
        .body("one",
              revolute("b", {0, 1, 0})
                  .with_limits(b)
                  .mimicking(of_a.joint, of_a.multiplier, of_a.offset),
              "two", mass)
        .body("two",
              prismatic("c", {1, 0, 0})
                  .with_limits(c)
                  .mimicking(of_b.joint, of_b.multiplier, of_b.offset),
              "three", mass)
        .build();
}

std::string warnings_of(const Model& model) {
    std::string out;
    for (const Diagnostic& d : find_suspicions(model.description())) out += to_string(d) + "\n";
    return out;
}

TEST(Followers, NarrowTheLimitsOfTheJointThatTheyMimic) {
    const auto narrow = [](const JointLimits& a, const JointLimits& b, double multiplier,
                           double offset, const JointLimits& c = {}) {
        const JointLimits x = chain_of(a, b, {"a", multiplier, offset}, c).limits_with_followers(1);
        std::array out{x.lower, x.upper, x.velocity, x.effort};
        for (double& each : out) each = std::round(1e9 * each) / 1e9;
        return out;
    };
    using Four = std::array<double, 4>;
    EXPECT_EQ(narrow({-1, 1, 3, 5}, {}, -2, 0.3), (Four{-1, 1, 3, 5}));
    // The follower's effort is nobody's: what follows is not driven.
    EXPECT_EQ(narrow({-1, 1, 3, 5}, {-1, 1, 1, 0.1}, -2, 0.5), (Four{-0.25, 0.75, 0.5, 5}));
    EXPECT_EQ(narrow({-1, 1, 3, 5}, {-1, 1, 1, 0.1}, 2, 0.5), (Four{-0.75, 0.25, 0.5, 5}));
    EXPECT_EQ(narrow({}, {-kNone, 1}, 2, 0), (Four{-kNone, 0.5, kNone, kNone}));
    EXPECT_EQ(narrow({}, {-kNone, 1}, -2, 0), (Four{-0.5, kNone, kNone, kNone}));
    // c = 0.1 (2 a + 0.5) + 0.05.
    EXPECT_EQ(narrow({-1, 1, 3}, {}, 2, 0.5, {-0.5, 0.15, 0.1}), (Four{-1, 0.25, 0.5, kNone}));
    // One that stands still, and one whose limits none of its leader's positions keeps.
    EXPECT_EQ(narrow({-1, 1, 3}, {-1, 1, 1}, 0, 5), (Four{-1, 1, 3, kNone}));
    EXPECT_EQ(narrow({-1, 1, 3}, {8, 9, 1}, 1, 0), (Four{-1, 1, 1, kNone}));
}

TEST(Followers, AreWithinTheirLimitsInRandomConfigurations) {
    std::mt19937 generator(2);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int number = 0; number < 200; ++number) {
        const double multiplier = 3 * any(generator), offset = any(generator);
        // Around what some position of the leader makes of it.
        const double middle = multiplier * any(generator) + offset, room = std::abs(any(generator));
        const JointLimits b{middle - room, middle + room}, c{-2, middle * 0.1 + 0.05};
        const Model model = chain_of({-1.2, 1.2}, b, {"a", multiplier, offset}, c);
        for (int k = 0; k < 10; ++k) {
            const double q_a = random_configuration(model, generator)[0];
            const double q_b = multiplier * q_a + offset, q_c = 0.1 * q_b + 0.05;
            EXPECT_GE(q_b, b.lower - 1e-12);
            EXPECT_LE(q_b, b.upper + 1e-12);
            EXPECT_LE(q_c, c.upper + 1e-12);
            EXPECT_LE(std::abs(q_a), 1.2);
        }
    }
}

TEST(Followers, ThatKeepTheirLeaderFromItsLimitsAreSuspicious) {
    EXPECT_EQ(warnings_of(chain_of({-1, 1}, {-1, 1}, {"a", -2, 0.5})),
              "joint 'b': moves as -2 · 'a' + 0.5; its limits -1 to 1 keep 'a' between -0.25 and "
              "0.75, short of its own, -1 to 1; correct one of them\n");
    EXPECT_EQ(warnings_of(chain_of({-1, 1}, {-0.5, 2}, {"a", 1, 0})),
              "joint 'b': moves as 'a'; its limits -0.5 to 2 keep 'a' between -0.5 and 1, short of "
              "its own, -1 to 1; correct one of them\n");
    EXPECT_EQ(warnings_of(chain_of({-1, 1}, {8, 9}, {"a", 2, -0.5})),
              "joint 'b': moves as 2 · 'a' - 0.5; its limits 8 to 9 leave 'a' no room between its "
              "own, -1 to 1; correct one of them\n");
    // Through another, and of a leader without limits.
    EXPECT_EQ(warnings_of(chain_of({}, {}, {"a", 2, 0.5}, {-1, 1.1})),
              "joint 'c': moves as 0.2 · 'a' + 0.1; its limits -1 to 1.1 keep 'a' between -5.5 and "
              "5, short of its own, -inf to inf; correct one of them\n");
    // Room to spare, and digits that were left out.
    EXPECT_EQ(warnings_of(chain_of({-1, 1}, {-3, 3}, {"a", -2, 0.5})), "");
    EXPECT_EQ(warnings_of(chain_of({0, 0.8}, {0, 0.875}, {"a", 1.0943, 0})), "");
    EXPECT_EQ(warnings_of(chain_of({-1, 1}, {}, {"a", -2, 0.5})), "");
}

}  // namespace
}  // namespace plucker::test
