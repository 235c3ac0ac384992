// What everybody knows about blocks, balls and stacks, and what Coulomb says about them.
#include <gtest/gtest.h>

#include "plucker/plucker.hpp"
#include "scenes.hpp"

namespace plucker::test {
namespace {

struct Scene {
    Scene(const std::vector<Thing>& all, const World& world, double step,
          const Vec3<double>& gravity = {0, 0, -kGravity})
        : simulator(things(all, gravity), world, {.step = step}),
          q(neutral_configuration(simulator.model())),
          v(VectorX<double>::Zero(simulator.model().nv())) {}
    Place thing(int k) { return {q, v, k}; }
    Course run(double duration) {
        simulator.set_state(q, v);
        return run_for(simulator, duration);
    }
    Vec3<double> position(int k = 0) const {
        return {simulator.q()[7 * k], simulator.q()[7 * k + 1], simulator.q()[7 * k + 2]};
    }
    // Along the world's axes.
    Vec3<double> velocity(int k = 0) const {
        const Mat3<double> E =
            coordinate_rotation(FloatingJoint::attitude(simulator.q().data() + 7 * k));
        const double* x = simulator.v().data() + 6 * k + 3;
        return transpose_times(E, Vec3<double>{x[0], x[1], x[2]});
    }

    Simulator simulator;
    VectorX<double> q, v;
};

// In discrete time a block under friction μ g moves Σ h (v - k h μ g) until it stops: half a step's way less than v²/(2 μ g).
TEST(Contact, ASlidingBlockStopsWhereFrictionSays) {
    for (const double h : {1e-2, 1e-3}) {
        const double mu = 0.5, speed = std::hypot(2.0, 1.0);
        Scene scene({box("block", {0.4, 0.3, 0.2}, 2, mu)}, smooth_ground(), h);
        scene.thing(0).at(0, 0, 0.1);
        scene.thing(0).moving(2, 1, 0);
        const Course course = scene.run(1);
        const double way = std::hypot(scene.position().x, scene.position().y);
        EXPECT_NEAR(way, speed * speed / (2 * mu * kGravity), 0.51 * h * speed) << "step " << h;
        // Straight on, and neither lifted (a convex relaxation lifts it by h μ v) nor sunk.
        EXPECT_NEAR(scene.position().y / scene.position().x, 0.5, 1e-9);
        EXPECT_NEAR(scene.position().z, 0.1, 1e-12);
        EXPECT_EQ(course.unconverged, 0);
        EXPECT_LE(course.worst_residual, 1e-12);
        EXPECT_LE(course.most_energy_gained, 1e-12);
        EXPECT_LE(scene.simulator.v().norm(), 1e-12) << "it has come to rest";
    }
}

// On a slope: it stays where tan(slope) < μ, and otherwise slides with g (sin - μ cos), exactly so in steps too.
// However slowly: what moves slides, and what has come to rest sticks.
TEST(Contact, ModesTellSlidingFromSticking) {
    const Model model = things({box("block", {0.2, 0.2, 0.2}, 1, 0.1)});
    Simulator simulator(model, smooth_ground(), {.step = 1e-3});
    for (const double speed : {1.0, 0.05, 0.002}) {
        VectorX<double> q = neutral_configuration(model), v = VectorX<double>::Zero(6);
        q[2] = 0.1;
        v[3] = speed;
        simulator.set_state(q, v);
        const auto modes = [&](ContactMode mode) {
            EXPECT_GE(simulator.contacts().size(), 3U);
            for (const Contact& contact : simulator.contacts()) EXPECT_EQ(contact.mode, mode);
        };
        simulator.step();
        modes(ContactMode::kSlide);
        run_for(simulator, 1.1 * speed / (0.1 * kGravity) + 0.01);
        modes(ContactMode::kStick);
    }
}

TEST(Contact, ABlockOnASlopeStaysOrSlides) {
    const double slope = 0.3;
    const Vec3<double> gravity{kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)};
    for (const double mu : {0.32, 0.2}) {  // tan 0.3 = 0.309
        Scene scene({box("block", {0.4, 0.3, 0.2}, 2, mu)}, smooth_ground(), 1e-3, gravity);
        scene.thing(0).at(0, 0, 0.1);
        scene.run(1);
        const double a = std::max(0.0, kGravity * (std::sin(slope) - mu * std::cos(slope)));
        EXPECT_NEAR(scene.velocity().x, a, 1e-10) << "μ " << mu;
        EXPECT_NEAR(scene.position().x, 0.5 * a * (1 + 1e-3), 1e-10);
        EXPECT_NEAR(scene.position().z, 0.1, 1e-12);
    }
}

// The same slope by a tilted plane, and the same to any side: the cone is round.
TEST(Contact, FrictionIsTheSameInAllDirections) {
    const double mu = 0.3, h = 1e-3;
    for (int k = 0; k < 16; ++k) {
        const double angle = 0.1 + k * 3.14159265358979 / 8;
        Scene scene({box("block", {0.3, 0.3, 0.2}, 1, mu)}, smooth_ground(), h);
        scene.thing(0).at(0, 0, 0.1);
        scene.thing(0).moving(std::cos(angle), std::sin(angle), 0);
        scene.run(0.2);
        const Vec3<double> v = scene.velocity();
        EXPECT_NEAR(std::hypot(v.x, v.y), 1 - mu * kGravity * 0.2, 1e-10);
        EXPECT_NEAR(std::atan2(v.y, v.x), std::remainder(angle, 2 * 3.14159265358979323846), 1e-8);
    }
}

// A ball that slides begins to roll: friction at its foot takes two sevenths of its speed.
TEST(Contact, ASlidingBallRolls) {
    Scene scene({ball("ball", 0.1, 1, 0.3)}, smooth_ground(), 1e-3);
    scene.thing(0).at(0, 0, 0.1);
    scene.thing(0).moving(2, 0, 0);
    const Course course = scene.run(1);
    EXPECT_NEAR(scene.velocity().x, 10.0 / 7, 1e-9);
    EXPECT_NEAR(scene.simulator.v()[1], 10.0 / 7 / 0.1, 1e-7);
    EXPECT_LE(course.worst_residual, 1e-12);
}

// A tall box on a steep slope tips if b/h < tan, slides if μ < tan, and stays otherwise.
TEST(Contact, ABoxTipsOrSlides) {
    const double slope = 0.4;  // tan = 0.4228
    const Vec3<double> gravity{kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)};
    const auto outcome = [&](double width, double mu) {
        Scene scene({box("box", {width, 0.3, 0.5}, 1, mu)}, smooth_ground(), 1e-3, gravity);
        scene.thing(0).at(0, 0, 0.25);
        scene.run(0.5);
        const double turned = 2 * std::abs(scene.simulator.q()[4]);
        return turned > 0.05 ? 't' : std::abs(scene.position().x) > 0.01 ? 's' : '-';
    };
    EXPECT_EQ(outcome(0.5 * 0.40, 0.9), 't');
    EXPECT_EQ(outcome(0.5 * 0.45, 0.9), '-');
    EXPECT_EQ(outcome(0.5 * 0.60, 0.41), 's');
    EXPECT_EQ(outcome(0.5 * 0.60, 0.43), '-');
}

