// Ties beyond the tree: what a model makes of them, what it refuses, and what edits keep.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// Two arms from one ground, each with a plate fixed to its end, and a slide.
Builder two_arms() {
    const MassProperties mass = MassProperties::sphere(1, 0.1);
    return Builder("arms")
        .link("ground")
        .body("ground", revolute("left_joint", {0, 0, 1}), "left", mass)
        .body("left", fixed("left_mount").at(1, 0, 0), "left_plate", mass)
        .body("ground", revolute("right_joint", {0, 0, 1}).at(3, 0, 0), "right", mass)
        .body("right", fixed("right_mount").at(0, 1, 0), "right_plate", mass)
        .body("ground", prismatic("slide", {1, 0, 0}), "cart", mass)
        .frame("left_hand", "left_plate", Pose<double>::translation(0, 0, 0.5));
}

TEST(Constraints, AreResolvedThroughMergedLinksAndFrames) {
    ConstraintDescription c = connect("hold", "left_hand", "right_plate");
    c.placement_a = Pose<double>::translation(0, 2, 0);
    const Model model = two_arms()
                            .constraint(c)
                            .constraint(rod("bar", "cart", "left", 2))
                            .constraint(gear("gear", "slide", "left_joint", 0.1))
                            .constraint(weld("glue", "cart", "right"))
                            .build();
    ASSERT_EQ(model.constraints().size(), 4U);
    EXPECT_EQ(model.num_constraint_rows(), 3 + 1 + 1 + 6);
    const Constraint& hold = model.constraints()[0];
    EXPECT_EQ(hold.body_a, model.body_index("left"));
    EXPECT_EQ(hold.body_b, model.body_index("right"));
    EXPECT_EQ(hold.X_a_body.r, (Vec3<double>{1, 2, 0.5}));
    EXPECT_EQ(hold.X_b_body.r, (Vec3<double>{0, 1, 0}));
    EXPECT_EQ(hold.num_rows, 3);
    EXPECT_EQ(model.constraints()[1].first_row, 3);
    EXPECT_EQ(model.constraints()[1].distance, 2);
    const Constraint& coupling = model.constraints()[2];
    EXPECT_EQ(coupling.first_row, 4);
    EXPECT_EQ(coupling.a.v_index, model.v_index("slide"));
    EXPECT_EQ(coupling.b.v_index, model.v_index("left_joint"));
    EXPECT_TRUE(coupling.has_b);
    EXPECT_EQ(model.constraint_index("glue"), 3);
    EXPECT_EQ(message([&] { (void)model.constraint_index("glu"); }),
              "unknown constraint 'glu'; closest: 'glue', 'gear', 'hold'");
}

TEST(Constraints, MayHoldTheWorld) {
    const Model model = Builder("kite")
                            .base(Base::kFloating)
                            .link("kite", MassProperties::sphere(1, 0.1))
                            .constraint(rod("string", "kite", "world", 5))
                            .build();
    EXPECT_EQ(model.constraints()[0].body_a, 1);
    EXPECT_EQ(model.constraints()[0].body_b, 0);
    EXPECT_TRUE(with_base(model, Base::kFixed).constraints().empty());
    EXPECT_EQ(with_gravity(model, {0, 0, -1.62}).num_constraint_rows(), 1);
}

TEST(Constraints, OfMimicJointsActOnTheJointThatTheyFollow) {
    const Model model =
        two_arms()
            .body("right", revolute("finger", {0, 0, 1}).mimicking("left_joint", -2, 0.3),
                  "fingertip", MassProperties::sphere(1, 0.1))
            .constraint(gear("gear", "slide", "finger", 1))
            .build();
    const Constraint& c = model.constraints()[0];
    EXPECT_EQ(c.b.v_index, model.v_index("left_joint"));
    EXPECT_EQ(c.b.multiplier, -2);
    EXPECT_EQ(c.b.offset, 0.3);
}

