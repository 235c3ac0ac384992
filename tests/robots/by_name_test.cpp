// Robots by name, and what is said about names that are wrong.
#include <gtest/gtest.h>

#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

std::string error_for(const std::string& name) {
    try {
        robots::by_name(name);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(RobotsByName, FindsEveryListedName) {
    const std::vector<std::string> names = robots::names();
    EXPECT_EQ(names.size(), 11u);
    for (const std::string& name : names) {
        if (name.find('(') == std::string::npos) {
            EXPECT_EQ(robots::by_name(name).name(), name);
        }
    }
}

TEST(RobotsByName, TakesArguments) {
    EXPECT_EQ(robots::by_name("chain(1)").num_bodies(), 1);
    EXPECT_EQ(robots::by_name("chain(10)").num_bodies(), 10);
    EXPECT_EQ(robots::by_name("tree(20,1)").num_bodies(), 20);
    EXPECT_EQ(robots::by_name("tree(3,0)").name(), "tree(3,0)");
    EXPECT_EQ(robots::by_name("tree(3,4294967295)").name(), "tree(3,4294967295)");
}

TEST(RobotsByName, SuggestsTheClosestNames) {
    EXPECT_NE(error_for("exoskelton").find("unknown robot 'exoskelton'; closest: 'exoskeleton'"),
              std::string::npos);
    EXPECT_NE(error_for("chian(10)").find("unknown robot 'chian(10)'; closest: 'chain(N)'"),
              std::string::npos);
    EXPECT_NE(error_for("").find("unknown robot ''"), std::string::npos);
    EXPECT_NE(error_for("Arm").find("'arm'"), std::string::npos);
}

TEST(RobotsByName, SaysHowToWriteArguments) {
    for (const char* name : {"chain", "chain(1,2)"}) {
        EXPECT_EQ(error_for(name),
                  std::string("robot '") + name + "': write chain(N), for example chain(10)");
    }
    for (const char* name : {"tree", "tree(20)", "tree(1,2,3)"}) {
        EXPECT_EQ(error_for(name),
                  std::string("robot '") + name + "': write tree(N,SEED), for example tree(20,1)");
    }
    EXPECT_EQ(error_for("pendulum(2)"), "robot 'pendulum(2)': 'pendulum' takes no arguments");
    for (const char* name : {"chain(", "chain(10", "chain(10)x", "chain(10) "}) {
        EXPECT_EQ(error_for(name),
                  std::string("robot '") + name + "': a name with arguments must end with ')'");
    }
}

TEST(RobotsByName, RefusesNumbersThatAreNone) {
    for (const char* n : {"", "-3", "0", "100001", "99999999999999999999", "1.5", "1e3", "0x10",
                          " 10", "10 ", "+10", "ten", "N", "10)"}) {
        EXPECT_EQ(error_for("chain(" + std::string(n) + ")"),
                  "robot 'chain(" + std::string(n) + ")': N is '" + n +
                      "'; it must be a whole number from 1 to 100000");
    }
    for (const char* seed : {"", "-1", "4294967296", "x", " 1"}) {
        EXPECT_EQ(error_for("tree(20," + std::string(seed) + ")"),
                  "robot 'tree(20," + std::string(seed) + ")': SEED is '" + seed +
                      "'; it must be a whole number from 0 to 4294967295");
    }
}

}  // namespace
}  // namespace plucker::test
