// Integrators: their orders, what they keep, events.
#include <gtest/gtest.h>

#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/plucker.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "scenes.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

// A state from which all joints move gently.
struct Start {
    VectorX<double> q, v;
};
Start start_of(const Model& model, double speed) {
    Start out{neutral_configuration(model), VectorX<double>(model.nv())};
    for (int k = 0; k < model.nv(); ++k) out.v[k] = speed * std::sin(1.7 * k + 0.4);
    Workspace<double> ws(model);
    VectorX<double> q(model.nq());
    const VectorX<double> step = 0.3 / speed * out.v;
    integrate(ws, out.q, step, q);
    out.q = q;
    return out;
}

// A built-in robot without friction, or one that has what those have not: a planar joint, dampers.
Model free_robot(const std::string& name) {
    if (name != "cart" && name != "damped") return with_friction(robots::by_name(name), false);
    const double damping = name == "damped" ? 0.4 : 0;
    const MassProperties odd = MassProperties::box(2, {0.3, 0.2, 0.1}, {0.1, -0.2, 0.05});
    return Builder(name)
        .link("floor")
        .body("floor", planar("drive", {0.2, 0.3, 1}).with_damping(damping), "cart", odd)
        .body("cart", revolute("swing", {1, 0, 0}).at(0.1, 0.2, 0).with_damping(damping), "arm",
              odd)
        .build();
}

VectorX<double> end_of(const Model& model, Integrator integrator, double step, double duration) {
    FreeMotion motion(model, {integrator, step, 1e-12});
    const Start start = start_of(model, 0.5);
    motion.set_state(start.q, start.v);
    motion.advance_to(duration);
    VectorX<double> out(model.nq() + model.nv());
    out << motion.q(), motion.v();
    return out;
}

class Order : public testing::TestWithParam<std::tuple<Integrator, std::string>> {};

// Half the step: a sixteenth of the error, or a fourth.
TEST_P(Order, IsAsPromised) {
    const auto& [integrator, name] = GetParam();
    const Model model = free_robot(name);
    const VectorX<double> truth = end_of(model, Integrator::kAdaptive, 1e-3, 0.25);
    const double coarse = (end_of(model, integrator, 1.0 / 32, 0.25) - truth).norm();
    const double fine = (end_of(model, integrator, 1.0 / 64, 0.25) - truth).norm();
    const double order = integrator == Integrator::kRk4 ? 4 : 2;
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.6) << coarse << " and " << fine;
}
INSTANTIATE_TEST_SUITE_P(
    Simulate, Order,
    testing::Combine(testing::Values(Integrator::kRk4, Integrator::kSymplectic),
                     testing::Values("arm", "quadruped", "lamp", "cart", "damped")));

// The closed form of a mass on a slide under a force that turns.
TEST(FreeMotion, FollowsAClosedForm) {
    const Model model = with_gravity(Builder("slide")
                                         .link("ground")
                                         .body("ground", prismatic("slide", {1, 0, 0}), "mass",
                                               MassProperties::point(2, {0, 0, 0}))
                                         .build(),
                                     {0, 0, 0});
    for (const Integrator integrator : {Integrator::kRk4, Integrator::kAdaptive}) {
        FreeMotion motion(model, {integrator, 1e-2, 1e-12});
        motion.control([](double t, const VectorX<double>&, const VectorX<double>&,
                          VectorX<double>& tau) { tau[0] = 2 * std::cos(3 * t); });
        motion.set_state(VectorX<double>::Zero(1), VectorX<double>::Zero(1));
        motion.advance_to(2);
        EXPECT_EQ(motion.time(), 2);
        EXPECT_NEAR(motion.q()[0], (1 - std::cos(6)) / 9, 1e-8);
        EXPECT_NEAR(motion.v()[0], std::sin(6) / 3, 1e-8);
    }
}

// A minute of a swinging leg: Runge–Kutta at 1 ms loses next to nothing, and quaternions stay of unit length.
TEST(FreeMotion, KeepsEnergyAndQuaternions) {
    const Model model = free_robot("quadruped");
    const Start start = start_of(model, 0.5);
    FreeMotion motion(model, {Integrator::kRk4, 1e-3});
    motion.set_state(start.q, start.v);
    const double energy = motion.kinetic_energy() + motion.potential_energy();
    motion.advance_to(5);
    EXPECT_NEAR(motion.kinetic_energy() + motion.potential_energy(), energy, 1e-8 * 1000);
    EXPECT_NEAR(motion.q().segment<4>(3).norm(), 1, 1e-15);
}

