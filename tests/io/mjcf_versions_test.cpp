// MJCF in the words of later versions than the MuJoCo that reads it: what they mean, and what is said about those
// that are left out. The other file of each pair says the same in the words of version 2.2, to MuJoCo itself.
#include <gtest/gtest.h>

#include "findings.hpp"
#include "mujoco_twin.hpp"
#include "plucker/io/load.hpp"
#include "scratch_folder.hpp"

namespace plucker::test::mjcf_versions {
namespace {

constexpr const char* kFile = "robot.xml";

std::string document(const std::string& world, const std::string& beside = "") {
    return "<mujoco>\n" + beside + "\n<worldbody>\n" + world + "\n</worldbody>\n</mujoco>\n";
}
// Has mass, and looks different from every side.
const std::string kSolid =
    "<geom type='box' size='0.1 0.2 0.3' pos='0.1 -0.2 0.05' euler='10 -20 30' mass='2'/>";
const std::string kBlock = "<geom type='box' size='0.1 0.2 0.3' mass='2'/>";

class MjcfVersions : public testing::Test {
protected:
    void SetUp() override {
        if (!can_read(Format::kMjcf)) GTEST_SKIP() << "this build does not read MJCF";
    }
    static ReadResult read(const std::string& text) { return read_robot_text(text, kFile); }
    static ReadResult loads(const std::string& text) {
        ReadResult result = read(text);
        EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
        return result;
    }
    static void expect_warning(const std::string& text, const std::vector<std::string>& words) {
        expect_finding(loads(text), Severity::kWarning, kFile, 0, words);
    }
    static void expect_silence(const std::string& text) {
        const ReadResult result = loads(text);
        for (const Diagnostic& d : result.diagnostics) EXPECT_EQ(d.severity, Severity::kNote);
    }
};

// --- Words that mean something ------------------------------------------------------------------

#ifdef PLUCKER_HAVE_MUJOCO

struct Pair {
    std::string name, later, version_2;
};
void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

class MjcfTranslation : public testing::TestWithParam<Pair> {};

TEST_P(MjcfTranslation, MovesAsInMujoco) {
    if (!can_read(Format::kMjcf)) GTEST_SKIP();
    const ScratchFolder folder("mjcf_translation");
    folder.write("parts/leg.xml",
                 "<mujoco><compiler angle='radian' eulerseq='zyx'/><default><joint armature='0.3'/>"
                 "<default class='swing'><joint axis='0 1 0' damping='0.2'/></default></default>"
                 "<worldbody><frame name='mount' pos='0.1 0 0' euler='0.3 0.2 0.1'>"
                 "<body name='thigh' pos='0.1 0.2 0.3' euler='0.1 -0.4 0.7' childclass='swing'>"
                 "<joint name='hip' ref='0.2' range='-1 1'/><geom size='0.1' pos='0 0.1 0.2'/>"
                 "<body name='shin' pos='0 0 -0.5'><joint name='knee' axis='1 0 0'/>"
                 "<geom size='0.05' pos='0.1 0 0'/><site name='toe' pos='0.1 0 0' euler='1 2 3'/>"
                 "</body></body></frame></worldbody>"
                 "<equality><joint joint1='knee' joint2='hip' polycoef='0.1 0.5 0 0 0'/></equality>"
                 "</mujoco>");
    folder.write("parts/row.xml",
                 "<mujoco><compiler angle='radian'/><worldbody><replicate count='3' offset='0 1 0' "
                 "euler='0 0.3490658503988659 0'><body name='b'><joint name='j' axis='1 1 0'/>" +
                     kBlock + "</body></replicate></worldbody></mujoco>");
    // In degrees, which the metres of a slide are not.
    folder.write(
        "parts/rail.xml",
        "<mujoco><worldbody><body name='cart'><joint name='rail' type='slide' axis='1 2 0' "
        "range='-0.5 0.25' ref='0.1'/><joint name='turn' range='-50 25' ref='10'/>" +
            kBlock + "</body></worldbody></mujoco>");
    MujocoTwin twin(load(folder.write("later.xml", GetParam().later)),
                    folder.write("version_2.xml", GetParam().version_2));
    expect_agreement(twin);
    // Limits and constants, too.
    const mjModel& m = *twin.theirs;
    for (int j = 0; j < m.njnt; ++j) {
        if (m.jnt_type[j] != mjJNT_HINGE && m.jnt_type[j] != mjJNT_SLIDE) continue;
        const JointDescription& ours =
            twin.ours.joint(twin.ours.joint_index(twin.name_of_joint(j)));
        const int dof = m.jnt_dofadr[j];
        EXPECT_DOUBLE_EQ(ours.damping, m.dof_damping[dof]) << ours.name;
        EXPECT_DOUBLE_EQ(ours.armature, m.dof_armature[dof]) << ours.name;
        if (m.jnt_limited[j] == 0) continue;
        const double ref = m.qpos0[m.jnt_qposadr[j]];
        EXPECT_NEAR(ours.limits.lower, m.jnt_range[2 * j] - ref, 1e-14) << ours.name;
        EXPECT_NEAR(ours.limits.upper, m.jnt_range[2 * j + 1] - ref, 1e-14) << ours.name;
    }
    for (int e = 0; e < m.neq; ++e) {
        const std::string follower = twin.name_of_joint(m.eq_obj1id[e]);
        const auto& mimic = twin.ours.joint(twin.ours.joint_index(follower)).mimic;
        ASSERT_TRUE(mimic) << follower;
        EXPECT_EQ(mimic->joint, twin.name_of_joint(m.eq_obj2id[e])) << follower;
        EXPECT_EQ(mimic->multiplier, m.eq_data[mjNEQDATA * e + 1]) << follower;
        EXPECT_EQ(mimic->offset, m.eq_data[mjNEQDATA * e]) << follower;
    }
}

// A frame moves what is in it as a body without joints would.
Pair as_body(const char* name, const std::string& world, const std::string& beside = "") {
    std::string other = world;
    for (const auto& [later, earlier] : {std::pair{"<frame", "<body"}, {"</frame", "</body"}}) {
        for (std::size_t at = 0; (at = other.find(later, at)) != std::string::npos;)
            other.replace(at, std::string(later).size(), earlier);
    }
    return {name, document(world, beside), document(other, beside)};
}

const std::string kArm =
    "<body name='arm' pos='0.3 0.1 0' euler='30 0 10'><joint name='swing' "
    "axis='1 2 3' pos='0.1 0 0.2'/>" +
    kSolid + "</body>";

// The leg of leg.xml in degrees, as MuJoCo 2.2 can read it.
std::string leg(const std::string& prefix, bool with_frame, const std::string& suffix = "") {
    const auto named = [&](const char* name) { return " name='" + prefix + name + suffix + "' "; };
    const std::string thigh =
        "<body" + named("thigh") +
        "pos='0.1 0.2 0.3' euler='5.729577951308232 -22.91831180523293 40.10704565915762'>"
        "<joint" +
        named("hip") +
        "axis='0 1 0' armature='0.3' damping='0.2' limited='true' ref='11.459155902616464' "
        "range='-57.29577951308232 57.29577951308232'/><geom size='0.1' pos='0 0.1 0.2'/>"
        "<body" +
        named("shin") + "pos='0 0 -0.5'><joint" + named("knee") +
        "axis='1 0 0' armature='0.3' damping='0.2'/><geom size='0.05' pos='0.1 0 0'/>"
        "<site" +
        named("toe") +
        "pos='0.1 0 0' euler='57.29577951308232 114.59155902616465 171.88733853924697'/>"
        "</body></body>";
    if (!with_frame) return thigh;
    return "<body pos='0.1 0 0' euler='17.188733853924695 11.459155902616464 5.729577951308232'>" +
           thigh + "</body>";
}
std::string knee(const std::string& prefix, const std::string& suffix = "") {
    return "<equality><joint joint1='" + prefix + "knee" + suffix + "' joint2='" + prefix + "hip" +
           suffix + "' polycoef='0.1 0.5 0 0 0'/></equality>";
}
const std::string kLegAsset = "<asset><model name='leg' file='parts/leg.xml'/></asset>";

INSTANTIATE_TEST_SUITE_P(
    Words, MjcfTranslation,
    testing::Values(
        as_body("FrameWithABody", "<frame pos='1 2 3' euler='20 30 40'>" + kArm + "</frame>"),
        as_body("FrameByAxisAndAngle", "<frame axisangle='1 2 3 50'>" + kArm + "</frame>"),
        as_body("FrameByTwoAxes", "<frame xyaxes='1 2 3 0 1 -1'>" + kArm + "</frame>"),
        // Nearly half a turn about x, y and z.
        as_body("FrameByTwoAxesRolled",
                "<frame xyaxes='1 0.1 0.05 0.1 -0.98 0.17'>" + kArm + "</frame>"),
        as_body("FrameByTwoAxesPitched",
                "<frame xyaxes='-0.98 0.1 0.17 0.1 1 0.05'>" + kArm + "</frame>"),
        as_body("FrameByTwoAxesYawed",
                "<frame xyaxes='-0.98 0.17 0.1 -0.17 -0.98 0.05'>" + kArm + "</frame>"),
        as_body("FrameByZAxis", "<frame zaxis='1 -2 -3'>" + kArm + "</frame>"),
        as_body("FrameUpsideDown", "<frame zaxis='0 0 -1'>" + kArm + "</frame>"),
        as_body("FrameByQuaternion", "<frame quat='-0.2 0.4 0.5 -0.9'>" + kArm + "</frame>"),
        as_body("FramesInFrames",
                "<frame pos='1 2 3' euler='20 30 40'><frame pos='0 0.5 0' euler='-50 10 5'>" +
                    kArm + "</frame><body name='other'><joint name='j'/>" + kSolid +
                    "</body></frame>"),
        as_body("FrameInRadiansAndAnotherSequence", "<frame euler='1 2 3'>" + kArm + "</frame>",
                "<compiler angle='radian' eulerseq='zYx'/>"),
        as_body("FrameAroundSites",
                "<body name='a'><joint name='j' axis='1 1 0'/>" + kSolid +
                    "<frame pos='0.1 0.2 0.3' euler='10 20 30'>"
                    "<site name='s' pos='1 0 0' zaxis='1 1 0'/></frame></body>"),
        Pair{"FrameAroundShapes",
             document("<body name='a'><joint name='j' axis='1 1 0'/><geom size='0.1'/>"
                      "<frame pos='0.1 0.2 0.3' euler='0 0 90'>"
                      "<geom type='box' size='0.1 0.2 0.3' pos='0.1 -0.2 0.05' "
                      "quat='0.9 0.1 -0.3 0.2'/>"
                      "<geom type='capsule' fromto='0.2 0.1 0.4 0.1 0.2 0.3' size='0.05'/>"
                      "</frame></body>"),
             document("<body name='a'><joint name='j' axis='1 1 0'/><geom size='0.1'/>"
                      "<geom type='box' size='0.1 0.2 0.3' pos='0.3 0.3 0.35' "
                      "quat='0.7 0.4 -0.2 1.1'/>"
                      "<geom type='capsule' fromto='0 0.4 0.7 -0.1 0.3 0.6' size='0.05'/>"
                      "</body>")},
        Pair{"FrameAroundJoints",
             document("<body name='a' pos='0 0 1'><frame pos='1 0 0' euler='0 0 90'>"
                      "<joint name='j' pos='0 2 0' axis='1 0 3'/>"
                      "<joint name='k' type='ball' pos='1 0 0'/></frame>" +
                      kSolid + "</body>"),
             document("<body name='a' pos='0 0 1'><joint name='j' pos='-1 0 0' axis='0 1 3'/>"
                      "<joint name='k' type='ball' pos='1 1 0'/>" +
                      kSolid + "</body>")},
        Pair{"ClassesOfFrames",
             document("<body name='a' childclass='one'><joint name='i'/>" + kSolid +
                          "<frame childclass='two'><body name='b'><joint name='j'/>" + kSolid +
                          "</body><body name='c'><joint name='k' class='one'/>" + kSolid +
                          "</body></frame></body>",
                      "<default><joint damping='0.1'/><geom mass='9'/><default class='one'><joint "
                      "armature='0.5'/></default><default class='two'><joint axis='1 1 1'/>"
                      "</default></default>"),
             document("<body name='a'><joint name='i' armature='0.5' damping='0.1'/>" + kSolid +
                      "<body name='b'><joint name='j' axis='1 1 1' damping='0.1'/>" + kSolid +
                      "</body><body name='c'><joint name='k' armature='0.5' damping='0.1'/>" +
                      kSolid + "</body></body>")},
        // Of orientations the innermost word counts, whatever form the others have.
        Pair{"OrientationsOfClasses",
             document("<body name='a'><joint name='j' axis='1 1 0'/>"
                      "<frame pos='0.1 0 0'><geom class='one' zaxis='1 0 1'/>"
                      "<geom class='two' pos='0 0.3 0'/></frame></body>",
                      "<default><geom type='box' size='0.1 0.2 0.3'/><default class='one'>"
                      "<geom euler='0 0 70'/><default class='two'><geom quat='0.5 0.5 0.5 0.5'/>"
                      "</default></default></default>"),
             document("<body name='a'><joint name='j' axis='1 1 0'/>"
                      "<geom type='box' size='0.1 0.2 0.3' pos='0.1 0 0' zaxis='1 0 1'/>"
                      "<geom type='box' size='0.1 0.2 0.3' pos='0.1 0.3 0' "
                      "quat='0.5 0.5 0.5 0.5'/></body>")},
        Pair{
            "Replicate",
            document("<body name='hub'><joint name='spin'/>" + kSolid +
                         "<replicate count='3' offset='0.3 0.1 0.2' euler='0 20 0' sep='-'>"
                         "<body name='b'><joint name='j' axis='0 1 0'/>" +
                         kSolid + "</body></replicate></body>",
                     "<equality><joint joint1='j' joint2='spin' polycoef='0 2 0 0 0'/></equality>"),
            document("<body name='hub'><joint name='spin'/>" + kSolid +
                         "<body name='b-0'><joint name='j-0' axis='0 1 0'/>" + kSolid +
                         "</body><body pos='0.3 0.1 0.2' euler='0 20 0'><body name='b-1'><joint "
                         "name='j-1' axis='0 1 0'/>" +
                         kSolid +
                         "</body><body pos='0.3 0.1 0.2' euler='0 20 0'><body name='b-2'><joint "
                         "name='j-2' axis='0 1 0'/>" +
                         kSolid + "</body></body></body></body>",
                     "<equality><joint joint1='j-0' joint2='spin' polycoef='0 2 0 0 0'/>"
                     "<joint joint1='j-1' joint2='spin' polycoef='0 2 0 0 0'/>"
                     "<joint joint1='j-2' joint2='spin' polycoef='0 2 0 0 0'/></equality>")},
        Pair{"ReplicateInReplicate",
             document("<replicate count='2' offset='1 0 0'><replicate count='10' offset='0 1 0'>"
                      "<body name='b'><joint name='j' axis='1 1 0'/>" +
                      kSolid + "</body></replicate></replicate>"),
             document([] {
                 std::string out;
                 for (const char* x : {"0", "1"}) {
                     for (const char* y : {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}) {
                         const std::string name = "0" + std::string(y) + x;
                         out += "<body name='b" + name + "' pos='" + x + " " + y +
                                " 0'><joint name='j" + name + "' axis='1 1 0'/>" + kSolid +
                                "</body>";
                     }
                 }
                 return out;
             }())},
        Pair{"AttachABody",
             document(
                 "<body name='trunk'><joint name='j' range='-10 10'/>" + kBlock +
                     "<frame pos='0 1 0' axisangle='1 2 3 40'><attach model='leg' body='thigh' "
                     "prefix='l_'/></frame><attach model='leg' body='thigh' prefix='r_'/></body>",
                 "<default><joint damping='7'/></default>" + kLegAsset),
             document("<body name='trunk'><joint name='j' damping='7' range='-10 10' "
                      "limited='true'/>" +
                          kBlock + "<body pos='0 1 0' axisangle='1 2 3 40'>" + leg("l_", false) +
                          "</body>" + leg("r_", false) + "</body>",
                      "<compiler eulerseq='zyx'/>" + knee("l_") + knee("r_"))},
        Pair{"AttachAFrame", document("<attach model='leg' frame='mount' prefix='l_'/>", kLegAsset),
             document(leg("l_", true), "<compiler eulerseq='zyx'/>" + knee("l_"))},
        Pair{"AttachAWorld", document("<attach model='leg' prefix='l_'/>", kLegAsset),
             document(leg("l_", true), "<compiler eulerseq='zyx'/>" + knee("l_"))},
        Pair{"AttachASlide",
             document("<body name='trunk'><joint name='j' type='slide' range='-2 3' ref='1'/>" +
                          kBlock + "<attach model='rail' prefix='l_'/></body>",
                      "<asset><model name='rail' file='parts/rail.xml'/></asset>"),
             document("<body name='trunk'><joint name='j' type='slide' range='-2 3' ref='1' "
                      "limited='true'/>" +
                      kBlock +
                      "<body name='l_cart'><joint name='l_rail' type='slide' axis='1 2 0' "
                      "range='-0.5 0.25' ref='0.1' limited='true'/><joint name='l_turn' "
                      "range='-50 25' ref='10' limited='true'/>" +
                      kBlock + "</body></body>")},
        Pair{"AttachInReplicate",
             document("<body name='hub'><joint name='spin'/>" + kBlock +
                          "<replicate count='2' offset='0.3 0 0.1' euler='40 50 0' sep='-'>"
                          "<attach model='leg' body='thigh' prefix='l_'/></replicate></body>",
                      kLegAsset),
             document("<body name='hub'><joint name='spin'/>" + kBlock + leg("l_", false, "-0") +
                          "<body pos='0.3 0 0.1' axisangle='1 0 0 40'><body axisangle='0 1 0 50'>" +
                          leg("l_", false, "-1") + "</body></body></body>",
                      "<compiler eulerseq='zyx'/>" + knee("l_", "-0") + knee("l_", "-1"))},
        // The attached file replicates itself, and is replicated; the inner suffixes come first.
        Pair{"ReplicateInAttachInReplicate",
             document("<replicate count='2' offset='0 3 0' euler='0 0 30'><frame pos='0 0 1'>"
                      "<attach model='row' prefix='r_'/></frame></replicate>",
                      "<asset><model name='row' file='parts/row.xml'/></asset>"),
             document([] {
                 std::string out;
                 for (const char* row : {"0", "1"}) {
                     out += "<body pos='0 " + std::string(*row == '0' ? "0" : "3") +
                            " 1' euler='0 0 " + (*row == '0' ? "0" : "30") + "'>";
                     for (const char* place : {"0", "1", "2"}) {
                         const std::string suffix = std::string(place) + row;
                         out += "<body name='r_b" + suffix + "' pos='0 " + place + " 0' euler='0 " +
                                std::to_string(20 * (*place - '0')) + " 0'><joint name='r_j" +
                                suffix + "' axis='1 1 0'/>" + kBlock + "</body>";
                     }
                     out += "</body>";
                 }
                 return out;
             }())},
        // What one joint of a copy is called may be what another was called before.
        Pair{"NamesThatASuffixMakesEqual",
             document("<body name='a'><joint name='i'/>" + kSolid +
                          "<replicate count='2' offset='1 0 0'><body name='b'><joint name='j'/>" +
                          kSolid + "<body name='c'><joint name='j1' axis='1 0 0'/>" + kSolid +
                          "</body></body></replicate></body>",
                      "<equality><joint joint1='j' joint2='i' polycoef='0 2 0 0 0'/>"
                      "<joint joint1='j1' joint2='i' polycoef='0 3 0 0 0'/></equality>"),
             document(
                 [] {
                     std::string out = "<body name='a'><joint name='i'/>" + kSolid;
                     for (const std::string k : {"0", "1"}) {
                         out += "<body name='b" + k + "' pos='" + k + " 0 0'><joint name='j" + k +
                                "'/>" + kSolid + "<body name='c" + k + "'><joint name='j1" + k +
                                "' axis='1 0 0'/>" + kSolid + "</body></body>";
                     }
                     return out + "</body>";
                 }(),
                 "<equality><joint joint1='j0' joint2='i' polycoef='0 2 0 0 0'/>"
                 "<joint joint1='j1' joint2='i' polycoef='0 2 0 0 0'/>"
                 "<joint joint1='j10' joint2='i' polycoef='0 3 0 0 0'/>"
                 "<joint joint1='j11' joint2='i' polycoef='0 3 0 0 0'/></equality>")},
        Pair{"RangesAreLimits",
             document("<body><joint name='j' range='-10 20' ref='5'/>" + kSolid + "</body>"),
             document("<body><joint name='j' range='-10 20' ref='5' limited='true'/>" + kSolid +
                      "</body>")},
        Pair{"SeveralCoefficientsOfDamping",
             document("<body><joint name='j' damping='0.3 0 0'/>" + kSolid + "</body>"),
             document("<body><joint name='j' damping='0.3'/>" + kSolid + "</body>")}),
    [](const testing::TestParamInfo<Pair>& pair) { return pair.param.name; });

// --- Settings that both versions know -----------------------------------------------------------

class MjcfSettings : public testing::TestWithParam<const char*> {};

// MuJoCo takes masses, angles and reference positions as these say.
TEST_P(MjcfSettings, AreMujocos) {
    if (!can_read(Format::kMjcf)) GTEST_SKIP();
    const ScratchFolder folder("mjcf_settings");
    const std::string path = folder.write(
        kFile,
        document(
            "<body name='a' euler='0.4 0.3 0.2'><inertial pos='0.1 0 0' mass='2' diaginertia='1 "
            "2 2.5' euler='0.1 0.2 0.3'/><joint name='h' ref='0.3' springref='0.2' range='-1 2' "
            "limited='true' damping='0.4'/><geom size='0.2' group='2'/>"
            "<body name='b' pos='0 0.3 0' axisangle='1 1 0 0.7'><joint name='s' type='slide' "
            "axis='0 1 1' ref='0.1' range='-0.2 0.3' limited='true'/>"
            "<geom type='box' size='0.1 0.2 0.1' xyaxes='1 1 0 0 0 1'/>"
            "<geom type='capsule' fromto='0 0 0 0.3 0.1 0.2' size='0.05' group='3'/>"
            "<body name='c' pos='0.3 0 0' zaxis='1 0 1'><joint name='l' type='ball'/>"
            "<geom type='ellipsoid' size='0.1 0.2 0.3'/><site name='t' pos='0 0 0.1' "
            "euler='0.2 0.3 0.4'/></body></body></body>",
            "<compiler " + std::string(GetParam()) + "/>"));
    MujocoTwin twin(path);
    expect_agreement(twin);
    const mjModel& m = *twin.theirs;
    for (const char* name : {"h", "s"}) {
        const int j = mj_name2id(&m, mjOBJ_JOINT, name);
        const JointLimits& limits = twin.ours.joint(twin.ours.joint_index(name)).limits;
        const double ref = m.qpos0[m.jnt_qposadr[j]];
        EXPECT_EQ(limits.lower, m.jnt_range[2 * j] - ref);
        EXPECT_EQ(limits.upper, m.jnt_range[2 * j + 1] - ref);
    }
}

INSTANTIATE_TEST_SUITE_P(Compiler, MjcfSettings,
                         testing::Values("", "angle='radian'", "angle='radian' eulerseq='ZXY'",
                                         "angle='radian' eulerseq='zxz'",
                                         "angle='radian' inertiafromgeom='true'",
                                         "inertiafromgeom='true' inertiagrouprange='3 3' "
                                         "boundmass='0.5' boundinertia='0.01'",
                                         "boundmass='3'", "boundinertia='4'", "settotalmass='7'",
                                         "balanceinertia='true'"));

// --- Numbers that MuJoCo computes ---------------------------------------------------------------

TEST_F(MjcfVersions, DampingOfASpringDamperComesFromTheRealMesh) {
    const std::string path = std::string(PLUCKER_TEST_DATA_DIR) + "/mjcf/spring_damper.xml";
    const ReadResult result = read_robot(path);
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const MujocoTwin twin(path);
    const int j = mj_name2id(twin.theirs.get(), mjOBJ_JOINT, "hinge");
    const double damping = twin.theirs->dof_damping[twin.theirs->jnt_dofadr[j]];
    EXPECT_GT(damping, 0);
    EXPECT_DOUBLE_EQ(joint(result.description, "hinge").damping, damping);
    expect_finding(result, Severity::kWarning, path, 0, {"joint 'hinge'", "spring"});
}

// MuJoCo's armature of a free joint cannot be said here; without it all is the same.
TEST_F(MjcfVersions, FreeJointHasDampingButNoArmature) {
    const auto text = [](const std::string& constants) {
        return document("<body name='a'><joint name='f' type='free' damping='0.3'" + constants +
                        "/>" + kSolid + "</body><body name='b'><freejoint name='g'/>" + kSolid +
                        "</body>");
    };
    const ScratchFolder folder("mjcf_free");
    const std::string path = folder.write("with.xml", text(" armature='0.5' frictionloss='0.1'"));
    MujocoTwin twin(load(path), folder.write("without.xml", text("")));
    expect_agreement(twin);
    EXPECT_EQ(twin.ours.joint(twin.ours.joint_index("f")).damping, 0.3);
    const ReadResult result = read_robot(path);
    for (const char* what : {"armature of 0.5", "friction of 0.1"})
        expect_finding(result, Severity::kWarning, path, 0, {"joint 'f'", what, "is not used"});
}

// A default class reaches <joint type="free"/>, or makes a joint free, but never reaches a <freejoint/>: so it is in
// MuJoCo, and here with and without the words that are translated, which write the classes out.
TEST_F(MjcfVersions, FreeJointTakesNothingFromAClass) {
    const std::string classes =
        "<default><joint damping='0.3'/><default class='c'><joint armature='0.5' "
        "frictionloss='0.1'/></default><default class='d'><joint type='free' armature='0.7'/>"
        "</default></default>";
    const auto body = [](const std::string& name, const std::string& joint) {
        return "<body name='" + name + "' childclass='c'>" + joint + kSolid + "</body>";
    };
    const std::string robot =
        body("a", "<freejoint name='f'/>") + body("b", "<joint name='g' type='free'/>") +
        body("c", "<joint name='h' class='d'/>") + body("d", "<joint name='i' axis='1 0 0'/>");
    const ScratchFolder folder("mjcf_free_class");
    const std::string plain = folder.write("plain.xml", document(robot, classes));
    folder.write("part.xml", document(robot, classes));
    const MujocoTwin twin(plain);
    const auto damping = [&](const char* joint) {
        const mjModel& m = *twin.theirs;
        return m.dof_damping[m.jnt_dofadr[mj_name2id(&m, mjOBJ_JOINT, joint)]];
    };
    const auto expect_same = [&](const std::string& path, const std::string& prefix) {
        SCOPED_TRACE(path);
        const ReadResult result = read_robot(path);
        ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
        for (const char* name : {"f", "g", "h", "i"}) {
            const JointDescription& ours = joint(result.description, prefix + name);
            EXPECT_EQ(ours.damping, damping(name)) << name;
            EXPECT_EQ(ours.armature, *name == 'i' ? 0.5 : 0) << name;
            EXPECT_EQ(ours.friction, *name == 'i' ? 0.1 : 0) << name;
            EXPECT_EQ(ours.type == JointType::kFloating, *name != 'i') << name;
        }
        const std::string g = "joint '" + prefix + "g'", h = "joint '" + prefix + "h'";
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{g, "armature of 0.5"},
              {h, "armature of 0.7"},
              {g, "friction of 0.1"}}) {
            expect_finding(result, Severity::kWarning, path, 0, words);
        }
        EXPECT_EQ(messages(result).find("'" + prefix + "f'"), std::string::npos);
    };
    EXPECT_EQ(damping("f"), 0);
    EXPECT_EQ(damping("g"), 0.3);
    expect_same(plain, "");
    expect_same(folder.write("frame.xml", document("<frame>" + robot + "</frame>", classes)), "");
    expect_same(
        folder.write("attach.xml", document("<attach model='m' prefix='p_'/>",
                                            "<default><joint damping='9' armature='9'/></default>"
                                            "<asset><model name='m' file='part.xml'/></asset>")),
        "p_");
}

