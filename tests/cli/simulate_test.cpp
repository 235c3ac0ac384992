// plucker simulate: recordings, and what it says to mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tool.hpp"

namespace plucker::test {
namespace {

class Simulate : public testing::Test {
protected:
    Simulate()
        : folder_(std::filesystem::temp_directory_path() /
                  ("plucker_simulate_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~Simulate() override { std::filesystem::remove_all(folder_); }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    static std::vector<json> lines(const std::string& path) {
        std::vector<json> out;
        std::ifstream in(path);
        for (std::string line; std::getline(in, line);) out.push_back(json::parse(line));
        return out;
    }

private:
    std::filesystem::path folder_;
};

TEST_F(Simulate, RecordsAQuadrupedThatStands) {
    const std::string out = file("stand.jsonl");
    const Outcome outcome =
        run("simulate builtin:quadruped --ground mu=0.8,e=0 --hold kp=200,kd=5 --step 0.005 "
            "--duration 2 --every 10 "
            "--frame trunk --push trunk,20,0,0,1,0.1 --output " +
            out + " 2>&1");
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("2 s in 400 steps"), std::string::npos) << outcome.output;
    const std::vector<json> all = lines(out);
    ASSERT_EQ(all.size(), 42u) << "a first line, the beginning, and each tenth of 400 steps";
    EXPECT_EQ(all[0]["model"], "builtin:quadruped");
    EXPECT_EQ(all[0]["ground"]["friction"], 0.8);
    const json& last = all.back();
    EXPECT_EQ(last["time"], 2.0);
    ASSERT_GE(last["contacts"].size(), 4u);
    double weight = 0;
    for (const json& contact : last["contacts"]) {
        weight += contact["force"][2].get<double>();
        EXPECT_EQ(contact["normal"], json({0, 0, 1}));
        EXPECT_NE(contact["link"].get<std::string>().find("shank"), std::string::npos);
    }
    EXPECT_NEAR(weight, 14 * 9.81, 20) << "it carries itself, and sways a little";
    EXPECT_LE(last["residual"].get<double>(), 1e-9);
    EXPECT_EQ(last["frames"].size(), 1u);
    int pushed = 0;
    for (std::size_t k = 1; k < all.size(); ++k) pushed += all[k].contains("pushes") ? 1 : 0;
    EXPECT_EQ(pushed, 2);
    // eval reads it, as it is.
    const Outcome read = run("eval builtin:quadruped --state " + out + " --quantity com 2>&1");
    EXPECT_EQ(read.code, 0) << read.output.substr(0, 500);
}

// Half a metre deep in the ground nothing begins, and nothing is lost.
TEST_F(Simulate, KeepsAnEarlierRecordingWhereItCannotBegin) {
    const std::string out = file("run.jsonl"), state = file("deep.json");
    ASSERT_EQ(run("simulate builtin:pendulum --duration 0.01 --output " + out).code, 0);
    const std::vector<json> before = lines(out);
    ASSERT_EQ(run("state builtin:quadruped > " + state).code, 0);
    const Outcome outcome =
        run("simulate builtin:quadruped --ground --state " + state + " --output " + out + " 2>&1");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.output.find("m deep"), std::string::npos) << outcome.output;
    EXPECT_EQ(lines(out), before);
    const std::string other = file("new.jsonl");
    run("simulate builtin:quadruped --ground --state " + state + " --output " + other + " 2>&1");
    EXPECT_FALSE(std::filesystem::exists(other));
}

// A pendulum of 1 m, from 0.3 rad: the energy of the recording is that of the start, by all integrators.
TEST_F(Simulate, IntegratorsAgreeOnAPendulum) {
    const TemporaryFile state("start.json", kPendulumState);
    std::vector<double> ends;
    for (const char* integrator : {"euler", "rk4", "adaptive", "symplectic"}) {
        const std::string out = file(std::string(integrator) + ".jsonl");
        const Outcome outcome = run(
            std::string(
                "simulate builtin:pendulum --no-friction --duration 2 --every 2000 --integrator ") +
            integrator + " --state " + state.path() + " --output " + out + " 2>&1");
        ASSERT_EQ(outcome.code, 0) << outcome.output;
        const std::vector<json> all = lines(out);
        ASSERT_EQ(all.size(), 3u);
        const auto energy = [](const json& line) {
            return line["energy"]["kinetic"].get<double>() +
                   line["energy"]["potential"].get<double>();
        };
        EXPECT_NEAR(energy(all[2]), energy(all[1]), 1e-2) << integrator;
        ends.push_back(all[2]["q"][0].get<double>());
    }
    EXPECT_NEAR(ends[0], ends[2], 2e-3);
    EXPECT_NEAR(ends[1], ends[2], 1e-8);
    EXPECT_NEAR(ends[3], ends[2], 1e-5);
}

// A motion without contact ends when it was told to, also within a step.
TEST_F(Simulate, EndsWithTheDuration) {
    for (const char* integrator : {"rk4", "adaptive", "symplectic"}) {
        for (const char* duration : {"0.0025", "0.0004", "0.003"}) {
            const std::string out = file("end.jsonl");
            const Outcome outcome =
                run(std::string("simulate builtin:pendulum --no-friction "
                                "--step 0.001 --integrator ") +
                    integrator + " --duration " + duration + " --output " + out + " 2>&1");
            ASSERT_EQ(outcome.code, 0) << outcome.output;
            EXPECT_NEAR(lines(out).back()["time"].get<double>(), std::stod(duration), 1e-15)
                << integrator;
        }
    }
}

TEST_F(Simulate, FollowsTorquesFromAFile) {
    // Half a second of rest, then a torque. The pendulum hangs at 0.
    const TemporaryFile torque("torque.csv", "time,tau.hinge\n0,0\n0.5,1\n");
    const std::string out = file("driven.csv");
    const Outcome outcome = run("simulate builtin:pendulum --duration 1 --every 500 --torque " +
                                torque.path() + " --output " + out + " 2>&1");
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    std::ifstream in(out);
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_NE(text.str().find("time,q.hinge,v.hinge"), std::string::npos);
    EXPECT_NE(text.str().find("\n0.5,0.0,0.0"), std::string::npos) << text.str();
    EXPECT_EQ(text.str().find("\n1.0,0.0,"), std::string::npos) << text.str();
}

// An integrator that goes back in time, where it rejects a step, sees the same torques.
TEST_F(Simulate, TorquesFromAFileAreThoseOfTheirTimes) {
    std::string table = "time,tau.hinge\n";
    for (int k = 0; k < 200; ++k) {
        table +=
            std::to_string(0.01 * k) + "," + std::to_string(3 * std::sin(40 * 0.01 * k)) + "\n";
    }
    const TemporaryFile torque("torque.csv", table);
    std::vector<double> ends;
    for (const char* how : {"rk4 --step 0.0001", "adaptive --step 0.5", "euler --step 0.0001"}) {
        const std::string out = file("driven.jsonl");
        const Outcome outcome =
            run("simulate builtin:pendulum --no-friction --duration 2 --every 100000 --torque " +
                torque.path() + " --output " + out + " --integrator " + how + " 2>&1");
        ASSERT_EQ(outcome.code, 0) << outcome.output;
        ends.push_back(lines(out).back()["q"][0].get<double>());
    }
    EXPECT_NEAR(ends[1], ends[0], 1e-4);
    EXPECT_NEAR(ends[2], ends[0], 1e-4);
}

// What the motors do is recorded, by every integrator and in every format: the torques that hold a pendulum are those that
// gravity takes, and with them it does not accelerate.
TEST_F(Simulate, RecordsTheTorquesThatAct) {
    const TemporaryFile state("bent.json",
                              "{\"q\": {\"joints\": {\"shoulder\": 0.5, \"elbow\": -1}}}");
    for (const char* how : {"euler", "rk4"}) {
        for (const char* name : {"held.jsonl", "held.csv"}) {
            SCOPED_TRACE(std::string(how) + " " + name);
            const std::string out = file(name);
            const Outcome outcome = run(
                "simulate builtin:double_pendulum --no-friction --hold --duration 3 --every 3000 "
                "--state " +
                state.path() + " --integrator " + std::string(how) + " --output " + out + " 2>&1");
            ASSERT_EQ(outcome.code, 0) << outcome.output;
            const Outcome answer =
                run("eval builtin:double_pendulum --no-friction --state " + out +
                    " --quantity forward_dynamics,gravity_torque --output-format csv");
            ASSERT_EQ(answer.code, 0) << answer.output;
            const auto fields = [](const std::string& line) {
                std::vector<std::string> all;
                std::istringstream row(line);
                for (std::string field; std::getline(row, field, ',');) all.push_back(field);
                return all;
            };
            std::istringstream text(answer.output);
            std::string first, last;
            std::getline(text, first);
            for (std::string line; std::getline(text, line);) last = line;
            const std::vector<std::string> names = fields(first), numbers = fields(last);
            ASSERT_EQ(names.size(), numbers.size());
            double most = 0;
            int accelerations = 0;
            for (std::size_t k = 0; k < names.size(); ++k) {
                if (names[k].starts_with("gravity_torque."))
                    most = std::max(most, std::abs(std::stod(numbers[k])));
                if (!names[k].starts_with("forward_dynamics.")) continue;
                EXPECT_NEAR(std::stod(numbers[k]), 0, 0.05) << names[k];
                ++accelerations;
            }
            EXPECT_GT(most, 1);
            EXPECT_EQ(accelerations, 2);
        }
    }
    // And a recording is a log: its robot is found again.
    const std::string table = file("swing.csv");
    ASSERT_EQ(run("simulate builtin:pendulum --hold kp=2,kd=0.1 --state " +
                  TemporaryFile("start.json", kPendulumState).path() + " --duration 4 --output " +
                  table + " 2>&1")
                  .code,
              0);
    const Outcome found = run("identify builtin:pendulum --log " + table + " 2>&1");
    EXPECT_EQ(found.code, 0) << found.output;
}

// No motor is at a free body: what falls as it stands falls as all things do, whatever gains are asked for.
TEST_F(Simulate, HoldsNoFreeBody) {
    for (const std::string hold : {"", "kp=200", "kd=50", "kd=50 --integrator adaptive",
                                   "kp=200,kd=50 --integrator adaptive", "--integrator rk4"}) {
        const std::string out = file("fall.jsonl");
        ASSERT_EQ(run("simulate builtin:quadruped --hold " + hold +
                      " --step 0.005 --duration 0.1 --output " + out + " 2>&1")
                      .code,
                  0);
        const json v = lines(out).back()["v"];
        EXPECT_NEAR(v[5].get<double>(), -0.981, 1e-6) << hold;
    }
}

// On a slope of 1 in 10 that friction holds, the robot stands as high as the terrain is there; on stairs, beside them.
TEST_F(Simulate, StandsOnTerrain) {
    std::string table = "# heights\n";
    for (int j = 0; j < 5; ++j) table += "-0.4, -0.2, 0, 0.2, 0.4\n";
    const TemporaryFile slope("slope.csv", table);
    const std::string out = file("slope.jsonl");
    for (const std::string& ground :
         {"mu=1,spacing=2,heights=" + slope.path(), std::string("steps=0.1,tread=0.4")}) {
        const Outcome outcome = run(
            "simulate builtin:quadruped --ground " + ground +
            " --hold kp=200,kd=5 --step 0.005 --duration 1 --every 200 --output " + out + " 2>&1");
        ASSERT_EQ(outcome.code, 0) << outcome.output;
        const std::vector<json> all = lines(out);
        // A page can show it.
        const bool is_slope = ground.starts_with("mu");
        EXPECT_EQ(all[0].contains("ground"), !is_slope);
        EXPECT_EQ(all[0]["world"][is_slope ? "terrain" : "shapes"].size(), is_slope ? 1U : 10U);
        // Each step is one higher than the one before, from the floor on, and begins one tread farther.
        for (std::size_t k = 0; k < 10 && !is_slope; ++k) {
            const json& step = all[0]["world"]["shapes"][k];
            const auto middle = [&](int axis) { return step["position"][axis].get<double>(); };
            const auto half = [&](int axis) { return step["box"][axis].get<double>() / 2; };
            EXPECT_NEAR(middle(2) + half(2), 0.1 * static_cast<double>(k + 1), 1e-12);
            EXPECT_NEAR(half(2), 0.05, 1e-12);
            EXPECT_NEAR(middle(0) - half(0), 0.5 + 0.4 * static_cast<double>(k), 1e-12);
            EXPECT_NEAR(middle(0) + half(0), 0.5 + 0.4 * 10, 1e-12);
        }
        ASSERT_FALSE(all.back()["contacts"].empty());
        for (const json& contact : all.back()["contacts"]) {
            const double x = contact["position"][0].get<double>();
            const double height = is_slope ? 0.1 * x : 0;
            EXPECT_NEAR(contact["position"][2].get<double>(), height, 1e-3) << ground;
        }
    }
}

// A ball that the file puts above the ground begins there, and a keyframe puts it elsewhere.
TEST_F(Simulate, BeginsWhereTheFileHasItsBodies) {
    const TemporaryFile table(
        "table.xml",
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body name='arm' pos='3 0 1'><joint name='hinge' axis='0 1 0'/><geom size='.1'/></body>"
        "<body name='ball' pos='1 0 0.5'><freejoint name='free'/><geom size='.1'/></body>"
        "</worldbody><keyframe><key name='high' qpos='0.3 1 0 2 1 0 0 0'/></keyframe></mujoco>");
    for (const auto& [state, high] : {std::pair("", 0.5), {" --state high", 2.0}}) {
        const double height = high;
        const std::string out = file("table.jsonl");
        const Outcome outcome = run("simulate " + table.path() + state +
                                    " --ground --duration 0.1 --output " + out + " 2>&1");
        if (outcome.output.find("does not read MJCF") != std::string::npos) GTEST_SKIP();
        ASSERT_EQ(outcome.code, 0) << outcome.output;
        const std::vector<json> all = lines(out);
        double highest = 0;
        for (const json& x : all[1]["q"]) highest = std::max(highest, x.get<double>());
        EXPECT_EQ(highest, std::max(height, 1.0)) << all[1];
        EXPECT_TRUE(std::any_of(all[1]["q"].begin(), all[1]["q"].end(),
                                [&](const json& x) { return x == height; }));
    }
    const Outcome mistyped = run("simulate " + table.path() + " --state hihg 2>&1");
    EXPECT_NE(mistyped.output.find("--state hihg: there is no such file; unknown posture "
                                   "'hihg'; closest: 'high', 'file'"),
              std::string::npos)
        << mistyped.output;
    const Outcome info = run("info " + table.path());
    EXPECT_NE(info.output.find("high"), std::string::npos) << info.output;
}

// What the robot was made from is in the first line, and how it was to be: a page or another run can make it again. And the motion
// begins as the state says, velocity and all.
TEST_F(Simulate, RecordsWhatItWasToldOfTheRobotAndItsState) {
    const TemporaryFile state("swing.json", R"({"q": [0.5], "v": [2]})");
    const std::string out = file("told.jsonl");
    const std::string line = "simulate builtin:pendulum --duration 0.002 --state " + state.path() +
                             " --output " + out + " ";
    ASSERT_EQ(run(line + "2>&1").code, 0);
    const json plain = lines(out)[0];
    EXPECT_FALSE(plain.contains("no_friction"));
    EXPECT_FALSE(plain.contains("gravity"));
    EXPECT_EQ(lines(out).at(1)["q"], json({0.5}));
    EXPECT_EQ(lines(out).at(1)["v"], json({2.0}));
    ASSERT_EQ(run(line + "--no-friction --gravity 1,2,-3 --model pendulum --integrator rk4 --step "
                         "0.0005 --package-path /tmp 2>&1")
                  .code,
              0);
    const json told = lines(out)[0];
    EXPECT_EQ(told["no_friction"], true);
    EXPECT_EQ(told["gravity"], json({1.0, 2.0, -3.0}));
    EXPECT_EQ(told["which"], "pendulum");
    EXPECT_EQ(told["integrator"], "rk4");
    EXPECT_EQ(told["step"], 0.0005);
    EXPECT_EQ(told["package_paths"], json({"/tmp"}));
    EXPECT_FALSE(told.contains("floating"));
    ASSERT_EQ(
        run("simulate builtin:arm --floating --duration 0.002 --output " + out + " 2>&1").code, 0);
    EXPECT_EQ(lines(out)[0]["floating"], true);
}

// A contact says of which two links it is: of one with the world's link, and of one with another link.
TEST_F(Simulate, SaysWhichLinksTouch) {
    const TemporaryFile tower(
        "tower.xml",
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body name='lower' pos='0 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "<body name='upper' pos='0 0 0.3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "</worldbody></mujoco>");
    const std::string out = file("tower.jsonl");
    const Outcome outcome =
        run("simulate " + tower.path() + " --duration 0.01 --output " + out + " 2>&1");
    if (outcome.output.find("does not read MJCF") != std::string::npos) GTEST_SKIP();
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    std::set<std::pair<std::string, std::string>> pairs;
    const json last = lines(out).back();
    for (const json& contact : last["contacts"])
        pairs.emplace(contact["link"].get<std::string>(), contact["other"].get<std::string>());
    EXPECT_EQ(pairs, (std::set<std::pair<std::string, std::string>>{{"lower", "world"},
                                                                    {"lower", "upper"}}));
}

// The penetration that is told is the largest on the way, not the last: two millimetres, which are soon taken back.
TEST_F(Simulate, TellsTheDeepestOfAllSteps) {
    const TemporaryFile balls(
        "balls.xml",
        "<mujoco><worldbody>"
        "<body name='deep' pos='0 0 0.098'><freejoint/><geom size='.1'/></body>"
        "<body name='beside' pos='1 0 0.1'><freejoint/><geom size='.1'/></body>"
        "</worldbody></mujoco>");
    const Outcome outcome = run("simulate " + balls.path() + " --ground --duration 0.1 --output " +
                                file("balls.jsonl") + " 2>&1");
    if (outcome.output.find("does not read MJCF") != std::string::npos) GTEST_SKIP();
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("penetration at most 2.0e-03 m"), std::string::npos)
        << outcome.output;
}

