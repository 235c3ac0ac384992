// What a builder refuses, and what it says.
#include "plucker/model/builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace plucker {
namespace {

Builder two_links() {
    return Builder("robot").link("ground").body("ground", revolute("hinge", {0, 1, 0}), "rod",
                                                MassProperties::sphere(1, 0.1));
}

struct BadRobot {
    const char* name;
    std::function<void(Builder&)> spoil;
    const char* complaint;  // a part of the message
};
void PrintTo(const BadRobot& bad, std::ostream* out) { *out << bad.name; }

class BuilderRefuses : public testing::TestWithParam<BadRobot> {};

TEST_P(BuilderRefuses, AndSaysWhy) {
    Builder builder = two_links();
    ASSERT_NO_THROW(builder.build()) << "the robot must be sound before it is spoilt";
    GetParam().spoil(builder);
    try {
        builder.build();
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(GetParam().complaint), std::string::npos)
            << error.what();
    }
}

MassProperties with_inertia(double xx, double yy, double zz) {
    return {1, {}, SymMat3<double>::diagonal(xx, yy, zz)};
}
JointDescription to(JointDescription joint, const char* parent, const char* child) {
    joint.parent = parent;
    joint.child = child;
    return joint;
}

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(
    Mistakes, BuilderRefuses,
    testing::Values(
        BadRobot{"UnknownParent", [](Builder& b) { b.body("rodd", fixed("f"), "tip"); },
                 "unknown parent link 'rodd'; closest: 'rod'"},
        BadRobot{"UnknownChild", [](Builder& b) { b.joint(to(fixed("f"), "rod", "tip")); },
                 "joint 'f': unknown child link 'tip'"},
        BadRobot{"DuplicateLink", [](Builder& b) { b.link("rod"); }, "two links are named 'rod'"},
        BadRobot{"DuplicateJoint", [](Builder& b) { b.body("rod", fixed("hinge"), "tip"); },
                 "two joints are named 'hinge'"},
        BadRobot{"DuplicateFrame", [](Builder& b) { b.frame("f", "rod").frame("f", "rod"); },
                 "two frames are named 'f'"},
        BadRobot{"FrameNamedLikeALink", [](Builder& b) { b.frame("rod", "rod"); },
                 "has the name of a link"},
        BadRobot{"FrameOnUnknownLink", [](Builder& b) { b.frame("f", "rad"); }, "closest: 'rod'"},
        BadRobot{"EmptyName", [](Builder& b) { b.link(""); }, "empty name"},
        BadRobot{"TwoParents", [](Builder& b) { b.joint(to(fixed("f"), "ground", "rod")); },
                 "link 'rod': has two parents, by joints 'hinge' and 'f'"},
        BadRobot{"TwoRoots", [](Builder& b) { b.link("island"); },
                 "two roots, links 'ground' and 'island'"},
        BadRobot{"Cycle",
                 [](Builder& b) {
                     b.link("a")
                         .link("b")
                         .joint(to(fixed("ab"), "a", "b"))
                         .joint(to(fixed("ba"), "b", "a"));
                 },
                 "is its own ancestor"},
        BadRobot{"SelfLoop", [](Builder& b) { b.link("a").joint(to(fixed("aa"), "a", "a")); },
                 "link 'a': is its own ancestor, through joint 'aa'"},
        BadRobot{"NegativeMass",
                 [](Builder& b) { b.body("rod", fixed("f"), "tip", MassProperties::point(-2)); },
                 "link 'tip': mass is -2 kg"},
        BadRobot{"NanMass",
                 [](Builder& b) { b.body("rod", fixed("f"), "tip", MassProperties::point(kNan)); },
                 "link 'tip': mass, centre or inertia has a number that is not finite"},
        BadRobot{"IndefiniteInertia",
                 [](Builder& b) { b.body("rod", fixed("f"), "tip", with_inertia(1, -0.5, 1)); },
                 "eigenvalues -0.5, 1, 1"},
        BadRobot{"TriangleInequality",
                 [](Builder& b) { b.body("rod", fixed("f"), "tip", with_inertia(1, 1, 3)); },
                 "triangle inequality (eigenvalues 1 + 1 < 3)"},
        BadRobot{"InertiaWithoutMass",
                 [](Builder& b) {
                     b.body("rod", fixed("f"), "tip", {0, {}, SymMat3<double>::diagonal(1, 1, 1)});
                 },
                 "mass is zero but its rotational inertia is not"},
        BadRobot{"ZeroAxis",
                 [](Builder& b) {
                     b.body("rod", revolute("f", {0, 0, 0}), "tip");
                 },
                 "axis is (0 0 0)"},
        BadRobot{"NanAxis",
                 [](Builder& b) {
                     b.body("rod", revolute("f", {kNan, 0, 0}), "tip");
                 },
                 "joint 'f': axis"},
        BadRobot{"SkewUniversal",
                 [](Builder& b) {
                     b.body("rod", universal("f", {1, 0, 0}, {1, 1, 0}), "tip");
                 },
                 "must be perpendicular"},
        BadRobot{"UniversalWithAnObtuseAngle",
                 [](Builder& b) {
                     b.body("rod", universal("f", {1, 0, 0}, {-1, 1, 0}), "tip");
                 },
                 "theirs have cosine -0.707"},
        BadRobot{"NotARotation",
                 [](Builder& b) {
                     Pose<double> mirrored;
                     mirrored.rotation.x.x = -1;
                     b.body("rod", fixed("f").at(mirrored), "tip");
                 },
                 "not a rotation matrix (determinant -1)"},
        BadRobot{"NanPlacement",
                 [](Builder& b) { b.body("rod", fixed("f").at(kNan, 0, 0), "tip"); },
                 "placement has a number that is not finite"},
        BadRobot{"NegativeDamping",
                 [](Builder& b) {
                     b.body("rod", revolute("f", {0, 0, 1}).with_damping(-1), "tip");
                 },
                 "damping is -1"},
        BadRobot{"LimitsSwapped",
                 [](Builder& b) {
                     b.body("rod", revolute("f", {0, 0, 1}).with_limits({.lower = 1, .upper = -1}),
                            "tip");
                 },
                 "lower limit 1 and upper limit -1"},
        BadRobot{
            "LimitsThatBeginAtInfinity",
            [](Builder& b) {
                b.body("rod", revolute("f", {0, 0, 1}).with_limits({.lower = kInfinity}), "tip");
            },
            "lower limit inf and upper limit inf; no number lies between them"},
        BadRobot{
            "LimitsThatEndAtMinusInfinity",
            [](Builder& b) {
                b.body("rod", revolute("f", {0, 0, 1}).with_limits({.upper = -kInfinity}), "tip");
            },
            "lower limit -inf and upper limit -inf; no number lies between them"},
        BadRobot{"MimicOfUnknown",
                 [](Builder& b) {
                     b.body("rod", revolute("f", {0, 0, 1}).mimicking("hing"), "tip");
                 },
                 "joint 'f': mimics an unknown joint 'hing'; closest: 'hinge'"},
        BadRobot{"MimicCycle",
                 [](Builder& b) {
                     b.body("rod", revolute("f", {0, 0, 1}).mimicking("g"), "tip")
                         .body("tip", revolute("g", {0, 0, 1}).mimicking("f"), "top");
                 },
                 "mimics a joint that, in the end, mimics it"},
        BadRobot{"MimicOfManyFreedoms",
                 [](Builder& b) {
                     b.body("rod", spherical("ball"), "tip")
                         .body("tip", revolute("g", {0, 0, 1}).mimicking("ball"), "top");
                 },
                 "both must have one degree of freedom"},
        BadRobot{"JointNamedBaseOnFloatingBase",
                 [](Builder& b) { b.base(Base::kFloating).body("rod", fixed("base"), "tip"); },
                 "rename joint 'base'"},
        BadRobot{"NanGravity",
                 [](Builder& b) {
                     b.gravity({0, 0, kNan});
                 },
                 "gravity is not finite"}),
    [](const auto& test) { return test.param.name; });

