// An option's value ends where it ends: what follows is the model. Over all options of all commands.
#include <gtest/gtest.h>

#include <set>

#include "tool.hpp"

namespace plucker::test {
namespace {

struct OptionCase {
    std::string command, option, value;
};

// Where `generate` writes.
const std::string kGenerated =
    (std::filesystem::temp_directory_path() / ("plucker_options_" + std::to_string(getpid())))
        .string();

// A value for each option that takes one.
std::string example_value(const std::string& command, const std::string& option,
                          const std::string& state) {
    static const std::map<std::string, std::string> kValues{{"--gravity", "0,0,-1.62"},
                                                            {"--package-path", "/tmp"},
                                                            {"--quantity", "com,total_mass"},
                                                            {"--frame", "tip"},
                                                            {"--samples", "2"},
                                                            {"--seed", "3"},
                                                            {"--batch", "16"},
                                                            {"--threads", "2"},
                                                            {"--seconds", "0.002"},
                                                            {"--count", "2"},
                                                            {"--model", "pendulum"},
                                                            {"--tolerance", "1e-3"},
                                                            {"--order", "plucker"},
                                                            {"--state-format", "json"},
                                                            {"--output-format", "json"},
                                                            {"--functions", "mass_matrix"},
                                                            {"--language", "c++"},
                                                            {"--precision", "f32"},
                                                            {"--reference", "world"},
                                                            {"--parameter", "payload:tip"},
                                                            {"--force", "tip"},
                                                            {"--duration", "3"},
                                                            {"--rate", "50"},
                                                            {"--harmonics", "3"},
                                                            {"--trials", "3"},
                                                            {"--margin", "0.2"},
                                                            {"--reach", "0.5"},
                                                            {"--velocity", "0.7"},
                                                            {"--log", pendulum_log()},
                                                            {"--validate", pendulum_log()},
                                                            {"--cutoff", "20"},
                                                            {"--prior", "0.5"},
                                                            {"--links", "rod"},
                                                            {"--step", "0.002"},
                                                            {"--integrator", "rk4"},
                                                            {"--push", "rod,1,0,0,0,1"},
                                                            {"--every", "5"},
                                                            {"--torque", pendulum_log()}};
    // A folder, or a file.
    if (option == "--output" || option == "--plot")
        return kGenerated + (command == "generate" ? "" : "_" + command);
    if (option == "--state") return state;
    const auto found = kValues.find(option);
    if (found == kValues.end()) ADD_FAILURE() << "give a value for " << option;
    return found == kValues.end() ? "" : found->second;
}

// The options of a command that take a value: "  -n,--count INT:…   what it is".
std::vector<std::string> options_with_value(const std::string& command) {
    std::vector<std::string> out;
    const std::string help = run(command + " --help").output;
    for (std::size_t at = help.find("\nOptions:\n") + 1; at != 0 && at < help.size();
         at = help.find('\n', at) + 1) {
        const std::string line = help.substr(at, help.find('\n', at) - at);
        if (line.empty()) break;
        const std::size_t begin = line.find("--");
        if (begin == std::string::npos || line.find_first_not_of(' ') > 4) continue;
        const std::size_t end = line.find(' ', begin);
        // A flag's name is followed by the column of explanations, or stands alone on its line.
        const bool takes_value = end != std::string::npos && line[end + 1] != ' ';
        if (takes_value) out.push_back(line.substr(begin, end - begin));
    }
    return out;
}

bool takes_a_model(const std::string& command) {
    return run(command + " --help").output.find(" MODEL") != std::string::npos;
}

// What else the command needs, without the option under test.
std::string companions(const OptionCase& c, const std::string& state) {
    std::string out;
    const auto add = [&](const char* option, const std::string& value) {
        if (c.option != option) out += std::string(" ") + option + " " + value;
    };
    if (c.command == "eval") add("--state", state);
    if (c.command == "generate") {
        add("--output", kGenerated);
        if (c.option == "--frame" || c.option == "--reference")
            add("--functions", "frame_jacobian");
        if (c.option == "--reference") add("--frame", "tip");
    }
    if (c.command == "view" || c.command == "play") add("--output", kGenerated + "_" + c.command);
    if (c.command == "excite") add("--trials", "2");
    if (c.command == "simulate") add("--duration", "0.01");
    if (c.command == "identify") add("--log", pendulum_log());
    if (c.command == "state") out += " --random";
    if (c.command == "bench") {
        add("--seconds", "0.001");
        add("--batch", "32");
    }
    return out;
}

// Whether it is of use with bench --gpu alone, which many machines cannot run.
bool needs_a_gpu(const std::string& command, const std::string& option) {
    return command == "bench" &&
           (option == "--device" || option == "--states" || option == "--functions");
}

TEST(Options, LeaveTheModelAlone) {
    const TemporaryFile state("options.json", kPendulumState);
    std::set<std::string> tried;
    for (const std::string& command : command_names()) {
        if (!takes_a_model(command)) continue;
        for (const std::string& option : options_with_value(command)) {
            if (needs_a_gpu(command, option)) continue;
            const OptionCase c{command, option, example_value(command, option, state.path())};
            tried.insert(command + option);
            const std::string rest = companions(c, state.path());
            const std::string model = " builtin:pendulum";
            const std::string before = command + " " + option + " " + c.value + model + rest;
            const std::string joined = command + rest + " " + option + "=" + c.value + model;
            const std::string after = command + model + rest + " " + option + " " + c.value;
            const Outcome expected = run(after + " 2>&1");
            EXPECT_EQ(expected.code, 0) << after << "\n" << expected.output;
            for (const std::string& line : {before, joined}) {
                const Outcome outcome = run(line + " 2>&1");
                EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.output;
                if (command != "bench") {
                    EXPECT_EQ(outcome.output, expected.output) << line;
                }
            }
        }
    }
    for (const char* suffix : {"", "_excite", "_identify", "_simulate", "_view", "_play"})
        std::filesystem::remove_all(kGenerated + suffix);
    for (const char* known :
         {"generate--functions", "generate--parameter", "generate--reference", "eval--quantity",
          "eval--frame", "eval--state", "check--package-path", "convert--gravity", "state--seed",
          "verify--samples", "tour--gravity", "bench--package-path", "excite--duration",
          "identify--validate", "state--count", "info--package-path", "view--output"}) {
        EXPECT_EQ(tried.count(known), 1U) << known << " is not found in the help";
    }
}

TEST(Options, LeaveSeveralModelsAlone) {
    const std::string models = " builtin:arm " + reference("arm7.urdf");
    for (const char* option : {"--package-path /tmp", "--package-path=/tmp", "--gravity 0,0,-1",
                               "--package-path /tmp --package-path /"}) {
        const Outcome check = run("check " + std::string(option) + models);
        EXPECT_NE(check.output.find("2 models:"), std::string::npos) << option << check.output;
    }
    const TemporaryFile target("options.urdf", "");
    for (const char* option : {"--package-path /tmp", "--gravity 0,0,-9.81", "--gravity -1,0,0"}) {
        EXPECT_EQ(run("convert " + std::string(option) + " builtin:arm " + target.path() +
                      " 2> /dev/null")
                      .code,
                  0)
            << option;
        EXPECT_GT(std::filesystem::file_size(target.path()), 0U) << option;
        std::ofstream(target.path(), std::ios::trunc).close();
    }
}

TEST(Options, ThatAreFlagsTakeNoValue) {
    for (const std::string flag : {"info builtin:arm --json", "check builtin:arm --strict",
                                   "eval builtin:arm --state - --floating", "bench --json"}) {
        for (const std::string value : {"4", "no", "false"}) {
            const Outcome outcome = run(flag + "=" + value + " 2>&1 < /dev/null");
            EXPECT_EQ(outcome.code, 2) << flag << value;
            EXPECT_NE(outcome.output.find(flag.substr(flag.rfind(' ') + 1) + " takes no value"),
                      std::string::npos)
                << outcome.output;
        }
    }
    // Those that need none may have one.
    EXPECT_EQ(run("simulate builtin:pendulum --duration 0.002 --hold=kp=1").code, 0);
    EXPECT_EQ(run("simulate builtin:pendulum --duration 0.002 --hold kp=1,kd=2").code, 0);
}

TEST(Options, OfAFormatAreNamed) {
    for (const std::string value : {"tsv", "1"}) {
        const Outcome outcome =
            run("eval builtin:pendulum --state - --output-format " + value + " 2>&1 < /dev/null");
        EXPECT_EQ(outcome.code, 2);
        EXPECT_EQ(outcome.output, "plucker: eval: --output-format: " + value +
                                      " not in {json,csv}; see: plucker eval --help\n");
    }
}

TEST(Options, OfAListMayBeRepeated) {
    const TemporaryFile state("repeated.json", kPendulumState);
    const std::string begin = "eval --state " + state.path();
    const std::string expected =
        run(begin + " builtin:pendulum --quantity com,total_mass,mass_matrix").output;
    EXPECT_NE(expected.find("total_mass"), std::string::npos);
    EXPECT_EQ(
        run(begin + " --quantity com --quantity total_mass,mass_matrix builtin:pendulum").output,
        expected);
}

TEST(Options, WithoutFrictionWorkOnEveryCommandWithAModel) {
    const TemporaryFile rusty(
        "rusty.urdf",
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia "
        "ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='hinge' "
        "type='continuous'><parent link='a'/><child link='b'/><dynamics damping='0.5' "
        "friction='0.25'/></joint></robot>");
    const TemporaryFile moving("moving.json",
                               "{\"q\": {\"joints\": {\"hinge\": 0}}, \"v\": {\"joints\": "
                               "{\"hinge\": 2}}}");
    const std::string eval =
        "eval " + rusty.path() + " --state " + moving.path() + " --quantity friction_torque";
    EXPECT_NE(run(eval).output.find("\"friction_torque\":[1.25]"), std::string::npos)
        << run(eval).output;
    EXPECT_NE(run(eval + " --no-friction").output.find("\"friction_torque\":[0]"),
              std::string::npos);
    EXPECT_NE(run("convert " + rusty.path()).output.find("damping"), std::string::npos);
    EXPECT_EQ(run("convert --no-friction " + rusty.path()).output.find("damping"),
              std::string::npos);
    const TemporaryFile state("friction.json", kPendulumState);
    for (const std::string& command : command_names()) {
        if (!takes_a_model(command)) continue;
        const std::string line = command + " --no-friction " + brief_arguments().at(command);
        EXPECT_EQ(run(line + " < " + state.path() + " 2>&1").code, 0) << line;
    }
}

}  // namespace
}  // namespace plucker::test
