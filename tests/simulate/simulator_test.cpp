// What a Simulator promises: the same bits, no allocation, sentences for mistakes, robots that stand; and many at once.
#include <gtest/gtest.h>

#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/plucker.hpp"
#include "plucker/simulate/batch_simulator.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "plucker/simulate/start.hpp"
#include "scenes.hpp"
#include "support/count_allocations.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// The quadruped in a crouch, a centimetre above the ground.
VectorX<double> crouch(const Model& model) {
    VectorX<double> q = neutral_configuration(model);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const std::string& name = model.joint(i).name;
        if (name.ends_with("hip_flexion")) q[model.body(i).q_index] = 0.8;
        if (name.ends_with("knee")) q[model.body(i).q_index] = -1.6;
    }
    q[2] = 0.34;
    return q;
}
World rough_ground() {
    World world = World::flat();
    world.surface.friction = 0.8;
    return world;
}

struct Standing {
    Standing() : model(robots::quadruped()), simulator(model, rough_ground(), {.step = 5e-3}) {
        simulator.set_state(crouch(model), VectorX<double>::Zero(model.nv()));
        simulator.hold(crouch(model), 40, 1);
    }
    Model model;
    Simulator simulator;
};

// Once it has come to rest, an hour moves it by less than a micrometre.
TEST(Standing, DoesNotCreep) {
    Standing s;
    run_for(s.simulator, 60);
    const VectorX<double> before = s.simulator.q();
    double worst = 0;
    for (int k = 0; k < 720000; ++k) {
        worst = std::max(worst, s.simulator.step().solver.certificate.worst());
    }
    EXPECT_LE((s.simulator.q() - before).lpNorm<Eigen::Infinity>(), 1e-6);
    EXPECT_LE(worst, 1e-12);
    EXPECT_GE(s.simulator.contacts().size(), 4u);
    // Its feet carry it: their forces add up to its weight, and each is in its cone.
    Vec3<double> sum{};
    for (const Contact& contact : s.simulator.contacts()) {
        sum += contact.force;
        const double normal = dot(contact.force, contact.point.normal);
        EXPECT_LE(norm(contact.force - normal * contact.point.normal),
                  contact.point.surface.friction * normal + 1e-9);
        EXPECT_EQ(contact.mode, ContactMode::kStick);
    }
    EXPECT_NEAR(sum.z, s.model.total_mass() * kGravity, 1e-6);
    EXPECT_NEAR(sum.x, 0, 1e-6);
}

// Limbs at their stops, on the floor and on each other: many ways to carry the same load, of which some slide. Hardly a step
// is left unsolved, and none by much.
TEST(Falling, IsSolvedInAlmostEveryStep) {
    const Model model = robots::humanoid();
    const World world = rough_ground();
    VectorX<double> q = neutral_configuration(model), v = VectorX<double>::Zero(model.nv());
    put_on_ground(model, world, {0, 0, 1}, q);
    q[2] += 0.02;
    Simulator simulator(model, world, {.step = 0.005});
    int steps = 0, unsolved = 0;
    double worst = 0;
    for (int fall = 0; fall < 12; ++fall) {
        v[3] = 0.3 + 1e-3 * fall;
        v[4] = 0.1;
        simulator.set_state(q, v);
        for (; simulator.time() < 4; ++steps) {
            const SolverReport report = simulator.step().solver;
            unsolved += report.converged ? 0 : 1;
            worst = std::max(worst, report.certificate.worst());
        }
    }
    EXPECT_LE(unsolved, steps / 1000) << "of " << steps;
    EXPECT_LE(worst, 1e-3);
}

TEST(Simulator, GivesTheSameBits) {
    Standing a, b;
    for (int k = 0; k < 400; ++k) {
        a.simulator.step();
        b.simulator.step();
    }
    EXPECT_EQ(a.simulator.q(), b.simulator.q());
    EXPECT_EQ(a.simulator.v(), b.simulator.v());
}

// Gains are the joints': nothing holds a floating base, which falls and turns as its momentum says.
TEST(Simulator, HoldsJointsAndNotTheBase) {
    const Model model = robots::quadruped();
    Simulator simulator(model, {}, {.step = 1e-3});
    VectorX<double> v = VectorX<double>::Zero(model.nv());
    v.head(6) << 0.3, -0.2, 0.5, 0.7, 0, 0;
    simulator.set_state(crouch(model), v);
    const auto momentum = [&] {
        return to_eigen(centroidal_momentum(model, simulator.q(), simulator.v()));
    };
    const VectorX<double> before = momentum();
    simulator.hold(crouch(model), 40, 1);
    run_for(simulator, 0.5);
    VectorX<double> expected = before;
    expected[5] -= 0.5 * kGravity * model.total_mass();
    EXPECT_LE((momentum() - expected).norm(), 1e-9 * expected.norm());
    EXPECT_EQ(simulator.holding_torque().head(6).norm(), 0);
}

// Nor is anything else held that floats in the world: a loose ball beside an arm falls as if nothing were held.
TEST(Simulator, HoldsNothingThatLiesAbout) {
    for (const FixedJoints kept : {FixedJoints::kMerge, FixedJoints::kKeep}) {
        const MassProperties mass = MassProperties::sphere(1, 0.1);
        const Model model = Builder("table")
                                .fixed_joints(kept)
                                .link("world")
                                .body("world", fixed("legs"), "table", mass)
                                .body("table", floating("free"), "ball", mass)
                                .body("world", revolute("hinge", {0, 1, 0}), "arm",
                                      MassProperties::point(1, {1, 0, 0}))
                                .build();
        Simulator simulator(model, {}, {.step = 1e-3}), alone(model, {}, {.step = 1e-3});
        const VectorX<double> q = neutral_configuration(model);
        simulator.hold(q, 1000, 100);
        run_for(simulator, 1);
        run_for(alone, 1);
        const Body<double>& ball = model.body(model.joint_index("free"));
        EXPECT_EQ(simulator.q()[ball.q_index + 2], alone.q()[ball.q_index + 2]);
        EXPECT_NEAR(simulator.q()[ball.q_index + 2], -0.5 * kGravity, 0.01);
        const Body<double>& arm = model.body(model.joint_index("hinge"));
        EXPECT_NEAR(simulator.q()[arm.q_index], kGravity / 1000, 1e-3) << "the arm is held";
        EXPECT_EQ(
            with_bodies_free(model, {VectorX<double>::Ones(7), VectorX<double>::Ones(7)}).kd.sum(),
            1);
    }
}

