// Joints that move no inertia: whatever solves with M must say which, for every type of joint.
#include <gtest/gtest.h>

#include <random>

#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

// Joints of every type that has freedoms.
std::vector<JointDescription> every_joint() {
    const Vec3<double> axis{0.36, -0.48, 0.8}, across{0.8, 0.6, 0};
    return {revolute("loose", axis),
            prismatic("loose", axis),
            helical("loose", axis, 0.15),
            cylindrical("loose", axis),
            universal("loose", axis, across),
            spherical("loose"),
            planar("loose", axis),
            translation("loose"),
            floating("loose")};
}

// ground - shoulder - (joint) - link of the given mass; beside it, a sound branch.
Model robot_with(const JointDescription& joint, const MassProperties& mass, Base base) {
    return Builder(name_of(joint.type))
        .base(base)
        .link("ground", odd_mass(0))
        .body("ground", revolute("shoulder", {0, 1, 0}).at(odd_placement(1)), "arm", odd_mass(1))
        .body("arm", joint.at(odd_placement(2)), "link", mass)
        .body("arm", revolute("elbow", {1, 0, 0}).at(odd_placement(3)), "forearm", odd_mass(3))
        .build();
}

// What each function that solves with M says of a robot.
std::vector<std::string> complaints(const Model& model) {
    std::mt19937 generator(2);
    const VectorX<double> q = random_configuration(model, generator);
    const VectorX<double> v = VectorX<double>::Constant(model.nv(), 0.5);
    const auto torques_given = given_accelerations(model, {});
    return {message([&] { (void)forward_dynamics(model, q, v, v); }),
            message([&] { (void)forward_dynamics_by_mass_matrix(model, q, v, v); }),
            message([&] { (void)hybrid_dynamics(model, q, v, torques_given, v, v); }),
            message([&] { (void)inverse_mass_matrix(model, q); }),
            message([&] { (void)inverse_mass_matrix_by_articulated_bodies(model, q); }),
            message([&] { (void)inverse_mass_matrix_times(model, q, v); }),
            message([&] {
                Workspace<double> ws(model);
                MatrixX<double> M(model.nv(), model.nv());
                mass_matrix(ws, q, M);
                factor_mass_matrix(ws, M);
            })};
}

void expect_singular_at(const std::string& joint, const Model& model) {
    for (const std::string& complaint : complaints(model)) {
        EXPECT_NE(complaint.find("singular at joint '" + joint + "'"), std::string::npos)
            << model.name() << (model.has_floating_base() ? ", floating" : "") << ": " << complaint;
    }
}

void expect_regular(const Model& model) {
    for (const std::string& complaint : complaints(model)) {
        EXPECT_EQ(complaint, "no error") << model.name();
    }
}

class SingularRobot : public testing::TestWithParam<Base> {};

TEST_P(SingularRobot, IsNamedByTheJointThatMovesNothing) {
    for (const JointDescription& joint : every_joint()) {
        expect_regular(robot_with(joint, odd_mass(2), GetParam()));
        expect_singular_at("loose", robot_with(joint, {}, GetParam()));
        // So is a link of next to nothing: an inertia is small beside its own terms alone.
        MassProperties speck = odd_mass(2);
        speck.mass *= 0x1p-60;
        speck.about_center = 0x1p-60 * speck.about_center;
        expect_regular(robot_with(joint, speck, GetParam()));
        // A rotor is inertia enough.
        expect_regular(robot_with(joint.with_armature(0.1), {}, GetParam()));
    }
}

// A mass without extent cannot be turned about itself, only be moved.
TEST_P(SingularRobot, IsNamedByTheJointThatTurnsAPoint) {
    const MassProperties point = MassProperties::point(1.5);
    for (const JointDescription& joint : every_joint()) {
        const bool only_moves =
            joint.type == JointType::kPrismatic || joint.type == JointType::kTranslation;
        const bool moves_along = joint.type == JointType::kHelical;  // a screw moves as it turns
        if (only_moves || moves_along) {
            expect_regular(robot_with(joint, point, GetParam()));
        } else {
            expect_singular_at("loose", robot_with(joint, point, GetParam()));
        }
    }
}

// Where rounding leaves a rest of an inertia that is none: mass on an axis that no coordinate runs along.
TEST_P(SingularRobot, IsNamedByTheHingeThroughItsOnlyMass) {
    const Vec3<double> axis{0.36, -0.48, 0.8};
    const MassProperties on_axis = MassProperties::point(1.5, 0.7 * axis);
    // A thin rod along the axis, too: no inertia about it, but about all others.
    MassProperties rod = on_axis;
    rod.about_center = 0.1 * point_inertia(axis);
    for (const MassProperties& mass : {on_axis, rod}) {
        expect_singular_at("loose", robot_with(revolute("loose", axis), mass, GetParam()));
        expect_singular_at("loose", robot_with(cylindrical("loose", axis), mass, GetParam()));
        expect_singular_at("loose", robot_with(spherical("loose"), mass, GetParam()));
        expect_regular(robot_with(helical("loose", axis, 0.15), mass, GetParam()));
    }
}