TEST_F(Simulate, AMistakeCostsNoEarlierRecording) {
    std::ofstream(file("kept.jsonl")) << "{}\n";
    EXPECT_EQ(run("simulate builtin:pendulum --frame nowhere --output " + file("kept.jsonl") +
                  " 2> /dev/null")
                  .code,
              2);
    EXPECT_EQ(lines(file("kept.jsonl")), std::vector<json>{json::object()});
}

TEST_F(Simulate, SaysAtWhichOfSeveralStatesItBegins) {
    const TemporaryFile two("two.json", "[{\"q\": [0.5]}, {\"q\": [1]}]");
    const std::string line =
        "simulate builtin:pendulum --duration 0.001 --output " + file("one.jsonl") + " --state ";
    const Outcome several = run(line + two.path() + " 2>&1");
    EXPECT_EQ(several.code, 0);
    EXPECT_NE(several.output.find("two.json: has 2 states; the motion begins at the first"),
              std::string::npos)
        << several.output;
    EXPECT_EQ(lines(file("one.jsonl")).at(1)["q"][0], 0.5);
    EXPECT_NE(several.output.find("0.001 s in 1 step\n"), std::string::npos) << several.output;
    const std::string input = "simulate builtin:pendulum --duration 0.001 --state - 2>&1 ";
    EXPECT_EQ(run(input + "< /dev/null").output.find("-: "), std::string::npos);
    EXPECT_EQ(run_shell("echo '[]' | $plucker " + input).output,
              "plucker: standard input: has no state with q\n");
    const TemporaryFile one("one.json", "{\"q\": [0.5]}");
    EXPECT_EQ(run(line + one.path() + " 2>&1").output.find("states"), std::string::npos);
}

