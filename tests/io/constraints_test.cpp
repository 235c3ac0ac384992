// Closed loops, couplings and surfaces from files.
#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <optional>
#include <random>

#include "findings.hpp"
#include "mujoco_twin.hpp"
#include "plucker/constraints/close_loops.hpp"
#include "plucker/io/load.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test::ties {
namespace {

std::string data(const std::string& file) {
    return std::string(PLUCKER_TEST_DATA_DIR) + "/" + file;
}

const ConstraintDescription& constraint(const Description& d, const std::string& name) {
    for (const ConstraintDescription& c : d.constraints) {
        if (c.name == name) return c;
    }
    throw Error("no constraint " + name);
}

// --- MJCF -----------------------------------------------------------------------------------------

class MjcfTies : public testing::Test {
protected:
    void SetUp() override {
        if (!can_read(Format::kMjcf)) GTEST_SKIP() << "this build does not read MJCF";
    }
    static ReadResult read(const std::string& text) {
        return read_robot_text(text, data("mjcf/inline.xml"));
    }
    // Two arms on the world, a metre apart, with a site each; what is beside starts in line 6.
    static std::string two_arms(const std::string& beside) {
        return "<mujoco><worldbody>\n"
               "<body name='a'><joint name='j'/><geom size='0.1'/>"
               "<site name='s' pos='0.5 0 0'/></body>\n"
               "<body name='b' pos='1 0 0' quat='0 0 0 1'><joint name='k'/><geom size='0.1'/>"
               "<site name='t' pos='0.5 0 0'/></body>\n"
               "</worldbody>\n\n" +
               beside + "</mujoco>";
    }
};

TEST_F(MjcfTies, AreConstraints) {
    const ReadResult result = read_robot(data("mjcf/linkage.xml"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const Description& d = result.description;
    ASSERT_EQ(d.constraints.size(), 5U) << "one is not active";

    const ConstraintDescription& loop = constraint(d, "loop");
    EXPECT_EQ(loop.frame_a, "coupler");
    EXPECT_EQ(loop.frame_b, "rocker");
    EXPECT_EQ(loop.axes, connect("", "", "").axes);
    EXPECT_EQ(loop.placement_a.position, (Vec3<double>{0.8, 0, 0}));
    EXPECT_LE(norm(loop.placement_b.position - Vec3<double>{0.2, 0, 0.4}), 1e-15);
    EXPECT_EQ(loop.source.line, 46);

    EXPECT_EQ(constraint(d, "glue").axes, weld("", "", "").axes);
    EXPECT_EQ(constraint(d, "string").frame_b, "world");
    const ConstraintDescription& cam = constraint(d, "cam");
    EXPECT_EQ(cam.joint_a, "lift");
    EXPECT_EQ(cam.joint_b, "wheel_joint");
    EXPECT_EQ(cam.polynomial, (std::array<double, 5>{0.01, 0, 0.05, 0, 0.02}));
    const ConstraintDescription& brake = constraint(d, "brake");
    EXPECT_EQ(brake.joint_a, "flap_joint");
    EXPECT_EQ(brake.joint_b, "");
    EXPECT_EQ(brake.polynomial[0], 0.1);

    // The file describes a pose in which bodies are where they are tied; joints need not be.
    const Model model(d);
    VectorX<double> q = neutral_configuration(model);
    const Quaternion<double> turned =
        exponential(Vec3<double>{0.2, 0, 0}) * exponential(Vec3<double>{0, 0, 0.4});
    q.segment(model.q_index("tray_joint"), 7) << 0.1, 1, 0.5, turned.x, turned.y, turned.z,
        turned.w;
    const VectorX<double> e = constraint_errors(model, q);
    for (const Constraint& c : model.constraints()) {
        if (c.kind == ConstraintKind::kCoupling) continue;
        EXPECT_LE(e.segment(c.first_row, c.num_rows).norm(), 1e-14) << c.name;
    }
}

TEST_F(MjcfTies, HaveSurfacesAndWhatDoesNotTouch) {
    const Description d = read_robot(data("mjcf/linkage.xml")).description;
    const Shape& crank = link(d, "crank").collisions.at(0);
    EXPECT_EQ(crank.surface, (Surface{.friction = 0.8, .torsional = 0.02}));
    EXPECT_EQ(crank.is, 2U);
    EXPECT_EQ(crank.meets, 5U);
    EXPECT_EQ(link(d, "coupler").collisions.at(0).surface, (Surface{.friction = 0}));
    EXPECT_EQ(link(d, "rocker").collisions.at(0).surface, (Surface{.friction = 0.8}));
    ASSERT_EQ(d.never_touching.size(), 1U);
    EXPECT_EQ(d.never_touching[0], (std::pair<std::string, std::string>{"crank", "rocker"}));
}

TEST_F(MjcfTies, MayBeBetweenSites) {
    const ReadResult result = read(
        two_arms("<equality><weld name='w' site1='s' site2='t' torquescale='2' solref='0.1 1'/>"
                 "<connect site1='s' site2='t'/></equality>"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const Description& d = result.description;
    ASSERT_EQ(d.constraints.size(), 2U);
    EXPECT_EQ(d.constraints[0].frame_a, "a");
    EXPECT_EQ(d.constraints[0].placement_a.position, (Vec3<double>{0.5, 0, 0}));
    EXPECT_EQ(d.constraints[1].name, "equality");
    EXPECT_NE(messages(result).find("torquescale is not used"), std::string::npos);
    EXPECT_NE(messages(result).find("solref and solimp are not used"), std::string::npos);
    // The sites are at the same place, turned by half a turn.
    const Model model(d);
    const VectorX<double> e = constraint_errors(model, VectorX<double>::Zero(2));
    EXPECT_NEAR(std::abs(e[2]), std::numbers::pi, 1e-12);
    EXPECT_LE(e.tail(3).norm(), 1e-15);
}

// Each end has its own site's place and attitude on its body.
TEST_F(MjcfTies, StandAsTheirSitesDo) {
    std::string text = two_arms("<equality><weld site1='s' site2='t'/></equality>");
    text.replace(text.find("'s' pos='0.5 0 0'"), 17, "'s' pos='1 2 3' quat='1 1 0 0'");
    text.replace(text.find("'t' pos='0.5 0 0'"), 17, "'t' pos='4 5 6' quat='1 0 0 -1'");
    const ReadResult result = read(text);
    ASSERT_EQ(result.description.constraints.size(), 1U) << messages(result);
    const ConstraintDescription& tie = result.description.constraints[0];
    EXPECT_EQ(tie.placement_a.position, (Vec3<double>{1, 2, 3}));
    EXPECT_EQ(tie.placement_b.position, (Vec3<double>{4, 5, 6}));
    // A quarter of a turn about x, and one back about z: where they put y.
    EXPECT_LE(norm(tie.placement_a.rotation * Vec3<double>{0, 1, 0} - Vec3<double>{0, 0, 1}),
              1e-15);
    EXPECT_LE(norm(tie.placement_b.rotation * Vec3<double>{0, 1, 0} - Vec3<double>{1, 0, 0}),
              1e-15);
}

// What is replicated takes its ties along, by whatever they name.
TEST_F(MjcfTies, AreReplicatedWithWhatTheyTie) {
    const std::string ball = "<geom type='sphere' size='0.1' mass='1'/>";
    const std::string world = "<worldbody><body name='hub'>" + ball +
                              "<site name='h' pos='0 0 1'/><replicate count='2' offset='1 0 0'>"
                              "<body name='b'><joint name='j' type='ball'/>" +
                              ball +
                              "<site name='s' pos='0.5 0 0'/></body></replicate>"
                              "<body name='c'><joint name='k'/>" +
                              ball + "</body></body></worldbody>";
    for (const std::string tie :
         {"<connect site1='h' site2='s'/>", "<connect site1='s' site2='h'/>",
          "<weld site1='s' site2='h'/>", "<connect body1='hub' body2='b' anchor='0 0 1'/>"}) {
        const ReadResult result =
            read("<mujoco>" + world + "<equality>" + tie + "</equality></mujoco>");
        ASSERT_FALSE(has_errors(result.diagnostics)) << tie << "\n" << messages(result);
        const auto& ties = result.description.constraints;
        ASSERT_EQ(ties.size(), 2U) << tie;
        // In the order of the file: coordinates hang on it.
        std::vector<std::string> order;
        for (const LinkDescription& link : result.description.links) order.push_back(link.name);
        EXPECT_EQ(order, (std::vector<std::string>{"world", "hub", "b0", "b1", "c"}));
        for (std::size_t k = 0; k < 2; ++k) {
            const std::string copy = "b" + std::to_string(k);
            EXPECT_TRUE(ties[k].frame_a == copy || ties[k].frame_b == copy) << tie;
            EXPECT_TRUE(ties[k].frame_a == "hub" || ties[k].frame_b == "hub") << tie;
        }
    }
}

TEST_F(MjcfTies, HaveARelativePose) {
    const Description d =
        read(two_arms("<equality><weld body1='a' body2='b' relpose='1 2 3 1 0 0 0'/>"
                      "<weld body1='a' body2='b' relpose='0 0 0 0 0 0 0' anchor='0.5 0 0'/>"
                      "</equality>"))
            .description;
    ASSERT_EQ(d.constraints.size(), 2U);
    EXPECT_EQ(d.constraints[0].placement_a.position, (Vec3<double>{1, 2, 3}));
    EXPECT_EQ(d.constraints[0].placement_a.rotation, Mat3<double>::identity());
    // As in the file: b is turned about z, so that its point is at half a metre.
    EXPECT_LE(norm(d.constraints[1].placement_a.position - Vec3<double>{0.5, 0, 0}), 1e-15);
    EXPECT_EQ(d.constraints[1].placement_b.position, (Vec3<double>{0.5, 0, 0}));
}

TEST_F(MjcfTies, AreRefusedWhereTheyNameNothing) {
    const auto expect = [&](const std::string& beside, const std::string& words) {
        expect_error_in(read(two_arms(beside)), 6, words);
    };
    expect("<equality><connect body1='c' body2='b' anchor='0 0 0'/></equality>",
           "unknown body 'c'; closest: 'a', 'b', 'world'");
    expect("<equality><connect body1='a' body2='b'/></equality>",
           "lacks the attribute 'anchor', a point of body1");
    expect("<equality><connect anchor='0 0 0'/></equality>", "lacks the attribute 'body1'");
    expect("<equality><connect site1='s' site2='u'/></equality>", "unknown site 'u'; closest: 's'");
    expect("<equality><weld site1='s' body2='b'/></equality>", "names sites and bodies");
    expect("<equality><weld body1='a' body2='b' relpos='0'/></equality>",
           "unknown attribute 'relpos'; closest: 'relpose'");
    expect("<equality><connect body1='a' anchor='0 0 x'/></equality>", "anchor=…>");
    expect("<contact><exclude body1='a' body2='c'/></contact>", "unknown body 'c'");
    expect("<equality><weld body1='a' body2='a'/></equality>", "no joint moves apart");
}

TEST_F(MjcfTies, OfOneJointThatMimicsAlreadyAreCouplings) {
    const Description d = read(
                              "<mujoco><worldbody><body><joint name='j'/><geom size='0.1'/><body>"
                              "<joint name='k'/><geom size='0.1'/><body><joint name='l'/>"
                              "<geom size='0.1'/></body></body></body></worldbody><equality>"
                              "<joint joint1='k' joint2='j'/>"
                              "<joint name='second' joint1='k' joint2='l' polycoef='0 3 0 0 0'/>"
                              "</equality></mujoco>")
                              .description;
    EXPECT_EQ(joint(d, "k").mimic->joint, "j");
    ASSERT_EQ(d.constraints.size(), 1U);
    EXPECT_EQ(d.constraints[0].name, "second");
    EXPECT_EQ(d.constraints[0].polynomial[1], 3);
}

#ifdef PLUCKER_HAVE_MUJOCO

// MuJoCo has a connect's rows along the world's axes, and a weld's as ours, turns last and halved (a quaternion's vector).
TEST_F(MjcfTies, HaveTheRowsOfMujoco) {
    MujocoTwin twin(data("mjcf/linkage.xml"));
    const Model& model = twin.ours;
    std::mt19937 generator(3);
    const VectorX<double> guess = random_configuration(model, generator);
    const ClosedLoops closed = close_loops(model, guess);
    ASSERT_TRUE(closed.closed) << closed.message;
    twin.set_state(closed.q, VectorX<double>::Zero(model.nv()));
    const mjData& d = *twin.data;
    const int nv = twin.theirs->nv;
    ASSERT_EQ(d.ne, model.num_constraint_rows());
    ASSERT_FALSE(mj_isSparse(twin.theirs.get()));
    const MatrixX<double> theirs =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            d.efc_J, d.ne, nv) *
        twin.T;
    const MatrixX<double> ours = constraint_jacobian(model, closed.q);
    Workspace<double> ws(model);
    forward_kinematics(ws, closed.q);
    int row = 0;  // MuJoCo has them in the order of the file
    for (const char* name : {"loop", "glue", "string", "cam", "brake"}) {
        const Constraint& c =
            model.constraints()[static_cast<std::size_t>(model.constraint_index(name))];
        MatrixX<double> expected = theirs.middleRows(row, c.num_rows);
        row += c.num_rows;
        if (c.kind == ConstraintKind::kFrames) {
            const Matrix3<double> R =
                c.body_b == 0 ? Matrix3<double>::Identity()
                              : Matrix3<double>(
                                    to_eigen(frame_pose(ws, model.body_frame(c.body_b)).rotation));
            const MatrixX<double> along_b = R.transpose() * expected.topRows(3);
            if (c.num_rows == 6) expected.topRows(3) = 2 * expected.bottomRows(3);
            expected.bottomRows(3) = along_b;
        }
        EXPECT_LE((ours.middleRows(c.first_row, c.num_rows) - expected).cwiseAbs().maxCoeff(), 1e-9)
            << name;
    }
}

#endif

// --- SDF ------------------------------------------------------------------------------------------

class SdfTies : public testing::Test {
protected:
    void SetUp() override {
        if (!can_read(Format::kSdf)) GTEST_SKIP() << "this build does not read SDF";
    }
    // Links a, b and c on the ground, and joints.
    static ReadResult read(const std::string& joints) {
        std::string links;
        for (const char* name : {"a", "b", "c"}) {
            links += std::string("<link name='") + name +
                     "'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz>"
                     "</inertia></inertial></link>";
        }
        return read_robot_text(
            "<sdf version='1.9'><model name='m'>" + links + joints + "</model></sdf>",
            data("sdf/inline.sdf"));
    }
    static std::string joint(const std::string& name, const std::string& type,
                             const std::string& parent, const std::string& child,
                             const std::string& inside = "<axis><xyz>0 0 1</xyz></axis>") {
        return "<joint name='" + name + "' type='" + type + "'><parent>" + parent +
               "</parent><child>" + child + "</child>" + inside + "</joint>";
    }
    static std::string tree() {
        return joint("ja", "revolute", "world", "a") + joint("jb", "revolute", "world", "b");
    }
};

TEST_F(SdfTies, ALoopIsCutAtTheJointThatClosesIt) {
    const ReadResult result = read_robot(data("sdf/four_bar.sdf"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_NE(messages(result).find("four_bar.sdf:62: note: joint 'end_joint': closes a loop"),
              std::string::npos)
        << messages(result);
    const Model model(result.description);
    EXPECT_EQ(model.nv(), 3);
    ASSERT_EQ(model.constraints().size(), 1U);
    EXPECT_EQ(model.constraints()[0].num_rows, 5);
    EXPECT_LE(constraint_errors(model, VectorX<double>::Zero(3)).norm(), 1e-15);
    // The mechanism moves on: from a guess with the crank turned.
    VectorX<double> guess(3);
    guess << 0.3, -0.2, 0;
    const ClosedLoops closed = close_loops(model, guess, {.held = {"crank_joint"}});
    ASSERT_TRUE(closed.closed) << closed.message;
    EXPECT_NEAR(closed.q[0], 0.3, 0);
    EXPECT_GT(closed.q.tail(2).norm(), 0.1);
    // Five rows of which two count.
    EXPECT_EQ(constraint_jacobian(model, closed.q).fullPivLu().rank(), 2);
}

TEST_F(SdfTies, HaveSurfacesAndWhatDoesNotTouch) {
    const Description d = read_robot(data("sdf/four_bar.sdf")).description;
    const Shape& crank = link(d, "crank").collisions.at(0);
    ASSERT_TRUE(crank.surface);
    EXPECT_EQ(crank.surface->friction, 0.6);
    EXPECT_NEAR(crank.surface->torsional, 3 * std::numbers::pi / 16 * 0.1 * 0.5, 1e-16);
    EXPECT_EQ(crank.surface->restitution, 0.3);
    const Shape& coupler = link(d, "coupler").collisions.at(0);
    const Shape& rocker = link(d, "rocker").collisions.at(0);
    EXPECT_FALSE(rocker.surface);
    const auto touch = [](const Shape& a, const Shape& b) {
        return (a.is & b.meets) != 0 || (b.is & a.meets) != 0;
    };
    // Links of one model do not touch, unless one of them wants to; all touch the ground.
    EXPECT_FALSE(touch(crank, rocker));
    EXPECT_TRUE(touch(crank, coupler));
    const Shape ground{};
    EXPECT_TRUE(touch(crank, ground));
    EXPECT_TRUE(touch(rocker, ground));
    EXPECT_FALSE(touch(coupler, ground)) << "its mask is 6";
}

TEST_F(SdfTies, EveryKindOfJointHasItsRows) {
    struct Kind {
        const char* type;
        int rows;
    };
    for (const auto& [type, rows] :
         {Kind{"revolute", 5}, Kind{"prismatic", 5}, Kind{"ball", 3}, Kind{"fixed", 6}}) {
        const ReadResult result =
            read(tree() + joint("jc", "revolute", "a", "c") + joint("loop", type, "b", "c"));
        ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
        EXPECT_EQ(Model(result.description).num_constraint_rows(), rows) << type;
    }
    const ReadResult universal =
        read(tree() + joint("jc", "revolute", "a", "c") +
             joint("loop", "universal", "b", "c",
                   "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>"));
    ASSERT_FALSE(has_errors(universal.diagnostics)) << messages(universal);
    const Model model(universal.description);
    EXPECT_EQ(model.num_constraint_rows(), 4);
    // c turns about z, the joint's second axis; so does b, about which the first is fixed: both are free.
    EXPECT_LE(constraint_jacobian(model, VectorX<double>::Zero(3)).row(0).norm(), 1e-15);
    // A prismatic joint leaves its axis free: z.
    const ReadResult slide =
        read(joint("ja", "prismatic", "world", "a") + joint("jb", "revolute", "world", "b") +
             joint("jc", "fixed", "world", "c") + joint("loop", "prismatic", "b", "a"));
    const Model sliding(slide.description);
    const MatrixX<double> J = constraint_jacobian(sliding, VectorX<double>::Zero(2));
    EXPECT_LE(J.col(sliding.v_index("ja")).norm(), 1e-15);
    EXPECT_NEAR(J.col(sliding.v_index("jb")).norm(), 1, 1e-15);
}

TEST_F(SdfTies, AJointFromADescendantClosesALoopToo) {
    const ReadResult result =
        read(joint("ab", "revolute", "a", "b") + joint("bc", "revolute", "b", "c") +
             joint("ca", "ball", "c", "a", ""));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const Model model(result.description);
    EXPECT_EQ(model.num_constraint_rows(), 3);
    EXPECT_EQ(model.nv(), 2);
}

TEST_F(SdfTies, AGearboxCouplesTheJointsOfItsReferenceBody) {
    const std::string gearbox =
        joint("mesh", "gearbox", "a", "b",
              "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 -1</xyz></axis2>"
              "<gearbox_ratio>2.5</gearbox_ratio>"
              "<gearbox_reference_body>c</gearbox_reference_body>");
    const ReadResult result =
        read(joint("jc", "fixed", "world", "c") + gearbox + joint("ja", "revolute", "c", "a") +
             joint("jb", "revolute", "c", "b"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const ConstraintDescription& c = constraint(result.description, "mesh");
    EXPECT_EQ(c.kind, ConstraintKind::kCoupling);
    EXPECT_EQ(c.joint_a, "jb");
    EXPECT_EQ(c.joint_b, "ja");
    // θ₂ = -2.5 θ₁, with θ₂ about -z.
    EXPECT_EQ(c.polynomial[1], 2.5);
    const ReadResult without = read(tree() + joint("jc", "revolute", "a", "c") + gearbox);
    EXPECT_NE(messages(without).find("needs a revolute joint between its reference body 'c' and "),
              std::string::npos)
        << messages(without);
}

TEST_F(SdfTies, WhatACutJointLosesIsSaid) {
    const ReadResult result =
        read(tree() + joint("jc", "revolute", "a", "c") +
             joint("loop", "revolute", "b", "c",
                   "<axis><xyz>0 0 1</xyz><dynamics><damping>2</damping></dynamics></axis>"));
    EXPECT_NE(messages(result).find("its damping, friction, limits and mimic are not used"),
              std::string::npos)
        << messages(result);
    const ReadResult screw =
        read(tree() + joint("jc", "revolute", "a", "c") +
             joint("loop", "screw", "b", "c",
                   "<axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>1</screw_thread_pitch>"));
    EXPECT_NE(messages(screw).find("closes a loop, and is of a type (helical) that cannot"),
              std::string::npos)
        << messages(screw);
}

// --- URDF -----------------------------------------------------------------------------------------

TEST(UrdfTies, AreRefusedWithARemedy) {
    const ReadResult result = read_robot_text(
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\n"
        "<joint name='ab' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
        "<joint name='ac' type='fixed'><parent link='a'/><child link='c'/></joint>\n"
        "<joint name='bc' type='fixed'><parent link='b'/><child link='c'/></joint></robot>",
        "inline.urdf");
    EXPECT_EQ(result.diagnostics.size(), 1U) << messages(result);
    EXPECT_EQ(messages(result),
              "inline.urdf:4: error: link 'c': has two parents, by joints 'ac' and 'bc'; a robot "
              "must be a tree: remove one, and close the loop by a constraint, which code "
              "(Builder::constraint), SDF and MJCF (<connect>, <weld>) have\n");
}

TEST(UrdfTies, HaveTheFrictionOfGazebo) {
    const std::string link =
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link>\n";
    const auto read = [&](const std::string& mu) {
        return read_robot_text(
            link + "<gazebo reference='a'><mu1>" + mu + "</mu1></gazebo></robot>", "inline.urdf");
    };
    const Shape shape = read("0.35").description.links.at(0).collisions.at(0);
    ASSERT_TRUE(shape.surface);
    EXPECT_EQ(*shape.surface, Surface{.friction = 0.35});
    // A surface on which everything slides says so with zero.
    for (const double mu : {0.0, 1e-9, 1.0, 7.5}) {
        const auto said = read(std::to_string(mu));
        const auto& surface = said.description.links.at(0).collisions.at(0).surface;
        ASSERT_TRUE(surface) << mu;
        EXPECT_NEAR(surface->friction, mu, 1e-6);
        EXPECT_EQ(messages(said).find("mu1"), std::string::npos) << messages(said);
    }
    EXPECT_NE(messages(read("-1"))
                  .find("inline.urdf:2: warning: link 'a': <mu1> is negative; its "
                        "friction is not used"),
              std::string::npos);
    EXPECT_FALSE(read("much").description.links.at(0).collisions.at(0).surface);
}

// Each link has its own friction, on all of its shapes; what is said of another, or of none, is not its.
TEST(UrdfTies, HaveTheFrictionOfTheirOwnLink) {
    const std::string ball = "<collision><geometry><sphere radius='1'/></geometry></collision>";
    const auto link = [&](const char* name) {
        return "<link name='" + std::string(name) + "'>" + ball + ball + "</link>";
    };
    const auto joint = [](const char* name, const char* parent, const char* child) {
        return "<joint name='" + std::string(name) + "' type='fixed'><parent link='" + parent +
               "'/><child link='" + child + "'/></joint>";
    };
    const auto mu = [](const char* name, const char* value) {
        return "<gazebo reference='" + std::string(name) + "'><mu1>" + value + "</mu1></gazebo>";
    };
    const Description d =
        read_robot_text("<robot name='r'>" + mu("c", "0.25") + link("a") + link("b") + link("c") +
                            joint("ab", "a", "b") + joint("ac", "a", "c") + mu("a", "0.5") +
                            mu("nobody", "0.75") + "</robot>",
                        "inline.urdf")
            .description;
    const std::map<std::string, std::optional<double>> expected{
        {"a", 0.5}, {"b", std::nullopt}, {"c", 0.25}};
    for (const LinkDescription& each : d.links) {
        ASSERT_EQ(each.collisions.size(), 2U);
        for (const Shape& shape : each.collisions) {
            EXPECT_EQ(shape.surface.has_value(), expected.at(each.name).has_value()) << each.name;
            if (shape.surface) EXPECT_EQ(shape.surface->friction, *expected.at(each.name));
        }
    }
}

TEST(UrdfTies, AreLostByTheWriterWhichSaysSo) {
    if (!can_read(Format::kSdf)) GTEST_SKIP() << "this build does not read SDF";
    std::vector<Diagnostic> lost;
    write_urdf(read_robot(data("sdf/four_bar.sdf")).description, &lost);
    std::string said;
    for (const Diagnostic& d : lost) said += to_string(d) + "\n";
    EXPECT_NE(said.find("constraint 'end_joint': URDF cannot say what is tied together beyond the "
                        "tree; it is lost"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("link 'crank': URDF cannot say how its surface touches"), std::string::npos)
        << said;
}

}  // namespace
}  // namespace plucker::test::ties
