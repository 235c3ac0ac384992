// What joints do in time: limits, dry friction, dampers, springs, motions that are prescribed, and closed loops.
#include <gtest/gtest.h>

#include "constraints/mechanisms.hpp"
#include "plucker/constraints/close_loops.hpp"
#include "plucker/plucker.hpp"
#include "plucker/simulate/batch_simulator.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "scenes.hpp"

namespace plucker::test {
namespace {

// A mass on a massless rod of 1 m, hanging from a hinge about y; q = 0 hangs down.
Model pendulum(const JointDescription& hinge, double mass = 1) {
    return Builder("pendulum")
        .link("ground")
        .body("ground", hinge, "rod", MassProperties::point(mass, {0, 0, -1}))
        .build();
}
VectorX<double> one(double x) { return VectorX<double>::Constant(1, x); }

TEST(Joints, LimitsStopThem) {
    const Model model = pendulum(revolute("hinge", {0, 1, 0}).with_limits({-0.5, 0.3}));
    Simulator simulator(model, {}, {.step = 1e-3});
    for (const double start : {0.29, -0.2}) {
        for (const double velocity : {3.0, -3.0}) {
            simulator.set_state(one(start), one(velocity));
            double low = 0, high = 0;
            for (int k = 0; k < 3000; ++k) {
                simulator.step();
                low = std::min(low, simulator.q()[0]);
                high = std::max(high, simulator.q()[0]);
            }
            EXPECT_GE(low, -0.5 - 1e-12);
            EXPECT_LE(high, 0.3 + 1e-12);
            // Not before it is there, either.
            EXPECT_NEAR(velocity > 0 ? high : low, velocity > 0 ? 0.3 : -0.5, 1e-9);
        }
    }
    // One that begins a little beyond comes back, as a shape comes out of the ground, without being thrown.
    simulator.set_state(one(0.309), one(0));
    for (int k = 0; k < 5; ++k) {
        const double beyond = simulator.q()[0] - 0.3;
        EXPECT_NEAR(simulator.step().beyond_limits, beyond, 1e-15);
        EXPECT_LE(beyond - (simulator.q()[0] - 0.3), 0.0021);
        EXPECT_LE(std::abs(simulator.v()[0]), 0.02);
    }
    EXPECT_NEAR(simulator.q()[0], 0.3, 1e-9);
    // Without limits it swings through.
    Simulator free(model, {}, {.step = 1e-3, .joint_limits = false});
    free.set_state(one(0), one(3));
    run_for(free, 0.3);
    EXPECT_GT(free.q()[0], 0.4);
}

// Before the first step the torque of the springs is that of where the robot begins, and of what is aimed at.
TEST(Joints, AreHeldBeforeTheyMove) {
    Simulator simulator(pendulum(revolute("hinge", {0, 1, 0})), {}, {.step = 1e-3});
    simulator.set_state(one(0.3), one(2));
    EXPECT_EQ(simulator.holding_torque()[0], 0);
    simulator.hold(one(0.1), one(40), one(3));
    EXPECT_DOUBLE_EQ(simulator.holding_torque()[0], -40 * 0.2 - 3 * 2.0);
    simulator.aim(one(0.5), one(1.5));
    EXPECT_DOUBLE_EQ(simulator.holding_torque()[0], 40 * 0.2 - 3 * 0.5);
    simulator.set_state(one(0.5), one(-1));
    EXPECT_DOUBLE_EQ(simulator.holding_torque()[0], 3 * 2.5);
    // From then on it is that of the last step, whatever is aimed at in the next one.
    simulator.step();
    const double torque = simulator.holding_torque()[0];
    simulator.aim(one(-0.5), one(4));
    EXPECT_EQ(simulator.holding_torque()[0], torque);
    simulator.release();
    EXPECT_EQ(simulator.holding_torque()[0], 0);
}

// A limit on one side alone stops them there, and there alone: one robot as well as several.
TEST(Joints, ALimitOnOneSideStopsThem) {
    for (const double side : {-1.0, 1.0}) {
        JointLimits limits;
        (side < 0 ? limits.lower : limits.upper) = 0.5 * side;
        const Model model = pendulum(revolute("hinge", {0, 1, 0}).with_limits(limits));
        Simulator simulator(model, {}, {.step = 1e-3});
        batch::Simulator many(model, World{}, 2, {.step = 1e-3});
        const batch::Simulator::Rows velocities{{3 * side}, {-3 * side}};
        many.set_states(batch::Simulator::Rows::Zero(2, 1), velocities);
        double alone[2] = {},
               together[2] =
                   {};  // the farthest of the one that meets it, and of the one that does not
        for (int k = 0; k < 500; ++k) {
            many.step();
            for (const int i : {0, 1})
                together[i] = std::max(together[i], many.q()(i, 0) / velocities(i, 0) * 3);
        }
        for (const int i : {0, 1}) {
            simulator.set_state(one(0), one(velocities(i, 0)));
            for (int k = 0; k < 500; ++k) {
                simulator.step();
                alone[i] = std::max(alone[i], simulator.q()[0] / velocities(i, 0) * 3);
            }
        }
        // Free, it comes to rest at 1 - cos q = v²/(2 g).
        const double free = std::acos(1 - 9 / (2 * kGravity));
        for (const double* farthest : {alone, together}) {
            EXPECT_NEAR(farthest[0], 0.5, 1e-9);
            EXPECT_NEAR(farthest[1], free, 0.01);
        }
    }
}

// A step begins with the impulse that each stop had in the one before, also when another stop comes near: then there is
// nothing left to find.
TEST(Joints, StopsAreRememberedByTheirJoints) {
    const MassProperties mass = MassProperties::point(1, {});
    const Model model =
        Builder("sliders")
            .link("ground")
            .body("ground", prismatic("across", {1, 0, 0}).with_limits({-1, 1}), "a", mass)
            .body("ground", prismatic("down", {0, 0, 1}).with_limits({0, 1}), "b", mass)
            .build();
    Simulator simulator(model, {}, {.step = 1e-3});
    VectorX<double> q(2), v(2);
    q << 0.9988, 0;
    v << 0.01, 0;
    simulator.set_state(q, v);
    simulator.step();
    for (int k = 0; k < 50; ++k) {
        EXPECT_EQ(simulator.step().solver.iterations, 0) << k;
        EXPECT_NEAR(simulator.q()[1], 0, 1e-12);
    }
    EXPECT_GT(simulator.q()[0], 0.9992);  // near its stop, and not there
}

// Dry friction holds what it can hold, for ever, and slows down what it cannot by a constant torque.
TEST(Joints, DryFrictionHoldsAndBrakes) {
    const double torque = 2;
    const Model model = pendulum(revolute("hinge", {0, 1, 0}).with_friction(torque));
    const double held = std::asin(torque / kGravity);
    Simulator simulator(model, {}, {.step = 1e-3});
    simulator.set_state(one(0.99 * held), one(0));
    run_for(simulator, 60);
    EXPECT_NEAR(simulator.q()[0], 0.99 * held, 1e-12);
    simulator.set_state(one(1.02 * held), one(0));
    run_for(simulator, 1);
    EXPECT_LT(simulator.q()[0], held);

    // Without gravity it comes to rest after the angle ω² I/(2 torque), half a step's way less.
    Simulator level(with_gravity(model, {0, 0, 0}), {}, {.step = 1e-3});
    level.set_state(one(0), one(3));
    run_for(level, 3);
    EXPECT_NEAR(level.q()[0], 9 / (2 * torque), 0.51e-3 * 3);
    EXPECT_LE(std::abs(level.v()[0]), 1e-12);
}

// Time steps and forward dynamics are of one equation of motion: with smaller steps they meet, whatever the joint and its rotor.
TEST(Joints, MoveAsForwardDynamicsSays) {
    for (const auto& [name, joint] : {std::pair("floating", floating("joint")),
                                      {"planar", planar("joint", {0.2, 0.3, 1})},
                                      {"spherical", spherical("joint")},
                                      {"universal", universal("joint", {1, 0, 0}, {0, 1, 0})}}) {
        for (const bool mimics : {false, true}) {
            SCOPED_TRACE(std::string(name) + (mimics ? ", beside a mimic" : ""));
            const auto odd = [](int k) {
                return MassProperties::box(1 + k, {0.3, 0.2, 0.1}, {0.1, -0.2, 0.05 * k});
            };
            JointDescription last = revolute("last", {0, 1, 1}).at(0.1, 0, 0);
            if (mimics) last = last.mimicking("first", -0.5, 0.1);
            const Model model = Builder("rotors")
                                    .link("ground")
                                    .body("ground", revolute("first", {1, 0, 0}), "a", odd(0))
                                    .body("a", joint.with_armature(3).at(0.2, 0.1, 0), "b", odd(1))
                                    .body("b", last, "c", odd(2))
                                    .build();
            VectorX<double> q = neutral_configuration(model), v(model.nv());
            for (int k = 0; k < model.nv(); ++k) v[k] = std::cos(1.3 * k);
            FreeMotion exact(model, {Integrator::kAdaptive, 1e-4, 1e-12});
            exact.set_state(q, v);
            exact.advance_to(0.01);
            const auto error = [&](double step) {
                Simulator simulator(model, {}, {.step = step});
                simulator.set_state(q, v);
                run_for(simulator, 0.01);
                return (simulator.v() - exact.v()).norm();
            };
            const double coarse = error(1e-3), fine = error(1e-4);
            EXPECT_LE(fine, 0.13 * coarse);
        }
    }
}

// A gear acts on the two joints that it couples, wherever these are in their limbs, and whichever of the limbs comes first.
TEST(Joints, AreGearedWhereverTheyAre) {
    for (const auto& [first, second] : {std::pair("left2", "right3"),
                                        {"right3", "left2"},
                                        {"left1", "left3"},
                                        {"left3", "left1"},
                                        {"left1", "right1"}}) {
        SCOPED_TRACE(std::string(first) + " " + second);
        Builder builder("limbs");
        builder.link("ground");
        for (const std::string limb : {"left", "right"}) {
            std::string parent = "ground";
            for (int k = 1; k <= 3; ++k) {
                const std::string name = limb + std::to_string(k);
                builder.body(parent, revolute(name, {k == 2 ? 1.0 : 0.0, 1, 0.3}).at(0.1, 0, -0.4),
                             name + "_link",
                             MassProperties::box(k, {0.1, 0.2, 0.3}, {0.1, 0.05, -0.2}));
                parent = name + "_link";
            }
        }
        const Model model = builder.constraint(gear("gear", first, second, -0.5)).build();
        VectorX<double> q = VectorX<double>::Zero(model.nq()), v(model.nv());
        for (int k = 0; k < model.nv(); ++k) v[k] = std::cos(1.3 * k);
        v[model.v_index(first)] = -0.5 * v[model.v_index(second)];
        FreeMotion exact(model, {Integrator::kAdaptive, 1e-4, 1e-12});
        exact.set_state(q, v);
        exact.advance_to(0.01);
        const auto error = [&](double step) {
            Simulator simulator(model, {}, {.step = step});
            simulator.set_state(q, v);
            run_for(simulator, 0.01);
            return (simulator.v() - exact.v()).norm();
        };
        const double coarse = error(1e-3), fine = error(1e-4);
        EXPECT_LE(coarse, 0.05);
        EXPECT_LE(fine, 0.13 * coarse);
    }
}

// Two bodies that fly, one with two fingers. Where one finger mimics the other, what happens to the body beyond is the same: it
// falls, bounces, and comes to lie with its weight on the floor.
TEST(Joints, AMimicLeavesOtherTreesAsTheyAre) {
    const auto scene = [](bool mimics) {
        const MassProperties finger = MassProperties::box(0.1, {0.02, 0.02, 0.02}, {0, 0.02, 0});
        JointDescription second = revolute("second", {0, 0, 1}).at(0.05, 0, 0);
        if (mimics) second = second.mimicking("first", 1, 0);
        return Builder("hand and ball")
            .link("room")
            .body("room", floating("hand_joint"), "hand", MassProperties::sphere(1, 0.05))
            .body("hand", revolute("first", {0, 0, 1}).at(-0.05, 0, 0), "left", finger)
            .body("hand", second, "right", finger)
            .body("room", floating("ball_joint"), "ball", MassProperties::sphere(2, 0.05))
            .collision("hand", {.geometry = Sphere{0.05}})
            .collision("ball", {.geometry = Sphere{0.05}})
            .build();
    };
    const Model with = scene(true), without = scene(false);
    World world = World::flat();
    world.surface.restitution = 0.5;
    Simulator one(with, world, {.step = 1e-3}), other(without, world, {.step = 1e-3});
    const auto drop = [](Simulator& simulator) {
        VectorX<double> q = neutral_configuration(simulator.model());
        q[2] = 0.3;
        q.tail(7).head(3) << 1, 0, 0.3;
        simulator.set_state(q, VectorX<double>::Zero(simulator.model().nv()));
    };
    drop(one);
    drop(other);
    double highest = 0;
    for (int k = 0; k < 3000; ++k) {
        one.step();
        other.step();
        ASSERT_LE((one.q().tail(7) - other.q().tail(7)).lpNorm<Eigen::Infinity>(), 1e-9) << k;
        if (one.time() > 0.25) highest = std::max(highest, one.q().tail(7)[2]);
    }
    EXPECT_GT(highest, 0.1) << "it has bounced";
    double weight = 0;
    for (const Contact& contact : one.contacts()) {
        if (with.body_name(contact.point.body_a) == "ball") weight += contact.force.z;
    }
    EXPECT_NEAR(weight, 2 * kGravity, 1e-6);
}

// v̇ = -d v, implicitly: each step divides by 1 + h d, however large that is.
TEST(Joints, DampingIsImplicit) {
    for (const double damping : {0.5, 1e6}) {
        const Model model =
            with_gravity(pendulum(revolute("hinge", {0, 1, 0}).with_damping(damping)), {0, 0, 0});
        Simulator simulator(model, {}, {.step = 5e-3});
        simulator.set_state(one(0), one(1));
        for (int k = 0; k < 10; ++k) simulator.step();
        EXPECT_NEAR(simulator.v()[0] * std::pow(1 + 5e-3 * damping, 10), 1, 1e-9);
    }
}

// Gains that would blow up in an explicit step of 5 ms (kp h² ≫ M): they hold.
// A wheel that turns as fast as it should needs no torque; and the last of two wishes counts.
TEST(Joints, AVelocityThatIsAimedAtIsReached) {
    const Model model = Builder("wheel")
                            .gravity({})
                            .link("frame")
                            .body("frame", revolute("axle", {0, 0, 1}), "disk",
                                  MassProperties::cylinder(1, 0.1, 0.02))
                            .build();
    const VectorX<double> q = VectorX<double>::Zero(1), fast = VectorX<double>::Constant(1, 2.0);
    Simulator simulator(model, {}, {.step = 1e-3});
    simulator.set_state(q, q);
    simulator.hold(q, 0, 1);
    simulator.aim(q, fast);
    run_for(simulator, 0.5);
    EXPECT_NEAR(simulator.v()[0], 2, 1e-9);
    EXPECT_NEAR(simulator.holding_torque()[0], 0, 1e-9);
    simulator.release();
    simulator.prescribe("axle", fast);
    simulator.prescribe("axle", VectorX<double>::Constant(1, 3.0));
    simulator.step();
    EXPECT_NEAR(simulator.v()[0], 3, 1e-9);
}

// A puck on ice turns, and goes straight on all the same, though its velocity is told in its own axes.
TEST(Joints, APlanarBodyFliesStraight) {
    const Model model = Builder("puck")
                            .gravity({})
                            .link("ice")
                            .body("ice", planar("glide", {0, 0, 1}), "puck",
                                  MassProperties::cylinder(0.2, 0.05, 0.02))
                            .build();
    Simulator simulator(model, {}, {.step = 1e-3});
    VectorX<double> q = VectorX<double>::Zero(3), v(3);
    v << 3, 1, 0.5;  // turning; along its x and y
    simulator.set_state(q, v);
    run_for(simulator, 1);
    EXPECT_NEAR(simulator.q()[0], 1, 1e-9);
    EXPECT_NEAR(simulator.q()[1], 0.5, 1e-9);
    EXPECT_NEAR(simulator.q()[2], 3, 1e-9);
    EXPECT_NEAR(simulator.v()[1], std::cos(3.0) + 0.5 * std::sin(3.0), 1e-9);
    EXPECT_NEAR(simulator.v()[2], 0.5 * std::cos(3.0) - std::sin(3.0), 1e-9);
}

TEST(Joints, StiffGainsStayStable) {
    const Model model = robots::arm();
    const VectorX<double> wish = neutral_configuration(model);
    Simulator simulator(model, {}, {.step = 5e-3, .joint_limits = false});
    VectorX<double> q = wish;
    q.array() += 0.3;
    simulator.set_state(q, VectorX<double>::Zero(model.nv()));
    simulator.hold(wish, 1e5, 1e3);
    run_for(simulator, 2);
    EXPECT_LE((simulator.q() - wish).lpNorm<Eigen::Infinity>(), 2e-3);
    EXPECT_LE(simulator.v().lpNorm<Eigen::Infinity>(), 1e-6);
    // What holds it then is what gravity asks for.
    Workspace<double> ws(model);
    VectorX<double> gravity(model.nv());
    gravity_torque(ws, simulator.q(), gravity);
    EXPECT_LE((simulator.holding_torque() - gravity).lpNorm<Eigen::Infinity>(), 1e-4);
    simulator.release();
    simulator.step();
    EXPECT_EQ(simulator.holding_torque().norm(), 0);
}

// The torque that is told is the one that acted: it alone has changed the momentum, in the first step as in the last.
TEST(Joints, WhatHoldsIsTold) {
    const Model model = with_gravity(pendulum(revolute("hinge", {0, 1, 0}), 2), {0, 0, 0});
    Simulator simulator(model, {}, {.step = 2e-3});
    simulator.set_state(one(0.4), one(-3));
    simulator.hold(one(0), 50, 4);
    for (int k = 0; k < 100; ++k) {
        const double before = simulator.v()[0];
        simulator.step();
        EXPECT_NEAR(simulator.holding_torque()[0] * 2e-3, 2 * (simulator.v()[0] - before), 1e-13);
    }
}

TEST(Joints, APrescribedMotionIsKept) {
    const Model model = robots::arm();
    const std::string first = model.joint(1).name;
    Simulator simulator(model, {}, {.step = 1e-3, .joint_limits = false});
    simulator.prescribe(first, one(0.7));
    run_for(simulator, 1);
    EXPECT_NEAR(simulator.q()[0], 0.7, 1e-9);
    EXPECT_NEAR(simulator.v()[0], 0.7, 1e-12);
    simulator.free(first);
    run_for(simulator, 0.2);
    EXPECT_GT(std::abs(simulator.v()[0] - 0.7), 1e-3);
    EXPECT_THROW(simulator.prescribe("no_such_joint", one(1)), Error);
    EXPECT_THROW(simulator.prescribe(first, VectorX<double>::Zero(2)), Error);
}

// A four-bar linkage in the x–z plane, closed by a ball: crank 0.2, coupler 0.5, rocker 0.4, ground 0.5.
Description four_bar() {
    return Builder("four_bar")
        .link("ground")
        .body("ground", revolute("crank", {0, 1, 0}), "crank_link",
              MassProperties::box(1, {0.2, 0.02, 0.02}, {0.1, 0, 0}))
        .body("crank_link", revolute("elbow", {0, 1, 0}).at(0.2, 0, 0), "coupler",
              MassProperties::box(2, {0.5, 0.02, 0.02}, {0.25, 0, 0}))
        .body("ground", revolute("rocker", {0, 1, 0}).at(0.5, 0, 0), "rocker_link",
              MassProperties::box(1.5, {0.4, 0.02, 0.02}, {0.2, 0, 0}))
        .frame("coupler_end", "coupler", Pose<double>::translation(0.5, 0, 0))
        .frame("rocker_end", "rocker_link", Pose<double>::translation(0.4, 0, 0))
        .constraint(connect("pin", "coupler_end", "rocker_end"))
        .description();
}

// The loop stays closed to rounding, keeps its energy to the order of the step, and its ties do no work: the way that the
// rocker has to take is that of Freudenstein's equation.
TEST(Loops, AFourBarStaysClosed) {
    const Model model{four_bar()};
    VectorX<double> guess(3);
    guess << -1.0, 0.5, -1.5;
    const ClosedLoops start = close_loops(model, guess);
    ASSERT_TRUE(start.closed);
    double drift[2], most = 0;
    for (int k = 0; k < 2; ++k) {
        const double h = k == 0 ? 1e-3 : 5e-4;
        Simulator simulator(model, {}, {.step = h});
        simulator.set_state(start.q, VectorX<double>::Zero(3));
        const double energy = simulator.kinetic_energy() + simulator.potential_energy();
        double open = 0, worst = 0, fastest = 0;
        for (int step = 0; step < std::lround(10 / h); ++step) {
            simulator.step();
            open =
                std::max(open, constraint_errors(model, simulator.q()).lpNorm<Eigen::Infinity>());
            const double now = simulator.kinetic_energy() + simulator.potential_energy();
            worst = std::max(worst, std::abs(now - energy));
            most = std::max(most, simulator.kinetic_energy());
            fastest = std::max(fastest, simulator.v().lpNorm<Eigen::Infinity>());
        }
        EXPECT_LE(open, 1e-9) << "metres, over 10 s";
        EXPECT_GT(fastest, 2);
        drift[k] = worst;
    }
    EXPECT_LE(drift[0], 0.1 * most);
    EXPECT_LT(drift[1], 0.65 * drift[0]) << "of first order in the step";
}

// Of a plane linkage that lies obliquely in space, what the loop's rows ask for beyond the plane is rounding: it must not count.
// Nor where the frames at the cut are turned, so that none of the rows lies in the plane.
TEST(Loops, OfAFourBarMoveAsLagrangeSays) {
    const FourBar bar;
    for (const WayToClose& way : kWaysToClose) {
        for (const bool turned : {false, true}) {
            const bool has_all_positions = way.axes[3] && way.axes[4] && way.axes[5];
            if (turned && !has_all_positions) continue;
            SCOPED_TRACE(std::string(way.name) + (turned ? ", turned" : ""));
            Description description = bar.model(way.cut, way.axes).description();
            ConstraintDescription& loop = description.constraints[0];
            // A hinge's frames turn about its axis, others any way.
            const bool is_hinge = way.axes[0] && !way.axes[2];
            const Pose<double> turn = is_hinge ? Pose<double>::roll_pitch_yaw({}, {0, 0, 0.8})
                                               : Pose<double>::roll_pitch_yaw({}, {0.3, 0.5, 0.7});
            if (turned) {
                loop.placement_a = loop.placement_a * turn;
                loop.placement_b = loop.placement_b * turn;
            }
            const Model model(description);
            constexpr double kStep = 1e-6;
            Simulator simulator(model, {}, {.step = kStep});
            for (double theta = 0.2; theta < 6.2; theta += 0.37) {
                const KnownMotion at =
                    known_motion([&](const auto& t) { return bar.configuration(way.cut, t); },
                                 theta, 3, bar.crank_acceleration_at(theta, 3, 5));
                simulator.set_state(at.q, at.v);
                VectorX<double> tau = VectorX<double>::Zero(model.nv());
                tau[0] = 5;
                simulator.step(tau);
                const VectorX<double> a = (simulator.v() - at.v) / kStep;
                // What the acceleration changes in a step, and rounding, which the step divides.
                EXPECT_LE((a - at.a).norm(), 1e-3 * (1 + at.a.norm())) << theta;
            }
        }
    }
}

// The same linkage cut at the elbow instead: the same motion.
TEST(Loops, WhereALoopIsCutDoesNotMatter) {
    const Model model{four_bar()};
    const Model other =
        Builder("four_bar")
            .link("ground")
            .body("ground", revolute("crank", {0, 1, 0}), "crank_link",
                  MassProperties::box(1, {0.2, 0.02, 0.02}, {0.1, 0, 0}))
            .body("ground", revolute("rocker", {0, 1, 0}).at(0.5, 0, 0), "rocker_link",
                  MassProperties::box(1.5, {0.4, 0.02, 0.02}, {0.2, 0, 0}))
            .body("rocker_link", revolute("pin", {0, 1, 0}).at(0.4, 0, 0), "coupler",
                  MassProperties::box(2, {0.5, 0.02, 0.02}, {0.25, 0, 0}))
            .frame("coupler_start", "coupler")
            .frame("crank_end", "crank_link", Pose<double>::translation(0.2, 0, 0))
            .constraint(connect("elbow", "coupler_start", "crank_end"))
            .build();
    VectorX<double> guess(3);
    guess << -1.0, 0.5, -1.5;
    const ClosedLoops start = close_loops(model, guess);
    ASSERT_TRUE(start.closed);
    // Crank and rocker are as there; the coupler hangs on the rocker, from its other end.
    const double coupler = start.q[0] + start.q[1];
    VectorX<double> q(3);
    q << start.q[0], start.q[2], coupler - start.q[2];
    // Its frame is at the far end there: the coupler's own begins where it hangs.
    const Description moved = [&] {
        Description d = other.description();
        for (LinkDescription& link : d.links) {
            if (link.name == "coupler")
                link.mass = MassProperties::box(2, {0.5, 0.02, 0.02}, {-0.25, 0, 0});
        }
        for (FrameDescription& frame : d.frames) {
            if (frame.name == "coupler_start")
                frame.placement = Pose<double>::translation(-0.5, 0, 0);
        }
        return d;
    }();
    const Model cut{moved};
    FreeMotion a(model), b(cut);
    a.set_state(start.q, VectorX<double>::Zero(3));
    b.set_state(q, VectorX<double>::Zero(3));
    a.advance_to(0.5);
    b.advance_to(0.5);
    EXPECT_GT(std::abs(a.q()[0] - start.q[0]), 0.1) << "it has moved";
    EXPECT_NEAR(a.q()[0], b.q()[0], 1e-8);
    EXPECT_NEAR(a.q()[2], b.q()[1], 1e-8);
    // In steps with impulses the same, to their first order.
    Simulator c(model, {}, {.step = 1e-4});
    c.set_state(start.q, VectorX<double>::Zero(3));
    run_for(c, 0.5);
    EXPECT_NEAR(c.q()[0], a.q()[0], 5e-3);
}

// Of two joints of which one follows, the limits of the one that leads count, wherever it stands in the file.
TEST(Joints, LimitsAreThoseOfTheJointThatLeads) {
    const MassProperties rod = MassProperties::box(1, {0.05, 0.05, 0.5}, {0, 0, -0.25});
    const JointDescription leads = revolute("leads", {0, 1, 0})
                                       .with_limits({.lower = -0.4, .upper = 0.6}),
                           follows = revolute("follows", {0, 1, 0})
                                         .at(0, 0, -0.5)
                                         .mimicking("leads", -2, 0.1)
                                         .with_limits({.lower = -0.05, .upper = 0.05});
    for (const bool is_first : {true, false}) {
        Builder builder("fingers");
        builder.gravity({}).link("hand");
        if (is_first)
            builder.body("hand", leads, "a", rod).body("hand", follows, "b", rod);
        else
            builder.body("hand", follows, "b", rod).body("hand", leads, "a", rod);
        Simulator simulator(builder.build(), {}, {.step = 1e-3});
        for (const double push : {1.0, -1.0}) {
            simulator.set_state(one(0), one(0));
            for (int k = 0; k < 3000; ++k) simulator.step(one(push));
            EXPECT_NEAR(simulator.q()[0], push > 0 ? 0.6 : -0.4, 1e-9) << is_first;
        }
    }
}

// A body that floats keeps its momentum unless its joint takes or stores some: a rotor, a damper, dry friction, each alone.
TEST(Joints, AFloatingOneIsHeldByWhatItHas) {
    const double m = 2, v0 = 1.5, time = 0.5, force = 3;
    const auto speed = [&](const JointDescription& joint, double pushed) {
        const Model model = Builder("puck")
                                .gravity({})
                                .link("room")
                                .body("room", joint, "puck", MassProperties::sphere(m, 0.1))
                                .build();
        Simulator simulator(model, {}, {.step = 1e-4});
        VectorX<double> v = VectorX<double>::Zero(6), tau = v;
        v[3] = v0;
        tau[3] = pushed;
        simulator.set_state(neutral_configuration(model), v);
        for (int k = 0; k < 5000; ++k) simulator.step(tau);
        return simulator.v()[3];
    };
    const JointDescription free = floating("free");
    EXPECT_NEAR(speed(free, 0), v0, 1e-12);
    EXPECT_NEAR(speed(free, force), v0 + force / m * time, 1e-3);
    EXPECT_NEAR(speed(free.with_friction(0.8), 0), v0 - 0.8 / m * time, 1e-3);
    EXPECT_NEAR(speed(free.with_damping(0.8), 0), v0 * std::exp(-0.8 / m * time), 1e-3);
    EXPECT_NEAR(speed(free.with_armature(0.8), force), v0 + force / (m + 0.8) * time, 1e-3);
}

// Two bodies that fly and spin, tied to each other: whichever is named first, they move in the same way, and are tied.
TEST(Loops, WhichOfTwoBodiesIsNamedFirstDoesNotMatter) {
    const MassProperties first = MassProperties::box(1, {0.1, 0.2, 0.3}),
                         second = MassProperties::box(2, {0.3, 0.1, 0.2});
    const auto tied = [&](const auto& tie, bool swapped) {
        Builder builder("bolas");
        builder.gravity({})
            .link("room")
            .body("room", floating("a_joint"), "a", first)
            .body("room", floating("b_joint"), "b", second)
            .frame("end_a", "a", Pose<double>::translation(0.3, 0.1, 0))
            .frame("end_b", "b", Pose<double>::translation(-0.2, 0, 0.1));
        builder.constraint(swapped ? tie("end_b", "end_a") : tie("end_a", "end_b"));
        return builder.build();
    };
    const auto by_rod = [](const char* a, const char* b) { return rod("tie", a, b, 0.4); };
    const auto by_ball = [](const char* a, const char* b) { return connect("tie", a, b); };
    const auto by_glue = [](const char* a, const char* b) { return weld("tie", a, b); };
    const auto expect_the_same = [&](const auto& tie, double apart, const char* what) {
        SCOPED_TRACE(what);
        const Model model = tied(tie, false), other = tied(tie, true);
        VectorX<double> q = neutral_configuration(model);
        // The ends meet, or are as far apart as the rod is long.
        q[7] = 0.3 + 0.2 + apart;
        q[8] = 0.1;
        q[9] = -0.1;
        VectorX<double> v(12);
        v << 0.3, -2, 1, 0.2, 0.1, -0.3, 1, 1.5, -0.5, -0.1, 0.2, 0.4;
        Workspace<double> ws(model);
        project_velocity(ws, q, v);
        ASSERT_GT(v.head(3).norm() + v.segment(6, 3).norm(), 0.5);
        Simulator one(model, {}, {.step = 1e-3}), two(other, {}, {.step = 1e-3});
        one.set_state(q, v);
        two.set_state(q, v);
        // The rows stand along the axes of the second: what that makes is of second order in a step.
        constexpr double kSecondOrder = 1e-6;
        for (int k = 0; k < 200; ++k) {
            one.step();
            two.step();
            ASSERT_LE((one.q() - two.q()).lpNorm<Eigen::Infinity>(), kSecondOrder * (k + 1)) << k;
            ASSERT_LE((one.v() - two.v()).lpNorm<Eigen::Infinity>(), kSecondOrder * (k + 1)) << k;
            ASSERT_LE(constraint_errors(model, one.q()).lpNorm<Eigen::Infinity>(), 1e-9) << k;
        }
        EXPECT_GT((one.q() - q).lpNorm<Eigen::Infinity>(), 0.05) << "it has moved";
    };
    expect_the_same(by_rod, 0.4, "rod");
    expect_the_same(by_ball, 0, "ball");
    expect_the_same(by_glue, 0, "glue");
}

// Two hinges geared 1 : -3 and let go: the coupled equation is that of one of them.
TEST(Loops, AGearCouplesTwoJoints) {
    const Model model = Builder("gears")
                            .link("ground")
                            .body("ground", revolute("a", {0, 1, 0}), "wheel_a",
                                  MassProperties::point(1, {0, 0, -1}))
                            .body("ground", revolute("b", {0, 1, 0}).at(3, 0, 0), "wheel_b",
                                  MassProperties::point(0.2, {0.5, 0, 0}))
                            .constraint(gear("gear", "b", "a", -3))
                            .build();
    Simulator simulator(model, {}, {.step = 1e-3});
    VectorX<double> q(2), v(2);
    q << 0.1, -0.3;
    v << 0, 0;
    simulator.set_state(q, v);
    for (int k = 0; k < 1000; ++k) {
        simulator.step();
        ASSERT_NEAR(simulator.q()[1], -3 * simulator.q()[0], 1e-12);
    }
    EXPECT_GT(std::abs(simulator.q()[0] - 0.1), 0.01);
    q << 0.1, 0.3;
    EXPECT_THROW(simulator.set_state(q, v), Error) << "the gear is not meshed";
}

}  // namespace
}  // namespace plucker::test
