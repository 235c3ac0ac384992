// Which shapes are looked at, what they are called, and what is refused.
#include <gtest/gtest.h>

#include "collide/scene.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

Shape ball(const char* name, double radius = 0.5) {
    return {.name = name, .placement = {}, .geometry = Sphere{radius}};
}

// base - hinge - upper - fixed - cuff - hinge - lower - hinge - hand, all balls in one place.
Builder limb(Base base = Base::kFloating) {
    Builder builder("limb");
    const MassProperties mass = MassProperties::sphere(1, 1);
    builder.base(base)
        .link("base", mass)
        .body("base", revolute("shoulder", {1, 0, 0}), "upper", mass)
        .body("upper", fixed("strap"), "cuff", mass)
        .body("cuff", revolute("elbow", {1, 0, 0}), "lower", mass)
        .body("lower", revolute("wrist", {1, 0, 0}), "hand", mass);
    for (const char* link : {"base", "upper", "cuff", "lower", "hand"})
        builder.collision(link, ball(link));
    return builder;
}

// Pairs of names that can touch, "upper-hand".
std::vector<std::string> pairs(const Model& model, const World& world = {}) {
    const CollisionShapes shapes(model, world);
    std::vector<std::string> out;
    for (int a = 0; a < static_cast<int>(shapes.shapes().size()); ++a) {
        for (int b = 0; b < static_cast<int>(shapes.shapes().size()); ++b) {
            EXPECT_EQ(shapes.can_touch(a, b), shapes.can_touch(b, a));
            if (a < b && shapes.can_touch(a, b))
                out.push_back(shapes.shapes()[static_cast<std::size_t>(a)].name + "-" +
                              shapes.shapes()[static_cast<std::size_t>(b)].name);
        }
    }
    return out;
}

using Names = std::vector<std::string>;

TEST(Pairs, LeaveOutOneBodyAndThoseThatAJointConnects) {
    const Names expected{"base-lower", "base-hand", "upper-hand", "cuff-hand"};
    EXPECT_EQ(pairs(limb().build()), expected);
    EXPECT_EQ(pairs(limb().fixed_joints(FixedJoints::kKeep).build()), expected);
}

// As far as the farthest of a body's shapes, wherever its frame is; planes have no end, and do not count.
TEST(Reach, IsThatOfTheFarthestShapeOfABody) {
    Builder builder = limb();
    Shape far = ball("far", 0.25);
    far.placement.position = {0, 3, 4};
    builder.collision("lower", far);
    builder.collision("lower", ball("near", 0.125));
    builder.collision("hand", {.name = "plane", .placement = {}, .geometry = Plane{{0, 0, 1}}});
    const Model model = builder.build();
    const CollisionShapes shapes(model, World::flat());
    for (int i = 1; i <= model.num_bodies(); ++i) {
        EXPECT_EQ(shapes.reach()[static_cast<std::size_t>(i)],
                  model.body_name(i) == "lower" ? 5.25 : 0.5);
    }
    EXPECT_EQ(shapes.reach()[0], 0);
}

TEST(Pairs, OfAFixedBaseAreThoseOfTheWorldsShapesToo) {
    // The base is fixed in the world: after all that moves, and apart from the world's own shapes.
    EXPECT_EQ(pairs(limb(Base::kFixed).build(), World::flat()),
              (Names{"upper-hand", "upper-ground", "cuff-hand", "cuff-ground", "lower-base",
                     "lower-ground", "hand-base", "hand-ground"}));
}

TEST(Pairs, LeaveOutLinksThatNeverTouch) {
    EXPECT_EQ(pairs(limb().never_touching("hand", "base").never_touching("base", "lower").build()),
              (Names{"upper-hand", "cuff-hand"}));
}

TEST(Pairs, MeetWhatTheirBitsSay) {
    for (const auto& [is_a, meets_a, is_b, meets_b, expected] : {std::tuple{1U, 1U, 1U, 1U, true},
                                                                 {1U, 0U, 0U, 1U, true},
                                                                 {2U, 2U, 1U, 1U, false},
                                                                 {2U, 0U, 1U, 2U, true},
                                                                 {1U, 0U, 1U, 0U, false},
                                                                 {0U, 6U, 4U, 0U, true}}) {
        Description d = free_bodies({Sphere{1}, Sphere{1}}).description();
        d.links[1].collisions[0].is = is_a;
        d.links[1].collisions[0].meets = meets_a;
        d.links[2].collisions[0].is = is_b;
        d.links[2].collisions[0].meets = meets_b;
        EXPECT_EQ(CollisionShapes(Model(d), {}).can_touch(0, 1), expected);
    }
}