TEST_F(MjcfVersions, FreeJointsThatAreAlikeAreNamedOnce) {
    const ReadResult result = loads(
        document("<replicate count='3' offset='1 0 0'><body name='a'><joint name='f' type='free' "
                 "armature='0.5'/>" +
                 kSolid + "</body></replicate>"));
    expect_finding(result, Severity::kWarning, kFile, 0,
                   {"joint 'f0', joint 'f1', joint 'f2'", "armature of 0.5", "<freejoint/>"});
}

#endif

TEST_F(MjcfVersions, FloatingBaseSaysWhatIsLeftOut) {
    const auto with = [](const std::string& joint) {
        return document("<body>" + joint + kSolid + "</body>");
    };
    expect_warning(with("<joint type='free' armature='0.5'/>"),
                   {"armature of 0.5", "<freejoint/>"});
    expect_warning(with("<joint type='free' damping='0.5'/>"), {"damping of 0.5", "not damped"});
    expect_silence(with("<freejoint/>"));
}

TEST_F(MjcfVersions, FloatingBaseKeepsTheNameOfItsJoint) {
    const auto with = [](const std::string& joint) {
        return document("<body>" + joint + kSolid + "<body><joint name='base'/>" + kSolid +
                        "</body></body>");
    };
    const Model named(loads(with("<freejoint name='root'/>")).description);
    EXPECT_EQ(named.joint(1).name, "root");
    EXPECT_EQ(named.velocity_names()[3], "root.linear.x");
    EXPECT_EQ(named.joint(2).name, "base");
    const Model unnamed(loads(with("<freejoint/>")).description);
    EXPECT_EQ(unnamed.joint(1).name, "base");
    EXPECT_EQ(unnamed.joint(2).name, "base_joint");
}

