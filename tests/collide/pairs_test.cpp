// All pairs of kinds of shapes, beside a search over directions that knows nothing of the algorithms.
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

class ShapePairs : public testing::TestWithParam<std::tuple<int, int>> {
protected:
    void check(const Placement& p, double margin) {
        const Thing a{first_, p.a}, b{second_, p.b};
        const std::vector<Pose<double>> poses{{}, p.a, p.b};
        shapes_.find(poses, margin, contacts_);
        const double expected = largest_gap(a, b);
        if (expected > margin + 1e-6) {
            EXPECT_TRUE(contacts_.empty());
            return;
        }
        if (expected > margin - 1e-6) return;
        ASSERT_FALSE(contacts_.empty()) << "expected distance " << expected;
        const double distance = least_distance(contacts_);
        for (const ContactPoint& c : contacts_) {
            EXPECT_NEAR(norm(c.normal), 1, 1e-12);
            EXPECT_LT(c.distance, margin);
            EXPECT_EQ(c.body_a, 1);
            EXPECT_EQ(c.body_b, 2);
            // The normal leads out of b and into a, and the distance is the gap along it.
            EXPECT_NEAR(gap(a, b, c.normal), distance, 1e-7);
            // Half the distance on from the point there are both surfaces, or one is deeper still.
            const double above = dot(a.farthest_along(-c.normal) - c.position, c.normal);
            const double below = dot(b.farthest_along(c.normal) - c.position, c.normal);
            EXPECT_LE(above, c.distance / 2 + 1e-6);
            EXPECT_GE(below, -c.distance / 2 - 1e-6);
        }
        EXPECT_NEAR(distance, expected, expected < -0.02 ? 0.05 * -expected : 2e-6);
    }

    const std::pair<std::string, Geometry> chosen_first_ =
        bounded_shapes()[static_cast<std::size_t>(std::get<0>(GetParam()))];
    const std::pair<std::string, Geometry> chosen_second_ =
        bounded_shapes()[static_cast<std::size_t>(std::get<1>(GetParam()))];
    const Geometry first_ = chosen_first_.second, second_ = chosen_second_.second;
    CollisionShapes shapes_{free_bodies({first_, second_}), empty_world()};
    std::vector<ContactPoint> contacts_;
};

TEST_P(ShapePairs, HaveTheDistanceOfASearchOverDirections) {
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

}  // namespace
}  // namespace plucker::test
