// MJCF files that are wrong, and what they are told. What makes a text no document at all is in
// document_test.cpp, for all formats.
//
// Not here, because MJCF has no such thing: parents and children that are named (bodies are nested, so there
// are no cycles, no second parent, no unknown link), two roots (all bodies stand in the world), a moving body
// without mass (MuJoCo refuses it).
#include <gtest/gtest.h>

#include "findings.hpp"
#include "plucker/io/load.hpp"
#include "scratch_folder.hpp"

namespace plucker::test::mjcf_hostile {
namespace {

constexpr const char* kFile = "robot.xml";

// Body a with a hinge j (line 3), and in it body b with a hinge k (line 4); parts can be replaced.
struct Robot {
    std::string beside = "";  // the world, in line 2
    std::string a = "pos='0 0 1'";
    std::string j = "axis='0 0 1'";
    std::string mass = "<geom size='1'/>";  // of b
    std::string in_b = "";                  // from line 5

    std::string text() const {
        return "<mujoco>\n" + beside + "<worldbody>\n<body name='a' " + a + "><joint name='j' " +
               j + "/><geom size='1'/>\n<body name='b'><joint name='k'/>" + mass + "\n" + in_b +
               "</body></body></worldbody></mujoco>\n";
    }
};

class MjcfRefuses : public testing::TestWithParam<TextCase> {
protected:
    void SetUp() override {
        if (!can_read(Format::kMjcf)) GTEST_SKIP() << "this build does not read MJCF";
    }
};
TEST_P(MjcfRefuses, WithFileLineElementAndRemedy) { expect_refusal(GetParam(), kFile); }

TextCase beside(const char* name, const std::string& text, std::vector<std::string> words) {
    return {name, Robot{.beside = text}.text(), 2, std::move(words)};
}
TextCase with_a(const char* name, const std::string& attributes, std::vector<std::string> words) {
    return {name, Robot{.a = attributes}.text(), 3, std::move(words)};
}
TextCase with_j(const char* name, const std::string& attributes, std::vector<std::string> words) {
    return {name, Robot{.j = attributes}.text(), 3, std::move(words)};
}
TextCase with_mass(const char* name, const std::string& elements, std::vector<std::string> words) {
    return {name, Robot{.mass = elements}.text(), 4, std::move(words)};
}
TextCase in_b(const char* name, const std::string& elements, std::vector<std::string> words) {
    return {name, Robot{.in_b = elements}.text(), 5, std::move(words)};
}
std::string inertial(const std::string& mass, const std::string& rest = "diaginertia='1 1 1'") {
    return "<inertial pos='0 0 0' mass='" + mass + "' " + rest + "/>";
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, MjcfRefuses,
    testing::Values(
        with_mass("NanMass", inertial("nan"), {"<inertial mass=…> has 'nan'", "not finite"}),
        with_mass("InfMass", inertial("inf"), {"<inertial mass=…> has 'inf'", "not finite"}),
        with_mass("HugeMass", inertial("1e308"), {"link 'b'", "too large to compute with"}),
        with_mass("OverflowingMass", inertial("1e999"), {"<inertial>", "out of range"}),
        with_mass("TinyMass", inertial("1e-300"),
                  {"body 'b'", "must be larger than mjMINVAL", "give it an <inertial>"}),
        with_mass("CommaMass", inertial("1,5"), {"<inertial>", "written with a point"}),
        with_mass("HexMass", inertial("0x10"), {"<inertial>", "not a number"}),
        with_mass("EmptyMass", inertial(""), {"<inertial>", "has 0 numbers, needs 1"}),
        with_mass("TwoMassNumbers", inertial("1 2"), {"<inertial>", "has 2 numbers, needs 1"}),
        with_mass("NegativeMass", inertial("-1"), {"<inertial>", "-1", "must not be negative"}),
        with_mass("NegativeMassOfAGeom", "<geom size='1' mass='-1'/>",
                  {"<geom>", "mass is -1", "must not be negative"}),
        with_mass("NegativeDensity", "<geom size='1' density='-1'/>",
                  {"<geom>", "density is -1", "must not be negative"}),
        with_mass("ZeroMass", inertial("0"), {"body 'b'", "give it an <inertial>"}),
        with_mass("NoMass", "", {"body 'b'", "mass and inertia", "give it an <inertial>"}),
        with_mass("HugeInertia", inertial("1", "diaginertia='1e308 1e308 1e308'"),
                  {"link 'b'", "too large to compute with"}),
        with_mass("NegativeInertia", inertial("1", "diaginertia='1 -1 1'"),
                  {"<inertial>", "diaginertia is -1", "must not be negative"}),
        with_mass("IndefiniteInertia", inertial("1", "fullinertia='1 1 1 5 5 5'"),
                  {"body 'b'", "positive eigenvalues", "check its signs"}),
        with_mass("ShortInertia", inertial("1", "fullinertia='1 1 1'"),
                  {"<inertial>", "has 3 numbers, needs 6"}),
        with_mass("TriangleViolation", inertial("1", "diaginertia='1 1 5'"),
                  {"body 'b'", "A + B >= C", "balanceinertia"}),
        with_a("ShortPosition", "pos='1 2'", {"body 'a'", "has 2 numbers, needs 3"}),
        with_a("LongPosition", "pos='1 2 3 4'", {"body 'a'", "has 4 numbers, needs 3"}),
        with_a("EmptyPosition", "pos=''", {"body 'a'", "has 0 numbers, needs 3"}),
        with_a("NanPosition", "pos='0 nan 0'", {"body 'a'", "has 'nan'", "not finite"}),
        with_a("HugePosition", "pos='1e308 0 0'", {"joint 'j'", "beyond 1e+30 m"}),
        with_a("NanEuler", "euler='0 nan 0'", {"body 'a'", "has 'nan'", "not finite"}),
        with_a("ZeroQuaternion", "quat='0 0 0 0'", {"body 'a'", "has length 0", "it must be 1"}),
        with_a("HugeQuaternion", "quat='1e200 0 0 0'", {"body 'a'", "it must be 1"}),
        with_a("ShortQuaternion", "quat='1 0 0'", {"body 'a'", "has 3 numbers, needs 4"}),
        with_a("TwoRotations", "quat='1 0 0 0' euler='0 0 0'", {"body 'a'", "multiple"}),
        with_j("ZeroAxis", "axis='0 0 0'", {"joint 'j'", "axis too small", "must not be zero"}),
        with_j("TinyAxis", "axis='0 0 1e-300'", {"joint 'j'", "axis too small"}),
        with_j("ShortAxis", "axis='0 1'", {"joint 'j'", "has 2 numbers, needs 3"}),
        with_j("LongAxis", "axis='0 0 1 0'", {"joint 'j'", "has 4 numbers, needs 3"}),
        with_j("LimitsSwapped", "limited='true' range='1 -1'",
               {"joint 'j'", "range[0] should be smaller", "exchange them"}),
        TextCase{"RangeThatMayBeMeantOrNot",
                 Robot{.beside = "<compiler autolimits='false'/>", .j = "range='-1 1'"}.text(),
                 3,
                 {"joint 'j'", "specify `limited`"}},
        with_j("ShortRange", "limited='true' range='1'", {"joint 'j'", "has 1 number, needs 2"}),
        with_j("NanRange", "limited='true' range='nan 1'", {"joint 'j'", "has 'nan'"}),
        with_j("NegativeDamping", "damping='-1'", {"joint 'j'", "damping is -1", "negative"}),
        with_j("NegativeArmature", "armature='-1'", {"joint 'j'", "armature is -1", "negative"}),
        with_j("NegativeFriction", "frictionloss='-1'",
               {"joint 'j'", "friction is -1", "negative"}),
        with_mass("NegativeSize", "<geom name='g' size='-1'/>", {"geom 'g'", "must be positive"}),
        with_mass("TooFewSizes", "<geom name='g' type='box' size='1'/>",
                  {"geom 'g'", "must be positive"}),
        beside("NanGravity", "<option gravity='0 0 nan'/>", {"<option gravity=…>", "has 'nan'"})),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Structure, MjcfRefuses,
    testing::Values(
        in_b("UnknownElement", "<lihgt/>", {"<lihgt>", "unknown element 'lihgt'", "'light'"}),
        in_b("UnknownAttribute", "<geom size='1' sise='2'/>",
             {"<geom>", "unknown attribute 'sise'", "closest: 'size'"}),
        in_b("ReplicateBomb", "<replicate count='1000000000'><geom size='1'/></replicate>",
             {"<replicate>", "1e+09 copies", "more than 20000 elements"}),
        in_b("ReplicateBombBeyondWholeNumbers",
             "<replicate count='12345678901234567890'><geom size='1'/></replicate>",
             {"<replicate>", "e+19 copies", "more than 20000 elements"}),
        in_b("ReplicateBombsInOneAnother",
             "<replicate count='1000'><replicate count='1000'><geom size='1'/></replicate>"
             "</replicate>",
             {"<replicate>", "more than 20000 elements"}),
        beside("ReplicateOfAnEquality",
               "<equality><joint joint1='k' joint2='j'><replicate count='3'><body><joint "
               "name='k'/></body></replicate>"
               "</joint><joint joint1='k' joint2='j'/></equality>",
               {"<replicate>"}),
        in_b("ReplicateOfNothing", "<replicate count='0'/>", {"<replicate>", "positive whole"}),
        in_b("ReplicateOfAHalf", "<replicate count='1.5'/>", {"<replicate>", "positive whole"}),
        in_b("ReplicateWithoutACount", "<replicate/>",
             {"<replicate>", "lacks the attribute 'count'"}),
        in_b("ReplicateByNan", "<replicate count='2' offset='0 0 nan'/>", {"has 'nan'"}),
        in_b("FrameWithTwoRotations", "<frame quat='1 0 0 0' euler='0 0 0'/>",
             {"<frame>", "multiple orientations"}),
        in_b("FrameWithoutADirection", "<frame zaxis='0 0 0'/>", {"<frame>", "has length 0"}),
        in_b("FrameAtNan", "<frame pos='0 0 nan'/>", {"<frame>", "has 'nan'"}),
        in_b("ShapeAtNanInAFrame", "<frame><geom size='1' fromto='1 2 3'/></frame>",
             {"<geom fromto=…>", "has 3 numbers, needs 6"}),
        in_b("AttachOfNothing", "<attach model='m' prefix='p'/>",
             {"<attach>", "unknown model 'm'", "there are none"}),
        in_b("AttachOfABodyAndAFrame", "<attach model='m' body='a' frame='f' prefix='p'/>",
             {"<attach>", "a body and a frame", "leave out one"}),
        in_b("SomethingInAttach", "<attach model='m' prefix='p'><body/></attach>",
             {"<attach> has nothing in it", "beside it"}),
        in_b("ReplicateFarAway",
             "<replicate count='3' offset='1e308 0 0'><geom size='1'/></replicate>",
             {"<replicate>", "copy 1", "make euler or offset smaller"}),
        in_b("ReplicateTurnedFar",
             "<replicate count='3' euler='0 1e308 0'><geom size='1'/></replicate>",
             {"<replicate>", "copy 1", "make euler or offset smaller"}),
        with_mass("ReplicateOfAnInertia", "<replicate count='2'>" + inertial("1") + "</replicate>",
                  {"unique sub-element 'inertial'", "keep one"}),
        beside("ReplicateOfManyEqualities",
               "<equality>" +
                   [] {
                       std::string out;
                       for (int k = 0; k < 300; ++k) out += "<joint joint1='r'/>";
                       return out;
                   }() +
                   "</equality><worldbody><replicate count='100'><body><joint name='r'/>"
                   "<geom size='1'/></body></replicate></worldbody>",
               {"<replicate>", "100 copies", "more than 20000 elements"}),
        beside("FreeJointOfTheWorld", "<worldbody><freejoint/></worldbody>",
               {"World body cannot have joints", "put it into a <body>"}),
        beside("TwoMeshesOfOneName",
               "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
               "<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>",
               {"mesh 'm'", "repeated name", "give one of them another name"}),
        in_b("AttachOfItself", "<attach body='a' prefix='p'/>", {"<attach>", "itself"}),
        with_j("UnknownType", "type='hing'",
               {"joint 'j'", "unknown joint type 'hing'; closest: 'hinge'"}),
        with_j("UnknownClass", "class='none'", {"joint 'j'", "default class", "define it"}),
        in_b("DuplicateBody", "<body name='a'/>",
             {"two bodies are named 'a' (the first in line 3)", "another name"}),
        in_b("DuplicateJoint", "<body><joint name='j'/><geom size='1'/></body>",
             {"two joints are named 'j' (the first in line 3)", "another name"}),
        in_b("BodyCalledWorld", "<body name='world'/>", {"body 'world'", "repeated name"}),
        in_b("FreeJointInside", "<body name='c'><freejoint/><geom size='1'/></body>",
             {"body 'c'", "free joint can only be used on top level"}),
        in_b("SevenFreedoms",
             "<body name='c'><joint/><joint/><joint/><joint/><joint/><joint/><joint/>"
             "<geom size='1'/></body>",
             {"body 'c'", "6 dofs"}),
        with_mass("TwoInertials", inertial("1") + inertial("2"),
                  {"body 'b'", "unique sub-element 'inertial' found 2"}),
        beside("MimicOfNothing", "<equality><joint joint1='k' joint2='jj'/></equality>",
               {"equality <joint>", "unknown joint 'jj'; closest: 'j'"}),
        beside("NothingThatMimics", "<equality><joint joint1='kk' joint2='j'/></equality>",
               {"equality <joint>", "unknown joint 'kk'; closest: 'k'"}),
        beside("MimicOfItself", "<equality><joint joint1='j' joint2='j'/></equality>",
               {"<joint>", "'j' is repeated"}),
        TextCase{"MimicCycle",
                 Robot{.beside = "<equality><joint joint1='j' joint2='k'/>"
                                 "<joint joint1='k' joint2='j'/></equality>"}
                     .text(),
                 3,
                 {"joint 'j'", "in the end, mimics it"}},
        in_b("CompositeBomb",
             "<composite prefix='c' type='particle' count='1000 1000 1000'><geom size='0.1'/>"
             "</composite>",
             {"<composite>", "makes 1e+09 parts", "more than 10000 are refused"}),
        in_b("SmallerBombs",
             "<composite prefix='c' type='particle' count='20 20 15'><geom size='0.1'/>"
             "</composite><composite prefix='d' type='particle' count='20 20 15'>"
             "<geom size='0.1'/></composite>",
             {"<composite>", "makes 12000 parts", "more than 10000 are refused"}),
        TextCase{"ManyElements",
                 [] {
                     Robot robot;
                     for (int k = 0; k < 25000; ++k) robot.in_b += "<geom size='1'/>";
                     return robot.text();
                 }(),
                 1,
                 {"<mujoco>", "more than 20000 elements"}}),
    name_of_case);

// --- What is odd, but can be read ---------------------------------------------------------------

class MjcfAccepts : public MjcfRefuses {};
TEST_P(MjcfAccepts, AndSaysSo) { expect_loads(GetParam(), kFile); }

INSTANTIATE_TEST_SUITE_P(
    Odd, MjcfAccepts,
    testing::Values(
        with_j("AxisOfLengthTwo", "axis='0 0 2'",
               {"note: joint 'j'", "its axis has length 2", "normalised"}),
        with_a("QuaternionOfLengthTwo", "quat='2 0 0 0'",
               {"note: body 'a'", "has length 2", "normalised"}),
        with_a("TinyPosition", "pos='1e-300 0 0'", {}),
        with_j("InfiniteRange", "limited='true' range='-inf inf'", {}),
        in_b("FixedBodyWithoutMass", "<body name='c'/>", {}),
        in_b("BodyAndJointOfOneName", "<body name='x'><joint name='x'/><geom size='1'/></body>",
             {}),
        // These would make MuJoCo take gigabytes, and have nothing to do with dynamics.
        beside("BombsThatAreLeftOut",
               "<size nuser_body='2000000000' nkey='100000000'/>"
               "<custom><numeric name='n' size='2000000000'/></custom>"
               "<asset><texture name='t' builtin='flat' width='90000' height='90000'/></asset>",
               {})),
    name_of_case);

// --- Other files that a file names --------------------------------------------------------------

class MjcfFiles : public testing::Test {
protected:
    void SetUp() override {
        if (!can_read(Format::kMjcf)) GTEST_SKIP() << "this build does not read MJCF";
        folder_.write("secret.xml", "<mujoco/>");
        folder_.write("secret.stl", "x");
        folder_.write("robot/inside.stl", "x");
        std::filesystem::create_symlink(folder_.path() / "secret.xml", at("robot/link.xml"));
        std::filesystem::create_symlink(folder_.path() / "secret.stl", at("robot/link.stl"));
        std::filesystem::create_symlink(folder_.path(), at("robot/up"));
    }
    std::filesystem::path at(const std::string& file) const { return folder_.path() / file; }
    std::string robot() const { return at("robot/robot.xml").string(); }
    // Reads a robot with that beside its world, in line 2.
    ReadResult read(const std::string& beside, const std::string& geoms = "") const {
        return read_robot(folder_.write(
            "robot/robot.xml", Robot{.beside = beside, .mass = "<geom size='1'/>" + geoms}.text()));
    }
    static std::string include(const std::string& file) { return "<include file='" + file + "'/>"; }

