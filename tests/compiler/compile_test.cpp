// Compiled robots keep what all calls promise.
#include "plucker/compiler/compile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "plucker/compiler/explain.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/model/builder.hpp"
#include "support/count_allocations.hpp"
#include "support/error_message.hpp"
#include "support/in_place_functions.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

// Of every type of joint, and the built-in ones.
std::vector<std::string> all_robots() {
    std::vector<std::string> out = joint_model_names();
    for (const std::string& name : robots::names()) {
        if (name.find('(') == std::string::npos) out.push_back("builtin_" + name);
    }
    return out;
}
Model robot_called(const std::string& name) {
    constexpr std::string_view kBuiltIn = "builtin_";
    return name.starts_with(kBuiltIn) ? robots::by_name(name.substr(kBuiltIn.size()))
                                      : joint_model(name);
}

class Compiled : public testing::TestWithParam<std::string> {
protected:
    Model plain_ = robot_called(GetParam());
    Model compiled_ = compile(plain_);
};

// Every function, called as ever, on the plain and the compiled robot.
void expect_same_results(const Model& plain, const Model& compiled) {
    ASSERT_NE(compiled.code(), nullptr);
    const auto functions = in_place_functions(plain);
    for (const InPlaceFunction& f : functions) {
        SCOPED_TRACE(f.name);
        Workspace<double> ws(plain), fast(compiled);
        for (Workspace<double>* w : {&ws, &fast}) {
            const VectorX<double> still = VectorX<double>::Constant(plain.nv(), 0.3);
            forward_kinematics(*w, neutral_configuration(plain), still, still);
        }
        ArrangedCall x = arrange(plain, f, 3), y = arrange(plain, f, 3);
        ASSERT_EQ(f.call(ws, x.call), Status::kOk);
        const long before = allocations;
        ASSERT_EQ(f.call(fast, y.call), Status::kOk);
        if (PLUCKER_CAN_COUNT && !f.returns_by_value) {
            EXPECT_EQ(allocations, before);
        }
        // Those without inputs work on what they are given as outputs, by kernels.
        const double condition =
            f.needs_regular && !f.inputs.empty()
                ? laws::max_magnitude(mass_matrix(plain, x.inputs[0])) *
                      laws::max_magnitude(inverse_mass_matrix(plain, x.inputs[0]))
                : 1;
        const double tolerance = 64 * (plain.nv() + 8) * std::numeric_limits<double>::epsilon();
        for (std::size_t k = 0; k < x.outputs.size(); ++k) {
            const double size = std::max(1e-3, x.outputs[k].cwiseAbs().maxCoeff());
            EXPECT_LE((x.outputs[k] - y.outputs[k]).cwiseAbs().maxCoeff(),
                      tolerance * condition * size);
        }
    }
}

TEST_P(Compiled, GivesWhatThePlainRobotGives) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    expect_same_results(plain_, compiled_);
}

// What is compiled when it is named, and not as a matter of course.
TEST_P(Compiled, GivesWhatThePlainRobotGivesWhereItWasNamed) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    std::vector<CompiledFunction> usual;
    (void)compile(plain_, {}, usual);
    CompileOptions options;
    for (const Algorithm& row : algorithms()) {
        const auto is_usual = [&](const CompiledFunction& f) { return f.name == row.name; };
        const bool can_be_named = !row.fills_kinematics && !row.inputs.has(Kind::kFrame) &&
                                  !row.inputs.has(Kind::kGiven) &&
                                  !(row.num_states() > 0 && row.returns());
        if (can_be_named && applies_to(row, plain_) &&
            std::none_of(usual.begin(), usual.end(), is_usual))
            options.functions.emplace_back(row.name);
    }
    std::vector<CompiledFunction> named;
    const Model asked = compile(plain_, options, named);
    EXPECT_EQ(named.size(), options.functions.size());
    expect_same_results(plain_, asked);
}

TEST_P(Compiled, ObeysTheLaws) {
    for (const laws::Residual& r : laws::verify(compiled_, 3, 1)) {
        EXPECT_TRUE(r.holds()) << r.law;
    }
}