// Of each number by itself: a check of several together can forget one.
TEST(Builder, LooksAtEveryNumberOfAJoint) {
    struct Number {
        const char* name;
        std::function<double&(JointDescription&)> of;
        bool may_be_negative, may_be_infinite;
        double infinity = INFINITY;  // that would mean no limit
    };
    const Number numbers[] = {
        {"pitch", [](auto& j) -> double& { return j.pitch; }, true, false},
        {"armature", [](auto& j) -> double& { return j.armature; }, false, false},
        {"damping", [](auto& j) -> double& { return j.damping; }, false, false},
        {"friction", [](auto& j) -> double& { return j.friction; }, false, false},
        {"lower", [](auto& j) -> double& { return j.limits.lower; }, true, true, -INFINITY},
        {"upper", [](auto& j) -> double& { return j.limits.upper; }, true, true},
        {"velocity", [](auto& j) -> double& { return j.limits.velocity; }, false, true},
        {"effort", [](auto& j) -> double& { return j.limits.effort; }, false, true}};
    const auto accepts = [](const Number& number, double value) {
        JointDescription joint = helical("screw", {0, 0, 1}, 0.01).with_limits({.lower = -9});
        number.of(joint) = value;
        try {
            two_links().body("rod", joint, "tip", MassProperties::sphere(1, 0.1)).build();
            return true;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("joint 'screw': "), std::string::npos)
                << error.what();
            return false;
        }
    };
    for (const Number& number : numbers) {
        SCOPED_TRACE(number.name);
        EXPECT_TRUE(accepts(number, 0.5));
        EXPECT_EQ(accepts(number, -0.5), number.may_be_negative);
        EXPECT_EQ(accepts(number, number.infinity), number.may_be_infinite);
        EXPECT_FALSE(accepts(number, kNan));
    }
}

