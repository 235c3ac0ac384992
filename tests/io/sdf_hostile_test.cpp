// SDF files that are wrong, and what they are told. What makes a text no document at all is in
// document_test.cpp, for all formats.
//
// Not here, because SDF has no such thing: joints and links that share a name (sdformat allows it up to 1.6
// only), and a link without mass by omission (SDF gives it 1 kg, which is a warning).
#include <gtest/gtest.h>

#include <cmath>

#include "findings.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/suspicions.hpp"
#include "scratch_folder.hpp"

namespace plucker::test::sdf_hostile {
namespace {

constexpr const char* kFile = "robot.sdf";

std::string inertial(const std::string& mass, const std::string& ixx = "1",
                     const std::string& iyy = "1", const std::string& izz = "1") {
    return "<inertial><mass>" + mass + "</mass><inertia><ixx>" + ixx + "</ixx><iyy>" + iyy +
           "</iyy><izz>" + izz + "</izz></inertia></inertial>";
}
std::string link_text(const std::string& name, const std::string& inside = inertial("1")) {
    return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string fixed_joint(const std::string& name, const std::string& parent,
                        const std::string& child) {
    return "<joint name='" + name + "' type='fixed'><parent>" + parent + "</parent><child>" +
           child + "</child></joint>\n";
}
std::string axis(const std::string& inside) { return "<axis>" + inside + "</axis>"; }
const std::string kZ = "<xyz>0 0 1</xyz>";

// Links a (line 2) and b (line 3), and a hinge j between them (line 4); parts can be replaced.
struct Robot {
    std::string version = "1.9";
    std::string a = link_text("a");
    std::string b = link_text("b");
    std::string ends = "<parent>a</parent><child>b</child>";
    std::string type = "revolute";
    std::string in_joint = axis(kZ);
    std::string after = "";  // from line 5

    std::string text() const {
        return "<sdf version='" + version + "'><model name='m'>\n" + a + b +
               "<joint name='j' type='" + type + "'>" + ends + in_joint + "</joint>\n" + after +
               "</model></sdf>\n";
    }
};

class SdfRefuses : public testing::TestWithParam<TextCase> {
protected:
    void SetUp() override {
        if (!can_read(Format::kSdf)) GTEST_SKIP() << "this build does not read SDF";
    }
};
TEST_P(SdfRefuses, WithFileLineElementAndRemedy) { expect_refusal(GetParam(), kFile); }

TextCase with_b(const char* name, const std::string& inside, std::vector<std::string> words) {
    return {name, Robot{.b = link_text("b", inside)}.text(), 3, std::move(words)};
}
TextCase with_joint(const char* name, const std::string& inside, std::vector<std::string> words) {
    return {name, Robot{.in_joint = inside}.text(), 4, std::move(words)};
}
TextCase with_axis(const char* name, const std::string& inside, std::vector<std::string> words) {
    return with_joint(name, axis(inside), std::move(words));
}
TextCase with_ends(const char* name, const std::string& ends, std::vector<std::string> words) {
    return {name, Robot{.ends = ends}.text(), 4, std::move(words)};
}
TextCase with_type(const char* name, const std::string& type, std::vector<std::string> words) {
    return {name, Robot{.type = type}.text(), 4, std::move(words)};
}
TextCase with_more(const char* name, const std::string& after, int line,
                   std::vector<std::string> words) {
    return {name, Robot{.after = after}.text(), line, std::move(words)};
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, SdfRefuses,
    testing::Values(
        with_b("NanMass", inertial("nan"), {"link 'b'", "<mass> has 'nan'", "not finite"}),
        with_b("InfMass", inertial("inf"), {"link 'b'", "<mass> has 'inf'", "not finite"}),
        with_b("HugeMass", inertial("1e308"), {"link 'b'", "too large to compute with"}),
        with_b("OverflowingMass", inertial("1e999"), {"link 'b'", "out of range"}),
        with_b("TinyMass", inertial("1e-300"), {"link 'b'", "too small", "make it 0"}),
        with_b("CommaMass", inertial("1,5"), {"link 'b'", "written with a point"}),
        with_b("HexMass", inertial("0x10"), {"link 'b'", "not a number"}),
        with_b("EmptyMass", inertial(""), {"link 'b'", "has 0 numbers, needs 1"}),
        with_b("TwoMassNumbers", inertial("1 2"), {"link 'b'", "more than 1 number"}),
        with_b("NegativeMass", inertial("-1"), {"link 'b'", "-1 kg", "must not be negative"}),
        with_b("NanInertia", inertial("1", "nan"), {"link 'b'", "<ixx> has 'nan'"}),
        with_b("HugeInertia", inertial("1", "1e308"), {"link 'b'", "too large to compute with"}),
        with_b("ShortPose", "<pose>1 2 3 4 5</pose>", {"link 'b'", "has 5 numbers, needs 6"}),
        with_b("LongPose", "<pose>1 2 3 4 5 6 7</pose>", {"link 'b'", "more than 6 numbers"}),
        with_b("NanPose", "<pose>0 0 nan 0 0 0</pose>", {"link 'b'", "<pose> has 'nan'"}),
        TextCase{"HugePose",
                 Robot{.b = link_text("b", "<pose>1e308 0 0 0 0 0</pose>" + inertial("1"))}.text(),
                 4,
                 {"joint 'j'", "beyond 1e+30 m"}},
        with_b("ZeroQuaternion", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose>",
               {"link 'b'", "has length 0", "it must be 1"}),
        with_b("QuaternionOfLengthTwo", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 2</pose>",
               {"link 'b'", "has length 2", "it must be 1"}),
        with_b("QuaternionTooLong", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 1.0011</pose>",
               {"link 'b'", "length 1.0011", "must be 1"}),
        with_b("ShortQuaternion", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 1</pose>",
               {"link 'b'", "has 6 numbers, needs 7"}),
        with_b("UnknownRotation", "<pose rotation_format='matrix'>0 0 0 0 0 1</pose>",
               {"link 'b'", "'matrix'", "euler_rpy or quat_xyzw"}),
        with_axis("ZeroAxis", "<xyz>0 0 0</xyz>", {"joint 'j'", "axis is (0 0 0)", "not zero"}),
        with_axis("TinyAxis", "<xyz>0 0 1e-300</xyz>", {"joint 'j'", "axis is (0 0 1e-300)"}),
        with_axis("HugeAxis", "<xyz>0 0 1e308</xyz>", {"joint 'j'", "axis is (0 0 1e+308)"}),
        with_axis("ShortAxis", "<xyz>0 1</xyz>", {"joint 'j'", "has 2 numbers, needs 3"}),
        with_axis("LongAxis", "<xyz>0 0 1 0</xyz>", {"joint 'j'", "more than 3 numbers"}),
        with_axis("NegativeDamping", kZ + "<dynamics><damping>-1</damping></dynamics>",
                  {"joint 'j'", "damping is -1", "must not be negative"}),
        with_axis("NegativeFriction", kZ + "<dynamics><friction>-1</friction></dynamics>",
                  {"joint 'j'", "friction is -1", "must not be negative"})),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Structure, SdfRefuses,
    testing::Values(
        TextCase{"NoVersion", "<sdf/>", 1, {"<sdf>", "lacks the attribute 'version'"}},
        TextCase{"UnknownVersion", "<sdf version='2.0'/>", 1, {"<sdf>", "1.3 to 1.9 can"}},
        TextCase{"NoModel", "<sdf version='1.9'/>", 1, {"<sdf>", "has no <model>"}},
        TextCase{"NoLinks",
                 "<sdf version='1.9'>\n<model name='m'/></sdf>",
                 2,
                 {"model 'm'", "it needs at least one"}},
        TextCase{"NamelessModel",
                 "<sdf version='1.9'>\n<model>" + link_text("a") + "</model></sdf>",
                 2,
                 {"a <model> has no name"}},
        with_more("NamelessLink", "<link/>", 5, {"a <link> has no name"}),
        with_more("NamelessJoint", "<joint type='fixed'/>", 5, {"a <joint> has no name"}),
        with_ends("NoParent", "<child>b</child>", {"joint 'j'", "lacks <parent>"}),
        with_ends("NoChild", "<parent>a</parent>", {"joint 'j'", "lacks <child>"}),
        with_ends("EmptyChild", "<parent>a</parent><child/>", {"joint 'j'", "lacks <child>"}),
        with_ends("UnknownParent", "<parent>aa</parent><child>b</child>",
                  {"joint 'j'", "unknown parent link 'aa'; closest: 'a'"}),
        with_ends("UnknownChild", "<parent>a</parent><child>bb</child>",
                  {"joint 'j'", "unknown child link 'bb'; closest: 'b'"}),
        with_ends("UnknownScope", "<parent>a</parent><child>x::b</child>", {"joint 'j'", "x::b"}),
        with_ends("WorldAsChild", "<parent>a</parent><child>world</child>",
                  {"joint 'j'", "invalid child link [world]"}),
        with_ends("SelfLoop", "<parent>a</parent><child>a</child>",
                  {"joint 'j'", "must specify different frame names for parent and child"}),
        with_more("LoopOfFixedJoints",
                  link_text("c") + fixed_joint("k", "a", "c") + fixed_joint("l", "a", "c"), 7,
                  {"constraint 'l'", "both fixed in the world"}),
        with_more("TwoRoots", link_text("c"), 5, {"has two roots", "connect one to the other"}),
        with_more("DuplicateLink", link_text("a"), 5,
                  {"model 'm'", "two links are named 'a' (the first in line 2)", "another name"}),
        with_more("DuplicateJoint", link_text("c") + fixed_joint("j", "a", "c"), 6,
                  {"two joints are named 'j' (the first in line 4)", "another name"}),
        with_more("DuplicateFrame", "<frame name='f'/>\n<frame name='f'/>", 6,
                  {"two frames are named 'f'", "another name"}),
        with_more("LinkAndFrameOfOneName", "<frame name='a'/>", 5,
                  {"a link and a frame are named 'a'", "another name"}),
        with_more("ScopeInAName", link_text("x::y"), 5, {"'::'", "rename it"}),
        TextCase{
            "ReservedName",
            Robot{.a = link_text("world"), .ends = "<parent>world</parent><child>b</child>"}.text(),
            2,
            {"link 'world'", "reserved"}},
        TextCase{"LinkAndJointOfOneName",
                 Robot{.b = link_text("j"), .ends = "<parent>a</parent><child>j</child>"}.text(),
                 4,
                 {"a link and a joint are named 'j'", "another name"}},
        with_more("FrameOnNothing", "<frame name='f' attached_to='x'/>", 5,
                  {"frame 'f'", "attached_to name[x]"}),
        with_more("PoseCycle",
                  "<frame name='f'><pose relative_to='g'/></frame>\n"
                  "<frame name='g'><pose relative_to='f'/></frame>",
                  5, {"frame 'f'", "cycle"}),
        with_type("UnknownType", "revolut", {"joint 'j'", "closest: 'revolute'"}),
        with_type("NoType", "", {"joint 'j'", "has no type"}),
        with_type("UnsupportedType", "revolute2", {"joint 'j'", "write two revolute joints"}),
        with_type("Gearbox", "gearbox", {"joint 'j'", "lacks <gearbox_reference_body>"}),
        with_type("UniversalWithOneAxis", "universal", {"joint 'j'", "lacks <axis2>"}),
        TextCase{
            "UniversalWithSkewAxes",
            Robot{.type = "universal", .in_joint = axis(kZ) + "<axis2><xyz>0 1 1</xyz></axis2>"}
                .text(),
            4,
            {"joint 'j'", "must be perpendicular", "use two revolute joints"}},
        TextCase{"MimicOnASecondAxis",
                 Robot{.type = "universal",
                       .in_joint = axis(kZ) + "<axis2><xyz>0 1 0</xyz><mimic joint='j'/></axis2>"}
                     .text(),
                 4,
                 {"joint 'j'", "second axis mimics", "write two joints"}},
        with_type("ScrewWithoutPitch", "screw",
                  {"joint 'j'", "lacks <screw_thread_pitch>, in metres a revolution"}),
        TextCase{
            "ScrewWithZeroPitch",
            Robot{.type = "screw", .in_joint = axis(kZ) + "<thread_pitch>0</thread_pitch>"}.text(),
            4,
            {"joint 'j'", "must not be zero"}},
        with_axis("AxisInNoFrame", "<xyz expressed_in='x'>0 0 1</xyz>", {"joint 'j'", "[x]"}),
        with_joint("NoAxis", "", {"joint 'j'", "lacks <axis>"}),
        with_axis("MimicOfNothing", kZ + "<mimic joint='jj'/>",
                  {"joint 'j'", "mimics an unknown joint 'jj'; closest: 'j'"}),
        with_axis("MimicOfItself", kZ + "<mimic joint='j'/>",
                  {"joint 'j'", "in the end, mimics it"}),
        with_axis("MimicWithoutJoint", kZ + "<mimic/>",
                  {"joint 'j'", "lacks the attribute 'joint'"}),
        with_more("MimicCycle",
                  link_text("c") +
                      "<joint name='k' type='revolute'><parent>b</parent><child>c</child>" +
                      axis(kZ + "<mimic joint='l'/>") + "</joint>\n" + link_text("d") +
                      "<joint name='l' type='revolute'><parent>c</parent><child>d</child>" +
                      axis(kZ + "<mimic joint='k'/>") + "</joint>",
                  6, {"joint 'k'", "in the end, mimics it"}),
        with_b("TwoInertials", inertial("1") + inertial("2"),
               {"link 'b'", "more than one <inertial>", "keep one"}),
        with_b("TwoMasses", "<inertial><mass>1</mass><mass>2</mass></inertial>",
               {"link 'b'", "more than one <mass>", "keep one"}),
        with_b("TwoPoses", "<pose>1 0 0 0 0 0</pose><pose>0 0 0 0 0 0</pose>",
               {"link 'b'", "more than one <pose>", "keep one"}),
        with_axis("TwoAxisVectors", kZ + kZ, {"joint 'j'", "more than one <xyz>", "keep one"}),
        with_b("InertiaFromShapes", "<inertial auto='true'/>",
               {"link 'b'", "write <mass> and <inertia>"}),
        with_more("BadBoolean", "<static>maybe</static>", 5, {"<static>", "boolean"}),
        // Looking for the closest names of each would take minutes.
        with_more("ThousandsOfUnknownLinks",
                  [] {
                      std::string many;
                      for (int k = 0; k < 4000; ++k)
                          many += "<joint name='j" + std::to_string(k) +
                                  "' type='fixed'><parent>x</parent><child>y</child></joint>";
                      return many;
                  }(),
                  5, {"joint 'j3999'", "unknown child link 'y'"}),
        with_more("ManyElements",
                  [] {
                      std::string many;
                      for (int k = 0; k < 25000; ++k)
                          many += "<frame name='f" + std::to_string(k) + "'/>";
                      return many;
                  }(),
                  1, {"more than 20000 elements"})),
    name_of_case);

// --- What is odd, but can be read ---------------------------------------------------------------

class SdfAccepts : public SdfRefuses {};
TEST_P(SdfAccepts, AndSaysSo) { expect_loads(GetParam(), kFile); }

INSTANTIATE_TEST_SUITE_P(
    Odd, SdfAccepts,
    testing::Values(
        with_axis("AxisOfLengthTwo", "<xyz>0 0 2</xyz>",
                  {"note: joint 'j'", "its axis has length 2", "normalised"}),
        with_b("NoInertial", "", {"warning: link 'b'", "no <inertial>", "SDF gives it 1 kg"}),
        with_b("NoMass", "<inertial/>", {"warning: link 'b'", "no <mass>", "SDF makes it 1 kg"}),
        with_b("IncompleteInertia",
               "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy></inertia></inertial>",
               {"warning: link 'b'", "no <izz>", "SDF makes it 1"}),
        with_b("QuaternionOfFewDigits",
               "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 1.0009</pose>" + inertial("1"), {}),
        with_b("QuaternionOfFewDigitsBelow",
               "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0.9991</pose>" + inertial("1"), {}),
        with_b("TinyPosition", "<pose>1e-300 0 0 0 0 0</pose>" + inertial("1"), {}),
        with_b("MisspeltInertial", "<intertial/>",
               {"warning: link 'b'", "unknown element 'intertial'; closest: 'inertial'"}),
        with_b("MisspeltShape", "<visual name='v'><geometry><bocks/></geometry></visual>",
               {"warning: visual 'v'", "unknown element 'bocks'; closest: 'box'"}),
        with_axis("MisspeltLimit", kZ + "<limit><lowr>1</lowr></limit>",
                  {"warning: joint 'j'", "unknown element 'lowr'; closest: 'lower'"}),
        with_axis("InfiniteLimits", kZ + "<limit><lower>-inf</lower><upper>inf</upper></limit>",
                  {}),
        TextCase{
            "LinkAndJointOfOneNameOfOld",
            Robot{
                .version = "1.6", .b = link_text("j"), .ends = "<parent>a</parent><child>j</child>"}
                .text(),
            4,
            {}}),
    name_of_case);

std::string visual(const std::string& inside) {
    return inertial("1") + "<visual name='v'>" + inside + "</visual>";
}
std::string shape(const std::string& inside) {
    return visual("<geometry>" + inside + "</geometry>");
}
const std::string kSphere = "<geometry><sphere><radius>1</radius></sphere></geometry>";
const std::string kWarning = "warning: link 'b', visual 'v'";

INSTANTIATE_TEST_SUITE_P(
    Drawing, SdfAccepts,
    testing::Values(
        with_b("NegativeRadius", shape("<sphere><radius>-1</radius></sphere>"),
               {kWarning, "radius is -1", "the shape is left out"}),
        with_b("ShortBox", shape("<box><size>1 2</size></box>"),
               {kWarning, "has 2 numbers, needs 3", "the shape is left out"}),
        with_b("NoGeometry", visual(""), {kWarning, "has no <geometry>", "left out"}),
        with_b("TwoShapes",
               shape("<sphere><radius>1</radius></sphere><box><size>1 1 1</size></box>"),
               {kWarning, "more than one shape", "left out"}),
        with_b("MeshWithoutUri", shape("<mesh/>"),
               {kWarning, "lacks the element <uri>", "left out"}),
        with_b("MeshWithTwoUris", shape("<mesh><uri>a.stl</uri><uri>b.stl</uri></mesh>"),
               {kWarning, "more than one <uri>", "left out"}),
        with_b("MeshScale", shape("<mesh><uri>a.stl</uri><scale>big</scale></mesh>"),
               {kWarning, "'big', which is not a number", "left out"}),
        with_b("TwoPosesOfAShape",
               visual("<pose>1 0 0 0 0 0</pose><pose>0 0 0 0 0 0</pose>" + kSphere),
               {kWarning, "more than one <pose>", "left out"}),
        with_b("NanPoseOfAShape", visual("<pose>nan 0 0 0 0 0</pose>" + kSphere),
               {kWarning, "<pose> has 'nan'", "left out"}),
        with_b("NamelessShape", inertial("1") + "<visual>" + kSphere + "</visual>",
               {"warning: link 'b', <visual>", "has no name", "left out"}),
        with_b("ScriptWithoutUri",
               visual(kSphere + "<material><script><name>Gazebo/Red</name></script></material>"),
               {kWarning, "<script> lacks <uri>", "it is left out"}),
        with_b("ScriptWithoutName",
               visual(kSphere + "<material><script><uri>a.material</uri></script></material>"),
               {kWarning, "<script> lacks <name>", "it is left out"}),
        with_b("BadColour", visual(kSphere + "<material><diffuse>red</diffuse></material>"),
               {kWarning, "<diffuse> has 'red'", "it is left out"}),
        with_b("UnusedColour", visual(kSphere + "<material><ambient>red</ambient></material>"), {}),
        with_b("TwoShapesOfOneName", visual(kSphere) + "<visual name='v'>" + kSphere + "</visual>",
               {kWarning, "has the name of another", "'v_2'"}),
        with_axis("LimitsSwapped", kZ + "<limit><lower>1</lower><upper>-1</upper></limit>",
                  {"warning: joint 'j'", "lower limit 1 exceeds upper limit -1", "left out"}),
        with_axis("LimitsBeginAtInfinity", kZ + "<limit><lower>1e16</lower></limit>",
                  {"warning: joint 'j'", "no number lies between lower limit inf", "left out"}),
        with_axis("NanLimit", kZ + "<limit><upper>nan</upper></limit>",
                  {"warning: joint 'j'", "<upper> has 'nan'", "left out"}),
        with_axis("LimitWithAQuote", kZ + "<limit><velocity>2.3&quot;</velocity></limit>",
                  {"warning: joint 'j'", "<velocity> has '2.3\"'", "left out"})),
    name_of_case);

TEST_F(SdfAccepts, WhatIsLeftOutLeavesTheRest) {
    const ReadResult result = expect_loads(
        with_b("",
               visual("") + "<visual name='w'>" + kSphere +
                   "<material><diffuse>red</diffuse><script><uri>u</uri><name>n</name></script>"
                   "</material></visual><collision name='w'>" +
                   kSphere + "</collision><collision name='w'>" + kSphere + "</collision>",
               {}),
        kFile);
    const LinkDescription& b = link(result.description, "b");
    ASSERT_EQ(b.visuals.size(), 1U);
    EXPECT_EQ(b.visuals[0].name, "w");
    EXPECT_EQ(b.visuals[0].material->name, "n");
    EXPECT_FALSE(b.visuals[0].material->rgba);
    ASSERT_EQ(b.collisions.size(), 2U);
    EXPECT_EQ(b.collisions[1].name, "w_2");
    const JointLimits l =
        joint(expect_loads(with_axis("",
                                     kZ + "<limit><lower>x</lower><upper>1</upper>"
                                          "<effort>3</effort></limit>",
                                     {}),
                           kFile)
                  .description,
              "j")
            .limits;
    EXPECT_TRUE(std::isinf(l.lower));
    EXPECT_EQ(l.upper, 1);
    EXPECT_EQ(l.effort, 3);
}

// Inertias that no body has: a warning, or refused where physics are to be strict.
class SdfPhysics : public SdfRefuses {};
TEST_P(SdfPhysics, WarnOrAreRefused) {
    expect_finding(expect_loads(GetParam(), kFile), Severity::kWarning, kFile, GetParam().line,
                   GetParam().words);
    expect_finding(read_robot_text(GetParam().text, kFile, {.physics = Physics::kStrict}),
                   Severity::kError, kFile, GetParam().line, GetParam().words);
}
INSTANTIATE_TEST_SUITE_P(
    Inertias, SdfPhysics,
    testing::Values(with_b("ZeroMassWithInertia", inertial("0"),
                           {"link 'b'", "mass is zero", "give it a mass"}),
                    // In a world sdformat says less.
                    TextCase{"ZeroMassInAWorld",
                             "<sdf version='1.9'><world name='w'>\n<model name='m'>\n" +
                                 link_text("a", inertial("0")) + "</model></world></sdf>",
                             3,
                             {"link 'a'", "mass is zero", "give it a mass"}},
                    with_b("MassWithoutInertia", inertial("1", "0", "0", "0"),
                           {"link 'b'", "its rotational inertia is zero"}),
                    with_b("Indefinite", inertial("1", "1", "-1", "1"),
                           {"link 'b'", "eigenvalues -1, 1, 1", "check the order and signs"}),
                    with_b("Triangle", inertial("1", "1", "1", "5"),
                           {"link 'b'", "triangle inequality", "about the centre of mass"})),
    name_of_case);

TEST_F(SdfAccepts, MasslessLeafForKinematicsOnly) {
    const ReadResult result = expect_loads(with_b("", inertial("0", "0", "0", "0"), {}), kFile);
    const Model model(result.description);
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    EXPECT_EQ(frame_pose(model, zero, "b").position, Vec3<double>{});
    try {
        (void)forward_dynamics(model, zero, zero, zero);
        ADD_FAILURE() << "forward dynamics of a link without mass";
    } catch (const Error& error) {
        EXPECT_TRUE(has_all(error.what(), {"joint 'j'", "link 'b'"})) << error.what();
    }
    bool warned = false;
    for (const Diagnostic& d : find_suspicions(result.description))
        warned = warned ||
                 has_all(to_string(d), {kFile + std::string(":3:"), "link 'b'", "has no mass"});
    EXPECT_TRUE(warned);
}

// --- Other files that a file names --------------------------------------------------------------

class SdfFiles : public testing::Test {
protected:
    void SetUp() override {
        if (!can_read(Format::kSdf)) GTEST_SKIP() << "this build does not read SDF";
        folder_.write("secret.sdf", in_model(link_text("s")));
        folder_.write("secret.stl", "x");
        folder_.write("robot/inside.stl", "x");
        std::filesystem::create_symlink(folder_.path() / "secret.sdf", at("robot/link.sdf"));
        std::filesystem::create_symlink(folder_.path() / "secret.stl", at("robot/link.stl"));
        std::filesystem::create_symlink(folder_.path(), at("robot/up"));
    }
    static std::string in_model(const std::string& inside) {
        return "<sdf version='1.9'><model name='m'>\n" + inside + "</model></sdf>\n";
    }
    static std::string include(const std::string& uri, const std::string& name = "x") {
        return "<include><uri>" + uri + "</uri><name>" + name + "</name></include>\n";
    }
    std::filesystem::path at(const std::string& file) const { return folder_.path() / file; }
    // Reads a robot with that in its model, from line 2.
    ReadResult read(const std::string& inside) const {
        return read_robot(folder_.write("robot/robot.sdf", in_model(inside)));
    }
    std::string robot() const { return at("robot/robot.sdf").string(); }

    ScratchFolder folder_{"sdf_files"};
};

const char* const kEscapes[] = {"../secret",          "../../../../../../../../etc/passwd",
                                "%2e%2e/secret",      "%2E%2E%2Fsecret",
                                "up/secret",          "link",
                                "model://../secret",  "model://robot/../secret",
                                "file:///etc/passwd", "/etc/passwd"};

TEST_F(SdfFiles, MeshesOutsideTheFolderAreNotRead) {
    const auto with_mesh = [&](const std::string& uri) {
        return read(link_text("a", inertial("1") + "<visual name='v'><geometry><mesh><uri>" + uri +
                                       "</uri></mesh></geometry></visual>"));
    };
    const auto path_of = [](const ReadResult& result) {
        return std::get<Mesh>(result.description.links.at(0).visuals.at(0).geometry).path;
    };
    EXPECT_EQ(path_of(with_mesh("inside.stl")), at("robot/inside.stl").string());
    for (const std::string escape : kEscapes) {
        const ReadResult result =
            with_mesh(escape.find("etc") == std::string::npos ? escape + ".stl" : escape);
        EXPECT_EQ(path_of(result), "") << escape;
        expect_finding(
            result, Severity::kWarning, robot(), 2,
            {"link 'a', visual 'v'", "is not used", "outside the robot's folder", "package path"});
    }
    expect_finding(with_mesh("http://example.org/a.stl"), Severity::kWarning, robot(), 2,
                   {"scheme"});
    expect_finding(with_mesh("%zz.stl"), Severity::kWarning, robot(), 2, {"percent sign"});
    expect_finding(with_mesh("."), Severity::kWarning, robot(), 2, {"not a file"});
}

TEST_F(SdfFiles, IncludesOutsideTheFolderAreRefused) {
    for (const std::string escape : kEscapes) {
        expect_finding(
            read(include(escape.find("etc") == std::string::npos ? escape + ".sdf" : escape)),
            Severity::kError, robot(), 2,
            {"<include>", "is not read", "outside the robot's folder", "package path"});
    }
    expect_finding(read(include("none.sdf")), Severity::kError, robot(), 2, {"does not exist"});
    expect_finding(read(include(".")), Severity::kError, robot(), 2, {"not a file"});
    expect_finding(read(include("http://example.org/a.sdf")), Severity::kError, robot(), 2,
                   {"scheme"});
}

// A folder "here" with the robot and its model.config, and a part in a folder of another name.
class SdfModels : public SdfFiles {
protected:
    static std::string config(const std::string& file) {
        return "<model><name>x</name><sdf version='1.9'>" + file + "</sdf></model>";
    }
    void write_model(const std::string& folder, const std::string& inside) const {
        folder_.write(folder + "/model.config", config("model.sdf"));
        folder_.write(folder + "/model.sdf", in_model(inside));
    }
    ReadResult read_here(const std::string& uri) const {
        write_model("models/here", link_text("own") + include(uri, "part") +
                                       fixed_joint("weld", "own", "part::leg"));
        return read_robot(at("models/here/model.sdf").string());
    }
    static void expect_part(const ReadResult& result) {
        EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
        EXPECT_NO_THROW((void)link(result.description, "part::leg")) << messages(result);
    }
};

TEST_F(SdfModels, AMissingOneIsNotReplacedByAnother) {
    // The robot's own folder has all that such a model would have, and more.
    write_model("models/here/part", link_text("leg"));
    for (const char* uri : {"model://missing", "model://missing/model.sdf", "model://missing/part",
                            "model://missing/part/model.sdf"}) {
        expect_finding(read_here(uri), Severity::kError, at("models/here/model.sdf").string(), 3,
                       {"<include>", uri, "is not read", "does not exist"});
    }
}

TEST_F(SdfModels, AreFoundBesideTheRobotsFolder) {
    write_model("models/part", link_text("leg"));
    expect_part(read_here("model://part"));
    expect_part(read_here("model://part/model.sdf"));
    // Also where the models are a folder of a package.
    folder_.write("package.xml", "x");
    expect_part(read_here("model://part"));
    // Of several files of a model the newest counts that can be read, wherever it stands.
    folder_.write("models/part/older.sdf", in_model(link_text("arm")));
    const auto file = [](const char* version, const char* name) {
        return std::string("<sdf version='") + version + "'>" + name + "</sdf>";
    };
    const std::string newest = file("1.9", "model.sdf"), old = file("1.4", "older.sdf"),
                      later = file("1.99", "older.sdf");
    for (const std::string& files : {newest + old, old + newest, old + newest + later,
                                     later + newest + old, newest + later + old}) {
        folder_.write("models/part/model.config", "<model><name>x</name>" + files + "</model>");
        expect_part(read_here("model://part"));
    }
}

TEST_F(SdfModels, AreFoundWhereTheEnvironmentSays) {
    write_model("elsewhere/part", link_text("leg"));
    expect_finding(read_here("model://part"), Severity::kError,
                   at("models/here/model.sdf").string(), 3, {"does not exist"});
    for (const char* name :
         {"GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH", "ROS_PACKAGE_PATH"}) {
        SCOPED_TRACE(name);
        const Variable path(name, at("nowhere").string() + ":" + at("elsewhere").string());
        expect_part(read_here("model://part"));
        expect_finding(read_here("model://../secret.sdf"), Severity::kError,
                       at("models/here/model.sdf").string(), 3, {"is not read"});
    }
}

// --- One of several models ------------------------------------------------------------------------

TEST_F(SdfModels, OneOfSeveralIsReadByItsName) {
    const auto model = [](const std::string& name, const std::string& inside) {
        return "<model name='" + name + "'>" + inside + "</model>\n";
    };
    write_model("part", link_text("leg"));
    const std::string both = model("one", link_text("a")) + model("two", link_text("b"));
    // What is wrong with the others does not matter.
    const std::string worse = model("bad", "<link/>") + model("two", link_text("b"));
    const auto in_world = [](const std::string& inside) {
        return "<world name='w'><gravity>0 0 -1</gravity>\n" + inside + "</world>";
    };
    const auto read = [&](const std::string& inside, const std::string& name) {
        return read_robot(folder_.write("all.sdf", "<sdf version='1.9'>\n" + inside + "</sdf>"),
                          {.model = name});
    };
    const auto expect = [&](const ReadResult& result, const char* name, const char* link_name) {
        EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
        EXPECT_EQ(result.description.name, name);
        EXPECT_NO_THROW((void)link(result.description, link_name));
    };
    const auto refuse = [&](const ReadResult& result, const std::vector<std::string>& words) {
        expect_finding(result, Severity::kError, at("all.sdf").string(), 0, words);
    };
    for (const std::string& text : {both, in_world(both)}) {
        expect(read(text, "one"), "one", "a");
        expect(read(text, "two"), "two", "b");
    }
    EXPECT_EQ(read(in_world(both), "two").description.gravity, (Vec3<double>{0, 0, -1}));
    expect(read(worse, "two"), "two", "b");
    expect(read(in_world(worse), "two"), "two", "b");
    // Several worlds, and includes with and without a name.
    expect(read("<world name='v'>" + model("one", link_text("a")) + "</world>" + in_world(both),
                "two"),
           "two", "b");
    const std::string nameless = "<include><uri>part/model.sdf</uri></include>";
    expect(read(in_world(both + include("part/model.sdf", "three")), "three"), "three", "leg");
    expect(read(in_world(both + nameless), "m"), "m", "leg");

    refuse(read(both, ""), {"model 'one', model 'two'", "--model"});
    refuse(read(in_world(both), ""), {"'one', 'two'", "--model"});
    refuse(read(in_world(both), "thre"), {"unknown model 'thre'", "'one'", "'two'"});
    refuse(read(both, "three"), {"model 'one', model 'two'"});
    refuse(read(model("one", link_text("a")), "two"), {"unknown model 'two'; closest: 'one'"});
    // Models that are all static are several all the same.
    const std::string still = "<static>1</static>";
    refuse(read(in_world(model("one", still + link_text("a")) + model("two", still)), ""),
           {"'one', 'two'", "--model"});
}

TEST_F(SdfFiles, IncludedFilesThatAreNoModel) {
    const auto with_part = [&](const std::string& text) {
        folder_.write("robot/part.sdf", text);
        return read("\n" + include("part.sdf"));
    };
    const auto refuses = [&](const std::string& text, const std::vector<std::string>& words) {
        expect_finding(with_part(text), Severity::kError, robot(), 3, words);
    };
    refuses("", {"the file is empty", "part.sdf, line 1"});
    refuses("<sdf", {"not well-formed", "part.sdf, line 1"});
    refuses("<!DOCTYPE a>\n" + in_model(link_text("a")), {"document type", "part.sdf, line 1"});
    refuses("<robot name='r'/>", {"must hold one <model>"});
    refuses("<sdf version='1.9'/>", {"must hold one <model>"});
    refuses(in_model(link_text("a", "<pose>nan 0 0 0 0 0</pose>")),
            {"link 'a'", "<pose> has 'nan'", "part.sdf, line 2"});
    refuses(in_model(link_text("a") + "<joint name='k' type='fixed'/>"),
            {"joint 'k'", "lacks <parent>", "part.sdf, line 3"});
}

TEST_F(SdfFiles, IncludesThatNeverEnd) {
    folder_.write("robot/other.sdf", in_model(include("robot.sdf")));
    expect_finding(read(include("robot.sdf")), Severity::kError, robot(), 2,
                   {"<include>", "includes itself"});
    expect_finding(read(include("other.sdf")), Severity::kError, robot(), 2,
                   {"<include>", "includes itself", "other.sdf, line 2"});
    // Doubling: 2³⁰ links, if it were believed.
    folder_.write("robot/0.sdf", in_model(link_text("l")));
    for (int k = 1; k <= 30; ++k) {
        const std::string below = std::to_string(k - 1) + ".sdf";
        folder_.write("robot/" + std::to_string(k) + ".sdf",
                      in_model(include(below, "a") + include(below, "b")));
    }
    expect_finding(read(include("30.sdf")), Severity::kError, robot(), 2,
                   {"<include>", "more than 100 includes"});
}

}  // namespace
}  // namespace plucker::test::sdf_hostile