// With q, v and a in place of kinematics, what forward_kinematics left has no part in it, and stays.
TEST_P(Compiled, AnswersFromStatesAtOnce) {
    std::mt19937 generator(2);
    const laws::State<double> s = laws::random_state(plain_, generator);
    const auto nv = plain_.nv();
    for (const Model& model : {plain_, compiled_}) {
        Workspace<double> ws(model), two_steps(model);
        forward_kinematics(ws, neutral_configuration(model));
        const Vec3<double> before = center_of_mass(ws);
        const auto expect_same = [&](const MatrixX<double>& got, const MatrixX<double>& expected) {
            const double size = std::max(1.0, expected.cwiseAbs().maxCoeff());
            EXPECT_LE((got - expected).cwiseAbs().maxCoeff(), 1e-13 * size);
        };
        MatrixX<double> J(3, nv), expected_J(3, nv), A(6, nv), expected_A(6, nv);
        forward_kinematics(two_steps, s.q, s.v);
        EXPECT_EQ(com_jacobian(ws, s.q, J), Status::kOk);
        com_jacobian(two_steps, expected_J);
        expect_same(J, expected_J);
        // Of every subtree, of which there is no code.
        for (int root = 0; root <= model.num_bodies(); ++root) {
            if (!(model.body(root).subtree_mass > 0)) continue;
            com_jacobian(ws, s.q, root, J);
            com_jacobian(two_steps, root, expected_J);
            expect_same(J, expected_J);
            com_jacobian_dot(ws, s.q, s.v, root, J);
            com_jacobian_dot(two_steps, root, expected_J);
            expect_same(J, expected_J);
        }
        com_jacobian_dot(ws, s.q, s.v, J);
        com_jacobian_dot(two_steps, expected_J);
        expect_same(J, expected_J);
        centroidal_momentum_matrix(ws, s.q, A);
        centroidal_momentum_matrix(two_steps, expected_A);
        expect_same(A, expected_A);
        const FrameId frame = model.body_frame(model.num_bodies());
        frame_jacobian(ws, s.q, frame, ReferenceFrame::kWorldAligned, A);
        frame_jacobian(two_steps, frame, ReferenceFrame::kWorldAligned, expected_A);
        expect_same(A, expected_A);
        const Vec3<double> after = center_of_mass(ws);
        EXPECT_EQ(before.x, after.x);
        EXPECT_EQ(before.y, after.y);
        EXPECT_EQ(before.z, after.z);
        EXPECT_THROW((void)com_velocity(ws), Error);  // no velocities were asked for
        VectorX<double> q = s.q;
        q[0] = std::numeric_limits<double>::quiet_NaN();
        EXPECT_THROW(com_jacobian(ws, q, J), Error);
        EXPECT_THROW(com_jacobian(ws, s.q.head(plain_.nq() - 1), J), Error);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryRobot, Compiled, testing::ValuesIn(all_robots()),
                         [](const auto& test) { return test.param; });

TEST(Compile, MatricesOfEveryTorqueAreCodeWhereTheyAreFew) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    const auto becomes_code = [](const Model& model) {
        std::vector<CompiledFunction> report;
        (void)compile(model, {.functions = {"inverse_dynamics_second_derivatives"}}, report);
        return report.at(0).compiled;
    };
    EXPECT_TRUE(becomes_code(robots::arm()));
    EXPECT_TRUE(becomes_code(robots::quadruped()));
    EXPECT_FALSE(becomes_code(robots::humanoid()));
}

// By the mass matrix an arm's accelerations take fewer instructions than by articulated bodies; four legs, side by side, more.
TEST(Compile, TakesTheShortestOfAllWays) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    const auto asked = [](const Model& model, const char* name) {
        return compiler::record(model, name).num_asked;
    };
    for (const Model& model : {robots::arm(), robots::quadruped()}) {
        std::vector<CompiledFunction> report;
        (void)compile(model, {.functions = {"forward_dynamics"}}, report);
        const bool is_arm = model.name() == robots::arm().name();
        EXPECT_EQ(report.at(0).asked,
                  asked(model, is_arm ? "forward_dynamics_by_mass_matrix" : "forward_dynamics"));
    }
    // It gives the outputs of the function alone.
    const auto ways = compiler::record_all_ways(
        robots::arm(),
        row_named("forward_dynamics", "function", [](const Algorithm&) { return true; }));
    ASSERT_EQ(ways.size(), 2U);
    EXPECT_EQ(ways[1].program.outputs.size(), 7U);
    EXPECT_LT(ways[1].program.num_operations(),
              compiler::record(robots::arm(), "forward_dynamics_by_mass_matrix")
                  .program.num_operations());
}