// A state that is set is a beginning: what was before, in the air or on the ground, leaves nothing behind.
TEST(Simulator, BeginsAnewWhereItIsSet) {
    const Model flying = things({box("a", {0.1, 0.2, 0.4}, 1, 0)}, {0, 0, -kGravity});
    const Model walking = robots::quadruped();
    for (const Model& model : {flying, walking}) {
        VectorX<double> q = neutral_configuration(model), v(model.nv());
        for (int k = 0; k < model.nv(); ++k) v[k] = std::sin(1.3 * k + 0.2);
        q[2] = 3;
        Simulator used(model, rough_ground()), fresh(model, rough_ground());
        used.set_state(q, -2 * v);
        run_for(used, 1.2);
        for (Simulator* each : {&used, &fresh}) {
            each->set_state(q, v, 0.5);
            run_for(*each, 0.3);
        }
        EXPECT_EQ(used.time(), fresh.time());
        EXPECT_EQ(used.q(), fresh.q()) << model.name();
        EXPECT_EQ(used.v(), fresh.v()) << model.name();
    }
}

TEST(Simulator, AllocatesNothingOnceItIsWarm) {
    Standing s;
    const VectorX<double> tau = VectorX<double>::Zero(s.model.nv());
    for (int k = 0; k < 400; ++k) s.simulator.step(tau);
    const long before = allocations;
    for (int k = 0; k < 400; ++k) s.simulator.step(tau);
    EXPECT_EQ(allocations - before, 0);
}

void expect_refused(const std::function<void()>& call, const std::string& words) {
    EXPECT_NE(message(call).find(words), std::string::npos) << message(call);
}
TEST(Simulator, SaysWhatIsWrong) {
    const Model model = robots::quadruped();
    for (const double step : {0.0, -1e-3, std::numeric_limits<double>::infinity(), std::nan("")}) {
        expect_refused([&] { Simulator(model, {}, {.step = step}); }, "it must be positive");
    }
    expect_refused([&] { Simulator(model, {}, {.solver = {.tolerance = NAN}}); },
                   "it must be zero or positive");
    Standing s;
    VectorX<double> tau = VectorX<double>::Zero(s.model.nv());
    tau[7] = NAN;
    const VectorX<double> q = s.simulator.q();
    expect_refused([&] { s.simulator.step(tau); },
                   "the torque of '" + s.model.velocity_names()[7] + "' is nan");
    EXPECT_EQ(s.simulator.q(), q) << "nothing has moved";
    VectorX<double> deep = crouch(model);
    deep[2] = 0.1;
    expect_refused([&] { s.simulator.set_state(deep, VectorX<double>::Zero(model.nv())); },
                   "m deep: link '");
    EXPECT_EQ(s.simulator.q(), q);
    expect_refused([&] { s.simulator.set_state(q.head(3), s.simulator.v()); }, "q");
    expect_refused([&] { s.simulator.hold(q, -1, 0); }, "zero or positive");
    expect_refused([&] { s.simulator.set_state(q, s.simulator.v(), NAN); }, "the time is nan");
    const VectorX<double> still = VectorX<double>::Zero(model.nv());
    VectorX<double> no_attitude = q, no_number = still;
    no_attitude.segment(3, 4).setZero();
    no_number[8] = NAN;
    expect_refused([&] { s.simulator.hold(no_attitude, 10, 1); },
                   "aim: q: the quaternion of joint 'base' is zero");
    expect_refused([&] { s.simulator.aim(q, no_number); }, "aim: v[8]");
    expect_refused([&] { s.simulator.aim(q.head(3), still); }, "aim: q has size 3");
    // A joint that moves nothing.
    const Model massless = Builder("massless")
                               .link("ground")
                               .body("ground", revolute("hinge", {0, 1, 0}), "rod", {})
                               .physics(Physics::kLenient)
                               .build();
    Simulator nothing(massless);
    expect_refused([&] { nothing.step(); }, "nothing resists a motion of 'hinge'");
}

// A point mass on its own hinge has an inertia that is rounding alone, which no step may divide by: a sentence says so, alone and
// among many. A damper or a spring is enough to resist.
TEST(Simulator, TakesNoRoundingForAnInertia) {
    const auto robot = [](const Vec3<double>& at, double damping) {
        const Vec3<double> axis{0.3, 0.4, 0.5};
        return Builder("needle")
            .link("ground")
            .body("ground", revolute("shoulder", {0, 1, 0}), "arm", MassProperties::sphere(1, 0.1))
            .body("arm", revolute("hinge", axis).at(at.x, at.y, at.z).with_damping(damping), "bead",
                  MassProperties::point(1, 0.7 * axis))
            .build();
    };
    const VectorX<double> q = VectorX<double>::Constant(2, 0.4), push = VectorX<double>::Ones(2);
    for (const Vec3<double>& at :
         {Vec3<double>{}, {0.1, 0.2, 0.3}, {-1.3, 0.7, 0.21}, {0.4, 1.1, -2.3}}) {
        const Model model = robot(at, 0);
        Simulator simulator(model);
        simulator.set_state(q, VectorX<double>::Zero(2));
        expect_refused([&] { simulator.step(push); }, "nothing resists a motion of 'hinge'");
        batch::Simulator many(model, {}, 3);
        many.step(push.transpose().replicate(3, 1));
        for (const StepReport& report : many.reports())
            EXPECT_EQ(report.status, Status::kSingularMassMatrix);
        simulator.hold(q, 1, 0);
        EXPECT_NO_THROW(simulator.step(push));
        Simulator damped(robot(at, 0.1));
        EXPECT_NO_THROW(damped.step(push));
    }
    // One that is on the shoulder's axis when the elbow is folded, as it is to begin with, moves it elsewhere.
    const Model folded = Builder("folded")
                             .link("ground")
                             .body("ground", revolute("shoulder", {0, 1, 0}), "arm", {})
                             .body("arm", revolute("elbow", {0, 1, 0}).at(1, 0, 0), "bead",
                                   MassProperties::point(1, {-1, 0, 0}))
                             .build();
    Simulator simulator(folded);
    simulator.set_state(q, VectorX<double>::Zero(2));
    EXPECT_NO_THROW(simulator.step(push));
    batch::Simulator many(folded, {}, 3);
    many.set_states(q.transpose().replicate(3, 1), batch::Simulator::Rows::Zero(3, 2));
    many.step(push.transpose().replicate(3, 1));
    for (const StepReport& report : many.reports()) EXPECT_EQ(report.status, Status::kOk);
}

