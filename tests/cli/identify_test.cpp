// plucker excite and plucker identify: from a robot file to a motion, from a log to a robot file.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tool.hpp"

namespace plucker::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The pendulum with another mass, in the tool's own words: what its file would be, and a log of the real one.
class IdentifyCommand : public testing::Test {
protected:
    static std::string pendulum(double mass) {
        std::ostringstream out;
        out << "<robot name='swing'><link name='ground'/><link name='bob'><inertial><origin xyz='0 "
               "0 -0.5'/><mass value='"
            << mass
            << "'/><inertia ixx='0.02' ixy='0' ixz='0' iyy='0.02' iyz='0' "
               "izz='0.02'/></inertial></link>"
            << "<joint name='hinge' type='revolute'><parent link='ground'/><child "
               "link='bob'/><axis xyz='0 1 0'/>"
            << "<limit lower='-2' upper='2' velocity='4' effort='100'/></joint></robot>";
        return out.str();
    }
    // The motion comes from excite, its torques from eval.
    std::string log_of(const std::string& robot) const {
        const std::string motion =
            run("excite " + file_.path() + " --duration 5 --trials 20 2> /dev/null").output;
        const TemporaryFile csv("motion.csv", motion);
        return run("eval " + robot + " --state " + csv.path() +
                   " --quantity inverse_dynamics --output-format csv")
            .output;
    }
    // eval's answer is in columns of its own: they become the measured torques.
    static std::string with_torques(const std::string& answer) {
        std::istringstream lines(answer);
        std::string line, out = "time,q.hinge,v.hinge,a.hinge,tau.hinge\n";
        std::getline(lines, line);
        EXPECT_EQ(line, "time,q.hinge,v.hinge,a.hinge,tau.hinge,inverse_dynamics.hinge");
        while (std::getline(lines, line)) {
            std::vector<std::string> fields;
            std::istringstream row(line);
            for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
            out += fields[0] + "," + fields[1] + "," + fields[2] + "," + fields[3] + "," +
                   fields[5] + "\n";
        }
        return out;
    }

    TemporaryFile file_{"swing.urdf", pendulum(1)}, real_{"real.urdf", pendulum(1.5)};
    TemporaryFile log_{"log.csv", with_torques(log_of(real_.path()))};
};

TEST_F(IdentifyCommand, WritesTheRobotThatWasMeasured) {
    const TemporaryFile found("found.urdf", ""), plot("torques.svg", "");
    const Outcome outcome =
        run("identify " + file_.path() + " --log " + log_.path() + " --validate " + log_.path() +
            " --output " + found.path() + " --plot " + plot.path());
    EXPECT_EQ(outcome.code, 0);
    for (const char* said : {"swing: ", "condition number", "bob.m", "hinge.friction",
                             "The same on the second log", "identified robot"})
        EXPECT_TRUE(contains(outcome.output, said)) << said << "\n" << outcome.output;
    // Each link's mass stands under its heading, and nothing else.
    std::istringstream lines(outcome.output.substr(outcome.output.find("\nMasses, from the file")));
    std::vector<std::string> listed;
    for (std::string line; std::getline(lines, line) && (listed.size() < 2 || !line.empty());)
        if (!line.empty()) listed.push_back(line.substr(0, line.find(' ')));
    EXPECT_EQ(listed, (std::vector<std::string>{"Masses,", "parameter", "bob.m"}))
        << outcome.output;
    // The first moment is what shows: 1.5 kg at half a metre.
    const json told =
        json::parse(run("identify " + file_.path() + " --log " + log_.path() + " --json").output);
    EXPECT_EQ(told["robot"], "swing");
    for (const json& x : told["combinations"]) {
        if (x["name"] == "bob.mz") {
            EXPECT_NEAR(x["value"].get<double>(), -0.75, 1e-4);
            EXPECT_TRUE(x["told_by_data"].get<bool>());
        }
    }
    EXPECT_GT(told["joints"][0]["before"].get<double>(),
              100 * told["joints"][0]["after"].get<double>());
    // The file is a robot, and the picture one.
    EXPECT_EQ(run("check --strict " + found.path()).code, 0);
    std::ifstream svg(plot.path());
    const std::string picture{std::istreambuf_iterator<char>(svg), {}};
    EXPECT_TRUE(picture.starts_with("<svg")) << picture.substr(0, 80);
    EXPECT_TRUE(contains(picture, "hinge"));
}

// What is not sought has no prior deviation, and stays as the file has it.
// The first motion is one of those that the best is chosen from.
TEST_F(IdentifyCommand, TellsHowMuchBetterTheBestMotionIs) {
    const auto numbers = [&](int trials) {
        const std::string said = run("excite builtin:arm --duration 5 --trials " +
                                     std::to_string(trials) + " 2>&1 > /dev/null")
                                     .output;
        double best = 0, first = 0;
        EXPECT_EQ(std::sscanf(said.c_str(), "condition number %lf, after %lf at the first trial",
                              &best, &first),
                  2)
            << said;
        return std::pair(best, first);
    };
    const auto one = numbers(1), many = numbers(30);
    EXPECT_EQ(one.first, one.second);
    EXPECT_EQ(many.second, one.second);
    EXPECT_LT(many.first, many.second);
}

