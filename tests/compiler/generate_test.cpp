// Generated code compiles without a warning and passes its own test, in every language, precision and compiler.
#include "plucker/compiler/generate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "function_writer.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/compiler/recorder.hpp"
#include "plucker/compiler/trace.hpp"
#include "plucker/laws/kinematics_laws.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/plucker.hpp"
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
    const bool is_c = language == GeneratedLanguage::kC;
    const std::string program = folder.path() + "/self_test";
    for (const std::string compiler : {is_c ? "cc" : "c++", is_c ? "clang" : "clang++"}) {
        if (std::system(("command -v " + compiler + " > /dev/null").c_str()) != 0) continue;
        const std::string compile = compiler + (is_c ? " -std=c99" : " -std=c++11") +
                                    " -O0 -Wall -Wextra -Wconversion -pedantic -Werror" + sources +
                                    " -lm -o " + program;
        ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
        EXPECT_EQ(std::system((program + " > /dev/null").c_str()), 0) << compile;
    }
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

// A digit that is wrong is seen: what is expected is changed by a little, and the code does not pass any more.
TEST(GeneratedCode, FailsATestThatExpectsAnotherNumber) {
    if (std::system("command -v cc > /dev/null") != 0) GTEST_SKIP() << "no C compiler";
    for (const GeneratedPrecision precision :
         {GeneratedPrecision::kF64, GeneratedPrecision::kF32}) {
        const Folder folder;
        std::string sources;
        for (const GeneratedFile& file : generate(
                 robots::pendulum(), {{"inverse_dynamics"}, GeneratedLanguage::kC, precision})) {
            std::string text = file.text;
            if (const std::size_t at = text.find("_expected["); at != std::string::npos) {
                const std::size_t number = text.find('{', at) + 1;
                std::size_t length = 0;
                const double x = std::stod(text.substr(number), &length);
                text.insert(number + length,
                            precision == GeneratedPrecision::kF64 ? " * 1.0000001" : " * 1.001");
                EXPECT_NE(x, 0);
            }
            std::ofstream(folder.path() + "/" + file.name) << text;
            if (file.name.ends_with(".c")) sources += " " + folder.path() + "/" + file.name;
        }
        const std::string program = folder.path() + "/self_test";
        ASSERT_EQ(std::system(("cc -O0" + sources + " -lm -o " + program).c_str()), 0);
        EXPECT_NE(std::system((program + " > /dev/null 2>&1").c_str()), 0);
    }
}

// Parameters, and functions of frames, in every language and precision.
TEST(GeneratedCode, TakesParametersAndFrames) {
    for (const GeneratedLanguage language : {GeneratedLanguage::kC, GeneratedLanguage::kCpp}) {
        for (const GeneratedPrecision precision :
             {GeneratedPrecision::kF64, GeneratedPrecision::kF32}) {
            GenerateOptions options{
                {"inverse_dynamics", "forward_dynamics", "frame_pose", "frame_jacobian"},
                language,
                precision,
                {"tool", "link4"},
                ReferenceFrame::kWorldAligned,
                {"gravity", "mass:link3", "payload:tool", "frame:tool"}};
            expect_passes(generate(robots::arm(), options), language);
        }
    }
}

// All that can be written of a robot, in one folder, and every state that its test looks at is one.
TEST(GeneratedCode, OfEveryFunctionPassesItsOwnTest) {
    const Model model =
        Builder("brick")
            .base(Base::kFloating)
            .link("base", odd_mass(0))
            .body("base", revolute("hinge", {0, 1, 0}).at(0.1, 0, 0.2), "arm", odd_mass(1))
            .build();
    GenerateOptions options{.functions = {}, .frames = {"arm"}};
    for (const Algorithm& row : algorithms()) {
        GenerateOptions alone{.functions = {row.name}};
        if (row.inputs.has(Kind::kFrame)) alone.frames = {"arm"};
        if (message([&] { (void)generate(model, alone); }) == "no error")
            options.functions.emplace_back(row.name);
    }
    EXPECT_GE(options.functions.size(), 50U);
    const auto files = generate(model, options);
    expect_passes(files, GeneratedLanguage::kC);
    // Quaternions of unit length, wherever a configuration is asked for.
    int configurations = 0;
    for (const GeneratedFile& file : files) {
        if (!file.name.ends_with("_test.c")) continue;
        for (const char* name : {" q[] = {", " q0[] = {", " q1[] = {"}) {
            for (std::size_t at = 0; (at = file.text.find(name, at)) != std::string::npos;) {
                at += std::string(name).size();
                std::string list = file.text.substr(at, file.text.find('}', at) - at);
                std::replace(list.begin(), list.end(), ',', ' ');
                std::istringstream numbers(list);
                VectorX<double> q(model.nq());
                for (double& x : q) numbers >> x;
                EXPECT_NEAR(q.segment(3, 4).norm(), 1, 1e-12) << name << list;
                ++configurations;
            }
        }
    }
    EXPECT_GE(configurations, 100);
}