// A light link on a strong damper: the explicit integrator's steps are a third of a microsecond, whatever the tolerance.
TEST_F(Simulate, SaysWhereTheToleranceNeedsVeryShortSteps) {
    const auto robot = [](double damping) {
        return "<robot name='r'><link name='base'/><link name='rod'><inertial><mass value='1e-3'/>"
               "<origin xyz='0.01 0 0'/><inertia ixx='1e-9' iyy='1e-9' izz='1e-9' ixy='0' ixz='0' "
               "iyz='0'/></inertial></link><joint name='hinge' type='continuous'><parent "
               "link='base'/><child link='rod'/><axis xyz='0 1 0'/><dynamics damping='" +
               std::to_string(damping) + "'/></joint></robot>";
    };
    const TemporaryFile stiff("stiff.urdf", robot(1)), soft("soft.urdf", robot(1e-6));
    const auto said = [](const std::string& arguments) {
        const Outcome outcome = run("simulate " + arguments + " 2>&1 > /dev/null");
        EXPECT_EQ(outcome.code, 0) << outcome.output;
        return outcome.output;
    };
    const std::string adaptive = " --integrator adaptive --duration 0.02";
    const std::string warning = said(stiff.path() + adaptive);
    EXPECT_NE(warning.find("s the steps that the tolerance needs are 3"), std::string::npos)
        << warning;
    EXPECT_NE(warning.find("e-07 s long"), std::string::npos) << warning;
    EXPECT_NE(warning.find("--integrator euler"), std::string::npos) << warning;
    EXPECT_EQ(warning.find("warning: "), warning.rfind("warning: ")) << "once: " << warning;
    EXPECT_EQ(said(stiff.path() + " --duration 0.02").find("steps that"), std::string::npos);
    EXPECT_EQ(said(soft.path() + adaptive).find("steps that"), std::string::npos);
    // Steps that were asked for are what they are.
    for (const char* integrator : {"adaptive", "rk4"}) {
        const std::string short_ones = " --step 1e-8 --duration 3e-4 --every 1000 --integrator ";
        EXPECT_EQ(said(soft.path() + short_ones + integrator).find("steps that"),
                  std::string::npos);
    }
}

