// What is said, word by word, where a motion is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "plucker/constraints/close_loops.hpp"
#include "plucker/plucker.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/simulate/batch_simulator.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "plucker/simulate/simulator.hpp"
#include "refusals/pairs.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

VectorX<double> zeros(long n) { return VectorX<double>::Zero(n); }

TEST(Refusals, OfFreeMotion) {
    const Model arm = robots::arm();
    const auto with = [&](const FreeMotion::Options& options, const Model& model = robots::arm()) {
        return message([&] { FreeMotion motion(model, options); });
    };
    EXPECT_EQ(with({.integrator = Integrator::kEuler}),
              "FreeMotion: semi-implicit Euler is what Simulator does");
    EXPECT_EQ(with({.step = -0.25}),
              "FreeMotion: a step of -0.25 s: it must be positive, such as 0.001");
    EXPECT_EQ(with({.tolerance = -1e-12}),
              "FreeMotion: a tolerance of -1e-12: it must be positive, such as 1e-9");
    const FreeMotion::Options symplectic{.integrator = Integrator::kSymplectic};
    const auto two = [](const JointDescription& second) {
        return Builder("two")
            .link("ground")
            .body("ground", revolute("first", {0, 0, 1}), "a", MassProperties::box(1, {1, 2, 3}))
            .body("ground", second, "b", MassProperties::box(1, {1, 2, 3}));
    };
    const JointDescription second = revolute("second", {0, 1, 0});
    EXPECT_EQ(with(symplectic, two(second.mimicking("first")).build()),
              "FreeMotion: the symplectic integrator cannot take robots whose joints mimic others; "
              "use rk4");
    EXPECT_EQ(with(symplectic, two(second).constraint(rod("tie", "a", "b", 1)).build()),
              "FreeMotion: the symplectic integrator cannot take constraints beyond the tree; use "
              "rk4");
    EXPECT_EQ(with(symplectic, two(second.with_friction(0.5)).build()),
              "FreeMotion: the symplectic integrator cannot take dry friction, which has no slope "
              "where a joint comes to rest; use rk4, or leave it out: with_friction(model, false), "
              "--no-friction");

    FreeMotion motion(arm);
    EXPECT_EQ(message([&] { motion.set_state(zeros(7), VectorX<double>::Constant(7, NAN)); }),
              "set_state: a number is not finite");
    EXPECT_EQ(message([&] { motion.set_state(zeros(7), zeros(7), NAN); }),
              "set_state: the time is nan");
    EXPECT_EQ(message([&] { motion.advance_to(NAN); }), "advance_to: the time is nan");
    EXPECT_EQ(message([&] {
                  motion.advance_to(1, [](double, const auto&, const auto&) { return 1.0; });
              }),
              "advance_to: events are located by the adaptive integrator");
    FreeMotion adaptive(arm, {.integrator = Integrator::kAdaptive, .step = 0.25});
    adaptive.set_state(zeros(7), zeros(7), 2);
    adaptive.advance_to(2.25);
    const std::string outside = message([&] { adaptive.state_at(1); });
    EXPECT_TRUE(outside.starts_with("state_at: 1 s is not within the last step, from ")) << outside;
    EXPECT_TRUE(outside.ends_with(" to 2.25 s")) << outside;
    // Vectors that the caller's flags align in another way.
    EXPECT_EQ(message([&] { motion.control({}, 1); }),
              "control: this program aligns Eigen's vectors to 1 bytes and the library to " +
                  std::to_string(EIGEN_MAX_ALIGN_BYTES) +
                  ": compile both with the same flags for the processor (-march)");
    // A slope that no step follows.
    adaptive.control(
        [](double, const auto&, const auto&, VectorX<double>& tau) { tau.setConstant(1e300); });
    const std::string wild = message([&] { adaptive.step(); });
    EXPECT_TRUE(wild.find("no step is small enough for the tolerance; a looser one may help") !=
                    std::string::npos ||
                wild.find("left the range of numbers") != std::string::npos)
        << wild;
}

