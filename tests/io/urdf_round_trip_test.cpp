// Random robots, written as URDF and read back: the same description, and the same dynamics.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "findings.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test::round_trip {
namespace {

constexpr double kPi = std::numbers::pi;

class Dice {
public:
    explicit Dice(unsigned seed) : generator_(seed) {}

    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(generator_); }
    bool heads() { return below(2) == 0; }
    double number(double lower = -1, double upper = 1) {
        return std::uniform_real_distribution<double>(lower, upper)(generator_);
    }
    Vec3<double> vector(double lower = -1, double upper = 1) {
        return {number(lower, upper), number(lower, upper), number(lower, upper)};
    }
    // Anything, and what roll, pitch and yaw find hard: quarter and half turns, exact and nearly so, with and without
    // the rounding of a rotation that was computed.
    Pose<double> pose() {
        const double quarter = kPi / 2;
        const auto angle = [&] {
            const double turns[] = {-2 * quarter, -quarter, 0, quarter, 2 * quarter};
            const double near[] = {0, 1e-15, -1e-12, 1e-9, -1e-8, 1e-7, -1e-5};
            return heads() ? number(-kPi, kPi) : turns[below(5)] + near[below(7)];
        };
        const Vec3<double> position = below(4) == 0 ? Vec3<double>{} : vector();
        const auto turn = [&] {
            return Pose<double>::roll_pitch_yaw({}, {angle(), angle(), angle()}).rotation;
        };
        switch (below(4)) {
            case 0:
                return Pose<double>::translation(number(), 0, number());
            case 1: {
                Mat3<double> axes = Mat3<double>::identity();
                for (int k = below(24); k > 0; --k) {
                    axes = heads() ? Mat3<double>{axes.z, axes.x, axes.y}    // a third of a turn
                                   : Mat3<double>{axes.y, -axes.x, axes.z};  // a quarter
                }
                return {axes, position};
            }
            case 2: {
                const Mat3<double> there = turn();
                return {transpose(there) * (there * turn()), position};
            }
            default:
                return {turn(), position};
        }
    }
    MassProperties mass() {
        if (below(6) == 0) return {};
        MassProperties box =
            MassProperties::box(number(0.1, 3), vector(0.05, 0.5), vector(-0.2, 0.2));
        box.about_center = rotate_back(pose().rotation, box.about_center);
        return box;
    }
    Shape shape() {
        Shape out;
        if (heads()) out.name = "shape " + std::to_string(below(1000));
        out.placement = pose();
        switch (below(5)) {
            case 0:
                out.geometry = Box{vector(0.1, 2)};
                break;
            case 1:
                out.geometry = Cylinder{number(0.1, 2), number(0.1, 2)};
                break;
            case 2:
                out.geometry = Capsule{number(0.1, 2), number(0.1, 2)};
                break;
            case 3:
                out.geometry = Sphere{number(0.1, 2)};
                break;
            default:
                // As it is, or stretched along some of its axes.
                out.geometry = Mesh{"package://none/a b.stl",
                                    "",
                                    {heads() ? 1 : number(0.1, 2), heads() ? 1 : number(0.1, 2),
                                     heads() ? 1 : number(0.1, 2)}};
        }
        if (heads()) {
            out.material = Material{"m" + std::to_string(below(1 << 30)), std::nullopt, ""};
            if (heads()) out.material->rgba = {number(0), number(0), number(0), number(0)};
            if (heads()) out.material->texture = "wood.png";
        }
        return out;
    }
    JointDescription joint(const std::string& name, JointType type) {
        JointDescription out = joint_of_type(type, name, vector());
        while (norm(out.axis) < 0.1) out.axis = vector();
        out.placement = pose();
        if (type == JointType::kFixed) return out;
        if (heads()) out.damping = number(0, 5);
        if (heads()) out.friction = number(0, 5);
        const bool slides = type == JointType::kPrismatic;
        const bool bounded = (type == JointType::kRevolute || slides) && heads();
        if (bounded) {
            out.limits.lower = number(-2, 1);
            out.limits.upper = out.limits.lower + number(0, 2);
        }
        // URDF cannot say these of a sliding joint without bounds.
        if (bounded || !slides) {
            if (heads()) out.limits.velocity = number(0, 10);
            if (heads()) out.limits.effort = number(0, 100);
        }
        return out;
    }

private:
    std::mt19937 generator_;
};

