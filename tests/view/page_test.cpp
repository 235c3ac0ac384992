// The page as text: what is in it, and that no name in it ends the place where it stands. That it works in a browser is
// checked by viewer/test.
#include "plucker/view/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "plucker/laws/laws.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

using nlohmann::json;

// Between the first `begin` and the next `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t from = text.find(begin);
    if (from == std::string::npos) return "";
    const std::size_t at = from + begin.size();
    return text.substr(at, text.find(end, at) - at);
}

json data_of(const std::string& page) {
    return json::parse(
        between(page, R"(<script type="application/json" id="robot">)", "</script>"));
}

// The numbers that a reference in the data stands for.
std::string decoded(const std::string& page) {
    std::string digits;
    const std::string mark = R"(<script type="text/plain" class="numbers">)";
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
        const std::size_t begin = at + mark.size();
        digits += page.substr(begin, page.find('<', begin) - begin);
    }
    const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned bits = 0;
    int count = 0;
    for (const char c : digits) {
        if (c == '=') break;
        bits = bits << 6U | static_cast<unsigned>(alphabet.find(c));
        count += 6;
        if (count >= 8) {
            count -= 8;
            out += static_cast<char>(bits >> static_cast<unsigned>(count) & 255U);
        }
    }
    return out;
}

template <class Number>
std::vector<Number> array_in(const std::string& bytes, const json& reference) {
    std::vector<Number> out(reference.at("count").get<std::size_t>());
    std::memcpy(out.data(), bytes.data() + reference.at("at").get<std::size_t>(),
                out.size() * sizeof(Number));
    return out;
}

class Page : public ::testing::Test {
protected:
    // The page can be left out of a build, where there is no node; ./test has one.
    void SetUp() override {
        std::string why;
        if (!has_viewer(&why)) GTEST_SKIP() << why;
    }
};

TEST_F(Page, HasTheRobotAsData) {
    const Model model = robots::by_name("quadruped");
    const json data = data_of(html_page(model));
    const json& robot = data.at("robot");
    EXPECT_EQ(robot.at("name"), "quadruped");
    EXPECT_NEAR(robot.at("mass"), model.total_mass(), 1e-12);
    ASSERT_EQ(robot.at("bodies").size(), static_cast<std::size_t>(model.num_bodies() + 1));
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const json& body = robot.at("bodies").at(static_cast<std::size_t>(i));
        EXPECT_EQ(body.at("name"), model.body_name(i));
        EXPECT_EQ(body.at("parent"), model.body(i).parent);
        EXPECT_EQ(body.at("joint").at("name"), model.joint(i).name);
    }
    EXPECT_EQ(robot.at("bodies").at(0).at("name"), "world");
}

TEST_F(Page, TakesAxesAndMassesToTheLinksFrames) {
    // About y, where the library's own frame of the body has its z.
    Builder builder("arm");
    builder.link("base").body("base", revolute("hinge", {0, 2, 0}), "rod",
                              MassProperties::box(2, {0.1, 0.2, 0.6}, {0, 0, 0.3}));
    const json body = data_of(html_page(builder.build())).at("robot").at("bodies").at(1);
    const json& axis = body.at("joint").at("axes").at(0);
    EXPECT_NEAR(axis.at(0), 0, 1e-12);
    EXPECT_NEAR(axis.at(1), 1, 1e-12);
    EXPECT_NEAR(axis.at(2), 0, 1e-12);
    EXPECT_NEAR(body.at("center").at(2), 0.3, 1e-12);
    // A box of sides a has the inertia of an ellipsoid of radii a √(5/12).
    std::vector<double> radii = body.at("ellipsoid").at("radii");
    std::sort(radii.begin(), radii.end());
    for (const auto& [radius, side] : {std::pair{radii[0], 0.1}, {radii[1], 0.2}, {radii[2], 0.6}})
        EXPECT_NEAR(radius, side * std::sqrt(5.0 / 12), 1e-12);
}