// A joint between others: what lies beyond it has no inertia either.
TEST_P(SingularRobot, IsNamedByTheFirstJointFromTheTip) {
    for (const JointDescription& joint : every_joint()) {
        const Model model =
            Builder(name_of(joint.type))
                .base(GetParam())
                .link("ground", odd_mass(0))
                .body("ground", revolute("shoulder", {0, 1, 0}), "arm", odd_mass(1))
                .body("arm", joint.at(odd_placement(2)), "link")
                .body("link", prismatic("tip", {0, 0, 1}).at(odd_placement(3)), "end")
                .build();
        expect_singular_at("tip", model);
    }
}

// Of several in different limbs all functions name the same one, the last of the tree: they begin there.
TEST_P(SingularRobot, IsNamedByTheSameJointWhereThereAreSeveral) {
    for (const JointDescription& joint : every_joint()) {
        const auto named = [&](const char* name) {
            JointDescription copy = joint;
            copy.name = name;
            return copy;
        };
        const Model model =
            Builder(name_of(joint.type))
                .base(GetParam())
                .link("ground", odd_mass(0))
                .body("ground", named("left").at(odd_placement(1)), "left_tip")
                .body("ground", named("middle").at(odd_placement(2)), "arm", odd_mass(2))
                .body("ground", named("right").at(odd_placement(3)), "right_tip")
                .body("ground", revolute("elbow", {1, 0, 0}).at(odd_placement(4)), "forearm",
                      odd_mass(4))
                .build();
        expect_singular_at("right", model);
    }
}

TEST_P(SingularRobot, CanStillBeMovedAsToldInThatJoint) {
    for (const JointDescription& joint : every_joint()) {
        const Model model = robot_with(joint, {}, GetParam());
        std::mt19937 generator(2);
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = VectorX<double>::Constant(model.nv(), 0.5);
        const auto found =
            hybrid_dynamics(model, q, v, given_accelerations(model, {"loose"}), v, v);
        const VectorX<double> tau = inverse_dynamics(model, q, v, found.a);
        EXPECT_LT((tau - found.tau).lpNorm<Eigen::Infinity>(),
                  1e-12 * (1 + tau.lpNorm<Eigen::Infinity>()))
            << model.name();
    }
}

// Each freedom of a joint is judged by what it moves itself: a wide light wheel turns much inertia, and slides little mass.
TEST_P(SingularRobot, IsNoneWhereOneFreedomMovesMuchLess) {
    const MassProperties wide{1, {}, 1e18 * SymMat3<double>::diagonal(1, 1, 1)};
    const Vec3<double> axis{0, 0, 1};
    for (const JointDescription& joint :
         {cylindrical("loose", axis), planar("loose", axis), floating("loose")}) {
        expect_regular(Builder(name_of(joint.type))
                           .base(GetParam())
                           .link("ground", wide)
                           .body("ground", joint, "wheel", wide)
                           .build());
    }
}

INSTANTIATE_TEST_SUITE_P(Bases, SingularRobot, testing::Values(Base::kFixed, Base::kFloating),
                         [](const auto& test) {
                             return test.param == Base::kFixed ? "Fixed" : "Floating";
                         });

TEST(SingularMimicry, IsNamedByTheJointThatOthersFollow) {
    const Model model =
        Builder("pair")
            .link("ground")
            .body("ground", revolute("driver", {0, 0, 1}), "first")
            .body("ground", revolute("follower", {0, 1, 0}).mimicking("driver", -2), "second")
            .build();
    expect_singular_at("driver", model);
}

TEST(SingularBase, IsNamedAsAJoint) {
    const Model bead =
        Builder("bead").base(Base::kFloating).link("bead", MassProperties::point(1)).build();
    expect_singular_at("base", bead);
    const VectorX<double> q = neutral_configuration(bead), v = VectorX<double>::Zero(6);
    EXPECT_NE(message([&] {
                  (void)floating_base_inverse_dynamics(bead, q, v, v);
              }).find("singular at joint 'base'"),
              std::string::npos);
}

// With limbs, too, that have no mass, or whose masses are points where the base's is.
TEST(SingularBase, IsNamedWhateverHangsOnIt) {
    for (const double mass : {0.0, 2.0}) {
        Builder builder("beads");
        builder.base(Base::kFloating).link("bead", MassProperties::point(1));
        std::string parent = "bead";
        for (const char* name : {"first", "second", "third"}) {
            builder.body(parent, revolute(std::string(name) + "_joint", {0, 1, 0}), name,
                         MassProperties::point(mass));
            parent = name;
        }
        const Model beads = builder.build();
        const VectorX<double> v = VectorX<double>::Zero(beads.nv());
        EXPECT_NE(message([&] {
                      (void)floating_base_inverse_dynamics(beads, neutral_configuration(beads), v,
                                                           v);
                  }).find("singular at joint 'base'"),
                  std::string::npos)
            << mass;
    }
}