TEST_F(MjcfVersions, FlagsSwitchForcesOff) {
    const auto with = [&](const std::string& flag) {
        return loads(document("<body><joint name='j' damping='2' frictionloss='3'/>" + kSolid +
                                  "<body><joint name='k'/>" + kSolid + "</body></body>",
                              "<option><flag " + flag +
                                  "/></option><equality><joint joint1='k' joint2='j'/></equality>"))
            .description;
    };
    EXPECT_EQ(joint(with(""), "j").damping, 2);
    EXPECT_EQ(joint(with(""), "j").friction, 3);
    EXPECT_TRUE(joint(with(""), "k").mimic);
    EXPECT_EQ(joint(with("passive='disable'"), "j").damping, 0);
    EXPECT_EQ(joint(with("damper='disable'"), "j").damping, 0);
    EXPECT_EQ(joint(with("spring='disable'"), "j").damping, 2);
    EXPECT_EQ(joint(with("frictionloss='disable'"), "j").friction, 0);
    EXPECT_EQ(joint(with("constraint='disable'"), "j").friction, 0);
    EXPECT_FALSE(joint(with("equality='disable'"), "k").mimic);
    EXPECT_FALSE(joint(with("constraint='disable'"), "k").mimic);
    EXPECT_TRUE(joint(with("contact='disable'"), "k").mimic);
    // Ties, too, which are not MuJoCo's to compile.
    for (const std::string& flag : {"equality", "constraint"}) {
        const auto tied = [&](const std::string& word) {
            return loads(document("<body name='a'><joint/>" + kSolid +
                                      "</body><body name='b'><joint/>" + kSolid + "</body>",
                                  "<option><flag " + flag + "='" + word +
                                      "'/></option><equality><connect body1='a' body2='b' "
                                      "anchor='0 0 0'/><weld body1='a' body2='b'/></equality>"))
                .description.constraints.size();
        };
        EXPECT_EQ(tied("enable"), 2U) << flag;
        EXPECT_EQ(tied("disable"), 0U) << flag;
    }
    EXPECT_EQ(with("gravity='disable'").gravity, Vec3<double>{});
}