TEST_F(Page, HasTheAxesOfEveryTypeOfJoint) {
    for (const std::string& name : joint_model_names()) {
        SCOPED_TRACE(name);
        const Model model = joint_model(name);
        const json bodies = data_of(html_page(model)).at("robot").at("bodies");
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const JointDescription& joint = model.joint(i);
            const json& axes = bodies.at(static_cast<std::size_t>(i)).at("joint").at("axes");
            const std::vector<Vec3<double>> described{joint.axis, joint.second_axis};
            ASSERT_EQ(axes.size(), static_cast<std::size_t>(number_of_axes(joint.type)));
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const Vec3<double> along = (1 / norm(described[k])) * described[k];
                EXPECT_NEAR(axes[k].at(0), along.x, 1e-12);
                EXPECT_NEAR(axes[k].at(1), along.y, 1e-12);
                EXPECT_NEAR(axes[k].at(2), along.z, 1e-12);
            }
        }
    }
}

TEST_F(Page, HasThePosesOfEachInstant) {
    const Model model = robots::by_name("arm");
    Recording recording;
    for (int k = 0; k < 3; ++k) {
        RecordedInstant instant;
        instant.time = 0.5 * k;
        instant.q = VectorX<double>::Constant(model.nq(), 0.2 * k);
        instant.v = VectorX<double>::Constant(model.nv(), 0.4);
        recording.instants.push_back(instant);
    }
    const std::string page = html_page(model, {{"run", &recording}});
    const json motion = data_of(page).at("motions").at(0);
    const std::string numbers = decoded(page);
    EXPECT_EQ(motion.at("name"), "run");
    EXPECT_EQ(array_in<double>(numbers, motion.at("times")), (std::vector<double>{0, 0.5, 1}));
    const std::vector<float> poses = array_in<float>(numbers, motion.at("poses"));
    ASSERT_EQ(poses.size(), static_cast<std::size_t>(3 * 7 * model.num_bodies()));
    for (int k = 0; k < 3; ++k) {
        const VectorX<double>& q = recording.instants[static_cast<std::size_t>(k)].q;
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Vec3<double> expected = frame_pose(model, q, model.body_frame(i)).position;
            const float* got = poses.data() + 7 * (model.num_bodies() * k + i - 1);
            EXPECT_NEAR(got[0], expected.x, 1e-6);
            EXPECT_NEAR(got[1], expected.y, 1e-6);
            EXPECT_NEAR(got[2], expected.z, 1e-6);
        }
    }
    // Energies that were not recorded are computed.
    for (const json& series : motion.at("series")) {
        if (series.at("group") != "energy" || series.at("name") != "kinetic") continue;
        const std::vector<float> kinetic = array_in<float>(numbers, series.at("values"));
        for (int k = 0; k < 3; ++k) {
            const RecordedInstant& at = recording.instants[static_cast<std::size_t>(k)];
            EXPECT_NEAR(kinetic[static_cast<std::size_t>(k)], kinetic_energy(model, at.q, at.v),
                        1e-5);
        }
        return;
    }
    FAIL() << "there is no kinetic energy";
}

// A robot with a joint of most types, and what it did in three instants.
Model many_joints() {
    const auto odd = [](double x) {
        return MassProperties::box(1 + x, {0.1, 0.2, 0.3}, {x, 0.1, -0.2});
    };
    return Builder("joints")
        .base(Base::kFloating)
        .link("trunk", odd(1))
        .body("trunk", revolute("hinge", {0, 1, 0}).at(0.1, 0, 0), "arm", odd(0.3))
        .body("arm", fixed("bolt").at(Pose<double>::roll_pitch_yaw({0, 0.2, 0}, {0.3, 0.4, 0.5})),
              "hand", odd(0.1))
        .body("trunk", planar("puck", {1, 0, 0}).at(0, 0.1, 0), "plate", odd(0.2))
        .body("trunk", spherical("ball").at(0, 0, 0.1), "head", odd(0.4))
        .body("trunk", cylindrical("piston", {0, 1, 1}), "rod", odd(0.5))
        .frame("grip", "hand", Pose<double>::roll_pitch_yaw({0.1, 0, 0.3}, {-0.3, 1, 0.2}))
        .build();
}
Recording motion_of(const Model& model) {
    std::mt19937 generator(5);
    Recording out;
    for (int k = 0; k < 3; ++k) {
        const laws::State<double> s = laws::random_state(model, generator);
        RecordedInstant& instant = out.instants.emplace_back();
        instant.time = 0.5 * k;
        instant.q = s.q;
        instant.v = s.v;
        instant.tau = s.tau;
    }
    return out;
}