    ScratchFolder folder_{"mjcf_files"};
};

const char* const kEscapes[] = {"../secret",     "../../../../../../../../etc/passwd",
                                "%2e%2e/secret", "%2E%2E%2Fsecret",
                                "up/secret",     "link",
                                "/etc/passwd",   "file:///etc/passwd"};
std::string with_ending(const std::string& escape, const char* ending) {
    return escape.find("etc") == std::string::npos ? escape + ending : escape;
}

TEST_F(MjcfFiles, MeshesOutsideTheFolderAreNotRead) {
    const auto with_mesh = [&](const std::string& file) {
        return read("<asset><mesh name='m' file='" + file + "'/></asset>",
                    "<geom type='mesh' mesh='m' mass='0'/>");
    };
    for (const std::string escape : kEscapes) {
        expect_finding(with_mesh(with_ending(escape, ".stl")), Severity::kWarning, robot(), 2,
                       {"mesh 'm'", "is not used", "outside the robot's folder", "package path"});
    }
    expect_finding(with_mesh("none.stl"), Severity::kWarning, robot(), 2, {"does not exist"});
    // The folder of meshes can lead outside, too.
    expect_finding(
        read("<compiler meshdir='..'/><asset><mesh name='m' file='secret.stl'/></asset>"),
        Severity::kWarning, robot(), 2, {"mesh 'm'", "outside the robot's folder"});
    // A mass cannot come from a mesh that is not read.
    expect_finding(read_robot(folder_.write(
                       "robot/robot.xml",
                       Robot{.beside = "<asset><mesh name='m' file='../secret.stl'/></asset>",
                             .mass = "<geom type='mesh' mesh='m'/>"}
                           .text())),
                   Severity::kError, robot(), 4,
                   {"body 'b'", "its mass comes from mesh 'm'", "give the body an <inertial>"});
}

TEST_F(MjcfFiles, IncludesOutsideTheFolderAreRefused) {
    for (const std::string escape : kEscapes) {
        expect_finding(read(include(with_ending(escape, ".xml"))), Severity::kError, robot(), 2,
                       {"<include>", "is not read", "outside the robot's folder", "package path"});
    }
    expect_finding(read(include("none.xml")), Severity::kError, robot(), 2,
                   {"does not exist", "paths start at the folder of robot.xml"});
    folder_.write("robot/part.xml", "<mujoco/>");
    expect_finding(read("<include file='part.xml' prefix='p'/>"), Severity::kError, robot(), 2,
                   {"<include>", "unknown attribute 'prefix'", "closest: 'file'"});
    expect_finding(read("<include file='part.xml'><option/></include>"), Severity::kError, robot(),
                   2, {"<include>", "has something in it", "beside it"});
    expect_finding(read(include(".")), Severity::kError, robot(), 2, {"not a file"});
    expect_finding(read("<include/>"), Severity::kError, robot(), 2,
                   {"lacks the attribute 'file'"});
}

TEST_F(MjcfFiles, IncludedFilesThatAreNoDocument) {
    const auto refuses = [&](const std::string& text, const std::vector<std::string>& words) {
        folder_.write("robot/part.xml", text);
        expect_finding(read(include("part.xml")), Severity::kError, robot(), 2, words);
    };
    refuses("", {"the file is empty", "part.xml, line 1"});
    refuses("<mujoco>", {"not well-formed", "part.xml, line 1"});
    refuses("<!DOCTYPE a>\n<mujoco/>", {"document type", "part.xml, line 1"});
    refuses("<mujoco>\n<option gravity='0 0 nan'/></mujoco>", {"has 'nan'", "part.xml, line 2"});
    refuses("<mujoco>\n<optoin/></mujoco>", {"<optoin>", "closest: 'option'", "part.xml, line 2"});
}

TEST_F(MjcfFiles, IncludesThatNeverEnd) {
    folder_.write("robot/other.xml", "<mujoco>\n" + include("robot.xml") + "</mujoco>");
    expect_finding(read(include("robot.xml")), Severity::kError, robot(), 2,
                   {"<include>", "includes itself", "include it once"});
    expect_finding(read(include("other.xml")), Severity::kError, robot(), 2,
                   {"<include>", "includes itself", "other.xml, line 2"});
    // Doubling needs a file to be included twice.
    folder_.write("robot/part.xml", "<mujoco/>");
    expect_finding(read(include("part.xml") + include("part.xml")), Severity::kError, robot(), 2,
                   {"<include>", "included twice"});
    std::string many = "<mujoco><worldbody>";
    for (int k = 0; k < 25000; ++k) many += "<geom size='1'/>";
    folder_.write("robot/many.xml", many + "</worldbody></mujoco>");
    expect_finding(read(include("many.xml")), Severity::kError, robot(), 2,
                   {"<include>", "more than 20000 elements"});
}

TEST_F(MjcfFiles, AttachedModelsOutsideTheFolderAreRefused) {
    const auto attach = [&](const std::string& file) {
        return read("<asset><model name='m' file='" + file + "'/></asset>",
                    "<attach model='m' prefix='p_'/>");
    };
    for (const std::string escape : kEscapes) {
        expect_finding(attach(with_ending(escape, ".xml")), Severity::kError, robot(), 4,
                       {"<attach>", "is not read", "outside the robot's folder", "package path"});
    }
    expect_finding(attach("none.xml"), Severity::kError, robot(), 4,
                   {"does not exist", "paths start at the folder of robot.xml"});
    folder_.write("robot/part.xml", "<mujoco>\n<worldbody><bdy/></worldbody></mujoco>");
    expect_finding(attach("part.xml"), Severity::kError, robot(), 4,
                   {"closest: 'body'", "part.xml, line 2"});
    // Nor does the folder of its meshes lead outside.
    folder_.write(
        "robot/part.xml",
        "<mujoco><compiler assetdir='..'/><asset><mesh name='m' file='secret.stl'/></asset>"
        "<worldbody><body><geom type='mesh' mesh='m' mass='0'/></body></worldbody></mujoco>");
    expect_finding(attach("part.xml"), Severity::kWarning, robot(), 4,
                   {"mesh 'p_m'", "outside the robot's folder"});
}

TEST_F(MjcfFiles, AttachedModelsThatAreNotThere) {
    folder_.write("robot/arm.xml",
                  "<mujoco model='arm'><worldbody><frame name='f'/><body name='upper'/>"
                  "</worldbody></mujoco>");
    folder_.write("robot/arm.urdf", "<robot name='arm'><link name='l'/></robot>");
    const auto attach = [&](const std::string& models, const std::string& attached) {
        return read("<asset>" + models + "</asset>", attached);
    };
    const std::string by_name = "<attach model='arm' prefix='p_'/>";
    const std::string nameless = "<model file='arm.xml'/>";
    EXPECT_FALSE(has_errors(attach(nameless, by_name).diagnostics));
    const auto refuses = [&](const std::string& models, const std::string& attached, int line,
                             const std::vector<std::string>& words) {
        expect_finding(attach(models, attached), Severity::kError, robot(), line, words);
    };
    refuses("<model name='arm' file='arm.urdf'/>", by_name, 4,
            {"<attach>", "'arm.urdf' is not MJCF", "<robot> in place of <mujoco>"});
    refuses("<model name='arm'/>", by_name, 2, {"model 'arm'", "lacks the attribute 'file'"});
    refuses("<model file='none.xml'/>", by_name, 2, {"<model>", "does not exist"});
    refuses(nameless + "<model name='arm' file='arm.xml'/>", by_name, 2,
            {"two models are named 'arm'", "give one of them another name"});
    refuses(nameless, "<attach model='am' prefix='p_'/>", 4, {"unknown model 'am'", "'arm'"});
    refuses(nameless, "<attach model='arm' body='uper' prefix='p_'/>", 4,
            {"model 'arm'", "unknown body 'uper'", "closest: 'upper'"});
    refuses(nameless, "<attach model='arm' frame='upper' prefix='p_'/>", 4,
            {"unknown frame 'upper'", "closest: 'f'"});
    // Names meet, with the suffix of a copy, too.
    refuses(nameless, by_name + "\n" + by_name, 5,
            {"two bodies are named 'p_upper'", "the first in line 4", "another name"});
    refuses(nameless, "<body name='p_upper1'/>\n<replicate count='2'>" + by_name + "</replicate>",
            5, {"two bodies are named 'p_upper1'", "the first in line 4"});
}

// Each file is shallow; what they make together is not.
TEST_F(MjcfFiles, FilesThatTogetherNestTooDeeply) {
    const auto write_chain = [&](int files, int bodies, const std::string& next,
                                 const std::string& beside) {
        for (int k = 0; k < files; ++k) {
            const auto numbered = [&](std::string text) {
                const std::size_t at = text.find('#');
                return at == std::string::npos ? text : text.replace(at, 1, std::to_string(k + 1));
            };
            std::string inside = k + 1 < files ? numbered(next) : "";
            for (int b = 0; b < bodies; ++b) inside = "<body>" + inside + "</body>";
            folder_.write("robot/" + std::to_string(k) + ".xml",
                          "<mujoco>" + numbered(beside) +
                              (beside.empty() ? inside : "<worldbody>" + inside + "</worldbody>") +
                              "</mujoco>");
        }
    };
    const std::string attach = "<attach model='m' prefix=''/>";
    const auto asset = [](const char* file) {
        return "<asset><model name='m' file='" + std::string(file) + ".xml'/></asset>";
    };
    const auto refuses = [&](const std::string& beside, const std::string& in_b, int line,
                             const std::vector<std::string>& words) {
        expect_finding(read(beside, in_b), Severity::kError, robot(), line, words);
    };
    write_chain(3, 40, attach, asset("#"));
    refuses(asset("0"), attach, 4, {"<body>", "more than 99 elements around it", "2.xml"});
    write_chain(8, 80, attach, asset("#"));
    refuses(asset("0"), attach, 4, {"<body>", "more than 300 elements around it"});
    write_chain(200, 80, attach, asset("#"));
    refuses(asset("0"), attach, 4, {"<attach>", "more than 50 files"});
    write_chain(200, 80, "<include file='#.xml'/>", "");
    refuses("<worldbody>" + include("0.xml") + "</worldbody>", "", 2,
            {"<include>", "more than 300 elements around it"});
}

TEST_F(MjcfFiles, AttachedModelsThatNeverEnd) {
    const std::string me = "<asset><model name='m' file='robot.xml'/></asset>";
    expect_finding(read(me, "<attach model='m' prefix='p_'/>"), Severity::kError, robot(), 4,
                   {"<attach>", "attaches itself", "take this <attach> away"});
    folder_.write(
        "robot/part.xml",
        "<mujoco>\n" + me + "<worldbody><attach model='m' prefix='q_'/></worldbody></mujoco>");
    const std::string part = "<asset><model name='m' file='part.xml'/></asset>";
    expect_finding(read(part, "<attach model='m' prefix='p_'/>"), Severity::kError, robot(), 4,
                   {"<attach>", "attaches itself", "part.xml, line 2"});
    // Each attaches the next ten times: a million bodies in seven short files.
    for (int k = 0; k < 7; ++k) {
        std::string ten;
        for (int copy = 0; copy < 10; ++copy)
            ten += "<attach model='m' prefix='p" + std::to_string(copy) + "_'/>";
        folder_.write("robot/" + std::to_string(k) + ".xml",
                      "<mujoco><asset><model name='m' file='" + std::to_string(k + 1) +
                          ".xml'/></asset><worldbody>" + (k == 6 ? "<body/>" : ten) +
                          "</worldbody></mujoco>");
    }
    const ReadResult million =
        read("<asset><model name='m' file='0.xml'/></asset>", "<attach model='m' prefix='p_'/>");
    expect_finding(million, Severity::kError, robot(), 4, {"more than 20000 elements"});
    EXPECT_EQ(million.diagnostics.size(), 1U) << messages(million);
}

}  // namespace
}  // namespace plucker::test::mjcf_hostile