// Forces are an argument of the functions that take some, and of no other.
TEST(GeneratedCode, TakesForces) {
    for (const ReferenceFrame reference : laws::kReferenceFrames) {
        GenerateOptions options{.functions = {"inverse_dynamics", "forward_dynamics", "mass_matrix",
                                              "reaction_forces", "mechanical_power"},
                                .parameters = {"gravity"}};
        options.reference = reference;
        options.forces = {"front_left_foot", "hind_right_foot"};
        const auto files = generate(robots::quadruped(), options);
        expect_passes(files, options.language);
        for (const char* text :
             {"inverse_dynamics(const double q[19], const double v[18], const double a[18], const "
              "double forces[12], const double gravity[3], double tau[18])",
              "mass_matrix(const double q[19], const double gravity[3], double M[324])",
              "moment and force on the frame 'front_left_foot', on 'hind_right_foot'"})
            EXPECT_NE(files[0].text.find(text), std::string::npos) << files[0].text;
    }
}

// What a self-test expects of forces is what the kernel gives.
TEST(GeneratedCode, HasForcesWhereTheKernelHasThem) {
    const Model model = robots::quadruped();
    std::mt19937 generator(1);
    const auto s = laws::random_state(model, generator);
    for (const ReferenceFrame reference : laws::kReferenceFrames) {
        ExternalForces<double> forces(model);
        compiler::RecordOptions options;
        std::vector<double> inputs;
        for (const VectorX<double>* x : {&s.q, &s.v, &s.a})
            inputs.insert(inputs.end(), x->begin(), x->end());
        for (const char* foot : {"front_left_foot", "hind_right_foot"}) {
            const double x = 1 + static_cast<double>(options.forces.size());
            forces.add(model.frame_id(foot), {{0.1 * x, -0.2, 0.3}, {10, 20 * x, -30}}, reference);
            options.forces.push_back({model.frame_id(foot), reference});
            inputs.insert(inputs.end(), {0.1 * x, -0.2, 0.3, 10, 20 * x, -30});
        }
        const std::vector<double> got =
            compiler::evaluate(compiler::record(model, "inverse_dynamics", options).program, inputs)
                .outputs;
        const VectorX<double> expected = inverse_dynamics(model, s.q, s.v, s.a, &forces);
        const double scale = expected.lpNorm<Eigen::Infinity>();
        for (int k = 0; k < model.nv(); ++k)
            EXPECT_NEAR(got[static_cast<std::size_t>(k)], expected[k], 1e-12 * scale);
    }
}

// A robot that is singular wherever it is: 1/0 is known before anything runs.
TEST(GeneratedCode, SaysThatARobotIsAlwaysSingular) {
    const Model model = Builder("loose")
                            .link("ground")
                            .body("ground", revolute("hinge", {0, 1, 0}), "rod",
                                  MassProperties::box(1, {0.1, 0.2, 0.3}, {0, 0, 1}))
                            .body("rod", revolute("tip", {1, 0, 0}).at(0, 0, 1), "needle")
                            .build();
    for (const GeneratedPrecision precision :
         {GeneratedPrecision::kF64, GeneratedPrecision::kF32}) {
        for (const GeneratedLanguage language :
             {GeneratedLanguage::kC, GeneratedLanguage::kCpp, GeneratedLanguage::kCuda}) {
            const auto files =
                generate(model, {{"forward_dynamics", "inverse_mass_matrix", "inverse_dynamics"},
                                 language,
                                 precision});
            for (const GeneratedFile& file : files) {
                for (const char* no_number : {"inf.", "nan.", "inff", "nanf"}) {
                    const std::size_t at = file.text.find(no_number);
                    EXPECT_EQ(at, std::string::npos)
                        << file.name << ": "
                        << file.text.substr(at == std::string::npos ? 0 : at - 40, 80);
                }
            }
            if (language != GeneratedLanguage::kCuda) expect_passes(files, language);
        }
    }
}