TEST(Constraints, AreKeptWhereJointsAreLocked) {
    const Model model = two_arms()
                            .constraint(connect("hold", "left_hand", "right_plate"))
                            .constraint(gear("gear", "slide", "left_joint", 0.5, 0.1))
                            .build();
    // The other joint is held where the locked one wants it.
    const Model left = lock_joints(model, {{"left_joint", {0.4}}});
    ASSERT_EQ(left.constraints().size(), 2U);
    EXPECT_EQ(left.constraints()[0].body_a, 0) << "now a part of the world";
    EXPECT_FALSE(left.constraints()[1].has_b);
    EXPECT_EQ(left.constraints()[1].polynomial[0], 0.5 * 0.4 + 0.1);
    const Model slide = lock_joints(model, {{"slide", {0.6}}});
    EXPECT_EQ(slide.constraints()[1].a.v_index, slide.v_index("left_joint"));
    EXPECT_DOUBLE_EQ(slide.constraints()[1].polynomial[0], (0.6 - 0.1) / 0.5);
    EXPECT_FALSE(slide.constraints()[1].has_b);
    // What ties places that move as one is dropped.
    const Model all =
        lock_joints(model, {{"left_joint", {0.4}}, {"right_joint", {0}}, {"slide", {0.3}}});
    EXPECT_TRUE(all.constraints().empty());
    // A polynomial of any degree has its value at the joint that is locked.
    ConstraintDescription full = gear("full", "slide", "left_joint", 0);
    full.polynomial = {0.1, 0.2, 0.3, 0.4, 0.5};
    const Model held = lock_joints(two_arms().constraint(full).build(), {{"left_joint", {2.0}}});
    EXPECT_DOUBLE_EQ(held.constraints()[0].polynomial[0], 0.1 + 0.4 + 1.2 + 3.2 + 8.0);
    // And whatever bends it is not solved for the other, nor is what does not depend on it.
    for (const std::array<double, 5>& curve : {std::array<double, 5>{0, 0, 1, 0, 0},
                                               {0, 1, 1, 0, 0},
                                               {0, 1, 0, 1, 0},
                                               {0, 1, 0, 0, 1},
                                               {0.3, 0, 0, 0, 0}}) {
        ConstraintDescription curved = gear("curved", "slide", "left_joint", 0);
        curved.polynomial = curve;
        const Model robot = two_arms().constraint(curved).build();
        EXPECT_EQ(message([&] {
                      (void)lock_joints(robot, {{"slide", {0.25}}});
                  }),
                  "lock_joints: joint 'slide' is a polynomial of joint 'left_joint' by constraint "
                  "'curved', which is not solved here; lock joint 'left_joint' too");
    }
}

// Frames move with their links: what ties two of them is kept while these move apart.
TEST(Constraints, BetweenFramesAreKeptWhileTheirLinksMoveApart) {
    const Model model = two_arms()
                            .frame("right_hand", "right_plate", Pose<double>::translation(0, 1, 0))
                            .frame("mark", "ground", Pose<double>::translation(2, 0, 0))
                            .constraint(connect("hands", "left_hand", "right_hand"))
                            .constraint(rod("string", "left_hand", "mark", 2))
                            .build();
    const auto left_of = [&](const Model& edited) {
        std::string out;
        for (const Constraint& c : edited.constraints()) out += c.name + " ";
        return out;
    };
    EXPECT_EQ(left_of(with_base(model, Base::kFixed)), "hands string ");
    EXPECT_EQ(left_of(lock_joints(model, {{"slide", {0}}})), "hands string ");
    EXPECT_EQ(left_of(lock_joints(model, {{"left_joint", {0.1}}})), "hands ");
    EXPECT_EQ(left_of(lock_joints(model, {{"right_joint", {0.1}}})), "hands string ");
    EXPECT_EQ(left_of(lock_joints(model, {{"left_joint", {0.1}}, {"right_joint", {0.2}}})), "");
}

TEST(Constraints, AreKeptWhereRobotsAreAttached) {
    Builder part = two_arms();
    part.constraint(connect("hold", "left_hand", "right_plate"))
        .constraint(gear("gear", "slide", "left_joint", 0.5))
        .constraint(rod("string", "left_hand", "world", 5));
    Description d = part.description();
    d.never_touching = {{"left", "right"}};
    const Model model = attach(two_arms().build(), "cart", Model(d), {}, "b_");
    ASSERT_EQ(model.constraints().size(), 3U);
    EXPECT_EQ(model.constraints()[0].name, "b_hold");
    EXPECT_EQ(model.constraints()[0].body_a, model.body_index("b_left"));
    EXPECT_EQ(model.constraints()[1].b.v_index, model.v_index("b_left_joint"));
    EXPECT_EQ(model.constraints()[2].body_b, 0) << "there is one world";
    const auto& pairs = model.description().never_touching;
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0], (std::pair<std::string, std::string>{"b_left", "b_right"}));
}