// Beside the library's own functions: names, units and numbers.
TEST_F(Page, HasCurvesOfAllThatIsKnown) {
    const Model model = many_joints();
    for (const bool has_energy : {false, true}) {
        Recording recording = motion_of(model);
        for (RecordedInstant& instant : recording.instants) {
            if (has_energy) instant.energy = {7 + instant.time, -3 * instant.time};
            instant.residual = 1e-9 * instant.time;
        }
        const std::string page = html_page(model, {{"run", &recording}});
        const std::string numbers = decoded(page);
        std::map<std::string, std::pair<std::string, std::vector<float>>> curves;
        const json data = data_of(page);
        for (const json& series : data.at("motions").at(0).at("series")) {
            const std::string name =
                series.at("group").get<std::string>() + "." + series.at("name").get<std::string>();
            EXPECT_FALSE(curves.contains(name)) << name;
            curves[name] = {series.at("unit"), array_in<float>(numbers, series.at("values"))};
        }
        std::size_t checked = 0;
        const auto expect = [&](const std::string& name, const std::string& unit, std::size_t k,
                                double value) {
            ASSERT_TRUE(curves.contains(name)) << name;
            EXPECT_EQ(curves[name].first, unit) << name;
            ASSERT_EQ(curves[name].second.size(), 3U) << name;
            EXPECT_NEAR(curves[name].second[k], value, 1e-6 * (1 + std::abs(value))) << name;
            checked += k == 0 ? 1 : 0;
        };
        for (std::size_t k = 0; k < 3; ++k) {
            const RecordedInstant& at = recording.instants[k];
            const Coordinates coordinates(model, Convention::kPlucker);
            for (int c = 0; c < model.nq(); ++c) {
                const std::string& name = coordinates.q_names()[static_cast<std::size_t>(c)];
                // Their units are looked at below.
                expect("positions." + name, curves["positions." + name].first, k, at.q[c]);
            }
            for (int c = 0; c < model.nv(); ++c) {
                const std::string& name = model.velocity_names()[static_cast<std::size_t>(c)];
                const Body<double>& body = model.body(model.joint_of_coordinate(c));
                const bool turns = c - body.v_index < number_of_turns(body.joint);
                expect("velocities." + name, turns ? "rad/s" : "m/s", k, at.v[c]);
                expect("torques." + name, turns ? "N m" : "N", k, at.tau[c]);
            }
            const double kinetic =
                             has_energy ? at.energy->kinetic : kinetic_energy(model, at.q, at.v),
                         potential =
                             has_energy ? at.energy->potential : potential_energy(model, at.q);
            expect("energy.kinetic", "J", k, kinetic);
            expect("energy.potential", "J", k, potential);
            expect("energy.total", "J", k, kinetic + potential);
            const Force<double> h = centroidal_momentum(model, at.q, at.v);
            const Vector3<double> center = center_of_mass(model, at.q);
            const double linear[] = {h.linear.x, h.linear.y, h.linear.z},
                         angular[] = {h.angular.x, h.angular.y, h.angular.z};
            for (std::size_t i = 0; i < 3; ++i) {
                const std::string axis(1, "xyz"[i]);
                expect("momentum.linear " + axis, "kg m/s", k, linear[i]);
                expect("momentum.angular " + axis, "kg m²/s", k, angular[i]);
                expect("centre of mass." + axis, "m", k, center[static_cast<long>(i)]);
            }
            expect("residual.residual", "m/s", k, *at.residual);
        }
        EXPECT_EQ(checked, curves.size()) << "a curve that nothing is compared with";
    }
}