// Three bricks on each other: redundant contacts, and none of them creeps.
TEST(Contact, AStackStands) {
    const Vec3<double> size{0.3, 0.2, 0.1};
    Scene scene({box("low", size, 1, 0.6), box("middle", size, 2, 0.6), box("top", size, 0.5, 0.6)},
                smooth_ground(), 2e-3);
    for (int k = 0; k < 3; ++k) scene.thing(k).at(0.01 * k, 0, 0.05 + 0.1 * k);
    const Course course = scene.run(10);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(scene.position(k).x, 0.01 * k, 1e-9);
        EXPECT_NEAR(scene.position(k).z, 0.05 + 0.1 * k, 1e-7);
    }
    EXPECT_EQ(course.unconverged, 0);
}

// Without loss a ball comes back to the height that it fell from, however often: the steps' own energy is kept exactly.
TEST(Contact, ABallBouncesAndKeepsItsEnergy) {
    Scene scene({ball("ball", 0.1, 1, 0, 1)}, smooth_ground(), 1e-3);
    scene.thing(0).at(0, 0, 1.1);
    scene.simulator.set_state(scene.q, scene.v);
    double early = 0, late = 0;
    for (int k = 0; k < 60000; ++k) {
        scene.simulator.step();
        double& highest = k < 5000 ? early : late;
        if (k < 5000 || k >= 55000) highest = std::max(highest, scene.position().z);
    }
    EXPECT_NEAR(early, 1.1, 1e-5);
    EXPECT_NEAR(late, early, 1e-5) << "after a minute";
}
// Each bounce returns e of the speed, and e² of the height; in the end it lies still.
TEST(Contact, ABallBouncesLessAndLess) {
    const double e = 0.7, h = 1e-4;
    Scene scene({ball("ball", 0.1, 1, 0, e)}, smooth_ground(), h);
    scene.thing(0).at(0, 0, 1.1);
    scene.simulator.set_state(scene.q, scene.v);
    std::vector<double> tops{1.0};
    bool falls = true;
    for (int k = 0; k < 100000; ++k) {
        scene.simulator.step();
        const bool falls_now = scene.velocity().z < 0;
        if (falls_now && !falls && tops.size() < 5) tops.push_back(scene.position().z - 0.1);
        falls = falls_now;
    }
    ASSERT_EQ(tops.size(), 5u);
    for (std::size_t k = 1; k < 5; ++k) EXPECT_NEAR(tops[k] / tops[k - 1], e * e, 5e-3);
    EXPECT_NEAR(scene.position().z, 0.1, 1e-9);
    EXPECT_LE(scene.simulator.v().norm(), 1e-9);
}