// --- Words that are left out --------------------------------------------------------------------

TEST_F(MjcfVersions, WordsWithoutAMeaningForMotionAreLeftOut) {
    expect_silence(document(
        "<body sleep='never' simple='true'><joint name='j' actuatorfrcrange='-1 1' "
        "actuatorfrclimited='true' actuatorgravcomp='true' user='1 2'/><geom size='1' "
        "surfacevel='1 0 "
        "0' adhesion='1' solref='x'/><light type='spot' bulbradius='1'/><camera resolution='2 2'/>"
        "</body>",
        "<compiler saveinertial='true' conflict='warning'><lengthrange interval='2'/></compiler>"
        "<option integrator='implicitfast' ls_iterations='3' sdf_iterations='3' solver='Newton' "
        "sleep_tolerance='1' timestep='0'><flag eulerdamp='disable' nativeccd='enable' "
        "sleep='enable'/></option><size memory='1M'/><visual><global bvactive='true'/></visual>"
        "<asset><material name='m' metallic='1' roughness='1'><layer texture='t' role='rgb'/>"
        "</material></asset><default><material roughness='1'/><geom friction='1 2 3'/></default>"
        "<sensor><insidesite name='x'/></sensor><keyframe><key ctrl='1 2'/></keyframe>"));
}

