// Constants of a robot as inputs of its programs: whatever they are, a program gives what a robot that has them gives.
#include "plucker/compiler/parameters.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <numeric>

#include "plucker/algorithms/arranged.hpp"
#include "plucker/compiler/compile.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/plucker.hpp"
#include "plucker/robots/robots.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

using compiler::ParameterNumbers;
using compiler::Program;
using compiler::ProgramParameter;

// A gripper with mass and a camera on it, both fixed on the last link.
Model carrier() {
    return Builder("carrier")
        .link("ground")
        .body("ground", revolute("swing", {0, 1, 0}).at(odd_placement(1)), "beam", odd_mass(1))
        .body("beam", revolute("turn", {1, 2, 3}).at(odd_placement(2)).with_damping(0.3), "wrist",
              odd_mass(2))
        .body("wrist", fixed("mount").at(odd_placement(3)), "gripper", odd_mass(3))
        .body("gripper", fixed("screw").at(odd_placement(4)), "camera", odd_mass(4))
        .frame("tool", "gripper", odd_placement(5))
        .frame("lens", "camera", odd_placement(6))
        .build();
}

struct ParameterCase {
    const char* name;
    Model (*model)();
    std::vector<std::string> parameters;
};

class Parameters : public testing::TestWithParam<ParameterCase> {};

std::vector<double> random_inputs(const Model& model, const Program& program,
                                  std::mt19937& generator) {
    std::vector<double> out;
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const compiler::Group& group : program.input_groups) {
        if (group.name.starts_with("q")) {
            const VectorX<double> q = laws::random_state(model, generator).q;
            out.insert(out.end(), q.begin(), q.end());
        } else {
            for (int k = 0; k < group.size(); ++k) out.push_back(unit(generator));
        }
    }
    return out;
}

void expect_same(const compiler::Evaluation& got, const compiler::Evaluation& expected) {
    ASSERT_EQ(got.outputs.size(), expected.outputs.size());
    double scale = 1e-3;
    for (const double x : expected.outputs) scale = std::max(scale, std::abs(x));
    for (std::size_t k = 0; k < got.outputs.size(); ++k)
        ASSERT_NEAR(got.outputs[k], expected.outputs[k], 1e-9 * scale) << "output " << k;
    EXPECT_EQ(got.singular, expected.singular);
}

// Every algorithm, with the model's numbers and with others.
TEST_P(Parameters, GiveWhatARobotWithThemGives) {
    const Model model = GetParam().model();
    const auto parameters = compiler::parameters_named(model, GetParam().parameters);
    const ParameterNumbers<double> others = compiler::other_numbers(parameters);
    const Model other = compiler::with_parameters(model, parameters, others);
    std::mt19937 generator(7);
    int rows = 0;
    for (std::size_t k = 0; k < algorithms().size(); ++k) {
        const Algorithm& row = algorithms()[k];
        if (row.fills_kinematics || !applies_to(row, model)) continue;
        SCOPED_TRACE(row.name);
        const auto options_for = [&](const Model& robot) {
            compiler::RecordOptions out;
            out.frame = robot.frame_id(model.frames().back().name);
            out.reference = ReferenceFrame::kWorldAligned;
            if (row.inputs.has(Kind::kGiven)) out.given = every_other_acceleration(robot);
            if (row.inputs.has(Kind::kForces)) out.forces = {{out.frame, ReferenceFrame::kBody}};
            return out;
        };
        compiler::RecordOptions options = options_for(model);
        const Program plain = compiler::record(model, static_cast<int>(k), options).program;
        options.parameters = GetParam().parameters;
        const Program program = compiler::record(model, static_cast<int>(k), options).program;
        const Program expected =
            compiler::record(other, static_cast<int>(k), options_for(other)).program;
        ASSERT_EQ(program.input_groups.size(), plain.input_groups.size() + parameters.size());
        for (int state = 0; state < 3; ++state) {
            const std::vector<double> x = random_inputs(model, plain, generator);
            const auto with = [&](const auto& numbers_of) {
                std::vector<double> out = x;
                for (std::size_t p = 0; p < parameters.size(); ++p) {
                    const std::vector<double> numbers = numbers_of(p);
                    out.insert(out.end(), numbers.begin(), numbers.end());
                }
                return out;
            };
            expect_same(compiler::evaluate(
                            program, with([&](std::size_t p) { return parameters[p].defaults; })),
                        compiler::evaluate(plain, x));
            expect_same(compiler::evaluate(program, with([&](std::size_t p) { return others[p]; })),
                        compiler::evaluate(expected, x));
        }
        ++rows;
    }
    EXPECT_GT(rows, 20);
}