// Where it touches, and no sooner, however fast it moves along the ground.
TEST(Contact, ABallBouncesWhereItTouches) {
    const double h = 5e-3;
    for (const double along : {0.0, 1.0, 10.0, 100.0}) {
        for (const double e : {0.3, 1.0}) {
            Scene scene({ball("ball", 0.1, 1, 0, e)}, smooth_ground(), h);
            scene.thing(0).at(0, 0, 0.14);
            scene.thing(0).moving(along, 0, -0.1);
            scene.simulator.set_state(scene.q, scene.v);
            double lowest = 1;
            for (int k = 0; k < 40 && scene.velocity().z <= 0; ++k) {
                lowest = scene.position().z - 0.1;
                scene.simulator.step();
            }
            EXPECT_GT(scene.velocity().z, 0) << "it has bounced";
            // It turns round where one more step would take it into the ground.
            EXPECT_LE(lowest, h * (1.0 + 9.81 * h)) << along << " m/s along, e = " << e;
            EXPECT_NEAR(scene.velocity().x, along, 1e-12 * (1 + along));
        }
    }
}
// Nor does it matter how fast both move together.
TEST(Contact, BallsMeetWhereTheyTouchWhoeverLooksOn) {
    for (const double along : {0.0, 10.0, 100.0}) {
        Scene scene({ball("a", 0.1, 1, 0, 1), ball("b", 0.1, 1, 0, 1)}, frictionless_space(), 5e-3,
                    {0, 0, 0});
        scene.thing(0).at(0, 0, 0);
        scene.thing(0).moving(0.1, along, 0);
        scene.thing(1).at(0.5, 0, 0);
        scene.thing(1).moving(0, along, 0);
        scene.simulator.set_state(scene.q, scene.v);
        double gap = 1;
        for (int k = 0; k < 1000 && scene.velocity(0).x > 0.05; ++k) {
            gap = scene.position(1).x - scene.position(0).x - 0.2;
            scene.simulator.step();
        }
        EXPECT_NEAR(scene.velocity(1).x, 0.1, 1e-9) << along;
        EXPECT_LE(gap, 0.1 * 5e-3 + 1e-9) << along;
    }
}

// Balls in free space: what one gains the other loses, and equal ones exchange their speeds.
TEST(Contact, CollisionsKeepMomentum) {
    Scene scene({ball("a", 0.1, 1, 0.5, 1), ball("b", 0.1, 1, 0.5, 1), ball("c", 0.1, 3, 0.5, 0.5)},
                frictionless_space(), 1e-3, {0, 0, 0});
    scene.thing(0).at(0, 0, 0);
    scene.thing(0).moving(1, 0, 0);
    scene.thing(1).at(0.5, 0, 0);
    scene.thing(2).at(1.0, 0.05, 0.02);
    scene.thing(2).turning(0, 0, 3);
    scene.simulator.set_state(scene.q, scene.v);
    const auto momentum = [&] {
        const Vec3<double> a = scene.velocity(0), b = scene.velocity(1), c = scene.velocity(2);
        return a + b + 3 * c;
    };
    const Vec3<double> before = momentum();
    run_for(scene.simulator, 0.5);
    EXPECT_NEAR(scene.velocity(0).x, 0, 1e-9) << "the first stands";
    run_for(scene.simulator, 3);
    EXPECT_GT(norm(scene.velocity(2)), 0.1) << "the last was hit";
    EXPECT_LE(norm(momentum() - before), 1e-12);
}