// Two pendulums that may swing in any plane: hanging straight down, one has no inertia about the vertical. It is enough that
// one of them does.
TEST(GeneratedCode, SaysWhereTheMassMatrixIsSingular) {
    Builder b("pair");
    b.link("ground");
    for (const std::string side : {"one", "two"}) {
        b.body("ground", revolute(side + "_turn", {0, 0, 1}), side + "_ring", {});
        b.body(side + "_ring", revolute(side + "_swing", {1, 0, 0}), side + "_bob",
               MassProperties::point(1, {0, 0, -1}));
    }
    const Folder folder;
    for (const GeneratedFile& file : generate(b.build(), {.functions = {"forward_dynamics"}}))
        std::ofstream(folder.path() + "/" + file.name) << file.text;
    std::ofstream(folder.path() + "/main.c")
        << "#include \"pair.h\"\n"
           "static int at(double one, double two) {\n"
           "    const double q[4] = {0.3, one, 0.4, two}, zero[4] = {0, 0, 0, 0};\n"
           "    double a[4];\n"
           "    return pair_forward_dynamics(q, zero, zero, a);\n"
           "}\n"
           "int main(void) {\n"
           "    return at(0.5, 0.6) == 0 && at(0, 0.6) == 1 && at(0.5, 0) == 1 && at(0, 0) == 1 "
           "? 0 : 1;\n"
           "}\n";
    const std::string program = folder.path() + "/program";
    ASSERT_EQ(std::system(("cc -std=c99 -O0 " + folder.path() + "/pair.c " + folder.path() +
                           "/main.c -lm -o " + program)
                              .c_str()),
              0);
    EXPECT_EQ(std::system(program.c_str()), 0);
}

TEST(GeneratedCode, SaysWhatItsParametersAre) {
    const auto files = generate(robots::arm(), {.functions = {"gravity_torque"},
                                                .parameters = {"gravity", "payload:tool"}});
    const auto holds = [&](std::size_t file, const std::string& text) {
        EXPECT_NE(files[file].text.find(text), std::string::npos) << text << files[file].text;
    };
    holds(0,
          "/* Gravity in the world: x, y, z.\n * In the model: 0.0, 0.0, -9.81. */\nextern const "
          "double ARM_DEFAULT_GRAVITY[3];");
    holds(0, "/* A load at the frame 'tool', in its coordinates: mass,");
    holds(0,
          "void arm_gravity_torque(const double q[7], const double gravity[3], const double "
          "payload_tool[10], double tau[7]);");
    holds(1, "const double ARM_DEFAULT_GRAVITY[3] = {\n    0.0, 0.0, -9.81\n};");
    // The self-test knows both robots.
    holds(2, "arm_gravity_torque(q, ARM_DEFAULT_GRAVITY, ARM_DEFAULT_PAYLOAD_TOOL, tau_result)");
    holds(2, "arm_gravity_torque(q, gravity, payload_tool, tau_result)");
}