TEST_F(MjcfVersions, WhatChangesTheMotionIsSaidOnceForAll) {
    std::string bodies;
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        bodies += "<body name='" + std::string(name) + "' gravcomp='1'><joint name='" + name +
                  "' stiffness='2'/>" + kSolid + "</body>\n";
    }
    const ReadResult result = loads(document(bodies));
    expect_finding(result, Severity::kWarning, kFile, 4,
                   {"body 'a', body 'b', body 'c' and 2 more", "gravcomp"});
    expect_finding(result, Severity::kWarning, kFile, 4,
                   {"joint 'a', joint 'b', joint 'c' and 2 more", "spring"});
    for (const Diagnostic& d : result.diagnostics) EXPECT_EQ(d.at.line, 4) << messages(result);
    expect_silence(document("<body gravcomp='0'><joint/>" + kSolid + "</body>"));
}

TEST_F(MjcfVersions, WhatIsLeftOutAndWouldMoveBodiesIsAWarning) {
    const std::string body = "<body name='a'><joint name='j'/>" + kSolid + "</body>";
    const auto with = [&](const std::string& beside) { return document(body, beside); };
    expect_warning(document("<body name='a'><freejoint align='true'/>" + kSolid + "</body>"),
                   {"<freejoint>", "inertial frame"});
    expect_warning(with("<compiler alignfree='true'/>"), {"<compiler>", "inertial frame"});
    expect_warning(document("<body><joint damping='1 2'/>" + kSolid + "</body>"),
                   {"linear part of its damping"});
    expect_warning(document("<body><joint/>" + kSolid + "<flexcomp name='f' type='grid'/></body>"),
                   {"flexcomp 'f'", "3.0.0", "left out"});
    expect_warning(document("<body name='a'><plugin plugin='p'/><joint/>" + kSolid + "</body>"),
                   {"body 'a'", "<plugin>"});
    expect_warning(with("<tendon><fixed name='t' stiffness='3'><joint joint='j' coef='1'/></fixed>"
                        "</tendon>"),
                   {"tendon fixed 't'", "stiffness"});
    expect_warning(
        with("<default><tendon damping='1'/></default><tendon><spatial name='t'/></tendon>"),
        {"tendon spatial 't'", "damping"});
    expect_warning(with("<tendon><fixed name='t' armature='3'/></tendon>"),
                   {"tendon fixed 't'", "mass matrix"});
    expect_warning(with("<actuator><motor name='m' joint='j' armature='3'/></actuator>"),
                   {"actuator motor 'm'", "mass matrix"});
    expect_warning(with("<deformable><flex name='f'/></deformable>"), {"flex 'f'", "elastic"});
    expect_warning(with("<equality><flex name='f'/></equality>"), {"equality <flex>", "ignored"});
}

