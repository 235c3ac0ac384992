// Shapes on each other: points enough to hold, the same from step to step, and no numbers that are none.
#include <gtest/gtest.h>

#include <set>

#include "collide/scene.hpp"

namespace plucker::test {
namespace {

constexpr double kQuarter = 1.5707963267948966;

struct Two {
    Two(const Geometry& a, const Geometry& b) : shapes(free_bodies({a, b}), empty_world()) {}
    const std::vector<ContactPoint>& at(const Pose<double>& a, const Pose<double>& b = {},
                                        double margin = 1e-3) {
        shapes.find(std::vector<Pose<double>>{{}, a, b}, margin, contacts);
        return contacts;
    }
    CollisionShapes shapes;
    std::vector<ContactPoint> contacts;
};

// The extent of the points along a direction.
double width(const std::vector<ContactPoint>& contacts, const Vec& d) {
    double low = 1e300, high = -1e300;
    for (const ContactPoint& c : contacts) {
        low = std::min(low, dot(c.position, d));
        high = std::max(high, dot(c.position, d));
    }
    return high - low;
}

TEST(Patches, OfBoxesAreTheCommonPartOfTheirFaces) {
    Two boxes(Box{{0.4, 0.4, 0.4}}, Box{{1, 1, 1}});
    // Within the face, across its border, over its corner, and of the same size.
    EXPECT_EQ(boxes.at(Pose<double>::translation(0, 0, 0.7)).size(), 4U);
    EXPECT_NEAR(width(boxes.contacts, {1, 0, 0}), 0.4, 1e-12);
    EXPECT_EQ(boxes.at(Pose<double>::translation(0.5, 0, 0.7)).size(), 4U);
    EXPECT_NEAR(width(boxes.contacts, {1, 0, 0}), 0.2, 1e-12);
    EXPECT_EQ(boxes.at(Pose<double>::translation(0.5, 0.5, 0.699)).size(), 4U);
    EXPECT_NEAR(width(boxes.contacts, {0, 1, 0}), 0.2, 1e-12);
    for (const ContactPoint& c : boxes.contacts) {
        EXPECT_NEAR(c.distance, -0.001, 1e-12);
        EXPECT_NEAR(norm(c.normal - Vec{0, 0, 1}), 0, 1e-12);
        EXPECT_NEAR(c.position.z, 0.4995, 1e-12);
    }
    Two equal(Box{{1, 1, 1}}, Box{{1, 1, 1}});
    EXPECT_EQ(equal.at(Pose<double>::translation(0, 0, 1)).size(), 4U);
    // An eighth of a turn leaves an octagon.
    EXPECT_EQ(equal.at(Pose<double>::roll_pitch_yaw({0, 0, 1}, {0, 0, kQuarter / 2})).size(), 8U);
}

// Where faces are flush, rounding decides what lies within which: it must not take points away.
TEST(Patches, OfFlushFacesAreWholeHoweverTheyAreTurned) {
    Dice dice(37);
    for (const Vec& size : {Vec{1, 1, 1}, Vec{0.3, 0.7, 0.5}, Vec{20, 10, 30}}) {
        for (int k = 0; k < 100; ++k) {
            const Pose<double> turned = dice.pose(1);
            Two equal((Box{size}), (Box{size}));
            const auto& flush = equal.at(turned * Pose<double>::translation(0, 0, size.z), turned);
            ASSERT_EQ(flush.size(), 4U) << k;
            EXPECT_NEAR(width(flush, turned.rotation * Vec{1, 0, 0}), size.x, 1e-6 * size.x);
            EXPECT_NEAR(width(flush, turned.rotation * Vec{0, 1, 0}), size.y, 1e-6 * size.y);
            // And with half of a face beside the other's border.
            const auto& half =
                equal.at(turned * Pose<double>::translation(size.x / 2, 0, size.z), turned);
            ASSERT_EQ(half.size(), 4U) << k;
            EXPECT_NEAR(width(half, turned.rotation * Vec{1, 0, 0}), size.x / 2, 1e-6 * size.x);
            EXPECT_NEAR(width(half, turned.rotation * Vec{0, 1, 0}), size.y, 1e-6 * size.y);
        }
    }
}

// A ball whose centre is inside another shape leaves it by the shortest way.
TEST(Patches, OfABallWithinABoxLeadOutThroughTheNearestFace) {
    Two ball(Sphere{0.1}, Box{{2, 3, 4}});
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            const double at = side * (1 + 0.5 * axis - 0.2);  // 0.2 below the face
            const Vec centre{axis == 0 ? at : 0.03, axis == 1 ? at : -0.02, axis == 2 ? at : 0.01};
            const Vec out{axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
            const auto& found = ball.at({Mat3<double>::identity(), centre});
            ASSERT_EQ(found.size(), 1U);
            EXPECT_LT(norm(found[0].normal - out), 1e-12) << axis << " " << side;
            EXPECT_NEAR(found[0].distance, -0.3, 1e-12);
        }
    }
}
TEST(Patches, OfABallOnTheAxisOfACapsuleLeadOutThroughItsSide) {
    Two ball(Sphere{0.1}, Capsule{0.2, 1});
    for (const double along : {-0.4, -0.1, 0.0, 0.3}) {
        const auto& found = ball.at(Pose<double>::translation(0, 0, along));
        ASSERT_EQ(found.size(), 1U);
        EXPECT_NEAR(found[0].normal.z, 0, 1e-12) << along;
        EXPECT_NEAR(norm(found[0].normal), 1, 1e-12);
        EXPECT_NEAR(found[0].distance, -0.3, 1e-12);
    }
}

TEST(Patches, OfCrossedEdgesAreOnePoint) {
    Two boxes(Box{{1, 1, 1}}, Box{{1, 1, 1}});
    const Pose<double> lower = Pose<double>::roll_pitch_yaw({}, {kQuarter / 2, 0, 0});
    const Pose<double> upper =
        Pose<double>::roll_pitch_yaw({0, 0, std::sqrt(2.0) - 1e-3}, {kQuarter / 2, 0, kQuarter});
    ASSERT_EQ(boxes.at(upper, lower, 0).size(), 1U);
    EXPECT_NEAR(boxes.contacts[0].distance, -1e-3, 1e-9);
    EXPECT_NEAR(norm(boxes.contacts[0].normal - Vec{0, 0, 1}), 0, 1e-9);
    EXPECT_NEAR(std::hypot(boxes.contacts[0].position.x, boxes.contacts[0].position.y), 0, 1e-9);
}

TEST(Patches, OfParallelCapsulesAreTwoPoints) {
    Two capsules(Capsule{0.1, 0.6}, Capsule{0.1, 1});
    ASSERT_EQ(capsules.at(Pose<double>::translation(0.2, 0, 0.1)).size(), 2U);
    EXPECT_NEAR(width(capsules.contacts, {0, 0, 1}), 0.6, 1e-12);
    EXPECT_NEAR(capsules.contacts[0].distance, 0, 1e-12);
    // Side by side for a part, and turned by less than anyone sees.
    ASSERT_EQ(capsules.at(Pose<double>::roll_pitch_yaw({0.2, 0, 0.5}, {1e-9, 0, 0})).size(), 2U);
    EXPECT_NEAR(width(capsules.contacts, {0, 0, 1}), 0.3, 1e-7);
    // Crossed, and end to end.
    EXPECT_EQ(capsules.at(Pose<double>::roll_pitch_yaw({0.2, 0, 0}, {0.5, 0, 0})).size(), 1U);
    ASSERT_EQ(capsules.at(Pose<double>::translation(0, 0, 1)).size(), 1U);
    EXPECT_NEAR(capsules.contacts[0].distance, 0, 1e-12);
}

// Points of one patch are told apart by their numbers, whichever of the two each end belongs to.
TEST(Patches, OfParallelCapsulesHaveNumbersOfTheirOwn) {
    for (const double length : {0.4, 1.0, 1.6}) {
        for (const double along : {-0.6, -0.3, 0.0, 0.2, 0.6}) {
            for (const double turn : {0.0, 2 * kQuarter}) {
                Two capsules(Capsule{0.1, 1}, Capsule{0.1, length});
                const auto& both =
                    capsules.at(Pose<double>::roll_pitch_yaw({0.2, 0, along}, {turn, 0, 0}));
                ASSERT_EQ(both.size(), 2U) << length << " " << along;
                EXPECT_NE(both[0].id, both[1].id) << length << " " << along;
            }
        }
    }
}

// Of very many points some are enough, and the deepest is among them: without it there would be a ninth, where it is.
TEST(Patches, OfManyCornersKeepTheDeepestOfAFew) {
    for (const int corners : {7, 8}) {
        World world = empty_world();
        world.read_mesh = [&](const Mesh&) {
            std::vector<Vec> points;
            for (int k = 0; k < corners; ++k) {
                const double angle = 4 * kQuarter * k / corners;
                for (const double z : {-0.1, 0.1})
                    points.push_back({std::cos(angle), std::sin(angle), z});
            }
            return points;
        };
        CollisionShapes shapes(
            free_bodies({Mesh{"prism", "", {1, 1, 1}}, Mesh{"prism", "", {1, 1, 1}}}), world);
        Dice dice(43);
        std::vector<ContactPoint> contacts;
        for (int k = 0; k < 50; ++k) {
            const Vec tilt = 1e-3 * dice.direction();
            const Pose<double> above =
                Pose<double>::roll_pitch_yaw({0, 0, 0.2}, {tilt.x, tilt.y, 0.39});
            shapes.find(std::vector<Pose<double>>{{}, above, {}}, 0.01, contacts);
            EXPECT_GE(contacts.size(), 6U);
            EXPECT_LE(contacts.size(), 8U) << corners << " corners, " << k;
        }
    }
}

TEST(Patches, HoldCapsulesCylindersAndMeshesOnBoxes) {
    const Box table{{2, 2, 1}};
    EXPECT_EQ(Two(Capsule{0.1, 0.6}, table)
                  .at(Pose<double>::roll_pitch_yaw({0, 0, 0.6}, {kQuarter, 0, 0.3}))
                  .size(),
              2U);
    EXPECT_EQ(Two(Cylinder{0.1, 0.6}, table)
                  .at(Pose<double>::roll_pitch_yaw({0, 0, 0.6}, {kQuarter, 0, 0.3}))
                  .size(),
              2U);
    EXPECT_EQ(Two(Cylinder{0.1, 0.6}, table).at(Pose<double>::translation(0, 0, 0.8)).size(), 6U);
    EXPECT_EQ(Two(Mesh{"cube", "", {0.1, 0.2, 0.1}}, table)
                  .at(Pose<double>::translation(0.3, 0, 0.6))
                  .size(),
              4U);
    EXPECT_EQ(Two(Mesh{"wedge", "", {0.1, 0.2, 0.1}}, table)
                  .at(Pose<double>::translation(0.3, 0, 0.6))
                  .size(),
              3U);
    // Half over the border.
    Two beyond(Capsule{0.1, 0.6}, table);
    ASSERT_EQ(beyond.at(Pose<double>::roll_pitch_yaw({1, 0, 0.6}, {0, kQuarter, 0})).size(), 2U);
    EXPECT_NEAR(width(beyond.contacts, {1, 0, 0}), 0.3, 1e-9);
    EXPECT_EQ(Two(Cylinder{0.2, 0.6}, Cylinder{0.2, 0.6})
                  .at(Pose<double>::translation(0.4, 0, 0.2))
                  .size(),
              2U);
}

TEST(Patches, ChangeSignWhenShapesChangePlaces) {
    Dice dice(23);
    const auto shapes = bounded_shapes();
    for (const auto& [name_a, a] : shapes) {
        for (const auto& [name_b, b] : shapes) {
            Pose<double> pose_a = dice.pose(0.2);
            const Pose<double> pose_b = dice.pose(0.2);
            const Vec n = dice.direction();
            pose_a.position += (0.001 - gap(Thing{a, pose_a}, Thing{b, pose_b}, n)) * n;
            const std::vector<ContactPoint> one = Two(a, b).at(pose_a, pose_b, 0.02);
            const std::vector<ContactPoint> other = Two(b, a).at(pose_b, pose_a, 0.02);
            ASSERT_EQ(one.empty(), other.empty()) << name_a << " " << name_b;
            if (one.empty()) continue;
            EXPECT_NEAR(least_distance(one), least_distance(other), 1e-6)
                << name_a << " " << name_b;
            EXPECT_NEAR(norm(one[0].normal + other[0].normal), 0, 1e-4) << name_a << " " << name_b;
        }
    }
}

TEST(Patches, MoveAlongWithEverything) {
    Dice dice(29);
    for (const auto& [name_a, a] : bounded_shapes()) {
        for (const auto& [name_b, b] : bounded_shapes()) {
            Two two(a, b);
            Pose<double> pose_a = dice.pose(0.2);
            const Pose<double> pose_b = dice.pose(0.2), moved = dice.pose(3);
            const Vec n = dice.direction();
            pose_a.position += (-0.001 - gap(Thing{a, pose_a}, Thing{b, pose_b}, n)) * n;
            const std::vector<ContactPoint> here = two.at(pose_a, pose_b, 0.02);
            const std::vector<ContactPoint> there = two.at(moved * pose_a, moved * pose_b, 0.02);
            ASSERT_EQ(here.empty(), there.empty()) << name_a << " " << name_b;
            if (here.empty()) continue;
            EXPECT_NEAR(least_distance(here), least_distance(there), 1e-6);
            EXPECT_NEAR(norm(moved.rotation * here[0].normal - there[0].normal), 0, 1e-4)
                << name_a << " " << name_b;
        }
    }
}

TEST(Patches, KeepTheirIdentityUnderSmallMotions) {
    Dice dice(31);
    for (const auto& [name_a, a] : bounded_shapes()) {
        for (const auto& [name_b, b] : bounded_shapes()) {
            Two two(a, b);
            Pose<double> pose_a = dice.pose(0.2);
            const Pose<double> pose_b = dice.pose(0.2);
            const Vec n = dice.direction();
            pose_a.position += (-0.001 - gap(Thing{a, pose_a}, Thing{b, pose_b}, n)) * n;
            std::set<std::uint64_t> before, after;
            for (const ContactPoint& c : two.at(pose_a, pose_b, 0.01)) before.insert(c.id);
            EXPECT_EQ(before.size(), two.contacts.size()) << name_a << " " << name_b;
            pose_a.position += 1e-9 * dice.direction();
            for (const ContactPoint& c : two.at(pose_a, pose_b, 0.01)) after.insert(c.id);
            EXPECT_EQ(before, after) << name_a << " " << name_b;
        }
    }
}

TEST(Patches, AreFiniteWhereDirectionsAreLost) {
    // Concentric, one inside the other, and along each other's axes; and with sizes of zero, tiny and huge.
    std::vector<Geometry> shapes;
    for (const auto& [name, geometry] : bounded_shapes()) shapes.push_back(geometry);
    shapes.insert(shapes.end(),
                  {Sphere{0}, Box{{0, 0, 0}}, Box{{1, 1, 0}}, Box{{1, 0, 0}}, Capsule{0, 0},
                   Cylinder{0, 0}, Cylinder{1, 0}, Cylinder{0, 1}, Ellipsoid{{0, 0, 0}},
                   Ellipsoid{{1, 1, 0}}, Mesh{"needle", "", {1, 1, 1}}, Mesh{"cube", "", {0, 0, 0}},
                   Mesh{"cube", "", {1, 0, 1}}, Sphere{1e-9}, Box{{1e-9, 1e-9, 1e-9}}, Sphere{1e6},
                   Box{{1e6, 1e6, 1e6}}, Cylinder{1e-6, 1e6}});
    const std::vector<Pose<double>> places{{},
                                           Pose<double>::translation(0, 0, 0.1),
                                           Pose<double>::translation(0.25, 0, 0),
                                           Pose<double>::roll_pitch_yaw({}, {0, kQuarter, 0}),
                                           Pose<double>::translation(1, 1, 1)};
    int found = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t j = 0; j < shapes.size(); ++j) {
            Two two(shapes[i], shapes[j]);
            for (const Pose<double>& place : places) {
                for (const ContactPoint& c : two.at(place, {}, 1e-3)) {
                    ++found;
                    EXPECT_NEAR(norm(c.normal), 1, 1e-9) << i << " " << j;
                    EXPECT_TRUE(std::isfinite(c.distance)) << i << " " << j;
                    EXPECT_TRUE(std::isfinite(squared_norm(c.position))) << i << " " << j;
                }
            }
        }
    }
    EXPECT_GT(found, 1000);
}