TEST(GeneratedCode, HasOneFunctionAFrame) {
    const Model model =
        Builder("two")
            .link("ground")
            .body("ground", revolute("hinge", {0, 0, 1}), "arm", MassProperties::sphere(1, 0.1))
            .frame("tool tip", "arm", Pose<double>::translation(1, 0, 0))
            .frame("dot tool", "arm", Pose<double>::translation(0, 1, 0))
            .frame("tool-tip", "arm", Pose<double>::translation(0, 2, 0))
            .build();
    GenerateOptions options{.functions = {"frame_jacobian", "frame_jacobian_dot", "mass_matrix"},
                            .frames = {"tool tip", "dot tool", "tool-tip"},
                            .reference = ReferenceFrame::kWorld};
    const auto files = generate(model, options);
    options.language = GeneratedLanguage::kCuda;
    const std::string cuda = generate(model, options)[0].text;
    for (const char* function :
         {"two_frame_jacobian_tool_tip(", "two_frame_jacobian_dot_tool(",
          "two_frame_jacobian_tool_tip_2(", "two_frame_jacobian_dot_tool_tip(",
          "two_frame_jacobian_dot_dot_tool(", "two_frame_jacobian_dot_tool_tip_2(",
          "two_mass_matrix("}) {
        EXPECT_NE(files[0].text.find(function), std::string::npos) << function;
        EXPECT_NE(cuda.find(function), std::string::npos) << function;
    }
    EXPECT_NE(
        files[0].text.find("Of the frame 'dot tool', in the world's axes, at the world's origin."),
        std::string::npos);
    expect_passes(files, GeneratedLanguage::kC);
}

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

// Comparisons of any numbers mean in C what they mean in the program, those that no algorithm asks for, too.
TEST(GeneratedCode, ComparesAsItsProgramDoes) {
    using compiler::Trace;
    compiler::Program program;
    {
        compiler::Recorder recorder;
        const compiler::Recording here(recorder);
        const Trace a = Trace::input(0), b = Trace::input(1);
        for (const compiler::TraceMask mask :
             {a == b, a != b, a<b, a <= b, a> b, a >= b, (a < b) | (a == b), (a <= b) & (b <= a),
              !(a < b), isfinite(a), a == Trace(2), b != a + b})
            program.outputs.push_back(select(mask, Trace(1), b).id);
        program.nodes = recorder.take_nodes();
    }
    const int outputs = static_cast<int>(program.outputs.size());
    program.input_groups = {{"x", 2}};
    program.output_groups = {{"y", outputs}};
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::string calls, expected;
    for (const double a : {-inf, -1.0, -0.0, 0.0, 2.0, inf, nan}) {
        for (const double b : {-inf, -1.0, -0.0, 0.0, 2.0, inf, nan}) {
            const auto text = [](double x) {
                return compiler::literal(x, GeneratedPrecision::kF64);
            };
            calls += "    print(" + text(a) + ", " + text(b) + ");\n";
            for (const double y : compiler::evaluate(program, std::array{a, b}).outputs)
                expected += std::isnan(y) ? "n" : (y == 1 ? "1" : "0");
        }
    }
    const compiler::FunctionWriter writer(program, GeneratedPrecision::kF64);
    const Folder folder;
    std::ofstream(folder.path() + "/f.c")
        << "#include <math.h>\n#include <stdio.h>\n"
        << "static " << writer.head("f") << " " << writer.body()
        << "static void print(double a, double b) {\n    double x[2], y[" << outputs
        << "];\n    int k;\n    x[0] = a;\n    x[1] = b;\n    f(x, y);\n    for (k = 0; k < "
        << outputs << "; ++k) putchar(y[k] != y[k] ? 'n' : (y[k] == 1 ? '1' : '0'));\n}\n"
        << "int main(void) {\n"
        << calls << "    return 0;\n}\n";
    const std::string program_path = folder.path() + "/f";
    ASSERT_EQ(std::system(("cc -std=c99 " + program_path + ".c -lm -o " + program_path).c_str()),
              0);
    ASSERT_EQ(std::system((program_path + " > " + program_path + ".txt").c_str()), 0);
    std::ifstream in(program_path + ".txt");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), expected);
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