// What goes to standard error, of a run that succeeds.
std::string said_by(const std::string& arguments) {
    const Outcome outcome = run("simulate " + arguments + " 2>&1 > /dev/null");
    EXPECT_EQ(outcome.code, 0) << arguments << "\n" << outcome.output;
    return outcome.output;
}

// A hinge with limits, and a slide on it that has others.
TemporaryFile limited_arm(const std::string& lower, const std::string& upper) {
    const auto link = [](const std::string& name) {
        return "<link name='" + name +
               "'><inertial><mass value='1'/><origin xyz='0 0 -0.5'/><inertia ixx='0.1' iyy='0.1' "
               "izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
    };
    return {"limited.urdf",
            "<robot name='limited'><link name='base'/>" + link("rod") + link("tip") +
                "<joint name='j' type='revolute'><parent link='base'/><child link='rod'/><axis "
                "xyz='0 1 0'/><limit lower='" +
                lower + "' upper='" + upper +
                "' effort='1' velocity='1'/></joint><joint name='s' type='prismatic'><parent "
                "link='rod'/><child link='tip'/><axis xyz='1 0 0'/><limit lower='-0.3' upper='0.3' "
                "effort='1' velocity='1'/></joint></robot>"};
}

// As overlaps of links that move are: an arm whose second link is inside its base, in the air.
TEST_F(Simulate, LetsLinksThroughTheBaseThatTheyOverlap) {
    const TemporaryFile arm(
        "overlap.urdf",
        "<robot name='r'><link name='base'><collision><geometry><cylinder radius='0.1' "
        "length='0.2'/></geometry></collision></link><link name='l1'><inertial><mass value='1'/>"
        "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<link name='l2'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' "
        "ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='0.09'/></geometry>"
        "</collision></link>"
        "<joint name='a' type='continuous'><parent link='base'/><child link='l1'/>"
        "<origin xyz='0 0 0.1'/></joint><joint name='b' type='continuous'><parent link='l1'/>"
        "<child link='l2'/><origin xyz='0 0 0.03'/></joint></robot>");
    EXPECT_NE(said_by(arm.path() + " --duration 0.01")
                  .find("note: links 'l2' and 'base' overlap where the robot begins: they are let "
                        "through each other"),
              std::string::npos);
}