// The variational integrator: after very many steps the energy is within the same bounds as after few, and momentum is kept.
TEST(FreeMotion, TheSymplecticOneKeepsWithinBounds) {
    const Model model = Builder("double_pendulum")
                            .link("ground")
                            .body("ground", revolute("a", {0, 1, 0}), "upper",
                                  MassProperties::point(1, {0, 0, -0.5}))
                            .body("upper", revolute("b", {0, 1, 0}).at(0, 0, -0.5), "lower",
                                  MassProperties::point(0.5, {0, 0, -0.4}))
                            .build();
    VectorX<double> q(2), v(2);
    q << 0.5, 0.3;
    v << 0, 0;
    FreeMotion motion(model, {Integrator::kSymplectic, 5e-3});
    motion.set_state(q, v);
    const double energy = motion.kinetic_energy() + motion.potential_energy();
    double early = 0, late = 0;
    for (int k = 0; k < 100000; ++k) {
        motion.step();
        if (k >= 20000 && k < 80000) continue;
        double& worst = k < 20000 ? early : late;
        worst =
            std::max(worst, std::abs(motion.kinetic_energy() + motion.potential_energy() - energy));
    }
    EXPECT_GT(early, 1e-6) << "it is of second order only";
    EXPECT_LE(late, 1.2 * early) << "but it does not drift";
}
TEST(FreeMotion, TheSymplecticOneKeepsMomentum) {
    const Model model = with_gravity(free_robot("quadruped"), {0, 0, 0});
    const Start start = start_of(model, 0.5);
    FreeMotion motion(model, {Integrator::kSymplectic, 2e-3});
    motion.set_state(start.q, start.v);
    const auto momentum = [&] {
        // About the world's origin, where nothing moves.
        Force<double> h = centroidal_momentum(model, motion.q(), motion.v());
        const auto center = center_of_mass(model, motion.q());
        h.angular += cross(Vec3<double>{center[0], center[1], center[2]}, h.linear);
        return VectorX<double>(to_eigen(h));
    };
    // The discrete momentum differs from M v at a node by O(h²), and is the same at all of them.
    motion.step();
    const VectorX<double> before = momentum();
    for (int k = 0; k < 500; ++k) motion.step();
    EXPECT_LE((momentum() - before).norm(), 1e-9 * before.norm());
}

// A ball thrown up meets the floor at the time that the closed form says.
TEST(FreeMotion, LocatesEvents) {
    const Model model = things({ball("ball", 0.1, 1, 0)});
    FreeMotion motion(model, {Integrator::kAdaptive, 1e-2, 1e-10});
    VectorX<double> q = neutral_configuration(model), v = VectorX<double>::Zero(6);
    q[2] = 1;
    v[5] = 3;
    v[0] = 2;
    motion.set_state(q, v);
    const auto height = [](double, const VectorX<double>& at, const VectorX<double>&) {
        return at[2];
    };
    ASSERT_TRUE(motion.advance_to(10, height));
    const double expected = (3 + std::sqrt(9 + 2 * kGravity)) / kGravity;
    EXPECT_NEAR(motion.time(), expected, 1e-9);
    EXPECT_NEAR(motion.q()[2], 0, 1e-9);
    motion.set_state(q, v);
    EXPECT_FALSE(motion.advance_to(0.5, height));
    EXPECT_EQ(motion.time(), 0.5);
    // States within the last step.
    EXPECT_NEAR(motion.state_at(0.499).q[2], 1 + 3 * 0.499 - 0.5 * kGravity * 0.499 * 0.499, 1e-9);
    EXPECT_THROW(motion.state_at(0.6), Error);
}

// An event that comes to zero where a step ends, or that stays there, has happened; one that begins there has not.
TEST(FreeMotion, SeesEventsThatEndOnZero) {
    FreeMotion motion(free_robot("cart"), {Integrator::kAdaptive, 1e-2, 1e-9});
    for (const double sign : {1.0, -1.0}) {
        for (const bool stays : {false, true}) {
            const auto event = [&](double t, const VectorX<double>&, const VectorX<double>&) {
                return sign * (stays ? std::max(0.5 - t, 0.0) : 0.5 - t);
            };
            for (const double until : {0.5, 0.8}) {
                motion.set_state(motion.q(), motion.v());
                EXPECT_TRUE(motion.advance_to(until, event)) << sign << stays << until;
                EXPECT_EQ(motion.time(), 0.5);
            }
            EXPECT_FALSE(motion.advance_to(1, event));
            EXPECT_EQ(motion.time(), 1);
        }
    }
}

