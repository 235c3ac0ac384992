// Terrain: what a plane would do where it is flat, nothing that catches where cells meet, ridges and peaks where it is not.
#include <gtest/gtest.h>

#include "collide/scene.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

HeightField field_of(int points, double spacing, const auto& height) {
    HeightField field;
    field.name = "hills";
    field.points_x = field.points_y = points;
    field.spacing_x = field.spacing_y = spacing;
    field.origin = {-spacing * (points - 1) / 2, -spacing * (points - 1) / 2, 0};
    for (int j = 0; j < points; ++j) {
        for (int i = 0; i < points; ++i)
            field.heights.push_back(
                height(field.origin.x + i * spacing, field.origin.y + j * spacing));
    }
    return field;
}

struct OnTerrain {
    OnTerrain(const Geometry& geometry, const HeightField& field) {
        World world = empty_world();
        world.fields.push_back(field);
        shapes.emplace_back(free_bodies({geometry}), world);
    }
    const std::vector<ContactPoint>& at(const Pose<double>& pose, double margin = 1e-3) {
        shapes[0].find(std::vector<Pose<double>>{{}, pose}, margin, contacts);
        return contacts;
    }
    std::vector<CollisionShapes> shapes;
    std::vector<ContactPoint> contacts;
};

TEST(Terrain, ThatIsFlatIsAPlane) {
    // Level or inclined, with points of shapes over faces, cuts and corners of cells.
    Dice dice(5);
    const Vec slope{0.3, -0.2, 0};
    const Vec raw{-slope.x, -slope.y, 1};
    const Vec up = (1 / norm(raw)) * raw;
    const HeightField field =
        field_of(41, 0.1, [&](double x, double y) { return slope.x * x + slope.y * y; });
    World world = empty_world();
    world.shapes.push_back({.name = "plane", .placement = {}, .geometry = Plane{up}});
    for (const auto& [name, geometry] : bounded_shapes()) {
        OnTerrain terrain(geometry, field);
        CollisionShapes plane(free_bodies({geometry}), world);
        std::vector<ContactPoint> expected;
        for (int k = 0; k < 20; ++k) {
            Pose<double> pose = dice.pose(0.3);
            if (k < 5) pose.position = {0.1 * k, 0.1, 0};
            pose.position +=
                (dice.between(-0.01, 0.01) - dot(Thing{geometry, pose}.farthest_along(-up), up)) *
                up;
            const auto& found = terrain.at(pose, 0.02);
            plane.find(std::vector<Pose<double>>{{}, pose}, 0.02, expected);
            ASSERT_EQ(found.size(), expected.size()) << name << " " << k;
            for (const ContactPoint& e : expected) {
                double nearest = 1e300;
                for (const ContactPoint& c : found) {
                    nearest = std::min(nearest, norm(c.position - e.position) +
                                                    std::abs(c.distance - e.distance) +
                                                    norm(c.normal - e.normal));
                }
                EXPECT_LT(nearest, 1e-12) << name << " " << k;
            }
        }
    }
}

// Whatever the heights, walls and clefts among them: a small ball on any face of any cell touches this face, wherever on it, and
// is nowhere deeper than it is large, as it would be in the far side of a wall.
TEST(Terrain, IsTouchedOnEveryFace) {
    Dice dice(8);
    constexpr double kSpacing = 0.2, kRadius = 0.004, kDepth = 1e-4;
    for (const double steepness : {0.01, 0.1, 1.0}) {
        const HeightField field = field_of(
            12, kSpacing, [&](double, double) { return steepness * dice.between(-0.3, 0.3); });
        OnTerrain ball(Sphere{kRadius}, field);
        for (int cell = 0; cell < 11 * 11; ++cell) {
            const int i = cell % 11, j = cell / 11;
            const Vec a = field.point(i, j), d = field.point(i + 1, j + 1);
            for (const Vec& b : {field.point(i + 1, j), field.point(i, j + 1)}) {
                const Vec raw = cross(b - a, d - a);
                const Vec up = (raw.z < 0 ? -1 : 1) / norm(raw) * raw;
                for (const Vec& at : {Vec{0.8, 0.1, 0.1}, Vec{0.1, 0.8, 0.1}, Vec{0.1, 0.1, 0.8},
                                      Vec{0.4, 0.3, 0.3}}) {
                    const Vec foot = at.x * a + at.y * b + at.z * d;
                    bool touches = false;
                    for (const ContactPoint& c :
                         ball.at({Mat3<double>::identity(), foot + (kRadius - kDepth) * up})) {
                        EXPECT_GT(c.distance, -2 * kRadius) << "cell " << i << " " << j;
                        touches |=
                            std::abs(c.distance + kDepth) < 1e-9 && norm(c.normal - up) < 1e-7;
                    }
                    EXPECT_TRUE(touches) << "cell " << i << " " << j;
                }
            }
        }
    }
}