// Every type that URDF has, in a tree, with mimics of joints before and after.
Description random_robot(unsigned seed) {
    constexpr JointType kTypes[] = {JointType::kRevolute, JointType::kPrismatic, JointType::kFixed,
                                    JointType::kPlanar, JointType::kFloating};
    Dice dice(seed);
    Description d;
    d.name = "robot " + std::to_string(seed);
    d.links.push_back({"base", dice.mass()});
    std::vector<std::size_t> with_one_freedom;
    for (int k = 0; k < 12; ++k) {
        const JointType type = k < 5 ? kTypes[k] : kTypes[dice.below(5)];
        JointDescription joint = dice.joint("joint " + std::to_string(k), type);
        joint.parent = d.links[static_cast<std::size_t>(dice.below(k + 1))].name;
        joint.child = "link " + std::to_string(k);
        d.links.push_back({joint.child, dice.mass()});
        while (dice.below(3) > 0) d.links.back().visuals.push_back(dice.shape());
        while (dice.below(3) > 0) d.links.back().collisions.push_back(dice.shape());
        if (type == JointType::kRevolute || type == JointType::kPrismatic)
            with_one_freedom.push_back(d.joints.size());
        d.joints.push_back(std::move(joint));
    }
    // The last is followed; each of the others may follow the next.
    for (std::size_t k = 0; k + 1 < with_one_freedom.size(); ++k) {
        if (dice.heads()) continue;
        d.joints[with_one_freedom[k]].mimic =
            Mimic{d.joints[with_one_freedom[k + 1]].name, dice.number(-3, 3), dice.number()};
    }
    for (int k = 0; k < 3; ++k) {
        d.frames.push_back({"frame " + std::to_string(k),
                            d.links[static_cast<std::size_t>(dice.below(13))].name, dice.pose()});
    }
    return d;
}

// Rotations pass through three angles: a few roundings of numbers of order one.
constexpr double kTurned = 4e-15;

void expect_same_pose(const Pose<double>& a, const Pose<double>& b) {
    EXPECT_EQ(a.position, b.position);
    EXPECT_LT((to_eigen(a.rotation) - to_eigen(b.rotation)).cwiseAbs().maxCoeff(), kTurned);
}

void expect_same_geometry(const Geometry& a, const Geometry& b) {
    ASSERT_EQ(a.index(), b.index());
    struct Numbers {
        std::vector<double> operator()(const Box& g) { return {g.size.x, g.size.y, g.size.z}; }
        std::vector<double> operator()(const Cylinder& g) { return {g.radius, g.length}; }
        std::vector<double> operator()(const Capsule& g) { return {g.radius, g.length}; }
        std::vector<double> operator()(const Sphere& g) { return {g.radius}; }
        std::vector<double> operator()(const Ellipsoid&) { return {}; }
        std::vector<double> operator()(const Plane&) { return {}; }
        std::vector<double> operator()(const Mesh& g) { return {g.scale.x, g.scale.y, g.scale.z}; }
    };
    EXPECT_EQ(std::visit(Numbers{}, a), std::visit(Numbers{}, b));
    if (const auto* mesh = std::get_if<Mesh>(&a)) {
        EXPECT_EQ(mesh->uri, std::get<Mesh>(b).uri);
    }
}

void expect_same_shapes(const std::vector<Shape>& a, const std::vector<Shape>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].name, b[k].name);
        expect_same_pose(a[k].placement, b[k].placement);
        expect_same_geometry(a[k].geometry, b[k].geometry);
        ASSERT_EQ(a[k].material.has_value(), b[k].material.has_value());
        if (!a[k].material) continue;
        EXPECT_EQ(a[k].material->name, b[k].material->name);
        EXPECT_EQ(a[k].material->rgba, b[k].material->rgba);
        EXPECT_EQ(a[k].material->texture, b[k].material->texture);
    }
}