TEST_F(MjcfVersions, WhatIsOnlyDrawnNeverStopsARobot) {
    const auto with = [&](const std::string& geom, const std::string& assets = "") {
        return document("<body><joint/><geom name='g' " + geom + "/>" + kSolid + "</body>",
                        "<asset>" + assets + "</asset>");
    };
    expect_warning(with("size='1' rgba='1 2 x 4'"), {"geom 'g'", "colour", "'x'"});
    expect_warning(with("size='1' material='none'"), {"geom 'g'", "material 'none'"});
    expect_warning(with("size='1'", "<material name='m' rgba='1 2'/>"), {"material 'm'", "colour"});
    expect_warning(with("size='1' type='mesh' mesh='m' mass='0'", "<mesh name='m' file='no.stl'/>"),
                   {"mesh 'm'", "does not exist"});
    expect_warning(
        with("type='mesh' mesh='m' mass='0'", "<mesh name='m' builtin='cone' params='3'/>"),
        {"mesh 'm'", "3.3.5"});
    expect_silence(with("size='1'",
                        "<texture name='t' file='no.png' colorspace='x'/>"
                        "<hfield name='h' file='no.png'/><skin file='no.skn'/>"));
    // A signed distance field is a mesh, too.
    const ReadResult sdf = loads(with("type='sdf' mesh='m' mass='0'",
                                      "<mesh name='m' file='no.stl'><plugin plugin='p'/></mesh>"));
    EXPECT_TRUE(std::holds_alternative<Mesh>(sdf.description.links.at(1).visuals.at(0).geometry));
}

