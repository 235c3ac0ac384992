// 0 done, 1 findings, 2 failure: the same for every command, and written in every help.
#include <gtest/gtest.h>

#include "tool.hpp"

namespace plucker::test {
namespace {

// No body has such an inertia: one finding, in a file that can be read.
constexpr const char* kImpossible =
    "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
    "ixy='0' ixz='0' iyy='1' iyz='0' izz='9'/></inertial></link><joint name='j' "
    "type='continuous'><parent link='a'/><child link='b'/></joint></robot>";

// The command on another model than the one of its brief arguments, reading a state from standard input.
std::string with_model(const std::string& command, const std::string& model) {
    std::string arguments = brief_arguments().at(command);
    const std::size_t end = arguments.find(' ');
    return command + " " + model + (end == std::string::npos ? "" : arguments.substr(end)) +
           " < /dev/null 2>&1";
}

std::vector<std::string> commands_with_model() {
    std::vector<std::string> out;
    for (const std::string& name : command_names()) {
        if (brief_arguments().at(name).find("builtin:") == 0) out.push_back(name);
    }
    return out;
}

TEST(ExitCode, IsTwoWhereTheRobotCannotBeRead) {
    ASSERT_GE(commands_with_model().size(), 8U);
    for (const std::string& command : commands_with_model()) {
        for (const char* model : {"/nowhere/robot.urdf", "/tmp", "builtin:arn", "builtin:", "''",
                                  "/dev/null", "'builtin:chain(0)'"}) {
            const Outcome outcome = run(with_model(command, model));
            EXPECT_EQ(outcome.code, 2) << command << " " << model << "\n" << outcome.output;
            EXPECT_FALSE(outcome.output.empty());
        }
    }
}

TEST(ExitCode, IsOneForFindingsOfCheckAlone) {
    const TemporaryFile bad("impossible.urdf", kImpossible);
    for (const std::string& command : commands_with_model()) {
        const Outcome outcome = run(with_model(command, bad.path() + " --strict"));
        EXPECT_EQ(outcome.code, command == "check" ? 1 : 2) << command << "\n" << outcome.output;
    }
    const std::string good = reference("arm7.urdf");
    EXPECT_EQ(run("check " + good).code, 0);
    EXPECT_EQ(run("check --strict " + good + " " + bad.path()).code, 1);
    // What cannot be read outweighs what was found, in either order; both are said.
    for (const std::string& models :
         {bad.path() + " /nowhere.urdf", "/nowhere.urdf " + bad.path()}) {
        const Outcome both = run("check --strict " + models);
        EXPECT_EQ(both.code, 2);
        EXPECT_NE(both.output.find("/nowhere.urdf: error: no such file"), std::string::npos)
            << both.output;
        EXPECT_NE(both.output.find("triangle inequality"), std::string::npos) << both.output;
        EXPECT_NE(both.output.find("2 models: 2 errors"), std::string::npos) << both.output;
    }
    EXPECT_EQ(run("check --json /nowhere.urdf").code, 2);
}

TEST(ExitCode, IsTwoForWrongArguments) {
    const TemporaryFile state("codes.json", kPendulumState);
    for (const std::string& command : command_names()) {
        const std::string line = command + " " + brief_arguments().at(command);
        for (const char* wrong : {" --frobnicate", " one two three four"}) {
            if (command == "check" || command == "bench") continue;  // they take many models
            const Outcome outcome = run(line + wrong + " < " + state.path() + " 2>&1");
            EXPECT_EQ(outcome.code, 2) << line << wrong << "\n" << outcome.output;
        }
        EXPECT_EQ(run(line + " --frobnicate < " + state.path() + " 2>&1").code, 2) << line;
    }
}

TEST(ExitCode, IsExplainedByEveryHelp) {
    for (const std::string& command : command_names()) {
        const Outcome help = run("help " + command);
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_NE(help.output.find("Exit codes: 0 success; 1 a check found errors"),
                  std::string::npos)
            << help.output;
        EXPECT_EQ(help.output, run(command + " --help").output);
    }
    EXPECT_EQ(run("help").output, run("--help").output);
    EXPECT_NE(run("help").output.find("Exit codes: 0 success;"), std::string::npos);
}

TEST(Help, ShowsHowItsOwnCommandIsCalled) {
    for (const std::string& command : command_names()) {
        const std::string help = run("help " + command).output;
        // Where it is called elsewhere, completion says so.
        EXPECT_NE(help.find(command == "completion" ? "plucker completion bash" : "Examples:\n"),
                  std::string::npos)
            << help;
        EXPECT_EQ(help.find("Without a subcommand"), std::string::npos) << help;
    }
}

// --- Suggestions ---

TEST(Suggestion, IsMadeForAMistypedName) {
    const TemporaryFile robot("robot.urdf", kImpossible);
    const TemporaryFile state("state.json", kPendulumState);
    const TemporaryFile json_log("log.jsonl", "{\"time\": 0, \"q\": [0]}\n");
    const std::pair<std::string, std::string> cases[] = {
        {"inof builtin:arm", "unknown command 'inof'; closest: 'info'"},
        {"chek x.urdf", "unknown command 'chek'; closest: 'check'"},
        {"help evla", "unknown command 'evla'; closest: 'eval'"},
        {"builtin:arm",
         "'builtin:arm' is a robot; say what to do with it: plucker info builtin:arm"},
        {robot.path(), "is a robot; say what to do with it: plucker info"},
        {"info --jsn builtin:arm", "info: unknown option '--jsn'; closest: '--json'"},
        {"info builtin:arm --florting", "info: unknown option '--florting'; closest: '--floating'"},
        {"eval builtin:arm --stat=x", "eval: unknown option '--stat'; closest: '--state'"},
        {"--verson", "unknown option '--verson'; closest: '--version'"},
        {"info", "info: MODEL is required; see: plucker info --help"},
        {"check", "check: MODEL is required; see: plucker check --help"},
        {"bench", "bench: MODEL is required; see: plucker bench --help"},
        {"completion", "completion: SHELL is required; see: plucker completion --help"},
        {"eval builtin:pendulum", "eval: --state is required; see: plucker eval --help"},
        {"identify builtin:pendulum", "identify: --log is required; see: plucker identify --help"},
        {"generate builtin:pendulum", "generate: --output is required"},
        {"info builtin:arm other", "info: unexpected argument 'other'"},
        // Of several names between commas each is one.
        {"eval builtin:pendulum --state - --quantity com,nothing < /dev/null",
         "unknown quantity 'nothing'"},
        {"identify builtin:pendulum --log " + pendulum_log() + " --links rod,nowhere", "'nowhere'"},
        {"generate builtin:arm --explain --functions inverse_dynamics,nothing",
         "unknown function to generate 'nothing'"},
        {"generate builtin:arm --explain --functions frame_jacobian --frame tool,nowhere",
         "unknown frame 'nowhere'"},
        {"generate builtin:arm --explain --functions inverse_dynamics --force tool,nowhere",
         "unknown frame 'nowhere'"},
        {"info builtin:arn", "closest: 'arm'"},
        {"verify builtin:arm --tolerance 0", "--tolerance is 0: it must be positive"},
        {"verify builtin:arm --tolerance nan", "--tolerance is nan: it must be positive"},
        {"info builtin:arm --model amr", "unknown model 'amr'; closest: 'arm'"},
        {"eval builtin:arm --state /tmp", "/tmp: is a folder; name the file in it"},
        {"view builtin:arm --output -", "--output -: what it writes does not go to standard"},
        {"learn --output -", "--output -: what it writes does not go to standard"},
        {"view builtin:arm --output arm.pdf", "--output arm.pdf: what it writes is an HTML page"},
        {"view builtin:arm --output arm.html.gz", "let the name end in .html or .htm"},
        {"play --output arm.png", "--output arm.png: what it writes is an HTML page"},
        {"generate builtin:arm --output x --functions frame_pose --frame tol",
         "--frame: unknown frame 'tol'; closest: 'tool'"},
        {"generate builtin:arm --output x --force tol", "--force: unknown frame 'tol'"},
        {"generate builtin:arm --output x --parameter mass:link8",
         "--parameter: unknown parameter 'mass:link8'; closest: 'mass:link1'"},
        {"eval builtin:arm --state " + state.path() + " --frame tol",
         "--frame: unknown frame 'tol'"},
        {"eval builtin:pendulum --state " + state.path() + " --quantity gravty",
         "unknown quantity 'gravty'; closest: 'gravity_torque'"},
        {"identify builtin:pendulum --links bobb --log " + pendulum_log(),
         "--links: unknown link that moves 'bobb'"},
        {"identify builtin:pendulum --log /tmp", "/tmp: is a folder; name the file in it"},
        {"identify builtin:pendulum --log " + pendulum_log() + " --output -",
         "--output -: what it writes does not go to standard output; name a file"},
        {"identify builtin:pendulum --log " + pendulum_log() + " --plot -", "--plot -: what"},
        {"identify builtin:pendulum --log " + json_log.path(), "is JSON; a log is CSV"}};
    for (const auto& [arguments, expected] : cases) {
        const Outcome outcome = run(arguments + " 2>&1 > /dev/null");
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_NE(outcome.output.find(expected), std::string::npos) << outcome.output;
        EXPECT_EQ(outcome.output.rfind("plucker: ", 0), 0U) << outcome.output;
    }
}

}  // namespace
}  // namespace plucker::test