TEST(Pairs, OfWhatFloatsIncludeTheGroundOfItsFile) {
    // As a file of MuJoCo has it: a plane and a wall of the world, free bodies, and an arm that is bolted to it.
    Builder builder("scene");
    const MassProperties mass = MassProperties::sphere(1, 1);
    builder.link("world")
        .body("world", floating("free"), "ball", mass)
        .body("world", revolute("bolt", {0, 0, 1}), "arm", mass)
        .collision("ball", ball("ball"))
        .collision("arm", ball("arm"))
        .collision("world", {.name = "floor", .placement = {}, .geometry = Plane{}})
        .collision("world", ball("wall"));
    EXPECT_EQ(pairs(builder.build()), (Names{"ball-arm", "ball-floor", "ball-wall", "arm-floor"}));
}

TEST(Pairs, AreNeverOfTheWorldOnly) {
    World world = World::flat();
    world.shapes.push_back(ball("stone"));
    HeightField field;
    field.name = "hill";
    field.points_x = field.points_y = 2;
    field.heights = {0, 0, 0, 0};
    world.fields.push_back(field);
    EXPECT_EQ(pairs(free_bodies({Plane{}}), world), (Names{"-stone"}));
}

TEST(Shapes, KnowTheirBodies) {
    const Model model = limb().build();
    const CollisionShapes shapes(model, World::flat());
    ASSERT_EQ(shapes.shapes().size(), 6U);
    EXPECT_EQ(shapes.shapes()[2].name, "cuff");
    EXPECT_EQ(shapes.shapes()[2].link, "cuff");
    EXPECT_EQ(shapes.shapes()[2].body, model.body_index("upper"));
    EXPECT_EQ(shapes.shapes()[5].name, "ground");
    EXPECT_EQ(shapes.shapes()[5].body, 0);
}

TEST(Shapes, StandWhereTheirLinksDo) {
    // The joint's axis is not z: the body's frame is turned against the link's.
    Builder builder("arm");
    builder.link("base")
        .body("base", revolute("hinge", {1, 0, 0}).at(0, 0, 1), "rod", MassProperties::sphere(1, 1))
        .body("rod", fixed("weld").at(0, 0.4, 0), "tip", MassProperties::sphere(1, 1))
        .collision("tip", {.name = "",
                           .placement = Pose<double>::translation(0, 0.1, 0),
                           .geometry = Sphere{0.2}});
    const Model model = builder.build();
    CollisionShapes shapes(model, World::flat({0, -1, 0}));
    // At zero the tip's ball is at (0, 0.5, 1).
    const Transform<double> X_rod_world = model.frame(model.frame_id("rod")).X_frame_body;
    const Pose<double> rod = Pose<double>::translation(0, 0, 1) * inverse(to_pose(X_rod_world));
    std::vector<ContactPoint> contacts;
    shapes.find(std::vector<Pose<double>>{{}, rod}, 0, contacts);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].distance, -0.7, 1e-12);
    EXPECT_NEAR(norm(contacts[0].position - Vec{0, 0.35, 1}), 0, 1e-12);
}

TEST(Shapes, ComeInADeterministicOrder) {
    const Model model = limb().build();
    CollisionShapes shapes(model, World::flat());
    CollisionShapes copy = shapes;
    std::vector<ContactPoint> once, again;
    Dice dice(1);
    for (int k = 0; k < 20; ++k) {
        std::vector<Pose<double>> poses{{}};
        for (int b = 1; b <= model.num_bodies(); ++b) poses.push_back(dice.pose(0.4));
        shapes.find(poses, 0.1, once);
        if (k % 3 == 0) copy = CollisionShapes(model, World::flat());  // without a past
        copy.find(poses, 0.1, again);
        ASSERT_EQ(once.size(), again.size());
        for (std::size_t m = 0; m < once.size(); ++m) {
            EXPECT_EQ(once[m].id, again[m].id);
            EXPECT_EQ(once[m].position, again[m].position);
            EXPECT_LT(once[m].shape_a, once[m].shape_b);
            EXPECT_NE(once[m].body_a, 0);
            if (m > 0) {
                EXPECT_LE(std::pair(once[m - 1].shape_a, once[m - 1].shape_b),
                          std::pair(once[m].shape_a, once[m].shape_b));
            }
        }
    }
}

