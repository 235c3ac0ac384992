// SDF: what is read, and that it is the robot that the equivalent URDF describes. Wrong files are in
// sdf_hostile_test.cpp.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "comma_locale.hpp"
#include "findings.hpp"
#include "plucker/io/load.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test::sdf {
namespace {

std::string data(const std::string& file) {
    return std::string(PLUCKER_TEST_DATA_DIR) + "/sdf/" + file;
}
LoadOptions with_models() {
    LoadOptions options;
    options.package_paths = {data("models")};
    return options;
}

constexpr const char* kInertial =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

std::string link_text(const std::string& name, const std::string& inside = kInertial) {
    return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string joint_text(const std::string& type, const std::string& inside = "",
                       const std::string& ends = "<parent>a</parent><child>b</child>") {
    return "<joint name='j' type='" + type + "'>" + ends + inside + "</joint>\n";
}
const std::string kAxis = "<axis><xyz>0 0 1</xyz></axis>";
const std::string kLinks = link_text("a") + link_text("b");  // lines 2 and 3 of the document

class Sdf : public testing::Test {
protected:
    void SetUp() override {
        if (!can_read(Format::kSdf)) GTEST_SKIP() << "this build does not read SDF";
    }

    // A document whose content starts in line 2.
    static std::string in_model(const std::string& inside, const std::string& version = "1.9") {
        return "<sdf version='" + version + "'><model name='m'>\n" + inside + "</model></sdf>\n";
    }
    static ReadResult read(const std::string& text, const LoadOptions& options = {}) {
        return read_robot_text(text, data("inline.sdf"), options);
    }
    static Description description(const std::string& text) {
        const ReadResult result = read(text);
        EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
        return result.description;
    }

    // The text is refused, with an error in that line that contains those words.
    static void expect_error(const std::string& text, int line, const std::string& words) {
        expect_error_in(read(text), line, words);
    }
    static void expect_finding(const ReadResult& result, const std::string& words) {
        EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
        EXPECT_NE(messages(result).find(words), std::string::npos) << messages(result);
    }
};

// --- What is read -------------------------------------------------------------------------------

TEST_F(Sdf, IsTheRobotOfTheEquivalentUrdf) {
    const Model sdf = load(data("arm.sdf"));
    const Model urdf = load(data("arm.urdf"));
    ASSERT_EQ(sdf.nv(), urdf.nv());
    EXPECT_EQ(sdf.velocity_names(), urdf.velocity_names());
    std::mt19937 generator(3);
    std::normal_distribution<double> normal;
    const auto random = [&] {
        return VectorX<double>::NullaryExpr(urdf.nv(),
                                            [&](Eigen::Index) { return normal(generator); })
            .eval();
    };
    for (int sample = 0; sample < 10; ++sample) {
        const VectorX<double> q = random_configuration(urdf, generator);
        const VectorX<double> v = random(), a = random();
        EXPECT_LT((mass_matrix(sdf, q) - mass_matrix(urdf, q)).norm(), 1e-13);
        EXPECT_LT((inverse_dynamics(sdf, q, v, a) - inverse_dynamics(urdf, q, v, a)).norm(), 1e-12);
        for (const Frame& frame : urdf.frames()) {
            const Pose<double> x = frame_pose(sdf, q, frame.name);
            const Pose<double> y = frame_pose(urdf, q, frame.name);
            EXPECT_LT(norm(x.position - y.position), 1e-14) << frame.name;
            EXPECT_LT((to_eigen(x.rotation) - to_eigen(y.rotation)).norm(), 1e-14) << frame.name;
        }
    }
    for (int i = 1; i <= urdf.num_bodies(); ++i) {
        EXPECT_EQ(sdf.joint(i).limits.lower, urdf.joint(i).limits.lower);
        EXPECT_EQ(sdf.joint(i).limits.upper, urdf.joint(i).limits.upper);
        EXPECT_EQ(sdf.joint(i).limits.velocity, urdf.joint(i).limits.velocity);
        EXPECT_EQ(sdf.joint(i).limits.effort, urdf.joint(i).limits.effort);
        EXPECT_EQ(sdf.joint(i).friction, urdf.joint(i).friction);
    }
}

TEST_F(Sdf, ReadsShapesFramesAndPlacesInTheFile) {
    const ReadResult result = read_robot(data("arm.sdf"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const Description& d = result.description;
    EXPECT_EQ(d.name, "arm");
    EXPECT_EQ(link(d, "upper").source.line, 23);
    EXPECT_EQ(joint(d, "elbow").source.line, 68);
    const Shape& foot = link(d, "base").visuals.at(0);
    EXPECT_EQ(std::get<Cylinder>(foot.geometry).radius, 0.1);
    EXPECT_NEAR(foot.placement.rotation.y.x, 1, 1e-15);  // a quarter turn, in degrees
    EXPECT_EQ(foot.material->rgba, (std::array<double, 4>{0.8, 0.4, 0.2, 1}));
    EXPECT_EQ(std::get<Box>(link(d, "base").collisions.at(0).geometry).size,
              (Vec3<double>{0.2, 0.2, 0.1}));
    const auto& shapes = link(d, "lower").collisions;
    ASSERT_EQ(shapes.size(), 4U);
    EXPECT_EQ(std::get<Sphere>(shapes[0].geometry).radius, 0.03);
    EXPECT_EQ(std::get<Capsule>(shapes[1].geometry).length, 0.2);
    EXPECT_EQ(std::get<Ellipsoid>(shapes[2].geometry).radii, (Vec3<double>{1, 2, 3}));
    EXPECT_EQ(std::get<Plane>(shapes[3].geometry).normal, (Vec3<double>{0, 1, 0}));
    ASSERT_EQ(d.frames.size(), 1U);
    EXPECT_EQ(d.frames[0].name, "mount");
    EXPECT_EQ(d.frames[0].link, "base");
    expect_finding(result,
                   "arm.sdf:33: warning: link 'upper', visual 'missing': mesh 'model://arm");
}

TEST_F(Sdf, ReadsWorldIncludesAndAllJointTypes) {
    const ReadResult result = read_robot(data("cart.sdf"), with_models());
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const Description& d = result.description;
    EXPECT_EQ(d.name, "cart");
    EXPECT_EQ(d.gravity, (Vec3<double>{0, 0, -1.62}));
    EXPECT_EQ(d.base, Base::kFixed);
    expect_finding(result, "model 'ground': is static beside the robot");
    const JointDescription& rail = joint(d, "rail");
    EXPECT_EQ(rail.parent, "world");
    EXPECT_LT(norm(rail.placement.position - Vec3<double>{1, 2, 3.5}), 1e-15);
    // A screw's pitch is in metres a revolution there, in metres a radian here.
    EXPECT_EQ(joint(d, "thread").type, JointType::kHelical);
    EXPECT_NEAR(joint(d, "thread").pitch, 0.02 / (2 * std::numbers::pi), 1e-17);
    EXPECT_EQ(joint(d, "gimbal").type, JointType::kUniversal);
    EXPECT_EQ(joint(d, "gimbal").second_axis, (Vec3<double>{0, 1, 0}));
    EXPECT_EQ(joint(d, "gimbal").damping, 0.3);
    EXPECT_EQ(joint(d, "left_axle").child, "left::rim");
    EXPECT_EQ(joint(d, "right_axle").type, JointType::kFixed);
    EXPECT_EQ(link(d, "left::rim").source.file.substr(link(d, "left::rim").source.file.size() - 9),
              "wheel.sdf");
    // The ball joint's centre is beside the link's frame, which stays where the file has it.
    EXPECT_EQ(joint(d, "socket").type, JointType::kSpherical);
    const Model model(d);
    const Pose<double> sail = frame_pose(model, neutral_configuration(model), "sail");
    EXPECT_LT(norm(sail.position - Vec3<double>{1, 2, 3 + 0.5 + 0.5 + 1 + 1}), 1e-14);
}

// Of ODE's and Bullet's friction the first counts, wherever it stands; what says no number says one.
TEST_F(Sdf, FrictionIsOdesBeforeBullets) {
    const std::pair<std::string, double> odes[] = {
        {"", -1}, {"<ode/>", 1}, {"<ode><mu>0.25</mu></ode>", 0.25}, {"<ode><mu>0</mu></ode>", 0}};
    const std::pair<std::string, double> bullets[] = {
        {"", -1}, {"<bullet/>", 1}, {"<bullet><friction>0.75</friction></bullet>", 0.75}};
    for (const auto& [ode, of_ode] : odes) {
        for (const auto& [bullet, of_bullet] : bullets) {
            for (const std::string& both : {ode + bullet, bullet + ode}) {
                const Description d = description(in_model(link_text(
                    "a", std::string(kInertial) +
                             "<collision name='c'><geometry><sphere><radius>1</radius></sphere>"
                             "</geometry><surface><friction>" +
                             both + "</friction></surface></collision>")));
                const auto& surface = d.links.back().collisions.at(0).surface;
                ASSERT_TRUE(surface);
                EXPECT_EQ(surface->friction, of_ode >= 0      ? of_ode
                                             : of_bullet >= 0 ? of_bullet
                                                              : Surface{}.friction)
                    << both;
            }
        }
    }
}

TEST_F(Sdf, OldThreadPitchIsLeftHandedRadiansAMetre) {
    const Description d = description(
        in_model(kLinks + joint_text("screw", kAxis + "<thread_pitch>50</thread_pitch>")));
    EXPECT_NEAR(joint(d, "j").pitch, -0.02, 1e-16);
}

TEST_F(Sdf, NewMimicElementIsRead) {
    const Description d = description(
        in_model(kLinks + link_text("c") + joint_text("revolute", kAxis) +
                     "<joint name='k' type='revolute'><parent>b</parent><child>c</child><axis>"
                     "<xyz>0 0 1</xyz><mimic joint='j'><multiplier>2</multiplier>"
                     "<offset>0.5</offset><reference>0.1</reference></mimic></axis></joint>",
                 "1.11"));
    ASSERT_TRUE(joint(d, "k").mimic);
    EXPECT_EQ(joint(d, "k").mimic->joint, "j");
    EXPECT_EQ(joint(d, "k").mimic->multiplier, 2);
    EXPECT_NEAR(joint(d, "k").mimic->offset, 0.3, 1e-16);
}

TEST_F(Sdf, NegativeOrHugeLimitsAreNone) {
    const Description d = description(in_model(
        kLinks + joint_text("revolute",
                            "<axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>inf</upper>"
                            "<effort>-1</effort><velocity>-1</velocity></limit></axis>")));
    const JointLimits& l = joint(d, "j").limits;
    EXPECT_TRUE(std::isinf(l.lower) && std::isinf(l.upper));
    EXPECT_TRUE(std::isinf(l.effort) && std::isinf(l.velocity));
}

// 1e16 and beyond is SDF's word for no limit; whatever is less is one, however large.
TEST_F(Sdf, LimitsBelowSdfsWordForNoneAreLimits) {
    for (const char* number : {"2", "5e15", "9.99e15", "1e16", "3e16", "1e300"}) {
        const std::string n = number;
        const Description d = description(in_model(
            kLinks +
            joint_text("prismatic", "<axis><xyz>0 0 1</xyz><limit><lower>-" + n +
                                        "</lower><upper>" + n + "</upper><effort>" + n +
                                        "</effort><velocity>" + n + "</velocity></limit></axis>")));
        const double x = std::stod(n);
        const double expected = x < 1e16 ? x : std::numeric_limits<double>::infinity();
        const JointLimits& l = joint(d, "j").limits;
        EXPECT_EQ(l.lower, -expected) << n;
        EXPECT_EQ(l.upper, expected) << n;
        EXPECT_EQ(l.effort, expected) << n;
        EXPECT_EQ(l.velocity, expected) << n;
    }
}

// A frame stands on its link, wherever the file puts the model.
TEST_F(Sdf, FramesMoveWithTheirModel) {
    for (const std::string place : {"", "<pose>1 2 3 0.1 0.2 0.3</pose>"}) {
        const Description d = description(
            in_model(place + kLinks + joint_text("revolute", kAxis) +
                     "<frame name='tip' attached_to='b'><pose>0.4 0.5 0.6 0 0 1</pose></frame>"
                     "<frame name='mark'><pose>0.7 0.8 0.9 0 1 0</pose></frame>"));
        const Model model(d);
        const VectorX<double> q = neutral_configuration(model);
        const auto seen_from = [&](const char* link, const char* frame) {
            return inverse(frame_pose(model, q, link)) * frame_pose(model, q, frame);
        };
        EXPECT_LT(norm(seen_from("b", "tip").position - Vec3<double>{0.4, 0.5, 0.6}), 1e-14);
        EXPECT_LT(norm(seen_from("a", "mark").position - Vec3<double>{0.7, 0.8, 0.9}), 1e-14);
        EXPECT_NEAR(seen_from("b", "tip").rotation.x.x, std::cos(1.0), 1e-14);
        EXPECT_NEAR(seen_from("a", "mark").rotation.x.x, std::cos(1.0), 1e-14);
    }
}

// Whether links of a model may touch is the model's word, or the link's own.
TEST_F(Sdf, ALinksWordOnTouchingCountsBeforeItsModels) {
    const auto touch = [&](const std::string& of_model, const std::string& of_a) {
        const std::string ball =
            "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>"
            "</collision>";
        const auto word = [](const std::string& x) {
            return x.empty() ? x : "<self_collide>" + x + "</self_collide>";
        };
        const Description d =
            description(in_model(word(of_model) + link_text("a", kInertial + word(of_a) + ball) +
                                 link_text("b", kInertial + ball) + joint_text("fixed")));
        const Shape &a = link(d, "a").collisions.at(0), &b = link(d, "b").collisions.at(0);
        return (a.is & b.meets) != 0 || (b.is & a.meets) != 0;
    };
    EXPECT_FALSE(touch("", ""));
    EXPECT_FALSE(touch("false", ""));
    EXPECT_TRUE(touch("true", ""));
    EXPECT_TRUE(touch("", "true"));
    EXPECT_TRUE(touch("false", "true"));
    EXPECT_FALSE(touch("false", "false"));
}

// Whatever the model says, two shapes without a common bit never touch.
TEST_F(Sdf, ShapesTouchOnlyWithABitInCommon) {
    const auto touch = [](const char* self_collide, const char* bits_of_a, const char* bits_of_b) {
        const auto ball = [](const char* bits) {
            return "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>"
                   "<surface><contact><collide_bitmask>" +
                   std::string(bits) + "</collide_bitmask></contact></surface></collision>";
        };
        const auto word = [](const char* x) {
            return "<self_collide>" + std::string(x) + "</self_collide>";
        };
        const bool both = std::string(self_collide) == "both";
        const Description d = description(
            in_model(link_text("a", kInertial + word(self_collide[0] == 'n' ? "false" : "true") +
                                        ball(bits_of_a)) +
                     link_text("b", kInertial + word(both ? "true" : "false") + ball(bits_of_b)) +
                     joint_text("fixed")));
        const Shape &a = link(d, "a").collisions.at(0), &b = link(d, "b").collisions.at(0);
        return (a.is & b.meets) != 0 || (b.is & a.meets) != 0;
    };
    for (const char* wants_to : {"one", "both"}) {
        EXPECT_TRUE(touch(wants_to, "3", "2")) << wants_to;
        EXPECT_TRUE(touch(wants_to, "65535", "32768")) << wants_to;
        EXPECT_FALSE(touch(wants_to, "1", "2")) << wants_to;
        EXPECT_FALSE(touch(wants_to, "0", "65535")) << wants_to;
    }
    EXPECT_FALSE(touch("none", "3", "2"));
}

TEST_F(Sdf, BaseIsAsAskedUnlessTheFileFixesIt) {
    const std::string loose = in_model(kLinks + joint_text("revolute", kAxis));
    EXPECT_EQ(Model(read(loose).description).nv(), 1);
    expect_finding(read(loose),
                   "no joint to the world; its base is fixed (--floating, LoadOptions");
    const Model floating(read(loose, {.base = Base::kFloating}).description);
    EXPECT_EQ(floating.nv(), 7);
    EXPECT_EQ(floating.body_name(1), "a");

    const std::string standing =
        in_model(kLinks + joint_text("fixed", "", "<parent>world</parent><child>a</child>") +
                 "<joint name='k' type='ball'><parent>a</parent><child>b</child></joint>");
    const ReadResult result = read(standing, {.base = Base::kFloating});
    EXPECT_EQ(result.description.base, Base::kFixed);
    expect_finding(result, "a joint fixes the model to the world");
    EXPECT_EQ(Model(result.description).nv(), 3);
}

TEST_F(Sdf, FixedBaseStandsWhereTheFilePutsIt) {
    const Model model(description(
        "<sdf version='1.9'><model name='m'><pose>1 0 0 0 0 0.5</pose>" +
        link_text("a", "<pose>0 2 0 0 0 0</pose>" + std::string(kInertial)) + "</model></sdf>"));
    const Pose<double> a = frame_pose(model, neutral_configuration(model), "a");
    EXPECT_LT(norm(a.position - Vec3<double>{1 - 2 * std::sin(0.5), 2 * std::cos(0.5), 0}), 1e-15);
}

TEST_F(Sdf, StaticModelIsFixed) {
    const ReadResult result =
        read(in_model("<static>true</static>" + kLinks), {.base = Base::kFloating});
    expect_finding(result, "is static");
    EXPECT_EQ(Model(result.description).nv(), 0);
}

TEST_F(Sdf, OlderVersionsAreConverted) {
    // Up to 1.6 an axis could be given in the model's frame.
    const Description d = description(
        in_model("<link name='a'/><link name='b'><pose>0 0 0 0 0 1.5707963267948966</pose></link>" +
                     joint_text("revolute",
                                "<axis><xyz>1 0 0</xyz>"
                                "<use_parent_model_frame>1</use_parent_model_frame></axis>"),
                 "1.5"));
    EXPECT_LT(norm(joint(d, "j").axis - Vec3<double>{0, -1, 0}), 1e-15);
}

TEST_F(Sdf, NothingIsAssumedInSilence) {
    expect_finding(read(in_model(link_text("a", ""))), "SDF gives it 1 kg");
    expect_finding(read(in_model(link_text("a", kInertial + std::string("<gravity>0</gravity>")))),
                   "without gravity");
    expect_finding(read(in_model(link_text("a") + "<jiont/>")),
                   "inline.sdf:3: warning: model 'm': unknown element 'jiont'");
    expect_finding(read(in_model(kLinks + joint_text("revolute",
                                                     "<axis><xyz>0 0 1</xyz><dynamics>"
                                                     "<spring_stiffness>1</spring_stiffness>"
                                                     "</dynamics></axis>"))),
                   "spring is not used");
    expect_finding(read(in_model(kLinks + joint_text("fixed"), "1.12")), "is read as 1.9");
}

TEST_F(Sdf, OfTwoAxesLimitsAreNotUsedWhichIsSaid) {
    const auto findings = [](const std::string& first, const std::string& second) {
        return messages(
            read(in_model(kLinks + joint_text("universal", "<axis><xyz>1 0 0</xyz>" + first +
                                                               "</axis><axis2><xyz>0 1 0</xyz>" +
                                                               second + "</axis2>"))));
    };
    const std::string limit = "<limit><lower>-0.8</lower></limit>";
    const std::string not_used = "note: joint 'j': has two axes; the lower and upper limits";
    EXPECT_NE(findings(limit, "").find(not_used), std::string::npos);
    EXPECT_NE(findings("", limit).find(not_used), std::string::npos);
    EXPECT_EQ(findings("", "").find("warning"), std::string::npos) << findings("", "");
    const std::string strong = "<limit><effort>3</effort></limit>";
    EXPECT_NE(findings("", strong).find("its axes differ in damping, friction, effort or velocity"),
              std::string::npos);
    EXPECT_EQ(findings(strong, strong).find("warning"), std::string::npos);
}

// --- Input that is wrong ------------------------------------------------------------------------

TEST_F(Sdf, RefusesSeveralRobots) {
    expect_error("<sdf version='1.9'>\n<model name='a'>" + kLinks + "</model><model name='b'>" +
                     kLinks + "</model></sdf>",
                 1, "model 'a', model 'b'");
    expect_error("<sdf version='1.9'>\n<world name='w'><model name='a'>" + link_text("l") +
                     "</model><model name='b'>" + link_text("l") + "</model></world></sdf>",
                 2, "holds several models ('a', 'b')");
}

class SdfIncludes : public Sdf {
protected:
    void SetUp() override {
        Sdf::SetUp();
        folder_ = std::filesystem::temp_directory_path() / "plucker_sdf_includes";
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& inside) {
        const std::string path = (folder_ / name).string();
        std::ofstream(path) << in_model(inside);
        return path;
    }
    static std::string include(const std::string& inside) {
        return "<include>" + inside + "</include>\n";
    }
    static std::string include_file(const std::string& file, const std::string& name) {
        return include("<uri>" + file + "</uri><name>" + name + "</name>");
    }
    std::string errors_of(const std::string& inside) {
        return messages(read_robot(write("robot.sdf", inside)));
    }
    std::filesystem::path folder_;
};

TEST_F(SdfIncludes, AreResolvedInIncludedFilesToo) {
    write("inner.sdf", link_text("l", "<pose>0 0 3 0 0 0</pose>" + std::string(kInertial)));
    write("outer.sdf", include_file("inner.sdf", "i"));
    const ReadResult result = read_robot(write("robot.sdf", include_file("outer.sdf", "o")));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    const Model model(result.description);
    const Pose<double> l = frame_pose(model, neutral_configuration(model), "o::i::l");
    EXPECT_EQ(l.position, (Vec3<double>{0, 0, 3}));
}

// Nested models were written flat once.
TEST_F(Sdf, NamesHaveScopesInOldVersions) {
    for (const char* version : {"1.4", "1.5", "1.6", "1.7"}) {
        const ReadResult result = read(in_model(link_text("x::y"), version));
        EXPECT_FALSE(has_errors(result.diagnostics)) << version << messages(result);
        EXPECT_NO_THROW((void)link(result.description, "x::y")) << version;
    }
    for (const char* version : {"1.8", "1.9"})
        EXPECT_TRUE(has_errors(read(in_model(link_text("x::y"), version)).diagnostics)) << version;
}

// A file may be read without its other models, but what it has is told.
TEST_F(SdfIncludes, BesideANamelessOneModelsAreKnownByName) {
    write("crate.sdf", link_text("l"));
    const std::string path = (folder_ / "world.sdf").string();
    std::ofstream(path) << "<sdf version='1.9'><world name='w'><include><uri>crate.sdf</uri>"
                           "</include><model name='two'>"
                        << link_text("l") << "</model></world></sdf>";
    LoadOptions options;
    options.model = "tow";
    EXPECT_NE(messages(read_robot(path, options)).find("unknown model 'tow'; closest: 'two'"),
              std::string::npos)
        << messages(read_robot(path, options));
}

// A link and its model may have the same name.
TEST_F(Sdf, ErrorsOfSdformatAreOfTheElementThatTheyName) {
    expect_error(
        in_model(link_text("m") + "<frame name='f' attached_to='m'>"
                                  "<pose relative_to='nothing'>0 0 0 0 0 0</pose></frame>"),
        3, "frame 'f': sdformat");
}

TEST_F(SdfIncludes, CanBeMerged) {
    write("part.sdf", link_text("l"));
    const ReadResult result =
        read_robot(write("robot.sdf", "<include merge='true'><uri>part.sdf</uri></include>"));
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_EQ(link(result.description, "l").mass.mass, 1);
}

TEST_F(SdfIncludes, RefusesWhatSdformatWouldFailOn) {
    write("part.sdf", link_text("l"));
    EXPECT_NE(errors_of(include("")).find("lacks <uri>"), std::string::npos);
    EXPECT_NE(errors_of(include("<uri/>")).find("empty <uri>"), std::string::npos);
    EXPECT_NE(errors_of(include("<uri>part.sdf</uri><name/>")).find("empty <name>"),
              std::string::npos);
    EXPECT_NE(errors_of(include("<uri>none.sdf</uri>")).find("does not exist"), std::string::npos);
    EXPECT_NE(errors_of(include("<uri>../../etc/passwd</uri>")).find("outside"), std::string::npos);
    EXPECT_NE(errors_of(include("<uri>http://example.org/a.sdf</uri>")).find("scheme"),
              std::string::npos);
    const std::string odd =
        include("<uri x='1'>part.sdf</uri><pose y='2'>0 0 0 0 0 0</pose><plugin z='3'/>");
    EXPECT_EQ(errors_of(odd).find("error"), std::string::npos) << errors_of(odd);
}

// --- The program around it ----------------------------------------------------------------------

TEST_F(Sdf, PrintsNothing) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    read(in_model(kLinks + joint_text("fixed", "", "<parent>a</parent><child>x::y</child>")));
    read(in_model(link_text("a", "<kinematic>maybe</kinematic>")));
    read_robot(data("cart.sdf"), with_models());
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Sdf, NumbersDoNotDependOnTheLocale) {
    const Description expected = read_robot(data("arm.sdf")).description;
    const CommaLocale comma;
    const ReadResult result = read_robot(data("arm.sdf"));
    EXPECT_TRUE(CommaLocale::is_in_force());
    ASSERT_FALSE(has_errors(result.diagnostics)) << messages(result);
    ASSERT_EQ(result.description.joints.size(), expected.joints.size());
    for (std::size_t k = 0; k < expected.joints.size(); ++k) {
        EXPECT_EQ(result.description.joints[k].placement, expected.joints[k].placement);
        EXPECT_EQ(result.description.joints[k].limits.upper, expected.joints[k].limits.upper);
    }
    for (std::size_t k = 0; k < expected.links.size(); ++k)
        EXPECT_EQ(result.description.links[k].mass, expected.links[k].mass);
}

}  // namespace
}  // namespace plucker::test::sdf
