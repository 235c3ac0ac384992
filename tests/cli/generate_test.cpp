// plucker generate: code to take away, and what became of each function on the way.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool.hpp"

namespace plucker::test {
namespace {

class OutputFolder {
public:
    OutputFolder()
        : path_(std::filesystem::temp_directory_path() /
                ("plucker_generated_" + std::to_string(getpid()))) {}
    ~OutputFolder() { std::filesystem::remove_all(path_); }
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

TEST(GenerateCommand, ExplainsWithoutWriting) {
    const Outcome text = run("generate builtin:arm --explain --functions inverse_dynamics");
    EXPECT_EQ(text.code, 0);
    for (const char* word : {"asked for", "folded", "needed", "in lanes", "fused", "spilled",
                             "bytes", "\ninverse_dynamics ", "\n  multiply "}) {
        EXPECT_NE(text.output.find(word), std::string::npos) << word << "\n" << text.output;
    }
    const Outcome machine = run(
        "generate builtin:arm --explain --json --functions mass_matrix,frame_pose --frame tool");
    ASSERT_EQ(machine.code, 0);
    const json out = json::parse(machine.output);
    EXPECT_EQ(out["robot"], "arm");
    EXPECT_FALSE(out.contains("files"));
    ASSERT_EQ(out["functions"].size(), 2U);
    EXPECT_EQ(out["functions"][0]["frame"], nullptr);
    EXPECT_EQ(out["functions"][1]["frame"], "tool");
    for (const json& f : out["functions"]) {
        EXPECT_GT(f["asked"]["total"], f["folded"]["total"]);
        EXPECT_GE(f["folded"]["total"], f["needed"]["total"]);
        EXPECT_EQ(f["needed"], f["in_lanes"]);  // an arm has no limbs
        EXPECT_GT(f["needed"]["total"], f["steps"]);
        EXPECT_GT(f["asked"]["multiply"], f["needed"]["multiply"]);
        EXPECT_TRUE(f["machine_code"].is_null() || f["machine_code"]["bytes"] > 0);
    }
}

TEST(GenerateCommand, WritesParametersAndFrames) {
    const OutputFolder folder;
    const Outcome outcome =
        run("generate builtin:arm --functions frame_jacobian,frame_pose --frame tool,link4 "
            "--reference world "
            "--parameter gravity --parameter frame:tool --explain --json --output " +
            folder.path());
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const json out = json::parse(outcome.output);
    ASSERT_EQ(out["files"].size(), 4U);
    std::ifstream file(out["files"][0].get<std::string>());
    const std::string header{std::istreambuf_iterator<char>(file), {}};
    for (const char* text :
         {"arm_frame_jacobian_tool(", "arm_frame_jacobian_link4(", "const double gravity[3]",
          "ARM_DEFAULT_FRAME_TOOL[6]", "in the world's axes, at the world's origin"}) {
        EXPECT_NE(header.find(text), std::string::npos) << text << "\n" << header;
    }
    // What a function computes is a sentence, which begins with a capital or a symbol.
    for (const char* begin : {"/* J with J v = ", "/* The pose of a frame "})
        EXPECT_NE(header.find(begin), std::string::npos) << header;
}

// Each choice reaches what is written.
TEST(GenerateCommand, WritesWhatWasChosen) {
    const auto header = [](const std::string& choice) {
        const OutputFolder folder;
        const Outcome outcome =
            run("generate builtin:pendulum --functions frame_velocity --frame "
                "tip --json " +
                choice + " --output " + folder.path());
        EXPECT_EQ(outcome.code, 0) << outcome.output;
        std::ifstream file(json::parse(outcome.output)["files"][0].get<std::string>());
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    const std::string body = "in the frame's own axes, at its origin",
                      world = "in the world's axes, at the world's origin",
                      aligned = "in the world's axes, at the frame's origin";
    const std::pair<std::string, std::vector<std::string>> choices[] = {
        {"", {body, "const double q[1]", "extern \"C\""}},
        {"--reference body", {body}},
        {"--reference world", {world}},
        {"--reference world_aligned", {aligned}},
        {"--precision f64", {"const double q[1]"}},
        {"--precision f32", {"const float q[1]", body}},
        {"--language c", {"extern \"C\""}},
        {"--language c++", {"namespace pendulum {", body}}};
    for (const auto& [choice, expected] : choices) {
        const std::string text = header(choice);
        for (const std::string& part : expected)
            EXPECT_NE(text.find(part), std::string::npos) << choice << "\n" << text;
    }
}

TEST(GenerateCommand, NamesItsFiles) {
    const OutputFolder folder;
    const Outcome outcome = run("generate builtin:pendulum --json --output " + folder.path());
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const json out = json::parse(outcome.output);
    EXPECT_FALSE(out.contains("functions"));
    ASSERT_EQ(out["files"].size(), 4U);
    for (const json& file : out["files"])
        EXPECT_TRUE(std::filesystem::exists(file.get<std::string>())) << file;
}

TEST(GenerateCommand, SaysWhatIsMissing) {
    const auto complaint = [](const std::string& arguments) {
        const Outcome outcome = run("generate builtin:arm " + arguments + " 2>&1");
        EXPECT_EQ(outcome.code, 2) << arguments;
        return outcome.output;
    };
    EXPECT_NE(complaint("").find("--output"), std::string::npos);
    EXPECT_NE(complaint("--explain --parameter payload:tol").find("'payload:tool'"),
              std::string::npos);
    EXPECT_NE(complaint("--explain --functions frame_pose").find("takes a frame"),
              std::string::npos);
    EXPECT_NE(complaint("--explain --reference sideways").find("world_aligned"), std::string::npos);
}

}  // namespace
}  // namespace plucker::test