TEST(Patches, AreFoundWhereSurfacesJustTouch) {
    // At a distance of zero, and without a margin.
    World world = World::flat();
    world.shapes.push_back({.name = "step",
                            .placement = Pose<double>::translation(2, 0, -0.5),
                            .geometry = Box{{2, 2, 1}}});
    for (const Geometry& geometry :
         {Geometry{Sphere{0.5}}, Geometry{Box{{1, 1, 1}}}, Geometry{Capsule{0.25, 0.5}},
          Geometry{Cylinder{0.5, 1}}, Geometry{Ellipsoid{{1, 1, 0.5}}},
          Geometry{Mesh{"cube", "", {0.5, 0.5, 0.5}}}}) {
        world.read_mesh = points_of_mesh;
        CollisionShapes shapes(free_bodies({geometry}), world);
        std::vector<ContactPoint> contacts;
        for (const double x : {0.0, 2.0}) {  // on the ground, and on the step, whose top is as high
            shapes.find(std::vector<Pose<double>>{{}, Pose<double>::translation(x, 0, 0.5)}, 0,
                        contacts);
            ASSERT_FALSE(contacts.empty()) << geometry.index() << " at " << x;
            for (const ContactPoint& c : contacts) {
                EXPECT_NEAR(c.distance, 0, 1e-12);
                EXPECT_NEAR(norm(c.normal - Vec{0, 0, 1}), 0, 1e-6) << geometry.index();
            }
        }
    }
}

TEST(Patches, AreNoneOfPosesThatAreNone) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [name_a, a] : bounded_shapes()) {
        for (const auto& [name_b, b] : bounded_shapes())
            EXPECT_TRUE(Two(a, b).at(Pose<double>::translation(nan, 0, 0)).empty())
                << name_a << " " << name_b;
    }
}

}  // namespace
}  // namespace plucker::test
