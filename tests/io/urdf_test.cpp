// URDF: what a good file means, and what a bad one is told.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "comma_locale.hpp"
#include "findings.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/io/load.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/robots/robots.hpp"
#include "scratch_folder.hpp"
#include "support/reference.hpp"

namespace plucker {
namespace {

constexpr const char* kInertial =
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
    "izz='1'/></inertial>";

// Two links and a hinge; parts can be replaced.
struct Parts {
    std::string before;  // in front of the root element
    std::string robot = "<robot name='r'>";
    std::string first = "<link name='a'/>";
    std::string second = std::string("<link name='b'>") + kInertial + "</link>";
    std::string joint =
        "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
        "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>";
    std::string after;
    std::string end = "</robot>";

    std::string text() const {
        return before + robot + "\n" + first + "\n" + second + "\n" + joint + "\n" + after + "\n" +
               end;
    }
};

std::string first_error(const std::string& text, const LoadOptions& options = {}) {
    for (const Diagnostic& d : read_robot_text(text, "test.urdf", options).diagnostics) {
        if (d.severity == Severity::kError) return to_string(d);
    }
    return "";
}
std::string all_findings(const std::string& text) {
    std::string out;
    for (const Diagnostic& d : read_robot_text(text, "test.urdf").diagnostics)
        out += to_string(d) + "\n";
    return out;
}

TEST(Urdf, ReadsLinksJointsAndDynamics) {
    Parts parts;
    parts.joint =
        "<joint name='j' type='prismatic'><parent link='a'/><child link='b'/><origin xyz='1 2 3' "
        "rpy='0 0 "
        "1.5707963267948966'/><axis xyz='0 2 0'/><limit lower='-0.5' upper='0.25' effort='10' "
        "velocity='3'/>"
        "<dynamics damping='0.5' friction='0.25'/></joint>";
    const ReadResult result = read_robot_text(parts.text(), "test.urdf");
    ASSERT_FALSE(has_errors(result.diagnostics));
    ASSERT_EQ(result.description.joints.size(), 1U);
    const JointDescription& j = result.description.joints[0];
    EXPECT_EQ(j.type, JointType::kPrismatic);
    EXPECT_EQ(j.placement.position, (Vec3<double>{1, 2, 3}));
    EXPECT_NEAR(j.placement.rotation.y.x, 1, 1e-15);
    EXPECT_EQ(j.limits.lower, -0.5);
    EXPECT_EQ(j.limits.effort, 10);
    EXPECT_EQ(j.damping, 0.5);
    EXPECT_EQ(j.friction, 0.25);
    EXPECT_EQ(j.source.line, 4);
    // The axis of length two is normalised, and that is noted.
    EXPECT_NE(all_findings(parts.text()).find("note: joint 'j': its axis has length 2"),
              std::string::npos);
}

TEST(Urdf, DefaultAxisIsX) {
    Parts parts;
    parts.joint = "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>";
    EXPECT_EQ(read_robot_text(parts.text(), "t").description.joints[0].axis,
              (Vec3<double>{1, 0, 0}));
}

TEST(Urdf, ReadsGeometryAndMaterials) {
    Parts parts;
    parts.first =
        "<material name='red'><color rgba='1 0 0 0.5'/></material><link name='a'>"
        "<visual name='v'><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry><material "
        "name='red'/></visual>"
        "<visual><geometry><cylinder radius='0.5' length='2'/></geometry></visual>"
        "<collision><geometry><sphere radius='0.25'/></geometry></collision>"
        "<collision><geometry><mesh filename='package://nowhere/x.stl' scale='2 2 "
        "2'/></geometry></collision></link>";
    const ReadResult result = read_robot_text(parts.text(), "test.urdf");
    ASSERT_FALSE(has_errors(result.diagnostics)) << all_findings(parts.text());
    const LinkDescription& a = result.description.links[0];
    ASSERT_EQ(a.visuals.size(), 2U);
    EXPECT_EQ(std::get<Box>(a.visuals[0].geometry).size, (Vec3<double>{1, 2, 3}));
    ASSERT_TRUE(a.visuals[0].material && a.visuals[0].material->rgba);
    EXPECT_EQ((*a.visuals[0].material->rgba)[3], 0.5);
    EXPECT_EQ(std::get<Cylinder>(a.visuals[1].geometry).length, 2);
    ASSERT_EQ(a.collisions.size(), 2U);
    EXPECT_EQ(std::get<Mesh>(a.collisions[1].geometry).scale, (Vec3<double>{2, 2, 2}));
    // A missing mesh is a warning, not a failure.
    EXPECT_NE(all_findings(parts.text())
                  .find("warning: link 'a', <collision>: mesh 'package://nowhere/x.stl'"),
              std::string::npos);
}

TEST(Urdf, ALinkAndAJointMayShareAName) {
    Parts parts;
    parts.joint = "<joint name='b' type='continuous'><parent link='a'/><child link='b'/></joint>";
    EXPECT_EQ(first_error(parts.text()), "");
}

TEST(Urdf, MimicIsRead) {
    Parts parts;
    parts.after = std::string("<link name='c'>") + kInertial +
                  "</link><joint name='k' type='continuous'><parent link='b'/><child link='c'/>"
                  "<mimic joint='j' multiplier='-2' offset='0.5'/></joint>";
    const ReadResult result = read_robot_text(parts.text(), "test.urdf");
    ASSERT_FALSE(has_errors(result.diagnostics));
    EXPECT_EQ(result.description.joints[1].mimic->multiplier, -2);
    EXPECT_EQ(Model(result.description).nv(), 1);
}

struct BadFile {
    const char* name;
    std::function<void(Parts&)> spoil;
    const char* complaint;
};
void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.name; }

class UrdfRefuses : public testing::TestWithParam<BadFile> {};

TEST_P(UrdfRefuses, WithFileLineElementAndRemedy) {
    ASSERT_EQ(first_error(Parts().text()), "");
    Parts parts;
    GetParam().spoil(parts);
    const std::string error = first_error(parts.text());
    EXPECT_NE(error.find(GetParam().complaint), std::string::npos) << error;
    EXPECT_EQ(error.rfind("test.urdf:", 0), 0U) << error;
}

std::string mass(const std::string& value) {
    return "<link name='b'><inertial><mass value='" + value +
           "'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>";
}
std::string inertia(const std::string& xx, const std::string& yy, const std::string& zz) {
    return "<link name='b'><inertial><mass value='1'/><inertia ixx='" + xx +
           "' ixy='0' ixz='0' iyy='" + yy + "' iyz='0' izz='" + zz + "'/></inertial></link>";
}
std::string joint_with(const std::string& inside, const std::string& type = "revolute") {
    return "<joint name='j' type='" + type + "'><parent link='a'/><child link='b'/>" + inside +
           "</joint>";
}

INSTANTIATE_TEST_SUITE_P(
    BadFiles, UrdfRefuses,
    testing::Values(
        BadFile{"Empty", [](Parts& p) { p = {"", "", "", "", "", "", ""}; },
                ":1: error: the file is empty"},
        BadFile{"Truncated", [](Parts& p) { p.end = ""; }, "not well-formed XML"},
        BadFile{"TwoOrientations",
                [](Parts& p) { p.joint = joint_with("<origin rpy='0 0 1' quat_xyzw='0 0 0 1'/>"); },
                "<origin> has both rpy and quat_xyzw"},
        BadFile{"Malformed", [](Parts& p) { p.after = "<link name=>"; }, "not well-formed XML"},
        BadFile{"Mismatched", [](Parts& p) { p.after = "<link name='c'></joint>"; },
                "not well-formed XML"},
        BadFile{"WrongRoot", [](Parts& p) { p.robot = "<robt name='r'>", p.end = "</robt>"; },
                "unknown root element 'robt'; closest: 'robot'"},
        BadFile{"Html", [](Parts& p) { p.robot = "<html>", p.end = "</html>"; },
                "unknown root element 'html'"},
        BadFile{"Utf16", [](Parts& p) { p.before = "\xFF\xFE"; }, "UTF-16"},
        BadFile{"Latin1", [](Parts& p) { p.robot = "<robot name='b\xE4r'>"; }, "not UTF-8"},
        BadFile{"NulByte", [](Parts& p) { p.robot = std::string("<robot name='b") + '\0' + "r'>"; },
                "not UTF-8"},
        BadFile{"Doctype", [](Parts& p) { p.before = "<!DOCTYPE robot [<!ENTITY a 'b'>]>"; },
                "is not allowed"},
        BadFile{
            "EntityBomb",
            [](Parts& p) {
                p.before =
                    "<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;&lol;&lol;'>]>";
                p.robot = "<robot name='&lol2;'>";
            },
            "is not allowed"},
        BadFile{"DeepNesting",
                [](Parts& p) {
                    for (int k = 0; k < 100000; ++k) p.after += "<a>";
                    for (int k = 0; k < 100000; ++k) p.after += "</a>";
                },
                "nested too deeply"},
        BadFile{"Xacro", [](Parts& p) { p.after = "<xacro:macro name='m'/>"; },
                "expand it with xacro"},
        BadFile{"NoLinks", [](Parts& p) { p.first = p.second = p.joint = ""; }, "has no links"},
        BadFile{"NanMass", [](Parts& p) { p.second = mass("nan"); }, "'nan', which is not finite"},
        BadFile{"InfMass", [](Parts& p) { p.second = mass("inf"); }, "'inf', which is not finite"},
        BadFile{"HugeMass", [](Parts& p) { p.second = mass("1e308"); },
                "too large to compute with"},
        BadFile{"OverflowingMass", [](Parts& p) { p.second = mass("1e999"); }, "out of range"},
        BadFile{"TinyMass", [](Parts& p) { p.second = mass("1e-300"); },
                "too small to compute with"},
        BadFile{"CommaDecimal", [](Parts& p) { p.second = mass("1,5"); },
                "decimals are written with a point"},
        BadFile{"HexMass", [](Parts& p) { p.second = mass("0x10"); }, "not a number"},
        BadFile{"EmptyMass", [](Parts& p) { p.second = mass(""); }, "has 0 numbers, needs 1"},
        BadFile{"TwoMasses", [](Parts& p) { p.second = mass("1 2"); }, "more than 1 number"},
        BadFile{"NegativeMass", [](Parts& p) { p.second = mass("-1"); },
                "test.urdf:3: error: link 'b': mass is -1"},
        BadFile{
            "MissingParent",
            [](Parts& p) { p.joint = "<joint name='j' type='fixed'><child link='b'/></joint>"; },
            "joint 'j': lacks <parent link=…>"},
        BadFile{"UnknownChild",
                [](Parts& p) {
                    p.joint =
                        "<joint name='j' type='fixed'><parent link='a'/><child link='bb'/></joint>";
                },
                "unknown child link 'bb'; closest: 'b'"},
        BadFile{"NamelessLink", [](Parts& p) { p.after = "<link/>"; }, "a <link> has no name"},
        BadFile{"NamelessJoint",
                [](Parts& p) {
                    p.joint = "<joint type='fixed'><parent link='a'/><child link='b'/></joint>";
                },
                "a <joint> has no name"},
        BadFile{"SelfLoop",
                [](Parts& p) {
                    p.after =
                        "<joint name='k' type='fixed'><parent link='a'/><child link='a'/></joint>";
                },
                "its own ancestor"},
        BadFile{"Cycle",
                [](Parts& p) {
                    p.after =
                        "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>";
                },
                "its own ancestor"},
        BadFile{"TwoParents",
                [](Parts& p) {
                    p.after =
                        "<link name='c'/><joint name='k' type='fixed'><parent link='c'/><child "
                        "link='b'/></joint>"
                        "<joint name='l' type='fixed'><parent link='a'/><child link='c'/></joint>";
                },
                "has two parents"},
        BadFile{"TwoRoots", [](Parts& p) { p.after = "<link name='c'/>"; }, "has two roots"},
        BadFile{"DuplicateLink", [](Parts& p) { p.after = "<link name='a'/>"; },
                "two links are named 'a'"},
        BadFile{"DuplicateJoint",
                [](Parts& p) {
                    p.after =
                        "<link name='c'/><joint name='j' type='fixed'><parent link='a'/><child "
                        "link='c'/></joint>";
                },
                "two joints are named 'j'"},
        BadFile{"ZeroAxis", [](Parts& p) { p.joint = joint_with("<axis xyz='0 0 0'/>"); },
                "axis is (0 0 0)"},
        BadFile{"TinyAxis", [](Parts& p) { p.joint = joint_with("<axis xyz='0 0 1e-300'/>"); },
                "joint 'j': axis is"},
        BadFile{"ShortAxis", [](Parts& p) { p.joint = joint_with("<axis xyz='0 1'/>"); },
                "has 2 numbers, needs 3"},
        BadFile{"LongAxis", [](Parts& p) { p.joint = joint_with("<axis xyz='0 1 0 1'/>"); },
                "more than 3 numbers"},
        BadFile{"ZeroQuaternion",
                [](Parts& p) { p.joint = joint_with("<origin quat_xyzw='0 0 0 0'/>"); },
                "the quaternion has length 0"},
        BadFile{"NegativeDamping",
                [](Parts& p) { p.joint = joint_with("<dynamics damping='-1'/>"); },
                "damping is -1"},
        BadFile{"MimicCycle", [](Parts& p) { p.joint = joint_with("<mimic joint='j'/>"); },
                "in the end, mimics it"},
        BadFile{"UnknownType", [](Parts& p) { p.joint = joint_with("", "revolut"); },
                "unknown joint type 'revolut'; closest: 'revolute'"},
        BadFile{"NoType",
                [](Parts& p) {
                    p.joint = "<joint name='j'><parent link='a'/><child link='b'/></joint>";
                },
                "has no type"}),
    [](const auto& test) { return test.param.name; });

TEST(Urdf, ReportsEveryErrorNotJustTheFirst) {
    Parts parts;
    parts.second = mass("-1");
    parts.joint = joint_with("<axis xyz='0 0 0'/><dynamics damping='-1'/>");
    std::size_t errors = 0;
    for (const Diagnostic& d : read_robot_text(parts.text(), "t").diagnostics) {
        errors += d.severity == Severity::kError ? 1 : 0;
    }
    EXPECT_EQ(errors, 3U);
}

TEST(Urdf, WarnsOfMisspeltElements) {
    Parts parts;
    parts.second = "<link name='b'><intertial/></link>";
    EXPECT_NE(all_findings(parts.text())
                  .find("warning: link 'b': unknown element 'intertial'; closest: 'inertial'"),
              std::string::npos);
}

TEST(Urdf, WithoutANameTakesThatOfTheFile) {
    Parts parts;
    for (const char* nameless : {"<robot>", "<robot name=''>"}) {
        parts.robot = nameless;
        EXPECT_EQ(read_robot_text(parts.text(), "dir/arm.urdf").description.name, "arm");
        EXPECT_NE(all_findings(parts.text()).find("warning: the <robot> has no name"),
                  std::string::npos);
    }
}

TEST(Urdf, AFixedJointCannotMimic) {
    Parts parts;
    parts.joint = joint_with("<mimic joint='k'/>", "fixed");
    EXPECT_EQ(first_error(parts.text()), "");
    EXPECT_NE(all_findings(parts.text()).find("its <mimic> means nothing"), std::string::npos);
}

// --- What is wrong, but does not stop a robot ---------------------------------------------------

// A part of the file, and what is said about it in line 3 or 4 or wherever that part is.
struct OddFile {
    const char* name;
    std::function<void(Parts&)> spoil;
    std::vector<std::string> words;
};
void PrintTo(const OddFile& odd, std::ostream* out) { *out << odd.name; }

ReadResult expect_warning(const OddFile& odd) {
    Parts parts;
    odd.spoil(parts);
    ReadResult result = read_robot_text(parts.text(), "test.urdf");
    EXPECT_FALSE(has_errors(result.diagnostics)) << test::messages(result);
    EXPECT_NO_THROW(Model(result.description));
    bool found = false;
    for (const Diagnostic& d : result.diagnostics)
        found = found || (d.severity == Severity::kWarning && d.at.line > 0 &&
                          test::has_all(to_string(d), odd.words));
    EXPECT_TRUE(found) << test::messages(result);
    return result;
}

std::string inertial(const std::string& inside) {
    return "<link name='b'><inertial>" + inside + "</inertial></link>";
}
const std::string kInertia = "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>";

class UrdfWarnsOrIsStrict : public testing::TestWithParam<OddFile> {};

TEST_P(UrdfWarnsOrIsStrict, AsIsAskedFor) {
    expect_warning(GetParam());
    Parts parts;
    GetParam().spoil(parts);
    const std::string error = first_error(parts.text(), {.physics = Physics::kStrict});
    EXPECT_TRUE(test::has_all(error, GetParam().words)) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Physics, UrdfWarnsOrIsStrict,
    testing::Values(
        OddFile{"Triangle",
                [](Parts& p) { p.second = inertia("1", "1", "5"); },
                {"link 'b'", "triangle inequality (eigenvalues 1 + 1 < 5)", "no body has it"}},
        OddFile{"Indefinite",
                [](Parts& p) { p.second = inertia("1", "-1", "1"); },
                {"link 'b'", "not positive semidefinite (eigenvalues -1, 1, 1)"}},
        OddFile{"Placeholder",
                [](Parts& p) {
                    p.second = inertial(
                        "<mass value='2'/><inertia ixx='0.1' ixy='0.1' ixz='0.1' iyy='0.1' "
                        "iyz='0.1' izz='0.1'/>");
                },
                {"link 'b'", "all six entries are 0.1", "placeholder"}},
        OddFile{"ZeroMassWithInertia",
                [](Parts& p) { p.second = mass("0"); },
                {"link 'b'", "mass is zero but"}},
        OddFile{"MassWithZeroInertia",
                [](Parts& p) { p.second = inertia("0", "0", "0"); },
                {"link 'b'", "mass is 1 kg but its rotational inertia is zero"}},
        OddFile{"EmptyInertial",
                [](Parts& p) { p.second = inertial(""); },
                {"link 'b'", "lacks <mass> and <inertia>", "massless"}},
        OddFile{"NoMass",
                [](Parts& p) { p.second = inertial(kInertia); },
                {"link 'b'", "lacks <mass value=…>", "0 kg"}},
        OddFile{"NoMassValue",
                [](Parts& p) { p.second = inertial("<mass/>" + kInertia); },
                {"link 'b'", "lacks the attribute 'value' of <mass>", "taken as 0"}},
        OddFile{"NoInertia",
                [](Parts& p) { p.second = inertial("<mass value='1'/>"); },
                {"link 'b'", "lacks <inertia", "taken as 0"}},
        OddFile{"NoEntry",
                [](Parts& p) {
                    p.second = inertial(
                        "<mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyz='0' izz='1'/>");
                },
                {"link 'b'", "lacks the attribute 'iyy' of <inertia>", "taken as 0"}},
        OddFile{"TwoInertials",
                [](Parts& p) {
                    p.second = "<link name='b'>" + std::string(kInertial) + kInertial + "</link>";
                },
                {"link 'b'", "more than one <inertial>", "the first counts"}},
        OddFile{"TwoAxes",
                [](Parts& p) { p.joint = joint_with("<axis xyz='0 0 1'/><axis xyz='0 1 0'/>"); },
                {"joint 'j'", "more than one <axis>", "the first counts"}},
        OddFile{"AxisWithoutNumbers",
                [](Parts& p) { p.joint = joint_with("<axis/>"); },
                {"joint 'j'", "<axis> lacks the attribute 'xyz'", "1 0 0"}},
        OddFile{"MimicOfNothing",
                [](Parts& p) { p.joint = joint_with("<mimic joint='jj'/>"); },
                {"joint 'j'", "mimics an unknown joint 'jj'; closest: 'j'", "by itself"}},
        OddFile{"BallJoint",
                [](Parts& p) { p.joint = joint_with("<axis xyz='0 0 0'/>", "spherical"); },
                {"joint 'j'", "which URDF does not have", "ball joint"}},
        OddFile{"WorldIsMissing",
                [](Parts& p) {
                    p.after =
                        "<joint name='k' type='fixed'><parent link='world'/><child link='a'/>"
                        "</joint>";
                },
                {"joint 'k'", "link 'world', which is missing", "added"}}),
    [](const auto& test) { return test.param.name; });

// What was missing counts as zero, and what was there counts.
TEST(Urdf, PartialInertialsAreReadAsFarAsTheyGo) {
    const auto read = [](const std::string& inside) {
        Parts parts;
        parts.second = inertial(inside);
        return read_robot_text(parts.text(), "t").description.links[1].mass;
    };
    EXPECT_EQ(read(""), MassProperties{});
    EXPECT_EQ(read("<origin xyz='1 2 3'/><mass value='2'/>"), MassProperties::point(2, {1, 2, 3}));
    EXPECT_EQ(read(kInertia), (MassProperties{0, {}, SymMat3<double>::identity()}));
    EXPECT_EQ(read("<mass value='2'/><inertia ixx='3' iyz='4'/>"),
              (MassProperties{2, {}, {3, 0, 0, 0, 4, 0}}));
}

// Not even strictly: nothing is computed with shapes, materials and limits.
class UrdfWarns : public testing::TestWithParam<OddFile> {};

TEST_P(UrdfWarns, AndLoads) {
    expect_warning(GetParam());
    Parts parts;
    GetParam().spoil(parts);
    EXPECT_EQ(first_error(parts.text(), {.physics = Physics::kStrict}), "");
}

std::string with_visual(const std::string& inside) {
    return "<link name='a'><visual>" + inside + "</visual></link>";
}
std::string with_geometry(const std::string& form) {
    return with_visual("<geometry>" + form + "</geometry>");
}
OddFile odd_visual(const char* name, const std::string& link, std::vector<std::string> words) {
    words.insert(words.begin(), "link 'a', <visual>");
    words.emplace_back("the shape is left out");
    return {name, [link](Parts& p) { p.first = link; }, std::move(words)};
}
OddFile odd_limit(const char* name, const std::string& attributes, std::vector<std::string> words) {
    words.insert(words.begin(), "joint 'j'");
    words.emplace_back("left out");
    return {name, [attributes](Parts& p) { p.joint = joint_with("<limit " + attributes + "/>"); },
            std::move(words)};
}

INSTANTIATE_TEST_SUITE_P(
    Drawing, UrdfWarns,
    testing::Values(
        odd_visual("NoGeometry", "<link name='a'><visual/></link>", {"has no geometry"}),
        odd_visual("EmptyGeometry", with_geometry(""), {"has no geometry"}),
        odd_visual("UnknownGeometry", with_geometry("<bocks/>"),
                   {"unknown geometry 'bocks'; closest: 'box'"}),
        odd_visual("NoSize", with_geometry("<box/>"), {"lacks the attribute 'size'"}),
        odd_visual("ShortSize", with_geometry("<box size='1 2'/>"), {"has 2 numbers, needs 3"}),
        odd_visual("NegativeRadius", with_geometry("<sphere radius='-1'/>"), {"radius is -1"}),
        odd_visual("NanRadius", with_geometry("<sphere radius='nan'/>"), {"'nan'"}),
        odd_visual("MeshWithoutFile", with_geometry("<mesh/>"), {"lacks the attribute 'filename'"}),
        odd_visual("MeshScale", with_geometry("<mesh filename='a.stl' scale='big'/>"),
                   {"'big', which is not a number"}),
        odd_visual("BadOrigin",
                   with_visual("<origin xyz='1 2'/><geometry><sphere radius='1'/></geometry>"),
                   {"<origin xyz=…> has 2 numbers"}),
        OddFile{"BadCollision",
                [](Parts& p) { p.first = "<link name='a'><collision/></link>"; },
                {"link 'a', <collision>", "has no geometry", "left out"}},
        OddFile{"BadColour",
                [](Parts& p) {
                    p.first = with_visual(
                        "<geometry><sphere radius='1'/></geometry>"
                        "<material name='m'><color rgba='1 0 0'/></material>");
                },
                {"link 'a', <visual>", "<color rgba=…> has 3 numbers", "colour is left out"}},
        OddFile{"UndefinedMaterial",
                [](Parts& p) {
                    p.first = with_visual(
                        "<geometry><sphere radius='1'/></geometry><material name='m'/>");
                },
                {"link 'a', <visual>", "material 'm' is not defined"}},
        OddFile{"BadMaterial",
                [](Parts& p) { p.after = "<material name='m'><color rgba='red'/></material>"; },
                {"material 'm'", "'red', which is not a number"}},
        OddFile{"NamelessMaterial",
                [](Parts& p) { p.after = "<material><color rgba='1 1 1 1'/></material>"; },
                {"a <material> has no name"}},
        OddFile{"TwoMaterials",
                [](Parts& p) {
                    p.after =
                        "<material name='m'><color rgba='1 1 1 1'/></material>"
                        "<material name='m'><color rgba='0 0 0 1'/></material>";
                },
                {"material 'm'", "defined twice"}},
        OddFile{"EmptyMaterial",
                [](Parts& p) { p.after = "<material name='m'/>"; },
                {"material 'm'", "has neither <color> nor <texture>"}}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Limits, UrdfWarns,
    testing::Values(
        odd_limit("Swapped", "lower='1' upper='-1'", {"lower limit 1 exceeds upper limit -1"}),
        odd_limit("BeginsAtInfinity", "lower='inf' upper='inf'",
                  {"no number lies between lower limit inf and upper limit inf"}),
        odd_limit("EndsAtMinusInfinity", "lower='-inf' upper='-inf'",
                  {"no number lies between lower limit -inf and upper limit -inf"}),
        odd_limit("NegativeEffort", "lower='-1' upper='1' effort='-2'", {"effort limit is -2"}),
        odd_limit("NegativeVelocity", "lower='-1' upper='1' velocity='-2'",
                  {"velocity limit is -2"}),
        odd_limit("Nan", "lower='nan' upper='1'", {"<limit lower=…> has 'nan'"}),
        odd_limit("NoNumber", "lower='-1' upper='1' effort='much'", {"'much'"}),
        OddFile{"None",
                [](Parts& p) { p.joint = joint_with("", "prismatic"); },
                {"joint 'j'", "has no <limit>", "unlimited"}}),
    [](const auto& test) { return test.param.name; });

TEST(Urdf, AShapeThatMakesNoSenseIsLeftOutAndTheOthersStay) {
    Parts parts;
    parts.first =
        "<link name='a'><visual><geometry><box size='1'/></geometry></visual>"
        "<visual><geometry><sphere radius='2'/></geometry>"
        "<material name='m'><color rgba='no'/></material></visual></link>";
    const Description d = read_robot_text(parts.text(), "t").description;
    ASSERT_EQ(d.links[0].visuals.size(), 1U);
    EXPECT_EQ(std::get<Sphere>(d.links[0].visuals[0].geometry).radius, 2);
    EXPECT_EQ(d.links[0].visuals[0].material->name, "m");
    EXPECT_FALSE(d.links[0].visuals[0].material->rgba);
}

// A colour that cannot be read is said once, and its material is defined all the same.
TEST(Urdf, AMaterialWithABadColourIsDefined) {
    Parts parts;
    parts.first =
        "<material name='red'><color rgba='1 0 0'/></material>"
        "<material name='red'><color rgba='1 0 0 1'/></material>"
        "<link name='a'><visual><geometry><sphere radius='2'/></geometry><material name='red'/>"
        "</visual><visual><geometry><sphere radius='2'/></geometry><material name='local'>"
        "<color rgba='a b c d'/></material></visual></link>";
    const ReadResult result = read_robot_text(parts.text(), "t");
    ASSERT_EQ(result.diagnostics.size(), 3U) << all_findings(parts.text());
    EXPECT_NE(result.diagnostics[0].message.find("has 3 numbers"), std::string::npos);
    EXPECT_NE(result.diagnostics[1].message.find("the first counts"), std::string::npos);
    EXPECT_NE(result.diagnostics[2].message.find("'a', which is not a number"), std::string::npos);
    EXPECT_FALSE(result.description.links[0].visuals[0].material->rgba);
}

// --- Limits, mimics, turns ------------------------------------------------------------------------

JointLimits limits_of(const std::string& attributes, const std::string& type) {
    Parts parts;
    parts.joint = joint_with("<limit " + attributes + "/>", type);
    const ReadResult result = read_robot_text(parts.text(), "t");
    EXPECT_FALSE(has_errors(result.diagnostics)) << test::messages(result);
    return result.description.joints[0].limits;
}

TEST(Urdf, LimitsThatAreNotThere) {
    const double none = std::numeric_limits<double>::infinity();
    const auto expect = [](const JointLimits& l, double lower, double upper, double velocity,
                           double effort) {
        EXPECT_EQ(l.lower, lower);
        EXPECT_EQ(l.upper, upper);
        EXPECT_EQ(l.velocity, velocity);
        EXPECT_EQ(l.effort, effort);
    };
    for (const std::string type : {"revolute", "prismatic"}) {
        SCOPED_TRACE(type);
        // A missing bound is zero.
        expect(limits_of("upper='2' effort='3' velocity='4'", type), 0, 2, 4, 3);
        expect(limits_of("lower='-2' effort='3' velocity='4'", type), -2, 0, 4, 3);
        expect(limits_of("lower='-1' upper='2'", type), -1, 2, none, none);
        expect(limits_of("lower='-inf' upper='inf' effort='inf' velocity='inf'", type), -none, none,
               none, none);
        // What makes no sense is as if it were not there.
        expect(limits_of("lower='2' upper='1' effort='3' velocity='4'", type), -none, none, 4, 3);
        expect(limits_of("lower='-1' upper='2' effort='-3' velocity='4'", type), -1, 2, 4, none);
        expect(limits_of("lower='-1' upper='2' effort='3' velocity='-4'", type), -1, 2, none, 3);
        expect(limits_of("lower='x' upper='2' effort='3' velocity='4'", type), -none, 2, 4, 3);
    }
    // Infinity is a word that files use; there is nothing to complain about.
    for (const char* infinite : {"lower='-inf' upper='inf'", "lower='-inf' upper='+inf'"}) {
        Parts parts;
        parts.joint =
            "<joint name='j' type='prismatic'><parent link='a'/><child link='b'/><limit " +
            std::string(infinite) + " effort='inf' velocity='inf'/></joint>";
        EXPECT_EQ(all_findings(parts.text()), "") << infinite;
    }
    // A continuous joint has no bounds, whatever is written.
    expect(limits_of("lower='-1' upper='2' effort='3' velocity='4'", "continuous"), -none, none, 4,
           3);
}

TEST(Urdf, MimicsFollowWithMultiplierAndOffset) {
    const auto model = [](const std::string& attributes) {
        Parts parts;
        parts.after = std::string("<link name='c'>") + kInertial +
                      "</link><joint name='k' type='continuous'><parent link='a'/><child "
                      "link='c'/><axis xyz='0 0 1'/><mimic joint='j' " +
                      attributes + "/></joint>";
        return Model(read_robot_text(parts.text(), "t").description);
    };
    const auto angle = [](const Model& m, double q) {
        const Mat3<double> R = frame_pose(m, Eigen::Matrix<double, 1, 1>(q), "c").rotation;
        return std::atan2(R.y.x, R.x.x);
    };
    for (const double q : {-0.4, 0.0, 0.3}) {
        EXPECT_NEAR(angle(model("multiplier='-2' offset='0.5'"), q), -2 * q + 0.5, 1e-15);
        EXPECT_NEAR(angle(model("multiplier='3'"), q), 3 * q, 1e-15);
        EXPECT_NEAR(angle(model("offset='-0.25'"), q), q - 0.25, 1e-15);
        EXPECT_NEAR(angle(model(""), q), q, 1e-15);
    }
}

TEST(Urdf, QuaternionsAreXyzw) {
    const auto rotation = [](const std::string& origin) {
        Parts parts;
        parts.joint = joint_with("<origin " + origin + "/>");
        return to_eigen(
            read_robot_text(parts.text(), "t").description.joints[0].placement.rotation);
    };
    // A turn of 0.8 rad about each axis, and one about none of them.
    const std::string s = "0.3894183423086505", c = "0.9210609940028851";  // sin and cos of 0.4
    const std::pair<std::string, std::string> turns[] = {{s + " 0 0 " + c, "0.8 0 0"},
                                                         {"0 " + s + " 0 " + c, "0 0.8 0"},
                                                         {"0 0 " + s + " " + c, "0 0 0.8"},
                                                         {"0 0 -" + s + " -" + c, "0 0 0.8"},
                                                         {"0 0 -" + s + " " + c, "0 0 -0.8"}};
    for (const auto& [quaternion, rpy] : turns) {
        EXPECT_LT((rotation("quat_xyzw='" + quaternion + "'") - rotation("rpy='" + rpy + "'"))
                      .cwiseAbs()
                      .maxCoeff(),
                  1e-15)
            << rpy;
    }
    const Eigen::Quaterniond q = Eigen::Quaterniond(0.4, 0.1, -0.2, 0.3).normalized();
    EXPECT_LT(
        (rotation("quat_xyzw='0.1 -0.2 0.3 0.4'") - q.toRotationMatrix()).cwiseAbs().maxCoeff(),
        1e-15);
}

// A finding stands in the line of the element that it is about, not of the one around it.
TEST(Urdf, FindingsAreInTheLineOfTheirElement) {
    struct {
        const char* element;
        const char* words;
    } const kCases[] = {{"<axis/>", "lacks the attribute 'xyz'"},
                        {"<axis xyz='2 0 0'/>", "its axis has length 2"},
                        {"<limit lower='2' upper='1' effort='1' velocity='1'/>", "lower"},
                        {"<limit lower='x' upper='1' effort='1' velocity='1'/>", "'x'"},
                        {"<origin xyz='0 0'/>", "xyz"},
                        {"<origin quat_xyzw='0 0 0 2'/>", "the quaternion has length 2"},
                        {"<dynamics damping='much'/>", "'much'"},
                        {"<mimic/>", "<mimic> lacks the attribute 'joint'"},
                        {"<axes xyz='1 0 0'/>", "axes"}};
    for (const auto& [element, words] : kCases) {
        const ReadResult result = read_robot_text(
            "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n<joint name='j' "
            "type='revolute'>\n<parent link='a'/>\n<child link='b'/>\n" +
                std::string(element) + "\n</joint>\n</robot>\n",
            "test.urdf");
        bool found = false;
        for (const Diagnostic& d : result.diagnostics)
            found = found || (d.at.line == 7 && to_string(d).find(words) != std::string::npos);
        EXPECT_TRUE(found) << element << "\n" << test::messages(result);
    }
}

// What the reader finds, and what is found in the whole robot afterwards, come in the order of the file.
TEST(Urdf, FindingsComeInTheOrderOfTheFile) {
    const ReadResult result = read_robot_text(
        "<robot name='r'><link name='a'/>\n<link name='b'><odd/></link>\n"
        "<link name='c'><inertial><mass value='-1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
        "iyz='0' izz='1'/></inertial></link>\n"
        "<joint name='ab' type='fixed'><parent link='a'/><child link='b'/><odd/></joint>\n"
        "<joint name='bc' type='revolute'><parent link='b'/><child link='c'/><dynamics "
        "damping='-1'/></joint>\n<odd/></robot>",
        "t");
    std::vector<int> lines;
    for (const Diagnostic& d : result.diagnostics) lines.push_back(d.at.line);
    EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end())) << test::messages(result);
    for (int line = 2; line <= 6; ++line)
        EXPECT_TRUE(std::binary_search(lines.begin(), lines.end(), line)) << line;
}

