// Commands whose results are those of the tree without its constraints say so, and no others.
#include <gtest/gtest.h>

#include "tool.hpp"

namespace plucker::test {
namespace {

const std::string kLinkage = std::string(PLUCKER_TEST_DATA_DIR) + "/mjcf/linkage.xml";
const std::string kNote = "linkage.xml: note: ";

struct Asked {
    const char* command;
    const char* note;  // empty: none
};
class OpenLoops : public testing::TestWithParam<Asked> {};

TEST_P(OpenLoops, AreNoted) {
    std::string command = GetParam().command;
    command.replace(command.find("MODEL"), 5, kLinkage);
    const std::string state = "$plucker state " + kLinkage + " 2> /dev/null | ";
    const Outcome said = run_shell(state + "$plucker " + command + " 2>&1 > /dev/null");
    const std::string note = GetParam().note;
    if (note.empty()) {
        EXPECT_EQ(said.output.find("the tree's"), std::string::npos) << said.output;
    } else {
        EXPECT_NE(said.output.find(kNote + note), std::string::npos) << said.output;
    }
    // Of a robot without constraints, nothing.
    command.replace(command.find(kLinkage), kLinkage.size(), "builtin:double_pendulum");
    const Outcome free = run_shell("$plucker state builtin:double_pendulum | $plucker " + command +
                                   " 2>&1 > /dev/null");
    EXPECT_EQ(free.code, 0) << free.output;
    EXPECT_EQ(free.output.find("note: "), std::string::npos) << free.output;
}
const std::string kFolder =
    (std::filesystem::temp_directory_path() / "plucker_cli_open_loops").string();
const std::string kGenerate = "generate MODEL --output " + kFolder;
const std::string kGenerateMass = kGenerate + " --functions mass_matrix";
INSTANTIATE_TEST_SUITE_P(
    Commands, OpenLoops,
    testing::Values(
        Asked{"eval MODEL --state - --quantity forward_dynamics",
              "forward_dynamics is the tree's, without the constraints 'cam', 'brake', 'loop' and "
              "2 more; constrained_forward_dynamics knows of constraints"},
        Asked{
            "eval MODEL --state - --quantity forward_dynamics,inverse_dynamics --output-format csv",
            "forward_dynamics, inverse_dynamics are the tree's"},
        Asked{"eval MODEL --state -", "inverse_dynamics, "},
        Asked{"eval MODEL --state - --quantity constrained_forward_dynamics,mass_matrix,frames",
              ""},
        Asked{kGenerate.c_str(), "inverse_dynamics, forward_dynamics are the tree's"},
        Asked{kGenerateMass.c_str(), ""},
        Asked{"verify MODEL --samples 1", "what the laws check is the tree's"},
        Asked{"tour MODEL", "what the tour shows is the tree's"}, Asked{"info MODEL", ""},
        Asked{"check MODEL", ""}));

}  // namespace
}  // namespace plucker::test