// A joint that mimics another cannot be told how to move: its leader can.
TEST(Simulator, PrescribesNoJointThatMimics) {
    const Model model =
        Builder("pair")
            .link("ground")
            .body("ground", revolute("leader", {0, 1, 0}), "a", MassProperties::sphere(1, 0.1))
            .body("ground", revolute("follower", {0, 1, 0}).mimicking("leader", -2, 0.1), "b",
                  MassProperties::sphere(1, 0.1))
            .build();
    Simulator simulator(model);
    const VectorX<double> velocity = VectorX<double>::Constant(1, 0.5);
    expect_refused([&] { simulator.prescribe("follower", velocity); },
                   "'follower' mimics 'leader' and has no velocity of its own");
    simulator.prescribe("leader", velocity);
    simulator.step();
    EXPECT_NEAR(simulator.v()[0], 0.5, 1e-12);
}

// Joints that are told how to move, one of them after the other set free: each keeps to its own coordinates.
TEST(Simulator, FreesOneJointAndNoOther) {
    const MassProperties ball = MassProperties::sphere(1, 0.1, {0, 0, 0.2});
    const Model model =
        Builder("gimbal")
            .gravity({})
            .link("ground")
            .body("ground", spherical("first"), "a", ball)
            .body("a", revolute("second", {0, 1, 0}).at(0, 0, 0.3), "b", ball)
            .body("b", universal("third", {1, 0, 0}, {0, 1, 0}).at(0, 0, 0.3), "c", ball)
            .body("c", prismatic("fourth", {0, 0, 1}), "d", ball)
            .build();
    const std::vector<std::string> names{"first", "second", "third", "fourth"};
    for (const std::string& freed : names) {
        Simulator simulator(model);
        VectorX<double> wanted = VectorX<double>::LinSpaced(model.nv(), 0.2, 0.9);
        for (const std::string& name : names) {
            const Body<double>& body = model.body(model.joint_index(name));
            simulator.prescribe(name, wanted.segment(body.v_index, body.nv));
        }
        simulator.step();
        EXPECT_LE((simulator.v() - wanted).cwiseAbs().maxCoeff(), 1e-9) << freed;
        simulator.free(freed);
        simulator.free(freed);  // which is free already
        // A new wish replaces the old one, of this joint alone.
        const std::string& changed = names[freed == "second" ? 0 : 1];
        const Body<double>& other = model.body(model.joint_index(changed));
        wanted.segment(other.v_index, other.nv) *= -2;
        simulator.prescribe(changed, wanted.segment(other.v_index, other.nv));
        const VectorX<double> tau = VectorX<double>::Constant(model.nv(), 3);
        for (int k = 0; k < 20; ++k) simulator.step(tau);
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            const VectorX<double> off = simulator.v().segment(body.v_index, body.nv) -
                                        wanted.segment(body.v_index, body.nv);
            if (model.joint(i).name == freed) {
                EXPECT_GE(off.cwiseAbs().minCoeff(), 1e-4) << freed;
            } else {
                EXPECT_LE(off.cwiseAbs().maxCoeff(), 1e-9)
                    << model.joint(i).name << " once " << freed << " is free";
            }
        }
    }
}

// Forces of another robot would act on other bodies, or beyond the last.
TEST(Simulator, RefusesForcesThatAreNotItsRobots) {
    const Model arm = robots::arm(), other = robots::humanoid();
    ExternalForces<double> foreign(other);
    foreign.add("left_foot", {{}, {1, 2, 3}}, ReferenceFrame::kWorld);
    Simulator simulator(arm);
    simulator.forces() = foreign;
    expect_refused([&] { simulator.step(); }, "made for another model (robot 'humanoid')");
    simulator.forces() = ExternalForces<double>(arm);
    simulator.forces().add("link3", {{}, {0, NAN, 0}}, ReferenceFrame::kWorld);
    expect_refused([&] { simulator.step(); }, "an external force holds nan");
    EXPECT_EQ(simulator.time(), 0);

    batch::Simulator many(arm, {}, 3);
    many.forces(1) = simulator.forces();
    EXPECT_EQ(many.step(2), 1);
    EXPECT_EQ(many.reports()[1].status, Status::kNonFiniteInput);
    EXPECT_EQ(many.time(1), 0);
    EXPECT_GT(many.time(2), 0);
    many.forces(1) = foreign;
    expect_refused([&] { many.step(); }, "made for another model (robot 'humanoid')");
}

// Two balls half inside each other: refused, or let through.
TEST(Simulator, OverlapsAreRefusedOrIgnored) {
    const Model model = things({ball("a", 0.1, 1, 0), ball("b", 0.1, 1, 0)}, {0, 0, 0});
    VectorX<double> q = neutral_configuration(model), v = VectorX<double>::Zero(12);
    q[7] = 0.1;
    v[3] = 1;
    Simulator strict(model, frictionless_space());
    expect_refused([&] { strict.set_state(q, v); }, "ignore_overlaps");
    Simulator lenient(model, frictionless_space(), {.ignore_overlaps = true});
    lenient.set_state(q, v);
    ASSERT_EQ(lenient.overlaps().size(), 1u);
    EXPECT_EQ(lenient.overlaps()[0], std::pair(std::string("a"), std::string("b")));
    run_for(lenient, 0.5);
    EXPECT_NEAR(lenient.q()[0], 0.5, 1e-12) << "it went through";
    EXPECT_NEAR(lenient.q()[7], 0.1, 1e-12);
    // It begins anew, apart: what overlapped before does not any more.
    q[7] = 0.3;
    lenient.set_state(q, v);
    EXPECT_TRUE(lenient.overlaps().empty());
    run_for(lenient, 0.5);
    EXPECT_GT(lenient.q()[7], 0.4) << "it was pushed away";
}

