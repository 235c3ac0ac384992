// Mistakes in arguments: each message names the function, the argument, its size, and the right one.
#include "batch/runs.hpp"
#include "plucker/model/builder.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

class BatchMistakes : public testing::Test {
protected:
    Model model_ = robots::exoskeleton();  // nq 15, nv 14
    batch::Evaluator<double> robot_{model_, {.threads = 1}};
    Rows<double> q_ = random_states<double>(model_, 5).q;
    Rows<double> v_ = Rows<double>::Zero(5, 14);
    Rows<double> short_ = Rows<double>::Zero(5, 3);
    Rows<double> few_ = Rows<double>::Zero(4, 14);
    std::vector<double> memory_ = std::vector<double>(5 * 14 * 14);
    batch::Matrices<double> M_{memory_.data(), 5, 14, 14};
};

TEST_F(BatchMistakes, InSizesAreNamed) {
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, short_, v_, v_, v_); }),
              "inverse_dynamics: q has size 3, expected 15 (nq)");
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, q_, short_, v_, v_); }),
              "inverse_dynamics: v has size 3, expected 14 (nv)");
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, q_, v_, short_, v_); }),
              "inverse_dynamics: a has size 3, expected 14 (nv)");
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, q_, v_, v_, short_); }),
              "inverse_dynamics: tau has size 3, expected 14 (nv)");
    EXPECT_EQ(message([&] { integrate(robot_, q_, v_, v_); }),
              "integrate: q_out has size 14, expected 15 (nq)");
    EXPECT_EQ(message([&] {
                  mass_matrix(robot_, q_, {memory_.data(), 5, 14, 13});
              }),
              "mass_matrix: M is 14×13, expected 14×14");
    EXPECT_EQ(message([&] { christoffel_symbols(robot_, q_, M_); }),
              "christoffel_symbols: symbols is 14×14, expected 14×196");
    EXPECT_EQ(message([&] { center_of_mass(robot_, q_, v_); }),
              "center_of_mass: position has size 14, expected 3");
}

TEST_F(BatchMistakes, InNumbersOfStatesAreNamed) {
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, q_, few_, v_, v_); }),
              "inverse_dynamics: v has 4 states, but q has 5");
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, q_, v_, v_, few_); }),
              "inverse_dynamics: tau has 4 states, but q has 5");
    EXPECT_EQ(message([&] {
                  mass_matrix(robot_, q_, {memory_.data(), 4, 14, 14});
              }),
              "mass_matrix: M has 4 states, but q has 5");
    std::vector<batch::Status> status(6);
    EXPECT_EQ(message([&] { gravity_torque(robot_, q_, v_, status); }),
              "gravity_torque: status has 6 states, but q has 5");
}

TEST_F(BatchMistakes, InForcesAreNamed) {
    const FrameId foot = model_.frame_id("left_foot");
    Rows<double> forces = Rows<double>::Zero(5, 12);
    batch::ExternalForces<double> external{{{foot, ReferenceFrame::kBody}}, forces};
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, q_, v_, v_, external, v_); }),
              "inverse_dynamics: forces has size 12, expected 6 (6 for each place)");
    external.places.push_back({robots::arm().frame_id(0), ReferenceFrame::kWorld});
    EXPECT_EQ(message([&] { inverse_dynamics(robot_, q_, v_, v_, external, v_); }),
              "inverse_dynamics: robot 'exoskeleton': this FrameId (number 0) belongs to "
              "another model; ask "
              "this one's frame_id(name)");
    external.forces.count = 4;
    EXPECT_EQ(message([&] { forward_dynamics(robot_, q_, v_, v_, external, v_); }),
              "forward_dynamics: forces has 4 states, but q has 5");
}

TEST_F(BatchMistakes, InFramesBodiesAndJointsAreNamed) {
    Rows<double> six = Rows<double>::Zero(5, 6);
    EXPECT_EQ(
        message([&] { frame_velocity(robot_, q_, v_, FrameId{}, ReferenceFrame::kBody, six); }),
        "frame_velocity: robot 'exoskeleton': this FrameId names no frame; ask "
        "frame_id(name)");
    EXPECT_EQ(message([&] { center_of_mass(robot_, q_, 10, short_); }),
              "center_of_mass: there is no body 10; bodies are 1 to 9, and 0 stands for the "
              "whole robot");
    EXPECT_EQ(message([&] {
                  center_of_mass(robot_, q_, -1, short_);
              }).find("center_of_mass: there is no body -1"),
              0U);
    const std::vector<Given> given(3);
    EXPECT_EQ(message([&] { hybrid_dynamics(robot_, q_, v_, given, v_, v_); }),
              "hybrid_dynamics: given has size 3, expected 10 (one entry per body, and entry "
              "0)");
}

TEST_F(BatchMistakes, OfKindAreExplained) {
    EXPECT_EQ(message([&] { batch::Evaluator<double>(model_, {.threads = -2}); }),
              "batch::Evaluator: threads is -2; it must be positive, or 0 for as many as there are "
              "cores");
    EXPECT_EQ(message([&] { batch::Evaluator<double>(model_, {.threads = 1025}); }),
              "batch::Evaluator: threads is 1025; at most 1024 are started, and 0 starts as many "
              "as there are cores");
    batch::Evaluator<float> arm(robots::arm(), {.threads = 1});
    Rows<float> x = Rows<float>::Zero(2, 7);
    EXPECT_NE(message([&] {
                  floating_base_inverse_dynamics(arm, x, x, x, x);
              }).find("floating_base_inverse_dynamics: robot 'arm' has a fixed base"),
              std::string::npos);
}

