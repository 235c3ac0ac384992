// The coordinates of other libraries. tests/oracles/mujoco_conventions_test.cpp asks MuJoCo itself.
#include "plucker/model/conventions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

using test::message;

constexpr Convention kConventions[] = {Convention::kPlucker, Convention::kFile,
                                       Convention::kPinocchio, Convention::kMujoco};

// The robot with its joints declared in another order, no joint limited: a continuous joint is (cos, sin) somewhere.
Model shuffled(const std::string& name, std::mt19937& generator) {
    Description d = test::joint_model(name).description();
    std::shuffle(d.joints.begin(), d.joints.end(), generator);
    return Model(d);
}

bool mujoco_has(const std::string& name) {
    return name.find("helical") == std::string::npos && name.find("mimic") == std::string::npos &&
           name.find("floating_joint") == std::string::npos;
}

// Calls f(model, coordinates, generator) for every joint model in every convention that has its joints.
template <class F>
void for_each_case(F&& f) {
    std::mt19937 generator(7);
    for (const std::string& name : test::joint_model_names()) {
        for (const Convention convention : kConventions) {
            if (convention == Convention::kMujoco && !mujoco_has(name)) continue;
            SCOPED_TRACE(name + " in the order of " +
                         convention_names()[static_cast<std::size_t>(convention)]);
            const Model model = shuffled(name, generator);
            f(model, Coordinates(model, convention), generator);
        }
    }
}

VectorX<double> random_vector(int size, std::mt19937& generator) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    return VectorX<double>::NullaryExpr(size, [&] { return uniform(generator); });
}