void expect_same_joint(const JointDescription& a, const JointDescription& b) {
    SCOPED_TRACE(a.name);
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.type, b.type);
    EXPECT_EQ(a.parent, b.parent);
    EXPECT_EQ(a.child, b.child);
    expect_same_pose(a.placement, b.placement);
    if (a.type != JointType::kFixed && a.type != JointType::kFloating) {
        EXPECT_EQ(a.axis, b.axis);
    }
    EXPECT_EQ(a.damping, b.damping);
    EXPECT_EQ(a.friction, b.friction);
    EXPECT_EQ(a.limits.lower, b.limits.lower);
    EXPECT_EQ(a.limits.upper, b.limits.upper);
    EXPECT_EQ(a.limits.velocity, b.limits.velocity);
    EXPECT_EQ(a.limits.effort, b.limits.effort);
    ASSERT_EQ(a.mimic.has_value(), b.mimic.has_value());
    if (!a.mimic) return;
    EXPECT_EQ(a.mimic->joint, b.mimic->joint);
    EXPECT_EQ(a.mimic->multiplier, b.mimic->multiplier);
    EXPECT_EQ(a.mimic->offset, b.mimic->offset);
}

void expect_same_description(const Description& before, const Description& after) {
    EXPECT_EQ(after.name, before.name);
    for (const LinkDescription& a : before.links) {
        SCOPED_TRACE(a.name);
        const LinkDescription& b = link(after, a.name);
        EXPECT_EQ(a.mass, b.mass);
        expect_same_shapes(a.visuals, b.visuals);
        expect_same_shapes(a.collisions, b.collisions);
    }
    for (const JointDescription& a : before.joints) expect_same_joint(a, joint(after, a.name));
    // Frames come back as links on fixed joints.
    for (const FrameDescription& frame : before.frames) {
        const JointDescription& mount = joint(after, frame.name + "_frame");
        EXPECT_EQ(mount.type, JointType::kFixed);
        EXPECT_EQ(mount.parent, frame.link);
        EXPECT_EQ(mount.child, frame.name);
        expect_same_pose(frame.placement, mount.placement);
    }
    EXPECT_EQ(after.links.size(), before.links.size() + before.frames.size());
    EXPECT_EQ(after.joints.size(), before.joints.size() + before.frames.size());
}

class RandomRobot : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomRobot, testing::Range(0U, 40U));

TEST_P(RandomRobot, IsReadAsItWasWritten) {
    const Description before = random_robot(GetParam());
    std::vector<Diagnostic> lost;
    const std::string text = write_urdf(before, &lost);
    EXPECT_TRUE(lost.empty()) << to_string(lost.front());
    const ReadResult result = read_robot_text(text, "again.urdf");
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    expect_same_description(before, result.description);
    // What was read is written in the same words, but for the last digits of angles.
    const ReadResult twice = read_robot_text(write_urdf(result.description), "again.urdf");
    EXPECT_EQ(twice.description.joints.size(), result.description.joints.size());
}

TEST_P(RandomRobot, MovesAsBefore) {
    const Model before(random_robot(GetParam()));
    const Model after(read_robot_text(write_urdf(before.description()), "again.urdf").description);
    ASSERT_EQ(after.velocity_names(), before.velocity_names());
    EXPECT_NEAR(after.total_mass(), before.total_mass(), 1e-13);
    std::mt19937 generator(GetParam());
    const auto s = laws::random_state(before, generator);
    const auto distance = [](const MatrixX<double>& a, const MatrixX<double>& b) {
        return (a - b).cwiseAbs().maxCoeff() / (1 + a.cwiseAbs().maxCoeff());
    };
    // A dozen turned placements, one after the other, each rounded.
    constexpr double kTolerance = 1e-12;
    EXPECT_LT(distance(mass_matrix(before, s.q), mass_matrix(after, s.q)), kTolerance);
    EXPECT_LT(
        distance(inverse_dynamics(before, s.q, s.v, s.a), inverse_dynamics(after, s.q, s.v, s.a)),
        kTolerance);
    EXPECT_LT(distance(friction_torque(before, s.v), friction_torque(after, s.v)), kTolerance);
    for (const Frame& frame : before.frames()) {
        const Pose<double> a = frame_pose(before, s.q, frame.name);
        const Pose<double> b = frame_pose(after, s.q, frame.name);
        EXPECT_LT(norm(a.position - b.position), kTolerance) << frame.name;
        EXPECT_LT(distance(to_eigen(a.rotation), to_eigen(b.rotation)), kTolerance) << frame.name;
    }
}