// The tolerance is relative where numbers are large: a fast motion takes as many steps as a slow one that looks the same.
TEST(FreeMotion, TakesAsManyStepsHoweverFastItIs) {
    const Model model = Builder("brake")
                            .gravity({0, 0, 0})
                            .link("ground")
                            .body("ground", prismatic("slide", {1, 0, 0}).with_damping(3), "cart",
                                  MassProperties::sphere(1, 0.1))
                            .build();
    const auto steps = [&](double speed) {
        FreeMotion motion(model, {Integrator::kAdaptive, 1e-3, 1e-9});
        motion.set_state(VectorX<double>::Zero(1), VectorX<double>::Constant(1, speed));
        motion.advance_to(1);
        return motion.num_steps();
    };
    // Displacements begin at zero in each step, so that their size is that of the step: some more steps, but not the fifth
    // root of a million times as many.
    EXPECT_LE(steps(1e6), 4 * steps(1));
    EXPECT_GE(steps(1e6), steps(1));
}

// Between the ends of its steps the motion is as near to the truth as at them.
TEST(FreeMotion, IsKnownWithinAStep) {
    const Model model = free_robot("cart");
    const Start start = start_of(model, 0.5);
    FreeMotion motion(model, {Integrator::kAdaptive, 1e-2, 1e-7});
    FreeMotion exact(model, {Integrator::kAdaptive, 1e-3, 1e-13});
    motion.set_state(start.q, start.v);
    exact.set_state(start.q, start.v);
    for (int k = 0; k < 20; ++k) {
        const double from = motion.time();
        motion.step();
        for (const double part : {0.0, 0.3, 0.5, 0.8, 1.0}) {
            const double t = from + part * (motion.time() - from);
            exact.advance_to(t);
            EXPECT_LE((motion.state_at(t).q - exact.q()).lpNorm<Eigen::Infinity>(), 1e-5) << t;
            EXPECT_LE((motion.state_at(t).v - exact.v()).lpNorm<Eigen::Infinity>(), 1e-5) << t;
        }
    }
}

// Of a step before the state was set there is nothing to be known.
TEST(FreeMotion, HasNoStepToLookIntoWhereItIsSet) {
    const Model model = free_robot("cart");
    const Start start = start_of(model, 0.5);
    FreeMotion motion(model, {Integrator::kAdaptive, 1e-2});
    const auto complaint = [&](double t) { return message([&] { (void)motion.state_at(t); }); };
    const std::string none = "state_at: there is no step of the adaptive integrator to look into";
    EXPECT_EQ(complaint(0), none);
    motion.set_state(start.q, start.v);
    EXPECT_EQ(complaint(0), none);
    motion.advance_to(0.1);
    EXPECT_EQ(complaint(0.1), "no error");
    motion.set_state(start.q, start.v, 0.1);
    EXPECT_EQ(complaint(0.1), none);
    motion.step();
    EXPECT_EQ(complaint(0.1), "no error");
}

// A controller is asked at the times of the motion: m v̇ = τ(t).
TEST(FreeMotion, ControllersKnowWhatTimeItIs) {
    const double m = 2;
    const Model model =
        Builder("slide")
            .gravity({})
            .link("rail")
            .body("rail", prismatic("x", {1, 0, 0}), "cart", MassProperties::sphere(m, 0.1))
            .build();
    const VectorX<double> zero = VectorX<double>::Zero(1);
    for (const Integrator integrator :
         {Integrator::kRk4, Integrator::kAdaptive, Integrator::kSymplectic}) {
        for (const double begin : {0.0, 3.0}) {
            FreeMotion motion(model, {integrator, 1e-2});
            motion.control([](double t, const VectorX<double>&, const VectorX<double>&,
                              VectorX<double>& tau) { tau[0] = 6 * t; });
            motion.set_state(zero, zero, begin);
            const double end = begin + 0.5;
            motion.advance_to(end);
            // The symplectic one's q is of second order.
            EXPECT_NEAR(motion.v()[0], 3 * (end * end - begin * begin) / m, 1e-9)
                << name_of(integrator);
            EXPECT_NEAR(motion.q()[0],
                        (end * end * end - begin * begin * begin - 3 * begin * begin * 0.5) / m,
                        integrator == Integrator::kSymplectic ? 1e-4 : 1e-9)
                << name_of(integrator);
        }
    }
}