TEST(Compile, TellsWhatBecameOfEachFunction) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    std::vector<CompiledFunction> report;
    const Model arm = compile(robots::arm(), {.functions = {"inverse_dynamics"}}, report);
    ASSERT_EQ(report.size(), 1U);
    EXPECT_TRUE(report[0].compiled);
    EXPECT_GT(report[0].asked, 3L * report[0].operations);
    EXPECT_GT(report[0].operations, report[0].steps);
    EXPECT_GT(report[0].bytes, 1000U);
    const ExplainedFunction same = explain(arm, {.functions = {"inverse_dynamics"}}).at(0);
    EXPECT_EQ(report[0].spills, same.machine.value().spills);
    const auto coded = std::count_if(arm.code()->single.begin(), arm.code()->single.end(),
                                     [](const auto& code) { return code.entry != nullptr; });
    EXPECT_EQ(coded, 1);
}

TEST(Compile, NamesWhatItCannot) {
    EXPECT_NE(message([] {
                  (void)compile(robots::arm(), {.functions = {"mass_matrx"}});
              }).find("'mass_matrix'"),
              std::string::npos);
    EXPECT_NE(message([] { (void)compile(robots::arm(), {.functions = {"frame_pose"}}); }),
              "no error");
    EXPECT_NE(message([] {
                  (void)compile(robots::arm(), {.functions = {"floating_base_inverse_dynamics"}});
              }),
              "no error");
    // What cannot be compiled is not proposed either.
    EXPECT_EQ(message([] {
                  (void)compile(robots::arm(), {.functions = {"forward_kinematics"}});
              }).find("closest: 'forward_kinematics'"),
              std::string::npos);
}

// Of the frames that were named, in every reference frame; others are left to the kernels.
TEST(Compile, AnswersForFramesThatWereNamed) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    const Model plain = robots::arm();
    const Model compiled = compile(plain, {.frames = {"tool"}});
    const int row = table::All::index<table::FrameAccelerationDerivatives>();
    const FrameId tool = plain.frame_id("tool"), link = plain.frame_id("link3");
    EXPECT_EQ(compiled.code()->of_frame(row, link.index(), 0), nullptr);
    std::mt19937 generator(4);
    const auto s = laws::random_state(plain, generator);
    const auto expect_close = [](const MatrixX<double>& got, const MatrixX<double>& expected) {
        EXPECT_LE((got - expected).cwiseAbs().maxCoeff(),
                  1e-13 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
    };
    for (const auto reference : laws::kReferenceFrames) {
        EXPECT_NE(compiled.code()->of_frame(row, tool.index(), static_cast<int>(reference)),
                  nullptr);
        for (const FrameId frame : {tool, link}) {
            const auto x =
                frame_acceleration_derivatives(compiled, s.q, s.v, s.a, frame, reference);
            const auto y = frame_acceleration_derivatives(plain, s.q, s.v, s.a, frame, reference);
            expect_close(x.dacceleration_dq, y.dacceleration_dq);
            expect_close(x.dacceleration_dv, y.dacceleration_dv);
            expect_close(x.dacceleration_da, y.dacceleration_da);
            expect_close(frame_jacobian(compiled, s.q, frame, reference),
                         frame_jacobian(plain, s.q, frame, reference));
        }
    }
    // A frame of another robot is refused, though it has the same number.
    const FrameId foreign = robots::arm().frame_id("tool");
    EXPECT_NE(message([&] { (void)frame_jacobian(compiled, s.q, foreign, ReferenceFrame::kBody); }),
              "no error");
    EXPECT_NE(message([&] { (void)compile(plain, {.frames = {"tol"}}); }).find("'tool'"),
              std::string::npos);
    EXPECT_NE(message([&] {
                  (void)compile(plain, {.functions = {"frame_jacobian"}});
              }).find("takes a frame"),
              std::string::npos);
}

