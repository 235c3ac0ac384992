// All pairs of kinds of shapes, with certificates: a direction along which the gap is as wide, points as near,
// and no better direction among many.
#include <gtest/gtest.h>

#include "collide/scene.hpp"

namespace plucker::test {
namespace {

struct Placement {
    Pose<double> a, b;
};

// How far apart two shapes are, at random or nearly touching.
Placement near_each_other(const Thing& a, const Thing& b, double apart, Dice& dice) {
    Placement p{dice.pose(0.3), dice.pose(0.3)};
    const Thing ta{a.geometry, p.a}, tb{b.geometry, p.b};
    const Vec n = dice.direction();
    // Until they touch along n, and on from there.
    p.a.position += (apart - gap(ta, tb, n)) * n;
    return p;
}

bool is_round(const Geometry& g) {
    return std::holds_alternative<Cylinder>(g) || std::holds_alternative<Ellipsoid>(g);
}

class ShapePairs : public testing::TestWithParam<std::tuple<int, int>> {
protected:
    void check(const Placement& p, double margin) {
        const Thing a{first_, p.a}, b{second_, p.b};
        const std::vector<Pose<double>> poses{{}, p.a, p.b};
        shapes_.find(poses, margin, contacts_);
        const double at_least = largest_gap(a, b), at_most = distance_from_above(a, b);
        if (at_least > margin) {
            EXPECT_TRUE(contacts_.empty());
            return;
        }
        if (contacts_.empty()) {
            EXPECT_GT(at_most, margin);
            return;
        }
        const double distance = least_distance(contacts_);
        // On a round surface half of the digits of a distance tell where it is reached.
        const double precision = is_round(first_) || is_round(second_) ? 3e-6 : 1e-9;
        for (const ContactPoint& c : contacts_) {
            EXPECT_NEAR(norm(c.normal), 1, 1e-12);
            EXPECT_LT(c.distance, margin);
            EXPECT_EQ(c.body_a, 1);
            EXPECT_EQ(c.body_b, 2);
            // The normal leads out of b and into a, and the least distance is the gap along it.
            EXPECT_NEAR(gap(a, b, c.normal), distance, precision);
            // Half the distance on from the point, on either side, are the shapes.
            const Vec half = (c.distance / 2) * c.normal;
            EXPECT_LE(outside(a, c.position + half), precision);
            EXPECT_LE(outside(b, c.position - half), precision);
        }
        // So much is the distance at least; in these two points it is reached.
        EXPECT_GE(distance, at_least - 1e-9);
    }

