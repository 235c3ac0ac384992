// What is said, word by word, where a robot or a change of one is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "plucker/plucker.hpp"
#include "plucker/robots/robots.hpp"
#include "refusals/pairs.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// A model with one joint that is not sound.
std::string said_of(const JointDescription& joint) {
    return message([&] {
        Builder("robot")
            .link("ground")
            .body("ground", joint, "arm", MassProperties::box(1, {0.1, 0.2, 0.3}))
            .build();
    });
}

TEST(Refusals, OfJoints) {
    const JointDescription hinge = revolute("hinge", {0, 0, 1});
    EXPECT_EQ(said_of(universal("cross", {1, 0, 0}, {0.6, 0.8, 0})),
              "joint 'cross': the axes of a universal joint must be perpendicular; theirs have "
              "cosine 0.6; use two revolute joints instead");
    for (const auto& [what, broken] :
         std::initializer_list<std::pair<const char*, JointDescription>>{
             {"armature", hinge.with_armature(NAN)},
             {"damping", hinge.with_damping(INFINITY)},
             {"friction", hinge.with_friction(NAN)},
             {"pitch", helical("hinge", {0, 0, 1}, NAN)}}) {
        EXPECT_NE(said_of(broken).find(
                      "joint 'hinge': pitch, armature, damping or friction is not finite"),
                  std::string::npos)
            << what << ": " << said_of(broken);
    }
    EXPECT_EQ(said_of(hinge.with_armature(-0.5)),
              "joint 'hinge': armature is -0.5; it must not be negative");
    EXPECT_EQ(said_of(hinge.with_damping(-0.5)),
              "joint 'hinge': damping is -0.5; it must not be negative");
    EXPECT_EQ(said_of(hinge.with_friction(-0.5)),
              "joint 'hinge': friction is -0.5; it must not be negative");
    EXPECT_EQ(said_of(hinge.with_limits({2, 1})),
              "joint 'hinge': lower limit 2 and upper limit 1; lower must not exceed upper");
    EXPECT_EQ(said_of(hinge.with_limits({INFINITY, INFINITY})),
              "joint 'hinge': lower limit inf and upper limit inf; no number lies between them");
    EXPECT_EQ(said_of(hinge.with_limits({-1, 1, -3, 2})),
              "joint 'hinge': velocity limit -3 and effort limit 2; they must not be negative");
    EXPECT_EQ(said_of(hinge.with_limits({-1, 1, 3, -2})),
              "joint 'hinge': velocity limit 3 and effort limit -2; they must not be negative");
}

TEST(Refusals, OfIndices) {
    const Model arm = robots::arm(), other = robots::quadruped();
    EXPECT_EQ(message([&] { arm.body(8); }),
              "robot 'arm' has no body 8; its bodies are 0 (the world) to 7");
    EXPECT_EQ(message([&] { arm.body(-1); }),
              "robot 'arm' has no body -1; its bodies are 0 (the world) to 7");
    const int frames = static_cast<int>(arm.frames().size());
    EXPECT_EQ(message([&] { arm.frame_id(frames); }),
              "robot 'arm' has no frame " + std::to_string(frames) + "; its frames are 0 to " +
                  std::to_string(frames - 1));
    EXPECT_EQ(message([&] { arm.frame(FrameId()); }),
              "robot 'arm': this FrameId names no frame; ask frame_id(name)");
    EXPECT_EQ(message([&] { robots::chain(0); }), "chain: n is 0; there must be at least 1 body");
}

TEST(Refusals, OfChanges) {
    const Model arm = robots::arm(), free = robots::quadruped();
    const std::string joint = arm.joint(1).name;
    EXPECT_EQ(message([&] {
                  lock_joints(arm, {{joint, {1, 2}}});
              }),
              "lock_joints: joint 'joint1' (revolute) has 1 coordinates, but 2 were given");
    EXPECT_EQ(message([&] {
                  lock_joints(free, {{free.joint(1).name, {0, 0, 0, 0, 0, 0, 1}}});
              }),
              "lock_joints: the base floats; use with_base(model, Base::kFixed)");
    EXPECT_EQ(message([&] {
                  lock_joints(twins(), {{"right", {1}}});
              }),
              "lock_joints: joint 'right' mimics joint 'left'; lock that one");
    Workspace<double> ws(arm);
    EXPECT_EQ(message([&] {
                  ws.set_gravity({0, NAN, 0});
              }),
              "set_gravity: gravity holds nan; it must be finite");
    EXPECT_EQ(message([&] { ws.set_mass(arm.frame_id("tool"), MassProperties::point(1, {})); }),
              "set_mass: 'tool' is a frame, not a link; set_payload loads a frame");
}

TEST(Refusals, OfDynamicParameters) {
    const Model model =
        Builder("ball")
            .link("ground")
            .body("ground", spherical("shoulder"), "arm", MassProperties::box(1, {0.1, 0.2, 0.3}))
            .build();
    const VectorX<double> right = dynamic_parameters(model);
    const auto with = [&](long k, double value) {
        VectorX<double> x = right;
        x[k] = value;
        return message([&] { with_dynamic_parameters(model, x); });
    };
    EXPECT_EQ(
        with(12, 0.5),
        "with_dynamic_parameters: joint 'shoulder' is given armature 0 and 0.5 for two of its "
        "freedoms; a joint has one number for all");
    VectorX<double> negative = right;
    negative.segment(13, 3).setConstant(-0.25);
    EXPECT_EQ(message([&] { with_dynamic_parameters(model, negative); }),
              "with_dynamic_parameters: joint 'shoulder' is given damping -0.25; it must not be "
              "negative");
    VectorX<double> massless = right;
    massless[0] = 0;
    massless[2] = 0.5;
    EXPECT_EQ(
        message([&] { with_dynamic_parameters(model, massless); }),
        "with_dynamic_parameters: 'arm': mass is 0 kg, but its first moment is (0 0.5 0) kg m, "
        "which no body has; give it a mass, or no moment");
}

TEST(Refusals, OfCoordinatesOfOthers) {
    const Model screw = Builder("screw")
                            .link("ground")
                            .body("ground", helical("thread", {0, 0, 1}, 0.1), "nut",
                                  MassProperties::box(1, {0.1, 0.2, 0.3}))
                            .build();
    EXPECT_EQ(message([&] { Coordinates(screw, Convention::kMujoco); }),
              "joint 'thread' is helical; MuJoCo has no such joint, nor coordinates for it");
    const Model pair = twins(0.5);
    const Coordinates theirs(pair, Convention::kMujoco);
    VectorX<double> q(2), v(2);
    q << 0.1, 0.9;
    EXPECT_EQ(message([&] { theirs.import_q(q); }),
              "q of joint 'right' is 0.9, but it mimics 'left' and must be 0.7");
    v << 0.1, 0.9;
    EXPECT_EQ(message([&] { theirs.import_v(neutral_configuration(pair), v); }),
              "v of joint 'right' is 0.9, but the joint mimics another and it must be 0.2");
    EXPECT_EQ(message([&] {
                  theirs.export_matrix(neutral_configuration(pair),
                                       MatrixX<double>::Identity(1, 1));
              }),
              "export_matrix: robot 'twins' has joints that mimic others, and a matrix for each "
              "of them alone does not follow from ours; use MimicJoints::kLeftOut");
}

}  // namespace
}  // namespace plucker::test
