// What looks like a mistake: each suspicion is said of a robot that has cause for it, and not of one that only comes near.
#include "plucker/model/suspicions.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "plucker/model/builder.hpp"

namespace plucker::test {
namespace {

// A trunk with two legs, mirrored; each thigh is a box of wood with a foot that weighs nothing, fixed to it.
Description walker() {
    const auto thigh = [](double y) {
        return MassProperties::box(6, {0.1, 0.2, 0.5}, {0.01, y, -0.2});
    };
    const auto hip = [](const char* name, double y) {
        return revolute(name, {0, 1, 0}).at(Pose<double>::translation(0.1, y, -0.3));
    };
    Builder b("walker");
    b.link("trunk", MassProperties::box(20, {0.3, 0.4, 0.6}));
    b.body("trunk", hip("left_hip", 0.2).with_limits({-1, 2, 5, 50}), "left_thigh", thigh(0.02));
    b.body("trunk", hip("right_hip", -0.2).with_limits({-2, 1, 5, 50}), "right_thigh",
           thigh(-0.02));
    b.body("left_thigh", fixed("left_ankle"), "left_foot", {});
    b.body("right_thigh", fixed("right_ankle"), "right_foot", {});
    Description d = b.description();
    for (LinkDescription& link : d.links) {
        if (!link.name.ends_with("thigh")) continue;
        Shape box;
        box.geometry = Box{{0.1, 0.2, 0.5}};
        link.collisions.push_back(box);
    }
    return d;
}

JointDescription& hip_of(Description& d, const std::string& side) {
    for (JointDescription& joint : d.joints) {
        if (joint.name == side + "_hip") return joint;
    }
    throw Error("no such side");
}
LinkDescription& link_of(Description& d, const std::string& name) {
    for (LinkDescription& link : d.links) {
        if (link.name == name) return link;
    }
    throw Error("no such link");
}
// Both sides alike, so that nothing is said about a difference.
void change_thighs(Description& d, const std::function<void(LinkDescription&)>& change) {
    change(link_of(d, "left_thigh"));
    change(link_of(d, "right_thigh"));
}
void change_hips(Description& d, const std::function<void(JointDescription&)>& change) {
    change(hip_of(d, "left"));
    change(hip_of(d, "right"));
}

std::string suspicions(const Description& d) {
    EXPECT_NO_THROW((void)Model(d)) << "suspicions are of robots without errors";
    std::string out;
    for (const Diagnostic& found : find_suspicions(d)) out += to_string(found) + "\n";
    return out;
}

TEST(Suspicions, AreNoneOfASoundRobot) { EXPECT_EQ(suspicions(walker()), ""); }

struct Suspicion {
    const char* name;
    std::function<void(Description&)> deserve, miss;  // cause for it, and nearly so
    const char* words;
};
void PrintTo(const Suspicion& s, std::ostream* out) { *out << s.name; }

class EachSuspicion : public testing::TestWithParam<Suspicion> {};

TEST_P(EachSuspicion, IsSaidWhereThereIsCauseAlone) {
    Description with = walker(), nearly = walker();
    GetParam().deserve(with);
    GetParam().miss(nearly);
    EXPECT_NE(suspicions(with).find(GetParam().words), std::string::npos) << suspicions(with);
    EXPECT_EQ(suspicions(nearly), "");
}

std::function<void(Description&)> thighs(const std::function<void(LinkDescription&)>& change) {
    return [=](Description& d) { change_thighs(d, change); };
}
std::function<void(Description&)> hips(const std::function<void(JointDescription&)>& change) {
    return [=](Description& d) { change_hips(d, change); };
}
std::function<void(Description&)> limits(JointLimits l) {
    return hips([=](JointDescription& j) { j.limits = l; });
}
// A thigh of that mass and radius of gyration, without a shape.
std::function<void(Description&)> gyration(double mass, double radius) {
    return thighs([=](LinkDescription& link) {
        const double I = mass * radius * radius;
        link.mass = {mass, {}, SymMat3<double>::diagonal(I, I, I)};
        link.collisions.clear();
    });
}
// A shape that the thigh's 6 kg fill with that density.
std::function<void(Description&)> density(double density, bool as_visual = false) {
    return thighs([=](LinkDescription& link) {
        link.collisions[0].geometry = Box{{6 / density, 1, 1}};
        if (as_visual) link.visuals.swap(link.collisions);
    });
}

INSTANTIATE_TEST_SUITE_P(
    All, EachSuspicion,
    testing::Values(
        Suspicion{"MasslessLeaf", thighs([](LinkDescription& l) { l.mass = {}; }),
                  [](Description& d) {  // the foot has the mass
                      change_thighs(d, [](LinkDescription& l) { l.mass = {}; });
                      for (const char* foot : {"left_foot", "right_foot"})
                          link_of(d, foot).mass = MassProperties::sphere(1, 0.1);
                  },
                  "link 'left_thigh': moves on joint 'left_hip' but has no mass"},
        Suspicion{"MasslessLeafWithoutRotor", thighs([](LinkDescription& l) { l.mass = {}; }),
                  [](Description& d) {
                      change_thighs(d, [](LinkDescription& l) { l.mass = {}; });
                      change_hips(d, [](JointDescription& j) { j.armature = 0.1; });
                  },
                  "forward dynamics is impossible"},
        // What carries something that moves is no leaf, whatever else is fixed to it and in whichever order.
        Suspicion{
            "MasslessLeafAmongOthers", thighs([](LinkDescription& l) { l.mass = {}; }),
            [](Description& d) {
                change_thighs(d, [](LinkDescription& l) { l.mass = {}; });
                const auto add = [&](const std::string& side, bool at_front) {
                    JointDescription knee = revolute(side + "_knee", {0, 1, 0});
                    knee.parent = side + "_thigh";
                    knee.child = side + "_shank";
                    d.links.push_back({knee.child, MassProperties::sphere(1, 0.1), {}, {}, {}});
                    d.joints.insert(at_front ? d.joints.begin() : d.joints.end(), knee);
                };
                add("left", true);
                add("right", false);
            },
            "link 'left_thigh': moves on joint 'left_hip' but has no mass"},
        Suspicion{"WideInertia", gyration(5, 10.5), gyration(5, 9.5), "radius of gyration of 10.5"},
        Suspicion{"NarrowInertia", gyration(5, 0.9e-4), gyration(5, 1.1e-4),
                  "radius of gyration of 9e-05"},
        Suspicion{"Grams", gyration(1.1e4, 1), gyration(0.9e4, 1), "is it in grams?"},
        Suspicion{"CentreInMillimetres",
                  thighs([](LinkDescription& l) { l.mass.center.z = -10.5; }),
                  thighs([](LinkDescription& l) { l.mass.center.z = -9.5; }),
                  "its centre of mass is 10.5"},
        Suspicion{"LighterThanAir", density(0.9), density(1.1), "is a density of 0.9 kg/m³"},
        Suspicion{"HeavierThanOsmium", density(24000), density(22000), "is a density of 24000"},
        Suspicion{"HeavyAsDrawn", density(24000, true), density(22000, true),
                  "is a density of 24000"},
        Suspicion{"PlaceInMillimetres",
                  hips([](JointDescription& j) { j.placement.position.x = 101; }),
                  hips([](JointDescription& j) { j.placement.position.x = 99; }),
                  "joint 'left_hip': its place is 101"},
        Suspicion{"NoRoom", limits({0.5, 0.5, 5, 50}), limits({0.5, 0.501, 5, 50}),
                  "its limits leave no room"},
        Suspicion{"UpperInDegrees", limits({-1, 21, 5, 50}), limits({-1, 19, 5, 50}),
                  "are they in degrees?"},
        Suspicion{"LowerInDegrees", limits({-21, 1, 5, 50}), limits({-19, 1, 5, 50}),
                  "are they in degrees?"},
        Suspicion{"NoVelocity", limits({-1, 1, 0, 50}), limits({-1, 1, 1e-3, 50}),
                  "its velocity limit is 0"},
        Suspicion{"NoEffort", limits({-1, 1, 5, 0}), limits({-1, 1, 5, 1e-3}),
                  "its effort limit is 0"},
        // Sides: what is equal up to the third digit, or mirrored, is no mistake.
        Suspicion{"SidesOfMass", [](Description& d) { link_of(d, "right_thigh").mass.mass = 6.1; },
                  [](Description& d) { link_of(d, "right_thigh").mass.mass = 6.005; },
                  "link 'right_thigh': its mass is 6.1, but that of 'left_thigh' is 6"},
        Suspicion{"SidesOfCentres",
                  [](Description& d) { link_of(d, "right_thigh").mass.center.y = 0.2; },
                  [](Description& d) { link_of(d, "right_thigh").mass.center.y = 0.02; },
                  "its centre of mass y is 0.2"},
        Suspicion{"SidesOfInertias",
                  [](Description& d) { link_of(d, "right_thigh").mass.about_center.yy *= 1.1; },
                  [](Description& d) { link_of(d, "right_thigh").mass.about_center.yy *= 1.0005; },
                  "its inertia yy is"},
        Suspicion{
            "SidesOfLimits", [](Description& d) { hip_of(d, "right").limits.lower = -2.5; },
            [](Description& d) {
                hip_of(d, "right").limits = {-1, 2, 5, 50};
            },
            "joint 'right_hip': its limits are -2.5 to 1, but those of 'left_hip' are -1 to 2"},
        Suspicion{"SidesOfPlaces",
                  [](Description& d) { hip_of(d, "right").placement.position.z = -0.31; },
                  [](Description& d) { hip_of(d, "right").placement.position.z = -0.3001; },
                  "joint 'right_hip': its place z is -0.31"}),
    [](const testing::TestParamInfo<Suspicion>& s) { return std::string(s.param.name); });

// The density is that of all shapes together, each with the volume of its kind; what has none says nothing.
TEST(Suspicions, KnowTheVolumeOfEveryShape) {
    constexpr double kPi = 3.14159265358979323846;
    const std::tuple<const char*, Geometry, double> shapes[] = {
        {"box", Box{{0.1, 0.2, 0.3}}, 0.006},
        {"cylinder", Cylinder{0.1, 0.3}, kPi * 0.01 * 0.3},
        {"capsule", Capsule{0.1, 0.3}, kPi * 0.01 * 0.3 + kPi * 0.004 / 3},
        {"sphere", Sphere{0.1}, kPi * 0.004 / 3},
        {"ellipsoid", Ellipsoid{{0.1, 0.2, 0.3}}, kPi * 0.024 / 3},
        {"plane", Plane{}, 0},
        {"mesh", Mesh{"thigh.stl", "", {1, 1, 1}}, 0}};
    for (const auto& [name, geometry, volume] : shapes) {
        for (const double density : {0.99, 1.01, 22900.0, 23100.0}) {
            for (const int count : {1, 2}) {
                SCOPED_TRACE(testing::Message() << count << " " << name << ", " << density);
                const double mass = volume > 0 ? count * volume * density : 1e3;
                Shape shape;
                shape.geometry = geometry;
                Description d = walker();
                change_thighs(d, [&](LinkDescription& link) {
                    link.mass = MassProperties::box(mass, {0.1, 0.2, 0.5});
                    link.collisions.assign(static_cast<std::size_t>(count), shape);
                });
                const bool is_odd = volume > 0 && (density < 1 || density > 23000);
                EXPECT_EQ(suspicions(d).find("is a density of") != std::string::npos, is_odd);
            }
        }
    }
}

// Sides have many names.
TEST(Suspicions, KnowSidesByTheirNames) {
    for (const auto& [left, right] : {std::pair{"left_arm", "right_arm"},
                                      {"armLeft", "armRight"},
                                      {"LEFT_ARM", "RIGHT_ARM"},
                                      {"l_arm", "r_arm"},
                                      {"LF_arm", "RF_arm"},
                                      {"FL_arm", "FR_arm"},
                                      {"rl_arm", "rr_arm"},
                                      {"arm_l", "arm_r"},
                                      {"arm_L", "arm_R"}}) {
        const auto arms = [left = left, right = right](double other) {
            return Builder("r")
                .link("base")
                .body("base", revolute("a", {0, 0, 1}), left, MassProperties::sphere(1, 0.1))
                .body("base", revolute("b", {0, 0, 1}), right, MassProperties::sphere(other, 0.1))
                .description();
        };
        EXPECT_EQ(suspicions(arms(1)), "") << left;
        EXPECT_NE(suspicions(arms(2)).find("is one mistyped?"), std::string::npos) << left;
    }
}

// What rounding leaves of a centre or a place that is zero was typed by nobody.
TEST(Suspicions, LeaveMicrometresAlone) {
    const auto arms = [](double left, double right) {
        const auto arm = [](const char* name, double off) {
            return revolute(name, {0, 0, 1}).at(0, off, 0.3);
        };
        return Builder("r")
            .link("base")
            .body("base", arm("left_shoulder", left), "left_arm",
                  MassProperties::sphere(1, 0.1, {left, 0, 0.2}))
            .body("base", arm("right_shoulder", right), "right_arm",
                  MassProperties::sphere(1, 0.1, {right, 0, 0.2}))
            .description();
    };
    EXPECT_EQ(suspicions(arms(2e-6, 3e-7)), "");
    const std::string found = suspicions(arms(2e-3, 3e-3));
    EXPECT_NE(found.find("'right_arm': its centre of mass x is 0.003"), std::string::npos) << found;
    EXPECT_NE(found.find("'right_shoulder': its place y is 0.003"), std::string::npos) << found;
}

}  // namespace
}  // namespace plucker::test
