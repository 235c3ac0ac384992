// Convex hulls of points: every point within, every corner a corner, and faces that are whole.
#include "hull.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "collide/scene.hpp"

namespace plucker::test {
namespace {

using collide::convex_hull;
using collide::Hull;
using collide::HullFace;

// Checks faces against all points; gives the number of edges, which Euler's formula relates to the others.
std::size_t check_hull(const Hull& hull, const std::vector<Vec>& points, double tolerance) {
    std::size_t sides = 0;
    for (const HullFace& face : hull.faces) {
        sides += face.corners.size();
        const Vec& on = hull.corners[static_cast<std::size_t>(face.corners[0])];
        for (const Vec& p : points) EXPECT_LE(dot(face.normal, p - hull.center - on), tolerance);
        // Around the normal, in its plane.
        for (std::size_t k = 0; k < face.corners.size(); ++k) {
            const auto corner = [&](std::size_t m) {
                return hull
                    .corners[static_cast<std::size_t>(face.corners[(k + m) % face.corners.size()])];
            };
            EXPECT_NEAR(dot(face.normal, corner(0) - on), 0, tolerance);
            EXPECT_GT(dot(cross(corner(1) - corner(0), corner(2) - corner(1)), face.normal), 0);
        }
    }
    return sides / 2;
}

TEST(Hull, OfAGridIsABox) {
    std::vector<Vec> points;
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
            for (int k = 0; k < 5; ++k) points.push_back({0.1 * i, 0.2 * j, 0.3 * k});
        }
    }
    const auto hull = convex_hull(points);
    EXPECT_EQ(hull->corners.size(), 8U);
    ASSERT_EQ(hull->faces.size(), 6U);
    for (const HullFace& face : hull->faces) EXPECT_EQ(face.corners.size(), 4U);
    EXPECT_EQ(check_hull(*hull, points, 1e-9), 12U);
    EXPECT_NEAR(norm(hull->center - Vec{0.2, 0.4, 0.6}), 0, 1e-12);
    EXPECT_NEAR(hull->bound, norm(Vec{0.2, 0.4, 0.6}), 1e-12);
}

// A plate keeps all its corners, however thin it is: as flat as rounding in single precision leaves it, too.
TEST(Hull, OfAPlateHasAllItsCorners) {
    Dice dice(53);
    constexpr int kCorners = 12;
    for (const double thickness : {0.0, 1e-9, 3e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 1e-4, 1e-3}) {
        for (int repeat = 0; repeat < 60; ++repeat) {
            const Pose<double> turned = dice.pose(repeat % 2 == 0 ? 0 : 1);
            std::vector<Vec> points;
            for (int k = 0; k < kCorners; ++k) {
                const double angle = 2 * std::numbers::pi * k / kCorners;
                points.push_back(turned * Vec{0.1 * std::cos(angle), 0.06 * std::sin(angle),
                                              dice.between(-thickness, thickness)});
            }
            const auto hull = convex_hull(points);
            for (const Vec& p : points) {
                double nearest = 1;
                for (const Vec& corner : hull->corners)
                    nearest = std::min(nearest, norm(p - hull->center - corner));
                EXPECT_LE(nearest, 3e-6) << "thickness " << thickness << ", " << repeat;
            }
        }
    }
}

// However it is turned: what rounding puts before a face is still on it.
TEST(Hull, OfATurnedGridIsABox) {
    Dice dice(47);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const Pose<double> turned = dice.pose(repeat % 2 == 0 ? 1 : 100);
        std::vector<Vec> points;
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                for (int k = 0; k < 4; ++k)
                    points.push_back(turned * Vec{0.1 * i, 0.2 * j, 0.3 * k});
            }
        }
        const auto hull = convex_hull(points);
        ASSERT_EQ(hull->corners.size(), 8U) << repeat;
        ASSERT_EQ(hull->faces.size(), 6U) << repeat;
        EXPECT_EQ(check_hull(*hull, points, 1e-6), 12U) << repeat;
    }
}

TEST(Hull, OfPointsAtRandomHoldsThemAll) {
    Dice dice(41);
    for (int repeat = 0; repeat < 10; ++repeat) {
        std::vector<Vec> points;
        for (int k = 0; k < 200; ++k)
            points.push_back(repeat % 2 == 0 ? dice.vector(1) : dice.direction());
        const auto hull = convex_hull(points);
        const std::size_t edges = check_hull(*hull, points, 1e-6);
        EXPECT_EQ(hull->corners.size() + hull->faces.size(), edges + 2);
        if (repeat % 2 == 1) {
            EXPECT_EQ(hull->corners.size(), points.size());
        }
    }
}

TEST(Hull, OfACylinderHasRoundFacesWhole) {
    std::vector<Vec> points;
    for (int k = 0; k < 32; ++k) {
        const double angle = k * std::acos(-1.0) / 16;
        for (const double z : {-0.5, 0.5})
            // Digits as an STL file has them.
            points.push_back(
                {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), z});
    }
    const auto hull = convex_hull(points);
    EXPECT_EQ(hull->corners.size(), 64U);
    EXPECT_EQ(hull->faces.size(), 34U);
    check_hull(*hull, points, 1e-6);
}

TEST(Hull, MayBeFlatThinOrAPoint) {
    EXPECT_EQ(convex_hull(points_of_mesh({"plate", "", {}}))->faces.size(), 2U);
    EXPECT_EQ(convex_hull(points_of_mesh({"plate", "", {}}))->corners.size(), 4U);
    EXPECT_EQ(convex_hull(points_of_mesh({"needle", "", {}}))->corners.size(), 2U);
    EXPECT_EQ(convex_hull({{1, 2, 3}, {1, 2, 3}})->corners.size(), 1U);
    EXPECT_EQ(convex_hull({{1, 2, 3}})->bound, 0);
}

}  // namespace
}  // namespace plucker::test