// A ball that spins on the spot is slowed down by torsional friction alone: I ω̇ = -c m g.
TEST(Contact, TorsionalFrictionStopsASpinningBall) {
    for (const double torsional : {0.0, 0.01}) {
        Thing spinning = ball("ball", 0.1, 1, 0.5);
        spinning.surface.torsional = torsional;
        Scene scene({spinning}, smooth_ground(), 1e-3);
        scene.thing(0).at(0, 0, 0.1);
        scene.thing(0).turning(0, 0, 10);
        scene.run(0.2);
        const double I = 0.4 * 0.1 * 0.1;
        EXPECT_NEAR(scene.simulator.v()[2], std::max(0.0, 10 - torsional * kGravity / I * 0.2),
                    1e-9);
        // What is told of the contact is the torque that brakes.
        ASSERT_EQ(scene.simulator.contacts().size(), 1U);
        EXPECT_NEAR(scene.simulator.contacts()[0].spin, -torsional * kGravity, 1e-6);
        scene.run(1);
        EXPECT_NEAR(scene.simulator.v()[2], torsional > 0 ? 0 : 10, 1e-9);
    }
}

// A contact that gives way lets a weight sink by compliance times its weight.
TEST(Contact, ComplianceLetsItSink) {
    const double compliance = 1e-5;
    Simulator simulator(things({ball("ball", 0.1, 2, 0.5)}), smooth_ground(),
                        {.step = 1e-3, .compliance = compliance});
    VectorX<double> q = neutral_configuration(simulator.model());
    q[2] = 0.1;
    simulator.set_state(q, VectorX<double>::Zero(6));
    run_for(simulator, 2);
    EXPECT_NEAR(0.1 - simulator.q()[2], compliance * 2 * kGravity, 1e-9);
}

// Terrain: on a slope of a height field a block stays or slides as it does on a plane.
TEST(Contact, TerrainHoldsABlock) {
    const double slope = 0.2;
    HeightField field;
    field.name = "hill";
    field.origin = {-2, -2, 0};
    field.spacing_x = field.spacing_y = 0.25;
    field.points_x = field.points_y = 17;
    for (int j = 0; j < 17; ++j) {
        for (int i = 0; i < 17; ++i) field.heights.push_back(-std::tan(slope) * (0.25 * i - 2));
    }
    for (const double mu : {0.3, 0.1}) {
        World world = frictionless_space();
        world.fields.push_back(field);
        Scene scene({box("block", {0.3, 0.2, 0.1}, 1, mu)}, world, 1e-3);
        scene.q.segment<4>(3) << 0, std::sin(0.5 * slope), 0, std::cos(0.5 * slope);
        scene.thing(0).at(0.05 * std::sin(slope), 0, 0.05 * std::cos(slope));
        scene.run(0.5);
        const double a = std::max(0.0, kGravity * (std::sin(slope) - mu * std::cos(slope)));
        EXPECT_NEAR(norm(scene.velocity()), 0.5 * a, 2e-2 * (a > 0 ? 1 : 1e-6)) << "μ " << mu;
    }
}