struct BadTie {
    const char* name;
    std::function<void(Description&)> spoil;
    const char* complaint;
};
void PrintTo(const BadTie& bad, std::ostream* out) { *out << bad.name; }

class ConstraintsAreRefused : public testing::TestWithParam<BadTie> {};

TEST_P(ConstraintsAreRefused, WithAReason) {
    Description d = two_arms().description();
    GetParam().spoil(d);
    EXPECT_EQ(message([&] { (void)Model(d); }), GetParam().complaint);
}

ConstraintDescription with(ConstraintDescription c,
                           const std::function<void(ConstraintDescription&)>& change) {
    change(c);
    return c;
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ConstraintsAreRefused,
    testing::Values(
        BadTie{
            "UnknownFrame",
            [](Description& d) { d.constraints = {weld("c", "left_hnd", "right")}; },
            "constraint 'c': unknown frame 'left_hnd'; closest: 'left_hand', 'left_plate', 'left'"},
        BadTie{"SameLink", [](Description& d) { d.constraints = {weld("c", "left", "left")}; },
               "constraint 'c': frames 'left' and 'left' are on links that no joint moves apart; a "
               "constraint ties two parts that move"},
        BadTie{"SameBody", [](Description& d) { d.constraints = {weld("c", "left_hand", "left")}; },
               "constraint 'c': frames 'left_hand' and 'left' are on links that no joint moves "
               "apart; a constraint ties two parts that move"},
        BadTie{"WorldTwice", [](Description& d) { d.constraints = {weld("c", "ground", "world")}; },
               "constraint 'c': frames 'ground' and 'world' are both fixed in the world; a "
               "constraint ties two parts that move"},
        BadTie{"NoAxis",
               [](Description& d) {
                   d.constraints = {
                       with(weld("c", "left", "right"), [](auto& c) { c.axes.fill(false); })};
               },
               "constraint 'c': prevents nothing; choose at least one of its six axes"},
        BadTie{"NoDistance", [](Description& d) { d.constraints = {rod("c", "left", "right", 0)}; },
               "constraint 'c': distance is 0 m; it must be positive and finite. Two points that "
               "coincide are a connect"},
        BadTie{"NanDistance",
               [](Description& d) { d.constraints = {rod("c", "left", "right", std::nan(""))}; },
               "constraint 'c': distance is nan m; it must be positive and finite. Two points that "
               "coincide are a connect"},
        BadTie{"NotARotation",
               [](Description& d) {
                   d.constraints = {with(weld("c", "left", "right"),
                                         [](auto& c) { c.placement_b.rotation.x.x = -1; })};
               },
               "constraint 'c': placement's rotation is not a rotation matrix (determinant -1)"},
        BadTie{"UnknownJoint",
               [](Description& d) { d.constraints = {gear("c", "slid", "left_joint", 1)}; },
               "constraint 'c': unknown joint 'slid'; closest: 'slide', 'left_joint', "
               "'left_mount'"},
        BadTie{"NoFirstJoint",
               [](Description& d) { d.constraints = {gear("c", "", "left_joint", 1)}; },
               "constraint 'c': unknown joint ''; closest: 'slide', 'left_joint', 'left_mount'"},
        BadTie{"JointOfNoFreedom",
               [](Description& d) { d.constraints = {gear("c", "slide", "left_mount", 1)}; },
               "constraint 'c': joint 'left_mount' is fixed; a coupling takes joints of one degree "
               "of freedom"},
        BadTie{
            "WithItself", [](Description& d) { d.constraints = {gear("c", "slide", "slide", 1)}; },
            "constraint 'c': couples joint 'slide' with itself; name another, or none to hold it "
            "where it is"},
        BadTie{"NanCoefficient",
               [](Description& d) {
                   d.constraints = {gear("c", "slide", "left_joint", std::nan(""))};
               },
               "constraint 'c': a coefficient of its polynomial is not finite"},
        BadTie{"TwoOfOneName",
               [](Description& d) {
                   d.constraints = {weld("c", "left", "right"), weld("c", "left", "cart")};
               },
               "robot 'arms': two constraints are named 'c'; give one of them another name"},
        BadTie{"NoSuchLinkToTouch",
               [](Description& d) {
                   d.never_touching = {{"left", "rihgt"}};
               },
               "robot 'arms': a pair that never touches names an unknown link 'rihgt'; closest: "
               "'right', 'right_plate', 'cart'"}));

}  // namespace
}  // namespace plucker::test