// Frames, forces and workspaces of the one fit the other; what the code does not know is left to the kernels.
TEST(Compile, LeavesToTheKernelsWhatItDoesNotKnow) {
    const Model plain = robots::quadruped();
    const Model compiled = compile(plain);
    EXPECT_TRUE(compiled.is_copy_of(plain));
    std::mt19937 generator(2);
    const auto s = laws::random_state(plain, generator);
    ExternalForces<double> push(plain);
    push.add(plain.body_frame(3), {{1, 2, 3}, {4, 5, 6}}, ReferenceFrame::kWorld);
    EXPECT_EQ(inverse_dynamics(compiled, s.q, s.v, s.a, &push),
              inverse_dynamics(plain, s.q, s.v, s.a, &push));
    EXPECT_EQ(center_of_mass(compiled, s.q, 2), center_of_mass(plain, s.q, 2));
    // Other constants.
    Workspace<double> ws(plain), fast(compiled);
    VectorX<double> tau(18), fast_tau(18);
    for (Workspace<double>* w : {&ws, &fast}) w->set_gravity({0, 0, -1.6});
    gravity_torque(ws, s.q, tau);
    gravity_torque(fast, s.q, fast_tau);
    EXPECT_EQ(tau, fast_tau);
    // Into a part of a larger matrix.
    MatrixX<double> large = MatrixX<double>::Zero(30, 30);
    mass_matrix(fast, s.q, large.block(5, 7, 18, 18));
    EXPECT_LE((large.block(5, 7, 18, 18) - mass_matrix(fast.model(), s.q)).cwiseAbs().maxCoeff(),
              1e-13);
    large.block(5, 7, 18, 18).setZero();
    EXPECT_EQ(large.cwiseAbs().maxCoeff(), 0);
}

// Code that reads a load goes on running, and a control loop may change it.
TEST(Compile, ReadsParametersThatAreSetWithoutAllocating) {
    const Model plain = robots::arm();
    const Model compiled = compile(plain, {.parameters = {"payload:tool"}});
    Workspace<double> ws(plain), fast(compiled);
    VectorX<double> tau(7), fast_tau(7);
    const VectorX<double> x = VectorX<double>::Constant(7, 0.3);
    const long before = allocations;
    for (Workspace<double>* w : {&ws, &fast})
        w->set_payload(plain.frame_id("tool"), MassProperties::sphere(2, 0.1, {0, 0.1, 0}));
    inverse_dynamics(fast, x, x, x, fast_tau);
    if (PLUCKER_CAN_COUNT) {
        EXPECT_EQ(allocations, before);
    }
    inverse_dynamics(ws, x, x, x, tau);
    EXPECT_LE((tau - fast_tau).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff());
}

// Many columns at once, and an input that is the output.
TEST(Compile, WritesOverWhatItReads) {
    const Model plain = robots::quadruped();
    const Model compiled = compile(plain);
    std::mt19937 generator(3);
    const auto s = laws::random_state(plain, generator);
    const MatrixX<double> B = MatrixX<double>::Random(18, 4);
    const MatrixX<double> expected = inverse_mass_matrix_times(plain, s.q, B);
    EXPECT_LE((inverse_mass_matrix_times(compiled, s.q, B) - expected).cwiseAbs().maxCoeff(),
              1e-11 * expected.cwiseAbs().maxCoeff());
    VectorX<double> x = s.a;
    Workspace<double> fast(compiled);
    inverse_dynamics(fast, s.q, s.v, x, x);
    EXPECT_EQ(x, inverse_dynamics(compiled, s.q, s.v, s.a));
}

TEST(Compile, ReportsSingularRobotsAsTheKernelsDo) {
    const Model massless = compile(Builder("massless")
                                       .link("ground")
                                       .body("ground", revolute("hinge", {0, 1, 0}), "rod",
                                             MassProperties::sphere(1, 0.1, {0, 0, 1}))
                                       .body("rod", revolute("tip", {0, 1, 0}), "needle")
                                       .build());
    const VectorX<double> x = VectorX<double>::Constant(2, 0.3);
    EXPECT_NE(
        message([&] { (void)forward_dynamics(massless, x, x, x); }).find("singular at joint 'tip'"),
        std::string::npos);
    EXPECT_EQ(message([&] { (void)inverse_dynamics(massless, x, x, x); }), "no error");
    // A bead on a turning wire: singular at one place only.
    const Model wire =
        compile(Builder("wire")
                    .link("ground")
                    .body("ground", revolute("turn", {0, 0, 1}), "wire")
                    .body("wire", prismatic("slide", {1, 0, 0}), "bead", MassProperties::point(2))
                    .build());
    Workspace<double> ws(wire, OnFailure::kReport);
    VectorX<double> q(2), a(2);
    q << 0.4, 0.5;
    EXPECT_EQ(forward_dynamics(ws, q, x, x, a), Status::kOk);
    q[1] = 0;
    EXPECT_EQ(forward_dynamics(ws, q, x, x, a), Status::kSingularMassMatrix);
    EXPECT_TRUE(a.array().isNaN().all());
    q[1] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(forward_dynamics(ws, q, x, x, a), Status::kNonFiniteInput);
}

