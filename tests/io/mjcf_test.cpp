// MJCF: what is read, and that it moves as in MuJoCo. Wrong files are in mjcf_hostile_test.cpp.
#include <gtest/gtest.h>

#include <filesystem>

#include "comma_locale.hpp"
#include "findings.hpp"
#include "mujoco_twin.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/plucker.hpp"
#include "plucker/simulate/start.hpp"
#include "scratch_folder.hpp"

namespace plucker::test::mjcf {
namespace {

std::string data(const std::string& file) {
    return std::string(PLUCKER_TEST_DATA_DIR) + "/mjcf/" + file;
}

class Mjcf : public testing::Test {
protected:
    void SetUp() override {
        if (!can_read(Format::kMjcf)) GTEST_SKIP() << "this build does not read MJCF";
    }

    static std::string in_world(const std::string& inside, const std::string& beside = "") {
        return "<mujoco>\n" + beside + "<worldbody>\n" + inside + "\n</worldbody>\n</mujoco>\n";
    }
    static ReadResult read(const std::string& text, const LoadOptions& options = {}) {
        return read_robot_text(text, data("inline.xml"), options);
    }

    // The text is refused, with an error in that line that contains those words.
    static void expect_error(const std::string& text, int line, const std::string& words) {
        expect_error_in(read(text), line, words);
    }
    static void expect_warning(const ReadResult& result, const std::string& words) {
        EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
        EXPECT_NE(messages(result).find(words), std::string::npos) << messages(result);
    }
};

// --- What is read -------------------------------------------------------------------------------

TEST_F(Mjcf, ReadsMassesJointsAndShapes) {
    const ReadResult result = read_robot(data("arm.xml"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const Description& d = result.description;
    EXPECT_EQ(result.format, Format::kMjcf);
    EXPECT_EQ(d.name, "arm");
    EXPECT_EQ(d.base, Base::kFixed);
    EXPECT_EQ(d.gravity, (Vec3<double>{0.3, -0.2, -9.7}));
    EXPECT_EQ(link(d, "base").mass.mass, 3);
    EXPECT_EQ(link(d, "base").source.line, 18);
    EXPECT_EQ(link(d, "shoulder").mass.center, (Vec3<double>{0.02, -0.03, 0.1}));

    const JointDescription& lift = joint(d, "lift");
    constexpr double kDegree = 3.14159265358979323846 / 180;
    EXPECT_EQ(lift.type, JointType::kRevolute);
    EXPECT_EQ(lift.armature, 0.02);
    EXPECT_EQ(lift.damping, 0.3);
    // The file's zero is where ref says 15 degrees.
    EXPECT_NEAR(lift.limits.lower, -45 * kDegree, 1e-14);
    EXPECT_NEAR(lift.limits.upper, 45 * kDegree, 1e-14);
    EXPECT_EQ(lift.source.line, 24);
    EXPECT_EQ(joint(d, "extend").type, JointType::kPrismatic);
    EXPECT_EQ(joint(d, "ball").type, JointType::kSpherical);
    EXPECT_EQ(joint(d, "left_finger").friction, 0.05);
    EXPECT_EQ(joint(d, "left_finger").limits.upper, 0.04);
    EXPECT_EQ(joint(d, "right_finger").axis, (Vec3<double>{-1, 0, 0}));

    // Only what can collide is a collision shape; the material colours what has no colour.
    EXPECT_EQ(link(d, "world").collisions.size(), 1U);
    ASSERT_EQ(link(d, "base").visuals.size(), 1U);
    EXPECT_TRUE(link(d, "base").collisions.empty());
    const Shape& pedestal = link(d, "base").visuals[0];
    EXPECT_EQ(pedestal.name, "pedestal");
    EXPECT_EQ(std::get<Cylinder>(pedestal.geometry).length, 0.3);
    EXPECT_EQ(pedestal.material->name, "steel");
    EXPECT_EQ(pedestal.material->rgba, (std::array<double, 4>{0.7, 0.7, 0.8, 1}));
    EXPECT_EQ(std::get<Capsule>(link(d, "elbow").collisions[0].geometry).radius, 0.03);
    EXPECT_EQ(std::get<Box>(link(d, "wrist").visuals[0].geometry).size,
              (Vec3<double>{0.1, 0.06, 0.04}));

    // Sites are frames. One has the name of a body, and gets another.
    ASSERT_EQ(d.frames.size(), 2U);
    EXPECT_EQ(d.frames[0].name, "shoulder_tip");
    EXPECT_EQ(d.frames[1].name, "elbow_site");
    EXPECT_EQ(d.frames[1].link, "wrist");
}

// A class has what the classes around it have, however deep it stands, unless it or one nearer says otherwise: where MuJoCo
// applies them, and where a <frame> makes us do so.
TEST_F(Mjcf, ClassesInheritFromThoseAroundThem) {
    const std::string bodies =
        "<body name='a'><geom size='0.1'/><joint name='of_main'/><body name='b' "
        "childclass='middle'><geom size='0.1'/><joint name='of_middle'/><body name='c' "
        "childclass='inner'><geom size='0.1'/><joint name='of_inner'/><joint name='other' "
        "class='beside' axis='1 0 0'/></body></body></body>";
    for (const std::string& inside : {bodies, "<frame>" + bodies + "</frame>"}) {
        const ReadResult result =
            read(in_world(inside,
                          "<default><joint damping='1' armature='0.1' frictionloss='0.01'/>\n"
                          "<default class='middle'><joint damping='2' armature='0.2'/>\n"
                          "<default class='inner'><joint damping='3'/></default></default>\n"
                          "<default class='beside'><joint armature='0.4'/></default></default>\n"));
        ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
        const auto expect = [&](const char* name, double damping, double armature) {
            const JointDescription& j = joint(result.description, name);
            EXPECT_EQ(j.damping, damping) << name << " in " << inside;
            EXPECT_EQ(j.armature, armature) << name << " in " << inside;
            EXPECT_EQ(j.friction, 0.01) << name << " in " << inside;
        };
        expect("of_main", 1, 0.1);
        expect("of_middle", 2, 0.2);
        expect("of_inner", 3, 0.2);
        expect("other", 1, 0.4);
    }
}

// A geom's own colour counts before that of its material, which counts before grey.
TEST_F(Mjcf, ColoursAreTheGeomsOwnBeforeItsMaterials) {
    const auto colour = [](const std::string& attributes) {
        const ReadResult result =
            read(in_world("<body name='a'><joint/><geom size='0.1' " + attributes + "/></body>",
                          "<asset><material name='steel' rgba='0.7 0.6 0.8 1'/></asset>\n"));
        EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
        return *link(result.description, "a").visuals.at(0).material->rgba;
    };
    using Colour = std::array<double, 4>;
    EXPECT_EQ(colour(""), (Colour{0.5, 0.5, 0.5, 1}));
    EXPECT_EQ(colour("rgba='1 0 0 0.5'"), (Colour{1, 0, 0, 0.5}));
    EXPECT_EQ(colour("material='steel'"), (Colour{0.7, 0.6, 0.8, 1}));
    EXPECT_EQ(colour("material='steel' rgba='0 1 0 0.25'"), (Colour{0, 1, 0, 0.25}));
}

TEST_F(Mjcf, FreeBodyIsAFloatingBase) {
    const ReadResult result = read_robot(data("biped.xml"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_EQ(result.description.base, Base::kFloating);
    EXPECT_EQ(result.description.links[0].name, "pelvis");
    const Model model(result.description);
    EXPECT_EQ(model.nv(), 6 + 3);  // one knee follows the other
}

TEST_F(Mjcf, NamelessBodiesAndJointsGetNames) {
    const ReadResult result = read_robot(data("biped.xml"));
    EXPECT_EQ(joint(result.description, "left_knee").child, "left_thigh_body");
    EXPECT_EQ(joint(result.description, "right_thigh_joint").child, "right_thigh");
}

TEST_F(Mjcf, EqualityBetweenJointsIsAMimicJoint) {
    const ReadResult result = read_robot(data("biped.xml"));
    const JointDescription& knee = joint(result.description, "right_knee");
    ASSERT_TRUE(knee.mimic);
    EXPECT_EQ(knee.mimic->joint, "left_knee");
    EXPECT_EQ(knee.mimic->multiplier, 0.8);
    EXPECT_EQ(knee.mimic->offset, 0.1);
    ASSERT_EQ(result.description.constraints.size(), 1U);
    EXPECT_EQ(result.description.constraints[0].frame_b, "world");
    expect_warning(result, "<actuator>: is not used");
}

TEST_F(Mjcf, OtherEqualitiesAreConstraints) {
    const std::string bodies =
        "<body><joint name='a'/><geom size='1'/><body><joint name='b'/><geom "
        "size='1'/></body></body>";
    const auto with = [&](const std::string& equality) {
        return read(in_world(bodies, "<equality>" + equality + "</equality>"));
    };
    for (const char* equality :
         {"<joint joint1='a' joint2='b' polycoef='0 1 2 0 0'/>", "<joint joint1='a'/>",
          "<weld body1='world_body'/>", "<connect body1='world_body' anchor='0 0 1'/>"}) {
        EXPECT_EQ(with(equality).description.constraints.size(), 1U) << equality;
    }
    // Of the coefficients each of the last three makes it one; the first two are a joint that follows.
    for (std::size_t k = 0; k < 5; ++k) {
        std::array<double, 5> polynomial{0, 0.5, 0, 0, 0};
        polynomial[k] = 2.5;
        std::string text;
        for (const double x : polynomial) text += std::to_string(x) + " ";
        const Description d =
            with("<joint joint1='a' joint2='b' polycoef='" + text + "'/>").description;
        EXPECT_EQ(joint(d, "a").mimic.has_value(), k < 2) << k;
        ASSERT_EQ(d.constraints.size(), k < 2 ? 0U : 1U) << k;
        if (k < 2) {
            EXPECT_EQ(joint(d, "a").mimic->offset, polynomial[0]);
            EXPECT_EQ(joint(d, "a").mimic->multiplier, polynomial[1]);
        } else {
            EXPECT_EQ(d.constraints[0].polynomial, polynomial);
        }
    }
    // Without a second joint there is nothing that further coefficients could multiply.
    EXPECT_EQ(
        with("<joint joint1='a' polycoef='0.5 1 2 3 4'/>").description.constraints.at(0).polynomial,
        (std::array<double, 5>{0.5, 0, 0, 0, 0}));
    expect_warning(with("<tendon tendon1='t'/>"), "equality <tendon>: is ignored");
    EXPECT_FALSE(
        joint(with("<joint joint1='a' joint2='b' active='false'/>").description, "a").mimic);
}

TEST_F(Mjcf, SeveralFreeBodiesHangOnFloatingJoints) {
    const ReadResult result =
        read(in_world("<body name='one' pos='1 2 3'><freejoint name='f'/><geom size='1'/></body>"
                      "<body name='two'><freejoint/><geom size='1'/></body>"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_EQ(result.description.base, Base::kFixed);
    EXPECT_EQ(joint(result.description, "f").type, JointType::kFloating);
    // The coordinates are the body's pose in the world.
    EXPECT_EQ(joint(result.description, "f").placement, Pose<double>{});
    EXPECT_EQ(Model(result.description).nv(), 12);
}

// Keyframes are postures, and where the file has its free bodies is one; all are where MuJoCo has them.
TEST_F(Mjcf, KeyframesAndFreeBodiesArePostures) {
    const std::string text = in_world(
        "<body name='arm'><joint name='hinge' axis='0 1 0' ref='30'/><geom size='0.1' pos='0 0 1'/>"
        "<body name='hand'><joint name='ball' type='ball'/><geom size='0.1' pos='0 0 .3'/></body>"
        "</body>\n<body name='box' pos='1 0 2' quat='0 0 1 0'><freejoint name='free'/>"
        "<geom type='box' size='.1 .1 .1'/></body>",
        "<keyframe><key name='home' qpos='0.5 0.6 0.8 0 0 3 4 5 1 0 0 0'/><key/>"
        "<key name='short' qpos='1 2'/></keyframe>\n");
    const ReadResult result = read(text);
    expect_warning(result,
                   "keyframe 'short': is not used: its qpos has 2 numbers, and the robot 12");
    const Model model(result.description);
    EXPECT_EQ(posture_names(model), (std::vector<std::string>{"home", "key_1", "file"}));
    const Body<double>& box = model.body(model.joint_index("free"));
    const VectorX<double> file = posture(model, "file"), home = posture(model, "home");
    VectorX<double> pose(7);
    pose << 1, 0, 2, 0, 1, 0, 0;
    EXPECT_EQ(file.segment<7>(box.q_index), pose);
    EXPECT_EQ(posture(model, "key_1"), file);
    constexpr double kDegree = 3.14159265358979323846 / 180;
    EXPECT_NEAR(home[model.body(model.joint_index("hinge")).q_index], 0.5 - 30 * kDegree, 1e-15);
    const Coordinates theirs(model, Convention::kMujoco);
    VectorX<double> qpos(12);
    qpos << 0.5 - 30 * kDegree, 0.6, 0.8, 0, 0, 3, 4, 5, 1, 0, 0, 0;
    EXPECT_LE((VectorX<double>(theirs.export_q(home)) - qpos).lpNorm<Eigen::Infinity>(), 1e-15);
    // A floating base has one too.
    const ReadResult floating =
        read(in_world("<body pos='0 0 .7'><freejoint/><geom size='.1'/></body>"));
    EXPECT_EQ(posture(Model(floating.description), "file")[2], 0.7);
    EXPECT_TRUE(posture_names(Model(read_robot(data("arm.xml")).description)).empty());
}

TEST_F(Mjcf, FileDecidesAboutItsBase) {
    const std::string text = in_world("<body><joint/><geom size='1'/></body>");
    const ReadResult result = read(text, {.base = Base::kFloating});
    EXPECT_EQ(result.description.base, Base::kFixed);
    expect_warning(result, "<freejoint/>");
}

TEST_F(Mjcf, JointCalledBaseMakesRoomForTheFloatingBase) {
    const ReadResult result =
        read(in_world("<body><freejoint/><geom size='1'/><body><joint name='base'/><geom "
                      "size='1'/></body></body>"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_EQ(joint(result.description, "base_joint").type, JointType::kRevolute);
}

TEST_F(Mjcf, CompositesAreExpandedByMujoco) {
    const ReadResult result = read(in_world(
        "<body name='rB0'><composite prefix='r' type='rope' count='5 1 1' spacing='0.1' offset='0 "
        "0 1'>"
        "<joint kind='main' damping='0.1'/><geom type='sphere' size='0.02'/></composite></body>"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_GT(Model(result.description).nv(), 4);
}

// Only MuJoCo knows what a composite makes: what names a part of it is not unknown, but left out with a warning as other ties of
// what is not a robot's; and without a composite the same name is refused.
TEST_F(Mjcf, PartsOfCompositesMayBeTied) {
    const std::string rope =
        "<body name='rB0'><composite prefix='r' type='rope' count='5 1 1' spacing='0.1' offset='0 "
        "0 1'><joint kind='main' damping='0.1'/><geom type='sphere' "
        "size='0.02'/></composite></body>";
    const std::string plain = "<body name='rB0'><joint/><geom size='0.1'/></body>";
    for (const std::string& tie : {"<contact><exclude body1='rB0' body2='rB2'/></contact>",
                                   "<equality><weld body1='rB0' body2='rB2'/></equality>",
                                   "<equality><connect body1='rB2' anchor='0 0 0'/></equality>"}) {
        const ReadResult tied = read(in_world(rope, tie));
        EXPECT_FALSE(has_errors(tied.diagnostics)) << messages(tied);
        expect_error(in_world(plain, tie), 2, "'rB2'");
    }
}

TEST_F(Mjcf, NothingIsLeftOutInSilence) {
    expect_warning(read(in_world("<body><joint stiffness='3'/><geom size='1'/></body>")), "spring");
    expect_warning(read(in_world("<body><joint/><geom size='1'/></body>", "<option density='1'/>")),
                   "fluid");
    const ReadResult weightless = read(in_world("<body><joint/><geom size='1'/></body>",
                                                "<option><flag gravity='disable'/></option>"));
    expect_warning(weightless, "gravity is zero");
    EXPECT_EQ(weightless.description.gravity, Vec3<double>{});
}

// --- That it moves as in MuJoCo -----------------------------------------------------------------

#ifdef PLUCKER_HAVE_MUJOCO

class MjcfAgreement : public testing::TestWithParam<std::string> {};

TEST_P(MjcfAgreement, MassMatrixBiasAndPosesAreMujocos) {
    if (!can_read(Format::kMjcf)) GTEST_SKIP();
    MujocoTwin twin(data(GetParam() + ".xml"));
    expect_agreement(twin);
}
INSTANTIATE_TEST_SUITE_P(Files, MjcfAgreement, testing::Values("arm", "biped"));

#endif

// --- Meshes -------------------------------------------------------------------------------------

TEST_F(Mjcf, MassComesFromAMeshThatIsThere) {
    const ReadResult result = read_robot(data("meshes.xml"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const LinkDescription& solid = link(result.description, "solid");
    // A tetrahedron's volume is a sixth of its edges' product: those of the file, scaled.
    const double volume = 0.1 * (7 * 0.02) * (5 * 0.03) / 6;
    EXPECT_NEAR(solid.mass.mass, 1000 * volume, 1e-5);
    // Its centre is the mean of its corners, placed by the geom.
    const Shape& wedge = solid.visuals.at(0);
    const Vec3<double> mean = 0.25 * (Vec3<double>{0.1, 0, 0} + Vec3<double>{0, 0.14, 0} +
                                      Vec3<double>{0.01, 0.04, 0.15});
    EXPECT_LT(norm(wedge.placement * mean - solid.mass.center), 1e-7);
}

TEST_F(Mjcf, MeshKeepsPlaceAndScaleOfItsFile) {
    const ReadResult result = read_robot(data("meshes.xml"));
    const Shape& wedge = link(result.description, "solid").visuals.at(0);
    const Mesh& mesh = std::get<Mesh>(wedge.geometry);
    EXPECT_EQ(mesh.uri, "wedge.obj");
    EXPECT_TRUE(std::filesystem::exists(mesh.path));
    EXPECT_LT(norm(mesh.scale - Vec3<double>{0.01, 0.02, 0.03}), 1e-8);
    EXPECT_LT(norm(wedge.placement.position - Vec3<double>{0.1, 0.2, 0.3}), 1e-6);
    EXPECT_EQ(wedge.material->rgba, (std::array<double, 4>{0.6, 0.4, 0.2, 1}));
}

// A negative scale mirrors: whichever axes it names, each corner stands where the file puts it.
TEST_F(Mjcf, MeshMayBeMirrored) {
    const ScratchFolder folder("mjcf_mirrored");
    folder.write("m.obj",
                 "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const Pose<double> place =
        Pose<double>::roll_pitch_yaw({0.1, 0.2, 0.3}, {0, 0, 1.5707963267948966});
    for (int signs = 0; signs < 8; ++signs) {
        const Vec3<double> scale{(signs & 1) != 0 ? -0.1 : 0.1, (signs & 2) != 0 ? -0.2 : 0.2,
                                 (signs & 4) != 0 ? -0.3 : 0.3};
        const auto text = [](double x) { return std::to_string(x) + " "; };
        const ReadResult result = read_robot(folder.write(
            "robot.xml",
            in_world("<body name='b'><joint/><geom size='0.1'/><geom type='mesh' mesh='m' "
                     "pos='0.1 0.2 0.3' euler='0 0 90'/></body>",
                     "<asset><mesh name='m' file='m.obj' scale='" + text(scale.x) + text(scale.y) +
                         text(scale.z) + "'/></asset>")));
        ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
        const Shape& shape = link(result.description, "b").visuals.at(1);
        const Vec3<double>& s = std::get<Mesh>(shape.geometry).scale;
        for (const Vec3<double>& c :
             {Vec3<double>{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 2, 3}}) {
            const Vec3<double> here =
                shape.placement * Vec3<double>{s.x * c.x, s.y * c.y, s.z * c.z};
            const Vec3<double> expected =
                place * Vec3<double>{scale.x * c.x, scale.y * c.y, scale.z * c.z};
            EXPECT_LT(norm(here - expected), 1e-5) << signs;
        }
    }
}

TEST_F(Mjcf, MissingMeshThatIsOnlyDrawnIsAWarning) {
    const ReadResult result = read_robot(data("meshes.xml"));
    expect_warning(result, "meshes.xml:11: warning: mesh 'missing' (file 'missing.stl')");
    const Mesh& ghost = std::get<Mesh>(link(result.description, "drawn").visuals.at(0).geometry);
    EXPECT_TRUE(ghost.path.empty());
    EXPECT_LT(norm(ghost.scale - Vec3<double>{1, 1, 1}), 1e-6);
}

TEST_F(Mjcf, MissingMeshThatGivesAMassIsAnError) {
    expect_error(in_world("<body name='b'><joint/><geom type='mesh' mesh='m'/></body>",
                          "<asset><mesh name='m' file='none.stl'/></asset>"),
                 3, "body 'b': its mass comes from mesh 'm'");
}

// MuJoCo 3 takes a mesh with a face that is turned inside out; which way it is does not matter to its mass.
TEST_F(Mjcf, MeshWithATurnedFaceHasTheSameMass) {
    const ScratchFolder folder("mjcf_mesh");
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\n";
    const std::string faces = "f 1 3/9 2\nf 1/1/1 2 4\nf -4 -1 -2\n";
    folder.write("good.obj", corners + faces + "f 2 3 4\n");
    folder.write("turned.obj", corners + faces + "f 2 4 3\n");
    std::string many = "f";
    for (int k = 0; k < 1001; ++k) many += " " + std::to_string(1 + k % 4);
    folder.write("many.obj", corners + faces + "f 2 4 3\n" + many + "\n");
    // A block with a notch in its upper side, of faces with five corners and with four, some of them not flat.
    const std::string block =
        "v 2 2 0\nv 1 1.5 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\n"
        "v 2 2 1\nv 1 1.5 1\nv 0 2 1\nv 0 0 1\nv 2 0.1 1\n"
        "f 6 7 8 9 10\nf 5 4 3 2 1\nf 1 2 7 6\nf 2 3 8 7\nf 3 4 9 8\nf 4 5 10 9\n";
    folder.write("good_block.obj", block + "f 5 1 6 10\n");
    folder.write("turned_block.obj", block + "f 10 6 1 5\n");
    const auto read_mesh = [&](const std::string& name, const std::string& settings = "") {
        return read_robot(folder.write(
            "robot.xml",
            in_world("<body name='b'><joint/><geom type='mesh' mesh='m'/></body>",
                     settings + "<asset><mesh name='m' file='" + name + ".obj'/></asset>")));
    };
    for (const std::string ending : {"", "_block"}) {
        const ReadResult good = read_mesh("good" + ending), turned = read_mesh("turned" + ending);
        ASSERT_FALSE(has_errors(turned.diagnostics)) << messages(turned);
        const MassProperties& expected = link(good.description, "b").mass;
        const MassProperties& found = link(turned.description, "b").mass;
        EXPECT_GT(expected.mass, 900);
        EXPECT_NEAR(found.mass, expected.mass, 1e-6 * expected.mass);
        EXPECT_LT(norm(found.center - expected.center), 1e-6);
    }
    // Where the mass is to be exact it does matter; and a face with a thousand corners is not cut.
    const char* const kWords = "inconsistent orientation";
    EXPECT_NE(messages(read_mesh("turned", "<compiler exactmeshinertia='true'/>")).find(kWords),
              std::string::npos);
    EXPECT_NE(messages(read_mesh("many")).find(kWords), std::string::npos);
}

// A tetrahedron with edges of 0.4, 0.3 and 0.2 m from one corner.
const char* const kHull = "<mesh name='m' vertex='0 0 0 0.4 0 0 0 0.3 0 0 0 0.2' ";
constexpr double kSinglePrecision = 1e-6;  // MuJoCo has corners as floats, and moves them

TEST_F(Mjcf, DensityCountsForTheVolumeOfAMesh) {
    const auto mass_with = [&](const std::string& asset, const std::string& geom) {
        const ReadResult result =
            read(in_world("<body name='b'><joint/><geom type='mesh' mesh='m' " + geom + "/></body>",
                          "<asset>" + std::string(kHull) + asset + "/></asset>"));
        EXPECT_TRUE(result.diagnostics.empty()) << messages(result);
        return link(result.description, "b").mass;
    };
    constexpr double kVolume = 0.4 * 0.3 * 0.2 / 6;
    for (const std::string rule : {"", "inertia='legacy'", "inertia='convex'", "inertia='exact'"}) {
        const MassProperties mass = mass_with(rule, "density='700'");
        EXPECT_NEAR(mass.mass, 700 * kVolume, kSinglePrecision * 700 * kVolume) << rule;
        EXPECT_LT(norm(mass.center - Vec3<double>{0.1, 0.075, 0.05}), kSinglePrecision) << rule;
        EXPECT_NEAR(mass_with(rule, "").mass, 1000 * kVolume, kSinglePrecision * 1000 * kVolume);
        EXPECT_EQ(mass_with(rule, "mass='3'").mass, 3);
        // Of the corner at the origin: m/10 · (b² + c²), and m/20 · a b beside the diagonal.
        const Vec3<double> c = mass.center;
        const SymMat3<double>& I = mass.about_center;
        EXPECT_NEAR(I.xx + mass.mass * (c.y * c.y + c.z * c.z), mass.mass / 10 * (0.09 + 0.04),
                    kSinglePrecision);
        EXPECT_NEAR(I.xy - mass.mass * c.x * c.y, -mass.mass / 20 * 0.4 * 0.3, kSinglePrecision);
        EXPECT_NEAR(I.yz - mass.mass * c.y * c.z, -mass.mass / 20 * 0.3 * 0.2, kSinglePrecision);
    }
    // Moved, turned and scaled, in this order.
    const MassProperties moved = mass_with(
        "refpos='0.1 0 0' refquat='0.7071067811865476 0 0 0.7071067811865476' scale='1 2 -3' "
        "inertia='exact'",
        "density='700'");
    EXPECT_NEAR(moved.mass, 6 * 700 * kVolume, kSinglePrecision * 6 * 700 * kVolume);
    EXPECT_LT(norm(moved.center - Vec3<double>{0.075, 0, -0.15}), kSinglePrecision);
}

TEST_F(Mjcf, MeshMayHaveItsMassOnTheSurface) {
    const std::array<Vec3<double>, 4> corners{
        Vec3<double>{0, 0, 0}, {0.4, 0, 0}, {0, 0.3, 0}, {0, 0, 0.2}};
    // Edges' midpoints stand for a triangle up to second moments.
    double area = 0, xx = 0, xy = 0;
    Vec3<double> moment{};
    for (int left_out = 0; left_out < 4; ++left_out) {
        std::vector<Vec3<double>> face;
        for (int k = 0; k < 4; ++k) {
            if (k != left_out) face.push_back(corners[static_cast<std::size_t>(k)]);
        }
        const double a = norm(cross(face[1] - face[0], face[2] - face[0])) / 2;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3<double> p = 0.5 * (face[k] + face[(k + 1) % 3]);
            area += a / 3;
            moment = moment + a / 3 * p;
            xx += a / 3 * (p.y * p.y + p.z * p.z);
            xy -= a / 3 * p.x * p.y;
        }
    }
    const Vec3<double> centre = (1 / area) * moment;
    const auto expect = [&](const std::string& asset, const std::string& geom, double mass) {
        const ReadResult result = read(in_world(
            "<body name='b' pos='3 2 1'><joint/><geom type='mesh' mesh='m' " + geom + "/></body>",
            "<asset>" + std::string(kHull) + asset + "/></asset>"));
        EXPECT_TRUE(result.diagnostics.empty()) << messages(result);
        const LinkDescription& b = link(result.description, "b");
        EXPECT_NEAR(b.mass.mass, mass, kSinglePrecision * mass) << geom;
        EXPECT_LT(norm(b.mass.center - centre), kSinglePrecision) << geom;
        const Vec3<double>& c = b.mass.center;
        const SymMat3<double>& I = b.mass.about_center;
        EXPECT_NEAR((I.xx + mass * (c.y * c.y + c.z * c.z)) / mass, xx / area, kSinglePrecision);
        EXPECT_NEAR((I.xy - mass * c.x * c.y) / mass, xy / area, kSinglePrecision);
        // Its shape stands where the file says.
        const Pose<double>& at = b.visuals.at(0).placement;
        EXPECT_LT(norm(at.position), kSinglePrecision);
        EXPECT_LT(norm(at.rotation * Vec3<double>{1, 2, 3} - Vec3<double>{1, 2, 3}),
                  4 * kSinglePrecision);
    };
    expect("inertia='shell'", "mass='2.5'", 2.5);
    expect("inertia='shell'", "density='7'", 7 * area);       // per area
    expect("", "shellinertia='true' density='7'", 7 * area);  // until version 3.2.5
    // Beside others of the same mesh, which are solid.
    const ReadResult both = read(in_world(
        "<body name='b'><joint/><geom type='mesh' mesh='m' mass='1'/></body><body name='c'><joint/>"
        "<geom type='mesh' mesh='m' mass='1' shellinertia='true'/></body>",
        "<asset>" + std::string(kHull) + "/></asset>"));
    EXPECT_LT(norm(link(both.description, "b").mass.center - Vec3<double>{0.1, 0.075, 0.05}),
              kSinglePrecision);
    EXPECT_LT(norm(link(both.description, "c").mass.center - centre), kSinglePrecision);
    // A sheet has a surface, but no volume.
    const ReadResult sheet =
        read(in_world("<body name='b'><joint/><geom type='mesh' mesh='m' density='2'/></body>",
                      "<asset><mesh name='m' inertia='shell' vertex='0 0 0 1 0 0 1 1 0 0 1 0' "
                      "face='0 1 2 0 2 3'/></asset>"));
    ASSERT_FALSE(has_errors(sheet.diagnostics)) << messages(sheet);
    const MassProperties& flat = link(sheet.description, "b").mass;
    EXPECT_NEAR(flat.mass, 2, 2 * kSinglePrecision);
    EXPECT_LT(norm(flat.center - Vec3<double>{0.5, 0.5, 0}), kSinglePrecision);
    EXPECT_NEAR(flat.about_center.xx, 2.0 / 12, kSinglePrecision);
    EXPECT_NEAR(flat.about_center.zz, 2.0 / 6, kSinglePrecision);
}

// A cube of 1 m whose upper face is drawn in by 0.9 m: without a pyramid of 0.3 m³, beyond the centre of mass.
TEST_F(Mjcf, HollowOfAMeshCountsAsItsRuleSays) {
    const auto mass_by = [&](const std::string& rule) {
        const ReadResult result = read(in_world(
            "<body name='b'><joint/><geom type='mesh' mesh='m' density='6'/></body>",
            "<asset><mesh name='m' inertia='" + rule +
                "' vertex='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 0.1' "
                "face='0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 4 5 8 5 6 8 "
                "6 7 8 7 4 8'/></asset>"));
        EXPECT_TRUE(result.diagnostics.empty()) << messages(result);
        return link(result.description, "b").mass;
    };
    EXPECT_NEAR(mass_by("convex").mass, 6, 6 * kSinglePrecision);
    EXPECT_LT(norm(mass_by("convex").center - Vec3<double>{0.5, 0.5, 0.5}), kSinglePrecision);
    const MassProperties exact = mass_by("exact");
    EXPECT_NEAR(exact.mass, 6 * 0.7, 6 * kSinglePrecision);
    const double height = (0.5 - 0.3 * (1 - 0.9 / 4)) / 0.7;
    EXPECT_LT(norm(exact.center - Vec3<double>{0.5, 0.5, height}), kSinglePrecision);
    EXPECT_NEAR(exact.about_center.zz, 6 * (2.0 / 12 - 0.3 * 2 / 20), 6 * kSinglePrecision);
    EXPECT_GT(mass_by("legacy").mass, 6 * 0.71);  // counts some of it twice
}

// Meshes are weighed together, but each by itself: whatever else the file has, and by whichever rule, it weighs what it weighs alone.
TEST_F(Mjcf, MeshesWeighWhatTheyWeighAlone) {
    const auto asset = [](const std::string& name, double size, const std::string& rule) {
        const std::string s = std::to_string(size);
        return "<mesh name='" + name + "' inertia='" + rule + "' vertex='0 0 0 " + s + " 0 0 0 " +
               s + " 0 0 0 0.5' face='0 2 1 0 1 3 1 2 3 2 0 3'/>";
    };
    const auto body = [](const std::string& name) {
        return "<body name='" + name + "'><joint/><geom type='mesh' mesh='" + name + "'/></body>";
    };
    std::string bodies, assets;
    std::vector<std::pair<std::string, MassProperties>> alone;
    double size = 0.2;
    for (const std::string& rule : {"convex", "exact", "shell"}) {
        for (const std::string& name : {rule + "_b", rule + "_a"}) {
            size += 0.1;
            const std::string mesh = asset(name, size, rule);
            const ReadResult single = read(in_world(body(name), "<asset>" + mesh + "</asset>"));
            alone.emplace_back(name, link(single.description, name).mass);
            EXPECT_GT(alone.back().second.mass, 0) << messages(single);
            bodies += body(name);
            assets += mesh;
        }
    }
    const ReadResult all = read(in_world(bodies, "<asset>" + assets + "</asset>"));
    for (const auto& [name, mass] : alone) {
        const MassProperties& found = link(all.description, name).mass;
        EXPECT_EQ(found.mass, mass.mass) << name;
        EXPECT_EQ(norm(found.center - mass.center), 0) << name;
        EXPECT_EQ(found.about_center.zz, mass.about_center.zz) << name;
    }
}

TEST_F(Mjcf, MassesByARuleThatIsNotKeptAreSaid) {
    const auto with = [&](const std::string& compiler) {
        return read(
            in_world("<body name='b'><joint/><geom type='box' mesh='m'/></body>",
                     "<compiler " + compiler + "/><asset>" + kHull + "inertia='shell'/></asset>"));
    };
    expect_warning(with("fitaabb='true'"), "not counted by the rule 'shell'");
    EXPECT_TRUE(with("").diagnostics.empty());
    expect_error(in_world("", "<asset>" + std::string(kHull) + "inertia='shel'/></asset>"), 2,
                 "mesh 'm': unknown inertia 'shel'; closest: 'shell'");
    std::string meshes, bodies;
    for (int k = 0; k < 151; ++k) {
        const std::string name = "'" + std::to_string(k) + "'";
        meshes += "<mesh name=" + name + " vertex='0 0 0 1 0 0 0 1 0 0 0 1' inertia='exact'/>";
        bodies += "<body><joint/><geom type='mesh' mesh=" + name + "/></body>";
    }
    expect_warning(read(in_world(bodies, "<asset>" + meshes + "</asset>")),
                   "not counted by the rule 'exact' but by 'legacy', as there are too many");
}

TEST_F(Mjcf, MeshThatIsShearedIsAWarning) {
    const auto with = [&](const std::string& mesh) {
        return read(in_world("<body name='b'><joint/><geom type='mesh' mesh='m' mass='1'/></body>",
                             "<asset>" + std::string(kHull) + mesh + "/></asset>"));
    };
    const ReadResult sheared = with("scale='1.5 2.5 0.5' refquat='0.8 0 0.6 0'");
    expect_finding(sheared, Severity::kWarning, data("inline.xml"), 2, {"mesh 'm'", "is sheared"});
    // Its mass is that of the sheared one: refquat turns by -73.7 degrees about y, and then comes the scale.
    const double c = 0.28, s = 0.96;
    const Vec3<double> centre{1.5 * (c * 0.1 - s * 0.05), 2.5 * 0.075, 0.5 * (s * 0.1 + c * 0.05)};
    EXPECT_LT(norm(link(sheared.description, "b").mass.center - centre), kSinglePrecision);
    const ReadResult turned = with("scale='2 2 2' refquat='0.8 0 0.6 0'");
    EXPECT_TRUE(turned.diagnostics.empty()) << messages(turned);
    const Shape& shape = link(turned.description, "b").visuals.at(0);
    EXPECT_EQ(std::get<Mesh>(shape.geometry).scale, (Vec3<double>{2, 2, 2}));
    // One that turns an axis to another only exchanges them.
    EXPECT_TRUE(with("scale='1.5 2.5 0.5' refquat='0.7071067811865476 0 0.7071067811865476 0'")
                    .diagnostics.empty());
}

// MuJoCo 2 and 3 put it there.
TEST_F(Mjcf, MassOfABoundIsSaidToBeElsewhere) {
    const auto with = [&](const std::string& pos, const std::string& inside = "") {
        return read(in_world("<body name='b' pos='" + pos + "'>" + inside + "</body>",
                             "<compiler boundmass='0.01'/>"));
    };
    const ReadResult result = with("5 4 3");
    expect_warning(result, "body 'b': MuJoCo puts the mass that boundmass gives it, 0.01 kg");
    EXPECT_EQ(link(result.description, "b").mass.center, (Vec3<double>{5, 4, 3}));
    const auto says_nothing = [](const ReadResult& other) {
        return messages(other).find("boundmass") == std::string::npos;
    };
    EXPECT_TRUE(says_nothing(with("0 0 0")));
    EXPECT_TRUE(says_nothing(with("5 4 3", "<geom size='0.1'/>")));
    EXPECT_TRUE(
        says_nothing(with("5 4 3", "<inertial pos='5 4 3' mass='1' diaginertia='1 1 1'/>")));
}

// --- The program's locale -----------------------------------------------------------------------

TEST_F(Mjcf, NumbersDoNotDependOnTheLocale) {
    const Description expected = read_robot(data("arm.xml")).description;
    const CommaLocale comma;
    const ReadResult result = read_robot(data("arm.xml"));
    EXPECT_TRUE(CommaLocale::is_in_force());
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    ASSERT_EQ(result.description.joints.size(), expected.joints.size());
    for (std::size_t k = 0; k < expected.joints.size(); ++k) {
        EXPECT_EQ(result.description.joints[k].placement, expected.joints[k].placement);
        EXPECT_EQ(result.description.joints[k].damping, expected.joints[k].damping);
    }
    for (std::size_t k = 0; k < expected.links.size(); ++k)
        EXPECT_EQ(result.description.links[k].mass, expected.links[k].mass);
}

#ifdef PLUCKER_HAVE_MUJOCO
TEST_F(Mjcf, HandlersOfTheProgramAreKept) {
    static bool called = false;
    mju_user_warning = [](const char*) { called = true; };
    read(in_world("<body><joint/><geom size='1'/></body>"));
    ASSERT_NE(mju_user_warning, nullptr);
    mju_warning("x");
    mju_user_warning = nullptr;
    EXPECT_TRUE(called);
    EXPECT_EQ(mju_user_error, nullptr);
}
#endif

}  // namespace
}  // namespace plucker::test::mjcf
