// The tool as people run it: output, errors, exit codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "tool.hpp"

namespace plucker::test {
namespace {

TEST(Tool, ShowsTheTourWithoutArguments) {
    const Outcome tour = run("");
    EXPECT_EQ(tour.code, 0);
    for (const char* part : {"exoskeleton: 9 moving bodies, 14 degrees of freedom", "Mass matrix M",
                             "Coriolis matrix C", "Gravity torque G", "Inverse mass matrix",
                             "left_foot at", "Centre of mass", "Inverse dynamics", "M M⁻¹ = 1"}) {
        EXPECT_NE(tour.output.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(tour.output.find("FAILS"), std::string::npos);
    EXPECT_EQ(tour.output.find('\033'), std::string::npos) << "colours belong on a terminal only";
}

// ./run has the tour before the rest of the tool is compiled.
TEST(FirstRun, ShowsTheToursTextAndThePageOfItsRobot) {
    const Outcome first = run_shell("$tour");
    EXPECT_EQ(first.code, 0);
    EXPECT_EQ(first.output, run("").output);
    const TemporaryFile page("first_run.html", ""), same("same.html", "");
    const Outcome written =
        run_shell("$tour " + page.path() + " && $plucker view builtin:exoskeleton --output " +
                  same.path() + " && cmp " + page.path() + " " + same.path());
    EXPECT_EQ(written.code, 0) << written.output;
    const Outcome refused = run_shell("$tour /nowhere/page.html 2>&1");
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.output.find("plucker: "), 0U) << refused.output;
}

TEST(Tool, HelpsWithEverySubcommand) {
    for (const char* command :
         {"", "info", "check", "state", "eval", "verify", "bench", "convert", "generate", "excite",
          "identify", "robots", "algorithms", "tour", "completion", "version", "help"}) {
        const Outcome help = run(std::string(command) + " --help");
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_FALSE(help.output.empty()) << command;
    }
}

TEST(Tool, ExitsWithTwoOnWrongArguments) {
    for (const char* arguments :
         {"frobnicate", "info", "verify builtin:arm --samples 0", "info nowhere.urdf",
          "info builtin:arn", "verify builtin:arm --gravity 1,2", "eval builtin:arm"}) {
        EXPECT_EQ(run(std::string(arguments) + " 2>&1").code, 2) << arguments;
    }
    EXPECT_NE(run("info builtin:arn 2>&1").output.find("unknown robot 'arn'; closest: 'arm'"),
              std::string::npos);
}

// In MJCF and in SDF.
TEST(Info, ListsConstraints) {
    const std::string folder = PLUCKER_TEST_DATA_DIR;
    const std::string text = run("info " + folder + "/mjcf/linkage.xml").output;
    for (const char* line :
         {"cam (1): lift = 0.01 + 0.05 wheel_joint^2 + 0.02 wheel_joint^4",
          "brake (1): flap_joint = 0.1", "loop (3): coupler to rocker: no translation along x y z",
          "glue (6): tray to clamp: no rotation about x y z, no translation along x y z"}) {
        EXPECT_NE(text.find(line), std::string::npos) << text;
    }
    const json machine = json::parse(run("info --json " + folder + "/sdf/four_bar.sdf").output);
    ASSERT_EQ(machine["constraints"].size(), 1U);
    EXPECT_EQ(machine["constraints"][0]["rows"], 5);
    EXPECT_EQ(machine["constraints"][0]["frame_b"], "coupler");
}

TEST(Info, DrawsTheTree) {
    const Outcome info = run("info builtin:exoskeleton");
    EXPECT_EQ(info.code, 0);
    EXPECT_NE(
        info.output.find("└─ left_foot_link  2.5 kg  left_ankle: revolute (0 1 0) [-0.5, 0.8]"),
        std::string::npos)
        << info.output;
    const json machine = json::parse(run("info builtin:exoskeleton --json").output);
    EXPECT_EQ(machine["nv"], 14);
    EXPECT_EQ(machine["joints"].size(), 9U);  // with the one on which the base floats
}

TEST(Info, ReadsAFileWithEitherBase) {
    EXPECT_EQ(json::parse(run("info --json " + reference("walker.urdf")).output)["nv"], 12);
    EXPECT_EQ(json::parse(run("info --json --floating " + reference("walker.urdf")).output)["nv"],
              18);
}

// A base that is bolted to the floor weighs something, and moves nothing.
TEST(Info, WeighsWhatMovesAndWhatStands) {
    const auto inertial = [](const char* mass, const char* at) {
        return std::string("<inertial><origin xyz='") + at + "'/><mass value='" + mass +
               "'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
    };
    const TemporaryFile file("standing.urdf",
                             "<robot name='r'><link name='a'>" + inertial("3", "0 0 1") +
                                 "</link><link name='b'>" + inertial("1", "0 0 2") +
                                 "</link><joint name='j' type='continuous'><origin xyz='4 0 1'/>"
                                 "<parent link='a'/><child link='b'/></joint></robot>");
    const json standing = json::parse(run("info --json " + file.path()).output);
    EXPECT_EQ(standing["total_mass"], 1);
    const auto expect = [](const json& part, double mass, const json& center) {
        EXPECT_EQ(part["mass"], mass);
        EXPECT_EQ(part["center_of_mass"], center);
    };
    expect(standing["masses"]["moving"], 1, {4, 0, 3});
    expect(standing["masses"]["fixed"], 3, {0, 0, 1});
    expect(standing["masses"]["whole"], 4, {1, 0, 1.5});
    const std::string text = run("info " + file.path()).output;
    for (const char* line :
         {"\nmoving mass 1 kg, centre (4 0 3)\n", "\nfixed mass 3 kg, centre (0 0 1)\n",
          "\nwhole mass 4 kg, centre (1 0 1.5)\n"})
        EXPECT_NE(text.find(line), std::string::npos) << text;
    EXPECT_EQ(run("info --floating " + file.path()).output.find("whole mass"), std::string::npos);
    const json floating = json::parse(run("info --floating --json " + file.path()).output);
    expect(floating["masses"]["moving"], 4, {1, 0, 1.5});
    expect(floating["masses"]["fixed"], 0, nullptr);
}

TEST(Check, PrintsLikeACompilerAndExitsWithOne) {
    const TemporaryFile bad(
        "bad.urdf",
        "<robot name='r'>\n<link name='a'/>\n"
        "<link name='b'><inertial><mass value='-1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
        "iyz='0' "
        "izz='1'/></inertial></link>\n"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>\n</robot>");
    const Outcome check = run("check " + bad.path());
    EXPECT_EQ(check.code, 1);
    EXPECT_NE(check.output.find(bad.path() + ":3: error: link 'b': mass is -1 kg"),
              std::string::npos)
        << check.output;
    const json machine = json::parse(run("check --json " + bad.path()).output);
    EXPECT_EQ(machine["errors"], 1);
    EXPECT_EQ(machine["diagnostics"][0]["line"], 3);
    EXPECT_EQ(run("check " + reference("arm7.urdf")).code, 0);
}

TEST(Check, StrictMakesWarningsErrors) {
    // A moving leaf without mass: kinematics work, forward dynamics do not.
    const TemporaryFile odd(
        "odd.urdf",
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
        "<parent link='a'/><child link='b'/></joint></robot>");
    const Outcome lenient = run("check " + odd.path());
    EXPECT_EQ(lenient.code, 0);
    EXPECT_NE(lenient.output.find("warning: link 'b': moves on joint 'j' but has no mass"),
              std::string::npos);
    EXPECT_EQ(run("check --strict " + odd.path()).code, 1);
}

// A note is what may well be meant, and stops nothing.
TEST(Check, StrictLeavesNotesAlone) {
    const TemporaryFile odd(
        "note.urdf",
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia "
        "ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='j' "
        "type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 2'/></joint>"
        "</robot>");
    for (const char* strict : {"", "--strict "}) {
        const Outcome check = run("check " + std::string(strict) + odd.path());
        EXPECT_EQ(check.code, 0) << strict;
        EXPECT_NE(check.output.find("note: joint 'j': its axis has length 2"), std::string::npos)
            << check.output;
        EXPECT_NE(check.output.find("0 errors, 0 warnings, 1 note\n"), std::string::npos)
            << check.output;
        EXPECT_EQ(run("info " + std::string(strict) + odd.path() + " 2>&1").code, 0) << strict;
    }
}

// An inertia that no body has is common: it loads with a warning everywhere, unless told otherwise.
TEST(Check, BadInertiasAreWarningsUnlessStrict) {
    const TemporaryFile odd(
        "bad_inertia.urdf",
        "<robot name='r'><link name='a'/>\n<link name='b'><inertial><mass value='1'/>"
        "<inertia ixx='1' ixy='1' ixz='1' iyy='1' iyz='1' izz='1'/></inertial></link>\n"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>");
    const Outcome check = run("check " + odd.path());
    EXPECT_EQ(check.code, 0);
    EXPECT_NE(check.output.find(":2: warning: link 'b': rotational inertia violates the triangle "
                                "inequality (eigenvalues"),
              std::string::npos)
        << check.output;
    for (const char* command : {"info", "tour", "verify --samples 1"}) {
        EXPECT_EQ(run(std::string(command) + " " + odd.path() + " 2>&1").code, 0) << command;
        const Outcome strict = run(std::string(command) + " --strict " + odd.path() + " 2>&1");
        EXPECT_EQ(strict.code, 2) << command;
        EXPECT_NE(strict.output.find(":2: error: link 'b': rotational inertia"), std::string::npos)
            << strict.output;
    }
    const Outcome strict = run("check --strict " + odd.path());
    EXPECT_EQ(strict.code, 1);
    EXPECT_NE(strict.output.find(":2: error: link 'b'"), std::string::npos) << strict.output;
    // The old word for what is now done anyway.
    EXPECT_EQ(run("info --lenient " + odd.path()).code, 0);
    EXPECT_EQ(run("info --help").output.find("--lenient"), std::string::npos);
}

TEST(Check, PrintsWhatTheReadmeShows) {
    const std::string data = PLUCKER_TEST_DATA_DIR;
    std::ifstream file(data + "/../../README.md");
    const std::string readme((std::istreambuf_iterator<char>(file)), {});
    const std::string shown = run("check " + data + "/readme/arm.urdf").output;
    std::string expected = "$ ./run check arm.urdf\n";
    for (std::size_t at = 0; at < shown.size();) {
        const std::size_t path = shown.find(data + "/readme/", at);
        expected += shown.substr(at, path - at);
        at = path == std::string::npos ? shown.size() : path + (data + "/readme/").size();
    }
    EXPECT_NE(readme.find(expected), std::string::npos) << expected;
}

TEST(Check, NamesTheFileThatCannotBeRead) {
    const Outcome text = run("check missing.urdf");
    EXPECT_EQ(text.code, 2);
    EXPECT_TRUE(text.output.starts_with("missing.urdf: error: no such file\n")) << text.output;
    for (const std::string name : {"missing.urdf", "builtin:nothing"}) {
        const json report = json::parse(run("check --json " + name).output);
        ASSERT_EQ(report["diagnostics"].size(), 1U);
        EXPECT_EQ(report["diagnostics"][0]["file"], name);
        EXPECT_EQ(report["errors"], 1);
    }
}

TEST(Check, ReadsOneOfSeveralModels) {
    const std::string link =
        "<link name='l'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz>"
        "</inertia></inertial></link></model>";
    const TemporaryFile file("two.sdf", "<sdf version='1.9'><model name='one'>" + link +
                                            "<model name='two'>" + link + "</sdf>");
    const Outcome any = run("check " + file.path());
    EXPECT_EQ(any.code, 1);
    EXPECT_NE(any.output.find("model 'one', model 'two'"), std::string::npos) << any.output;
    EXPECT_EQ(json::parse(run("info --json --model two " + file.path()).output)["name"], "two");
}

TEST(Check, SeesASideThatWasMistyped) {
    const auto leg = [](const std::string& side, const std::string& mass) {
        return "<link name='" + side + "_leg'><inertial><mass value='" + mass +
               "'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' "
               "izz='0.1'/></inertial></link><joint name='" +
               side + "_hip' type='continuous'><parent link='body'/><child link='" + side +
               "_leg'/></joint>";
    };
    const TemporaryFile file("sides.urdf", "<robot name='r'><link name='body'/>" +
                                               leg("left", "2.5") + leg("right", "25") +
                                               "</robot>");
    EXPECT_NE(run("check " + file.path())
                  .output.find("its mass is 25, but that of 'left_leg' is 2.5; is one mistyped?"),
              std::string::npos);
}

TEST(Eval, AnswersOnStandardOutputAndComplainsOnStandardError) {
    const TemporaryFile state("state.json", "{\"q\": {\"joints\": {\"hinge\": 0.3}}}");
    const Outcome answer =
        run("eval builtin:pendulum --state " + state.path() + " --quantity mass_matrix,total_mass");
    ASSERT_EQ(answer.code, 0);
    EXPECT_NEAR(json::parse(answer.output)["mass_matrix"][0][0].get<double>(), 1.0, 1e-12);
    const Outcome piped =
        run("eval builtin:pendulum --state - --quantity total_mass < " + state.path());
    EXPECT_EQ(json::parse(piped.output)["total_mass"], 1.0);
    const Outcome bad =
        run("eval builtin:pendulum --state " + state.path() + " --quantity forward_dynamics 2>&1");
    EXPECT_EQ(bad.code, 2);
    EXPECT_NE(bad.output.find("forward_dynamics needs \"v\" and \"tau\""), std::string::npos)
        << bad.output;
}

TEST(Eval, ReadsAndWritesCsv) {
    const TemporaryFile states("states.csv", "q.hinge\n0.3\n0.4\n");
    const std::string arguments = " --quantity total_mass --output-format csv";
    const char* const expected = "q.hinge,total_mass\n0.3,1\n0.4,1\n";
    EXPECT_EQ(run("eval builtin:pendulum --state " + states.path() + arguments).output, expected);
    EXPECT_EQ(run("eval builtin:pendulum --state - --state-format csv" + arguments + " < " +
                  states.path())
                  .output,
              expected);
    const Outcome wrong = run("eval builtin:pendulum --state " + states.path() +
                              " --output-format xml --quantity total_mass 2>&1");
    EXPECT_EQ(wrong.code, 2);
}

// A table is one by its name, or where it is said to be one.
TEST(Eval, KnowsTablesByTheirNames) {
    const std::string commas = "q.hinge,v.hinge\n0.5,0.25\n",
                      tabs = "q.hinge\tv.hinge\n0.5\t0.25\n",
                      object = R"({"q": [0.5], "v": [0.25]})";
    const auto answer = [](const char* name, const std::string& text,
                           const std::string& more = "") {
        const TemporaryFile file(name, text);
        return run("eval builtin:pendulum --quantity kinetic_energy --state " + file.path() + " " +
                   more + " 2>&1");
    };
    for (const auto& [name, text] :
         {std::pair{"states.csv", commas}, {"states.tsv", tabs}, {"tabs.csv", tabs}}) {
        const Outcome found = answer(name, text);
        EXPECT_EQ(found.code, 0) << name << found.output;
        EXPECT_NE(found.output.find("\"kinetic_energy\":0.03125"), std::string::npos)
            << found.output;
    }
    for (const auto& [name, text, format] : {std::tuple{"states.txt", commas, "csv"},
                                             {"states.csv", object, "json"},
                                             {"states.tsv", object, "json"},
                                             {"states.json", tabs, "csv"}}) {
        EXPECT_EQ(answer(name, text).code, 2) << name;
        EXPECT_EQ(answer(name, text, std::string("--state-format ") + format).code, 0) << name;
    }
}

TEST(Eval, TakesTheOrderOfOthers) {
    // The base's quaternion is w x y z there, and a free base that turns over falls along its own axes.
    const TemporaryFile state("state.json",
                              R"({"q": [0, 0, 0, 0, 1, 0, 0, 0.3], "v": [1, 2, 3, 0, 0, 0, 0]})");
    const std::string arguments = "eval builtin:pendulum --floating --state " + state.path() +
                                  " --quantity frames --frame ground";
    const json answer = json::parse(run(arguments + " --order mujoco").output);
    EXPECT_EQ(answer["configuration_order"][3], "base.quaternion.w");
    const json velocity = answer["frames"]["ground"]["velocity_body"];
    EXPECT_NEAR(velocity[3].get<double>(), 1, 1e-15);
    EXPECT_NEAR(velocity[4].get<double>(), -2, 1e-15);  // half a turn about x
    EXPECT_NEAR(velocity[5].get<double>(), -3, 1e-15);
    EXPECT_EQ(run(arguments + " --order ros 2>&1").code, 2);
}

TEST(Eval, AppliesGravity) {
    const TemporaryFile state("state.json", "{\"q\": {\"joints\": {\"hinge\": 1.0}}}");
    const std::string arguments =
        "eval builtin:pendulum --state " + state.path() + " --quantity gravity_torque";
    const double earth = json::parse(run(arguments).output)["gravity_torque"][0];
    const double moon =
        json::parse(run(arguments + " --gravity 0,0,-1.62").output)["gravity_torque"][0];
    EXPECT_NEAR(moon / earth, 1.62 / 9.81, 1e-12);
}

TEST(Verify, CertifiesARobotFile) {
    const Outcome verify =
        run("verify " + reference("humanoid30.urdf") + " --floating --samples 3 --json");
    EXPECT_EQ(verify.code, 0);
    const json machine = json::parse(verify.output);
    EXPECT_EQ(machine["failed"], 0);
    EXPECT_GE(machine["laws"].size(), 44U);
}

// In columns, however long the names of the laws.
TEST(Verify, CountsAndLinesUp) {
    const std::string output = run("verify builtin:pendulum --samples 1").output;
    EXPECT_NE(output.find(" laws at 1 random state, seed 1\n"), std::string::npos) << output;
    std::istringstream lines(output);
    std::string line;
    std::getline(lines, line);
    std::set<std::size_t> widths;
    while (std::getline(lines, line)) {
        const std::size_t end = line.find("  holds");
        if (end == std::string::npos) continue;
        // Columns, not bytes: a dot on a letter takes none of its own.
        widths.insert(static_cast<std::size_t>(std::count_if(
            line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end), [](char x) {
                const auto byte = static_cast<unsigned char>(x);
                return (byte & 0xC0U) != 0x80 && byte != 0xCC;
            })));
    }
    EXPECT_EQ(widths.size(), 1U) << output;
}

TEST(Verify, ExitsWithOneIfALawFails) {
    // Nothing holds to the last bit.
    const std::string arguments = "verify builtin:arm --samples 2 --tolerance 1e-30";
    const Outcome strict = run(arguments);
    EXPECT_EQ(strict.code, 1);
    EXPECT_NE(strict.output.find("FAILS"), std::string::npos) << strict.output;
    EXPECT_NE(strict.output.find("laws fail."), std::string::npos) << strict.output;
    const Outcome machine = run(arguments + " --json");
    EXPECT_EQ(machine.code, 1);
    const json answer = json::parse(machine.output);
    const int failed = answer["failed"];
    EXPECT_GE(failed, 30);
    int counted = 0;
    for (const json& law : answer["laws"]) {
        EXPECT_EQ(law["tolerance"], 1e-30);
        EXPECT_EQ(law["status"], law["residual"] <= 1e-30 ? "holds" : "fails") << law;
        counted += law["status"] == "fails" ? 1 : 0;
    }
    EXPECT_EQ(counted, failed);
    EXPECT_EQ(run("verify builtin:arm --samples 2").code, 0);
    EXPECT_EQ(run("verify builtin:arm --tolerance 0 2>&1").code, 2);
    EXPECT_EQ(run("verify builtin:arm --tolerance -1 2>&1").code, 2);
}

TEST(Verify, SaysWhichLawsARobotDoesNotHave) {
    const TemporaryFile odd(
        "odd.urdf",
        "<robot name='r'><link name='a'/><link name='b'/><joint name='gripper' type='continuous'>"
        "<parent link='a'/><child link='b'/></joint></robot>");
    const Outcome verify = run("verify " + odd.path() + " 2>&1");
    EXPECT_EQ(verify.code, 0);
    EXPECT_NE(verify.output.find("not checked: M is singular, joint 'gripper' moves no inertia"),
              std::string::npos)
        << verify.output;
    const json machine = json::parse(run("verify --json " + odd.path() + " 2>/dev/null").output);
    EXPECT_EQ(machine["failed"], 0);
    const int not_checked = machine["not_checked"];
    EXPECT_GE(not_checked, 10);
    EXPECT_LT(not_checked, static_cast<int>(machine["laws"].size()));
    for (const json& law : machine["laws"]) {
        EXPECT_EQ(law["status"] == "not checked", law.contains("reason")) << law;
    }
}

// --- bench ---

constexpr const char* kBriefly = " --seconds 0.001 --batch 32";
// The names that others rely on.
constexpr const char* kTimedAlgorithms[] = {
    "inverse_dynamics", "forward_dynamics", "mass_matrix",   "inverse_mass_matrix",
    "coriolis_matrix",  "jacobians",        "jacobians_dot", "com_jacobian",
    "gravity_torque",   "bias_torque",      "kinetic_energy"};

// A report on one robot: each algorithm everywhere, and every number positive.
void expect_complete(const json& report) {
    for (const char* name : kTimedAlgorithms) {
        EXPECT_TRUE(report.at("single").contains(name)) << name;
    }
    const json& batch = report.at("batch");
    for (const auto& [name, times] : report.at("single").items()) {
        EXPECT_GT(times.at("min").get<double>(), 0) << name;
        EXPECT_GE(times.at("median").get<double>(), times.at("min").get<double>()) << name;
        for (const char* type : {"f64", "f32"}) {
            EXPECT_GT(batch.at(type).at(name).get<double>(), 0) << name;
            // Of some algorithms nothing is left for this robot.
            EXPECT_GE(report.at("gflops").at(type).at(name).get<double>(), 0) << name;
            const double fraction = report.at("fraction_of_peak").at(type).at(name);
            EXPECT_GE(fraction, 0) << name;
        }
        const long flops = report.at("operations").at(name).at("flops");
        // A quaternion is all that is normalised, and not every robot has one.
        EXPECT_GE(flops, name == "normalize_configuration" ? 0 : 1) << name;
        EXPECT_LE(report.at("executed_flops").at(name).get<long>(), flops) << name;
    }
    EXPECT_EQ(batch.at("f64").size(), report.at("single").size());
    EXPECT_EQ(batch.at("f32").size(), report.at("single").size());
    EXPECT_GT(report.at("peak_gflops").at("f64").get<double>(), 0);
    EXPECT_GT(report.at("peak_gflops").at("f32").get<double>(), 0);
}

TEST(Bench, TimesEveryAlgorithm) {
    const Outcome bench = run("bench builtin:arm --json --seconds 0.001");
    ASSERT_EQ(bench.code, 0);
    const json report = json::parse(bench.output);
    expect_complete(report);
    EXPECT_EQ(report["isa"], json::parse(run("version --json").output)["isa"]);
    EXPECT_EQ(report["model"], "builtin:arm");
    EXPECT_EQ(report["nv"], 7);
    EXPECT_EQ(report["batch_size"], 256);
    EXPECT_EQ(report["threads"], 1);
    EXPECT_FALSE(report["single"].contains("floating_base_inverse_dynamics"));
}

TEST(Bench, CountsTheOperationsOfAnAlgorithm) {
    const json report =
        json::parse(run(std::string("bench builtin:pendulum --json") + kBriefly).output);
    const json& counts = report["operations"]["inverse_dynamics"];
    EXPECT_EQ(counts["sines_and_cosines"], 2);
    EXPECT_EQ(counts["divisions"], 0);
    long sum = 0;
    for (const auto& [kind, n] : counts.items()) sum += kind == "flops" ? 0 : n.get<long>();
    EXPECT_EQ(counts["flops"], sum);
}

TEST(Bench, TakesSeveralModels) {
    const json report = json::parse(
        run("bench builtin:arm --floating --json --threads 2 " + reference("arm7.urdf") + kBriefly)
            .output);
    EXPECT_TRUE(report["isa"].is_string());
    ASSERT_EQ(report["models"].size(), 2U);
    for (const json& model : report["models"]) {
        expect_complete(model);
        EXPECT_EQ(model["isa"], report["isa"]);
        EXPECT_EQ(model["threads"], 2);
        EXPECT_EQ(model["batch_size"], 32);
        EXPECT_TRUE(model["single"].contains("floating_base_inverse_dynamics"));
    }
    EXPECT_EQ(report["models"][0]["name"], "arm");
    EXPECT_EQ(report["models"][1]["nv"], 13);
}

TEST(Bench, PrintsATable) {
    const Outcome bench = run(std::string("bench builtin:pendulum") + kBriefly);
    EXPECT_EQ(bench.code, 0);
    for (const char* part :
         {"pendulum: 1 body, nv 1", "lanes f64", "1 thread,", "GFLOP/s", "inverse_dynamics"}) {
        EXPECT_NE(bench.output.find(part), std::string::npos) << part << "\n" << bench.output;
    }
}

TEST(Bench, RefusesWhatCannotBeTimed) {
    for (const char* arguments : {"bench", "bench builtin:arn", "bench builtin:arm --batch 0",
                                  "bench builtin:arm --batch x", "bench builtin:arm --threads -1",
                                  "bench builtin:arm --seconds 0"}) {
        EXPECT_EQ(run(std::string(arguments) + " 2>&1").code, 2) << arguments;
    }
    const TemporaryFile rigid("rigid.urdf", "<robot name='r'><link name='a'/></robot>");
    const Outcome nothing = run("bench " + rigid.path() + " 2>&1");
    EXPECT_EQ(nothing.code, 2);
    EXPECT_NE(nothing.output.find("bench: robot 'r' has no joint that moves"), std::string::npos)
        << nothing.output;
    const Outcome singular = run("bench builtin:pendulum --floating 2>&1");
    EXPECT_EQ(singular.code, 2);
    EXPECT_NE(singular.output.find("singular at joint 'base'"), std::string::npos)
        << singular.output;
    const Outcome huge = run("bench 'builtin:chain(100)' --batch 1000000 2>&1");
    EXPECT_EQ(huge.code, 2);
    EXPECT_NE(huge.output.find("up to 4 GB are used, so --batch may be 50000"), std::string::npos)
        << huge.output;
}

// As in: plucker check <(xacro robot.xacro).
TEST(Tool, ReadsARobotFromAPipe) {
    const TemporaryFile state("piped.json", kPendulumState);
    for (const std::string& name : command_names()) {
        std::string rest = brief_arguments().at(name);
        if (!rest.starts_with("builtin:")) continue;
        rest.erase(0, std::min(rest.find(' '), rest.size()));
        const std::size_t dash = rest.find(" - ");
        if (dash != std::string::npos) rest.replace(dash + 1, 1, state.path());
        const Outcome outcome = run_shell("$plucker convert builtin:pendulum | $plucker " + name +
                                          " /dev/stdin" + rest + " 2>&1 > /dev/null");
        EXPECT_EQ(outcome.code, 0) << name << "\n" << outcome.output;
    }
    const Outcome large = run_shell("head -c 80000000 /dev/zero | $plucker info /dev/stdin 2>&1");
    EXPECT_EQ(large.code, 2);
    EXPECT_NE(large.output.find("more than 64 MiB is refused"), std::string::npos) << large.output;
}

TEST(Convert, WritesAFileThatReadsBack) {
    const TemporaryFile target("out.urdf", "");
    ASSERT_EQ(run("convert builtin:humanoid " + target.path()).code, 0);
    EXPECT_EQ(json::parse(run("info --json --floating " + target.path()).output)["nv"], 36);
    EXPECT_EQ(run("convert 'builtin:tree(9,1)' - 2>&1").code, 2);
}

TEST(Completion, IsAScriptThatBashAccepts) {
    EXPECT_EQ(run("completion bash | bash -n").code, 0);
    EXPECT_EQ(run("completion zsh > /dev/null").code, 0);
    EXPECT_EQ(run("completion fish 2> /dev/null").code, 2);
}

TEST(Version, NamesTheOptionalParts) {
    const json version = json::parse(run("version --json").output);
    EXPECT_TRUE(version["sdf"]);
    EXPECT_TRUE(version["mjcf"]);
}

// For the tools that are started meanwhile.
class EnvironmentVariable {
public:
    EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        setenv(name, value.c_str(), 1);
    }
    ~EnvironmentVariable() {
        if (old_) {
            setenv(name_, old_->c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }
    EnvironmentVariable(const EnvironmentVariable&) = delete;
    EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

private:
    const char* name_;
    std::optional<std::string> old_;
};

TEST(Version, ListsTheInstructionSets) {
    const json version = json::parse(run("version --json").output);
    ASSERT_FALSE(version["isas"].empty());
    EXPECT_EQ(version["isas"][0], "generic");
    std::string text = run("version").output;
    EXPECT_NE(text.find("in use: " + version["isa"].get<std::string>()), std::string::npos) << text;
    for (const json& isa : version["isas"]) {
        const auto name = isa.get<std::string>();
        EXPECT_NE(text.find(name), std::string::npos) << text;
        const EnvironmentVariable forced("PLUCKER_ISA", name);
        EXPECT_EQ(json::parse(run("version --json").output)["isa"], name);
        EXPECT_EQ(
            json::parse(run(std::string("bench builtin:pendulum --json") + kBriefly).output)["isa"],
            name);
    }
}

TEST(Version, RefusesAnUnknownInstructionSet) {
    const EnvironmentVariable forced("PLUCKER_ISA", "mmx");
    for (const char* arguments : {"version 2>&1", "bench builtin:pendulum 2>&1"}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_NE(outcome.output.find("PLUCKER_ISA is 'mmx': this machine can run generic"),
                  std::string::npos)
            << outcome.output;
    }
}

}  // namespace
}  // namespace plucker::test