TEST(Shapes, HaveTheSurfaceOfBoth) {
    Description d = free_bodies({Sphere{1}, Sphere{1}}).description();
    d.links[1].collisions[0].surface =
        Surface{.friction = 0.3, .torsional = 0.02, .restitution = 0};
    World world = World::flat();
    world.surface = {.friction = 0.5, .torsional = 0.01, .restitution = 0.1};
    world.shapes[0].surface = Surface{.friction = 0.2, .torsional = 0, .restitution = 0.7};
    CollisionShapes shapes(Model(d), world);
    std::vector<ContactPoint> contacts;
    shapes.find(std::vector<Pose<double>>{{}, {}, {}}, 0, contacts);
    ASSERT_EQ(contacts.size(), 3U);
    EXPECT_EQ(contacts[0].surface, (Surface{0.5, 0.02, 0.1}));  // ball and ball
    EXPECT_EQ(contacts[1].surface, (Surface{0.3, 0.02, 0.7}));  // ball and ground
    EXPECT_EQ(contacts[2].surface, (Surface{0.5, 0.01, 0.7}));
}

// Of the robot, of the world, or of terrain.
TEST(Shapes, OfSurfacesThatAreNoneAreRefused) {
    const auto refuses = [](double Surface::*member, double value) {
        Surface bad;
        bad.*member = value;
        World world = World::flat();
        world.surface = bad;
        const Model ball = Builder("ball")
                               .base(Base::kFloating)
                               .link("ball", MassProperties::sphere(1, 0.1))
                               .build();
        Description rough = ball.description();
        rough.links[0].collisions.push_back(
            {.name = "skin", .placement = {}, .geometry = Sphere{0.1}, .surface = bad});
        HeightField hills{.name = "hills", .points_x = 2, .points_y = 2, .heights = {0, 0, 0, 0}};
        hills.surface = bad;
        World terrain;
        terrain.fields.push_back(hills);
        for (const std::string& said : {message([&] { CollisionShapes(ball, world); }),
                                        message([&] { CollisionShapes(Model(rough), World{}); }),
                                        message([&] { CollisionShapes(ball, terrain); })}) {
            EXPECT_NE(said.find("friction is"), said.find("restitution is")) << said;
            EXPECT_NE(said.find("; it must be "), std::string::npos) << said;
        }
    };
    for (const double value : {-0.5, double{NAN}, double{INFINITY}}) {
        refuses(&Surface::friction, value);
        refuses(&Surface::torsional, value);
        refuses(&Surface::restitution, value);
    }
    refuses(&Surface::restitution, 1.5);
}

TEST(Shapes, ThatAreNoneAreRefused) {
    const auto refusal = [](const Geometry& geometry, const World& world = {}) {
        return message([&] { CollisionShapes(free_bodies({geometry}), world); });
    };
    EXPECT_EQ(refusal(Sphere{-1}),
              "collision shape 0 of link 'body0': the radius is -1 m; it must be finite and not "
              "negative");
    EXPECT_EQ(refusal(Box{{1, std::nan(""), 1}}),
              "collision shape 0 of link 'body0': a size is nan m; it must be finite and not "
              "negative");
    EXPECT_EQ(refusal(Plane{{0, 0, 0}}),
              "collision shape 0 of link 'body0': the plane's normal is (0, 0, 0); it must have a "
              "direction");
    EXPECT_EQ(
        refusal(Mesh{"leg.stl", "", {1, 1, 1}}),
        "collision shape 0 of link 'body0': the mesh 'leg.stl' is not read, because the world "
        "has no reader of meshes; set World::read_mesh, to plucker::read_mesh for "
        "example");
    World world;
    world.read_mesh = [](const Mesh&) { return std::vector<Vec>{}; };
    EXPECT_EQ(refusal(Mesh{"leg.stl", "", {1, 1, 1}}, world),
              "collision shape 0 of link 'body0': the mesh 'leg.stl' has no points");
    world = World::flat({0, 0, 0});
    EXPECT_EQ(refusal(Sphere{1}, world),
              "shape 'ground' of the world: the plane's normal is (0, 0, 0); it must have a "
              "direction");
}

TEST(Shapes, AreFoundWithRightArgumentsOnly) {
    CollisionShapes shapes(free_bodies({Sphere{1}}), World::flat());
    std::vector<ContactPoint> out;
    EXPECT_EQ(message([&] { shapes.find(std::vector<Pose<double>>(3), 0, out); }),
              "CollisionShapes::find: bodies has size 3, expected 2 (num_bodies + 1, the world's "
              "first)");
    EXPECT_EQ(message([&] { shapes.find(std::vector<Pose<double>>(2), -1, out); }),
              "CollisionShapes::find: margin is -1 m; it must be finite and not negative");
    EXPECT_EQ(message([&] { shapes.can_touch(0, 2); }),
              "CollisionShapes::can_touch: there is no shape 2; they are numbered from 0 to 1");
}

}  // namespace
}  // namespace plucker::test
