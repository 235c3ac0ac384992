// States in, answers out.
#include "plucker/io/evaluate.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "plucker/io/load.hpp"
#include "plucker/io/write_state.hpp"
#include "plucker/plucker.hpp"
#include "plucker/robots/robots.hpp"
#include "support/error_message.hpp"
#include "support/reference.hpp"

namespace plucker {
namespace {

using nlohmann::json;

std::string message(const Model& model, const std::string& states,
                    const EvaluateOptions& options = {}) {
    try {
        return evaluate(model, states, "input", options);
    } catch (const Error& error) {
        return std::string("error: ") + error.what();
    }
}

// The file's vector or matrix with its velocities, named by `from`, put into the order `to`.
json reordered(const json& values, const json& from, const json& to) {
    std::vector<std::size_t> at;
    for (const auto& name : to) {
        at.push_back(
            static_cast<std::size_t>(std::find(from.begin(), from.end(), name) - from.begin()));
    }
    const auto permuted = [&](const json& list) {
        if (list.size() != from.size())
            return list;  // not by velocities: x, y, z or a spatial vector
        json out = json::array();
        for (const std::size_t k : at) out.push_back(list[k]);
        return out;
    };
    if (!values.is_array()) return values;
    json out = permuted(values);
    for (json& row : out) {
        if (row.is_array()) row = permuted(row);
    }
    return out;
}

// All quantities of the reference files, by the names that those files use, in every order that permutes them.
class EvaluateReference : public testing::TestWithParam<std::string> {};
TEST_P(EvaluateReference, AnswersLikeTheReferenceFiles) {
    for (const std::string& name : test::reference_names()) {
        SCOPED_TRACE(name);
        const std::string base = std::string(PLUCKER_TEST_DATA_DIR) + "/reference/" + name;
        std::ifstream in(base + ".json");
        const json reference = json::parse(in);
        LoadOptions options;
        options.base = reference["floating_base"] ? Base::kFloating : Base::kFixed;
        const Model model = load(base + ".urdf", options);
        ASSERT_GT(model.nv(), 6) << "a spatial vector would be taken for one of velocities";
        EvaluateOptions evaluation;
        evaluation.order = convention_named(GetParam());
        json input = reference;
        for (json& sample : input["samples"]) {  // arrays in the order that is asked for
            for (const char* key : {"v", "a", "tau"}) {
                if (!sample[key].is_array()) continue;
                sample[key] = reordered(sample[key], reference["velocity_order"],
                                        Coordinates(model, evaluation.order).v_names());
            }
        }
        const json answer = json::parse(evaluate(model, input.dump(), name, evaluation));
        if (GetParam() == "file") {
            EXPECT_EQ(answer["velocity_order"], reference["velocity_order"]);
        }
        ASSERT_EQ(answer["samples"].size(), reference["samples"].size());
        int compared = 0;
        const auto compare = [&](const std::string& what, const json& ours, const json& theirs) {
            const auto as_matrix = [](const json& x) {
                return test::to_matrix(x.is_array() ? x : json::array({x}));
            };
            const MatrixX<double> a = as_matrix(ours);
            const MatrixX<double> b =
                as_matrix(reordered(theirs, reference["velocity_order"], answer["velocity_order"]));
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
INSTANTIATE_TEST_SUITE_P(Orders, EvaluateReference, testing::Values("file", "plucker", "pinocchio"),
                         [](const auto& test) { return test.param; });

TEST(Evaluate, TakesVectorsByNameAndAsArrays) {
    const Model model = robots::double_pendulum();
    const std::string q = R"({"q": {"joints": {"shoulder": 0.1, "elbow": 0.2}}, )";
    const EvaluateOptions options{{"bias_torque"}, {}};
    const std::string by_name =
        message(model, q + R"("v": {"joints": {"elbow": 2, "shoulder": 1}}})", options);
    EXPECT_EQ(by_name, message(model, q + R"("v": [1, 2]})", options));
    EXPECT_EQ(by_name.find("error"), std::string::npos) << by_name;
}

TEST(Evaluate, TakesConfigurationsAsArrays) {
    Description d = with_base(robots::double_pendulum(), Base::kFloating).description();
    std::swap(d.joints[0], d.joints[1]);  // the elbow is declared first
    const Model model(d);
    const EvaluateOptions options{{"com"}, {}};
    const std::string by_name =
        message(model,
                R"({"q": {"base": {"position": [1, 2, 3], "quaternion_xyzw": [0.5, 0.5, 0.5, 0.5]},
                  "joints": {"shoulder": 0.1, "elbow": 0.2}}})",
                options);
    EXPECT_EQ(by_name,
              message(model, R"({"q": [1, 2, 3, 0.5, 0.5, 0.5, 0.5, 0.2, 0.1]})", options));
    const json order = json::parse(by_name)["configuration_order"];
    EXPECT_EQ(order[7], "elbow");
    EXPECT_EQ(order[3], "base.quaternion.x");
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

TEST(Evaluate, RefusesArraysOfAnotherOrder) {
    const Model model = robots::quadruped();
    const EvaluateOptions file{{"kinetic_energy"}, {}},
        mujoco{{"kinetic_energy"}, {}, Convention::kMujoco};
    const Coordinates theirs(model, Convention::kMujoco);
    const auto list = [](const VectorX<double>& x) {
        return std::vector<double>(x.data(), x.data() + x.size());
    };
    const VectorX<double> q = theirs.export_q(neutral_configuration(model));
    const VectorX<double> v = VectorX<double>::LinSpaced(model.nv(), -1, 1);
    json state{{"q", list(q)}, {"v", list(v)}};
    const std::string said =
        "the state is in the order mujoco, but is read in the order file; "
        "read it with --order mujoco";
    const json in_theirs = json::parse(message(model, state.dump(), mujoco));
    EXPECT_EQ(in_theirs["order"], "mujoco");
    state["order"] = in_theirs["order"];
    const json one = state,
               in_object{{"order", "mujoco"}, {"samples", {{{"q", list(q)}, {"v", list(v)}}}}};
    for (const json& given : {one, json::array({one}), in_object}) {
        EXPECT_EQ(message(model, given.dump(), mujoco).find("error"), std::string::npos) << given;
        EXPECT_NE(message(model, given.dump(), file).find(said), std::string::npos) << given;
    }
    // What is given by name is the same in all; a state's own word goes before that of all.
    const json named = json::parse(write_state(model, neutral_configuration(model), v, v, v));
    json said_so = named;
    said_so["order"] = "mujoco";
    const auto energy = [&](const json& x) {
        return json::parse(message(model, x.dump(), file))["kinetic_energy"];
    };
    EXPECT_EQ(energy(said_so), energy(named));
    json mixed = in_object;
    mixed["samples"][0]["order"] = "file";
    EXPECT_NE(message(model, mixed.dump(), mujoco).find("is in the order file"), std::string::npos);
    for (const json& none : {json("mujocco"), json(3)}) {
        state["order"] = none;
        EXPECT_EQ(message(model, state.dump(), file).rfind("error: input:1: ", 0), 0U);
    }
}

// One name comes out, that of its joint; both are read.
TEST(Evaluate, KnowsTheBaseByBothNames) {
    for (const char* name : {"base", "root", "joints"}) {
        Description d = robots::quadruped().description();
        d.base_joint = name;
        const Model model(d);
        const std::string key = name == std::string("joints") ? "base" : name;
        const VectorX<double> q = neutral_configuration(model);
        const VectorX<double> v = VectorX<double>::LinSpaced(model.nv(), -1, 1);
        const json own = json::parse(write_state(model, q, v, v, v));
        ASSERT_TRUE(own["q"].contains(key) && own["v"].contains(key)) << own;
        json common = own;
        for (const char* x : {"q", "v", "a", "tau"}) {
            common[x].erase(key);
            common[x]["base"] = own[x][key];
        }
        const EvaluateOptions options{{"kinetic_energy"}, {}};
        EXPECT_EQ(message(model, own.dump(), options), message(model, common.dump(), options));
        EXPECT_EQ(message(model, own.dump(), options).find("error"), std::string::npos);
        EXPECT_EQ(model.q_index(name), 0);
        EXPECT_EQ(model.v_index("base"), 0);
        if (key == "base") continue;
        common["q"]["root"] = own["q"]["root"];
        EXPECT_NE(
            message(model, common.dump(), options)
                .find(R"(q gives the floating base twice, as "root" and as "base"; leave one out)"),
            std::string::npos);
        json none = own;
        none["q"].erase("root");
        EXPECT_NE(message(model, none.dump(), options).find(R"(q lacks "root")"),
                  std::string::npos);
    }
    // Where another joint has the common name, it keeps it.
    Description d = robots::quadruped().description();
    d.base_joint = "root";
    d.joints[0].name = "base";
    EXPECT_EQ(Model(d).q_index("base"), 7);
    EXPECT_NE(
        test::message([] { (void)robots::arm().joint_index("base"); }).find("unknown joint 'base'"),
        std::string::npos);
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

// Many published arms end in a link without mass on a joint: what that joint alone would do has no answer, the rest has.
Model with_tip(const MassProperties& tip) {
    return Builder("tool_changer")
        .link("base")
        .body("base", revolute("arm", {0, 1, 0}), "upper",
              MassProperties::sphere(2, 0.1, {0, 0, 1}))
        .body("upper", revolute("spin", {0, 0, 1}), "flange", tip)
        .build();
}
Model with_massless_tip() { return with_tip({}); }

TEST(Evaluate, AllNamesWhatASingularMassMatrixLeavesOut) {
    const Model model = with_massless_tip();
    const std::string state = R"({"q": [0.1, 0.2], "v": [1, 2], "a": [3, 4], "tau": [5, 6]})";
    const json answer = json::parse(message(model, "[" + state + "," + state + "]"));
    const json regular = json::parse(
        message(with_tip(MassProperties::sphere(1, 0.1)), "[" + state + "," + state + "]"));
    for (const json& one : answer["samples"]) {
        for (const char* name : {"forward_dynamics", "inverse_mass_matrix", "forward_dynamics_dq",
                                 "forward_dynamics_dv", "forward_dynamics_derivatives"}) {
            EXPECT_FALSE(one.contains(name)) << name;
            ASSERT_TRUE(one["unavailable"].contains(name)) << one["unavailable"];
            EXPECT_NE(one["unavailable"][name].get<std::string>().find(
                          "the mass matrix is singular at joint 'spin'"),
                      std::string::npos);
        }
        EXPECT_EQ(one["unavailable"].size(), 5U) << one["unavailable"];
        EXPECT_EQ(one.size(), regular["samples"][0].size() - 5 + 1);
    }
    // By its name it is an error, also beside "all".
    for (const auto& names :
         {std::vector<std::string>{"forward_dynamics"}, {"all", "forward_dynamics"}}) {
        EXPECT_NE(
            message(model, state, {names, {}})
                .find("error: input:1: forward_dynamics: the mass matrix is singular at joint "
                      "'spin'"),
            std::string::npos);
    }
    // Where all can be computed, nothing is said of it.
    EXPECT_FALSE(
        json::parse(message(robots::pendulum(), R"({"q": [0.5]})")).contains("unavailable"));
}

TEST(Evaluate, AllNamesWhatARobotWithoutMassLeavesOut) {
    const Model model =
        Builder("ghost").link("base").body("base", revolute("hinge", {0, 1, 0}), "arm").build();
    const json answer = json::parse(message(model, R"({"q": [0.1], "v": [1]})"));
    EXPECT_TRUE(answer["unavailable"].contains("com")) << answer;
    EXPECT_TRUE(answer.contains("frames"));
}

// A state in the middle of a file is refused with its own line.
TEST(Evaluate, NamesTheLineOfAStateInAnArray) {
    EXPECT_NE(message(robots::pendulum(), "[\n{\"q\": [0]},\n{\"q\": [0, 1]}\n]")
                  .find("error: input:3: state 1: q must be an array of 1 number, not 2: hinge"),
              std::string::npos);
    EXPECT_NE(message(robots::pendulum(), "{\"samples\":\n[{\"q\": [0]},\n  {\"q\": [0,]}]}")
                  .find("error: input:3: column 12: not valid JSON"),
              std::string::npos)
        << message(robots::pendulum(), "{\"samples\":\n[{\"q\": [0]},\n  {\"q\": [0,]}]}");
}

// Reading takes time in proportion to the states. Were it quadratic, as it once was, ten times the states would take
// a hundred times as long; thirty leaves room for a busy machine.
TEST(Evaluate, ReadsManyStatesInLinearTime) {
    const Model model = robots::pendulum();
    const auto seconds = [&](int count) {
        std::string states = "[";
        for (int k = 0; k < count; ++k)
            states += R"({"q": {"joints": {"hinge": 0.5}}, "external_forces": []},)";
        states.back() = ']';
        double best = 1e9;
        for (int k = 0; k < 3; ++k) {
            const auto start = std::chrono::steady_clock::now();
            (void)evaluate(model, states, "states", {{"total_mass"}, {}});
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            best = std::min(best, taken.count());
        }
        return best;
    };
    const double few = seconds(3'000);
    EXPECT_LT(seconds(30'000), 30 * few);
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
                 "q.joints.shoulder must be a number, not string"},
        BadState{"Overflow", R"({"q": {"joints": {"shoulder": 1e999, "elbow": 1}}})",
                 "not valid JSON"},
        BadState{"Nan", R"({"q": {"joints": {"shoulder": nan, "elbow": 1}}})", "not valid JSON"},
        BadState{"BaseOnFixed", R"({"q": {"base": {}, "joints": {"shoulder": 1, "elbow": 1}}})",
                 "the base is fixed"},
        BadState{"ShortVector", R"({"q": {"joints": {"shoulder": 1, "elbow": 1}}, "v": [1]})",
                 "v must be an array of 2 numbers, not 1"},
        BadState{"LongConfiguration", R"({"q": [1, 2, 3]})",
                 "q must be an array of 2 numbers, not 3: shoulder, elbow"},
        BadState{"TextInConfiguration", R"({"q": [1, "2"]})", "q[1] must be a number, not string"},
        BadState{"NumberForQ", R"({"q": 3})", "q must be an object with \"joints\", or an array"},
        BadState{"TextForV", R"({"q": [1, 1], "v": "fast"})",
                 "or an array of numbers in the answer's velocity_order"},
        BadState{"JointOutside", R"({"q": {"shoulder": 1, "elbow": 1}})",
                 "joint 'elbow' stands outside of \"joints\""},
        BadState{"KeyOfQ", R"({"q": {"joint": {"shoulder": 1, "elbow": 1}}})",
                 "q: unknown key 'joint'; closest: 'joints'"},
        BadState{"KeyOfV",
                 R"({"q": [1, 1], "v": {"joints": {"shoulder": 1, "elbow": 1}, "elbo": 2}})",
                 "v: unknown key 'elbo'; closest: 'elbow'"},
        BadState{"KeyOfA", R"({"q": [1, 1], "a": {"joints": {"shoulder": 1, "elbow": 1}, "x": 2}})",
                 "a: unknown key 'x'"},
        BadState{"KeyOfTau",
                 R"({"q": [1, 1], "tau": {"joints": {"shoulder": 1, "elbow": 1}, "bases": 2}})",
                 "tau: unknown key 'bases'; closest: 'base'"},
        BadState{"KeyOfForce",
                 R"({"q": [1, 1], "external_forces": [{"frame": "lower", "in": "world",
                     "angular": [0,0,0], "linear": [0,0,0], "force": 1}]})",
                 "external_forces[0]: unknown key 'force'; closest: 'frame'"},
        BadState{"NumberForForce", R"({"q": [1, 1], "external_forces": [3]})",
                 "external_forces[0] must be an object"},
        BadState{"ArrayForForce", R"({"q": [1, 1], "external_forces": [["lower"]]})",
                 "external_forces[0] must be an object"},
        BadState{"Time", R"({"q": [1, 1], "time": "now"})", "time must be a number, not string"},
        BadState{"OpenArray", R"([{"q": [1, 1]})", "not valid JSON"},
        BadState{"CrossedBrackets", R"([{"q": [1, 1]}})", "not valid JSON"},
        BadState{"NoComma", R"([{"q": [1, 1]} {"q": [1, 1]}])", "not valid JSON"},
        BadState{"TrailingComma", R"([{"q": [1, 1], "v": [1, 1], "a": [1, 1]},])",
                 "not valid JSON"},
        BadState{"SamplesTwice", R"({"samples": [], "samples": []})", "is given twice"},
        BadState{"OpenObjectAroundSamples", R"({"samples":[{"q":[1,2]},{"q":[3,4]}])",
                 "input:1: column 37: not valid JSON"},
        BadState{"CommaBehindSamples", "{\"samples\":[{\"q\":[1,2]}],\n,}",
                 "input:2: column 1: not valid JSON"},
        BadState{"ArrayOfTwoForOne", R"({"q": {"joints": {"shoulder": [1, 2], "elbow": 1}}})",
                 "q.joints.shoulder must be an array of 1 number, not 2"},
        BadState{"OpenString", R"([{"q)", "not valid JSON"},
        BadState{"SecondLine",
                 "{\"q\": {\"joints\": {\"shoulder\": 1, \"elbow\": 1}}, \"v\": [0,0], \"a\": "
                 "[0,0]}\n{]",
                 "input:2: column 2: not valid JSON"},
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
    // A digit too few is a slip; a digit that is wrong is not.
    const auto complaint = [](double w) {
        return message(with_base(robots::pendulum(), Base::kFloating),
                       R"({"q": {"base": {"position": [0,0,0], "quaternion_xyzw": [0,0,0.6,)" +
                           std::to_string(w) + R"(]}, "joints": {"hinge": 0}}})");
    };
    EXPECT_EQ(complaint(0.8001).find("it must be 1"), std::string::npos);
    // It is made one, as the answer says where it says the state.
    EvaluateOptions table{{"total_mass"}, {}};
    table.output = TextFormat::kCsv;
    const std::string said = message(
        with_base(robots::pendulum(), Base::kFloating),
        R"({"q": {"base": {"position": [1, 2, 3], "quaternion_xyzw": [0.6003, 0, 0, 0.8004]}, "joints": {"hinge": 0.5}}})",
        table);
    EXPECT_NE(said.find("\n1,2,3,0.6,0,0,0.8,0.5,"), std::string::npos) << said;
    EXPECT_NE(complaint(0.81).find("has length 1.008"), std::string::npos) << complaint(0.81);
}

TEST(Evaluate, RefusesUnknownKeysOfTheBase) {
    const Model model = with_base(robots::pendulum(), Base::kFloating);
    const std::string position = R"("base": {"position": [0,0,0], "quaternion_xyzw": [0,0,0,1])";
    EXPECT_NE(
        message(model, R"({"q": {)" + position + R"(, "velocity": 1}, "joints": {"hinge": 0}}})")
            .find("q.base: unknown key 'velocity'"),
        std::string::npos);
    EXPECT_NE(message(model, R"({"q": {)" + position + R"(}, "joints": {"hinge": 0}},
                                 "v": {"base": {"angular": [0,0,0], "linear": [0,0,0], "linera": 1},
                                       "joints": {"hinge": 0}}})")
                  .find("v.base: unknown key 'linera'; closest: 'linear'"),
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

// Of the frames those that were named, or all.
TEST(Evaluate, TellsOfTheFramesThatWereNamed) {
    const Model model = robots::double_pendulum();
    const auto told = [&](const std::vector<std::string>& frames) {
        std::vector<std::string> out;
        const json answer =
            json::parse(message(model, R"({"q": [0.1, 0.2]})", {{"frames"}, frames}));
        for (const auto& [name, of_frame] : answer["frames"].items()) out.push_back(name);
        return out;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(told({"lower"}), Names{"lower"});
    EXPECT_EQ(told({"lower", "upper"}), (Names{"lower", "upper"}));
    EXPECT_EQ(told({}).size(), model.frames().size());
    EXPECT_GT(model.frames().size(), 2U);
}

}  // namespace
}  // namespace plucker