// A slope that ends high above nothing: what is beside it touches its border, or nothing.
TEST(Terrain, HasNothingBeyondItsBorder) {
    for (const double x : {-1.0, 1.0}) {
        const HeightField field = field_of(3, 0.5, [&](double at, double) { return x * at; });
        OnTerrain ball(Sphere{0.05}, field);
        for (const double aside : {0.0, 0.02, 0.1, 0.4}) {
            for (const double below : {0.0, 0.2, 0.5}) {
                const Vec center{x * (0.5 + 0.049 + aside), 0.1, 0.5 - below};
                for (const ContactPoint& c : ball.at({Mat3<double>::identity(), center})) {
                    EXPECT_GE(c.distance, -0.0011) << aside << " aside, " << below << " below";
                    EXPECT_EQ(aside, 0) << below << " below";
                }
            }
        }
    }
}

// A roof along y, and a pyramid. The triangulation has the cuts of the cells along x = y.
double roof(double x, double) { return -0.5 * std::abs(x); }
double pyramid(double x, double y) { return -0.5 * std::max(std::abs(x), std::abs(y)); }

TEST(Terrain, HasRidges) {
    OnTerrain sphere(Sphere{0.1}, field_of(21, 0.2, roof));
    // Straight above the ridge, and a little beside it: still the ridge, its normal towards the centre.
    for (const double x : {0.0, 0.02, -0.03}) {
        for (const double y : {0.0, 0.1, 0.17}) {
            const Vec center = 0.099 * (1 / std::hypot(x, 0.3)) * Vec{x, 0, 0.3} + Vec{0, y, 0};
            const auto& contacts = sphere.at({Mat3<double>::identity(), center});
            ASSERT_GE(contacts.size(), 1U) << x << " " << y;
            for (const ContactPoint& c : contacts) {
                EXPECT_NEAR(c.distance, -0.001, 1e-9);
                EXPECT_NEAR(norm(c.normal - (1 / 0.099) * (center - Vec{0, y, 0})), 0, 1e-7);
            }
        }
    }
    // Farther to the side it is the face.
    const Vec up = (1 / std::hypot(0.5, 1.0)) * Vec{0.5, 0, 1};
    const Vec foot{0.35, 0.05, -0.175};
    ASSERT_EQ(sphere.at({Mat3<double>::identity(), foot + 0.095 * up}).size(), 1U);
    EXPECT_NEAR(norm(sphere.contacts[0].normal - up), 0, 1e-12);
    EXPECT_NEAR(sphere.contacts[0].distance, -0.005, 1e-12);
}

TEST(Terrain, HoldsABoxOnARidge) {
    OnTerrain box(Box{{0.5, 0.3, 0.1}}, field_of(21, 0.2, roof));
    const auto& contacts = box.at(Pose<double>::translation(0, 0, 0.049));
    ASSERT_GE(contacts.size(), 2U);
    double low = 1, high = -1;
    for (const ContactPoint& c : contacts) {
        EXPECT_NEAR(norm(c.normal - Vec{0, 0, 1}), 0, 1e-9);
        EXPECT_NEAR(c.distance, -0.001, 1e-9);
        low = std::min(low, c.position.y);
        high = std::max(high, c.position.y);
    }
    EXPECT_NEAR(high - low, 0.3, 1e-9);
}

TEST(Terrain, HasPeaks) {
    OnTerrain box(Box{{0.5, 0.5, 0.1}}, field_of(21, 0.2, pyramid));
    const auto& contacts = box.at(Pose<double>::translation(0.03, 0.02, 0.0495));
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].distance, -0.0005, 1e-12);
    EXPECT_NEAR(norm(contacts[0].position - Vec{0, 0, -0.00025}), 0, 1e-12);
    OnTerrain sphere(Sphere{0.2}, field_of(21, 0.2, pyramid));
    const Vec towards = (1 / norm(Vec{0.1, 0.05, 1})) * Vec{0.1, 0.05, 1};
    ASSERT_EQ(sphere.at({Mat3<double>::identity(), 0.2 * towards}).size(), 1U);
    EXPECT_NEAR(norm(sphere.contacts[0].normal - towards), 0, 1e-9);
}

