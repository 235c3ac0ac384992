// The compiled model: order, indices, merging, edits.
#include "plucker/model/model.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plucker/laws/laws.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/model/fixed_mass.hpp"
#include "plucker/robots/robots.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

// Rounding of a few hundred operations on numbers of order one.
constexpr double kTolerance = 1e-12;

double distance(const MatrixX<double>& a, const MatrixX<double>& b) {
    return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, a.cwiseAbs().maxCoeff());
}

TEST(Model, NumbersParentsBeforeChildrenAndSubtreesAsRanges) {
    const Model model = robots::tree(50, 4);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        ASSERT_LT(body.parent, i);
        for (int j = i + 1; j <= model.num_bodies(); ++j) {
            int up = j;
            while (up > i) up = model.body(up).parent;
            EXPECT_EQ(up == i, j < body.subtree_end) << i << " " << j;
        }
    }
}

TEST(Model, CopiesShareTheirData) {
    const Model model = robots::arm();
    const Model copy = model;
    EXPECT_EQ(&model.body(1), &copy.body(1));
}

TEST(Model, NamesItsVelocityCoordinates) {
    const Model model = robots::exoskeleton();
    EXPECT_EQ(model.velocity_names()[0], "base.angular.x");
    EXPECT_EQ(model.velocity_names()[5], "base.linear.z");
    EXPECT_EQ(model.velocity_names().size(), static_cast<std::size_t>(model.nv()));
}