// Loops may be open by rounding at the start, not by what can be seen.
TEST(Simulator, BeginsWithClosedLoops) {
    const Model model =
        Builder("hold")
            .link("rail")
            .body("rail", prismatic("x", {1, 0, 0}), "cart", MassProperties::sphere(1, 0.1))
            .constraint(gear("brake", "x", "", 0, 0.25))
            .build();
    const VectorX<double> v = VectorX<double>::Zero(1);
    const auto at = [](double x) { return VectorX<double>::Constant(1, 0.25 + x); };
    Simulator simulator(model);
    batch::Simulator many(model, {}, 2);
    for (const double open : {0.0, 5e-7, -5e-7}) {
        simulator.set_state(at(open), v);
        simulator.step();
        EXPECT_NEAR(simulator.q()[0], 0.25, 1e-9) << open;
    }
    for (const double open : {2e-6, -2e-6, 5e-3, 1.0}) {
        expect_refused([&] { simulator.set_state(at(open), v); },
                       "the robot starts with constraint 'brake' violated by");
        expect_refused(
            [&] { many.set_states(at(open).replicate(2, 1), batch::Simulator::Rows::Zero(2, 1)); },
            "constraint 'brake' violated");
    }
}

// Links may be let through each other, but nothing is let through the world.
TEST(Simulator, OverlapsWithTheWorldAreAlwaysRefused) {
    const Model model = things({ball("a", 0.1, 1, 0), ball("b", 0.1, 1, 0)});
    VectorX<double> q = neutral_configuration(model);
    const VectorX<double> v = VectorX<double>::Zero(12);
    q[2] = q[9] = 0.1;
    q[7] = 0.1;
    Simulator lenient(model, smooth_ground(), {.ignore_overlaps = true});
    lenient.set_state(q, v);
    EXPECT_EQ(lenient.overlaps().size(), 1u);
    q[9] = 0.05;
    expect_refused([&] { lenient.set_state(q, v); },
                   "link 'b' is inside the world's 'ground'; begin where it is free, for example "
                   "higher");
    // What is fixed cannot begin higher.
    Simulator standing(with_base(robots::quadruped(), Base::kFixed), World::flat());
    expect_refused([&] { standing.step(); },
                   "is inside the world's 'ground'; begin where it is free; the base is fixed, and "
                   "only a floating one (--floating, with_base) stands on the ground");
    batch::Simulator many(model, smooth_ground(), 2, {.ignore_overlaps = true});
    batch::Simulator::Rows rows(2, 14);
    rows << q.transpose(), q.transpose();
    rows(0, 9) = 0.1;
    expect_refused([&] { many.set_states(rows, batch::Simulator::Rows::Zero(2, 12)); },
                   "robot 1: the robot starts 0.05");
}

// An arm whose third link is inside its base, on a joint or fixed to one.
Builder arm_in_its_base(const std::string& base, const Shape& of_base) {
    const MassProperties mass = MassProperties::sphere(1, 0.1);
    const Vec3<double> up{0, 0, 1};
    return Builder("arm")
        .link(base)
        .body(base, revolute("a", up).at(0, 0, 0.1), "first", mass)
        .body("first", revolute("b", {0, 1, 0}).at(0, 0, 0.03), "second", mass)
        .collision(base, of_base)
        .collision("second", {.geometry = Sphere{0.09}});
}

// A fixed base is a link of the robot: the motion is that of the same arm whose base has no shape.
TEST(Simulator, OverlapsWithAFixedBaseAreThoseOfLinks) {
    const Shape of_base{.geometry = Cylinder{0.1, 0.2}};
    const Shape floor{.placement = Pose<double>::translation(0, 0, 0.1),
                      .geometry = Plane{{0, 0, 1}}};
    const Model model = arm_in_its_base("base", of_base).build();
    Description without = model.description();
    without.links[0].collisions.clear();
    const VectorX<double> q = Eigen::Vector2d(0.2, 0.1), v = Eigen::Vector2d(1, -2);
    Simulator lenient(model, World::flat({0, 0, 1}), {.ignore_overlaps = true});
    Simulator bare(Model(without), frictionless_space());
    for (Simulator* each : {&lenient, &bare}) {
        each->set_state(q, v);
        run_for(*each, 0.5);
    }
    EXPECT_EQ(lenient.overlaps(),
              (std::vector<std::pair<std::string, std::string>>{{"second", "base"}}));
    EXPECT_EQ(VectorX<double>(lenient.q()), VectorX<double>(bare.q()));
    Simulator strict(model);
    expect_refused([&] { strict.set_state(q, v); },
                   "link 'second' is inside link 'base'; move them apart, or let them through each "
                   "other: ignore_overlaps");
    // Not where it stands for ground, nor to what floats.
    const SimulatorOptions options{.ignore_overlaps = true};
    for (const Model& other :
         {arm_in_its_base("world", of_base).build(), arm_in_its_base("base", floor).build()}) {
        Simulator simulator(other, {}, options);
        expect_refused([&] { simulator.set_state(q, v); }, "; begin where it is free");
    }
    const Model floats =
        arm_in_its_base("base", of_base)
            .body("base", floating("free"), "thing", MassProperties::sphere(1, 0.1))
            .collision("thing", {.geometry = Sphere{0.05}})
            .build();
    VectorX<double> at = neutral_configuration(floats);
    Simulator simulator(floats, {}, options);
    expect_refused(
        [&] { simulator.set_state(at, VectorX<double>::Zero(floats.nv())); },
        "link 'thing' is inside link 'base'; begin where it is free, for example higher");
    at[floats.body(floats.joint_index("free")).q_index] = 1;
    simulator.set_state(at, VectorX<double>::Zero(floats.nv()));
    EXPECT_EQ(simulator.overlaps().size(), 1u);
}