// In the air nothing changes what spins: momentum stays, whatever the shape does.
TEST(Contact, ASpinningBoxKeepsItsMomentum) {
    const Model model = things({box("box", {0.3, 0.2, 0.05}, 1, 0)}, {0, 0, 0});
    Simulator simulator(model, frictionless_space(), {.step = 5e-3});
    VectorX<double> v(6);
    v << 0.1, 10, 0.1, 1, 2, 3;  // about the middle axis, which is not stable
    const VectorX<double> q = neutral_configuration(model);
    simulator.set_state(q, v);
    const Force<double> before = centroidal_momentum(model, q, v);
    const double energy = simulator.kinetic_energy();
    double worst = 0;
    for (int k = 0; k < 4000; ++k) {
        simulator.step();
        worst = std::max(worst, std::abs(simulator.kinetic_energy() - energy));
    }
    const Force<double> after = centroidal_momentum(model, simulator.q(), simulator.v());
    EXPECT_LE(norm(after.linear - before.linear), 1e-11);
    EXPECT_NEAR(norm(after.angular), norm(before.angular), 2e-3 * norm(before.angular));
    EXPECT_LE(worst, 0.1 * energy) << "over 20 s, and it has tumbled many times";
}
// A robot that flies: its centre of mass is where Newton says.
TEST(Contact, AFlyingRobotFollowsAParabola) {
    const Model model = robots::quadruped();
    Simulator simulator(model, frictionless_space(), {.step = 2e-3, .joint_limits = false});
    VectorX<double> v(model.nv());
    for (int k = 0; k < model.nv(); ++k) v[k] = std::sin(1.7 * k);
    const VectorX<double> q = neutral_configuration(model);
    simulator.set_state(q, v);
    const Force<double> before = centroidal_momentum(model, q, v);
    run_for(simulator, 1);
    const Force<double> after = centroidal_momentum(model, simulator.q(), simulator.v());
    EXPECT_NEAR(after.linear.z - before.linear.z, -model.total_mass() * kGravity, 2e-2);
    EXPECT_NEAR(after.linear.x, before.linear.x, 2e-2);
    EXPECT_LE(norm(after.angular - before.angular), 1e-2);
}

// Painlevé's rod: slender, steep, sliding with high friction. Rigid acceleration-level dynamics have no answer; the velocity-level
// laws have one, with an impulse.
TEST(Contact, PainleveRodHasAnAnswer) {
    const double length = 1, mu = 1.8;
    for (const double h : {1e-3, 1e-4}) {
        Thing rod = box("rod", {0.01, 0.01, length}, 1, mu);
        rod.geometry = Capsule{0.005, length};
        Scene scene({rod}, smooth_ground(), h);
        // Leaning against its motion.
        scene.thing(0).at(0, 0, 0.5 * length * std::cos(0.57) + 0.005);
        scene.q.segment<4>(3) << 0, std::sin(0.5 * 0.57), 0, std::cos(0.5 * 0.57);
        scene.thing(0).moving(3 * std::cos(0.57), 0, 3 * std::sin(0.57));
        const Course course = scene.run(0.3);
        EXPECT_EQ(course.unconverged, 0);
        EXPECT_TRUE(scene.simulator.q().allFinite());
        EXPECT_LE(course.deepest, 1e-3);
    }
}

// A hammer on a hinge: its link's own frame stays where it is, and its head does not. What a step along the tangent leaves of
// the circle, h²v²/2r, is all that it may sink by.
TEST(Contact, AHammerIsSeenComing) {
    for (const double h : {5e-3, 1e-3}) {
        const double radius = 1, speed = 20, head = 0.05;
        Description d = Builder("hammer")
                            .link("post")
                            .body("post", revolute("hinge", {0, 1, 0}).at(0, 0, 0.5), "hammer",
                                  MassProperties::point(1, {radius, 0, 0}))
                            .gravity({0, 0, 0})
                            .build()
                            .description();
        Shape shape{.name = "head", .placement = {}, .geometry = Sphere{head}};
        shape.placement.position = {radius, 0, 0};
        d.links.back().collisions.push_back(shape);
        Simulator simulator(Model(d), smooth_ground(), {.step = h});
        const VectorX<double> q = VectorX<double>::Zero(1);
        simulator.set_state(q, VectorX<double>::Constant(1, speed / radius));
        const Course course = run_for(simulator, 0.1);
        EXPECT_GT(simulator.q()[0], 0.4) << "it has come down";
        EXPECT_LE(course.deepest, h * h * speed * speed / (2 * radius)) << h;
        EXPECT_NEAR(simulator.v()[0], 0, 1e-9) << "and lies there";
    }
}
// Thin things that turn fast do not pass each other: a blade, and a plate that stands in its way.
TEST(Contact, ABladeDoesNotPassThroughAPlate) {
    Description d = Builder("blade")
                        .link("post")
                        .body("post", revolute("hinge", {0, 0, 1}), "blade",
                              MassProperties::box(1, {1, 0.01, 0.05}, {0.5, 0, 0}))
                        .gravity({0, 0, 0})
                        .build()
                        .description();
    Shape shape{.name = "blade", .placement = {}, .geometry = Box{{1, 0.01, 0.05}}};
    shape.placement.position = {0.5, 0, 0};
    d.links.back().collisions.push_back(shape);
    World world = frictionless_space();
    Shape plate{.name = "plate", .placement = {}, .geometry = Box{{0.2, 0.01, 0.2}}};
    plate.placement.position = {0.8, 0.4, 0};
    world.shapes.push_back(plate);
    Simulator simulator(Model(d), world, {.step = 5e-3});
    simulator.set_state(VectorX<double>::Zero(1), VectorX<double>::Constant(1, 37));
    run_for(simulator, 0.2);
    EXPECT_LT(simulator.q()[0], std::atan2(0.4, 0.7)) << "it stopped before the plate's near edge";
    EXPECT_GT(simulator.q()[0], 0.3);
}