INSTANTIATE_TEST_SUITE_P(
    Robots, Parameters,
    testing::Values(
        ParameterCase{"arm_alone", robots::arm, {"gravity"}},
        ParameterCase{"arm", robots::arm, {"payload:tool", "gravity", "mass:link3", "frame:tool"}},
        ParameterCase{"quadruped", robots::quadruped, {"gravity", "mass:trunk"}},
        // A frame that carries masses, frames and loads.
        ParameterCase{
            "gripper", carrier, {"frame:gripper", "payload:tool", "mass:camera", "payload:lens"}},
        ParameterCase{"camera", carrier, {"frame:lens", "frame:camera", "payload:lens"}},
        // Nothing but a place, which takes the masses of the file along; a load on a link whose own mass is given, too.
        ParameterCase{"place_alone", carrier, {"frame:gripper"}},
        ParameterCase{"loaded_link", carrier, {"mass:camera", "payload:camera"}},
        ParameterCase{
            "kept_fixed", [] { return joint_model("kept_fixed"); }, {"gravity", "payload:tool"}},
        ParameterCase{
            "mimic", [] { return joint_model("floating_mimic"); }, {"gravity", "payload:tool"}}),
    [](const auto& test) { return test.param.name; });

// What stands for the robot with other numbers is what the library makes of it in its own ways.
TEST(ParameterNumbers, AreThoseOfTheLibrary) {
    const Model model = carrier();
    const std::vector<std::string> names{"gravity", "mass:gripper", "payload:tool",
                                         "payload:camera"};
    const auto parameters = compiler::parameters_named(model, names);
    const ParameterNumbers<double> numbers = compiler::other_numbers(parameters);
    const Model made = compiler::with_parameters(model, parameters, numbers);
    const auto mass = [&](std::size_t k) {
        return MassProperties::from_numbers(
            std::span<const double, 10>(numbers[k].data(), numbers[k].size()));
    };
    const Vec3<double> gravity{numbers[0][0], numbers[0][1], numbers[0][2]};
    const Model edited =
        with_payload(with_payload(with_mass(with_gravity(model, gravity), "gripper", mass(1)),
                                  "tool", mass(2), "first load"),
                     "camera", mass(3), "second load");
    Workspace<double> ws(model);
    ws.set_gravity(gravity);
    ws.set_mass(model.frame_id("gripper"), mass(1));
    ws.set_payload(model.frame_id("tool"), mass(2));
    ws.set_payload(model.frame_id("camera"), mass(3));
    std::mt19937 generator(3);
    const auto s = laws::random_state(model, generator);
    const VectorX<double> tau = inverse_dynamics(made, s.q, s.v, s.a);
    VectorX<double> from_workspace(2);
    inverse_dynamics(ws, s.q, s.v, s.a, from_workspace);
    const double tolerance = 1e-12 * tau.cwiseAbs().maxCoeff();
    EXPECT_LE((tau - inverse_dynamics(edited, s.q, s.v, s.a)).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((tau - from_workspace).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_GT((tau - inverse_dynamics(model, s.q, s.v, s.a)).cwiseAbs().maxCoeff(), 0.1);
}

// A load that is an input costs no more than it must: the program stays far below what the kernel asks for.
TEST(ParameterNumbers, LeaveTheRestFolded) {
    const Model arm = robots::arm();
    const auto plain = compiler::record(arm, "inverse_dynamics").program;
    const auto loaded = compiler::record(arm, "inverse_dynamics", {.parameters = {"payload:tool"}});
    EXPECT_GT(loaded.program.num_operations(), plain.num_operations());
    EXPECT_LT(loaded.program.num_operations(), plain.num_operations() + 150);
    ASSERT_EQ(loaded.program.input_groups.size(), 4U);
    EXPECT_EQ(loaded.program.input_groups[3].name, "payload:tool");
    EXPECT_EQ(loaded.program.input_groups[3].size(), 10);
}

TEST(ParameterNames, AreAllThatARobotHas) {
    const Model model = carrier();
    const auto names = compiler::parameter_names(model);
    EXPECT_EQ(names, (std::vector<std::string>{"gravity", "mass:beam", "mass:wrist", "mass:gripper",
                                               "mass:camera", "payload:beam", "payload:wrist",
                                               "payload:gripper", "payload:camera", "payload:tool",
                                               "payload:lens", "frame:gripper", "frame:camera",
                                               "frame:tool", "frame:lens"}));
    // All at once.
    EXPECT_EQ(
        compiler::record(model, "mass_matrix", {.parameters = names}).program.input_groups.size(),
        1 + names.size());
    EXPECT_EQ(compiler::parameters_named(model, {"payload:lens"})[0].defaults,
              std::vector<double>(10, 0.0));
    const std::vector<double> place = compiler::parameters_named(model, {"frame:lens"})[0].defaults;
    const Pose<double> pose = Pose<double>::roll_pitch_yaw({place[0], place[1], place[2]},
                                                           {place[3], place[4], place[5]});
    const Pose<double> described = model.description().frames[1].placement;
    EXPECT_LE(squared_norm(pose.position - described.position), 1e-28);
    EXPECT_LE(squared_norm(pose.rotation.x - described.rotation.x), 1e-28);
    EXPECT_LE(squared_norm(pose.rotation.y - described.rotation.y), 1e-28);
}

TEST(ParameterNames, AreExplainedWhereTheyAreWrong) {
    const auto complaint = [](const std::vector<std::string>& names) {
        return message([&] { (void)compiler::parameters_named(carrier(), names); });
    };
    EXPECT_EQ(complaint({"mass:griper"}),
              "unknown parameter 'mass:griper'; closest: 'mass:gripper', 'mass:wrist', "
              "'frame:gripper' (there are gravity, mass:LINK, payload:FRAME and frame:FRAME, for a "
              "frame's place)");
    EXPECT_NE(complaint({"mass:tool"}).find("unknown parameter 'mass:tool'"), std::string::npos);
    EXPECT_EQ(complaint({"mass:ground"}),
              "parameter 'mass:ground': 'ground' is fixed in the world, where its mass has no part "
              "in the dynamics");
    EXPECT_NE(complaint({"payload:ground"}).find("is fixed in the world"), std::string::npos);
    EXPECT_EQ(complaint({"frame:wrist"}),
              "parameter 'frame:wrist': its place cannot be one: it is the frame of a body");
    EXPECT_EQ(complaint({"gravity", "gravity"}), "parameter 'gravity' is named twice");
    const Model pole = Builder("pole")
                           .link("ground")
                           .body("ground", fixed("foot").at(0, 0, 1), "pole")
                           .body("pole", revolute("hinge", {0, 0, 1}), "sign", odd_mass(1))
                           .build();
    EXPECT_EQ(message([&] { (void)compiler::parameters_named(pole, {"frame:pole"}); }),
              "parameter 'frame:pole': its place cannot be one: the joint 'hinge' hangs on it");
    EXPECT_NE(message([] {
                  (void)compile(robots::arm(), {.parameters = {"frame:tool"}});
              }).find("no workspace can move a frame"),
              std::string::npos);
}

// --- Machine code on workspaces with other constants -------------------------------------------------

// Whether a compiled robot's code ran: it is replaced by one that tells.
int calls_of_code = 0;
Model with_telling_code(const Model& compiled) {
    auto code = std::make_shared<RobotCode>(*compiled.code());
    for (RobotCode::Single& single : code->single) {
        if (single.entry != nullptr)
            single.entry = [](const void* const*, void* const*) { ++calls_of_code; };
    }
    return compiled.with_code(code);
}

TEST(CompiledParameters, KeepTheCodeInUse) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    const Model plain = carrier();
    const std::vector<std::string> names{"payload:tool", "gravity", "mass:gripper"};
    const Model compiled = compile(plain, {.parameters = names});
    Workspace<double> slow(plain), fast(compiled), told(with_telling_code(compiled));
    std::mt19937 generator(9);
    const auto s = laws::random_state(plain, generator);
    VectorX<double> tau(2), fast_tau(2), a(2), fast_a(2);
    MatrixX<double> M(2, 2), fast_M(2, 2);
    const auto expect_equal_results = [&](int calls) {
        calls_of_code = 0;
        inverse_dynamics(told, s.q, s.v, s.a, fast_tau);
        EXPECT_EQ(calls_of_code, calls);
        inverse_dynamics(slow, s.q, s.v, s.a, tau);
        inverse_dynamics(fast, s.q, s.v, s.a, fast_tau);
        EXPECT_LE((tau - fast_tau).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff());
        mass_matrix(slow, s.q, M);
        mass_matrix(fast, s.q, fast_M);
        EXPECT_LE((M - fast_M).cwiseAbs().maxCoeff(), 1e-12 * M.cwiseAbs().maxCoeff());
        forward_dynamics(slow, s.q, s.v, s.tau, a);
        forward_dynamics(fast, s.q, s.v, s.tau, fast_a);
        EXPECT_LE((a - fast_a).cwiseAbs().maxCoeff(), 1e-9 * a.cwiseAbs().maxCoeff());
    };
    expect_equal_results(1);
    const auto change = [&](const auto& f) {
        for (Workspace<double>* w : {&slow, &fast, &told}) f(*w);
    };
    const auto change_parameters = [&](double x) {
        change([&](Workspace<double>& w) {
            w.set_gravity({0.1 * x, -x, -3});
            w.set_payload(plain.frame_id("tool"), MassProperties::sphere(x, 0.1, {0, 0.1, x}));
            w.set_mass(plain.frame_id("gripper"), odd_mass(8));
        });
    };
    change_parameters(2);
    expect_equal_results(1);
    change_parameters(3);
    expect_equal_results(1);
    // What the code does not know is left to the kernels.
    change([&](Workspace<double>& w) { w.set_payload(plain.frame_id("lens"), odd_mass(4)); });
    expect_equal_results(0);
    Workspace<double> smooth(with_telling_code(compiled));
    smooth.set_friction(false);
    calls_of_code = 0;
    inverse_dynamics(smooth, s.q, s.v, s.a, tau);
    EXPECT_EQ(calls_of_code, 0);
}

// More parameters than the processor has registers for arguments.
// A robot that may lose its mass has no code for the place of it: it is looked for in every call.
TEST(CompiledParameters, MayTakeAllMassAway) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    const Model plain = Builder("rod")
                            .link("ground")
                            .body("ground", revolute("hinge", {0, 1, 0}), "rod",
                                  MassProperties::sphere(1, 0.1, {0, 0, 1}))
                            .build();
    const Model compiled = compile(plain, {.parameters = {"mass:rod"}});
    Workspace<double> ws(compiled);
    const VectorX<double> q = VectorX<double>::Ones(1);
    MatrixX<double> J(3, 1);
    EXPECT_EQ(com_jacobian(ws, q, J), Status::kOk);
    ws.set_mass(compiled.frame_id("rod"), {});
    EXPECT_THROW(com_jacobian(ws, q, J), Error);
}

TEST(CompiledParameters, MayBeMany) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    const Model plain = robots::arm();
    std::vector<std::string> names{"gravity"};
    for (int k = 1; k <= 7; ++k) names.push_back("mass:link" + std::to_string(k));
    std::vector<CompiledFunction> report;
    const Model compiled =
        compile(plain, {.functions = {"inverse_dynamics"}, .parameters = names}, report);
    ASSERT_TRUE(report[0].compiled);
    Workspace<double> slow(plain), fast(compiled);
    std::mt19937 generator(1);
    const auto s = laws::random_state(plain, generator);
    VectorX<double> tau(7), fast_tau(7);
    for (int k = 1; k <= 7; ++k) {
        for (Workspace<double>* w : {&slow, &fast})
            w->set_mass(plain.frame_id("link" + std::to_string(k)), odd_mass(k));
        inverse_dynamics(slow, s.q, s.v, s.a, tau);
        inverse_dynamics(fast, s.q, s.v, s.a, fast_tau);
        EXPECT_LE((tau - fast_tau).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff());
    }
}

}  // namespace
}  // namespace plucker::test