// As deep as in the ground, so far a joint may begin beyond its limit; alone and in a batch.
TEST(Simulator, JointsFarBeyondTheirLimitsAreRefused) {
    const MassProperties mass = MassProperties::sphere(1, 0.1);
    const auto model_of = [&](const JointLimits& limits) {
        return Builder("two")
            .link("ground")
            .body("ground", revolute("turn", {0, 1, 0}).with_limits(limits), "a", mass)
            .body("ground", prismatic("slide", {1, 0, 0}).with_limits(limits), "b", mass)
            .build();
    };
    const Model model = model_of({.lower = -0.25, .upper = 0.5});
    const VectorX<double> v = VectorX<double>::Zero(2);
    Simulator simulator(model), free(model, {}, {.joint_limits = false});
    batch::Simulator many(model, {}, 2);
    for (const int k : {0, 1}) {
        const std::string name = k == 0 ? "joint 'turn'" : "joint 'slide'",
                          unit = k == 0 ? " rad" : " m";
        for (const double end : {-0.25, 0.5}) {
            for (const double beyond : {0.0, 0.009, 0.0625, 2.0}) {
                VectorX<double> q = v;
                q[k] = end + (end < 0 ? -beyond : beyond);
                const auto rows = q.transpose().replicate(2, 1);
                free.set_state(q, v);
                if (beyond < 0.01) {
                    simulator.set_state(q, v);
                    many.set_states(rows, batch::Simulator::Rows::Zero(2, 2));
                    many.step();
                    EXPECT_NEAR(simulator.step().beyond_limits, beyond, 1e-15);
                    EXPECT_NEAR(many.reports()[1].beyond_limits, beyond, 1e-15);
                    continue;
                }
                const std::string said =
                    name + " at " + Error::because(q[k]).what() + unit + ", which is " +
                    Error::because(beyond).what() + unit + " beyond its limit of " +
                    Error::because(end).what() + unit +
                    "; begin within its limits, or leave them out (joint_limits, --integrator rk4)";
                expect_refused([&] { simulator.set_state(q, v); }, said);
                expect_refused([&] { many.set_states(rows, batch::Simulator::Rows::Zero(2, 2)); },
                               "robot 0: the robot starts with " + said);
            }
        }
    }
    // Where nobody says otherwise it begins within them.
    const Model high = model_of({.lower = 0.75, .upper = 2});
    EXPECT_EQ(Simulator(high).q()[0], 0.75);
    EXPECT_EQ(batch::Simulator(high, {}, 2).q()(1, 1), 0.75);
    EXPECT_EQ(Simulator(high, {}, {.joint_limits = false}).q()[1], 0);
    Simulator(high).step();
}

// A crank and what it drives, with a loop of three equations.
Model closed_chain() {
    const MassProperties rod = MassProperties::box(1, {0.3, 0.05, 0.05});
    const Vec3<double> y{0, 1, 0};
    return Builder("chain")
        .link("ground")
        .body("ground", revolute("crank", y), "a", rod)
        .body("a", revolute("knee", y).at(0.2, 0, 0), "b", rod)
        .body("ground", revolute("rocker", y).at(0.6, 0, 0), "c", rod)
        .frame("end", "b", Pose<double>::translation(0.4, 0, 0.4))
        .frame("pin", "c", Pose<double>::translation(0, 0, 0.4))
        .constraint(connect("loop", "end", "pin"))
        .build();
}

// The velocity of a loop is that of a loop, or is refused; a simulator's own states are none that it refuses.
TEST(Simulator, BeginsWithVelocitiesThatLoopsAllow) {
    const Model model = closed_chain();
    const VectorX<double> q = VectorX<double>::Zero(3);
    Simulator simulator(model, {}, {.step = 5e-3});
    batch::Simulator many(model, {}, 2);
    FreeMotion motion(model, {});
    Workspace<double> ws(model);
    std::mt19937 generator(3);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 20; ++k) {
        VectorX<double> wrong(3);
        for (double& x : wrong) x = 10 * normal(generator);
        VectorX<double> right = wrong;
        project_velocity(ws, q, right);
        const double by = (constraint_jacobian(model, q) * wrong).lpNorm<Eigen::Infinity>();
        const std::string said =
            "the robot starts with a velocity that violates constraint 'loop' "
            "by " +
            std::string(Error::because(by).what()).substr(0, 4);
        for (const double part : {1.0, 0.1, -0.1}) {
            const VectorX<double> v = right + part * (wrong - right);
            const std::string expected = part == 1 ? said : "violates constraint 'loop'";
            expect_refused([&] { simulator.set_state(q, v); }, expected);
            expect_refused([&] { motion.set_state(q, v); }, expected);
            expect_refused(
                [&] {
                    many.set_states(q.transpose().replicate(2, 1), v.transpose().replicate(2, 1));
                },
                "project_velocity finds the nearest that meets it");
        }
        simulator.set_state(q, right);
        motion.set_state(q, right);
    }
    VectorX<double> fast = VectorX<double>::Constant(3, 1);
    project_velocity(ws, q, fast);
    simulator.set_state(q, 8 / fast.lpNorm<Eigen::Infinity>() * fast);
    for (int k = 0; k < 400; ++k) {
        simulator.step();
        Simulator again(model, {}, {.step = 5e-3});
        again.set_state(simulator.q(), simulator.v());
    }
}

// Links with several shapes each overlap once, in whatever order and however often their shapes do.
TEST(Simulator, OverlapsAreNamedOnce) {
    Description d = things({ball("a", 0.1, 1, 0), ball("b", 0.1, 1, 0)}, {0, 0, 0}).description();
    for (LinkDescription& link : d.links) {
        if (link.collisions.empty()) continue;
        Shape second = link.collisions[0];
        second.name += "_again";
        second.placement.position.y = 0.02;
        link.collisions.push_back(second);
    }
    const Model model(d);
    Simulator lenient(model, frictionless_space(), {.ignore_overlaps = true});
    lenient.set_state(neutral_configuration(model), VectorX<double>::Zero(12));
    ASSERT_EQ(lenient.overlaps().size(), 1u);
    EXPECT_EQ(lenient.overlaps()[0], std::pair(std::string("a"), std::string("b")));
}

TEST(Simulator, PushesMoveWhatTheyPush) {
    const Model model = things({ball("ball", 0.1, 2, 0)}, {0, 0, 0});
    Simulator simulator(model, frictionless_space(), {.step = 1e-3});
    simulator.forces().add("ball", {{}, {4, 0, 0}}, ReferenceFrame::kWorldAligned);
    run_for(simulator, 0.5);
    EXPECT_NEAR(simulator.v()[3], 1, 1e-12);
    simulator.forces().clear();
    run_for(simulator, 0.5);
    EXPECT_NEAR(simulator.v()[3], 1, 1e-12);
}