// 216 balls dropped into a box settle, and none is in another.
TEST(Contact, ManyBallsSettle) {
    constexpr int kBalls = 125;  // more rows than are solved at once
    std::vector<Thing> all;
    for (int k = 0; k < kBalls; ++k)
        all.push_back(ball("ball" + std::to_string(k), 0.05, 0.1, 0.3));
    World world = smooth_ground();
    for (const Vec3<double> n : {Vec3<double>{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}) {
        Shape wall{.name = "wall", .placement = {}, .geometry = Plane{n}};
        wall.placement.position = -0.3 * n;
        world.shapes.push_back(wall);
    }
    Scene scene(all, world, 4e-3);
    for (int k = 0; k < kBalls; ++k) {
        const int x = k % 5, y = k / 5 % 5, z = k / 25;
        scene.thing(k).at(-0.22 + 0.11 * x + 0.003 * (z % 3), -0.22 + 0.11 * y - 0.002 * (z % 2),
                          0.06 + 0.12 * z);
    }
    const Course course = scene.run(2);
    EXPECT_LE(course.deepest, 1e-3) << "even while they fall on each other";
    const StepReport last = scene.simulator.step();
    EXPECT_LE(last.deepest, 2e-5) << "they still roll a little";
    for (int k = 0; k < kBalls; ++k) {
        EXPECT_GT(scene.position(k).z, 0.05 - 2e-5) << k;
        EXPECT_LE(norm(scene.velocity(k)), 0.05) << k;
    }
}

// A cart between two walls that are nearer than it is long cannot be parted from them, and is left in peace for a while. Where
// it is put elsewhere that is forgotten: beside one wall it is moved out at once.
TEST(Contact, WhatWasWedgedIsForgottenElsewhere) {
    Shape box;
    box.geometry = Box{{1, 1, 1}};
    Description d =
        Builder("carts")
            .gravity({0, 0, 0})
            .link("ground")
            .body("ground", prismatic("across", {1, 0, 0}), "slide", MassProperties::sphere(1, 0.1))
            .body("slide", prismatic("along", {0, 1, 0}), "cart", MassProperties::sphere(1, 0.1))
            .description();
    d.links.back().collisions.push_back(box);
    World world;
    const auto wall = [&](double x, double y, double length) {
        world.shapes.push_back({.name = "wall",
                                .placement = Pose<double>::translation(x, y, 0),
                                .geometry = Box{{1, length, 1}}});
    };
    wall(0.999, 5, 20);
    wall(-0.999, 0, 2);  // on the other side at the beginning alone
    Simulator simulator(Model(d), world, {.step = 1e-3});
    const VectorX<double> still = VectorX<double>::Zero(2);
    const auto moved_out = [&] {
        simulator.set_state(Eigen::Vector2d(0, 10), still);
        simulator.step();
        return simulator.q()[0];
    };
    const double fresh = moved_out();
    EXPECT_NEAR(fresh, -0.001, 1e-6);
    simulator.set_state(still, still);
    for (int k = 0; k < 5; ++k) simulator.step();
    EXPECT_NEAR(simulator.q()[0], 0, 1e-6);
    EXPECT_EQ(moved_out(), fresh);
}

}  // namespace
}  // namespace plucker::test