// Links and frames, wherever their bodies are: the body's pose, and theirs on it.
TEST_F(Page, PutsLinksAndFramesWhereTheyAre) {
    const Model model = many_joints();
    const Recording recording = motion_of(model);
    const std::string page = html_page(model, {{"run", &recording}});
    const json data = data_of(page);
    const std::vector<float> poses =
        array_in<float>(decoded(page), data.at("motions").at(0).at("poses"));
    const auto pose = [](const auto& x) {
        const Quaternion<double> q{x[3], x[4], x[5], x[6]};
        return Pose<double>{transpose(coordinate_rotation(q)), {x[0], x[1], x[2]}};
    };
    std::size_t compared = 0;
    for (const char* kind : {"links", "frames"}) {
        for (const json& placed : data.at("robot").at(kind)) {
            const std::string name = placed.at("name");
            const std::vector<double> on_body = placed.at("pose");
            for (std::size_t k = 0; k < 3; ++k) {
                const float* body =
                    poses.data() + 7 * (static_cast<std::size_t>(model.num_bodies()) * k +
                                        placed.at("body").get<std::size_t>() - 1);
                const Pose<double> shown = pose(body) * pose(on_body),
                                   expected = frame_pose(model, recording.instants[k].q, name);
                EXPECT_LE(norm(shown.position - expected.position), 1e-6) << name;
                EXPECT_LE((to_eigen(shown.rotation) - to_eigen(expected.rotation)).norm(), 1e-6)
                    << name;
                ++compared;
            }
        }
    }
    EXPECT_EQ(compared, 3 * model.frames().size());
}

// Its own where the recording says so, otherwise the ground's; -1, and no cone, where nobody knows.
TEST_F(Page, KnowsTheFrictionOfContacts) {
    const Model model = robots::by_name("quadruped");
    for (const bool has_ground : {true, false}) {
        Recording recording;
        if (has_ground) recording.header.ground = Surface{.friction = 0.625};
        RecordedInstant& instant = recording.instants.emplace_back();
        instant.q = neutral_configuration(model);
        for (const std::optional<double> own : {std::optional(0.25), std::optional<double>()}) {
            RecordedContact& contact = instant.contacts.emplace_back();
            contact.link = "trunk";
            contact.position = {1, 2, 3};
            contact.normal = {0, 0, 1};
            contact.force = {0, 0, 5};
            contact.friction = own;
        }
        const std::string page = html_page(model, {{"run", &recording}});
        const json contacts = data_of(page).at("motions").at(0).at("contacts");
        EXPECT_EQ(array_in<float>(decoded(page), contacts.at("numbers")),
                  (std::vector<float>{1, 2, 3, 0, 0, 1, 0, 0, 5, 0.25F,  //
                                      1, 2, 3, 0, 0, 1, 0, 0, 5, has_ground ? 0.625F : -1.0F}));
    }
}

TEST_F(Page, MovesEachJointWithinItsLimits) {
    const Model model = robots::by_name("humanoid");
    const std::string page = html_page(model);
    const json motion = data_of(page).at("motions").at(0);
    const std::string numbers = decoded(page);
    int moving = 0;
    for (const json& series : motion.at("series")) {
        if (series.at("group") != "positions") continue;
        const std::vector<float> values = array_in<float>(numbers, series.at("values"));
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        moving += *high - *low > 0.1F ? 1 : 0;
        if (series.contains("lower")) {
            EXPECT_GE(*low, series.at("lower").get<float>() - 1e-5F) << series.at("name");
        }
        if (series.contains("upper")) {
            EXPECT_LE(*high, series.at("upper").get<float>() + 1e-5F) << series.at("name");
        }
    }
    EXPECT_EQ(moving, 30);
}

