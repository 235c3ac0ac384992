// Generated code compiles without a warning and passes its own test, in every language, precision and compiler.
#include "plucker/compiler/generate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

class Folder {
public:
    Folder()
        : path_(std::filesystem::temp_directory_path() /
                ("plucker_generate_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

const std::vector<std::string> kFunctions{
    "inverse_dynamics",          "forward_dynamics", "mass_matrix",      "com_jacobian",
    "inverse_mass_matrix_times", "integrate",        "mechanical_power", "difference"};

// Compiles with every warning as an error, and runs.
void expect_passes(const std::vector<GeneratedFile>& files, GeneratedLanguage language) {
    const Folder folder;
    std::string sources;
    for (const GeneratedFile& file : files) {
        std::ofstream(folder.path() + "/" + file.name) << file.text;
        if (file.name.ends_with(".c") || file.name.ends_with(".cpp"))
            sources += " " + folder.path() + "/" + file.name;
    }
    const std::string standard =
        language == GeneratedLanguage::kC ? "cc -std=c99" : "c++ -std=c++11";
    const std::string program = folder.path() + "/self_test";
    const std::string compile = standard + " -O0 -Wall -Wextra -Wconversion -pedantic -Werror" +
                                sources + " -lm -o " + program;
    ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
    EXPECT_EQ(std::system((program + " > /dev/null").c_str()), 0);
}

class Generated : public testing::TestWithParam<std::string> {};

TEST_P(Generated, CodePassesItsOwnTest) {
    const Model model = GetParam().starts_with("joint_") ? joint_model(GetParam().substr(6))
                                                         : robots::by_name(GetParam());
    for (const GeneratedLanguage language : {GeneratedLanguage::kC, GeneratedLanguage::kCpp}) {
        for (const GeneratedPrecision precision :
             {GeneratedPrecision::kF64, GeneratedPrecision::kF32}) {
            const GenerateOptions options{kFunctions, language, precision};
            const auto files = generate(model, options);
            expect_passes(files, language);
            // The same files again, byte for byte.
            const auto again = generate(model, options);
            for (std::size_t k = 0; k < files.size(); ++k) EXPECT_EQ(files[k].text, again[k].text);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Robots, Generated,
                         testing::Values("arm", "joint_floating_mimic", "joint_universal",
                                         "joint_dissipative"),
                         [](const auto& test) { return test.param; });

TEST(GeneratedCode, FailsItsTestWhenANumberIsWrong) {
    auto files = generate(robots::double_pendulum(), {.functions = {"mass_matrix"}});
    std::string& source = files[1].text;
    const std::size_t at = source.find(" * ", source.find('{'));
    ASSERT_NE(at, std::string::npos);
    source.replace(at, 3, " + ");
    const Folder folder;
    std::string sources;
    for (const GeneratedFile& file : files) {
        std::ofstream(folder.path() + "/" + file.name) << file.text;
        if (file.name.ends_with(".c")) sources += " " + folder.path() + "/" + file.name;
    }
    ASSERT_EQ(std::system(("cc -w" + sources + " -lm -o " + folder.path() + "/t").c_str()), 0);
    EXPECT_NE(std::system((folder.path() + "/t > /dev/null").c_str()), 0);
}

TEST(GeneratedNames, AreIdentifiersWithoutClashes) {
    EXPECT_EQ(identifier_from("left knee (deg)"), "left_knee_deg");
    EXPECT_EQ(identifier_from("7dof"), "robot_7dof");
    EXPECT_EQ(identifier_from("double"), "double_");
    EXPECT_EQ(identifier_from("*/ #include \"x\""), "include_x");
    EXPECT_EQ(identifier_from("ß"), "robot");
    const Model model =
        Builder("evil */ \n name")
            .link("ground")
            .body("ground", revolute("a b", {0, 0, 1}), "first", MassProperties::sphere(1, 0.1))
            .body("first", revolute("a-b", {0, 1, 0}), "second",
                  MassProperties::sphere(1, 0.1, {1, 0, 0}))
            .body("second", revolute("A_B", {1, 0, 0}), "third",
                  MassProperties::sphere(1, 0.1, {1, 0, 0}))
            .build();
    const auto files = generate(model, {.functions = {"inverse_dynamics"}});
    EXPECT_NE(files[0].text.find("_Q_A_B = 0"), std::string::npos);
    EXPECT_NE(files[0].text.find("_Q_A_B_2 = 1"), std::string::npos);
    EXPECT_NE(files[0].text.find("_Q_A_B_3 = 2"), std::string::npos);
    expect_passes(files, GeneratedLanguage::kC);
}

TEST(Generate, NamesWhatItCannot) {
    EXPECT_NE(message([] {
                  (void)generate(robots::arm(), {.functions = {"mass_matrx"}});
              }).find("'mass_matrix'"),
              std::string::npos);
    EXPECT_NE(message([] {
                  (void)generate(robots::arm(), {.functions = {"floating_base_inverse_dynamics"}});
              }).find("robot 'arm' has no floating_base_inverse_dynamics"),
              std::string::npos);
    EXPECT_NE(message([] { (void)generate(robots::arm(), {.functions = {}}); }), "no error");
}

}  // namespace
}  // namespace plucker::test