// A state that violates a constraint is a guess; what becomes of it is said.
TEST_F(Simulate, SaysHowItMeetsConstraints) {
    const TemporaryFile geared(
        "geared.xml",
        "<mujoco><worldbody>"
        "<body name='a'><joint name='left' axis='0 1 0'/><geom size='.1' pos='0 0 -.5'/></body>"
        "<body name='b'><joint name='right' axis='0 1 0'/><geom size='.1' pos='1 0 -.5'/></body>"
        "</worldbody><equality><joint name='gear' joint1='left' joint2='right' "
        "polycoef='0 1 0.5 0 0'/></equality></mujoco>");
    const std::string out = file("geared.jsonl");
    const auto begun = [&](const std::string& state, std::string& said) {
        const TemporaryFile at("at.json", state);
        said =
            said_by(geared.path() + " --duration 0.001 --state " + at.path() + " --output " + out);
        return lines(out).at(1);
    };
    std::string said;
    if (run("info " + geared.path() + " 2>&1").output.find("does not read MJCF") !=
        std::string::npos)
        GTEST_SKIP();
    json first = begun("{\"q\": [0.25, 0]}", said);
    EXPECT_NE(said.find("note: the state violates constraint 'gear' by 0.25 (m or rad): the motion "
                        "begins where it is met, which moves joint '"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("' most, from "), std::string::npos) << said;
    EXPECT_EQ(said.find("velocity"), std::string::npos) << said;
    const double right = first["q"][1].get<double>();
    EXPECT_NEAR(first["q"][0].get<double>(), right + 0.5 * right * right, 1e-9);
    first = begun("{\"q\": [0.625, 0.5], \"v\": [1, 0]}", said);
    EXPECT_NE(said.find("note: the velocity violates constraint 'gear' by 1 (m/s or rad/s)"),
              std::string::npos)
        << said;
    EXPECT_NEAR(first["v"][0].get<double>(), 1.5 * first["v"][1].get<double>(), 1e-9);
    EXPECT_EQ(said.find("the state violates"), std::string::npos) << said;
    first = begun("{\"q\": [0.625, 0.5], \"v\": [1.5, 1]}", said);
    EXPECT_EQ(said.find("note"), std::string::npos) << said;
    EXPECT_EQ(first["v"], json({1.5, 1.0}));
}

TEST_F(Simulate, BeginsWithinLimits) {
    const TemporaryFile arm = limited_arm("-0.25", "0.5");
    const TemporaryFile far("far.json", "{\"q\": [2, 0]}"),
        near("near.json", "{\"q\": [0.505, 0]}");
    const Outcome refused = run("simulate " + arm.path() + " --state " + far.path() + " 2>&1");
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.output,
              "plucker: the robot starts with joint 'j' at 2 rad, which is 1.5 rad beyond its "
              "limit of 0.5 rad; begin within its limits, or leave them out (joint_limits, "
              "--integrator rk4)\n");
    EXPECT_NE(said_by(arm.path() + " --state " + near.path() + " --duration 0.01")
                  .find("note: joints were up to 0.005 (m or rad) beyond their limits"),
              std::string::npos);
    EXPECT_EQ(said_by(arm.path() + " --duration 0.1").find("limit"), std::string::npos);
    // Limits that leave zero out.
    const TemporaryFile bent = limited_arm("0.25", "0.5");
    const std::string out = file("bent.jsonl");
    EXPECT_NE(
        said_by(bent.path() + " --duration 0.001 --output " + out)
            .find("note: zero is beyond a limit of these joints, which begin at it: 'j' at 0.25"),
        std::string::npos);
    EXPECT_EQ(lines(out).at(1)["q"], json({0.25, 0.0}));
    EXPECT_EQ(said_by(bent.path() + " --duration 0.001 --integrator rk4 --output " + out)
                  .find("which begin"),
              std::string::npos);
    EXPECT_EQ(lines(out).at(1)["q"], json({0.0, 0.0}));
}