TEST(FreeMotion, BeginsAnewWhereItIsSet) {
    const Model model = free_robot("quadruped");
    const Start start = start_of(model, 0.5);
    for (const Integrator integrator :
         {Integrator::kRk4, Integrator::kAdaptive, Integrator::kSymplectic}) {
        FreeMotion used(model, {integrator, 1e-2}), fresh(model, {integrator, 1e-2});
        used.set_state(start.q, -3 * start.v);
        used.advance_to(0.1);
        for (FreeMotion* each : {&used, &fresh}) {
            each->set_state(start.q, start.v);
            each->advance_to(0.2);
        }
        EXPECT_LE((used.q() - fresh.q()).lpNorm<Eigen::Infinity>(), 1e-8) << name_of(integrator);
        EXPECT_LE((used.v() - fresh.v()).lpNorm<Eigen::Infinity>(), 1e-8) << name_of(integrator);
    }
}

// Friction is what all integrators take from a pendulum's energy, or what they refuse: none is silent about it.
TEST(FreeMotion, LosesEnergyByFriction) {
    const auto pendulum = [](double damping, double friction) {
        return Builder("pendulum")
            .link("ground")
            .body("ground",
                  revolute("hinge", {0, 1, 0}).with_damping(damping).with_friction(friction), "bob",
                  MassProperties::point(1, {0, 0, -1}))
            .build();
    };
    const auto energy_at_end = [](const Model& model, Integrator integrator) {
        FreeMotion motion(model, {integrator, 1e-3, 1e-9});
        motion.set_state(VectorX<double>::Constant(1, 1.0), VectorX<double>::Zero(1));
        motion.advance_to(1);
        return motion.kinetic_energy() + motion.potential_energy();
    };
    const double damped = energy_at_end(pendulum(0.3, 0), Integrator::kAdaptive);
    EXPECT_LT(damped, energy_at_end(pendulum(0, 0), Integrator::kAdaptive) - 0.5);
    EXPECT_NEAR(energy_at_end(pendulum(0.3, 0), Integrator::kRk4), damped, 1e-6);
    EXPECT_NEAR(energy_at_end(pendulum(0.3, 0), Integrator::kSymplectic), damped, 1e-5);
    const double dry = energy_at_end(pendulum(0, 1), Integrator::kAdaptive);
    EXPECT_NEAR(energy_at_end(pendulum(0, 1), Integrator::kRk4), dry, 1e-2);
    EXPECT_NE(message([&] {
                  energy_at_end(pendulum(0, 1), Integrator::kSymplectic);
              }).find("dry friction"),
              std::string::npos);
}

TEST(FreeMotion, RefusesNonsense) {
    const Model model = robots::arm();
    EXPECT_THROW(FreeMotion(model, {Integrator::kEuler}), Error);
    EXPECT_THROW(FreeMotion(model, {Integrator::kRk4, 0}), Error);
    EXPECT_THROW(FreeMotion(model, {Integrator::kRk4, -1e-3}), Error);
    EXPECT_THROW(FreeMotion(model, {Integrator::kAdaptive, 1e-3, 0}), Error);
    const Model gears = joint_model("mimic");
    EXPECT_NE(message([&] { FreeMotion(gears, {Integrator::kSymplectic}); }).find("mimic others"),
              std::string::npos);
    EXPECT_NO_THROW(FreeMotion(gears, {Integrator::kRk4}));
    FreeMotion motion(model);
    EXPECT_THROW(motion.set_state(VectorX<double>::Zero(3), VectorX<double>::Zero(7)), Error);
    EXPECT_THROW(motion.set_state(VectorX<double>::Constant(7, NAN), VectorX<double>::Zero(7)),
                 Error);
    EXPECT_THROW(motion.set_state(motion.q(), motion.v(), NAN), Error);
    FreeMotion adaptive(model, {Integrator::kAdaptive});
    for (const double time : {double{NAN}, double{INFINITY}}) {
        EXPECT_THROW(motion.advance_to(time), Error);
        EXPECT_THROW(adaptive.advance_to(time, [](auto&&...) { return 1.0; }), Error);
    }
}

