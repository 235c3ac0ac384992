// States that the tool prints are states that the tool reads.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool.hpp"

namespace plucker::test {
namespace {

// The built-in robots, and files with either base.
std::vector<std::string> models_with_states() {
    std::vector<std::string> out{reference("walker.urdf"), reference("walker.urdf") + " --floating",
                                 reference("humanoid30.urdf") + " --floating",
                                 "'builtin:tree(20,1)'", "builtin:arm --floating"};
    for (const json& robot : json::parse(run("robots --json").output)) {
        if (!robot["family"]) out.push_back(robot["name"]);
    }
    return out;
}

Outcome evaluated(const std::string& model, const std::string& options,
                  const std::string& quantity) {
    return run_shell("$plucker state " + model + " " + options + " | $plucker eval " + model +
                     " --state - --quantity " + quantity);
}

TEST(State, IsReadByEval) {
    ASSERT_GE(models_with_states().size(), 10U);
    for (const std::string& model : models_with_states()) {
        for (const char* options : {"", "--random", "-n 1"}) {
            const Outcome outcome = evaluated(model, options, "inverse_dynamics,bias_torque");
            ASSERT_EQ(outcome.code, 0) << model << options;
            const json answer = json::parse(outcome.output);
            EXPECT_EQ(answer.contains("samples"),
                      std::string(options).find("-n ") != std::string::npos);
        }
    }
}

TEST(State, IsNeutralUnlessItIsRandom) {
    const json neutral = json::parse(run("state builtin:exoskeleton").output);
    EXPECT_EQ(neutral["q"]["base"]["quaternion_xyzw"], json({0, 0, 0, 1}));
    EXPECT_EQ(neutral["q"]["joints"].size(), 8U);
    for (const char* key : {"v", "a", "tau"}) {
        EXPECT_EQ(neutral[key]["base"]["linear"], json({0, 0, 0})) << key;
        for (const json& x : neutral[key]["joints"]) EXPECT_EQ(x, 0) << key;
    }
    EXPECT_EQ(run("state builtin:exoskeleton --neutral").output,
              run("state builtin:exoskeleton").output);
    // At rest and without acceleration only gravity is left to hold.
    const json answer =
        json::parse(evaluated("builtin:arm", "", "inverse_dynamics,gravity_torque").output);
    for (std::size_t k = 0; k < 7; ++k) {
        EXPECT_NEAR(answer["inverse_dynamics"][k].get<double>(),
                    answer["gravity_torque"][k].get<double>(), 1e-12);  // torques of order 1
    }
}

TEST(State, DependsOnItsSeedAlone) {
    const auto state = [](const std::string& options) {
        return json::parse(run("state builtin:humanoid --random " + options).output);
    };
    EXPECT_EQ(state("--seed 4"), state("--seed 4"));
    EXPECT_NE(state("--seed 4"), state("--seed 5"));
    EXPECT_EQ(state(""), state("--seed 1"));
    const json several = state("--seed 4 -n 3");
    ASSERT_EQ(several.size(), 3U);
    EXPECT_EQ(several[0], state("--seed 4"));
    EXPECT_NE(several[1], several[0]);
    EXPECT_EQ(state("--seed 4 --count 3"), several);
}

TEST(State, StaysWithinTheLimits) {
    const json info = json::parse(run("info builtin:exoskeleton --json").output);
    const json states = json::parse(run("state builtin:exoskeleton --random -n 50").output);
    for (const json& joint : info["joints"]) {
        if (joint["type"] == "floating") continue;  // the base
        ASSERT_TRUE(joint["lower"].is_number());
        for (const json& state : states) {
            const double q = state["q"]["joints"][joint["name"].get<std::string>()];
            EXPECT_GE(q, joint["lower"].get<double>());
            EXPECT_LE(q, joint["upper"].get<double>());
        }
    }
}

TEST(State, RefusesWhatContradictsItself) {
    for (const char* options : {"--neutral --random", "--seed 3", "-n 0", "-n x"}) {
        EXPECT_EQ(run(std::string("state builtin:arm ") + options + " 2>&1").code, 2) << options;
    }
}

}  // namespace
}  // namespace plucker::test