// Random trees: whatever their shape, with more values than registers.
TEST(Compile, HoldsForTreesOfManySizes) {
    for (const int bodies : {1, 2, 5, 13, 30, 60}) {
        const Model plain = robots::tree(bodies, 7);
        const Model compiled =
            compile(plain, {.functions = {"inverse_dynamics", "mass_matrix", "forward_dynamics"}});
        std::mt19937 generator(4);
        const auto s = laws::random_state(plain, generator);
        const VectorX<double> tau = inverse_dynamics(plain, s.q, s.v, s.a);
        EXPECT_LE((inverse_dynamics(compiled, s.q, s.v, s.a) - tau).cwiseAbs().maxCoeff(),
                  1e-12 * tau.cwiseAbs().maxCoeff());
        const MatrixX<double> M = mass_matrix(plain, s.q);
        EXPECT_LE((mass_matrix(compiled, s.q) - M).cwiseAbs().maxCoeff(),
                  1e-13 * M.cwiseAbs().maxCoeff());
        // Accelerations as the torques that they take.
        const VectorX<double> a = forward_dynamics(compiled, s.q, s.v, s.tau);
        EXPECT_LE((inverse_dynamics(plain, s.q, s.v, a) - s.tau).cwiseAbs().maxCoeff(),
                  1e-10 * (1 + tau.cwiseAbs().maxCoeff()));
    }
}

// The matrices of a long chain are left to loops, without first being written down to the end.
TEST(Compile, LeavesLongProgramsToTheKernels) {
    if (!can_compile()) GTEST_SKIP() << "this machine runs the templates";
    std::vector<CompiledFunction> report;
    const Model chain = compile(robots::chain(150), {}, report);
    const auto compiled = [&](const std::string& name) {
        return std::any_of(report.begin(), report.end(),
                           [&](const CompiledFunction& f) { return f.name == name && f.compiled; });
    };
    EXPECT_TRUE(compiled("inverse_dynamics"));
    EXPECT_FALSE(compiled("coriolis_matrix"));
    const VectorX<double> q = VectorX<double>::Constant(chain.nv(), 0.1);
    EXPECT_EQ(coriolis_matrix(chain, q, q), coriolis_matrix(robots::chain(150), q, q));
}

TEST(Compile, CanBeSwitchedOff) {
    setenv("PLUCKER_COMPILE", "off", 1);
    EXPECT_FALSE(can_compile());
    EXPECT_EQ(compile(robots::arm()).code(), nullptr);
    unsetenv("PLUCKER_COMPILE");
}

// Code is written, then made executable; it is never both.
TEST(Compile, LeavesNoMemoryThatIsWritableAndExecutable) {
    const Model arm = compile(robots::arm());
    std::ifstream maps("/proc/self/maps");
    int lines = 0;
    for (std::string line; std::getline(maps, line); ++lines)
        EXPECT_EQ(line.find("rwx"), std::string::npos) << line;
    EXPECT_GT(lines, 0);
}

// The code belongs to the model: it outlives what it was made from, and threads share it.
TEST(Compile, SharesItsCode) {
    const auto make = [] { return compile(robots::quadruped()); };
    const Model robot = make();
    const Model copy = robot;
    EXPECT_EQ(copy.code(), robot.code());
    std::mt19937 generator(6);
    const auto s = laws::random_state(robot, generator);
    const VectorX<double> expected = inverse_dynamics(robot, s.q, s.v, s.a);
    std::vector<std::thread> threads;
    std::array<bool, 4> same{};
    for (std::size_t k = 0; k < same.size(); ++k) {
        threads.emplace_back([&, k] {
            Workspace<double> ws(copy);
            VectorX<double> tau(copy.nv());
            same[k] = true;
            for (int n = 0; n < 1000; ++n) {
                inverse_dynamics(ws, s.q, s.v, s.a, tau);
                same[k] = same[k] && tau == expected;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const bool x : same) EXPECT_TRUE(x);
}

}  // namespace
}  // namespace plucker::test