TEST_F(BatchMistakes, LeaveTheEvaluatorUsable) {
    EXPECT_THROW(gravity_torque(robot_, short_, v_), Error);
    EXPECT_EQ(gravity_torque(robot_, q_, v_), 0);
}

TEST(NoStates, AreNoMistake) {
    const Model model = robots::exoskeleton();
    batch::Evaluator<double> robot(model, {.threads = 2});
    const StateRows<double> none = random_states<double>(model, 1).part(0, 0);
    for (const BatchFunction& function : batch_functions(model)) {
        SCOPED_TRACE(function.name);
        EXPECT_EQ(run(robot, function, none).flagged, 0);
    }
}

TEST(NoCoordinates, AreNoMistake) {
    const Model model = Builder("rock").link("rock", MassProperties::sphere(2, 0.1)).build();
    batch::Evaluator<double> rock(model, {.threads = 1});
    Rows<double> nothing(9, 0), energy(9, 1);
    EXPECT_EQ(inverse_dynamics(rock, nothing, nothing, nothing, nothing), 0);
    EXPECT_EQ(potential_energy(rock, nothing, energy), 0);
}

TEST(Evaluator, TakesAsManyThreadsAsThereAreCores) {
    const batch::Evaluator<double> robot(robots::arm());
    EXPECT_GE(robot.threads(), 1);
    EXPECT_EQ(robot.model().name(), "arm");
    EXPECT_EQ(robot.lanes(), lanes_of<double>(robot.isa()));
}

// What is made for the options of one call is not taken for those of another: each answer is a new evaluator's.
TEST(Evaluator, AnswersForTheOptionsOfEachCall) {
    const Model model = robots::arm();
    const auto states = random_states<double>(model, 9);
    batch::Evaluator<double> used(model, {.threads = 1});
    const FrameId tool = model.frame_id("tool");
    const Rows<double> forces = Rows<double>::Constant(9, 6, 2.0);
    for (int round = 0; round < 2; ++round) {
        for (const ReferenceFrame in :
             {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned}) {
            batch::Evaluator<double> fresh(model, {.threads = 1});
            const batch::ExternalForces<double> external{{{tool, in}}, forces};
            Rows<double> tau(9, 7), expected(9, 7);
            inverse_dynamics(used, states.q, states.v, states.a, external, tau);
            inverse_dynamics(fresh, states.q, states.v, states.a, external, expected);
            EXPECT_EQ(tau, expected) << static_cast<int>(in);
        }
        for (const std::size_t joint : {std::size_t{2}, std::size_t{5}}) {
            batch::Evaluator<double> fresh(model, {.threads = 1});
            std::vector<Given> given(8, Given::kTorque);
            given[joint] = Given::kAcceleration;
            Rows<double> a = states.a, tau = states.a, same_a = a, same_tau = tau;
            hybrid_dynamics(used, states.q, states.v, given, a, tau);
            hybrid_dynamics(fresh, states.q, states.v, given, same_a, same_tau);
            EXPECT_EQ(a, same_a) << joint;
            EXPECT_EQ(tau, same_tau) << joint;
        }
    }
}

// And for the frame and the coordinates of each call, where the code for the last ones is kept.
TEST(Evaluator, AnswersForTheFrameOfEachCall) {
    const Model model = robots::arm();
    const auto states = random_states<double>(model, 9);
    batch::Evaluator<double> used(model, {.threads = 1});
    int asked = 0;
    for (BatchFunction function : batch_functions(model)) {
        if (!function.row->inputs.has(Kind::kFrame)) continue;
        for (const ReferenceFrame in : {ReferenceFrame::kBody, ReferenceFrame::kWorld}) {
            for (const FrameId frame : {model.frame_id("tool"), model.body_frame(4)}) {
                function.frame = frame;
                function.reference = in;
                batch::Evaluator<double> fresh(model, {.threads = 1});
                const Outcome<double> got = run(used, function, states),
                                      expected = run(fresh, function, states);
                for (long n = 0; n < 9; ++n)
                    EXPECT_TRUE(got.same_bits(n, expected, n)) << function.name;
                ++asked;
            }
        }
    }
    EXPECT_GT(asked, 20);
}

TEST(Evaluator, CanBeMoved) {
    const Model model = robots::arm();
    batch::Evaluator<double> first(model, {.threads = 2});
    batch::Evaluator<double> robot = std::move(first);
    const auto states = random_states<double>(model, 9);
    Rows<double> tau(9, 7);
    EXPECT_EQ(gravity_torque(robot, states.q, tau), 0);
    robot = batch::Evaluator<double>(model, {.threads = 1});
    EXPECT_EQ(gravity_torque(robot, states.q, tau), 0);
    EXPECT_EQ(robot.threads(), 1);
}

}  // namespace
}  // namespace plucker::test