// A torque beyond all numbers ends a step; once it is gone the next one goes on from where the motion was.
TEST(FreeMotion, GoesOnWhenAStepHasFailed) {
    const Model model = free_robot("double_pendulum");
    for (const Integrator integrator :
         {Integrator::kRk4, Integrator::kAdaptive, Integrator::kSymplectic}) {
        SCOPED_TRACE(name_of(integrator));
        const Start start = start_of(model, 0.5);
        FreeMotion motion(model, {integrator, 1e-3});
        motion.set_state(start.q, start.v);
        double torque = 0;
        motion.control([&](double, const VectorX<double>&, const VectorX<double>&,
                           VectorX<double>& tau) { tau.setConstant(torque); });
        motion.step();
        const VectorX<double> q = motion.q(), v = motion.v();
        torque = 1e308;
        EXPECT_THROW(motion.step(), Error);
        EXPECT_EQ(motion.q(), q);
        EXPECT_EQ(motion.v(), v);
        torque = 0;
        EXPECT_NO_THROW(motion.step());
    }
}

// Time goes on; what is over is no time to go to, except for rounding.
TEST(FreeMotion, DoesNotGoBack) {
    const VectorX<double> q = VectorX<double>::Constant(1, 1.0), v = VectorX<double>::Zero(1);
    const auto never = [](double, const VectorX<double>&, const VectorX<double>&) { return 1.0; };
    for (const Integrator integrator :
         {Integrator::kRk4, Integrator::kAdaptive, Integrator::kSymplectic}) {
        FreeMotion motion(free_robot("pendulum"), {integrator, 1e-2});
        motion.set_state(q, v, 2);
        motion.advance_to(2.5);
        const double there = motion.q()[0];
        const std::string complaint =
            "advance_to: 1.5 s is before the motion's time, 2.5 s; set_state says where and when "
            "it begins anew";
        EXPECT_EQ(message([&] { motion.advance_to(1.5); }), complaint);
        motion.advance_to(2.5);
        motion.advance_to(std::nextafter(2.5, 0));
        if (integrator == Integrator::kAdaptive) {
            EXPECT_EQ(message([&] { motion.advance_to(1.5, never); }), complaint);
            EXPECT_FALSE(motion.advance_to(std::nextafter(2.5, 0), never));
        }
        EXPECT_EQ(motion.time(), 2.5);
        EXPECT_EQ(motion.q()[0], there);
        motion.set_state(q, v, 1);
        motion.advance_to(1.5);
    }
}

// Nothing moves: of a robot without joints, and of one that hangs. No step is too long for that.
TEST(FreeMotion, TakesNoEndlessSteps) {
    const Model rock = Builder("rock").link("ground", MassProperties::sphere(1, 0.1)).build();
    for (const Model& model : {rock, free_robot("double_pendulum")}) {
        SCOPED_TRACE(model.name());
        FreeMotion motion(model, {Integrator::kAdaptive});
        for (int k = 0; k < 1000; ++k) motion.step();
        EXPECT_TRUE(std::isfinite(motion.time()));
        motion.advance_to(motion.time() + 1);
    }
}

// Beyond an event the step that has led to it was not made.
TEST(FreeMotion, KnowsNothingBeyondAnEvent) {
    FreeMotion motion(free_robot("pendulum"), {Integrator::kAdaptive});
    motion.set_state(VectorX<double>::Constant(1, 1.0), VectorX<double>::Zero(1));
    ASSERT_TRUE(motion.advance_to(10, [](double, const auto& q, const auto&) { return q[0]; }));
    EXPECT_NO_THROW(motion.state_at(motion.time()));
    EXPECT_THROW(motion.state_at(motion.time() + 1e-6), Error);
}

// What a step's error opens is closed, of positions and of velocities.
TEST(FreeMotion, KeepsToItsConstraints) {
    const Model model =
        Builder("pump")
            .link("ground")
            .body("ground", revolute("wheel", {0, 1, 0}), "crank", MassProperties::sphere(1, 0.2))
            .body("ground", prismatic("slide", {1, 0, 0}), "piston", MassProperties::sphere(2, 0.1))
            .frame("pin", "crank", Pose<double>::translation(0.3, 0, 0))
            .constraint(rod("rod", "pin", "piston", 1.3))
            .build();
    for (const Integrator integrator : {Integrator::kRk4, Integrator::kAdaptive}) {
        FreeMotion motion(model, {integrator, 0.02, 1e-6});
        motion.set_state(Eigen::Vector2d(0, 1.6), Eigen::Vector2d(5, 0));
        for (int k = 0; k < 20; ++k) {
            motion.step();
            EXPECT_LE(constraint_errors(model, motion.q()).lpNorm<Eigen::Infinity>(), 1e-12);
            EXPECT_LE((constraint_jacobian(model, motion.q()) * motion.v()).norm(), 1e-11);
        }
        EXPECT_GT(std::abs(motion.v()[1]), 0.1) << "it moves";
    }
}

