// Meshes that touch, from their files to points of contact.
#include "plucker/io/read_mesh.hpp"

#include <gtest/gtest.h>

#include "io/scratch_folder.hpp"
#include "plucker/collide/collision_shapes.hpp"
#include "plucker/io/load.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST(ReadMesh, GivesThePointsOfAnObj) {
    const ScratchFolder folder("read_mesh");
    const std::string path = folder.write("part.obj", kTetrahedron);
    const auto points = read_mesh({"part.obj", path, {5, 5, 5}});
    ASSERT_EQ(points.size(), 4U);
    EXPECT_NE(std::find(points.begin(), points.end(), Vec3<double>{0, 0, 2}), points.end());
}

TEST(ReadMesh, LetsARobotOfAFileStandOnItsMesh) {
    const ScratchFolder folder("read_mesh");
    folder.write("part.obj", kTetrahedron);
    const std::string path =
        folder.write("robot.urdf",
                     "<robot name='r'><link name='a'><inertial><mass value='1'/>"
                     "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
                     "</inertial><collision><geometry>"
                     "<mesh filename='part.obj' scale='0.1 0.1 0.1'/>"
                     "</geometry></collision></link></robot>");
    World world = World::flat();
    world.read_mesh = read_mesh;
    CollisionShapes shapes(load(path, {.base = Base::kFloating}), world);
    std::vector<ContactPoint> contacts;
    shapes.find(std::vector<Pose<double>>(2), 1e-3, contacts);
    ASSERT_EQ(contacts.size(), 3U);
    for (const ContactPoint& c : contacts) {
        EXPECT_NEAR(c.distance, 0, 1e-12);
        EXPECT_LE(c.position.x + c.position.y, 0.1 + 1e-9);
    }
}

TEST(ReadMesh, SaysWhatItCannotRead) {
    EXPECT_EQ(message([] {
                  read_mesh({"leg.stl", "", {1, 1, 1}});
              }),
              "mesh 'leg.stl': its file was not found; name the folder with its package "
              "(--package-path), or take the shape out of the robot's file");
    const ScratchFolder folder("read_mesh");
    const std::string path = folder.write("leg.stl", "nothing of this kind");
    const std::string why = message([&] { read_mesh({"leg.stl", path, {1, 1, 1}}); });
    EXPECT_EQ(why.find("mesh 'leg.stl': " + path + " cannot be read: "), 0U) << why;
}

}  // namespace
}  // namespace plucker::test