TEST_F(Page, PositionsHaveTheirUnits) {
    const MassProperties mass = MassProperties::box(1, {1, 1, 1});
    Builder builder("joints");
    builder.link("base", mass).base(Base::kFloating);
    builder.body("base", prismatic("slide", {0, 0, 1}), "a", mass);
    builder.body("base", cylindrical("piston", {0, 0, 1}), "b", mass);
    builder.body("base", universal("cross", {1, 0, 0}, {0, 1, 0}), "c", mass);
    builder.body("base", planar("puck", {0, 0, 1}), "d", mass);
    const json motion = data_of(html_page(builder.build())).at("motions").at(0);
    std::string units;
    for (const json& series : motion.at("series")) {
        if (series.at("group") == "positions") units += series.at("unit").get<std::string>() + ",";
    }
    EXPECT_EQ(units, "m,m,m,,,,,m,rad,m,rad,rad,m,m,rad,");
}

TEST_F(Page, KeepsNamesWithinTheirPlace) {
    const std::string hostile =
        "</script><script>alert(1)</script><!--<script>\xE2\x80\xA8 \xFF \"'&";
    Builder builder(hostile);
    builder.link("base").body("base", revolute(hostile + " joint", {0, 0, 1}), hostile,
                              MassProperties::box(1, {1, 1, 1}));
    const Model model = builder.build();
    Recording recording;
    recording.instants.resize(1);
    recording.instants[0].q = neutral_configuration(model);
    const std::string empty = html_page(robots::by_name("pendulum"));
    const std::string page = html_page(model, {{hostile, &recording}}, {.title = hostile});
    const auto count = [](const std::string& text, const std::string& what) {
        int n = 0;
        for (std::size_t at = text.find(what); at != std::string::npos;
             at = text.find(what, at + 1))
            ++n;
        return n;
    };
    for (const char* mark : {"<script", "</script", "<!--", "alert(1)</"})
        EXPECT_EQ(count(page, mark), count(empty, mark)) << mark;
    // What was no UTF-8 is shown as such; all else is there as it was.
    std::string shown = hostile;
    shown.replace(shown.find('\xFF'), 1, "\xEF\xBF\xBD");
    EXPECT_EQ(data_of(page).at("robot").at("name"), shown);
    EXPECT_EQ(data_of(page).at("title"), shown);
}

TEST_F(Page, SaysWhichMeshIsMissing) {
    Builder builder("meshes");
    Description description =
        builder.link("base")
            .body("base", revolute("hinge", {0, 0, 1}), "arm", MassProperties::box(1, {1, 1, 1}))
            .build()
            .description();
    description.links[1].visuals.push_back({"", {}, Mesh{"package://lost/arm.stl", "", {1, 1, 1}}});
    description.links[1].visuals.push_back(
        {"", {}, Mesh{"here.stl", "/nowhere/here.stl", {1, 1, 1}}});
    std::vector<Diagnostic> found;
    const json data = data_of(html_page(Model(description), {}, {}, &found));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].severity, Severity::kWarning);
    EXPECT_NE(found[0].message.find("link 'arm': mesh package://lost/arm.stl was not found"),
              std::string::npos)
        << found[0].message;
    EXPECT_NE(found[1].message.find("/nowhere/here.stl"), std::string::npos) << found[1].message;
    EXPECT_TRUE(data.at("robot").at("meshes").empty());
}

TEST_F(Page, RefusesARecordingWithoutInstants) {
    const Recording nothing;
    EXPECT_EQ(message([&] {
                  html_page(robots::by_name("pendulum"), {{"run", &nothing}});
              }),
              "recording 'run' has no instant to show");
}

TEST_F(Page, ShowsRobotsThatDoNotMoveAndThatWeighNothing) {
    Builder still("still");
    still.link("base");
    EXPECT_EQ(data_of(html_page(still.build())).at("motions").at(0).at("times").at("count"), 1);
    Builder light("light");
    light.link("base").body("base", revolute("hinge", {0, 0, 1}), "arm");
    EXPECT_EQ(data_of(html_page(light.build())).at("robot").at("mass"), 0.0);
}

}  // namespace
}  // namespace plucker::test