// The stages of a step that is much too long leave the range of numbers: a shorter one is tried, or the motion is said to.
TEST(FreeMotion, FindsAStepHoweverLongTheFirstOne) {
    const Model model = robots::double_pendulum();
    const Eigen::Vector2d q(1, 0.5), v(0, 0);
    FreeMotion motion(model, {Integrator::kAdaptive, 1e6, 1e-10});
    FreeMotion expected(model, {Integrator::kAdaptive, 1e-3, 1e-12});
    for (FreeMotion* each : {&motion, &expected}) {
        each->set_state(q, v);
        each->step();
        each->advance_to(0.5);
    }
    EXPECT_GT(motion.num_rejected(), 6);
    EXPECT_LE((motion.q() - expected.q()).norm(), 1e-8);
}
TEST(FreeMotion, SaysThatAStepIsTooLongForADamper) {
    const Model stiff = Builder("stiff")
                            .link("ground")
                            .body("ground", revolute("hinge", {0, 1, 0}).with_damping(1e6), "rod",
                                  MassProperties::sphere(1, 0.1))
                            .build();
    FreeMotion motion(stiff, {Integrator::kRk4, 1e-2});
    motion.set_state(VectorX<double>::Zero(1), VectorX<double>::Ones(1));
    const std::string why = message([&] {
        for (int k = 0; k < 100; ++k) motion.step();
    });
    EXPECT_EQ(why.find("step: the motion left the range of numbers; a smaller step may help"), 0U)
        << why;
    EXPECT_TRUE(motion.v().allFinite());
}

// Closing a loop moves what hangs on it, which would be taken for motion.
TEST(FreeMotion, RefusesToBeginWhereALoopIsOpen) {
    const Model model =
        Builder("pump")
            .link("ground")
            .body("ground", revolute("wheel", {0, 1, 0}), "crank", MassProperties::sphere(1, 0.2))
            .body("ground", prismatic("slide", {1, 0, 0}), "piston", MassProperties::sphere(2, 0.1))
            .frame("pin", "crank", Pose<double>::translation(0.3, 0, 0))
            .constraint(rod("rod", "pin", "piston", 1.3))
            .build();
    const Eigen::Vector2d closed(0, 1.6), open(0, 1.5), still(0, 0);
    const std::string complaint =
        "the robot starts with constraint 'rod' violated by 0.1 (m or rad); close_loops finds "
        "a configuration that meets it";
    for (const Integrator integrator : {Integrator::kRk4, Integrator::kAdaptive}) {
        FreeMotion motion(model, {integrator, 1e-3});
        // Where it was made it is open, too.
        EXPECT_NE(message([&] { motion.step(); }).find("'rod' violated"), std::string::npos);
        EXPECT_NE(message([&] { motion.advance_to(1); }).find("'rod' violated"), std::string::npos);
        motion.set_state(closed, still);
        motion.step();
        const VectorX<double> q = motion.q();
        EXPECT_EQ(message([&] { motion.set_state(open, still); }), complaint);
        EXPECT_EQ(VectorX<double>(motion.q()), q);
        EXPECT_EQ(motion.time(), 1e-3);
    }
}

// It would go on as if there were none.
TEST(FreeMotion, TheSymplecticOneTakesNoDryFriction) {
    const Model dry = Builder("dry")
                          .link("ground")
                          .body("ground", revolute("hinge", {0, 1, 0}).with_friction(0.3), "rod",
                                MassProperties::sphere(1, 0.1))
                          .build();
    EXPECT_NO_THROW(FreeMotion(dry, {Integrator::kRk4}));
    EXPECT_NO_THROW(FreeMotion(with_friction(dry, false), {Integrator::kSymplectic}));
    try {
        FreeMotion(dry, {Integrator::kSymplectic});
        ADD_FAILURE() << "it was taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("dry friction"), std::string::npos);
    }
}

}  // namespace
}  // namespace plucker::test