// A frame becomes a joint, too, whose name must be its own.
TEST(UrdfWriter, GivesJointsOfFramesNamesThatNobodyHas) {
    Builder robot("r");
    robot.link("base");
    for (const char* name : {"tip_frame", "tip_frame_"})
        robot.body("base", revolute(name, {0, 0, 1}), std::string("link of ") + name,
                   MassProperties::sphere(1, 1));
    robot.frame("tip", "base", Pose<double>::translation(1, 2, 3));
    const ReadResult again = read_robot_text(write_urdf(robot.description()), "again.urdf");
    ASSERT_FALSE(has_errors(again.diagnostics)) << messages(again);
    EXPECT_EQ(joint(again.description, "tip_frame__").placement.position, (Vec3<double>{1, 2, 3}));
}

// A limit of zero is a limit, and none is none.
// A zero has no sign in a file, wherever it comes from.
TEST(UrdfWriter, WritesZeroWithoutASign) {
    const Vec3<double> zero{-0.0, -0.0, -0.0};
    Description d = Builder("r")
                        .link("a")
                        .body("a",
                              revolute("j", {-0.0, 1, -0.0})
                                  .at({Mat3<double>::identity(), {1, -0.0, -0.0}})
                                  .with_limits({-0.0, -0.0, 1, 1}),
                              "b", MassProperties::sphere(1, 0.1))
                        .description();
    d.links[1].mass.center = {-0.0, 1, -0.0};
    d.links[1].mass.about_center.xy = -0.0;
    Shape shape;
    shape.geometry = Box{{-0.0, 1, 2}};
    shape.placement.position = {-0.0, 3, -0.0};
    d.links[1].visuals.push_back(shape);
    d.frames.push_back({"tool", "b", {Mat3<double>::identity(), zero}, {}});
    const std::string text = write_urdf(d);
    EXPECT_EQ(text.find("-0"), std::string::npos) << text;
}

TEST(UrdfWriter, KeepsLimitsOfZero) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    for (const JointDescription& plain : {revolute("j", {0, 0, 1}), prismatic("j", {0, 0, 1})}) {
        for (const double velocity : {0.0, 2.0, kNone}) {
            for (const double effort : {0.0, 3.0, kNone}) {
                for (const double upper : {0.0, 1.0}) {
                    const JointDescription limited = plain.with_limits({.lower = -1 + upper,
                                                                        .upper = upper,
                                                                        .velocity = velocity,
                                                                        .effort = effort});
                    const Description d = Builder("r")
                                              .link("a")
                                              .body("a", limited, "b", MassProperties::sphere(1, 1))
                                              .description();
                    const ReadResult again = read_robot_text(write_urdf(d), "again.urdf");
                    ASSERT_FALSE(has_errors(again.diagnostics)) << messages(again);
                    const JointLimits& l = joint(again.description, "j").limits;
                    EXPECT_EQ(l.lower, -1 + upper);
                    EXPECT_EQ(l.upper, upper);
                    EXPECT_EQ(l.velocity, velocity);
                    EXPECT_EQ(l.effort, effort);
                }
            }
        }
    }
}

// --- What the writer cannot say ---------------------------------------------------------------------

std::string losses(const JointDescription& hinge, Base base = Base::kFixed) {
    std::vector<Diagnostic> lost;
    write_urdf(Builder("r")
                   .base(base)
                   .link("a")
                   .body("a", hinge, "b", MassProperties::sphere(1, 1))
                   .description(),
               &lost);
    std::string out;
    for (const Diagnostic& d : lost) out += to_string(d) + "\n";
    return out;
}