// Nor does its file where it is needed for nothing: a mesh that weighs nothing is not read, whatever else its body has.
TEST_F(MjcfVersions, MeshesWithoutWeightAreNotRead) {
    const ScratchFolder folder("mjcf_weightless");
    folder.write("drawn.stl", "no mesh");
    const auto has_errors_with = [&](const std::string& weight) {
        return has_errors(
            read_robot(
                folder.write(kFile,
                             document("<body><joint/><geom type='mesh' mesh='solid'/><geom "
                                      "type='mesh' mesh='drawn' " +
                                          weight + "/></body>",
                                      "<asset><mesh name='solid' vertex='0 0 0 1 0 0 0 1 0 0 0 "
                                      "1'/><mesh name='drawn' file='drawn.stl'/></asset>")))
                .diagnostics);
    };
    EXPECT_FALSE(has_errors_with("mass='0'"));
    EXPECT_FALSE(has_errors_with("density='0'"));
    EXPECT_FALSE(has_errors_with("mass='0' density='1'"));
    EXPECT_TRUE(has_errors_with("density='1'"));
    EXPECT_TRUE(has_errors_with(""));
}

TEST_F(MjcfVersions, UnknownWordIsAnErrorWithTheClosestOne) {
    const auto refuses = [&](const std::string& text, const std::vector<std::string>& words) {
        expect_finding(read(text), Severity::kError, kFile, 0, words);
    };
    const std::string body = "<body><joint/>" + kSolid + "</body>";
    refuses(document(body, "<compiler autolimit='true'/>"), {"autolimit", "closest: 'autolimits'"});
    refuses(document(body, "<optoin/>"), {"unknown element 'optoin'", "'option'"});
    refuses(document("<body gravcmop='1'/>"), {"'gravcmop'", "closest: 'gravcomp'"});
    refuses(document("<fram>" + body + "</fram>"), {"unknown element 'fram'", "closest: 'frame'"});
    refuses(document(body, "<option><flag gravty='disable'/></option>"), {"closest: 'gravity'"});
    refuses(document("<body>" + kSolid + "<composite type='cable' curve='s' count='3'/></body>"),
            {"'curve' came with MuJoCo 2.3.0", "not translated"});
    refuses(document("<body><joint class='none'/><frame/>" + kSolid + "</body>"),
            {"default class 'none'", "define it"});
}