TEST_F(IdentifyCommand, SeeksWhatItIsToldTo) {
    const auto sought = [&](const std::string& options) {
        const json told = json::parse(
            run("identify " + file_.path() + " --log " + log_.path() + " --json " + options)
                .output);
        std::string out;
        for (const json& x : told["parameters"]) {
            const std::string name = x["name"];
            if (x["prior_deviation"] > 0)
                out += name + " ";
            else
                EXPECT_EQ(x["before"], x["value"]) << name << " " << options;
        }
        return out;
    };
    const std::string bob =
        "bob.m bob.mx bob.my bob.mz bob.Ixx bob.Ixy bob.Ixz bob.Iyy bob.Iyz bob.Izz ";
    EXPECT_EQ(sought(""), bob + "hinge.damping hinge.friction ");
    EXPECT_EQ(sought("--keep-friction"), bob);
    EXPECT_EQ(sought("--rotors"), bob + "hinge.armature hinge.damping hinge.friction ");
    EXPECT_EQ(sought("--rotors --keep-friction"), bob + "hinge.armature ");
    EXPECT_EQ(sought("--links bob"), sought(""));
}

// Of a combination with many terms people see as many whole ones as have room.
TEST_F(IdentifyCommand, CutsLongCombinationsBetweenTheirTerms) {
    const TemporaryFile log("arm.csv",
                            run("excite builtin:arm --duration 5 --trials 2 2> /dev/null").output);
    const std::string line = "identify builtin:arm --log " + log.path();
    const std::string text = run(line).output;
    const json told = json::parse(run(line + " --json").output);
    int with_both_signs = 0, cut = 0;
    for (const json& x : told["combinations"]) {
        const std::string name = x["name"];
        if (name.size() <= 50) continue;
        ++cut;
        const std::size_t plus = name.rfind(" + ", 50), minus = name.rfind(" - ", 50);
        const std::size_t end = plus == std::string::npos    ? minus
                                : minus == std::string::npos ? plus
                                                             : std::max(plus, minus);
        with_both_signs += plus != std::string::npos && minus != std::string::npos ? 1 : 0;
        EXPECT_TRUE(contains(text, "\n" + name.substr(0, end) + " …")) << name;
    }
    EXPECT_GT(cut, 0);
    EXPECT_GT(with_both_signs, 0);
    // Numbers stand below their headings, however long names are.
    std::istringstream page(text);
    std::size_t end = 0, rows = 0;
    const auto columns = [](const std::string& line) {  // letters, of one byte or several
        std::u32string out;
        for (const char c : line) {
            if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U)
                out += static_cast<unsigned char>(c);
        }
        return out;
    };
    for (std::string row; std::getline(page, row);) {
        if (row.empty()) end = 0;
        const std::u32string shown = columns(row);
        if (const std::size_t before = row.find("  before  "); before != std::string::npos)
            end = columns(row.substr(0, before)).size() + 8;
        if (end == 0 || shown.size() <= end) continue;
        EXPECT_NE(shown[end - 1], U' ') << row;
        EXPECT_EQ(shown[end], U' ') << row;
        ++rows;
    }
    EXPECT_GT(rows, 30U);
}

TEST_F(IdentifyCommand, ReadsPositionsAloneAndStandardInput) {
    std::istringstream lines(with_torques(log_of(real_.path())));
    std::string line, text;
    while (std::getline(lines, line)) {
        std::vector<std::string> fields;
        std::istringstream row(line);
        for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
        text += fields[0] + "," + fields[1] + "," + fields[4] + "\n";
    }
    const TemporaryFile positions("positions.csv", text);
    const Outcome outcome =
        run("identify " + file_.path() + " --log - --json < " + positions.path());
    ASSERT_EQ(outcome.code, 0);
    for (const json& x : json::parse(outcome.output)["combinations"]) {
        if (x["name"] == "bob.mz") {
            EXPECT_NEAR(x["value"].get<double>(), -0.75, 0.01);
        }
    }
}

TEST_F(IdentifyCommand, SaysWhatIsWrongWithALog) {
    const auto complaint = [&](const std::string& text, const std::string& options = "") {
        const TemporaryFile csv("bad.csv", text);
        const Outcome outcome =
            run("identify " + file_.path() + " --log " + csv.path() + " " + options + " 2>&1");
        EXPECT_EQ(outcome.code, 2) << text;
        return outcome.output;
    };
    EXPECT_TRUE(contains(complaint("time,q.hinge\n0,0\n"), "has no column tau.NAME"))
        << complaint("time,q.hinge\n0,0\n");
    EXPECT_TRUE(contains(complaint("q.hinge,tau.hinge\n0,0\n"), "has no column time"));
    EXPECT_TRUE(contains(complaint("time,tau.hinge\n0,0\n"), "has no column q.NAME"));
    EXPECT_TRUE(contains(complaint("time,q.hinge,tau.hinge\n"), "there is no state in it"));
    EXPECT_TRUE(
        contains(complaint("time,q.hinge,tau.hinge\n0,0,0\n0.1,1,1\n"), "the log has 2 samples"));
    std::string still = "time,q.hinge,tau.hinge\n", broken = still;
    for (int k = 0; k < 200; ++k) {
        still += std::to_string(0.01 * k) + ",0.5,1\n";
        broken += std::to_string(0.01 * k) + "," + (k == 7 ? "nan" : std::to_string(std::sin(k))) +
                  ",1\n";
    }
    EXPECT_TRUE(contains(complaint(still), "nothing moves in this log"));
    EXPECT_TRUE(contains(complaint(broken), "nan")) << complaint(broken);
    const std::string good = [&] {
        std::ifstream in(log_.path());
        return std::string{std::istreambuf_iterator<char>(in), {}};
    }();
    EXPECT_TRUE(contains(complaint(good, "--prior 0"), "prior is 0"));
    EXPECT_TRUE(contains(complaint(good, "--links bobb"), "closest: 'bob'"));
    EXPECT_TRUE(contains(run("excite builtin:arm --duration 0 2>&1").output, "duration is 0"));
}

}  // namespace
}  // namespace plucker::test
