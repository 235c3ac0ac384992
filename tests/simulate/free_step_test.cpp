// Robots step by code made for them, wholly where nothing acts, else in the smooth part: beside the templates, alone and in lanes.
#include <gtest/gtest.h>

#include "plucker/plucker.hpp"
#include "plucker/simulate/batch_simulator.hpp"

namespace plucker::test {
namespace {

Model flying(const Model& model) {
    Description d = with_base(model, Base::kFloating).description();
    for (LinkDescription& link : d.links) link.collisions.clear();
    for (JointDescription& joint : d.joints) {
        joint.limits = {};
        joint.friction = 0;
        if (joint.type == JointType::kRevolute) joint.damping = 0.05;
    }
    return Model(d);
}
VectorX<double> waves(int n, double first) {
    VectorX<double> out(n);
    for (int k = 0; k < n; ++k) out[k] = std::sin(first + k);
    return out;
}
double apart(const VectorX<double>& a, const VectorX<double>& b) {
    return (a - b).lpNorm<Eigen::Infinity>();
}

TEST(FreeStep, MovesAsTheTemplatesDo) {
    for (const Model& model : {flying(robots::arm()), flying(robots::quadruped())}) {
        SCOPED_TRACE(model.name());
        Simulator plain(model, World{}, {.step = 0.002}),
            compiled(compile(model), World{}, {.step = 0.002});
        batch::Simulator many(model, World{}, 3, {.step = 0.002}, 1);
        batch::Simulator::Rows q(3, model.nq()), v(3, model.nv()), torques(3, model.nv());
        const VectorX<double> start = neutral_configuration(model),
                              tau = 0.1 * waves(model.nv(), 2);
        for (int i = 0; i < 3; ++i) {
            q.row(i) = start.transpose();
            v.row(i) = waves(model.nv(), 1 + i).transpose();
            torques.row(i) = tau.transpose();
        }
        many.set_states(q, v);
        plain.set_state(start, waves(model.nv(), 1));
        compiled.set_state(start, waves(model.nv(), 1));
        const FrameId tip = model.frame_id(model.description().links.back().name);
        for (int k = 0; k < 150; ++k) {
            // In the middle something pushes: the templates take over, from the same momenta, and the code after them.
            if (k == 50 || k == 100) {
                for (ExternalForces<double>* forces :
                     {&plain.forces(), &compiled.forces(), &many.forces(0)}) {
                    if (k == 50)
                        forces->add(tip, {{0.1, 0.2, 0}, {1, 0, 2}}, ReferenceFrame::kWorld);
                    if (k == 100) forces->clear();
                }
            }
            ASSERT_EQ(plain.step(tau).status, Status::kOk);
            ASSERT_EQ(compiled.step(tau).status, Status::kOk);
            many.step(torques);
        }
        EXPECT_DOUBLE_EQ(compiled.time(), plain.time());
        for (const VectorX<double>& other :
             {VectorX<double>(compiled.q()), VectorX<double>(many.q().row(0).transpose())})
            EXPECT_LT(apart(other, plain.q()), 1e-10);
        for (const VectorX<double>& other :
             {VectorX<double>(compiled.v()), VectorX<double>(many.v().row(0).transpose())})
            EXPECT_LT(apart(other, plain.v()), 1e-10);
    }
}

// One thing alone that acts, of which the code knows nothing, is enough for the templates to take over.
TEST(FreeStep, ServesOnlyWhereNothingActs) {
    struct Act {
        const char* name;
        JointDescription elbow;
        bool held = false, prescribed = false;
    };
    const JointDescription hinge = revolute("elbow", {0, 1, 0}).at(0, 0, -0.5);
    const Act acts[] = {{"nothing", hinge},
                        {"friction", hinge.with_friction(0.2)},
                        {"limit", hinge.with_limits({.lower = -0.1, .upper = 0.1})},
                        {"spring", hinge, true},
                        {"prescribed", hinge, false, true}};
    VectorX<double> of_nothing;
    for (const Act& act : acts) {
        SCOPED_TRACE(act.name);
        const MassProperties rod = MassProperties::box(1, {0.05, 0.05, 0.5}, {0, 0, -0.25});
        const Model model = Builder("stick")
                                .base(Base::kFloating)
                                .link("upper", rod)
                                .body("upper", act.elbow, "lower", rod)
                                .build();
        VectorX<double> q = neutral_configuration(model), v = waves(7, 1), kp(7), kd(7);
        v[6] = -0.8;
        kp << VectorX<double>::Zero(6), 30;
        kd << VectorX<double>::Zero(6), 1;
        const auto moved = [&](const Model& robot) {
            Simulator simulator(robot, World{}, {.step = 0.002});
            simulator.set_state(q, v);
            if (act.held) simulator.hold(q, kp, kd);
            if (act.prescribed) simulator.prescribe("elbow", VectorX<double>::Constant(1, 0.4));
            for (int k = 0; k < 200; ++k) simulator.step();
            return VectorX<double>(simulator.q());
        };
        const VectorX<double> plain = moved(model);
        EXPECT_LT(apart(moved(compile(model)), plain), 1e-9);
        if (of_nothing.size() == 0) of_nothing = plain;
        if (act.name != std::string("nothing")) EXPECT_GT(apart(plain, of_nothing), 1e-2);
        if (act.prescribed) continue;  // which many cannot be
        for (const Model& robot : {model, compile(model)}) {
            batch::Simulator many(robot, World{}, 2, {.step = 0.002}, 1);
            batch::Simulator::Rows rows_q(2, 8), rows_v(2, 7);
            rows_q << q.transpose(), q.transpose();
            rows_v << v.transpose(), v.transpose();
            many.set_states(rows_q, rows_v);
            if (act.held) many.hold(kp, kd);
            many.step(200);
            EXPECT_LT(apart(many.q().row(1).transpose(), plain), 1e-9);
        }
    }
}

TEST(FreeStep, BitsDoNotDependOnNeighbours) {
    const Model model = flying(robots::arm());
    constexpr int kMany = 11;
    batch::Simulator many(model, World{}, kMany, {.step = 0.005}, 2);
    batch::Simulator::Rows q(kMany, model.nq()), v(kMany, model.nv());
    for (int i = 0; i < kMany; ++i) {
        q.row(i) = neutral_configuration(model).transpose();
        v.row(i) = waves(model.nv(), i).transpose();
    }
    many.set_states(q, v);
    // One that is pushed cannot go by the code; those beside it do.
    const Force<double> push{{0.1, 0, 0}, {0, 1, 0}};
    const std::string tip = model.description().links.back().name;
    many.forces(2).add(tip, push, ReferenceFrame::kWorld);
    many.step(40);
    for (int i = 0; i < kMany; ++i) {
        batch::Simulator one(model, World{}, 1, {.step = 0.005}, 1);
        one.set_states(q.row(i), v.row(i));
        if (i == 2) one.forces(0).add(tip, push, ReferenceFrame::kWorld);
        one.step(40);
        EXPECT_EQ(batch::Simulator::Rows(one.q()), batch::Simulator::Rows(many.q().row(i)));
        EXPECT_EQ(batch::Simulator::Rows(one.v()), batch::Simulator::Rows(many.v().row(i)));
    }
}

// Joints of every kind that the smooth part treats in its own way, on two trees, one of which flies.
Model mixed() {
    const MassProperties rod = MassProperties::box(1, {0.05, 0.1, 0.5}, {0.02, 0, -0.25});
    Builder builder("mixed");
    builder.link("room")
        .body("room", floating("free"), "trunk", rod)
        .body("trunk", revolute("hip", {0, 1, 0.2}).at(0, 0.1, -0.5).with_limits({-0.2, 0.3}),
              "leg", rod)
        .body("leg", spherical("ankle").at(0, 0, -0.5), "foot", rod)
        .body("room", planar("table", {0, 0, 1}).at(2, 0, 0), "puck", rod)
        .body("puck", prismatic("slider", {1, 0, 0.5}).at(0.1, 0, 0), "load", rod);
    Description d = builder.description();
    for (JointDescription& joint : d.joints) {
        joint.damping = joint.name == "hip" ? 0.1 : 0;
        joint.armature = joint.name == "slider" || joint.name == "table" ? 0.2 : 0;
    }
    return Model(d);
}

// Pushed, held and at their limits.
TEST(SmoothStep, OfCompiledRobotsMovesAsTheTemplatesDo) {
    for (const Model& model : {mixed(), robots::quadruped(), robots::humanoid(), robots::arm()}) {
        SCOPED_TRACE(model.name());
        constexpr double kStep = 0.002;
        Simulator plain(model, World{}, {.step = kStep}),
            compiled(compile(model), World{}, {.step = kStep});
        batch::Simulator many(model, World{}, 2, {.step = kStep}, 1);
        const VectorX<double> start = neutral_configuration(model), v = 0.3 * waves(model.nv(), 1),
                              tau = 0.1 * waves(model.nv(), 2);
        batch::Simulator::Rows q_rows(2, model.nq()), v_rows(2, model.nv()), torques(2, model.nv());
        for (int i = 0; i < 2; ++i) {
            q_rows.row(i) = start.transpose();
            v_rows.row(i) = v.transpose();
            torques.row(i) = tau.transpose();
        }
        many.set_states(q_rows, v_rows);
        const FrameId tip = model.frame_id(model.description().links.back().name);
        for (Simulator* simulator : {&plain, &compiled}) simulator->set_state(start, v);
        for (ExternalForces<double>* forces :
             {&plain.forces(), &compiled.forces(), &many.forces(0)})
            forces->add(tip, {{0.1, 0.2, 0}, {1, 0, 2}}, ReferenceFrame::kWorld);
        for (int k = 0; k < 60; ++k) {
            if (k == 30) {
                const VectorX<double> kp = VectorX<double>::Constant(model.nv(), 5),
                                      kd = VectorX<double>::Constant(model.nv(), 0.3);
                for (Simulator* simulator : {&plain, &compiled}) simulator->hold(start, kp, kd);
                many.hold(kp, kd);
                many.aim(q_rows, batch::Simulator::Rows::Zero(2, model.nv()));
            }
            ASSERT_EQ(plain.step(tau).status, Status::kOk);
            ASSERT_EQ(compiled.step(tau).status, Status::kOk);
            many.step(torques);
        }
        for (const VectorX<double>& q :
             {VectorX<double>(compiled.q()), VectorX<double>(many.q().row(0).transpose())})
            EXPECT_LT(apart(q, plain.q()), 1e-9);
        for (const VectorX<double>& other :
             {VectorX<double>(compiled.v()), VectorX<double>(many.v().row(0).transpose())})
            EXPECT_LT(apart(other, plain.v()), 1e-8);
        // The one that nobody pushes goes elsewhere.
        EXPECT_GT(apart(many.q().row(1).transpose(), plain.q()), 1e-6);
    }
}

}  // namespace
}  // namespace plucker::test