// Beside all that C declares, and in the tests of generated code.
TEST(GeneratedNames, AreNoneThatAreThereAlready) {
    for (const char* word :
         {"sin",       "expf",    "j1",       "gamma",   "printf",  "remove", "index",
          "stdin",     "select",  "int8_t",   "NAN",     "EOF",     "linux",  "nullptr",
          "constexpr", "concept", "co_await", "wchar_t", "math",    "string", "install",
          "all",       "help",    "m",        "compare", "failures"}) {
        EXPECT_EQ(identifier_from(word), std::string(word) + "_");
    }
    for (const char* name : {"arm", "talos", "leg", "spot", "curl", "Sin", "sin_arm", "model"})
        EXPECT_EQ(identifier_from(name), name);
    for (const std::string name : {"log", "compare", "math"}) {
        const Model model = Builder(name)
                                .link("ground")
                                .body("ground", revolute("double", {0, 1, 0}), "rod",
                                      MassProperties::sphere(1, 0.1, {0, 0, 1}))
                                .build();
        for (const GeneratedLanguage language : {GeneratedLanguage::kC, GeneratedLanguage::kCpp})
            expect_passes(
                generate(model, {.functions = {"inverse_dynamics"}, .language = language}),
                language);
    }
}

// By what compilers say where nothing is optimised.
TEST(GeneratedCode, TakesNoMoreStackThanItSays) {
    int looked_at = 0;
    for (const GeneratedPrecision precision :
         {GeneratedPrecision::kF64, GeneratedPrecision::kF32}) {
        const auto files =
            generate(joint_model("floating_mimic"),
                     {.functions = {"inverse_dynamics", "forward_dynamics", "integrate",
                                    "difference", "friction_torque", "mass_matrix"},
                      .precision = precision});
        // The header says it once a function, in their order, in which compilers have them as well.
        std::vector<long> said;
        const std::string before = " operations, at most ";
        for (std::size_t at = 0; (at = files[0].text.find(before, at)) != std::string::npos;)
            said.push_back(std::stol(files[0].text.substr(at += before.size())));
        ASSERT_EQ(said.size(), 6U);
        const Folder folder;
        for (const GeneratedFile& file : files)
            std::ofstream(folder.path() + "/" + file.name) << file.text;
        for (const std::string compiler : {"gcc", "clang"}) {
            if (std::system(("command -v " + compiler + " > /dev/null").c_str()) != 0) continue;
            ASSERT_EQ(std::system(("cd " + folder.path() + " && " + compiler +
                                   " -std=c99 -O0 -fstack-usage -c " + files[1].name +
                                   " -o x.o && cat *.su > said && rm *.su")
                                      .c_str()),
                      0);
            std::ifstream lines(folder.path() + "/said");
            std::string function, kind;
            for (const long most : said) {
                long taken = 0;
                ASSERT_TRUE(std::getline(lines, function, '\t') >> taken >> kind);
                EXPECT_LE(taken, most) << compiler << ": " << function;
                EXPECT_GT(2 * taken + 500, most) << compiler << ": " << function;
                ++looked_at;
            }
        }
    }
    EXPECT_GE(looked_at, 12);
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
    for (const auto language :
         {GeneratedLanguage::kC, GeneratedLanguage::kCpp, GeneratedLanguage::kCuda}) {
        EXPECT_EQ(message([&] {
                      (void)generate(Builder("post").link("foot").build(), {.language = language});
                  }),
                  "generate: robot 'post' has no joint that moves, so there is nothing to compute");
    }
    const auto complaint = [](const GenerateOptions& options) {
        return message([&] { (void)generate(robots::arm(), options); });
    };
    EXPECT_EQ(complaint({.functions = {"frame_pose"}}),
              "generate: frame_pose takes a frame; name one, such as 'tool'");
    EXPECT_NE(complaint({.functions = {"frame_pose"}, .frames = {"tol"}}).find("'tool'"),
              std::string::npos);
    EXPECT_EQ(complaint({.functions = {"mass_matrix"}, .frames = {"tool"}}),
              "generate: none of the functions takes a frame, but 'tool' is named");
    EXPECT_EQ(complaint({.functions = {"mass_matrix"}, .reference = ReferenceFrame::kWorld}),
              "generate: none of the functions has a reference frame to choose; leave it out");
    EXPECT_EQ(complaint({.functions = {"mass_matrix"}, .forces = {"tool"}}),
              "generate: none of the functions takes external forces, but 'tool' is named");
    EXPECT_NE(complaint({.forces = {"tol"}}).find("'tool'"), std::string::npos);
    EXPECT_NE(complaint({.parameters = {"gravty"}}).find("closest: 'gravity'"), std::string::npos);
}

}  // namespace
}  // namespace plucker::test