// What an integrator without limits does to a robot that has some, as the recording has it.
TEST_F(Simulate, TellsWhichLimitsWerePassed) {
    const TemporaryFile arm = limited_arm("-0.25", "0.5");
    const TemporaryFile swing("swing.json", "{\"q\": [0.4, 0], \"v\": [3, 0], \"time\": 2}");
    for (const std::string integrator : {"rk4", "adaptive", "symplectic", "euler"}) {
        const std::string out = file("swing.jsonl");
        const std::string said = said_by(arm.path() + " --duration 0.2 --state " + swing.path() +
                                         " --integrator " + integrator + " --output " + out);
        double most = 0, first = 0;
        const std::vector<json> all = lines(out);
        for (std::size_t k = 1; k < all.size(); ++k) {
            const double beyond = all[k]["q"][0].get<double>() - 0.5;
            if (beyond > 1e-9 && first == 0) first = all[k]["time"].get<double>();
            most = std::max(most, beyond);
        }
        if (integrator == "euler") {
            EXPECT_LT(most, 1e-9);
            EXPECT_EQ(said.find("limit"), std::string::npos) << said;
            continue;
        }
        std::array<char, 200> expected{};
        std::snprintf(expected.data(), expected.size(),
                      "note: %s knows no joint limits: 'j' went up to %.3g beyond its limit of "
                      "0.5, first at %.4g s\n",
                      integrator.c_str(), most, first);
        EXPECT_NE(said.find(expected.data()), std::string::npos) << expected.data() << said;
        EXPECT_GT(most, 0.1);
    }
}

