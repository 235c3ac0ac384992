// The shell is offered what the tool takes: the script is run as bash runs it.
#include <gtest/gtest.h>

#include <sstream>

#include "tool.hpp"

namespace plucker::test {
namespace {

// What bash offers for the last of the words.
std::vector<std::string> offered(const std::vector<std::string>& words) {
    std::string list, line;
    for (const std::string& word : words) {
        list += " \"" + word + "\"";
        line += (line.empty() ? "" : " ") + word;
    }
    std::istringstream out(
        run_shell("export plucker; bash -c 'source <($plucker completion bash); COMP_WORDS=(" +
                  list + "); COMP_CWORD=" + std::to_string(words.size() - 1) + "; COMP_LINE=\"" +
                  line + "\"; _plucker; printf \"%s\\n\" \"${COMPREPLY[@]}\"' 2>&1")
            .output);
    std::vector<std::string> found;
    for (std::string entry; std::getline(out, entry);) {
        if (!entry.empty()) found.push_back(entry);
    }
    return found;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

TEST(Completion, OffersEveryCommand) {
    const auto first = offered({"plucker", ""});
    const auto explained = offered({"plucker", "help", ""});
    for (const std::string& command : command_names()) {
        EXPECT_TRUE(contains(first, command)) << command;
        EXPECT_TRUE(contains(explained, command)) << command;
    }
    EXPECT_EQ(offered({"plucker", "inf"}), std::vector<std::string>{"info"});
    EXPECT_TRUE(contains(offered({"plucker", "--"}), "--version"));
}

TEST(Completion, OffersEveryOption) {
    for (const std::string& command : command_names()) {
        const auto options = offered({"plucker", command, "--"});
        const std::string help = run(command + " --help").output;
        std::size_t count = 0;
        std::istringstream lines(help);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t begin = line.find("--");
            if (line.rfind("  -", 0) != 0 || begin == std::string::npos) continue;
            const std::string name = line.substr(begin, line.find_first_of(" ,{", begin) - begin);
            EXPECT_TRUE(contains(options, name)) << command << " " << name;
            ++count;
        }
        EXPECT_GE(count, 1U) << command;
        EXPECT_EQ(options.size(), count) << command << " offers an option that it does not explain";
    }
}

TEST(Completion, OffersWhatAnOptionTakes) {
    EXPECT_TRUE(contains(offered({"plucker", "eval", "--quantity", "mass"}), "mass_matrix"));
    EXPECT_TRUE(contains(offered({"plucker", "info", "--package-path", "/tm"}), "/tmp"));
    EXPECT_TRUE(contains(offered({"plucker", "eval", "--state", "/tm"}), "/tmp"));
    EXPECT_TRUE(offered({"plucker", "verify", "--seed", ""}).empty());
    EXPECT_TRUE(contains(offered({"plucker", "info", "buil"}), "builtin:arm"));
    EXPECT_TRUE(contains(offered({"plucker", "info", "--json", "buil"}), "builtin:arm"));
    EXPECT_TRUE(contains(offered({"plucker", "info", "builtin:ar"}), "arm"));
    EXPECT_EQ(offered({"plucker", "completion", ""}), (std::vector<std::string>{"bash", "zsh"}));
    EXPECT_TRUE(contains(offered({"plucker", "algorithms", "com_j"}), "com_jacobian_dot"));
    EXPECT_TRUE(offered({"plucker", "robots", "x"}).empty());
}

}  // namespace
}  // namespace plucker::test