// A matrix of one's own, in a workspace that has seen no other: what is left of a diagonal entry may be rounding.
TEST(FactorMassMatrix, TellsOfMatricesOfOnesOwnThatAreSingular) {
    const Model model = robots::double_pendulum();
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> number(0.1, 2);
    for (int k = 0; k < 50; ++k) {
        const Eigen::Vector2d x(number(generator), number(generator));
        MatrixX<double> M = x * x.transpose();
        Workspace<double> ws(model);
        EXPECT_THROW(factor_mass_matrix<double>(ws, M), Error) << x.transpose();
    }
}

// What a diagonal entry is summed from may lie far out, or be felt through a gear: all that is left of it is rounding then.
TEST(FactorMassMatrix, TellsOfEntriesThatAreRoundingOfWhatLiesFarOut) {
    const Vec3<double> axis = (1 / std::sqrt(3.0)) * Vec3<double>{1, 1, 1};
    const Vec3<double> other{0.3, -0.7, 0.2};
    int rounded = 0;
    for (const double length : {1e-3, 1.0, 1e3}) {
        for (const double gear : {0.01, 1.0, -300.0}) {
            const auto robot = [&](const JointDescription& tip, const MassProperties& mass) {
                Builder builder("needle");
                builder.link("ground")
                    .body("ground", revolute("motor", {0, 0, 1}), "rotor")
                    .body("ground",
                          revolute("hinge", axis).at(0.1, 0.2, -0.3).mimicking("motor", gear, 0.4),
                          "spindle")
                    .body("spindle", tip, "tip", mass);
                return builder.build();
            };
            // A point on the axis: on the spindle by a slide along the axis, or by a joint that is out there.
            for (const Model& model :
                 {robot(prismatic("slide", axis), MassProperties::point(2, length * axis)),
                  robot(prismatic("slide", axis).at({Mat3<double>::identity(), length * axis}),
                        MassProperties::point(2)),
                  robot(prismatic("slide", axis)
                            .at({Mat3<double>::identity(), length * (axis + other)}),
                        MassProperties::point(2, -length * other))}) {
                std::mt19937 generator(6);
                for (int k = 0; k < 20; ++k) {
                    MatrixX<double> M = mass_matrix(model, random_configuration(model, generator));
                    rounded += M(0, 0) != 0 ? 1 : 0;
                    Workspace<double> ws(model);
                    EXPECT_NE(message([&] { factor_mass_matrix(ws, M); }).find("joint 'motor'"),
                              std::string::npos)
                        << length << ", gear " << gear;
                }
            }
        }
    }
    EXPECT_GT(rounded, 100) << "nothing was left to be taken for an inertia";
}

// The robot stretched out: no configuration sums larger numbers, where joints mimic others, too.
TEST(FactorMassMatrix, KnowsHowLargeWhatIsSummedCanBe) {
    const auto folding = [](double length, double out) {
        const MassProperties tip = MassProperties::point(1.5, {out, 0, 0});
        return Builder("folding")
            .link("ground")
            .body("ground", revolute("motor", {0, 0, 1}), "rotor")
            .body("rotor", revolute("follower", {0, 0, 1}).at(length, 0, 0).mimicking("motor", -2),
                  "arm", tip)
            .body("arm", revolute("last", {0, 1, 0}).at(out, 0, 0).mimicking("motor", 0.5), "hand",
                  tip)
            .build();
    };
    std::mt19937 generator(7);
    for (const Model& model :
         {folding(1, 1), folding(1, 0.2), folding(0.1, 1), robots::arm(), robots::exoskeleton()}) {
        Workspace<double> stretched(model), ws(model);
        kernel::stretched_pivot_scales(stretched);
        VectorX<double> q = neutral_configuration(model);
        MatrixX<double> M(model.nv(), model.nv());
        for (int k = 0; k < 50; ++k, q = random_configuration(model, generator)) {
            mass_matrix(ws, q, M);
            for (int c = 0; c < model.nv(); ++c) {
                const double most = stretched.coordinates.pivot_scale[c];
                EXPECT_LE(ws.coordinates.pivot_scale[c], (1 + 1e-12) * most)
                    << model.name() << ", " << c;
            }
        }
    }
}

// Angles within half a turn, displacements within a metre, where a joint has both and no limits.
TEST(RandomConfiguration, KnowsAnglesFromDisplacements) {
    const Model model =
        Builder("mixed")
            .link("ground")
            .body("ground", planar("plane", {0, 0, 1}), "puck", MassProperties::sphere(1, 0.1))
            .body("puck", cylindrical("post", {0, 1, 0}), "bead", MassProperties::sphere(1, 0.1))
            .build();
    std::mt19937 generator(4);
    VectorX<double> largest = VectorX<double>::Zero(model.nq());
    for (int k = 0; k < 300; ++k)
        largest = largest.cwiseMax(random_configuration(model, generator).cwiseAbs());
    int angles = 0;
    for (const double x : largest) {
        EXPECT_GT(x, 0.9);
        EXPECT_TRUE(x <= 1 || (x > 2.8 && x <= 3.1416)) << x;
        angles += x > 1 ? 1 : 0;
    }
    EXPECT_EQ(angles, 2);
}

}  // namespace
}  // namespace plucker::test
