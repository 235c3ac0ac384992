// Once its memory has grown, looking for contacts asks for none.
#include <gtest/gtest.h>

#include "collide/body_poses.hpp"
#include "collide/scene.hpp"
#include "plucker/robots/robots.hpp"
#include "support/count_allocations.hpp"

namespace plucker::test {
namespace {

void expect_no_allocations(CollisionShapes& shapes,
                           const std::vector<std::vector<Pose<double>>>& poses) {
    std::vector<ContactPoint> out;
    std::size_t found = 0;
    for (const auto& p : poses) {
        shapes.find(p, 0.05, out);
        found += out.size();
    }
    EXPECT_GT(found, poses.size());
    const long before = allocations;
    for (const auto& p : poses) shapes.find(p, 0.05, out);
    EXPECT_EQ(allocations - before, 0);
}

TEST(FindingContacts, AllocatesNothing) {
#if PLUCKER_CAN_COUNT
    const long before = allocations;
    const std::vector<double> seen(100);
    ASSERT_GT(allocations - before, 0) << "the counter does not count; size " << seen.size();
#endif
    Dice dice(2);
    // All kinds of shapes among each other and on all kinds of ground.
    std::vector<Geometry> geometries;
    for (const auto& [name, geometry] : bounded_shapes()) geometries.push_back(geometry);
    World world = World::flat();
    world.read_mesh = points_of_mesh;
    HeightField field;
    field.points_x = field.points_y = 20;
    field.spacing_x = field.spacing_y = 0.1;
    field.origin = {-1, -1, 0};
    for (int k = 0; k < 400; ++k) field.heights.push_back(dice.between(-0.1, 0.1));
    world.fields.push_back(field);
    CollisionShapes shapes(free_bodies(geometries), world);
    std::vector<std::vector<Pose<double>>> poses(20, std::vector<Pose<double>>(1));
    for (auto& p : poses) {
        for (std::size_t k = 0; k < geometries.size(); ++k) p.push_back(dice.pose(0.7));
    }
    expect_no_allocations(shapes, poses);
}

}  // namespace
}  // namespace plucker::test