// --- Many ---

struct Herd {
    explicit Herd(int robots, int threads = 2)
        : model(robots::quadruped()),
          simulator(model, rough_ground(), robots, {.step = 5e-3}, threads),
          q(robots, model.nq()),
          v(batch::Simulator::Rows::Zero(robots, model.nv())) {
        for (int i = 0; i < robots; ++i) {
            q.row(i) = crouch(model).transpose();
            q(i, 0) = 3.0 * i;
            q(i, 2) += 0.002 * i;
            v(i, 3) = 0.1 * std::sin(i);
        }
        simulator.set_states(q, v);
        simulator.hold(VectorX<double>::Constant(model.nv(), 40),
                       VectorX<double>::Constant(model.nv(), 1));
    }
    Model model;
    batch::Simulator simulator;
    batch::Simulator::Rows q, v;
};

TEST(ManyRobots, MoveAsEachAlone) {
    for (const int threads : {1, 2, 5}) {
        Herd herd(37, threads);
        EXPECT_EQ(herd.simulator.step(40), 0);
        for (const int i : {0, 13, 36}) {
            Simulator alone(herd.model, rough_ground(), {.step = 5e-3});
            alone.set_state(herd.q.row(i), herd.v.row(i));
            alone.hold(alone.q(), 40, 1);
            for (int k = 0; k < 40; ++k) alone.step();
            const VectorX<double> q = herd.simulator.q().row(i), v = herd.simulator.v().row(i);
            EXPECT_LT((q - alone.q()).lpNorm<Eigen::Infinity>(), 1e-11) << i;
            EXPECT_LT((v - alone.v()).lpNorm<Eigen::Infinity>(), 1e-10) << i;
            EXPECT_EQ(herd.simulator.contacts(i).size(), alone.contacts().size());
        }
    }
}

// An arm in free space, without limits and shapes: stepped in lanes.
struct Flock {
    explicit Flock(int robots, int threads = 2)
        : model(flying_arm()),
          simulator(model, {}, robots, {.step = 5e-3}, threads),
          q(robots, model.nq()),
          v(robots, model.nv()) {
        for (int i = 0; i < robots; ++i) {
            q.row(i) = neutral_configuration(model).transpose();
            for (int k = 7; k < model.nq(); ++k) q(i, k) = std::sin(2 + k + i);
            for (int k = 0; k < model.nv(); ++k) v(i, k) = 0.5 * std::sin(1 + k + 0.3 * i);
        }
        simulator.set_states(q, v);
    }
    static Model flying_arm() {
        Description d = with_base(robots::arm(), Base::kFloating).description();
        for (LinkDescription& link : d.links) link.collisions.clear();
        for (JointDescription& joint : d.joints) joint.limits = {};
        return Model(d);
    }
    // Robot i by itself, after so many steps.
    Simulator alone(int i, int steps, bool held) const {
        Simulator out(model, {}, {.step = 5e-3});
        out.set_state(q.row(i), v.row(i));
        if (held) out.hold(out.q(), 40, 1);
        for (int k = 0; k < steps; ++k) out.step();
        return out;
    }
    Model model;
    batch::Simulator simulator;
    batch::Simulator::Rows q, v;
};

TEST(ManyRobots, ThatNothingTouchesMoveAsEachAlone) {
    for (const bool held : {false, true}) {
        Flock flock(21);
        if (held) {
            flock.simulator.hold(VectorX<double>::Constant(flock.model.nv(), 40),
                                 VectorX<double>::Constant(flock.model.nv(), 1));
        }
        EXPECT_EQ(flock.simulator.step(1), 0);
        EXPECT_EQ(flock.simulator.step(39), 0);
        for (int i = 0; i < 21; ++i) {
            const Simulator alone = flock.alone(i, 40, held);
            const VectorX<double> q = flock.simulator.q().row(i), v = flock.simulator.v().row(i);
            EXPECT_LT((q - alone.q()).lpNorm<Eigen::Infinity>(), 1e-11) << i;
            EXPECT_LT((v - alone.v()).lpNorm<Eigen::Infinity>(), 1e-10) << i;
            EXPECT_EQ(flock.simulator.time(i), alone.time());
        }
    }
}

// To the last bit: whoever is beside it, on however many threads, in however many calls.
TEST(ManyRobots, InLanesDoNotSeeEachOther) {
    Flock many(21, 2), shifted(13, 1);
    batch::Simulator::Rows q = shifted.q, v = shifted.v;
    for (int i = 0; i < 13; ++i) {
        q.row(i) = many.q.row(i + 5);
        v.row(i) = many.v.row(i + 5);
    }
    shifted.simulator.set_states(q, v);
    many.simulator.step(30);
    for (int k = 0; k < 30; ++k) shifted.simulator.step();
    for (int i = 0; i < 13; ++i) {
        EXPECT_EQ(VectorX<double>(many.simulator.q().row(i + 5)),
                  VectorX<double>(shifted.simulator.q().row(i)));
        EXPECT_EQ(VectorX<double>(many.simulator.v().row(i + 5)),
                  VectorX<double>(shifted.simulator.v().row(i)));
    }
}