TEST(Refusals, OfSimulators) {
    const Model arm = robots::arm();
    const auto with = [&](const SimulatorOptions& options) {
        return message([&] { Simulator simulator(arm, {}, options); });
    };
    EXPECT_EQ(with({.step = -0.25}),
              "Simulator: a step of -0.25 s: it must be positive, such as 0.001");
    EXPECT_EQ(with({.compliance = -1e-9}),
              "Simulator: a compliance of -1e-09 m/N: it must be zero or positive");
    EXPECT_EQ(with({.solver = {.target = -1e-9}}),
              "Simulator: a target or tolerance of -1e-09 m/s: it must be zero or positive");
    EXPECT_EQ(with({.solver = {.tolerance = -1e-9}}),
              "Simulator: a target or tolerance of -1e-09 m/s: it must be zero or positive");
    Simulator simulator(arm);
    EXPECT_EQ(message([&] { simulator.set_state(zeros(7), zeros(7), NAN); }),
              "set_state: the time is nan");
    EXPECT_EQ(message([&] { simulator.hold(zeros(7), -2, 0.5); }),
              "hold: the gains of 'joint1' are -2 and 0.5; they must be zero or positive");
    EXPECT_EQ(message([&] { simulator.prescribe("joint2", VectorX<double>::Constant(1, NAN)); }),
              "prescribe: the velocity of 'joint2' is not finite");
    Simulator pair(twins());
    EXPECT_EQ(message([&] { pair.prescribe("right", zeros(1)); }),
              "prescribe: joint 'right' mimics 'left' and has no velocity of its own; give that of "
              "'left'");
    VectorX<double> fast = zeros(7);
    fast[2] = 1e200;
    simulator.set_state(zeros(7), fast);
    const std::string lost = message([&] { simulator.step(); });
    EXPECT_TRUE(lost.starts_with("step: the motion left the range of numbers at the velocity of '"))
        << lost;
    EXPECT_TRUE(lost.ends_with("; a smaller step may help")) << lost;

    EXPECT_EQ(message([&] { batch::Simulator robots(arm, World{}, 0); }),
              "batch::Simulator: 0 robots: there must be one");
    EXPECT_EQ(message([&] { batch::Simulator robots(arm, std::span<const World>{}); }),
              "batch::Simulator: no worlds, and so no robots");
    batch::Simulator robots(arm, World{}, 2);
    EXPECT_EQ(message([&] { robots.step(batch::Simulator::Rows::Zero(2, 7), -1); }),
              "step: -1 steps: time goes on");
}

TEST(Refusals, OfWorlds) {
    World far;
    far.shapes.push_back(
        {.placement = Pose<double>::translation(NAN, 0, 0), .geometry = Sphere{0.1}});
    EXPECT_NE(message([&] {
                  Simulator simulator(robots::arm(), far);
              }).find("its position is not finite"),
              std::string::npos);
    World hills;
    HeightField field;
    field.origin = {0, NAN, 0};
    field.points_x = field.points_y = 2;
    field.heights = {0, 0, 0, 0};
    hills.fields.push_back(field);
    EXPECT_NE(message([&] {
                  Simulator simulator(robots::arm(), hills);
              }).find("its origin has a coordinate nan; it must be finite"),
              std::string::npos);
}

TEST(Refusals, OfClosingLoops) {
    const Model pair = pair_of("pair", "ground", revolute("right", {0, 0, 1}).at(9, 0, 0))
                           .constraint(weld("tie", "left_arm", "right_arm"))
                           .build();
    const std::string wrong = "close_loops: tolerance is ";
    EXPECT_EQ(message([&] { close_loops(pair, zeros(2), {.tolerance = 0}); }),
              wrong + "0, iterations 100, tries 20; all must be positive");
    const std::string open = close_loops(pair, zeros(2)).message;
    EXPECT_TRUE(open.starts_with(
        "constraint 'tie' cannot be closed: 'left_arm' and 'right_arm' stay 9 m and "))
        << open;
    EXPECT_TRUE(
        open.ends_with(" rad from where they have to be; look at the lengths of its links, or "
                       "start nearer"))
        << open;
    Workspace<double> ws(pair);
    const VectorX<double> lambda = zeros(pair.num_constraint_rows());
    EXPECT_EQ(message([&] { constraint_force(ws, zeros(2), 1, lambda, ReferenceFrame::kWorld); }),
              "constraint_force: there is no constraint 1; robot 'pair' has 1");
    EXPECT_EQ(message([&] { constraint_force(ws, zeros(2), 0, zeros(2), ReferenceFrame::kWorld); }),
              "constraint_force: lambda has size 2, expected 6 (num_constraint_rows)");
}

// As every function says it of its arguments.
TEST(Refusals, OfConstrainedDerivatives) {
    const Model model = pair_of("pair", "left_arm", revolute("right", {0, 0, 1}).at(1, 0, 0))
                            .constraint(connect("tie", "right_arm", "ground"))
                            .build();
    const VectorX<double> fine = zeros(2), bad = VectorX<double>::Constant(2, NAN);
    const auto said = [&](const VectorX<double>& q, const VectorX<double>& v,
                          const VectorX<double>& tau) {
        return message([&] { constrained_forward_dynamics_derivatives(model, q, v, tau); });
    };
    const std::string name = "constrained_forward_dynamics_derivatives: ";
    EXPECT_TRUE(said(bad, fine, fine).starts_with(name + "q")) << said(bad, fine, fine);
    EXPECT_TRUE(said(fine, bad, fine).starts_with(name + "v")) << said(fine, bad, fine);
    EXPECT_TRUE(said(fine, fine, bad).starts_with(name + "tau")) << said(fine, fine, bad);
}

}  // namespace
}  // namespace plucker::test
