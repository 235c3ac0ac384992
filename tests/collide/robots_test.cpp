// The built-in robots: they do not touch themselves, and stand on what they should stand on.
#include <gtest/gtest.h>

#include "collide/body_poses.hpp"
#include "collide/scene.hpp"
#include "plucker/model/suspicions.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

std::vector<ContactPoint> contacts_of(const Model& model, const VectorX<double>& q,
                                      const World& world, double margin = 1e-3) {
    CollisionShapes shapes(model, world);
    std::vector<ContactPoint> out;
    shapes.find(body_poses(model, q), margin, out);
    return out;
}

std::string link_of(const Model& model, const World& world, int shape) {
    return CollisionShapes(model, world).shapes()[static_cast<std::size_t>(shape)].link;
}

TEST(RobotShapes, DoNotTouchEachOtherAtZero) {
    for (const char* name : {"particle", "pendulum", "double_pendulum", "cart_pole", "lamp",
                             "exoskeleton", "arm", "quadruped", "humanoid", "chain(6)"}) {
        const Model model = robots::by_name(name);
        ASSERT_FALSE(CollisionShapes(model, {}).shapes().empty()) << name;
        for (const ContactPoint& c : contacts_of(model, neutral_configuration<double>(model), {}))
            ADD_FAILURE() << name << ": " << link_of(model, {}, c.shape_a) << " and "
                          << link_of(model, {}, c.shape_b) << " are " << c.distance << " m apart";
    }
}

TEST(RobotShapes, AreDrawnForEveryLinkThatHasMass) {
    for (const std::string name : {"lamp", "exoskeleton", "arm", "quadruped", "humanoid"}) {
        const Model model = robots::by_name(name);
        for (const LinkDescription& link : model.description().links) {
            if (link.mass.mass == 0) continue;
            EXPECT_FALSE(link.visuals.empty()) << name << " " << link.name;
            for (const Shape& shape : link.visuals) EXPECT_TRUE(shape.material) << link.name;
        }
    }
}

// Lowers a robot with a floating base until it touches; gives what touches then.
std::vector<ContactPoint> put_down(const Model& model, VectorX<double> q) {
    const double least = least_distance(contacts_of(model, q, World::flat(), 10));
    q[2] -= least;
    return contacts_of(model, q, World::flat());
}

TEST(RobotShapes, StandOnFlatFeet) {
    for (const std::string name : {"humanoid", "exoskeleton"}) {
        const Model model = robots::by_name(name);
        const VectorX<double> q = neutral_configuration<double>(model);
        const auto contacts = put_down(model, q);
        ASSERT_EQ(contacts.size(), 8U) << name;
        for (const ContactPoint& c : contacts) {
            EXPECT_EQ(link_of(model, World::flat(), c.shape_a).substr(c.position.y > 0 ? 0 : 1),
                      c.position.y > 0 ? "left_foot_link" : "ight_foot_link");
            EXPECT_NEAR(c.distance, 0, 1e-12);
        }
        // The sole's centre is a frame of the robot.
        const double sole = frame_pose(model, q, model.frame_id("left_foot")).position.z;
        EXPECT_NEAR(least_distance(contacts_of(model, q, World::flat(), 10)), sole, 1e-12);
    }
}

TEST(RobotShapes, StandOnFourBalls) {
    const Model model = robots::quadruped();
    VectorX<double> q = neutral_configuration<double>(model);
    for (int leg = 0; leg < 4; ++leg) {
        q[7 + 3 * leg + 1] = 0.8;
        q[7 + 3 * leg + 2] = -1.6;
    }
    const auto contacts = put_down(model, q);
    ASSERT_EQ(contacts.size(), 4U);
    for (const ContactPoint& c : contacts) EXPECT_NEAR(c.distance, 0, 1e-12);
}

TEST(RobotShapes, OfTheLampStandInItsPlane) {
    const Model model = robots::lamp();
    const auto contacts =
        contacts_of(model, neutral_configuration<double>(model), World::flat({0, 1, 0}));
    ASSERT_EQ(contacts.size(), 4U);
    for (const ContactPoint& c : contacts) EXPECT_NEAR(c.distance, 0, 1e-12);
}

TEST(RobotShapes, CauseNoSuspicions) {
    for (const char* name : {"lamp", "exoskeleton", "arm", "quadruped", "humanoid", "cart_pole",
                             "chain(6)", "tree(20,1)"}) {
        for (const Diagnostic& d : find_suspicions(robots::by_name(name).description()))
            EXPECT_EQ(d.message.find("density"), std::string::npos) << name << ": " << d.message;
    }
}

}  // namespace
}  // namespace plucker::test
