// The tool as people run it: output, errors, exit codes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "tool.hpp"

namespace {

using nlohmann::json;
using plucker::test::Outcome;
using plucker::test::reference;
using plucker::test::run;
using plucker::test::TemporaryFile;

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

TEST(Tool, HelpsWithEverySubcommand) {
    for (const char* command : {"", "info", "check", "state", "eval", "verify", "bench", "convert",
                                "robots", "tour", "completion", "version", "help"}) {
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

TEST(Info, DrawsTheTree) {
    const Outcome info = run("info builtin:exoskeleton");
    EXPECT_EQ(info.code, 0);
    EXPECT_NE(
        info.output.find("└─ left_foot_link  2.5 kg  left_ankle: revolute (0 1 0) [-0.5, 0.8]"),
        std::string::npos)
        << info.output;
    const json machine = json::parse(run("info builtin:exoskeleton --json").output);
    EXPECT_EQ(machine["nv"], 14);
    EXPECT_EQ(machine["joints"].size(), 8U);
}

TEST(Info, ReadsAFileWithEitherBase) {
    EXPECT_EQ(json::parse(run("info --json " + reference("walker.urdf")).output)["nv"], 12);
    EXPECT_EQ(json::parse(run("info --json --floating " + reference("walker.urdf")).output)["nv"],
              18);
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

TEST(Verify, RefusesARobotThatCannotMove) {
    const TemporaryFile odd(
        "odd.urdf",
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
        "<parent link='a'/><child link='b'/></joint></robot>");
    const Outcome verify = run("verify " + odd.path() + " 2>&1");
    EXPECT_EQ(verify.code, 2);
    EXPECT_NE(verify.output.find("singular at joint 'j'"), std::string::npos) << verify.output;
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
            EXPECT_GT(report.at("gflops").at(type).at(name).get<double>(), 0) << name;
            const double fraction = report.at("fraction_of_peak").at(type).at(name);
            EXPECT_GT(fraction, 0) << name;
        }
        EXPECT_GT(report.at("operations").at(name).at("flops").get<long>(), 0) << name;
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