TEST(Urdf, OfTwoMaterialsOfANameTheFirstCounts) {
    const auto box = [](const std::string& material) {
        return "<visual><geometry><box size='1 2 3'/></geometry>" + material + "</visual>";
    };
    Parts parts;
    parts.first = "<link name='a'>" + box("<material name='m'><color rgba='1 0 0 1'/></material>") +
                  box("<material name='m'><color rgba='0 1 0 1'/></material>") +
                  box("<material name='m'/>") + "</link>";
    const LinkDescription a = read_robot_text(parts.text(), "t").description.links[0];
    ASSERT_EQ(a.visuals.size(), 3U);
    const auto rgba = [&](std::size_t k) { return *a.visuals[k].material->rgba; };
    EXPECT_EQ(rgba(0), (std::array<double, 4>{1, 0, 0, 1}));
    EXPECT_EQ(rgba(1), (std::array<double, 4>{0, 1, 0, 1})) << "its own word";
    EXPECT_EQ(rgba(2), rgba(0));
}

TEST(Urdf, InertialsAreTurnedAndShiftedByTheirOrigin) {
    Parts parts;
    parts.second = inertial(
        "<origin xyz='0.1 0.2 0.3' rpy='0.4 -0.5 0.6'/><mass value='2'/>"
        "<inertia ixx='1' ixy='0.1' ixz='-0.2' iyy='1.5' iyz='0.3' izz='2'/>");
    const MassProperties m = read_robot_text(parts.text(), "t").description.links[1].mass;
    const Eigen::Matrix3d R = (Eigen::AngleAxisd(0.6, Eigen::Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(-0.5, Eigen::Vector3d::UnitY()) *
                               Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitX()))
                                  .toRotationMatrix();
    Eigen::Matrix3d I;
    I << 1, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 2;
    EXPECT_LT((to_eigen(m.about_center) - R * I * R.transpose()).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_EQ(m.center, (Vec3<double>{0.1, 0.2, 0.3}));
}

TEST(Urdf, LeftoversOfXacroAreIgnoredAndItsSourcesRefused) {
    Parts parts;
    parts.after = "<xacro:my_sensor parent='b'/>";
    EXPECT_EQ(first_error(parts.text()), "");
    EXPECT_NE(all_findings(parts.text()).find("unknown element 'xacro:my_sensor'"),
              std::string::npos);
    for (const char* definition : {"macro", "include", "property", "arg", "if", "unless"}) {
        parts.after = std::string("<xacro:") + definition + "/>";
        EXPECT_NE(first_error(parts.text()).find("expand it with xacro"), std::string::npos);
    }
}

TEST(Urdf, AFixedJointNeedsNoAxis) {
    Parts parts;
    for (const char* axis : {"<axis/>", "<axis xyz='0 0 0'/>"}) {
        parts.joint = joint_with(axis, "fixed");
        EXPECT_EQ(all_findings(parts.text()), "") << axis;
    }
}

// Written by a program that counted the end of the string.
TEST(Urdf, ZerosAfterTheEndAreIgnored) {
    EXPECT_EQ(first_error(Parts().text() + std::string(3, '\0')), "");
}

TEST(Urdf, AModelCanBeInsistedOn) {
    EXPECT_EQ(first_error(Parts().text(), {.model = "r"}), "");
    EXPECT_NE(first_error(Parts().text(), {.model = "s"}).find("unknown model 's'; closest: 'r'"),
              std::string::npos);
}

// Numbers must not depend on the locale, whichever way a program sets it.
TEST(Urdf, ReadsTheSameInACommaLocale) {
    Parts parts;
    parts.second = mass("1234.5");
    const test::CommaLocale comma;
    const ReadResult result = read_robot_text(parts.text(), "t");
    const std::string written = write_urdf(result.description);
    ASSERT_FALSE(has_errors(result.diagnostics));
    EXPECT_EQ(result.description.links[1].mass.mass, 1234.5);
    EXPECT_NE(written.find("value=\"1234.5\""), std::string::npos);
}

TEST(Urdf, SurvivesTheRoundTrip) {
    for (const std::string& name : test::reference_names()) {
        SCOPED_TRACE(name);
        const std::string path =
            std::string(PLUCKER_TEST_DATA_DIR) + "/reference/" + name + ".urdf";
        const Model original = load(path);
        const ReadResult again = read_robot_text(write_urdf(original.description()), "again.urdf");
        ASSERT_FALSE(has_errors(again.diagnostics));
        const Model copy(again.description);
        ASSERT_EQ(copy.velocity_names(), original.velocity_names());
        const VectorX<double> q = VectorX<double>::LinSpaced(original.nq(), -1, 1);
        // Rotations pass through roll, pitch and yaw: a few roundings.
        EXPECT_LT((mass_matrix(copy, q) - mass_matrix(original, q)).cwiseAbs().maxCoeff(), 1e-12);
    }
}

TEST(Urdf, RoundTripKeepsEveryDigitOfWhatIsWritten) {
    const Model model = robots::exoskeleton();
    const ReadResult again = read_robot_text(write_urdf(model.description()), "again.urdf");
    ASSERT_FALSE(has_errors(again.diagnostics));
    const auto& before = model.description();
    for (std::size_t k = 0; k < before.links.size(); ++k) {
        EXPECT_EQ(again.description.links[k].mass, before.links[k].mass);
    }
    for (std::size_t k = 0; k < before.joints.size(); ++k) {
        EXPECT_EQ(again.description.joints[k].placement.position,
                  before.joints[k].placement.position);
        EXPECT_EQ(again.description.joints[k].limits.upper, before.joints[k].limits.upper);
    }
    // Named frames come back as links, which are frames.
    EXPECT_NO_THROW((void)Model(again.description).frame_id("left_foot"));
}

TEST(Urdf, WriterRefusesJointsThatUrdfLacks) {
    EXPECT_THROW(write_urdf(robots::tree(9, 1).description()), Error);
}

class MeshFiles : public testing::Test {
protected:
    MeshFiles() {
        std::filesystem::remove_all(root_);
        std::filesystem::create_directories(root_ / "pkg/urdf");
        std::filesystem::create_directories(root_ / "pkg/meshes");
        std::filesystem::create_directories(root_ / "other/meshes");
        for (const char* file : {"pkg/package.xml", "pkg/meshes/a.stl", "pkg/urdf/b.stl",
                                 "other/meshes/c.stl", "secret.stl"}) {
            std::ofstream(root_ / file) << "x";
        }
        std::filesystem::create_symlink(root_ / "secret.stl", root_ / "pkg/meshes/link.stl");
    }
    ~MeshFiles() override { std::filesystem::remove_all(root_); }

    // Where the mesh was found, or the warning.
    std::string resolve(const std::string& uri,
                        const std::vector<std::string>& package_paths = {}) const {
        const std::string text =
            "<robot name='r'><link name='a'><visual><geometry><mesh filename='" + uri +
            "'/></geometry></visual></link></robot>";
        LoadOptions options;
        options.package_paths = package_paths;
        const ReadResult result =
            read_robot_text(text, (root_ / "pkg/urdf/r.urdf").string(), options);
        EXPECT_FALSE(has_errors(result.diagnostics));
        const std::string path =
            std::get<Mesh>(result.description.links[0].visuals[0].geometry).path;
        return path.empty() ? "refused: " + result.diagnostics[0].message : path;
    }

    std::filesystem::path root_ =
        std::filesystem::canonical(std::filesystem::temp_directory_path()) / "plucker_mesh_test";
};

TEST_F(MeshFiles, AreFoundByPackageFileAndRelativePath) {
    const std::string a = (root_ / "pkg/meshes/a.stl").string();
    EXPECT_EQ(resolve("package://pkg/meshes/a.stl"), a);
    EXPECT_EQ(resolve("../meshes/a.stl"), a);
    EXPECT_EQ(resolve("b.stl"), (root_ / "pkg/urdf/b.stl").string());
    EXPECT_EQ(resolve("file://" + a), a);
    EXPECT_EQ(resolve("package://other/meshes/c.stl"), (root_ / "other/meshes/c.stl").string());
    // A percent code stands for its character wherever it is, at either end too.
    for (const char* uri :
         {"%62.stl", "b%2Estl", "b%2estl", "b.s%74l", "b.st%6C", "%62%2e%73%74%6c"})
        EXPECT_EQ(resolve(uri), (root_ / "pkg/urdf/b.stl").string()) << uri;
    EXPECT_EQ(resolve("../../other/meshes/c.stl", {root_.string()}),
              (root_ / "other/meshes/c.stl").string());
}

TEST_F(MeshFiles, AreFoundInPackagesThatTheEnvironmentNames) {
    for (const char* folder : {"one/far", "two/share/ament", "three/itself"}) {
        std::filesystem::create_directories(root_ / folder);
        std::ofstream(root_ / folder / "m.stl") << "x";
    }
    std::ofstream(root_ / "three/itself/package.xml") << "x";
    const auto found = [&](const char* package) {
        return resolve(std::string("package://") + package + "/m.stl");
    };
    for (const char* package : {"far", "ament", "itself"})
        EXPECT_EQ(found(package).rfind("refused: ", 0), 0U) << package;
    const test::Variable ros("ROS_PACKAGE_PATH", (root_ / "none").string() +
                                                     "::" + (root_ / "one").string() + ":" +
                                                     (root_ / "three/itself").string());
    const test::Variable ament("AMENT_PREFIX_PATH", (root_ / "two").string());
    EXPECT_EQ(found("far"), (root_ / "one/far/m.stl").string());
    EXPECT_EQ(found("itself"), (root_ / "three/itself/m.stl").string());
    EXPECT_EQ(found("ament"), (root_ / "two/share/ament/m.stl").string());
    // Only packages, not whatever lies beside them.
    std::ofstream(root_ / "one/m.stl") << "x";
    EXPECT_EQ(resolve("package://far/../m.stl").rfind("refused: ", 0), 0U);
    EXPECT_EQ(resolve("file://" + (root_ / "one/m.stl").string()).rfind("refused: ", 0), 0U);
}

TEST_F(MeshFiles, OutsideTheRobotsFoldersAreRefused) {
    for (const char* uri :
         {"../../secret.stl", "package://pkg/../secret.stl", "package://../secret.stl",
          "%2e%2e/%2e%2e/secret.stl", "package://pkg/%2e%2e/secret.stl",
          "package://pkg/meshes/link.stl", "../meshes/link.stl", "file:///etc/passwd",
          "/etc/passwd", "http://example.org/x.stl", "package://", "%zz.stl", "a%00.stl", "b.stl%",
          "b.stl%6", "b.st%6g"}) {
        EXPECT_EQ(resolve(uri).rfind("refused: ", 0), 0U) << uri << " gave " << resolve(uri);
        // A folder without a name allows nothing.
        EXPECT_EQ(resolve(uri, {""}).rfind("refused: ", 0), 0U) << uri;
    }
}

}  // namespace
}  // namespace plucker
