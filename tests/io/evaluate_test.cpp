// States in, answers out.
#include "plucker/io/evaluate.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "plucker/io/load.hpp"
#include "plucker/robots/robots.hpp"
#include "support/reference.hpp"

namespace plucker {
namespace {

using nlohmann::json;

std::string message(const Model& model, const std::string& states,
                    const EvaluateOptions& options = {}) {
    try {
        return evaluate_json(model, states, "input", options);
    } catch (const Error& error) {
        return std::string("error: ") + error.what();
    }
}

// All quantities of the reference files, by the names that those files use.
TEST(Evaluate, AnswersLikeTheReferenceFiles) {
    for (const std::string& name : test::reference_names()) {
        SCOPED_TRACE(name);
        const std::string base = std::string(PLUCKER_TEST_DATA_DIR) + "/reference/" + name;
        std::ifstream in(base + ".json");
        const json reference = json::parse(in);
        LoadOptions options;
        options.base = reference["floating_base"] ? Base::kFloating : Base::kFixed;
        const Model model = load(base + ".urdf", options);
        const json answer = json::parse(evaluate_json(model, reference.dump(), name));
        EXPECT_EQ(answer["velocity_order"], reference["velocity_order"]);
        ASSERT_EQ(answer["samples"].size(), reference["samples"].size());
        int compared = 0;
        const auto compare = [&](const std::string& what, const json& ours, const json& theirs) {
            const auto as_matrix = [](const json& x) {
                return test::to_matrix(x.is_array() ? x : json::array({x}));
            };
            const MatrixX<double> a = as_matrix(ours);
            const MatrixX<double> b = as_matrix(theirs);
            ASSERT_EQ(a.rows(), b.rows()) << what;
            EXPECT_LE((a - b).cwiseAbs().maxCoeff(),
                      1e-10 * std::max(1e-3, b.cwiseAbs().maxCoeff()))
                << what;
            ++compared;
        };
        for (std::size_t k = 0; k < reference["samples"].size(); ++k) {
            for (const auto& [key, value] : reference["samples"][k].items()) {
                if (key == "q" || key == "v" || key == "a" || key == "tau") continue;
                ASSERT_TRUE(answer["samples"][k].contains(key)) << key;
                if (key != "frames") {
                    compare(key, answer["samples"][k][key], value);
                    continue;
                }
                for (const auto& [frame, quantities] : value.items()) {
                    for (const auto& [what, numbers] : quantities.items()) {
                        compare(frame + " " + what, answer["samples"][k]["frames"][frame][what],
                                numbers);
                    }
                }
            }
        }
        EXPECT_GT(compared, 50);
    }
}

TEST(Evaluate, TakesVectorsByNameAndAsArrays) {
    const Model model = robots::double_pendulum();
    const std::string q = R"({"q": {"joints": {"shoulder": 0.1, "elbow": 0.2}}, )";
    const EvaluateOptions options{{"bias_torque"}, {}};
    const std::string by_name =
        message(model, q + R"("v": {"joints": {"elbow": 2, "shoulder": 1}}})", options);
    EXPECT_EQ(by_name, message(model, q + R"("v": [1, 2]})", options));
    EXPECT_EQ(by_name.find("error"), std::string::npos) << by_name;
}

TEST(Evaluate, TakesOneStateManyAndLines) {
    const Model model = robots::pendulum();
    const EvaluateOptions options{{"potential_energy"}, {}};
    const std::string one = R"({"q": {"joints": {"hinge": 0.5}}})";
    EXPECT_FALSE(json::parse(message(model, one, options)).contains("samples"));
    EXPECT_EQ(json::parse(message(model, "[" + one + "," + one + "]", options))["samples"].size(),
              2U);
    EXPECT_EQ(
        json::parse(message(model, R"({"samples": [)" + one + "]}", options))["samples"].size(),
        1U);
    const std::string lines = message(model, one + "\n" + one + "\n\n" + one + "\n", options);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
}

TEST(Evaluate, NumbersRoundTripExactly) {
    const Model model = robots::double_pendulum();
    const json answer = json::parse(message(
        model, R"({"q": {"joints": {"shoulder": 0.1, "elbow": 0.7}}})", {{"mass_matrix"}, {}}));
    VectorX<double> q(2);
    q << 0.1, 0.7;
    EXPECT_EQ(test::to_matrix(answer["mass_matrix"]), mass_matrix(model, q));
}

TEST(Evaluate, AllMeansWhatTheStateAllows) {
    const json answer =
        json::parse(message(robots::pendulum(), R"({"q": {"joints": {"hinge": 0.5}}})"));
    EXPECT_TRUE(answer.contains("mass_matrix"));
    EXPECT_FALSE(answer.contains("inverse_dynamics"));
}

struct BadState {
    const char* name;
    const char* text;
    const char* complaint;
};
void PrintTo(const BadState& bad, std::ostream* out) { *out << bad.name; }

class EvaluateRefuses : public testing::TestWithParam<BadState> {};
TEST_P(EvaluateRefuses, AndSaysWhy) {
    const std::string said = message(robots::double_pendulum(), GetParam().text,
                                     {{"inverse_dynamics", "mass_matrix"}, {}});
    EXPECT_NE(said.find(GetParam().complaint), std::string::npos) << said;
    EXPECT_EQ(said.rfind("error: input", 0), 0U) << said;
}
INSTANTIATE_TEST_SUITE_P(
    States, EvaluateRefuses,
    testing::Values(
        BadState{"Empty", "", "there is no state"}, BadState{"NotJson", "hello", "not valid JSON"},
        BadState{"Truncated", R"({"q": )", "not valid JSON"},
        BadState{"Number", "3", "a state must be an object"},
        BadState{"NoQ", "{}", "needs \"q\" and \"v\" and \"a\""},
        BadState{"NoV", R"({"q": {"joints": {"shoulder": 1, "elbow": 1}}})",
                 "needs \"v\" and \"a\""},
        BadState{"MissingJoint", R"({"q": {"joints": {"shoulder": 1}}})", "q lacks joint 'elbow'"},
        BadState{"UnknownJoint", R"({"q": {"joints": {"shoulder": 1, "elbw": 1}}})",
                 "unknown joint 'elbw'; closest: 'elbow'"},
        BadState{"Misspelt", R"({"q": {"joints": {"shoulder": 1, "elbow": 1}}, "taus": []})",
                 "unknown input 'taus'"},
        BadState{"Twice", R"({"q": {"joints": {"shoulder": 1, "shoulder": 2, "elbow": 1}}})",
                 "given twice"},
        BadState{"Text", R"({"q": {"joints": {"shoulder": "1", "elbow": 1}}})",
                 "must be an array of 1 numbers"},
        BadState{"Overflow", R"({"q": {"joints": {"shoulder": 1e999, "elbow": 1}}})",
                 "not valid JSON"},
        BadState{"Nan", R"({"q": {"joints": {"shoulder": nan, "elbow": 1}}})", "not valid JSON"},
        BadState{"BaseOnFixed", R"({"q": {"base": {}, "joints": {"shoulder": 1, "elbow": 1}}})",
                 "the base is fixed"},
        BadState{"ShortVector", R"({"q": {"joints": {"shoulder": 1, "elbow": 1}}, "v": [1]})",
                 "v must be an array of 2 numbers, not 1"},
        BadState{"SecondLine",
                 "{\"q\": {\"joints\": {\"shoulder\": 1, \"elbow\": 1}}, \"v\": [0,0], \"a\": "
                 "[0,0]}\n{]",
                 "input:2: not valid JSON"},
        BadState{"SamplesNotArray", R"({"samples": 3})", "must be an array of states"},
        BadState{"ForceFrame",
                 R"({"q": {"joints": {"shoulder": 1, "elbow": 1}}, "external_forces":
                     [{"frame": "lower", "in": "wrld", "angular": [0,0,0], "linear": [0,0,0]}]})",
                 "unknown coordinates 'wrld'; closest: 'world'"}),
    [](const auto& test) { return test.param.name; });

TEST(Evaluate, RefusesAQuaternionThatIsNone) {
    EXPECT_NE(
        message(
            with_base(robots::pendulum(), Base::kFloating),
            R"({"q": {"base": {"position": [0,0,0], "quaternion_xyzw": [0,0,0,0]}, "joints": {"hinge": 0}}})")
            .find("has length 0; it must be 1"),
        std::string::npos);
}

TEST(Evaluate, NamesUnknownQuantitiesAndFrames) {
    const std::string state = R"({"q": {"joints": {"hinge": 0}}})";
    EXPECT_NE(
        message(robots::pendulum(), state, {{"mass_matrx"}, {}}).find("closest: 'mass_matrix'"),
        std::string::npos);
    EXPECT_NE(
        message(robots::pendulum(), state, {{"frames"}, {"bobb"}}).find("unknown frame 'bobb'"),
        std::string::npos);
}

}  // namespace
}  // namespace plucker
