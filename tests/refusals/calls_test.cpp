// What is said, word by word, where a call of a function is refused, singly, in batches or as a program.
#include <gtest/gtest.h>

#include <cmath>

#include "plucker/batch/batch.hpp"
#include "plucker/compiler/compile.hpp"
#include "plucker/compiler/generate.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/identify/identify.hpp"
#include "plucker/plucker.hpp"
#include "plucker/robots/robots.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

using Numbers = VectorX<double>;
Numbers zero(long n) { return Numbers::Zero(n); }

TEST(Refusals, OfCalls) {
    const Model arm = robots::arm(), dog = robots::quadruped();
    Workspace<double> ws(arm), of_dog(dog);
    Numbers x(7);
    Numbers no_attitude = neutral_configuration(dog);
    no_attitude.segment(3, 4).setZero();
    MatrixX<double> M(18, 18);
    EXPECT_EQ(message([&] { mass_matrix(of_dog, no_attitude, M); }),
              "mass_matrix: q: the quaternion of joint 'base' is zero, or too short or too long to "
              "tell a direction; no turn is 0 0 0 1 (neutral_configuration gives it)");
    ExternalForces<double> of_another(dog);
    of_another.add("trunk", Force<double>{}, ReferenceFrame::kBody);
    EXPECT_EQ(
        message([&] { inverse_dynamics(ws, zero(7), zero(7), zero(7), &of_another, x); }),
        "inverse_dynamics: the external forces were made for another model (robot 'quadruped') "
        "than this workspace (robot 'arm'); make them from workspace.model()");
    EXPECT_EQ(
        message([&] {
            Numbers a = zero(7);
            floating_base_inverse_dynamics(ws, zero(7), zero(7), a, x);
        }),
        "floating_base_inverse_dynamics: robot 'arm' has a fixed base; use inverse_dynamics, or "
        "with_base(model, Base::kFloating)");
    const auto needs = [](const char* function, const char* arguments) {
        return std::string(function) +
               ": the workspace does not hold what this needs; call "
               "forward_kinematics(workspace, " +
               arguments + ") first";
    };
    Workspace<double> fresh(arm);
    EXPECT_EQ(message([&] { potential_energy(fresh); }), needs("potential_energy", "q"));
    EXPECT_EQ(message([&] { com_velocity(fresh); }), needs("com_velocity", "q, v"));
    EXPECT_EQ(message([&] { com_acceleration(fresh); }), needs("com_acceleration", "q, v, a"));
    const Model ghost = Builder("ghost")
                            .link("ground")
                            .body("ground", revolute("hinge", {0, 0, 1}), "shade", MassProperties{})
                            .physics(Physics::kLenient)
                            .build();
    EXPECT_EQ(message([&] { center_of_mass(ghost, zero(1)); }),
              "center_of_mass: the robot has no mass, so it has no centre of mass");
}

TEST(Refusals, OfBatches) {
    const Model arm = robots::arm();
    batch::Evaluator<double> robot(arm, {.threads = 1});
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Rows q = Rows::Zero(4, 7), v = q, a = q, all = Rows::Zero(5, 7);
    EXPECT_EQ(
        message([&] { inverse_dynamics(robot, all.topRows(4), v, a, all.bottomRows(4)); }),
        "inverse_dynamics: the output tau shares memory with the input q; give it its own, or "
        "the very same array");
    Rows forces = Rows::Zero(4, 6);
    batch::ExternalForces<double> external;
    external.places.push_back({arm.frame_id("tool"), ReferenceFrame::kWorld});
    external.forces = forces;
    // Seven numbers of the output begin where six of a force do.
    Rows both = Rows::Zero(4, 7);
    external.forces = both.leftCols(6);
    EXPECT_EQ(
        message([&] { inverse_dynamics(robot, q, v, a, external, both); }),
        "inverse_dynamics: the output tau shares memory with the external forces; give it its "
        "own");
}

TEST(Refusals, OfPrograms) {
    const Model arm = robots::arm();
    const auto compiling = [&](const CompileOptions& options) {
        return message([&] { compile(arm, options); });
    };
    EXPECT_EQ(
        compiling({.functions = {"inverse_dynamics"}, .parameters = {"frame:tool"}}),
        "compile: parameter 'frame:tool': no workspace can move a frame; generate() takes it");
    EXPECT_EQ(compiling({.functions = {"floating_base_inverse_dynamics"}}),
              "compile: robot 'arm' has no floating_base_inverse_dynamics");
    EXPECT_EQ(compiling({.functions = {"frame_jacobian"}}),
              "compile: frame_jacobian takes a frame; name those that it is for");
    GenerateOptions nothing;
    nothing.functions.clear();
    EXPECT_EQ(message([&] { generate(arm, nothing); }), "generate: no function is named");
    const compiler::Program program =
        compiler::record(arm, "gravity_torque", compiler::RecordOptions{}).program;
    const std::vector<double> too_few(3);
    EXPECT_EQ(message([&] { evaluate(program, too_few); }),
              "evaluate: the program gravity_torque has 7 inputs, not 3");
    EXPECT_EQ(
        message([&] { compiler::record(arm, "forward_kinematics", {}); }),
        "record: forward_kinematics leaves its results in a workspace, and a program has none; "
        "record what asks for them");
}

TEST(Refusals, OfLogs) {
    const Model pendulum = robots::double_pendulum();
    MotionLog log;
    const long n = 40;
    log.time = Numbers::LinSpaced(n, 0, 0.39);
    log.q = log.v = log.a = log.tau = MatrixX<double>::Random(n, 2);
    EXPECT_EQ(message([&] { check_log(pendulum, log); }), "no error");
    EXPECT_EQ(message([&] { identify(pendulum, log, {.cutoff = -2}); }),
              "identify: cutoff is -2 Hz; it must not be negative");
    EXPECT_TRUE(message([&] {
                    identify(pendulum, log, {.links = {"nobody"}});
                }).starts_with("identify: links: "));
    const auto said = [&](long sample, double time) {
        MotionLog broken = log;
        broken.time[sample] = time;
        return message([&] { check_log(pendulum, broken); });
    };
    EXPECT_EQ(said(3, NAN), "the log's time is nan in sample 4");
    EXPECT_EQ(said(3, 0.02), "the log's time goes from 0.02 to 0.02 in sample 4; it must grow");
    EXPECT_EQ(
        said(3, 0.034),
        "the log's samples 3 and 4 are 0.014 s apart, most others 0.01 s; samples must come at "
        "equal steps: resample the log");
}

}  // namespace
}  // namespace plucker::test