TEST(ManyRobots, InLanesThatFailOrArePushedLeaveTheOthersAlone) {
    Flock flock(11), sound(11);
    flock.v(3, 2) = 1e200;
    flock.simulator.set_states(flock.q, flock.v);
    const FrameId hand = flock.model.frame_id(flock.model.body_name(flock.model.num_bodies()));
    flock.simulator.forces(7).add(hand, {{}, {0, 0, 20}}, ReferenceFrame::kWorldAligned);
    EXPECT_EQ(flock.simulator.step(10), 1);
    EXPECT_EQ(flock.simulator.reports()[3].status, Status::kNonFiniteResult);
    EXPECT_EQ(VectorX<double>(flock.simulator.q().row(3)), VectorX<double>(flock.q.row(3)));
    sound.simulator.step(10);
    for (const int i : {0, 1, 2, 4, 5, 6, 8, 9, 10}) {
        EXPECT_EQ(VectorX<double>(flock.simulator.q().row(i)),
                  VectorX<double>(sound.simulator.q().row(i)));
    }
    Simulator alone(flock.model, {}, {.step = 5e-3});
    alone.set_state(flock.q.row(7), flock.v.row(7));
    alone.forces().add(hand, {{}, {0, 0, 20}}, ReferenceFrame::kWorldAligned);
    for (int k = 0; k < 10; ++k) alone.step();
    const VectorX<double> pushed = flock.simulator.q().row(7);
    EXPECT_LT((pushed - alone.q()).lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(ManyRobots, AllocateNothingOnceTheyAreWarm) {
    Herd herd(16, 1);
    herd.simulator.step(200);
    [[maybe_unused]] const long before = allocations;
    herd.simulator.step(200);
#if PLUCKER_CAN_COUNT
    EXPECT_EQ(allocations - before, 0);
#endif
}

// A lack of memory is an exception of the caller's and never ends the program, whichever allocation fails on whichever thread.
TEST(ManyRobots, ThatGetNoMemoryThrow) {
    if (!PLUCKER_CAN_COUNT) GTEST_SKIP() << "a sanitizer has its own malloc";
    int failed = 0;
    bool all_served = false;
    for (long k = 0; !all_served && k < 100000; k = k < 40 ? k + 1 : k + k / 4) {
        Herd herd(32, 2);
        allocations_before_failure = k;
        try {
            herd.simulator.step(20);
            all_served = allocations_before_failure >= 0;
        } catch (const std::bad_alloc&) {
            ++failed;
        }
        allocations_before_failure = -1;
    }
    EXPECT_TRUE(all_served);
    EXPECT_GT(failed, 4);
}

TEST(ManyRobots, AreResetByMask) {
    Herd herd(9);
    herd.simulator.step(20);
    const batch::Simulator::Rows before = herd.simulator.q();
    std::vector<std::uint8_t> mask(9, 0);
    mask[4] = 1;
    herd.simulator.reset(mask, herd.q, herd.v);
    for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(VectorX<double>(herd.simulator.q().row(i)),
                  VectorX<double>((i == 4 ? herd.q : before).row(i)));
    }
    EXPECT_EQ(herd.simulator.time(4), 0);
    EXPECT_GT(herd.simulator.time(3), 0);
}

// To hold is to hold still, whatever was aimed at before.
TEST(ManyRobots, AreHeldStill) {
    const Model model = robots::arm();
    using Rows = batch::Simulator::Rows;
    const VectorX<double> kp = VectorX<double>::Constant(7, 50), kd = VectorX<double>::Ones(7);
    batch::Simulator fresh(model, {}, 2), used(model, {}, 2);
    used.hold(kp, kd);
    used.aim(used.q(), Rows::Constant(2, 7, 3.0));
    for (batch::Simulator* many : {&fresh, &used}) {
        many->hold(kp, kd);
        many->step(20);
    }
    EXPECT_EQ(fresh.q(), used.q());
}

TEST(ManyRobots, SayWhatIsWrong) {
    const Model model = robots::quadruped();
    batch::Simulator many(model, {}, 2);
    expect_refused([&] { many.step(-1); }, "-1 steps");
    using Rows = batch::Simulator::Rows;
    Rows q = many.q(), v = Rows::Zero(2, model.nv());
    q.row(1).segment(3, 4).setZero();
    expect_refused([&] { many.aim(q, v); },
                   "robot 1: aim: q: the quaternion of joint 'base' is zero");
    v(0, 7) = NAN;
    expect_refused([&] { many.aim(many.q(), v); }, "robot 0: aim: v[7]");
}

TEST(ManyRobots, OneThatFailsLeavesTheOthersAlone) {
    Herd herd(9), sound(9);
    batch::Simulator::Rows tau = batch::Simulator::Rows::Zero(9, herd.model.nv());
    sound.simulator.step(tau, 10);
    tau(5, 8) = NAN;
    EXPECT_EQ(herd.simulator.step(tau, 10), 1);
    EXPECT_EQ(herd.simulator.reports()[5].status, Status::kNonFiniteInput);
    for (int i = 0; i < 9; ++i) {
        EXPECT_EQ(VectorX<double>(herd.simulator.q().row(i)),
                  VectorX<double>((i == 5 ? herd.q : sound.simulator.q()).row(i)));
    }
    expect_refused([&] { herd.simulator.step(tau.topRows(3)); }, "tau");
    // Once it is set to another state, nothing is wrong with it any more.
    std::vector<std::uint8_t> mask(9, 0);
    mask[5] = 1;
    herd.simulator.reset(mask, herd.q, herd.v);
    EXPECT_EQ(herd.simulator.reports()[5].status, Status::kOk);
    EXPECT_EQ(herd.simulator.step(), 0);
    batch::Simulator::Rows deep = herd.q;
    deep(7, 2) = 0;
    expect_refused([&] { herd.simulator.set_states(deep, herd.v); }, "robot 7: ");
}

// Where nobody has said where it begins, that is looked at before the first step.
TEST(Simulator, LooksWhereItBeginsThoughNobodySaidIt) {
    const Model dog = robots::quadruped();
    Simulator one(dog, World::flat());
    expect_refused([&] { one.step(); }, "m deep: link '");
    EXPECT_EQ(one.time(), 0);
    EXPECT_EQ(one.q(), neutral_configuration(dog));
    one.set_state(crouch(dog), VectorX<double>::Zero(dog.nv()));
    EXPECT_EQ(one.step().status, Status::kOk);
    batch::Simulator many(dog, World::flat(), 3);
    expect_refused([&] { many.step(); }, "robot 0: the robot starts");
    batch::Simulator::Rows q(3, dog.nq()), v = batch::Simulator::Rows::Zero(3, dog.nv());
    for (int i = 0; i < 3; ++i) q.row(i) = crouch(dog).transpose();
    const std::vector<std::uint8_t> two{1, 0, 1};
    many.reset(two, q, v);
    expect_refused([&] { many.step(); }, "robot 1: the robot starts");
    many.set_states(q, v);
    EXPECT_EQ(many.step(), 0);
}

// Torques that no motor has lead to velocities that are still numbers, and to an attitude that is none.
TEST(Simulator, RefusesAStepThatLeadsToNoNumber) {
    const Model dog = robots::quadruped();
    for (const bool is_grounded : {true, false}) {
        const World world = is_grounded ? World::flat() : World{};
        const VectorX<double> start = crouch(dog), still = VectorX<double>::Zero(dog.nv());
        const VectorX<double> huge = VectorX<double>::Constant(dog.nv(), 1e300);
        Simulator one(dog, world);
        one.set_state(start, still);
        expect_refused([&] { one.step(huge); }, "the motion left the range of numbers");
        EXPECT_EQ(one.q(), start);
        EXPECT_EQ(one.v(), still);
        EXPECT_EQ(one.time(), 0);
        EXPECT_EQ(one.step().status, Status::kOk) << "and goes on";
        batch::Simulator many(dog, world, 2);
        batch::Simulator::Rows q(2, dog.nq()), v = batch::Simulator::Rows::Zero(2, dog.nv());
        for (int i = 0; i < 2; ++i) q.row(i) = start.transpose();
        many.set_states(q, v);
        v.row(1) = huge.transpose();
        EXPECT_EQ(many.step(v), 1);
        EXPECT_EQ(many.reports()[0].status, Status::kOk);
        EXPECT_EQ(many.reports()[1].status, Status::kNonFiniteResult);
        EXPECT_EQ(VectorX<double>(many.q().row(1)), start);
    }
}

// Of the coordinates that are lost the first is named, of all that the robot and each of its joints has.
TEST(Simulator, NamesTheFirstCoordinateThatIsLost) {
    Builder builder("bodies");
    builder.gravity({}).link("ground");
    for (const std::string& name : {"a", "b"})
        builder.body("ground", translation(name), "body_" + name,
                     MassProperties::sphere(1e-6, 0.1));
    const Model model = builder.build();
    for (int first = 0; first < model.nv(); ++first) {
        for (int second = first; second < model.nv(); ++second) {
            Simulator one(model, {});
            VectorX<double> tau = VectorX<double>::Zero(model.nv());
            tau[first] = tau[second] = 1e308;
            const std::string& name = model.velocity_names()[static_cast<std::size_t>(first)];
            expect_refused([&] { one.step(tau); }, "at the velocity of '" + name + "' at 0");
        }
    }
}

// Of several forces on a robot each is looked at, in each of its numbers.
TEST(ManyRobots, AreNotPushedByWhatIsNoNumber) {
    const Model arm = robots::arm();
    for (int which = 0; which < 4; ++which) {
        for (int k = 0; k < 6; ++k) {
            batch::Simulator many(arm, {}, 3);
            for (int entry = 0; entry < 4; ++entry) {
                double x[6] = {1, 2, 3, 4, 5, 6};
                if (entry == which) x[k] = k % 2 == 0 ? double{NAN} : -double{INFINITY};
                many.forces(1).add(arm.body_frame(1 + entry),
                                   {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}},
                                   ReferenceFrame::kWorldAligned);
            }
            EXPECT_EQ(many.step(2), 1) << which << " " << k;
            EXPECT_EQ(many.reports()[1].status, Status::kNonFiniteInput);
            EXPECT_EQ(many.reports()[2].status, Status::kOk);
            EXPECT_EQ(many.time(1), 0);
        }
    }
}