// A peak is one among the edges that lead away from it: where one of the six rises, that edge is nearer. The other two
// neighbours of a point of the grid are across a cell, and no edge leads there.
TEST(Terrain, HasAPeakWhereNoEdgeRisesFromIt) {
    for (int dj = -1; dj <= 1; ++dj) {
        for (int di = -1; di <= 1; ++di) {
            if (di == 0 && dj == 0) continue;
            SCOPED_TRACE(testing::Message() << di << " " << dj);
            HeightField field = field_of(3, 1, [](double, double) { return -1.0; });
            field.heights[4] = 0;
            field.heights[static_cast<std::size_t>(4 + di + 3 * dj)] = 0.2;
            OnTerrain sphere(Sphere{0.3}, field);
            const auto& contacts = sphere.at(Pose<double>::translation(0, 0, 0.299));
            ASSERT_FALSE(contacts.empty());
            const bool has_peak =
                std::any_of(contacts.begin(), contacts.end(), [](const ContactPoint& c) {
                    return norm(c.normal - Vec{0, 0, 1}) < 1e-9;
                });
            EXPECT_EQ(has_peak, di * dj < 0);
        }
    }
}

TEST(Terrain, HoldsASphereInAValleyOnBothSides) {
    OnTerrain sphere(Sphere{0.1},
                     field_of(21, 0.2, [](double x, double y) { return -roof(x, y); }));
    const double height = 0.1 * std::hypot(0.5, 1.0);
    ASSERT_EQ(sphere.at(Pose<double>::translation(0, 0.05, height)).size(), 2U);
    EXPECT_NEAR(sphere.contacts[0].distance, 0, 1e-12);
    EXPECT_NEAR(sphere.contacts[0].normal.x, -sphere.contacts[1].normal.x, 1e-12);
}

TEST(Terrain, IsNowhereDeeperThanABallCanSink) {
    // A ball that is as far above any point of the terrain as its radius touches nothing; lowered, it touches. The distance is
    // that of the nearest of very many points of the surface.
    const auto hills = [](double x, double y) { return 0.2 * std::sin(3 * x) * std::cos(2 * y); };
    const HeightField field = field_of(41, 0.1, hills);
    OnTerrain ball(Sphere{0.15}, field);
    Dice dice(9);
    for (int k = 0; k < 60; ++k) {
        Vec center{dice.between(-1.5, 1.5), dice.between(-1.5, 1.5), 0};
        center.z = *field.height_at(center.x, center.y) + dice.between(0.12, 0.19);
        double nearest = 1e300;
        for (int i = -100; i <= 100; ++i) {
            for (int j = -100; j <= 100; ++j) {
                const double x = center.x + 0.002 * i, y = center.y + 0.002 * j;
                nearest = std::min(nearest, norm(center - Vec{x, y, *field.height_at(x, y)}));
            }
        }
        const auto& contacts = ball.at({Mat3<double>::identity(), center}, 0.03);
        if (nearest - 0.15 < 0.029) {
            ASSERT_FALSE(contacts.empty());
            EXPECT_NEAR(least_distance(contacts), nearest - 0.15, 1e-4);
        }
    }
}

TEST(Terrain, EndsAtItsBorder) {
    OnTerrain sphere(Sphere{0.1}, field_of(3, 1, [](double, double) { return 0.0; }));
    EXPECT_EQ(sphere.at(Pose<double>::translation(0.99, 0.3, 0.09)).size(), 1U);
    EXPECT_EQ(sphere.at(Pose<double>::translation(1.2, 0.3, 0.09)).size(), 0U);
    EXPECT_EQ(sphere.at(Pose<double>::translation(1e300, 0.3, 0.09)).size(), 0U);
    // Half over the edge: held by it, with a normal that leads away from it.
    ASSERT_EQ(sphere.at(Pose<double>::translation(1.05, 0.3, 0.08)).size(), 1U);
    EXPECT_NEAR(sphere.contacts[0].normal.x * 0.08, sphere.contacts[0].normal.z * 0.05, 1e-9);
}