TEST(UrdfWriter, SaysWhatIsLost) {
    const JointDescription hinge = revolute("j", {0, 0, 1}), slide = prismatic("j", {0, 0, 1});
    EXPECT_EQ(losses(hinge), "");
    for (const JointDescription& joint : {hinge, slide}) {
        for (const JointLimits& limits :
             {JointLimits{.lower = -1}, JointLimits{.upper = 1},
              JointLimits{.lower = -1, .effort = 3}, JointLimits{.upper = 1, .velocity = 3}}) {
            EXPECT_TRUE(has_all(losses(joint.with_limits(limits)), {"joint 'j'", "on one side"}));
        }
    }
    EXPECT_TRUE(has_all(losses(slide.with_limits({.effort = 1})), {"joint 'j'", "effort limits"}));
    EXPECT_EQ(losses(hinge.with_limits({.effort = 1})), "");
    EXPECT_TRUE(has_all(losses(hinge.with_armature(0.5)), {"joint 'j'", "armature 0.5"}));
    EXPECT_TRUE(has_all(losses(hinge, Base::kFloating), {"robot 'r'", "base floats"}));
    // Of the robot as a whole, and of what touches.
    const auto of = [](const std::function<void(Description&)>& change) {
        Description d = Builder("r")
                            .link("a")
                            .body("a", revolute("j", {0, 0, 1}), "b", MassProperties::sphere(1, 1))
                            .description();
        change(d);
        std::vector<Diagnostic> lost;
        write_urdf(d, &lost);
        std::string out;
        for (const Diagnostic& each : lost) out += to_string(each) + "\n";
        return out;
    };
    EXPECT_EQ(of([](Description&) {}), "");
    EXPECT_TRUE(has_all(of([](Description& d) { d.gravity.x = 1; }), {"gravity (1 0 -9.81)"}));
    EXPECT_TRUE(has_all(of([](Description& d) {
                            d.never_touching = {{"a", "b"}};
                        }),
                        {"link 'a'", "never touches 'b'"}));
    EXPECT_TRUE(has_all(of([](Description& d) { d.constraints = {connect("pin", "b", "world")}; }),
                        {"constraint 'pin'", "beyond the tree"}));
    EXPECT_EQ(of([](Description& d) {
                  d.postures = {{"home", {{"j", {0.3}}}}};
              }),
              "posture 'home': URDF cannot say a configuration; it is lost\n");
    EXPECT_TRUE(has_all(of([](Description& d) {
                            Shape ball{.name = "", .placement = {}, .geometry = Sphere{0.1}};
                            ball.surface = Surface{.friction = 0.3};
                            d.links[1].collisions = {ball};
                        }),
                        {"link 'b'", "how its surface touches"}));
    // Each number of a surface, and what a shape is and what it meets, by itself; of two that are alike nothing is lost.
    const auto beside_another = [&](const std::function<void(Shape&)>& change) {
        return of([&](Description& d) {
            Shape ball{.name = "", .placement = {}, .geometry = Sphere{0.1}};
            d.links[0].collisions = {ball};
            change(ball);
            d.links[1].collisions = {ball};
        });
    };
    EXPECT_EQ(beside_another([](Shape&) {}), "");
    const std::pair<const char*, std::function<void(Shape&)>> changes[] = {
        {"friction", [](Shape& x) { x.surface = Surface{.friction = 0.3}; }},
        {"torsional", [](Shape& x) { x.surface = Surface{.torsional = 0.01}; }},
        {"restitution", [](Shape& x) { x.surface = Surface{.restitution = 0.5}; }},
        {"is", [](Shape& x) { x.is = 2; }},
        {"meets", [](Shape& x) { x.meets = 2; }}};
    for (const auto& [what, change] : changes) {
        EXPECT_TRUE(has_all(beside_another(change), {"link 'b'", "how its surface touches"}))
            << what;
    }
    EXPECT_TRUE(has_all(
        of([](Description& d) {
            d.links[1].visuals = {{.name = "", .placement = {}, .geometry = Ellipsoid{{1, 2, 3}}}};
        }),
        {"link 'b'", "plane or ellipsoid"}));
}

}  // namespace
}  // namespace plucker::test::round_trip
