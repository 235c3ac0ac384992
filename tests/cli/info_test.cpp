// What info says about joints and frames, and how far the tour goes.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tool.hpp"

namespace plucker::test {
namespace {

// A hinge with all its numbers, a follower, and a camera on a fixed joint.
constexpr const char* kRobot =
    "<robot name='r'><link name='ground'/>"
    "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
    "izz='1'/></inertial></link>"
    "<link name='finger'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
    "iyz='0' izz='1'/></inertial></link><link name='camera'/>"
    "<joint name='elbow' type='revolute'><parent link='ground'/><child link='arm'/><axis xyz='0 -3 "
    "4'/>"
    "<limit lower='-1' upper='2' velocity='3.5' effort='77'/>"
    "<dynamics damping='0.125' friction='0.25'/></joint>"
    "<joint name='grip' type='continuous'><parent link='arm'/><child link='finger'/>"
    "<mimic joint='elbow' multiplier='2'/></joint>"
    "<joint name='mount' type='fixed'><parent link='arm'/><child link='camera'/></joint></robot>";

const json& named(const json& list, const std::string& name) {
    for (const json& entry : list) {
        if (entry["name"] == name) return entry;
    }
    ADD_FAILURE() << name << " is not in " << list;
    return list;
}

TEST(InfoJson, SaysWhereCoordinatesAndFramesAre) {
    const TemporaryFile file("info.urdf", kRobot);
    const json info = json::parse(run("info --json --floating " + file.path()).output);
    const json& elbow = named(info["joints"], "elbow");
    EXPECT_EQ(elbow["q_index"], 7);
    EXPECT_EQ(elbow["v_index"], 6);
    EXPECT_EQ(elbow["nv"], 1);
    EXPECT_EQ(elbow["velocity_limit"], 3.5);
    EXPECT_EQ(elbow["effort_limit"], 77);
    EXPECT_EQ(elbow["damping"], 0.125);
    EXPECT_EQ(elbow["friction"], 0.25);
    for (const char* joint : {"grip", "mount"}) {  // no coordinates of their own
        EXPECT_TRUE(named(info["joints"], joint)["q_index"].is_null()) << joint;
        EXPECT_EQ(named(info["joints"], joint)["nv"], 0) << joint;
    }
    EXPECT_TRUE(named(info["frames"], "ground")["parent"].is_null());
    EXPECT_EQ(named(info["frames"], "finger")["parent"], "arm");
    EXPECT_EQ(named(info["frames"], "finger")["body"], "finger");
    // A link on a fixed joint moves with the body that carries it.
    EXPECT_EQ(named(info["frames"], "camera")["parent"], "arm");
    EXPECT_EQ(named(info["frames"], "camera")["body"], "arm");
}

TEST(InfoJson, CountsEveryCoordinateOnce) {
    for (const std::string& model :
         {std::string("builtin:humanoid"), reference("walker.urdf") + " --floating",
          reference("arm7.urdf"), std::string("'builtin:tree(30,2)'")}) {
        const json info = json::parse(run("info --json " + model).output);
        std::vector<int> q(info["nq"].get<std::size_t>()), v(info["nv"].get<std::size_t>());
        const auto count = [](std::vector<int>& taken, int at, int n) {
            for (int k = at; k < at + n; ++k) ++taken.at(static_cast<std::size_t>(k));
        };
        for (const json& joint : info["joints"]) {
            if (joint["q_index"].is_null()) continue;
            count(q, joint["q_index"], joint["nq"]);
            count(v, joint["v_index"], joint["nv"]);
        }
        EXPECT_EQ(q, std::vector<int>(q.size(), 1)) << model;
        EXPECT_EQ(v, std::vector<int>(v.size(), 1)) << model;
        // Names begin with those of the joints, the base's among them, in the same order.
        for (const auto& [names, size] :
             {std::pair{"configuration_order", "nq"}, {"velocity_order", "nv"}}) {
            std::size_t at = 0;
            EXPECT_EQ(info[names].size(), info[size].get<std::size_t>());
            for (const json& joint : info["joints"]) {
                for (int k = 0; k < joint[size]; ++k)
                    EXPECT_EQ(info[names][at++].get<std::string>().rfind(joint["name"], 0), 0U);
            }
        }
    }
}

// A matrix of a hundred thousand coordinates would have 80 GB: nothing that info says needs one.
TEST(Info, TellsOfRobotsTooLargeForTheirMatrices) {
    const Outcome outcome = run("info 'builtin:chain(100000)' | sed -n '1,2p; $p'");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.output.find("\nmoving mass 10000 kg, centre ("), std::string::npos)
        << outcome.output;
    EXPECT_NE(outcome.output.find("tip on link100000"), std::string::npos) << outcome.output;
}

TEST(InfoJson, GivesAxesTheirLength) {
    const TemporaryFile file(
        "axis.urdf",
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent "
        "link='a'/><child link='b'/><axis xyz='0 -4 0'/></joint></robot>");
    const json info = json::parse(run("info --json " + file.path()).output);
    EXPECT_EQ(info["joints"][0]["axis"], json({0.0, -1.0, 0.0}));
}

// All that positions depend on: each number of a joint that moves a link is in the JSON, and what no other type has in the
// drawing too.
TEST(InfoJson, HasAllThatDeterminesTheKinematics) {
    const TemporaryFile file(
        "screw.sdf",
        "<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/><link name='c'/>"
        "<joint name='w' type='fixed'><parent>world</parent><child>a</child></joint>"
        "<joint name='s' type='screw'><pose>1 2 0 0 0 0</pose><parent>a</parent><child>b</child>"
        "<screw_thread_pitch>0.5</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>"
        "<joint name='u' type='universal'><parent>b</parent><child>c</child>"
        "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint></model></sdf>");
    const json info = json::parse(run("info --json --lenient " + file.path()).output);
    const json& screw = named(info["joints"], "s");
    EXPECT_NEAR(screw["pitch"], 0.5 / (2 * std::acos(-1.0)), 1e-15);  // of a turn, in the file
    EXPECT_EQ(screw["placement"]["position"], json({1.0, 2.0, 0.0}));
    EXPECT_EQ(screw["placement"]["rotation"],
              json({{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}));
    EXPECT_FALSE(screw.contains("second_axis"));
    const json& universal = named(info["joints"], "u");
    EXPECT_EQ(universal["axis"], json({1.0, 0.0, 0.0}));
    EXPECT_EQ(universal["second_axis"], json({0.0, 0.0, 1.0}));
    EXPECT_FALSE(universal.contains("pitch"));
    const std::string text = run("info --lenient " + file.path()).output;
    EXPECT_NE(text.find("s: helical (0 0 1) 0.07958 m/rad\n"), std::string::npos) << text;
    EXPECT_NE(text.find("u: universal (1 0 0) (0 0 1)\n"), std::string::npos) << text;
}

TEST(InfoJson, ListsTheJointOnWhichTheBaseFloats) {
    const TemporaryFile file("float.xml",
                             "<mujoco><worldbody><body name='box'><freejoint name='root'/><geom "
                             "size='.1'/></body></worldbody></mujoco>");
    const json info = json::parse(run("info --json " + file.path()).output);
    const json& root = named(info["joints"], "root");
    EXPECT_EQ(root["type"], "floating");
    EXPECT_EQ(root["parent"], "world");
    EXPECT_EQ(root["child"], "box");
    EXPECT_EQ(root["nq"], 7);
    EXPECT_EQ(info["configuration_order"][0], "root.position.x");
    EXPECT_EQ(info["velocity_order"][3], "root.linear.x");
}

TEST(InfoText, ShowsLimitsAndFriction) {
    const TemporaryFile file("info_text.urdf", kRobot);
    const std::string text = run("info " + file.path()).output;
    for (const char* line :
         {"  joint  type            q     v  velocity    effort   damping  friction  armature\n",
          "  elbow  revolute        0     0       3.5        77     0.125      0.25         .\n",
          "  grip   revolute        .     .         .         .         .         .         .\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << text;
    }
    EXPECT_EQ(text.find("\n  mount "), std::string::npos) << "fixed joints have no numbers";
    for (const char* empty : {"Postures", "Frames", "Constraints"})
        EXPECT_EQ(text.find(std::string("\n") + empty), std::string::npos) << "there are none";
    EXPECT_NE(text.find("elbow: revolute (0 -0.6 0.8) [-1, 2]\n"), std::string::npos) << text;
}

// Columns stand below each other whatever letters a name has, of one byte or several.
TEST(InfoText, CountsLettersNotBytes) {
    for (const std::string name : {"knie", "Knöchel", "колено", "e\u0301paule"}) {
        const TemporaryFile file("letters.urdf",
                                 "<robot name='r'><link name='a'/><link name='b'/>"
                                 "<joint name='" +
                                     name +
                                     "' type='continuous'><parent link='a'/>"
                                     "<child link='b'/></joint></robot>");
        const std::string text = run("info " + file.path()).output;
        const std::size_t at = text.find("\n  " + name + " ");
        ASSERT_NE(at, std::string::npos) << text;
        std::size_t letters = 0;  // of the name that are shown in a place of their own
        for (const char c : name)
            letters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
        if (name.find("\u0301") != std::string::npos) --letters;
        const std::size_t width = std::max<std::size_t>(letters, 5);
        EXPECT_EQ(text.find("revolute", at + 1) - at - 1, 2 + name.size() + width - letters + 2)
            << text;
    }
}

// The table says of each joint what programs are told: where its coordinates start in q, and where in v.
TEST(InfoText, SaysWhereCoordinatesStart) {
    for (const std::string& model :
         {std::string("builtin:quadruped"), std::string("'builtin:tree(9,4)'")}) {
        const std::string text = run("info " + model).output;
        bool are_apart = false;
        const json info = json::parse(run("info --json " + model).output);
        for (const json& joint : info["joints"]) {
            if (joint["q_index"].is_null()) continue;
            const std::string name = joint["name"];
            const std::size_t at = text.find("\n  " + name + " ");
            ASSERT_NE(at, std::string::npos) << name << text;
            std::istringstream line(text.substr(at));
            std::string called, type;
            int q = -1, v = -1;
            line >> called >> type >> q >> v;
            EXPECT_EQ(called, name);
            EXPECT_EQ(type, joint["type"]);
            EXPECT_EQ(q, joint["q_index"]) << name;
            EXPECT_EQ(v, joint["v_index"]) << name;
            are_apart = are_apart || q != v;
        }
        EXPECT_TRUE(are_apart) << "this robot would not notice one for the other";
    }
}

// Lines lead from each link to its own, and end at the last.
TEST(InfoText, DrawsTheTree) {
    std::string robot = "<robot name='r'><link name='ground'/>";
    for (const auto& [link, parent] : {std::pair("a", "ground"),
                                       {"a1", "a"},
                                       {"a11", "a1"},
                                       {"a2", "a"},
                                       {"b", "ground"},
                                       {"b1", "b"}}) {
        robot += std::string("<link name='") + link + "'/><joint name='to_" + link +
                 "' type='fixed'><parent link='" + parent + "'/><child link='" + link +
                 "'/></joint>";
    }
    const TemporaryFile file("tree.urdf", robot + "</robot>");
    const std::string text = run("info " + file.path()).output;
    EXPECT_NE(text.find("ground  fixed base\n"
                        "├─ a  to_a: fixed\n"
                        "│  ├─ a1  to_a1: fixed\n"
                        "│  │  └─ a11  to_a11: fixed\n"
                        "│  └─ a2  to_a2: fixed\n"
                        "└─ b  to_b: fixed\n"
                        "   └─ b1  to_b1: fixed\n"),
              std::string::npos)
        << text;
}

// The numbers of the tour belong to one state: M a + C v + G = τ and M M⁻¹ = 1, as far as their digits go.
TEST(Tour, ShowsNumbersThatBelongTogether) {
    const std::string text = run("tour builtin:double_pendulum").output;
    const auto under = [&](const std::string& heading) {
        std::istringstream lines(text.substr(text.find("\n" + heading)));
        std::string line, name, number;
        std::getline(lines, line);
        std::getline(lines, line);
        std::vector<std::vector<double>> out;
        while (std::getline(lines, line) && !line.empty()) {
            std::istringstream row(line);
            row >> name;
            for (out.emplace_back(); row >> number;)
                out.back().push_back(number == "." ? 0 : std::stod(number));
        }
        return out;
    };
    const auto M = under("Mass matrix M"), C = under("Coriolis matrix C"),
               G = under("Gravity torque"), inverse = under("Inverse mass matrix"),
               motion = under("Motion"), dynamics = under("Inverse dynamics");
    for (std::size_t r = 0; r < 2; ++r) {
        double torque = G.at(r).at(0), product[2] = {0, 0};
        for (std::size_t c = 0; c < 2; ++c) {
            torque += M.at(r).at(c) * motion.at(c).at(1) + C.at(r).at(c) * motion.at(c).at(0);
            for (std::size_t k = 0; k < 2; ++k) product[k] += M[r][c] * inverse.at(c).at(k);
        }
        EXPECT_NEAR(torque, dynamics.at(r).at(0), 0.01);
        EXPECT_NEAR(motion[r][1], dynamics[r].at(1), 1e-3);
        for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(product[k], r == k ? 1 : 0, 0.01);
    }
}

TEST(Tour, EndsForARobotOfAnySize) {
    // Deeper than lines are wide, larger than matrices can be, and the sizes in between.
    for (const char* robot :
         {"chain(30)", "chain(61)", "tree(350,1)", "chain(1200)", "chain(5000)"}) {
        const Outcome tour = run("tour 'builtin:" + std::string(robot) + "'");
        EXPECT_EQ(tour.code, 0) << robot;
        EXPECT_NE(tour.output.find("Centre of mass"), std::string::npos) << robot;
        EXPECT_LT(tour.output.size(), 100000U) << robot;
        std::size_t longest = 0;
        for (std::size_t at = 0; at < tour.output.size();) {
            const std::size_t end = tour.output.find('\n', at);
            longest = std::max(longest, end - at);
            at = end + 1;
        }
        EXPECT_LT(longest, 600U) << robot;
    }
    const std::string whole = run("tour 'builtin:chain(30)'").output;
    EXPECT_EQ(whole.find("…"), std::string::npos);
    EXPECT_EQ(whole.find("Left out"), std::string::npos);
    const std::string cut = run("tour 'builtin:chain(5000)'").output;
    for (const char* part :
         {"… and 4940 more bodies", "… and 4940 more joints", "… the first 12×2 of 5000×2",
          "5000 degrees of freedom: the matrices M, C and M⁻¹, and the identities"}) {
        EXPECT_NE(cut.find(part), std::string::npos) << part;
    }
}

// A link that moves and weighs nothing: M has no inverse, and everything else is shown.
TEST(Tour, LeavesOutWhatTheRobotDoesNotHave) {
    const auto robot = [](const std::string& mass) {
        return "<robot name='r'><link name='base'/><link name='arm'>" + mass +
               "</link><joint name='hinge' type='continuous'><parent link='base'/><child "
               "link='arm'/><axis xyz='0 0 1'/></joint></robot>";
    };
    const std::string negative =
        "<inertial><mass value='1'/><inertia ixx='-1' ixy='0' ixz='0' iyy='-1' iyz='0' izz='-1'/>"
        "</inertial>";
    for (const auto& [mass, why] :
         {std::pair(std::string(), "M is singular, joint 'hinge' moves no inertia"),
          std::pair(negative, "M is not positive definite")}) {
        const TemporaryFile file("r.urdf", robot(mass));
        const Outcome outcome = run("tour " + file.path() + " 2> /dev/null");
        EXPECT_LE(outcome.code, 1) << outcome.output;  // a law may fail
        EXPECT_EQ(outcome.output.find("Inverse mass matrix"), std::string::npos);
        EXPECT_EQ(outcome.output.find("Centre of mass") == std::string::npos, mass.empty());
        for (const std::string& part :
             {std::string("Frames"), std::string("Inverse dynamics: τ for these accelerations\n"),
              std::string("Identities"),
              std::string("Left out\n  the inverse mass matrix and forward dynamics: ") + why})
            EXPECT_NE(outcome.output.find(part), std::string::npos) << part << outcome.output;
    }
}

TEST(Tour, RefusesARobotThatCannotMove) {
    const TemporaryFile rigid("rigid_tour.urdf", "<robot name='r'><link name='a'/></robot>");
    const Outcome tour = run("tour " + rigid.path() + " 2>&1");
    EXPECT_EQ(tour.code, 2);
    EXPECT_EQ(tour.output.find("plucker: tour: robot 'r' has no joint that moves"), 0U)
        << tour.output;
}

}  // namespace
}  // namespace plucker::test