TEST_F(MjcfVersions, AssetFolderIsThatOfMeshes) {
    const ScratchFolder folder("mjcf_assets");
    folder.write("parts/m.stl", "x");
    folder.write("robot/parts/inner/n.stl", "x");
    folder.write("robot/parts/inner/part.xml",
                 "<mujoco><asset><mesh name='n' file='n.stl'/></asset></mujoco>");
    folder.write("robot/parts/m.stl", "x");
    const std::string path = folder.write(
        "robot/robot.xml",
        document("<body><joint/><geom size='1'/><geom type='mesh' mesh='m' mass='0'/></body>",
                 "<compiler assetdir='parts'/><asset><mesh file='m.stl'/></asset>"));
    const ReadResult result = read_robot(path);
    EXPECT_TRUE(result.diagnostics.empty()) << messages(result);
    // A file that an included file names may lie beside that.
    const std::string nested = folder.write(
        "robot/nested.xml",
        document("<body><joint/><geom size='1'/><geom type='mesh' mesh='n' mass='0'/></body>",
                 "<include file='parts/inner/part.xml'/>"));
    const ReadResult beside = read_robot(nested);
    EXPECT_TRUE(beside.diagnostics.empty()) << messages(beside);
}

}  // namespace
}  // namespace plucker::test::mjcf_versions
