// plucker algorithms: the table of algorithms, to read.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/tool.hpp"
#include "plucker/algorithms/algorithm.hpp"

namespace plucker::test {
namespace {

TEST(Algorithms, AreListedWithTheirSentence) {
    const Outcome list = run("algorithms");
    EXPECT_EQ(list.code, 0);
    for (const Algorithm& row : algorithms()) {
        EXPECT_NE(list.output.find(row.name), std::string::npos) << row.name;
        EXPECT_NE(list.output.find(row.says), std::string::npos) << row.name;
    }
}

TEST(Algorithms, AreShownInFull) {
    const std::string text = run("algorithms hybrid_dynamics").output;
    for (const char* part :
         {"hybrid_dynamics(workspace, q, v, given, [external], a, tau)",
          "a, tau = hybrid_dynamics(model, q, v, given, [external], a, tau)",
          "hybrid_dynamics(evaluator, q, v, given, [external], a, tau, [status])",
          "a (nv), given entries read, the others written", "a regular mass matrix", "§9.2"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
    }
    // One that asks the workspace is given the state in the other two ways.
    const std::string query = run("algorithms frame_velocity").output;
    for (const char* part : {"velocity = frame_velocity(workspace, frame, [reference])",
                             "velocity = frame_velocity(model, q, v, frame, [reference])",
                             "forward_kinematics(workspace, q, v) before"}) {
        EXPECT_NE(query.find(part), std::string::npos) << part << "\nin\n" << query;
    }
}

TEST(Algorithms, AreReadByPrograms) {
    const auto list = nlohmann::json::parse(run("algorithms --json").output);
    ASSERT_EQ(list.size(), algorithms().size());
    for (std::size_t k = 0; k < list.size(); ++k) {
        EXPECT_EQ(list[k]["name"], algorithms()[k].name);
        EXPECT_EQ(list[k]["outputs"].size(), algorithms()[k].outputs.size());
    }
}

TEST(Algorithms, ThatDoNotExistAreMissedWithWhatComesClose) {
    const Outcome outcome = run("algorithms mass_matrx 2>&1");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.output.find("'mass_matrix'"), std::string::npos) << outcome.output;
}

TEST(Algorithms, HaveTheirPage) {
    std::ifstream in(PLUCKER_TEST_DATA_DIR "/../../docs/algorithms.md");
    std::stringstream page;
    page << in.rdbuf();
    EXPECT_TRUE(page.str() == run("algorithms --markdown").output)
        << "docs/algorithms.md is not what the table says: plucker algorithms --markdown > "
           "docs/algorithms.md";
}

}  // namespace
}  // namespace plucker::test