// A foot that stands over the last line of points has the face before it below.
TEST(Terrain, HoldsWhatStandsOverItsBorder) {
    OnTerrain sphere(Sphere{0.1}, field_of(3, 1, [](double, double) { return 0.0; }));
    for (const auto& [x, y] : {std::pair(1.0, 0.3),
                               {-1.0, 0.3},
                               {0.3, 1.0},
                               {0.3, -1.0},
                               {1.0, 1.0},
                               {-1.0, 1.0},
                               {1.0, -1.0},
                               {-1.0, -1.0}}) {
        const auto& contacts = sphere.at(Pose<double>::translation(x, y, 0.09));
        ASSERT_EQ(contacts.size(), 1U) << x << " " << y;
        EXPECT_NEAR(contacts[0].distance, -0.01, 1e-12);
        EXPECT_EQ(contacts[0].normal, (Vec{0, 0, 1})) << x << " " << y;
    }
}

// Its two sides have numbers of points of their own: heights are met at every point, and midway between neighbours.
TEST(Terrain, KnowsItsHeightHoweverLongItsSidesAre) {
    for (const auto& [points_x, points_y] : {std::pair(3, 7), {7, 3}, {2, 5}, {5, 2}}) {
        HeightField field;
        field.points_x = points_x;
        field.points_y = points_y;
        field.spacing_x = 0.5;
        field.spacing_y = 0.25;
        field.origin = {-1, 2, 0.5};
        for (int k = 0; k < points_x * points_y; ++k) field.heights.push_back(std::sin(3.0 * k));
        for (int j = 0; j < points_y; ++j) {
            for (int i = 0; i < points_x; ++i) {
                SCOPED_TRACE(testing::Message()
                             << i << " " << j << " of " << points_x << " × " << points_y);
                const Vec here = field.point(i, j);
                const auto expect = [&](const Vec& p) {
                    const auto height = field.height_at(p.x, p.y);
                    ASSERT_TRUE(height);
                    EXPECT_NEAR(*height, p.z, 1e-12);
                };
                expect(here);
                if (i + 1 < points_x) expect(0.5 * (here + field.point(i + 1, j)));
                if (j + 1 < points_y) expect(0.5 * (here + field.point(i, j + 1)));
                if (i + 1 < points_x && j + 1 < points_y)
                    expect(0.5 * (here + field.point(i + 1, j + 1)));
            }
        }
    }
}

TEST(Terrain, KnowsItsHeight) {
    const HeightField field = field_of(5, 0.5, pyramid);
    EXPECT_NEAR(*field.height_at(0, 0), 0, 1e-15);
    EXPECT_NEAR(*field.height_at(0.25, 0.1), -0.125, 1e-15);
    EXPECT_NEAR(*field.height_at(1, 1), -0.5, 1e-15);
    // Up to its border on each side, and at its corners, but not beyond.
    for (const double side : {-1.0, 1.0}) {
        for (const double along : {-1.0, -0.3, 0.0, 0.7, 1.0}) {
            EXPECT_TRUE(field.height_at(side, along)) << side << " " << along;
            EXPECT_TRUE(field.height_at(along, side)) << side << " " << along;
            EXPECT_FALSE(field.height_at(1.01 * side, along)) << side << " " << along;
            EXPECT_FALSE(field.height_at(along, 1.01 * side)) << side << " " << along;
        }
    }
    EXPECT_FALSE(field.height_at(0, std::numeric_limits<double>::quiet_NaN()));
    // A point is no surface.
    HeightField point;
    point.points_x = point.points_y = 1;
    point.heights = {3};
    EXPECT_FALSE(point.height_at(0, 0));
}

TEST(Terrain, ThatIsNoneIsRefused) {
    const auto refusal = [](auto change) {
        HeightField field = field_of(3, 1, [](double, double) { return 0.0; });
        change(field);
        World world;
        world.fields.push_back(field);
        return message([&] { CollisionShapes(free_bodies({Sphere{1}}), world); });
    };
    EXPECT_EQ(refusal([](HeightField& f) { f.points_x = 1; }),
              "height field 'hills': it has 1 × 3 points; it needs at least 2 × 2");
    EXPECT_EQ(refusal([](HeightField& f) { f.heights.pop_back(); }),
              "height field 'hills': it has 8 heights, expected 9 (3 × 3)");
    EXPECT_EQ(refusal([](HeightField& f) { f.spacing_y = 0; }),
              "height field 'hills': a spacing is 0 m; it must be positive");
    EXPECT_EQ(refusal([](HeightField& f) { f.heights[4] = std::nan(""); }),
              "height field 'hills': its height at point (1, 1) is nan; it must be finite");
}

}  // namespace
}  // namespace plucker::test
