// What is printed arrives, or the tool says that it did not; and a terminal is safe from the names in a file.
#include <gtest/gtest.h>

#include "tool.hpp"

namespace plucker::test {
namespace {

// Every command that prints, as a line of arguments.
std::vector<std::string> printing_commands() {
    std::vector<std::string> out{"", "--help", "--version"};
    for (const std::string& name : command_names()) {
        EXPECT_EQ(brief_arguments().count(name), 1U) << "say how to run " << name << " in tool.hpp";
        const std::string arguments = name + " " + brief_arguments().at(name);
        out.push_back(arguments);
        const std::string help = run(name + " --help").output;
        if (help.find("--json") != std::string::npos) out.push_back(arguments + " --json");
        out.push_back(name + " --help");
    }
    return out;
}

TEST(Output, IsCheckedByEveryCommand) {
    const TemporaryFile state("full.json", kPendulumState);
    ASSERT_GE(printing_commands().size(), 30U);
    for (const std::string& arguments : printing_commands()) {
        const std::string input = " < " + state.path();
        ASSERT_EQ(run(arguments + input + " > /dev/null").code, 0) << arguments;
        const Outcome full = run(arguments + input + " 2>&1 > /dev/full");
        EXPECT_EQ(full.code, 2) << arguments;
        EXPECT_EQ(full.output, "plucker: standard output: No space left on device\n") << arguments;
        const Outcome closed = run(arguments + input + " 2>&1 >&-");
        EXPECT_EQ(closed.code, 2) << arguments;
        EXPECT_EQ(closed.output, "plucker: standard output: Bad file descriptor\n") << arguments;
    }
}

TEST(Output, MayBeShortWhenNothingIsPrinted) {
    const TemporaryFile target("silent.urdf", "");
    EXPECT_EQ(run("convert builtin:arm " + target.path() + " >&-").code, 0);
    EXPECT_EQ(run("convert builtin:arm " + target.path() + " > /dev/full").code, 0);
    EXPECT_EQ(run("info " + target.path() + " 2>&1 >&-").code, 2);
}

TEST(Output, EndsQuietlyWhenTheReaderHasSeenEnough) {
    // More than a pipe holds. A signal ends the tool where it may; otherwise the write fails.
    for (const char* arguments : {"info \"builtin:chain(4000)\"", "state \"builtin:chain(4000)\"",
                                  "info --json \"builtin:chain(1000)\""}) {
        for (const char* before : {"", "trap \"\" PIPE; "}) {
            const Outcome outcome = run_shell(
                "export plucker; bash -c '" + std::string(before) + "$plucker " + arguments +
                " 2> >(sed s/^/complaint:/) | head -1 > /dev/null; echo ${PIPESTATUS[0]}'");
            EXPECT_EQ(outcome.output, *before == '\0' ? "141\n" : "2\n") << arguments;
        }
    }
}

// --- Control characters ---

// The first byte that a terminal might obey, or -1.
int dangerous_byte(const std::string& text) {
    for (std::size_t k = 0; k < text.size(); ++k) {
        const auto byte = static_cast<unsigned char>(text[k]);
        if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return byte;
        // The upper control characters, as UTF-8.
        if (byte == 0xC2 && static_cast<unsigned char>(text[k + 1]) < 0xA0) return text[k + 1];
    }
    return -1;
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

TEST(ControlCharacters, AreWrittenOut) {
    const auto shown = [](const std::string& name) {
        return run("info " + quoted("builtin:" + name) + " 2>&1").output;
    };
    for (int byte = 1; byte < 0x20; ++byte) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(byte));
        const std::string expected = byte == '\n' ? "\\n" : (byte == '\t' ? "\\t" : escape);
        const std::string text = shown(std::string("a") + static_cast<char>(byte) + "b");
        EXPECT_NE(text.find("'a" + expected + "b'"), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line";
    }
    const std::pair<const char*, const char*> cases[] = {
        {"\x7f", "\\x7f"},            // delete
        {"\xc2\x9b", "\\x9b"},        // CSI in one character
        {"\x9b", "\\x9b"},            // and as a byte that is not UTF-8
        {"\xff", "\\xff"},            // never UTF-8
        {"\xc3", "\\xc3"},            // half a character
        {"\xc0\x9b", "\\xc0\\x9b"},   // an overlong escape
        {"\xe2\x80\xae", "\\u202e"},  // right to left
        {"é", "é"},
        {"Ṁ", "Ṁ"},
        {"🤖", "🤖"}};
    for (const auto& [name, expected] : cases) {
        const std::string text = shown(std::string("a") + name + "b");
        EXPECT_NE(text.find(std::string("'a") + expected + "b'"), std::string::npos) << text;
    }
}

// Robots with a colour, the upper form of an escape, and a new line that looks like another message in the names of the
// robot, its links, joints and meshes.
std::string hostile_name(const std::string& name) {
    return "'" + name + "&#27;[31m&#x9b;31m&#127;&#10;error: none'";
}
const std::string kInertial =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
    "izz='1'/></inertial>";
const std::string kHostileUrdf =
    "<robot name=" + hostile_name("r") + "><link name=" + hostile_name("a") +
    "/><link name=" + hostile_name("b") + ">" + kInertial +
    "<visual><geometry><mesh filename=" + hostile_name("m.stl") +
    "/></geometry></visual></link><joint name=" + hostile_name("j") +
    " type='continuous'><parent link=" + hostile_name("a") + "/><child link=" + hostile_name("b") +
    "/><axis xyz='0 1 0'/></joint></robot>";
const std::string kHostileSdf =
    "<sdf version='1.7'><model name=" + hostile_name("r") + "><link name=" + hostile_name("a") +
    "><inertial><mass>1</mass></inertial></link><joint name=" + hostile_name("j") +
    " type='fixed'><parent>world</parent><child>nowhere</child></joint></model></sdf>";
const std::string kHostileMjcf =
    "<mujoco model=" + hostile_name("r") + "><worldbody><body name=" + hostile_name("a") +
    "><joint name=" + hostile_name("j") + "/><geom size='1' mesh=" + hostile_name("m") +
    "/></body></worldbody></mujoco>";

TEST(ControlCharacters, OfARobotReachNoTerminal) {
    for (const std::string& robot : {kHostileUrdf, kHostileSdf, kHostileMjcf}) {
        const TemporaryFile file("hostile\x1b[31m\n.xml", robot);
        const std::string model = quoted(file.path());
        for (const std::string& line :
             {"info " + model, "info --json " + model, "check " + model, "check --json " + model,
              "state " + model + " | $plucker eval --state - " + model,
              "verify --samples 1 " + model, "verify --samples 1 --json " + model,
              "bench --seconds 0.001 --batch 32 " + model, "tour " + model,
              "convert " + model + " 2>&1 > /dev/null; true"}) {
            const Outcome outcome = run(line + " 2>&1");
            EXPECT_EQ(dangerous_byte(outcome.output), -1) << line << "\n" << outcome.output;
            EXPECT_EQ(outcome.output.find("\nerror: none"), std::string::npos) << line;
        }
        // Whether the file is refused or read, the names are shown.
        const std::string text = run("info " + model + " 2>&1").output;
        EXPECT_NE(text.find("\\x1b[31m"), std::string::npos) << text;
    }
}

TEST(ControlCharacters, InArgumentsReachNoTerminal) {
    const std::string mark = "\x1b[31m\n";
    const TemporaryFile state("marks.json", kPendulumState);
    for (const std::string& arguments :
         {quoted("in" + mark), quoted("--" + mark), "info " + quoted("x" + mark),
          "info builtin:arm " + quoted(mark), "info builtin:arm " + quoted("--" + mark),
          "help " + quoted(mark), "verify builtin:arm --samples " + quoted(mark),
          "eval builtin:pendulum --state " + quoted(mark),
          "eval builtin:pendulum --state - --quantity " + quoted(mark) + " < " + state.path(),
          "eval builtin:pendulum --state - --frame " + quoted(mark) + " < " + state.path(),
          "completion " + quoted(mark), "convert builtin:arm " + quoted("/no/" + mark)}) {
        const Outcome outcome = run(arguments + " 2>&1");
        EXPECT_EQ(outcome.code, 2) << arguments;
        EXPECT_NE(outcome.output.find("\\x1b[31m\\n"), std::string::npos) << outcome.output;
        EXPECT_EQ(dangerous_byte(outcome.output), -1) << outcome.output;
        EXPECT_EQ(outcome.output.find('\n'), outcome.output.size() - 1) << outcome.output;
    }
}

}  // namespace
}  // namespace plucker::test
