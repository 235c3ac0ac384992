// URDF: what a good file means, and what a bad one is told.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "comma_locale.hpp"
#include "plucker/algorithms/mass_matrix.hpp"
#include "plucker/io/load.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/robots/robots.hpp"
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
        BadFile{"ZeroMassWithInertia", [](Parts& p) { p.second = mass("0"); }, "mass is zero but"},
        BadFile{"NoMassElement",
                [](Parts& p) {
                    p.second = "<link name='b'><inertial><inertia ixx='1'/></inertial></link>";
                },
                "lacks <mass"},
        BadFile{"NoInertiaElement",
                [](Parts& p) {
                    p.second = "<link name='b'><inertial><mass value='1'/></inertial></link>";
                },
                "lacks <inertia"},
        BadFile{"IndefiniteInertia", [](Parts& p) { p.second = inertia("1", "-1", "1"); },
                "eigenvalues -1, 1, 1"},
        BadFile{"Triangle", [](Parts& p) { p.second = inertia("1", "1", "5"); },
                "triangle inequality"},
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
        BadFile{"LimitsSwapped",
                [](Parts& p) {
                    p.joint = joint_with("<limit lower='1' upper='-1' effort='1' velocity='1'/>");
                },
                "lower limit 1 and upper limit -1"},
        BadFile{"NegativeDamping",
                [](Parts& p) { p.joint = joint_with("<dynamics damping='-1'/>"); },
                "damping is -1"},
        BadFile{"MimicMissing", [](Parts& p) { p.joint = joint_with("<mimic joint='jj'/>"); },
                "mimics an unknown joint 'jj'"},
        BadFile{"MimicCycle", [](Parts& p) { p.joint = joint_with("<mimic joint='j'/>"); },
                "in the end, mimics it"},
        BadFile{"UnknownType", [](Parts& p) { p.joint = joint_with("", "revolut"); },
                "unknown joint type 'revolut'; closest: 'revolute'"},
        BadFile{"NoType",
                [](Parts& p) {
                    p.joint = "<joint name='j'><parent link='a'/><child link='b'/></joint>";
                },
                "has no type"},
        BadFile{"VisualWithoutGeometry",
                [](Parts& p) { p.first = "<link name='a'><visual/></link>"; }, "has no geometry"},
        BadFile{"UnknownGeometry",
                [](Parts& p) {
                    p.first =
                        "<link name='a'><visual><geometry><bocks/></geometry></visual></link>";
                },
                "unknown geometry 'bocks'; closest: 'box'"}),
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
    parts.robot = "<robot>";
    EXPECT_EQ(read_robot_text(parts.text(), "dir/arm.urdf").description.name, "arm");
    EXPECT_NE(all_findings(parts.text()).find("warning: the <robot> has no name"),
              std::string::npos);
}

TEST(Urdf, AFixedJointCannotMimic) {
    Parts parts;
    parts.joint = joint_with("<mimic joint='k'/>", "fixed");
    EXPECT_EQ(first_error(parts.text()), "");
    EXPECT_NE(all_findings(parts.text()).find("its <mimic> means nothing"), std::string::npos);
}

TEST(Urdf, LenientPhysicsAreWarnings) {
    Parts parts;
    parts.second = inertia("1", "1", "5");
    LoadOptions options;
    options.physics = Physics::kLenient;
    EXPECT_EQ(first_error(parts.text(), options), "");
    const ReadResult result = read_robot_text(parts.text(), "t", options);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_EQ(result.diagnostics[0].severity, Severity::kWarning);
    EXPECT_EQ(Model(result.description).nv(), 1);
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
    EXPECT_EQ(resolve("../../other/meshes/c.stl", {root_.string()}),
              (root_ / "other/meshes/c.stl").string());
}

TEST_F(MeshFiles, OutsideTheRobotsFoldersAreRefused) {
    for (const char* uri :
         {"../../secret.stl", "package://pkg/../secret.stl", "package://../secret.stl",
          "%2e%2e/%2e%2e/secret.stl", "package://pkg/%2e%2e/secret.stl",
          "package://pkg/meshes/link.stl", "../meshes/link.stl", "file:///etc/passwd",
          "/etc/passwd", "http://example.org/x.stl", "package://", "%zz.stl", "a%00.stl"}) {
        EXPECT_EQ(resolve(uri).rfind("refused: ", 0), 0U) << uri << " gave " << resolve(uri);
    }
}

}  // namespace
}  // namespace plucker