    const std::pair<std::string, Geometry> chosen_first_ =
        bounded_shapes()[static_cast<std::size_t>(std::get<0>(GetParam()))];
    const std::pair<std::string, Geometry> chosen_second_ =
        bounded_shapes()[static_cast<std::size_t>(std::get<1>(GetParam()))];
    const Geometry first_ = chosen_first_.second, second_ = chosen_second_.second;
    CollisionShapes shapes_{free_bodies({first_, second_}), empty_world()};
    std::vector<ContactPoint> contacts_;
};

TEST_P(ShapePairs, HaveADistanceThatCanBeSeen) {
    Dice dice(7);
    for (const double apart : {0.2, 0.01, 1e-4, 1e-7, 0.0, -1e-6, -1e-3, -0.01, -0.05}) {
        for (int repeat = 0; repeat < 3; ++repeat) {
            const Placement p = near_each_other({first_, {}}, {second_, {}}, apart, dice);
            SCOPED_TRACE(testing::Message() << "apart " << apart << ", repeat " << repeat);
            check(p, 0.1);
            if (HasFatalFailure()) return;
        }
    }
}

TEST_P(ShapePairs, PartAlongTheShortestWay) {
    Dice dice(13);
    for (int repeat = 0; repeat < 15; ++repeat) {
        SCOPED_TRACE(testing::Message() << "repeat " << repeat);
        check({dice.pose(0.15), dice.pose(0.15)}, 0.01);
        if (HasFatalFailure()) return;
    }
}

std::vector<int> numbers_of_shapes() {
    std::vector<int> out;
    for (std::size_t k = 0; k < bounded_shapes().size(); ++k) out.push_back(static_cast<int>(k));
    return out;
}

std::string name_of_pair(const testing::TestParamInfo<std::tuple<int, int>>& info) {
    const auto shapes = bounded_shapes();
    const auto [a, b] = info.param;
    return shapes[static_cast<std::size_t>(a)].first + "_" +
           shapes[static_cast<std::size_t>(b)].first;
}

INSTANTIATE_TEST_SUITE_P(All, ShapePairs,
                         testing::Combine(testing::ValuesIn(numbers_of_shapes()),
                                          testing::ValuesIn(numbers_of_shapes())),
                         name_of_pair);

// Where their axes meet there is no direction from one to the other: they part across both.
TEST(Capsules, WhoseAxesMeetPartAcrossBoth) {
    CollisionShapes shapes(free_bodies({Capsule{0.1, 0.8}, Capsule{0.15, 0.6}}), empty_world());
    std::vector<ContactPoint> contacts;
    for (const double angle : {0.0, 0.4, 1.5707963267948966, 2.0}) {
        for (const double along : {0.0, 0.1}) {
            const Pose<double> first = Pose<double>::roll_pitch_yaw({1, 2, 3}, {0.3, -0.4, 0.5});
            const Pose<double> second =
                first * Pose<double>::roll_pitch_yaw({0, 0, along}, {angle, 0, 0});
            shapes.find(std::vector<Pose<double>>{{}, first, second}, 0.01, contacts);
            SCOPED_TRACE(testing::Message() << "angle " << angle << ", along " << along);
            ASSERT_FALSE(contacts.empty());
            for (const ContactPoint& c : contacts) {
                EXPECT_NEAR(c.distance, -0.25, 1e-9);
                EXPECT_NEAR(dot(c.normal, first.rotation * Vec{0, 0, 1}), 0, 1e-9);
                EXPECT_NEAR(dot(c.normal, second.rotation * Vec{0, 0, 1}), 0, 1e-9);
            }
        }
    }
}

// A direction along which two shapes were apart is remembered, and another robot's may be: that saves work, and no more.
TEST(Shapes, AreFoundAsByWhoHasSeenNothingBefore) {
    const Model model = free_bodies({Box{{0.3, 0.2, 0.4}}, Box{{0.2, 0.5, 0.1}}, Capsule{0.08, 0.4},
                                     Cylinder{0.1, 0.3}, Ellipsoid{{0.1, 0.2, 0.3}}});
    CollisionShapes used(model, empty_world());
    std::vector<ContactPoint> contacts, expected;
    Dice dice(11);
    std::vector<Pose<double>> poses(6);
    std::size_t found = 0;
    for (int k = 0; k < 400; ++k) {
        // They wander a little, or are elsewhere.
        for (int i = 1; i <= 5; ++i) {
            Pose<double>& pose = poses[static_cast<std::size_t>(i)];
            if (k % 10 == 0) pose = dice.pose(0.35);
            pose.position += dice.vector(0.02);
        }
        used.find(poses, 0.03, contacts);
        CollisionShapes(model, empty_world()).find(poses, 0.03, expected);
        ASSERT_EQ(contacts.size(), expected.size()) << "seed 11, look " << k;
        for (std::size_t c = 0; c < contacts.size(); ++c) {
            EXPECT_EQ(contacts[c].id, expected[c].id);
            EXPECT_EQ(contacts[c].distance, expected[c].distance);
            EXPECT_EQ(contacts[c].position, expected[c].position);
            EXPECT_EQ(contacts[c].normal, expected[c].normal);
        }
        found += contacts.size();
    }
    EXPECT_GT(found, 500U);
}

}  // namespace
}  // namespace plucker::test