TEST(Model, RemembersTheOrderOfDeclaration) {
    // Declared leaf first: tree order and declared order differ.
    JointDescription a = revolute("a", {0, 0, 1});
    a.parent = "ground", a.child = "one";
    JointDescription b = revolute("b", {0, 0, 1});
    b.parent = "one", b.child = "two";
    const Model model =
        Builder("late").link("ground").link("one").link("two").joint(b).joint(a).build();
    EXPECT_EQ(model.velocity_names(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(model.declared_velocity_order(), (std::vector<int>{1, 0}));
}

Model with_sensor(FixedJoints choice) {
    return Builder("sensor")
        .fixed_joints(choice)
        .link("ground")
        .body("ground", revolute("hinge", {0, 1, 0}), "arm", test::odd_mass(1))
        .body("arm", fixed("mount").at(test::odd_placement(2)), "sensor", test::odd_mass(2))
        .body("sensor", revolute("wrist", {1, 0, 0}).at(test::odd_placement(3)), "hand",
              test::odd_mass(3))
        .build();
}

TEST(FixedJoints, MergedOrKeptGiveTheSameDynamics) {
    const Model merged = with_sensor(FixedJoints::kMerge);
    const Model kept = with_sensor(FixedJoints::kKeep);
    EXPECT_EQ(merged.num_bodies(), 2);
    EXPECT_EQ(kept.num_bodies(), 3);
    std::mt19937 generator(1);
    const auto s = laws::random_state(merged, generator);
    EXPECT_LT(distance(mass_matrix(merged, s.q), mass_matrix(kept, s.q)), kTolerance);
    EXPECT_LT(
        distance(inverse_dynamics(merged, s.q, s.v, s.a), inverse_dynamics(kept, s.q, s.v, s.a)),
        kTolerance);
    EXPECT_LT(distance(forward_dynamics(merged, s.q, s.v, s.tau),
                       forward_dynamics(kept, s.q, s.v, s.tau)),
              kTolerance);
    EXPECT_LT(distance(frame_jacobian(merged, s.q, "sensor"), frame_jacobian(kept, s.q, "sensor")),
              kTolerance);
}

// A coordinate hangs on the nearest one on its way to the root, and not on one of a branch beside it.
TEST(FixedJoints, KeptAreNoCoordinatesOnTheWay) {
    const Model model =
        Builder("branches")
            .fixed_joints(FixedJoints::kKeep)
            .link("root")
            .body("root", revolute("a", {0, 0, 1}), "A", test::odd_mass(1))
            .body("A", revolute("a2", {0, 1, 0}), "A2", test::odd_mass(2))
            .body("A", fixed("h").at(test::odd_placement(3)), "H", test::odd_mass(3))
            .body("H", revolute("d", {1, 0, 0}), "D", test::odd_mass(4))
            .body("root", fixed("f").at(test::odd_placement(5)), "F", test::odd_mass(5))
            .body("F", revolute("b", {0, 1, 0}), "B", test::odd_mass(6))
            .body("F", fixed("g").at(test::odd_placement(7)), "G", test::odd_mass(7))
            .body("G", revolute("c", {0, 0, 1}), "C", test::odd_mass(8))
            .build();
    ASSERT_EQ(model.velocity_names(), (std::vector<std::string>{"a", "a2", "d", "b", "c"}));
    const auto parent = model.coordinate_parent();
    EXPECT_EQ(std::vector<int>(parent.begin(), parent.end()), (std::vector<int>{-1, 0, 0, -1, -1}));
}

TEST(FixedJoints, KeptShowTheForceAcrossThem) {
    const Model kept = with_sensor(FixedJoints::kKeep);
    const VectorX<double> zero = VectorX<double>::Zero(2);
    const auto forces = reaction_forces(kept, zero, zero, zero);
    // At rest the sensor's mount carries the weight of all that hangs on it.
    const double carried = test::odd_mass(2).mass + test::odd_mass(3).mass;
    EXPECT_NEAR(norm(forces[static_cast<std::size_t>(kept.body_index("sensor"))].linear),
                9.81 * carried, 1e-10);
}

TEST(LockJoints, GivesTheDynamicsOfTheJointsThatRemain) {
    for (const std::string& name : test::joint_model_names()) {
        if (name.ends_with("mimic") || name.ends_with("kept_fixed")) continue;
        SCOPED_TRACE(name);
        const Model model = test::joint_model(name);
        std::mt19937 generator(5);
        auto s = laws::random_state(model, generator);
        const Body<double>& middle = model.body(model.joint_index("middle"));
        const std::vector<double> held(s.q.data() + middle.q_index,
                                       s.q.data() + middle.q_index + middle.nq);
        const Model locked = lock_joints(model, {{"middle", held}});
        ASSERT_EQ(locked.nv(), model.nv() - middle.nv);
        // The locked joint at rest: drop its coordinates.
        const auto drop = [](const VectorX<double>& x, int at, int n) {
            VectorX<double> out(x.size() - n);
            out << x.head(at), x.tail(x.size() - at - n);
            return out;
        };
        s.v.segment(middle.v_index, middle.nv).setZero();
        s.a.segment(middle.v_index, middle.nv).setZero();
        const VectorX<double> full = inverse_dynamics(model, s.q, s.v, s.a);
        const VectorX<double> reduced = inverse_dynamics(
            locked, drop(s.q, middle.q_index, middle.nq), drop(s.v, middle.v_index, middle.nv),
            drop(s.a, middle.v_index, middle.nv));
        EXPECT_LT(distance(reduced, drop(full, middle.v_index, middle.nv)), kTolerance);
        const Pose<double> before = frame_pose(model, s.q, "tool");
        const Pose<double> after = frame_pose(locked, drop(s.q, middle.q_index, middle.nq), "tool");
        EXPECT_LT(distance(to_eigen(before.rotation), to_eigen(after.rotation)), kTolerance);
        EXPECT_LT(distance(to_eigen(before.position), to_eigen(after.position)), kTolerance);
    }
}

TEST(LockJoints, LocksMimicsAlong) {
    const Model model = test::joint_model("mimic");
    const Model locked = lock_joints(model, {{"tip_a", {0.4}}});
    EXPECT_EQ(locked.nv(), model.nv() - 1);
    EXPECT_FALSE(locked.has_mimic_joints());
    VectorX<double> q = VectorX<double>::Constant(model.nq(), 0.3);
    q[model.body(model.joint_index("tip_a")).q_index] = 0.4;
    EXPECT_LT(
        distance(
            to_eigen(frame_pose(model, q, "tool").position),
            to_eigen(
                frame_pose(locked, VectorX<double>::Constant(locked.nq(), 0.3), "tool").position)),
        kTolerance);
    EXPECT_THROW(lock_joints(model, {{"middle", {0.1}}}), Error);
}

// What was the joint's is not left behind on a fixed one, where a file would show it.
TEST(LockJoints, LeavesNothingOfTheJoint) {
    const JointDescription hinge = revolute("hinge", {0, 0, 1})
                                       .with_armature(0.1)
                                       .with_damping(0.2)
                                       .with_friction(0.3)
                                       .with_limits({-1, 1, 2, 3});
    const Model model = Builder("door")
                            .link("wall")
                            .body("wall", hinge, "door", MassProperties::sphere(1, 0.1))
                            .build();
    const JointDescription locked = lock_joints(model, {{"hinge", {0.5}}}).description().joints[0];
    EXPECT_EQ(locked.type, JointType::kFixed);
    EXPECT_EQ(locked.armature, 0);
    EXPECT_EQ(locked.damping, 0);
    EXPECT_EQ(locked.friction, 0);
    EXPECT_TRUE(std::isinf(locked.limits.lower) && std::isinf(locked.limits.upper));
    EXPECT_TRUE(std::isinf(locked.limits.velocity) && std::isinf(locked.limits.effort));
}

TEST(LockJoints, RefusesWrongNames_Sizes_AndTheBase) {
    const Model model = robots::exoskeleton();
    EXPECT_THROW(lock_joints(model, {{"left_kne", {0.0}}}), Error);
    EXPECT_THROW(lock_joints(model, {{"left_knee", {0.0, 1.0}}}), Error);
    EXPECT_EQ(test::message([&] {
                  lock_joints(model, {{"left_knee", {std::nan("")}}});
              }),
              "lock_joints: joint 'left_knee' is given a value that is not finite");
    EXPECT_THROW(lock_joints(model, {{"base", {0, 0, 0, 0, 0, 0, 1}}}), Error);
    Description d = model.description();
    d.base_joint = "root";
    const Model renamed(d);
    EXPECT_EQ(renamed.joint(1).name, "root");
    EXPECT_EQ(renamed.velocity_names()[0], "root.angular.x");
    for (const char* name : {"root", "base"}) {
        EXPECT_EQ(test::message([&] {
                      lock_joints(renamed, {{name, {0, 0, 0, 0, 0, 0, 1}}});
                  }),
                  "lock_joints: the base floats; use with_base(model, Base::kFixed)");
    }
    d.joints[0].name = "root";
    EXPECT_THROW((void)Model(d), Error);
}

TEST(Attach, AddsThePartsMassAtTheFrame) {
    const Model arm = robots::arm();
    const Model part = robots::pendulum();
    const Pose<double> placement = test::odd_placement(3);
    const Model both = attach(arm, "tool", part, placement, "held_");
    EXPECT_EQ(both.nv(), arm.nv() + part.nv());
    std::mt19937 generator(2);
    const VectorX<double> q_arm = random_configuration(arm, generator);
    VectorX<double> q = neutral_configuration(both);
    q.head(arm.nq()) = q_arm;
    const Pose<double> expected = frame_pose(arm, q_arm, "tool") * placement;
    const std::string root = "held_" + part.description().links.front().name;
    EXPECT_LT(distance(to_eigen(frame_pose(both, q, root).position), to_eigen(expected.position)),
              kTolerance);
    EXPECT_LT(distance(to_eigen(frame_pose(both, q, root).rotation), to_eigen(expected.rotation)),
              kTolerance);
    EXPECT_NEAR(both.total_mass(), arm.total_mass() + part.total_mass(), kTolerance);
    EXPECT_THROW(attach(arm, "tol", part), Error);
}

// Names that both have are told apart by a prefix, of whatever kind they are.
TEST(Attach, AsksForAPrefixWhereNamesClash) {
    using Names = std::array<std::string, 6>;
    const auto robot = [](const Names& n) {
        return Builder("robot")
            .link(n[0], test::odd_mass(1))
            .body(n[0], revolute(n[1], {0, 0, 1}), n[2], test::odd_mass(2))
            .frame(n[3], n[2])
            .constraint(connect(n[4], n[3], "world"))
            .posture(n[5], {{n[1], {0.5}}})
            .build();
    };
    const Names names{"base", "hinge", "rod", "tip", "loop", "home"};
    const Names others{"a", "b", "c", "d", "e", "f"};
    const Model host = robot(names);
    const auto complaint = [&](const Model& to, const Model& part, const std::string& prefix) {
        return test::message([&] { (void)attach(to, "tip", part, {}, prefix); });
    };
    EXPECT_EQ(complaint(host, robot(others), ""), "no error");
    struct Clash {
        std::size_t of_part, of_host;
        std::string kind;
    };
    for (const Clash& clash : {Clash{0, 2, "link"}, Clash{2, 2, "link"}, Clash{1, 1, "joint"},
                               Clash{3, 3, "frame"}, Clash{3, 2, "frame"}, Clash{2, 3, "frame"},
                               Clash{4, 4, "constraint"}, Clash{5, 5, "posture"}}) {
        Names part = others;
        part[clash.of_part] = names[clash.of_host];
        const std::string both = "attach: both robots have a " + clash.kind + " '";
        EXPECT_EQ(complaint(host, robot(part), ""),
                  both + names[clash.of_host] + "'; give the names of the part a prefix");
        EXPECT_EQ(complaint(host, robot(part), "p_"), "no error");
    }
    const Model twice = attach(host, "tip", host, {}, "p_");
    EXPECT_EQ(
        complaint(twice, host, "p_"),
        "attach: both robots have a link 'p_base'; give the names of the part another prefix");
    // Of a load it is the name that can be another.
    const Model loaded = with_payload(host, "tip", MassProperties::point(1));
    EXPECT_NE(test::message([&] {
                  (void)with_payload(loaded, "tip", MassProperties::point(1));
              }).find("two links are named 'payload'; give one of them another name"),
              std::string::npos);
}

// A part whose joints have the names of the host's keeps to its own.
TEST(Attach, MimicsFollowTheirNamesakesInThePart) {
    const auto geared = [](const char* robot, double multiplier, double offset) {
        return Builder(robot)
            .link("ground", test::odd_mass(1))
            .body("ground", revolute("drive", {0, 0, 1}), "wheel", test::odd_mass(2))
            .body("ground", revolute("follow", {0, 0, 1}).mimicking("drive", multiplier, offset),
                  "pinion", test::odd_mass(3))
            .build();
    };
    const Model both =
        attach(geared("host", 2, 0.1), "ground", geared("part", -3, 0.2), {}, "part_");
    ASSERT_EQ(both.velocity_names(), (std::vector<std::string>{"drive", "part_drive"}));
    EXPECT_EQ(both.joint(both.joint_index("follow")).mimic->joint, "drive");
    EXPECT_EQ(both.joint(both.joint_index("part_follow")).mimic->joint, "part_drive");
    const auto angle = [&](double host, double part, const char* link) {
        const Mat3<double> R = frame_pose(both, Eigen::Vector2d(host, part), link).rotation;
        return std::atan2(R.y.x, R.x.x);
    };
    for (const double host : {-0.2, 0.3}) {
        for (const double part : {-0.1, 0.4}) {
            EXPECT_NEAR(angle(host, part, "pinion"), 2 * host + 0.1, kTolerance);
            EXPECT_NEAR(angle(host, part, "part_pinion"), -3 * part + 0.2, kTolerance);
        }
    }
    EXPECT_THROW(attach(geared("host", 2, 0), "ground", geared("part", 3, 0)), Error);
}

// All that a part has goes by the part's names, and none of it by the host's, which are the same.
TEST(Attach, LeavesNoNameOfThePartWithoutThePrefix) {
    const Model model =
        Builder("twin")
            .link("base", test::odd_mass(1))
            .body("base", revolute("left", {0, 0, 1}), "left_arm", test::odd_mass(2))
            .body("base", revolute("right", {0, 0, 1}), "right_arm", test::odd_mass(3))
            .body("base", revolute("tail", {0, 0, 1}).mimicking("left"), "tail", test::odd_mass(4))
            .frame("hand", "left_arm", test::odd_placement(1))
            .constraint(connect("loop", "hand", "right_arm"))
            .constraint(rod("pole", "left_arm", "world", 1))
            .constraint(gear("mesh", "left", "right", -2))
            .constraint(gear("hold", "right", "", 0, 0.1))
            .never_touching("left_arm", "right_arm")
            .posture("home", {{"left", {0.5}}, {"right", {-0.5}}})
            .build();
    const Description host = model.description();
    const Description both =
        attach(model, "hand", model, test::odd_placement(2), "part_").description();
    std::vector<std::string> of_host, of_part;
    const auto note = [&](const auto& all, std::size_t first, const auto& names_of) {
        for (std::size_t k = 0; k < first; ++k) names_of(all[k], of_host);
        for (std::size_t k = first; k < all.size(); ++k) names_of(all[k], of_part);
    };
    using Names = std::vector<std::string>;
    note(both.links, host.links.size(), [](const auto& x, Names& out) { out.push_back(x.name); });
    note(both.frames, host.frames.size(), [](const auto& x, Names& out) {
        out.insert(out.end(), {x.name, x.link});
    });
    note(both.constraints, host.constraints.size(), [](const auto& x, Names& out) {
        for (const std::string& name : {x.name, x.frame_a, x.frame_b, x.joint_a, x.joint_b}) {
            if (!name.empty() && name != "world") out.push_back(name);
        }
    });
    note(both.never_touching, host.never_touching.size(), [](const auto& x, Names& out) {
        out.insert(out.end(), {x.first, x.second});
    });
    note(both.postures, host.postures.size(), [](const auto& x, Names& out) {
        out.push_back(x.name);
        for (const auto& [joint, coordinates] : x.joints) out.push_back(joint);
    });
    // The last joint is the mount, from the host's link to the part's.
    for (std::size_t k = 0; k + 1 < both.joints.size(); ++k) {
        const JointDescription& x = both.joints[k];
        Names& out = k < host.joints.size() ? of_host : of_part;
        out.insert(out.end(), {x.name, x.parent, x.child});
        if (x.mimic) out.push_back(x.mimic->joint);
    }
    EXPECT_EQ(both.joints.back().parent, "left_arm");
    EXPECT_EQ(both.joints.back().child, "part_base");
    EXPECT_EQ(of_part.size(), of_host.size());
    EXPECT_GT(of_part.size(), 30U);
    for (const std::string& name : of_part) EXPECT_TRUE(name.starts_with("part_")) << name;
    for (const std::string& name : of_host) EXPECT_FALSE(name.starts_with("part_")) << name;
}

// A part whose inertias no body has was let pass when it was loaded; so it is here, on a host that is strict.
TEST(Attach, TakesAPartThatWasLetPass) {
    const MassProperties bad{1, {}, SymMat3<double>::diagonal(1, 1, 5)};
    const auto robot = [&](Physics physics, const MassProperties& mass) {
        return Builder("r")
            .physics(physics)
            .link("ground")
            .body("ground", revolute("hinge", {0, 0, 1}), "rod", mass)
            .build();
    };
    const Model strict = robot(Physics::kStrict, test::odd_mass(1));
    const Model lenient = robot(Physics::kLenient, bad);
    EXPECT_EQ(attach(strict, "rod", lenient, {}, "part_").nv(), 2);
    EXPECT_EQ(attach(lenient, "rod", strict, {}, "part_").nv(), 2);
    EXPECT_EQ(with_base(lenient, Base::kFloating).nv(), 7);
    EXPECT_EQ(lock_joints(lenient, {{"hinge", {0.5}}}).nv(), 0);
    // A load is judged as the robot that carries it was.
    EXPECT_EQ(with_payload(lenient, "rod", bad).nv(), 1);
    EXPECT_THROW((void)with_payload(strict, "rod", bad), Error);
}

// What no robot has is refused in the words of the call that gives it.
TEST(WithMass, RefusesWhatNoLinkHas) {
    const Model arm = robots::arm();
    const std::string link = arm.body_name(3);
    for (const double mass : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(test::message([&] {
                      (void)with_mass(arm, link, MassProperties{mass});
                  }).rfind("with_mass: ", 0),
                  0U)
            << test::message([&] { (void)with_mass(arm, link, MassProperties{mass}); });
        EXPECT_EQ(test::message([&] {
                      (void)with_payload(arm, link, MassProperties{mass});
                  }).rfind("with_payload: ", 0),
                  0U);
    }
}

// Weighed link by link, wherever the joints are.
TEST(FixedMass, AndTheMovingMassAreAllOfTheRobot) {
    const Model standing =
        Builder("standing")
            .link("foot", test::odd_mass(1))
            .body("foot", fixed("bolt").at(test::odd_placement(1)), "column", test::odd_mass(2))
            .body("column", revolute("hinge", {0, 1, 0}).at(test::odd_placement(2)), "arm",
                  test::odd_mass(3))
            .body("arm", fixed("wrist").at(test::odd_placement(3)), "hand", test::odd_mass(4))
            .build();
    const auto m = [](int k) { return test::odd_mass(k).mass; };
    const MassProperties base = fixed_mass(standing);
    EXPECT_NEAR(base.mass, m(1) + m(2), kTolerance);
    EXPECT_NEAR(standing.total_mass(), m(3) + m(4), kTolerance);
    const Vec3<double> moment = m(1) * test::odd_mass(1).center +
                                m(2) * (test::odd_placement(1) * test::odd_mass(2).center);
    EXPECT_LT(norm(base.center - (1 / (m(1) + m(2))) * moment), kTolerance);

    // The same inertia that the links have where they move, as one body on a free base.
    const Model floating = with_base(standing, Base::kFloating);
    EXPECT_EQ(fixed_mass(floating), MassProperties{});
    EXPECT_NEAR(floating.total_mass(), base.mass + standing.total_mass(), kTolerance);
    const Inertia<double> a = base.inertia(), b = floating.body(1).inertia;
    EXPECT_LT(norm(a.first_moment - b.first_moment), kTolerance);
    EXPECT_LT(distance(to_eigen(a.rotational), to_eigen(b.rotational)), kTolerance);
}

TEST(WithBase, TurnsAFixedRobotIntoAFloatingOneAndBack) {
    const Model fixed_arm = robots::arm();
    const Model floating_arm = with_base(fixed_arm, Base::kFloating);
    EXPECT_EQ(floating_arm.nv(), fixed_arm.nv() + 6);
    EXPECT_EQ(with_base(floating_arm, Base::kFixed).nv(), fixed_arm.nv());
    std::mt19937 generator(2);
    const VectorX<double> q = random_configuration(fixed_arm, generator);
    VectorX<double> q_floating = neutral_configuration(floating_arm);
    q_floating.tail(q.size()) = q;
    // With the base held, the joints feel the same inertia.
    EXPECT_LT(distance(mass_matrix(floating_arm, q_floating).bottomRightCorner(q.size(), q.size()),
                       mass_matrix(fixed_arm, q)),
              kTolerance);
}

TEST(WithGravity, ScalesTheGravityTorque) {
    const Model arm = robots::arm();
    const Model heavy = with_gravity(arm, 2.0 * arm.gravity());
    const VectorX<double> q = VectorX<double>::Constant(arm.nq(), 0.3);
    EXPECT_LT(distance(gravity_torque(heavy, q), 2 * gravity_torque(arm, q)), kTolerance);
}

TEST(Invariance, TheOrderOfDeclarationDoesNotMatter) {
    const Model model = robots::humanoid();
    Description reversed = model.description();
    std::reverse(reversed.joints.begin(), reversed.joints.end());
    std::reverse(reversed.links.begin(), reversed.links.end());
    const Model other(reversed);
    // Map coordinates by name.
    const auto permutation = [&] {
        std::vector<int> map;
        for (const std::string& name : other.velocity_names()) {
            const auto& names = model.velocity_names();
            map.push_back(
                static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
        }
        return map;
    }();
    const auto reorder = [&](const VectorX<double>& x) { return x(permutation).eval(); };
    std::mt19937 generator(3);
    const auto s = laws::random_state(model, generator);
    VectorX<double> q(model.nq());
    q.head(7) = s.q.head(7);
    for (int k = 6; k < model.nv(); ++k)
        q[k + 1] = s.q[permutation[static_cast<std::size_t>(k)] + 1];
    EXPECT_LT(distance(mass_matrix(other, q), mass_matrix(model, s.q)(permutation, permutation)),
              kTolerance);
    EXPECT_LT(distance(inverse_dynamics(other, q, reorder(s.v), reorder(s.a)),
                       reorder(inverse_dynamics(model, s.q, s.v, s.a))),
              kTolerance);
    EXPECT_LT(distance(coriolis_matrix(other, q, reorder(s.v)),
                       coriolis_matrix(model, s.q, s.v)(permutation, permutation)),
              kTolerance);
}

TEST(Invariance, TurningTheWorldWithItsGravityChangesNoTorque) {
    // A change of base frame: the robot and gravity are turned together.
    const Model model = robots::quadruped();
    std::mt19937 generator(4);
    const auto s = laws::random_state(model, generator);
    const Quaternion<double> turn = exponential(Vec3<double>{0.7, -0.4, 1.1});
    const Model turned_world =
        with_gravity(model, transpose_times(coordinate_rotation(turn), model.gravity()));
    VectorX<double> q = s.q;
    SphericalJoint::store(turn * SphericalJoint::attitude(s.q.data() + 3), q.data() + 3);
    q.head(3) += Eigen::Vector3d(5, -3, 2);
    EXPECT_LT(distance(inverse_dynamics(turned_world, q, s.v, s.a),
                       inverse_dynamics(model, s.q, s.v, s.a)),
              kTolerance);
    EXPECT_LT(distance(forward_dynamics(turned_world, q, s.v, s.tau),
                       forward_dynamics(model, s.q, s.v, s.tau)),
              1e-10);  // M⁻¹ enlarges the rounding by the condition of M, a few hundred
}

TEST(LongChains, TenThousandBodiesWork) {
    const Model model = robots::chain(10000);
    ASSERT_EQ(model.nv(), 10000);
    // Folded like a ruler, so that the chain stays near its base and the numbers near one.
    VectorX<double> q = VectorX<double>::Constant(model.nq(), 1.5);
    const VectorX<double> v = VectorX<double>::Constant(model.nv(), 1e-3);
    const VectorX<double> a = VectorX<double>::Constant(model.nv(), 1e-3);
    Workspace<double> ws(model);
    VectorX<double> tau(model.nv());
    VectorX<double> found(model.nv());
    inverse_dynamics(ws, q, v, a, tau);
    forward_dynamics(ws, q, v, tau, found);
    EXPECT_TRUE(tau.allFinite());
    // Ten thousand joints amplify rounding; agreement to six digits shows that the recursion is sound.
    EXPECT_LT((found - a).cwiseAbs().maxCoeff() / a.cwiseAbs().maxCoeff(), 1e-6);
    forward_kinematics(ws, q, v, a);
    EXPECT_TRUE(to_eigen(frame_pose(ws, model.body_frame(10000)).position).allFinite());
    EXPECT_TRUE(to_eigen(com_acceleration(ws)).allFinite());
}

}  // namespace
}  // namespace plucker