double largest(const MatrixX<double>& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

TEST(Conventions, ImportUndoesExport) {
    for_each_case([](const Model& model, const Coordinates& c, std::mt19937& generator) {
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = random_vector(model.nv(), generator);
        const VectorX<double> a = random_vector(model.nv(), generator);
        EXPECT_LE(largest(difference(model, c.import_q(c.export_q(q)), q)), 1e-14);
        EXPECT_LE(largest(c.import_v(q, c.export_v(q, v)) - v), 1e-14);
        EXPECT_LE(largest(c.import_a(q, v, c.export_a(q, v, a)) - a), 1e-14);
        EXPECT_LE(largest(c.import_tau(q, c.export_tau(q, a)) - a), 1e-14);
        EXPECT_EQ(c.export_q(q).size(), c.nq());
        EXPECT_EQ(c.export_v(q, v).size(), c.nv());
    });
}

TEST(Conventions, PowerIsTheSameInAll) {
    for_each_case([](const Model& model, const Coordinates& c, std::mt19937& generator) {
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = random_vector(model.nv(), generator);
        const VectorX<double> theirs = random_vector(c.nv(), generator);
        EXPECT_NEAR(c.import_tau(q, theirs).dot(v), theirs.dot(c.export_v(q, v)), 1e-13);
        EXPECT_NEAR(c.export_tau(q, v).dot(c.export_v(q, v)), v.dot(v), 1e-13);
    });
}

// Where a robot floats on the world's origin, and where a joint's place is elsewhere.
TEST(Conventions, NumbersOfOneNameAreTheSameUnlessTheyAreSaidToDiffer) {
    bool any_differs = false;
    const auto check = [&](const Model& model, const Coordinates& c, std::mt19937& generator) {
        const Coordinates ours(model, Convention::kPlucker);
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = random_vector(model.nv(), generator);
        const VectorX<double> x = random_vector(model.nv(), generator);
        const auto compare = [&](const std::vector<std::string>& names,
                                 const std::vector<std::string>& our_names,
                                 const VectorX<double>& theirs, const VectorX<double>& mine,
                                 const auto& differs) {
            for (std::size_t k = 0; k < names.size(); ++k) {
                const auto at = std::find(our_names.begin(), our_names.end(), names[k]);
                const bool is_same =
                    at == our_names.end() ||
                    std::abs(mine[at - our_names.begin()] - theirs[static_cast<long>(k)]) < 1e-14;
                EXPECT_EQ(differs(static_cast<int>(k)), !is_same) << names[k];
                any_differs |= !is_same;
            }
        };
        const auto q_differs = [&](int k) { return c.q_differs(k); };
        const auto v_differs = [&](int k) { return c.v_differs(k); };
        compare(c.q_names(), ours.q_names(), c.export_q(q), q, q_differs);
        compare(c.v_names(), ours.v_names(), c.export_v(q, v), v, v_differs);
        compare(c.v_names(), ours.v_names(), c.export_a(q, v, x), x, v_differs);
        if (c.nv() == model.nv())
            compare(c.v_names(), ours.v_names(), c.export_tau(q, x), x, v_differs);
    };
    for_each_case(check);
    EXPECT_TRUE(any_differs);
    std::mt19937 generator(8);
    const Model crate = Builder("crate")
                            .link("ground")
                            .body("ground", floating("free").at(test::odd_placement(4)), "crate",
                                  MassProperties::sphere(1, 0.1))
                            .build();
    for (const Convention convention : kConventions)
        check(crate, Coordinates(crate, convention), generator);
}

// Central differences with a step of 1e-5: their error is some 1e-10 of numbers of size one to ten.
constexpr double kStep = 1e-5;
constexpr double kByDifferences = 1e-8;

TEST(Conventions, AccelerationIsTheRateOfVelocity) {
    for_each_case([](const Model& model, const Coordinates& c, std::mt19937& generator) {
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = random_vector(model.nv(), generator);
        const VectorX<double> a = random_vector(model.nv(), generator);
        const auto velocity_at = [&](double t) {
            return c.export_v(integrate(model, q, t * v), v + t * a);
        };
        EXPECT_LE(
            largest((velocity_at(kStep) - velocity_at(-kStep)) / (2 * kStep) - c.export_a(q, v, a)),
            kByDifferences);
        const auto map_at = [&](double t) { return c.velocity_map(integrate(model, q, t * v)); };
        EXPECT_LE(
            largest((map_at(kStep) - map_at(-kStep)) / (2 * kStep) - c.velocity_map_rate(q, v)),
            kByDifferences);
    });
}

TEST(Conventions, MatricesFollowTheMapOfVelocities) {
    for_each_case([](const Model& model, const Coordinates& c, std::mt19937& generator) {
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = random_vector(model.nv(), generator);
        const MatrixX<double> T = c.velocity_map(q);
        EXPECT_LE(largest(T * v - c.export_v(q, v)), 1e-14);
        const bool is_square_of_ones = T.rows() == T.cols() && T.sum() == T.cols() &&
                                       ((T.array() == 0) || (T.array() == 1)).all();
        EXPECT_EQ(c.only_permutes(), is_square_of_ones);
        if (c.nv() != model.nv()) {
            EXPECT_NE(message([&] {
                          c.export_matrix(q, mass_matrix(model, q));
                      }).find("MimicJoints::kLeftOut"),
                      std::string::npos);
            return;
        }
        const MatrixX<double> M = mass_matrix(model, q);
        EXPECT_LE(largest(T.transpose() * c.export_matrix(q, M) * T - M), 1e-13 * largest(M));
        const MatrixX<double> J = com_jacobian(model, q);
        EXPECT_LE(largest(c.export_jacobian(q, J) * T - J), 1e-13);
    });
}

// --- Facts about each convention -------------------------------------------------------------------

// root ─ zeta ─ inner      declared: zeta, mount (fixed), inner, beta, alpha
//      ─ mount ┄ beta
//      ─ alpha
Model siblings(Base base = Base::kFixed) {
    const MassProperties mass = MassProperties::sphere(1, 0.1);
    const JointLimits limits{-1, 1};
    return Builder("siblings")
        .base(base)
        .link("root", mass)
        .body("root", revolute("zeta", {0, 0, 1}).with_limits(limits), "a", mass)
        .body("root", fixed("mount"), "b", mass)
        .body("a", prismatic("inner", {1, 0, 0}), "c", mass)
        .body("b", revolute("beta", {0, 1, 0}).with_limits(limits), "d", mass)
        .body("root", revolute("alpha", {1, 0, 0}).with_limits(limits), "e", mass)
        .build();
}

TEST(Conventions, EachHasItsOrderOfJoints) {
    using Names = std::vector<std::string>;
    const auto names = [](Convention convention) {
        return Coordinates(siblings(), convention).v_names();
    };
    EXPECT_EQ(names(Convention::kFile), (Names{"zeta", "inner", "beta", "alpha"}));
    EXPECT_EQ(names(Convention::kPlucker), (Names{"zeta", "inner", "beta", "alpha"}));
    EXPECT_EQ(names(Convention::kMujoco), (Names{"zeta", "inner", "beta", "alpha"}));
    // "alpha" < "mount" < "zeta", and the fixed joint leads on to what hangs on it.
    EXPECT_EQ(names(Convention::kPinocchio), (Names{"alpha", "beta", "zeta", "inner"}));
    const Coordinates c(siblings(), Convention::kPinocchio);
    EXPECT_EQ(c.velocity_order(), (std::vector<int>{3, 2, 0, 1}));
    EXPECT_TRUE(c.only_permutes());
}

TEST(Conventions, FloatingBaseInEach) {
    const Model model = siblings(Base::kFloating);
    VectorX<double> q = neutral_configuration(model);
    q.head(3) << 1, 2, 3;
    const double h = std::sqrt(0.5);
    q.segment(3, 4) << 0, 0, h, h;  // a quarter turn about z: the body's x is the world's y
    VectorX<double> v = VectorX<double>::Zero(model.nv());
    v.head(6) << 0, 0, 5, 7, 0, 0;  // turns about z, moves along its own x

    const Coordinates pinocchio(model, Convention::kPinocchio);
    EXPECT_EQ(pinocchio.export_q(q).head(7), q.head(7));
    Eigen::Matrix<double, 6, 1> expected;
    expected << 7, 0, 0, 0, 0, 5;
    EXPECT_EQ(pinocchio.export_v(q, v).head(6), expected);
    EXPECT_EQ(pinocchio.v_names()[0], "base.linear.x");

    const Coordinates mujoco(model, Convention::kMujoco);
    const VectorX<double> qpos = mujoco.export_q(q);
    EXPECT_EQ(qpos.head(3), q.head(3));
    EXPECT_NEAR((qpos.segment(3, 4) - Eigen::Vector4d(h, 0, 0, h)).norm(), 0, 1e-15);
    expected << 0, 7, 0, 0, 0, 5;
    EXPECT_NEAR((mujoco.export_v(q, v).head(6) - expected).norm(), 0, 1e-14);
    // No spatial acceleration, yet the origin's velocity turns with the body: ω × v.
    expected << -35, 0, 0, 0, 0, 0;
    EXPECT_NEAR((mujoco.export_a(q, v, 0 * v).head(6) - expected).norm(), 0, 1e-13);
    EXPECT_EQ(mujoco.q_names()[3], "base.quaternion.w");
    EXPECT_FALSE(mujoco.only_permutes());
}

TEST(Conventions, ContinuousAndPlanarJointsAreCosineAndSineInPinocchio) {
    const Model model =
        Builder("cart")
            .link("floor")
            .body("floor", planar("drive", {0, 0, 1}), "cart", MassProperties::sphere(1, 0.1))
            .body("cart", revolute("wheel", {0, 1, 0}), "rim", MassProperties::sphere(1, 0.1))
            .build();
    const Coordinates c(model, Convention::kPinocchio);
    EXPECT_EQ(c.q_names(),
              (std::vector<std::string>{"drive.linear.x", "drive.linear.y", "drive.cos",
                                        "drive.sin", "wheel.cos", "wheel.sin"}));
    EXPECT_EQ(c.v_names(), (std::vector<std::string>{"drive.linear.x", "drive.linear.y",
                                                     "drive.angular.z", "wheel"}));
    const VectorX<double> theirs = c.export_q(Eigen::Vector4d(1, 2, 0.3, 0.4));
    EXPECT_NEAR(theirs[2], std::cos(0.3), 1e-16);
    EXPECT_NEAR(theirs[5], std::sin(0.4), 1e-16);
    VectorX<double> wrong = theirs;
    wrong[4] = 0.4;
    EXPECT_NE(message([&] { c.import_q(wrong); }).find("joint 'wheel'"), std::string::npos);
}

// A limit on one side is a limit: such a joint is an angle in Pinocchio, too.
TEST(Conventions, OnlyAJointWithoutLimitsIsContinuous) {
    const auto names = [](const JointLimits& limits) {
        const Model model = Builder("wheel")
                                .link("frame")
                                .body("frame", revolute("axle", {0, 0, 1}).with_limits(limits),
                                      "rim", MassProperties::sphere(1, 0.1))
                                .build();
        return Coordinates(model, Convention::kPinocchio).q_names();
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(names({}), (Names{"axle.cos", "axle.sin"}));
    EXPECT_EQ(names({.velocity = 1, .effort = 1}), (Names{"axle.cos", "axle.sin"}));
    for (const JointLimits& limits :
         {JointLimits{.lower = -1}, JointLimits{.upper = 1}, JointLimits{.lower = -1, .upper = 1}})
        EXPECT_EQ(names(limits), Names{"axle"});
}

// MuJoCo tells of a free body where it is in the world and how its origin moves there, wherever its joint was placed.
TEST(Conventions, FreeBodiesAreToldInTheWorld) {
    const Model model =
        Builder("loose")
            .link("room")
            .body("room", floating("first").at(test::odd_placement(1)), "a", test::odd_mass(1))
            .body("room", floating("second").at(test::odd_placement(2)), "b", test::odd_mass(2))
            .build();
    std::mt19937 generator(4);
    const VectorX<double> q = random_configuration(model, generator);
    const VectorX<double> v = VectorX<double>::LinSpaced(12, -1, 1.3);
    const Coordinates c(model, Convention::kMujoco);
    const VectorX<double> qpos = c.export_q(q), qvel = c.export_v(q, v);
    Workspace<double> ws(model);
    forward_kinematics(ws, q, v);
    for (const auto& [link, k] : {std::pair{"a", 0}, {"b", 1}}) {
        const FrameId frame = model.frame_id(link);
        const Pose<double> pose = frame_pose(ws, frame);
        EXPECT_LT((qpos.segment(7 * k, 3) - to_eigen(pose.position)).norm(), 1e-14);
        const Eigen::Quaterniond turned(qpos[7 * k + 3], qpos[7 * k + 4], qpos[7 * k + 5],
                                        qpos[7 * k + 6]);
        EXPECT_LT((turned.toRotationMatrix() - to_eigen(pose.rotation)).norm(), 1e-14);
        const Motion<double> moves = frame_velocity(ws, frame, ReferenceFrame::kWorldAligned);
        EXPECT_LT((qvel.segment(6 * k, 3) - to_eigen(moves.linear)).norm(), 1e-14);
        EXPECT_LT((qvel.segment(6 * k + 3, 3) - v.segment(6 * k, 3)).norm(), 1e-14)
            << "turning is told in the body's own axes";
    }
}

TEST(Conventions, MimicJointsAreIndependentElsewhere) {
    const Model model = test::joint_model("mimic");  // middle = -1.5 tip_a + 0.2
    const Coordinates c(model, Convention::kPinocchio);
    EXPECT_EQ(c.nv(), model.nv() + 1);
    EXPECT_EQ(Coordinates(model, Convention::kPinocchio, MimicJoints::kLeftOut).nv(), model.nv());
    EXPECT_EQ(Coordinates(model, Convention::kFile).nv(), model.nv());
    const auto at = [&](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) - names.begin();
    };
    VectorX<double> q = VectorX<double>::Zero(model.nq());
    q[model.q_index("tip_a")] = 0.4;
    VectorX<double> theirs = c.export_q(q);
    EXPECT_NEAR(theirs[at(c.q_names(), "middle")], -1.5 * 0.4 + 0.2, 1e-15);
    theirs[at(c.q_names(), "middle")] += 0.01;
    EXPECT_NE(message([&] { c.import_q(theirs); }).find("it mimics 'tip_a' and must be -0.4"),
              std::string::npos);
    // Cosine and sine do not tell whole turns: a follower may have made some.
    const Model gears = Builder("gears")
                            .link("box")
                            .body("box", revolute("slow", {0, 0, 1}), "a", MassProperties::point(1))
                            .body("box", revolute("fast", {0, 0, 1}).mimicking("slow", 7, 0.1), "b",
                                  MassProperties::point(1))
                            .build();
    const Coordinates turning(gears, Convention::kPinocchio);
    for (const double angle : {-2.9, -1.0, 0.3, 2.0, 3.1}) {
        const VectorX<double> slow = VectorX<double>::Constant(1, angle);
        EXPECT_NEAR(turning.import_q(turning.export_q(slow))[0], angle, 1e-14);
    }
    VectorX<double> v = VectorX<double>::Zero(model.nv());
    v[model.v_index("tip_a")] = 2;
    VectorX<double> their_v = c.export_v(q, v);
    EXPECT_EQ(their_v[at(c.v_names(), "middle")], -3);
    their_v[at(c.v_names(), "middle")] = 3;
    EXPECT_NE(message([&] { c.import_v(q, their_v); }).find("v of joint 'middle' is 3"),
              std::string::npos);
    // What has a row or a column for each coordinate has none for a follower.
    const MatrixX<double> J = MatrixX<double>::Zero(6, model.nv());
    const MatrixX<double> M = MatrixX<double>::Zero(model.nv(), model.nv());
    EXPECT_EQ(message([&] { (void)c.export_jacobian(q, J); }).rfind("export_jacobian: ", 0), 0U);
    EXPECT_EQ(message([&] { (void)c.export_matrix(q, M); }).rfind("export_matrix: ", 0), 0U);
}

TEST(Conventions, SayWhatMujocoLacks) {
    EXPECT_NE(message([] {
                  Coordinates(test::joint_model("helical"), Convention::kMujoco);
              }).find("joint 'middle' is helical; MuJoCo has no such joint"),
              std::string::npos);
    EXPECT_NE(message([] {
                  Coordinates(test::joint_model("floating_joint"), Convention::kMujoco);
              }).find("joint 'middle' floats on another body"),
              std::string::npos);
}

// Without an attitude nothing can be turned with it.
TEST(Conventions, RefuseToTurnWithoutAnAttitude) {
    const Model model = robots::quadruped();
    const Coordinates theirs(model, Convention::kMujoco);
    const VectorX<double> v = VectorX<double>::LinSpaced(model.nv(), -1, 1);
    VectorX<double> none = neutral_configuration(model), not_finite = none;
    none.segment(3, 4).setZero();
    not_finite[4] = NAN;
    for (const VectorX<double>& q : {none, not_finite}) {
        const std::string refusal =
            "Coordinates: q: the quaternion of joint 'base' is zero, or not finite; no turn is 0 0 "
            "0 1";
        EXPECT_EQ(message([&] { theirs.export_v(q, v); }), refusal);
        EXPECT_EQ(message([&] { theirs.import_v(q, v); }), refusal);
        EXPECT_EQ(message([&] { theirs.export_a(q, v, v); }), refusal);
        EXPECT_EQ(message([&] { theirs.export_tau(q, v); }), refusal);
        EXPECT_EQ(message([&] { theirs.velocity_map(q); }), refusal);
    }
}

TEST(Conventions, RefuseVectorsOfAnotherSize) {
    const Model model = siblings();
    const Coordinates c(model, Convention::kPinocchio);
    const VectorX<double> four = VectorX<double>::Zero(4);
    const VectorX<double> five = VectorX<double>::Zero(5);
    EXPECT_EQ(message([&] { c.import_q(five); }),
              "q has 5 numbers, expected 4 in the order of pinocchio");
    EXPECT_EQ(message([&] { c.import_v(four, five); }),
              "v has 5 numbers, expected 4 in the order of pinocchio");
    EXPECT_EQ(message([&] { c.import_a(four, four, five); }),
              "a has 5 numbers, expected 4 in the order of pinocchio");
    EXPECT_EQ(message([&] { c.import_tau(four, five); }),
              "tau has 5 numbers, expected 4 in the order of pinocchio");
    EXPECT_EQ(message([&] { c.export_q(five); }), "export_q: q has size 5, expected 4 (nq)");
    const Coordinates turning(siblings(Base::kFloating), Convention::kMujoco);
    const VectorX<double> ten = VectorX<double>::Zero(10);
    EXPECT_EQ(message([&] { turning.export_v(four, ten); }),
              "Coordinates: q has size 4, expected 11 (nq)");
    EXPECT_EQ(message([&] { turning.export_a(VectorX<double>::Ones(11), four, ten); }),
              "Coordinates: v has size 4, expected 10 (nv)");
    EXPECT_EQ(message([&] { convention_named("pinochio"); }),
              "unknown order 'pinochio'; closest: 'pinocchio', 'mujoco', 'plucker'");
}

}  // namespace
}  // namespace plucker