// The time of the state is where the clock begins; it runs for the duration, and what is told of it is what was.
TEST_F(Simulate, TellsHowLongItWas) {
    const TemporaryFile late("late.json", "{\"q\": [0.4], \"v\": [3], \"time\": 5}");
    // What was pushed at 5 s by a torque that holds from then on.
    const TemporaryFile torque("late.csv", "time,tau.hinge\n0,0\n5,1\n5.3,2\n");
    for (const std::string integrator : {"euler", "rk4", "adaptive", "symplectic"}) {
        const std::string out = file("late.jsonl");
        const std::string said = said_by("builtin:pendulum --duration 1 --step 0.3 --state " +
                                         late.path() + " --torque " + torque.path() +
                                         " --integrator " + integrator + " --output " + out);
        const std::vector<json> all = lines(out);
        const double end = integrator == "euler" ? 6.2 : 6;
        EXPECT_EQ(all.at(1)["time"], 5.0);
        EXPECT_EQ(all.at(1)["tau"], json({1.0}));
        EXPECT_EQ(all.back()["tau"], json({2.0}));
        EXPECT_NEAR(all.back()["time"].get<double>(), end, 1e-12) << integrator;
        const bool goes_on = integrator == "euler";
        EXPECT_NE(said.find(goes_on ? "1.2 s in 4 steps\n" : "1 s in "), std::string::npos) << said;
        EXPECT_EQ(said.find("1 s is not a whole number of steps of 0.3 s") != std::string::npos,
                  goes_on)
            << said;
    }
    for (const char* whole : {"1 --step 0.1", "0.3 --step 0.1", "0.7 --step 0.001"})
        EXPECT_EQ(said_by(std::string("builtin:pendulum --duration ") + whole).find("whole"),
                  std::string::npos);
}

// States and torques are CSV by the same names as everywhere.
TEST_F(Simulate, ReadsTablesWithTabs) {
    std::vector<json> ends;
    for (const std::string ending : {"csv", "CSV", "tsv", "TSV"}) {
        const char tab = std::tolower(ending[0]) == 't' ? '\t' : ',';
        const auto table = [&](const std::string& names, const std::string& row) {
            std::string text = names + "\n" + row + "\n";
            std::replace(text.begin(), text.end(), ',', tab);
            return text;
        };
        const TemporaryFile state("state." + ending, table("q.hinge,v.hinge", "0.5,2"));
        const TemporaryFile torque("torque." + ending, table("time,tau.hinge", "0,0.75"));
        const std::string out = file("table.jsonl");
        said_by("builtin:pendulum --duration 0.01 --state " + state.path() + " --torque " +
                torque.path() + " --output " + out);
        ends.push_back(lines(out).at(11));
        EXPECT_EQ(ends.back()["tau"], json({0.75}));
        EXPECT_EQ(ends.back(), ends.front()) << ending;
    }
}