// On whichever thread a robot is: links that overlap at the start go through each other.
TEST(ManyRobots, OverlapsAreIgnoredByAll) {
    const Model model = things({ball("a", 0.1, 1, 0), ball("b", 0.1, 1, 0)}, {0, 0, 0});
    batch::Simulator simulator(model, frictionless_space(), 40, {.ignore_overlaps = true}, 3);
    batch::Simulator::Rows q(40, 14), v = batch::Simulator::Rows::Zero(40, 12);
    for (int i = 0; i < 40; ++i) {
        q.row(i) = neutral_configuration(model).transpose();
        q(i, 7) = 0.1;
        v(i, 3) = 1;
    }
    simulator.set_states(q, v);
    for (int k = 0; k < 20; ++k) simulator.step(10);
    for (int i = 0; i < 40; ++i) EXPECT_NEAR(simulator.q()(i, 0), 0.2, 1e-12) << i;
}

// What one robot begins with is its own: the balls of those that begin apart push each other, on whichever thread, and a
// reset that is refused has changed nothing.
TEST(ManyRobots, OverlapsAreEachRobotsOwn) {
    const Model model = things({ball("a", 0.1, 1, 0), ball("b", 0.1, 1, 0)}, {0, 0, 0});
    batch::Simulator simulator(model, frictionless_space(), 40, {.ignore_overlaps = true}, 3);
    batch::Simulator::Rows q(40, 14), v = batch::Simulator::Rows::Zero(40, 12);
    for (int i = 0; i < 40; ++i) {
        q.row(i) = neutral_configuration(model).transpose();
        q(i, 7) = i % 2 == 0 ? 0.1 : 0.3;
        v(i, 3) = 1;
    }
    simulator.set_states(q, v);
    batch::Simulator::Rows refused = q;
    refused.col(7).setConstant(0.1);
    refused(39, 7) = NAN;
    expect_refused([&] { simulator.set_states(refused, v); }, "robot 39: ");
    for (int k = 0; k < 20; ++k) simulator.step(10);
    for (int i = 0; i < 40; ++i) {
        EXPECT_NEAR(simulator.v()(i, 3), i % 2 == 0 ? 1 : 0, 0.5) << i;
        EXPECT_EQ(VectorX<double>(simulator.q().row(i)), VectorX<double>(simulator.q().row(i % 2)))
            << i;
    }
}

TEST(ManyRobots, EachHasItsOwnGround) {
    std::vector<World> worlds(4, rough_ground());
    for (int i = 0; i < 4; ++i) worlds[i].shapes[0].placement.position = {0, 0, -0.1 * i};
    const Model model = things({ball("ball", 0.1, 1, 0)});
    batch::Simulator simulator(model, worlds, {.step = 1e-3});
    batch::Simulator::Rows q(4, 7), v = batch::Simulator::Rows::Zero(4, 6);
    for (int i = 0; i < 4; ++i) q.row(i) << 0, 0, 0.15, 0, 0, 0, 1;
    simulator.set_states(q, v);
    simulator.step(1000);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(simulator.q()(i, 2), 0.1 - 0.1 * i, 1e-6);
}

}  // namespace
}  // namespace plucker::test
