// Shapes on the ground: how many points hold them, and where.
#include <gtest/gtest.h>

#include <set>

#include "collide/scene.hpp"

namespace plucker::test {
namespace {

World flat_world() {
    World world = World::flat();
    world.read_mesh = points_of_mesh;
    return world;
}

struct OnGround {
    explicit OnGround(const Geometry& geometry) : shapes(free_bodies({geometry}), flat_world()) {}
    const std::vector<ContactPoint>& at(const Pose<double>& pose, double margin = 1e-3) {
        shapes.find(std::vector<Pose<double>>{{}, pose}, margin, contacts);
        return contacts;
    }
    CollisionShapes shapes;
    std::vector<ContactPoint> contacts;
};

Pose<double> upright(double height) { return Pose<double>::translation(0.3, -0.2, height); }
Pose<double> lying(double height) {
    return Pose<double>::roll_pitch_yaw({0.1, 0.2, height}, {0, std::acos(-1.0) / 2, 0.4});
}

// The area of the convex hull of the points, seen from above.
double area(std::vector<ContactPoint> points) {
    std::sort(points.begin(), points.end(), [](const ContactPoint& p, const ContactPoint& q) {
        return std::pair(p.position.x, p.position.y) < std::pair(q.position.x, q.position.y);
    });
    std::vector<Vec> hull;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t begin = hull.size();
        for (const ContactPoint& p : points) {
            while (hull.size() >= begin + 2 &&
                   cross(hull.back() - hull[hull.size() - 2], p.position - hull.back()).z <= 0)
                hull.pop_back();
            hull.push_back(p.position);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    double twice = 0;
    for (std::size_t k = 0; k < hull.size(); ++k)
        twice += cross(hull[k], hull[(k + 1) % hull.size()]).z;
    return twice / 2;
}

TEST(Ground, HoldsASphereInOnePoint) {
    OnGround sphere(Sphere{0.25});
    const auto& contacts = sphere.at(upright(0.24));
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].distance, -0.01, 1e-15);
    EXPECT_EQ(contacts[0].normal, (Vec{0, 0, 1}));
    EXPECT_NEAR(norm(contacts[0].position - Vec{0.3, -0.2, -0.005}), 0, 1e-15);
    EXPECT_EQ(contacts[0].body_a, 1);
    EXPECT_EQ(contacts[0].body_b, 0);
    EXPECT_TRUE(sphere.at(upright(0.2511)).empty());
}

TEST(Ground, HoldsABoxByTheCornersOfItsFace) {
    OnGround box(Box{{0.4, 0.2, 0.1}});
    EXPECT_EQ(box.at(upright(0.05)).size(), 4U);
    EXPECT_NEAR(area(box.contacts), 0.4 * 0.2, 1e-12);
    EXPECT_EQ(box.at(lying(0.2)).size(), 4U);
    EXPECT_NEAR(area(box.contacts), 0.1 * 0.2, 1e-12);
    // On an edge, and on a corner.
    const auto on_ground = [&](const Vec& turn) {
        Pose<double> pose = Pose<double>::roll_pitch_yaw({}, turn);
        pose.position.z -= Thing{Box{{0.4, 0.2, 0.1}}, pose}.farthest_along({0, 0, -1}).z;
        return pose;
    };
    EXPECT_EQ(box.at(on_ground({0.7, 0, 0})).size(), 2U);
    EXPECT_EQ(box.at(on_ground({0.7, 0.6, 0})).size(), 1U);
}

TEST(Ground, HoldsAThinPlateByOneFaceOnly) {
    OnGround plate(Box{{0.4, 0.2, 1e-4}});
    EXPECT_EQ(plate.at(upright(0), 0.01).size(), 4U);
    EXPECT_NEAR(least_distance(plate.contacts), -0.5e-4, 1e-15);
}

TEST(Ground, HoldsACapsuleByItsEnds) {
    OnGround capsule(Capsule{0.1, 0.5});
    EXPECT_EQ(capsule.at(upright(0.35)).size(), 1U);
    ASSERT_EQ(capsule.at(lying(0.1)).size(), 2U);
    EXPECT_NEAR(norm(capsule.contacts[0].position - capsule.contacts[1].position), 0.5, 1e-12);
}

TEST(Ground, HoldsACylinder) {
    OnGround cylinder(Cylinder{0.2, 0.6});
    // Standing, by points of its rim that enclose most of it.
    EXPECT_EQ(cylinder.at(upright(0.3)).size(), 6U);
    EXPECT_GT(area(cylinder.contacts), 0.8 * std::acos(-1.0) * 0.04);
    ASSERT_EQ(cylinder.at(lying(0.2)).size(), 2U);
    EXPECT_NEAR(norm(cylinder.contacts[0].position - cylinder.contacts[1].position), 0.6, 1e-9);
    // Inclined, by its lowest point.
    const Pose<double> inclined = Pose<double>::roll_pitch_yaw({0, 0, 0}, {0.3, -0.2, 1});
    EXPECT_EQ(cylinder.at(inclined).size(), 1U + 5U);  // it is deep in the ground
    Pose<double> higher = inclined;
    higher.position.z -= least_distance(cylinder.contacts);
    ASSERT_EQ(cylinder.at(higher).size(), 1U);
    EXPECT_NEAR(cylinder.contacts[0].distance, 0, 1e-12);
}

TEST(Ground, DoesNotLetACylinderJumpAboutOnItsRim) {
    // Nearly upright the lowest point is anywhere on the rim. The points that are given stay.
    OnGround cylinder(Cylinder{0.2, 0.6});
    Dice dice(3);
    std::vector<ContactPoint> first = cylinder.at(upright(0.3));
    for (int k = 0; k < 50; ++k) {
        Pose<double> pose = upright(0.3);
        pose.rotation = Pose<double>::roll_pitch_yaw({}, 1e-7 * dice.direction()).rotation;
        const auto& now = cylinder.at(pose);
        ASSERT_EQ(now.size(), first.size());
        for (std::size_t m = 0; m < now.size(); ++m) {
            EXPECT_EQ(now[m].id, first[m].id);
            EXPECT_LT(norm(now[m].position - first[m].position), 2e-4);
        }
    }
}

TEST(Ground, HoldsAMeshByCornersThatAreWellSpread) {
    OnGround cube(Mesh{"cube", "", {0.2, 0.1, 0.05}});
    EXPECT_EQ(cube.at(upright(0.05)).size(), 4U);
    EXPECT_NEAR(area(cube.contacts), 0.4 * 0.2, 1e-12);
    OnGround round(Mesh{"round", "", {1, 1, 1}});
    // So deep that more corners than eight are in the ground.
    const auto& contacts = round.at(upright(-0.5));
    EXPECT_LE(contacts.size(), 8U);
    EXPECT_GE(contacts.size(), 6U);
    const Thing thing{Mesh{"round", "", {1, 1, 1}}, upright(-0.5)};
    EXPECT_NEAR(least_distance(contacts), thing.farthest_along({0, 0, -1}).z, 1e-12);
    EXPECT_GT(area(contacts), 1.2);
}

TEST(Ground, IsMetWhereTheLowestPointIs) {
    // At any pose the least distance is that of the lowest point, and all points lie on the shape.
    Dice dice(11);
    for (const auto& [name, geometry] : bounded_shapes()) {
        OnGround shape(geometry);
        for (int k = 0; k < 50; ++k) {
            Pose<double> pose = dice.pose(0.3);
            const double lowest = Thing{geometry, pose}.farthest_along({0, 0, -1}).z;
            pose.position.z += dice.between(-0.01, 0.01) - lowest;
            const Thing thing{geometry, pose};
            const auto& contacts = shape.at(pose, 0.02);
            ASSERT_FALSE(contacts.empty()) << name;
            EXPECT_NEAR(least_distance(contacts), thing.farthest_along({0, 0, -1}).z, 1e-12)
                << name;
            for (const ContactPoint& c : contacts) {
                const Vec on_shape = c.position + (c.distance / 2) * c.normal;
                EXPECT_LE(outside(thing, on_shape), 1e-9) << name;
                EXPECT_NEAR((c.position - (c.distance / 2) * c.normal).z, 0, 1e-12) << name;
            }
        }
    }
}

TEST(Ground, KeepsTheIdentityOfPointsUnderSmallMotions) {
    Dice dice(17);
    for (const auto& [name, geometry] : bounded_shapes()) {
        OnGround shape(geometry);
        for (int k = 0; k < 20; ++k) {
            Pose<double> pose = dice.pose(0.3);
            pose.position.z -= Thing{geometry, pose}.farthest_along({0, 0, -1}).z;
            std::set<std::uint64_t> before, after;
            for (const ContactPoint& c : shape.at(pose, 1e-3)) before.insert(c.id);
            EXPECT_EQ(before.size(), shape.contacts.size()) << name << ": two points, one identity";
            pose.rotation =
                Pose<double>::roll_pitch_yaw({}, 1e-8 * dice.direction()).rotation * pose.rotation;
            pose.position += 1e-8 * dice.direction();
            for (const ContactPoint& c : shape.at(pose, 1e-3)) after.insert(c.id);
            EXPECT_EQ(before, after) << name;
        }
    }
}

TEST(Ground, MayBeInclinedOrCarriedByABody) {
    World world;
    const Vec up{0.6, 0, 0.8};
    world.shapes.push_back({.name = "slope",
                            .placement = Pose<double>::translation(0, 0, 1),
                            .geometry = Plane{{3, 0, 4}}});
    CollisionShapes shapes(free_bodies({Sphere{0.5}}), world);
    std::vector<ContactPoint> contacts;
    const Vec center = Vec{0, 0, 1} + 0.4 * up + 2 * Vec{0.8, 0, -0.6};
    shapes.find(std::vector<Pose<double>>{{}, {Mat3<double>::identity(), center}}, 0, contacts);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].distance, -0.1, 1e-12);
    EXPECT_NEAR(norm(contacts[0].normal - up), 0, 1e-12);

    // The moving plane is the first shape: the normal leads from the sphere to it.
    CollisionShapes tray(free_bodies({Plane{}, Sphere{0.5}}), World{});
    const Pose<double> tilted = Pose<double>::roll_pitch_yaw({0, 0, 2}, {0.3, 0, 0});
    tray.find(std::vector<Pose<double>>{{}, tilted, tilted * Pose<double>::translation(1, 2, 0.4)},
              0, contacts);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].distance, -0.1, 1e-12);
    EXPECT_NEAR(norm(contacts[0].normal + tilted.rotation * Vec{0, 0, 1}), 0, 1e-12);
}

}  // namespace
}  // namespace plucker::test