// A frequency is that of the springs for the inertia that they move: of the pendulum 1 kg m².
TEST_F(Simulate, HoldsWithAFrequency) {
    const TemporaryFile state("start.json", kPendulumState);
    const auto end = [&](const std::string& hold) {
        const std::string out = file("held.jsonl");
        said_by("builtin:pendulum --duration 0.3 --state " + state.path() + " --output " + out +
                " --hold" + hold);
        return lines(out).at(301)["q"][0].get<double>();
    };
    EXPECT_EQ(end(" 5Hz"), end(""));
    EXPECT_EQ(end("=5Hz"), end(""));
    EXPECT_NEAR(end(" 2Hz"), end(" kp=157.91367041742973"), 1e-9);
    EXPECT_NE(end(" 2.5Hz"), end(" 2Hz"));
    EXPECT_NE(run("simulate builtin:pendulum --hold=xHz 2>&1")
                  .output.find("--hold: 'x' is not a number from zero on"),
              std::string::npos);
}

struct Mistake {
    std::string arguments, words;
};
TEST_F(Simulate, SaysWhatIsWrong) {
    const TemporaryFile empty("empty.json", "");
    const TemporaryFile nan("nan.csv", "time,tau.hinge\n0,nan\n");
    const TemporaryFile backwards("backwards.csv", "time,tau.hinge\n1,0\n0,0\n");
    const std::vector<Mistake> mistakes{
        {"builtin:pendulum --step 0", "--step is 0: it must be positive"},
        {"builtin:pendulum --duration -3", "--duration is -3: it must be positive"},
        {"builtin:pendulum --duration 1e9 --step 1e-6", "more than a billion steps"},
        {"builtin:pendulum --every 0", "--every is 0"},
        {"builtin:pendulum --integrator rk5", "rk5"},
        {"builtin:quadruped --ground --integrator rk4", "--ground needs --integrator euler"},
        {"builtin:quadruped --ground mu=x", "'x' is not a number"},
        {"builtin:quadruped --ground heights=/nowhere.csv", "/nowhere.csv: cannot be opened"},
        {"builtin:quadruped --ground spacing=0.2", "heights=FILE, which is missing"},
        {"builtin:quadruped --ground tread=0.2", "steps=HEIGHT, which is missing"},
        {"builtin:quadruped --ground steps=0", "a height and a tread above zero"},
        {"builtin:quadruped --ground e=1.5", "e is above 1"},
        {"builtin:quadruped --ground heights=/tmp", "/tmp: is a folder; name the table in it"},
        {"builtin:quadruped --ground mu=1,e=0,mu=2", "--ground: mu is given twice"},
        {"builtin:pendulum --state /tmp", "/tmp: is a folder; name the file in it"},
        {"builtin:pendulum --state home",
         "--state home: there is no such file, and the robot has no postures"},
        {"builtin:pendulum --output /tmp/run.tsv",
         "/tmp/run.tsv: a recording is JSON lines in a file that ends in .jsonl, .json or .ndjson, "
         "or CSV in one that ends in .csv"},
        {"builtin:pendulum --torque /tmp", "/tmp: is a folder; name the file in it"},
        {"builtin:pendulum --model arm", "unknown model 'arm'; closest: 'pendulum'"},
        {"builtin:quadruped --ground nu=1", "unknown value of --ground 'nu'"},
        {"builtin:quadruped --hold kp=-1", "'-1' is not a number from zero on"},
        {"builtin:quadruped --push trunk,1,2,3", "--push takes LINK,FX,FY,FZ,START,DURATION"},
        {"builtin:quadruped --push trnk,1,2,3,0,1",
         "--push trnk,1,2,3,0,1: unknown frame 'trnk'; closest: 'trunk'"},
        {"builtin:quadruped --push trunk,1,2,x,0,1", "'x' is not a number"},
        {"builtin:quadruped --push trunk,1,2,3,0,-1", "the duration is negative"},
        {"builtin:pendulum --frame nowhere", "--frame: unknown frame 'nowhere'"},
        {"builtin:pendulum --state " + empty.path(), "there is no state in it"},
        {"builtin:pendulum --torque " + nan.path(), "nan"},
        {"builtin:pendulum --torque " + backwards.path(), "times must grow"},
        {"builtin:pendulum --hold --torque " + backwards.path(), "choose one"},
        {"builtin:pendulum --ground", "m deep: link 'rod' is inside the world's 'ground'"},
        {"builtin:pendulum --output /no/such/folder/run.jsonl", "cannot be written"}};
    for (const Mistake& mistake : mistakes) {
        const Outcome outcome = run("simulate " + mistake.arguments + " 2>&1");
        EXPECT_EQ(outcome.code, 2) << mistake.arguments;
        EXPECT_NE(outcome.output.find(mistake.words), std::string::npos)
            << mistake.arguments << "\n"
            << outcome.output;
    }
}

}  // namespace
}  // namespace plucker::test