// A joint to nowhere leaves its link alone: that is one mistake, not two.
TEST(Builder, SaysOfABrokenTreeWhatIsBroken) {
    for (const bool at_parent : {true, false}) {
        Description d = two_links().description();
        (at_parent ? d.joints[0].parent : d.joints[0].child) = "nowhere";
        const std::vector<Diagnostic> found = find_errors(d);
        ASSERT_EQ(found.size(), 1U) << to_string(found.back());
        EXPECT_NE(found[0].message.find("'nowhere'"), std::string::npos) << found[0].message;
    }
}

TEST(Builder, RefusesARobotWithoutLinks) { EXPECT_THROW(Builder("empty").build(), Error); }

TEST(Builder, TakesLinksAndJointsInAnyOrder) {
    JointDescription hinge = to(revolute("hinge", {0, 1, 0}), "ground", "rod");
    const Model model =
        Builder("late").joint(hinge).link("rod", MassProperties::point(1)).link("ground").build();
    EXPECT_EQ(model.num_bodies(), 1);
    EXPECT_EQ(model.body_name(1), "rod");
}

// Rounding of a file's digits is no error in the axes of a universal joint; what can be seen is.
TEST(Builder, TakesAxesThatArePerpendicularUpToRounding) {
    const auto build = [](double off) {
        return Builder("joint")
            .link("a")
            .body("a", universal("u", {1, 0, 0}, {off, 1, 0}), "b", MassProperties::sphere(1, 0.1))
            .build();
    };
    for (const double sign : {1.0, -1.0}) {
        EXPECT_NO_THROW((void)build(sign * 5e-7));
        for (const double off : {1e-5, 1e-3, 0.1}) EXPECT_THROW((void)build(sign * off), Error);
    }
}

TEST(Builder, AcceptsRoundedPhysics) {
    // A thin plate meets the triangle inequality with equality; its data sheet rounds.
    EXPECT_NO_THROW(
        two_links().body("rod", fixed("f"), "plate", with_inertia(0.1, 0.2, 0.3 + 1e-8)).build());
}

TEST(UnknownNames, ListTheClosest) {
    const Model model = two_links().frame("tool", "rod").build();
    const auto message = [&](auto&& call) {
        try {
            call();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message([&] { (void)model.frame_id("tol"); }),
              "unknown frame 'tol'; closest: 'tool', 'rod', 'ground'");
    EXPECT_EQ(message([&] { (void)model.joint_index("hinges"); }),
              "unknown joint 'hinges'; closest: 'hinge'");
    EXPECT_EQ(message([&] { (void)model.body_index("ro"); }),
              "unknown body 'ro'; closest: 'rod', 'world'");
    for (int i = 0; i <= model.num_bodies(); ++i)
        EXPECT_EQ(model.body_index(model.body_name(i)), i) << "the ground is the first";
}

// Of names of which it has the most, not of those that are as short: a part counts, letters exchanged are one mistake.
TEST(UnknownNames, AreCloseToThoseThatTheyArePartOf) {
    const std::vector<std::string> known{
        "all",         "com",          "frames",        "bias_torque",
        "mass_matrix", "com_velocity", "Left_Foot",     "left_foot_roll",
        "left_knee",   "total_mass",   "gravity_torque"};
    const std::pair<const char*, const char*> typos[] = {{"gravty", "gravity_torque"},
                                                         {"gravity", "gravity_torque"},
                                                         {"garvity", "gravity_torque"},
                                                         {"torqe", "bias_torque"},
                                                         {"mas_matrix", "mass_matrix"},
                                                         {"matrix", "mass_matrix"},
                                                         {"totalmass", "total_mass"},
                                                         {"velocity", "com_velocity"},
                                                         {"cmo", "com"},
                                                         {"Com", "com"},
                                                         {"frame", "frames"},
                                                         {"left_foot", "Left_Foot"},
                                                         {"left_fot_rol", "left_foot_roll"},
                                                         {"kene", "left_knee"}};
    for (const auto& [typo, meant] : typos) {
        const std::string said = unknown_name("name", typo, known).what();
        EXPECT_EQ(
            said.rfind("unknown name '" + std::string(typo) + "'; closest: '" + meant + "', '", 0),
            0U)
            << said;
    }
}

}  // namespace
}  // namespace plucker
