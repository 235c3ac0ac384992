// States and answers in CSV.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "comma_locale.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/io/write_state.hpp"
#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"
#include "support/reference.hpp"

namespace plucker {
namespace {

using nlohmann::json;

EvaluateOptions csv_to_csv(std::vector<std::string> quantities) {
    EvaluateOptions out;
    out.quantities = std::move(quantities);
    out.input = out.output = TextFormat::kCsv;
    return out;
}
EvaluateOptions csv_to_json(std::vector<std::string> quantities) {
    EvaluateOptions out = csv_to_csv(std::move(quantities));
    out.output = TextFormat::kJson;
    return out;
}

std::string answer_to(const std::string& csv, const EvaluateOptions& options) {
    return evaluate(robots::double_pendulum(), csv, "log.csv", options);
}

TEST(EvaluateCsv, GivesARowAStateThatBeginsWithTheState) {
    std::istringstream lines(
        answer_to("time,q.elbow,q.shoulder\n0,0,0.25\n0.5,-1e-3,0\n",
                  csv_to_csv({"total_mass", "potential_energy", "gravity_torque", "mass_matrix"})));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line,
              "time,q.shoulder,q.elbow,total_mass,potential_energy,gravity_torque.shoulder,"
              "gravity_torque.elbow,mass_matrix.shoulder.shoulder,mass_matrix.shoulder.elbow,"
              "mass_matrix.elbow.shoulder,mass_matrix.elbow.elbow");
    const Model model = robots::double_pendulum();
    for (const auto& [time, q] : {std::pair{0.0, Eigen::Vector2d(0.25, 0)}, {0.5, {0, -1e-3}}}) {
        std::getline(lines, line);
        std::vector<double> numbers;
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');)
            numbers.push_back(std::stod(field));
        ASSERT_EQ(numbers.size(), 11U);
        EXPECT_EQ(numbers[0], time);
        EXPECT_EQ(numbers[1], q[0]);
        EXPECT_EQ(numbers[2], q[1]);
        EXPECT_EQ(numbers[3], model.total_mass());
        EXPECT_EQ(numbers[4], potential_energy(model, q));
        EXPECT_EQ(numbers[6], gravity_torque(model, q)[1]);
        EXPECT_EQ(numbers[8], mass_matrix(model, q)(0, 1));
    }
    EXPECT_FALSE(std::getline(lines, line));
}

// Every type of joint, in every order, with forces: what is written is read as the same states.
TEST(EvaluateCsv, IsReadAsItWasWritten) {
    std::mt19937 generator(5);
    const auto list = [](const VectorX<double>& x) {
        return std::vector<double>(x.data(), x.data() + x.size());
    };
    for (const std::string& name : test::joint_model_names()) {
        for (const std::string& order : convention_names()) {
            const bool mujoco_lacks_it = name.find("helical") != std::string::npos ||
                                         name.find("mimic") != std::string::npos ||
                                         name.find("floating_joint") != std::string::npos;
            if (order == "mujoco" && mujoco_lacks_it) continue;
            SCOPED_TRACE(name + ", order " + order);
            Description d = test::joint_model(name).description();
            std::shuffle(d.joints.begin(), d.joints.end(), generator);
            const Model model(d);
            EvaluateOptions options = csv_to_csv({"com_velocity", "forward_dynamics"});
            options.order = convention_named(order);
            const Coordinates c(model, options.order, MimicJoints::kLeftOut);
            json states = json::array();
            std::vector<VectorX<double>> accelerations;
            for (int k = 0; k < 3; ++k) {
                const VectorX<double> q = random_configuration(model, generator);
                const VectorX<double> v = VectorX<double>::Random(model.nv());
                const VectorX<double> tau = VectorX<double>::Random(model.nv());
                json state{{"q", list(c.export_q(q))},
                           {"v", list(c.export_v(q, v))},
                           {"a", list(c.export_a(q, v, tau))},
                           {"tau", list(c.export_tau(q, tau))},
                           {"time", 0.1 * k}};
                ExternalForces<double> forces(model);
                if (k == 1) {  // a force in one row, and none in the others
                    forces.add("tool", {{0.1, 0.2, 0.3}, {1, 2, 3}}, ReferenceFrame::kWorldAligned);
                    state["external_forces"] = {{{"frame", "tool"},
                                                 {"in", "world_aligned"},
                                                 {"angular", {0.1, 0.2, 0.3}},
                                                 {"linear", {1, 2, 3}}}};
                }
                states.push_back(state);
                accelerations.push_back(
                    c.export_a(q, v, forward_dynamics(model, q, v, tau, &forces)));
            }
            EvaluateOptions first = options;
            first.input = TextFormat::kJson;
            const std::string written = evaluate(model, states.dump(), "states.json", first);
            const std::string again = evaluate(model, written, "states.csv", options);
            EvaluateOptions last = options;
            last.output = TextFormat::kJson;
            const json read = json::parse(evaluate(model, again, "states.csv", last));
            ASSERT_EQ(read["samples"].size(), 3U);
            for (std::size_t k = 0; k < 3; ++k) {
                const MatrixX<double> a = test::to_matrix(read["samples"][k]["forward_dynamics"]);
                EXPECT_LE((a - accelerations[k]).cwiseAbs().maxCoeff(),
                          1e-11 * (1 + accelerations[k].cwiseAbs().maxCoeff()));
                EXPECT_EQ(read["samples"][k]["time"], states[k]["time"]);
            }
        }
    }
}

// A table is read in its own order, or it is refused: nowhere are other numbers taken for a state.
TEST(EvaluateCsv, IsNotReadInAnotherOrder) {
    std::mt19937 generator(6);
    // Numbers that are the same in every order: of q and v, of a, and of tau.
    const std::vector<std::string> same{"kinetic_energy", "com_acceleration", "mechanical_power"};
    int refused = 0, read = 0;
    for (const std::string& name : test::joint_model_names()) {
        Description d = test::joint_model(name).description();
        std::shuffle(d.joints.begin(), d.joints.end(), generator);
        const Model model(d);
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = VectorX<double>::Random(model.nv());
        const std::string state = write_state(model, q, v, v, v);
        for (const std::string& written : convention_names()) {
            const bool mujoco_lacks_it = name.find("helical") != std::string::npos ||
                                         name.find("floating_joint") != std::string::npos;
            if (written == "mujoco" && mujoco_lacks_it) continue;
            EvaluateOptions options = csv_to_csv(same);
            options.order = convention_named(written);
            options.input = TextFormat::kJson;
            const std::string csv = evaluate(model, state, "state.json", options);
            for (const std::string& asked : convention_names()) {
                if (asked == "mujoco" && mujoco_lacks_it) continue;
                // Without a mark a table may be one of an earlier version.
                if (asked == "mujoco" && csv.find('@') == std::string::npos) continue;
                SCOPED_TRACE(name + ": " + written + " as " + asked);
                EvaluateOptions again = csv_to_json(same);
                again.order = convention_named(asked);
                std::string answer;
                const std::string said =
                    test::message([&] { answer = evaluate(model, csv, "states.csv", again); });
                if (said != "no error") {
                    EXPECT_NE(written, asked) << said;
                    ++refused;
                    continue;
                }
                ++read;
                const auto expect = [&](const char* quantity, const MatrixX<double>& expected) {
                    const json found = json::parse(answer)["samples"][0][quantity];
                    const MatrixX<double> x = found.is_array()
                                                  ? test::to_matrix(found)
                                                  : MatrixX<double>::Constant(1, 1, found);
                    EXPECT_LE((x - expected).norm(), 1e-11 * (1 + expected.norm())) << quantity;
                };
                const auto number = [](double x) { return MatrixX<double>::Constant(1, 1, x); };
                expect("kinetic_energy", number(kinetic_energy(model, q, v)));
                expect("com_acceleration", com_acceleration(model, q, v, v));
                expect("mechanical_power", number(mechanical_power(model, q, v, v)));
            }
        }
    }
    EXPECT_GT(refused, 10);
    EXPECT_GT(read, 50);
}

TEST(EvaluateCsv, SaysItsOrderWhereNamesDoNot) {
    const Model model = robots::quadruped();
    const VectorX<double> q = neutral_configuration(model);
    const VectorX<double> v = VectorX<double>::LinSpaced(model.nv(), -1, 1);
    EvaluateOptions options = csv_to_csv({"kinetic_energy"});
    options.input = TextFormat::kJson;
    options.order = Convention::kMujoco;
    const std::string csv = evaluate(model, write_state(model, q, v, v, v), "s", options);
    for (const char* column : {",v.base.linear.x@mujoco,", ",a.base.linear.z@mujoco,",
                               ",tau.base.linear.y@mujoco,", ",v.base.angular.x,", ",q.base."})
        EXPECT_NE(("," + csv).find(column), std::string::npos) << csv;
    options.input = TextFormat::kCsv;
    // An earlier version's table has no marks.
    std::string old = csv;
    for (std::size_t at; (at = old.find("@mujoco")) != std::string::npos;) old.erase(at, 7);
    EXPECT_EQ(evaluate(model, old, "old.csv", options), csv);
    options.order = Convention::kFile;
    EXPECT_EQ(test::message([&] { (void)evaluate(model, csv, "s.csv", options); }),
              "s.csv:1: column 20: 'v.base.linear.x@mujoco' is in the order mujoco, but is read "
              "in the order file; read it with --order mujoco");
    // Elsewhere it says nothing.
    EvaluateOptions lenient = csv_to_csv({"total_mass"});
    lenient.ignore_other_columns = true;
    EXPECT_NO_THROW((void)evaluate(model, "time,note@mujoco\n1,2\n", "s.csv", lenient));
}

// A floating base has the name of its joint, and the common one.
TEST(EvaluateCsv, KnowsTheBaseByBothNames) {
    Description d = robots::quadruped().description();
    d.base_joint = "root";
    const Model model(d);
    const VectorX<double> q = neutral_configuration(model);
    const VectorX<double> v = VectorX<double>::LinSpaced(model.nv(), -1, 1);
    for (const Convention order : {Convention::kFile, Convention::kMujoco}) {
        EvaluateOptions options = csv_to_csv({"kinetic_energy"});
        options.order = order;
        options.input = TextFormat::kJson;
        const std::string csv = evaluate(model, write_state(model, q, v, v, v), "s", options);
        EXPECT_EQ(csv.find("base."), std::string::npos);
        options.input = TextFormat::kCsv;
        std::string common = csv;
        for (std::size_t at; (at = common.find("root.")) != std::string::npos;)
            common.replace(at, 5, "base.");
        EXPECT_EQ(evaluate(model, common, "common.csv", options), csv);
        const std::string both = "q.base.position.x," + csv.substr(0, csv.find('\n')) + "\n0\n";
        EXPECT_NE(test::message([&] {
                      (void)evaluate(model, both, "both.csv", options);
                  }).find("'q.root.position.x' is also column 1, 'q.base.position.x'"),
                  std::string::npos);
    }
    // Where another joint has the common name, it keeps it.
    d.joints[0].name = "base";
    EXPECT_NE(test::message([&] {
                  (void)evaluate(Model(d), "q.base,q.base.position.x\n0,0\n", "s.csv",
                                 csv_to_csv({"com"}));
              }).find("there is no column 'q.root.position.y'"),
              std::string::npos);
}

// The same numbers, however they are laid out.
TEST(EvaluateCsv, TakesWhatOtherToolsWrite) {
    const EvaluateOptions options = csv_to_csv({"gravity_torque"});
    const std::string plain = answer_to("q.shoulder,q.elbow\n0.5,-1\n0.25,2\n", options);
    for (const char* same : {
             "q.shoulder,q.elbow\r\n0.5,-1\r\n0.25,2\r\n",        // line ends of Windows
             "q.shoulder,q.elbow\n0.5,-1\n0.25,2",                // no end of the last line
             "\xEF\xBB\xBFq.shoulder,q.elbow\n0.5,-1\n0.25,2\n",  // byte order mark
             "# a log\n\nq.shoulder,q.elbow\n# here\n0.5,-1\n\n0.25,2\n",  // comments, empty lines
             "\"q.shoulder\",\"q.elbow\"\n\"0.5\",\"-1\"\n0.25,\"2\"\n",   // quotes
             " q.shoulder , q.elbow \n 0.5 ,\t-1\n+0.25, 2.0e0 \n",        // spaces
             "q.shoulder;q.elbow\n0.5;-1\n0.25;2\n",                       // semicolons
             "q.shoulder\tq.elbow\n0.5\t-1\n0.25\t2\n",                    // tabs
             "q.elbow,q.shoulder\n-1,0.5\n2,0.25\n",  // another order of columns
             "q.shoulder,q.elbow,gravity_torque.elbow,unavailable\n0.5,-1,7,\n0.25,2,,\"a, "
             "\"\"b\"\"\"\n",
         }) {
        EXPECT_EQ(answer_to(same, options), plain) << same;
    }
    EvaluateOptions lenient = options;
    lenient.ignore_other_columns = true;
    EXPECT_EQ(answer_to("q.shoulder,battery,q.elbow\n0.5,low,-1\n0.25,,2\n", lenient), plain);
    // A comma within a name separates nothing.
    EXPECT_EQ(answer_to("\"a,b\";q.shoulder;q.elbow\n1;0.5;-1\n2;0.25;2\n", lenient), plain);
    // What looks like a coordinate is one that is mistyped.
    for (const char* mistyped : {"q.elbw", "v.elbw", "a.elbw", "tau.elbw"}) {
        EXPECT_NE(test::message([&] {
                      (void)answer_to("q.shoulder,q.elbow," + std::string(mistyped) + "\n0,0,0\n",
                                      lenient);
                  }).find("unknown column"),
                  std::string::npos)
            << mistyped;
    }
}

TEST(EvaluateCsv, ReadsAndWritesAlikeInEveryLocale) {
    const EvaluateOptions options = csv_to_csv({"gravity_torque"});
    const std::string csv = "q.shoulder,q.elbow\n0.5,-1.25\n";
    const std::string plain = answer_to(csv, options);
    const test::CommaLocale comma;
    EXPECT_EQ(answer_to(csv, options), plain);
}

TEST(EvaluateCsv, TakesForcesInColumns) {
    const Model model = robots::double_pendulum();
    const std::string frame = model.body_name(2);
    std::string header = "q.shoulder,q.elbow,v.shoulder,v.elbow,a.shoulder,a.elbow";
    for (const char* component :
         {"angular.x", "angular.y", "angular.z", "linear.x", "linear.y", "linear.z"}) {
        header += ",external." + frame + ".world_aligned." + component;
    }
    const json got = json::parse(evaluate(model, header + "\n0.1,0.2,0.3,0.4,0.5,0.6,1,2,3,4,5,6\n",
                                          "log.csv", csv_to_json({"inverse_dynamics"})));
    ExternalForces<double> forces(model);
    forces.add(frame, {{1, 2, 3}, {4, 5, 6}}, ReferenceFrame::kWorldAligned);
    const VectorX<double> expected =
        inverse_dynamics(model, Eigen::Vector2d(0.1, 0.2), Eigen::Vector2d(0.3, 0.4),
                         Eigen::Vector2d(0.5, 0.6), &forces);
    EXPECT_LE((test::to_matrix(got["samples"][0]["inverse_dynamics"]) - expected).norm(), 1e-12);
}

// Time is called time or t.
TEST(EvaluateCsv, KnowsTimeByEitherName) {
    const std::string rows = ",q.elbow,q.shoulder\n0.5,0,0.25\n";
    EXPECT_EQ(answer_to("t" + rows, csv_to_csv({"com"})),
              answer_to("time" + rows, csv_to_csv({"com"})));
}

// An answer is made of numbers, or there is none.
TEST(EvaluateCsv, RefusesAnswersThatAreNotFinite) {
    const std::string table = "q.shoulder,q.elbow,v.shoulder,v.elbow\n0,0,1e200,1\n";
    EXPECT_NE(test::message([&] {
                  (void)answer_to(table, csv_to_csv({"kinetic_energy"}));
              }).find("log.csv:2: kinetic_energy is not finite at this state"),
              std::string::npos);
    const std::string all = answer_to(table, csv_to_json({"all"}));
    EXPECT_NE(json::parse(all)["samples"][0]["unavailable"]
                  .value("kinetic_energy", "")
                  .find("not finite"),
              std::string::npos);
}

// A place has one set of columns: forces that act there together are one force there.
// A frame's name may have dots, and words that stand behind names.
TEST(EvaluateCsv, TakesForcesOnFramesWithDotsInTheirNames) {
    for (const std::string frame : {"left.foot", "a.body.b", "tip.world", ".", "x.angular.x"}) {
        Description d = robots::double_pendulum().description();
        d.frames.push_back({frame, d.links.back().name, Pose<double>::translation(0, 0, 0.1), {}});
        const Model model(d);
        for (const std::string in : {"body", "world", "world_aligned"}) {
            std::string header = "q.shoulder,q.elbow,v.shoulder,v.elbow,a.shoulder,a.elbow";
            for (const char* component :
                 {"angular.x", "angular.y", "angular.z", "linear.x", "linear.y", "linear.z"})
                header += ",external." + frame + "." + in + "." + component;
            const json got =
                json::parse(evaluate(model, header + "\n0.1,0.2,0.3,0.4,0.5,0.6,1,2,3,4,5,6\n",
                                     "log.csv", csv_to_json({"inverse_dynamics"})));
            ExternalForces<double> forces(model);
            forces.add(frame, {{1, 2, 3}, {4, 5, 6}},
                       in == "body"    ? ReferenceFrame::kBody
                       : in == "world" ? ReferenceFrame::kWorld
                                       : ReferenceFrame::kWorldAligned);
            const VectorX<double> expected =
                inverse_dynamics(model, Eigen::Vector2d(0.1, 0.2), Eigen::Vector2d(0.3, 0.4),
                                 Eigen::Vector2d(0.5, 0.6), &forces);
            EXPECT_LE((test::to_matrix(got["samples"][0]["inverse_dynamics"]) - expected).norm(),
                      1e-12)
                << frame << " " << in;
        }
    }
}
TEST(EvaluateCsv, AddsForcesThatActAtOnePlace) {
    const std::string state = R"({"q": [0.3, 0.4], "v": [1, 2], "a": [3, 4], "external_forces": [
        {"frame": "lower", "in": "world", "angular": [1, 2, 3], "linear": [4, 5, 6]},
        {"frame": "lower", "in": "world", "angular": [10, 20, 30], "linear": [40, 50, 60]},
        {"frame": "lower", "in": "body", "angular": [0, 0, 1], "linear": [0, 1, 0]}]})";
    EvaluateOptions options = csv_to_csv({"inverse_dynamics"});
    options.input = TextFormat::kJson;
    const std::string csv = answer_to(state, options);
    EXPECT_NE(csv.find(",11,22,33,44,55,66,"), std::string::npos) << csv;
    // Read again, it is the same state, whose torques are summed in another order.
    const std::string again = answer_to(csv, csv_to_csv({"inverse_dynamics"}));
    const auto state_of = [](const std::string& x) { return x.substr(0, x.find(",66,")); };
    EXPECT_EQ(state_of(again), state_of(csv));
}

TEST(EvaluateCsv, LeavesFieldsEmptyAndSaysWhy) {
    const Model model = Builder("tool_changer")
                            .link("base")
                            .body("base", revolute("arm", {0, 1, 0}), "upper",
                                  MassProperties::sphere(2, 0.1, {0, 0, 1}))
                            .body("upper", revolute("spin", {0, 0, 1}), "flange")
                            .build();
    const std::string csv = evaluate(model, "q.arm,q.spin\n0,0\n", "log.csv", csv_to_csv({"all"}));
    EXPECT_EQ(csv.find("inverse_mass_matrix."), std::string::npos);
    EXPECT_NE(csv.find(",unavailable\n"), std::string::npos);
    EXPECT_NE(csv.find("\"inverse_mass_matrix: "), std::string::npos) << csv;
    EXPECT_NE(csv.find("the mass matrix is singular at joint 'spin'"), std::string::npos);
    EXPECT_NO_THROW(evaluate(model, csv, "again.csv", csv_to_csv({"com"})));
}

struct BadTable {
    const char* name;
    const char* text;
    const char* complaint;
};
void PrintTo(const BadTable& bad, std::ostream* out) { *out << bad.name; }

class EvaluateCsvRefuses : public testing::TestWithParam<BadTable> {};
TEST_P(EvaluateCsvRefuses, AndSaysWhereAndWhy) {
    const std::string said =
        test::message([] { (void)answer_to(GetParam().text, csv_to_csv({"mass_matrix"})); });
    EXPECT_NE(said.find(GetParam().complaint), std::string::npos) << said;
    EXPECT_EQ(said.rfind("log.csv:", 0), 0U) << said;
}
INSTANTIATE_TEST_SUITE_P(
    Tables, EvaluateCsvRefuses,
    testing::Values(
        BadTable{"Empty", "", "log.csv: there is no row with the names of the columns"},
        BadTable{"OnlyComments", "# q.shoulder\n\n", "there is no row with the names"},
        BadTable{"NoRows", "q.shoulder,q.elbow\n", "log.csv: there is no state in it"},
        BadTable{"NoHeader", "0.5,0.25\n1,2\n", "log.csv:1: column 1: unknown column '0.5'"},
        BadTable{"NoHeaderRemedy", "0.5,0.25\n1,2\n", "the first row must name the columns"},
        BadTable{"Misspelt", "q.shoulder,q.elbw\n1,2\n",
                 "log.csv:1: column 2: unknown column 'q.elbw'; closest: 'q.elbow'"},
        BadTable{"NoPrefix", "shoulder,q.elbow\n1,2\n", "unknown column 'shoulder'"},
        BadTable{"Missing", "q.shoulder\n1\n", "log.csv:1: there is no column 'q.elbow'"},
        BadTable{"MissingV", "q.shoulder,q.elbow,v.elbow\n1,1,1\n",
                 "there is no column 'v.shoulder'"},
        BadTable{"Twice", "q.shoulder,q.elbow,q.shoulder\n1,2,3\n",
                 "log.csv:1: column 3: 'q.shoulder' is also column 1"},
        BadTable{"NoQ", "time\n1\n", "log.csv:2: mass_matrix needs \"q\""},
        BadTable{"ShortRow", "q.shoulder,q.elbow\n1,2\n1\n",
                 "log.csv:3: the row has 1 field, but there are 2 columns"},
        BadTable{"LongRow", "q.shoulder,q.elbow\n1,2,3\n", "log.csv:2: the row has 3 fields"},
        BadTable{"TrailingComma", "q.shoulder,q.elbow\n1,2,\n", "log.csv:2: the row has 3 fields"},
        BadTable{"EmptyField", "q.shoulder,q.elbow\n1,\n",
                 "log.csv:2: column 2 (q.elbow): '' is not a number"},
        BadTable{"Text", "# log\nq.shoulder,q.elbow\n1,two\n",
                 "log.csv:3: column 2 (q.elbow): 'two' is not a number"},
        BadTable{"Tail", "q.shoulder,q.elbow\n1,2rad\n", "'2rad' is not a number"},
        BadTable{"Nan", "q.shoulder,q.elbow\n1,nan\n", "(q.elbow): 'nan' is not finite"},
        BadTable{"Infinite", "q.shoulder,q.elbow\n-inf,1\n", "'-inf' is not finite"},
        BadTable{"Overflow", "q.shoulder,q.elbow\n1,1e999\n", "'1e999' is out of the range"},
        BadTable{"DecimalComma", "q.shoulder;q.elbow\n1,5;2\n",
                 "'1,5' is not a number; decimals follow a point"},
        BadTable{"Hexadecimal", "q.shoulder,q.elbow\n0x10,2\n", "'0x10' is not a number"},
        BadTable{"OpenQuote", "q.shoulder,q.elbow\n1,\"2\n",
                 "log.csv:2: column 2: a quoted field is not closed"},
        BadTable{"AfterQuote", "q.shoulder,q.elbow\n\"1\"2,3\n",
                 "log.csv:2: column 1: there is more after the closing quote"},
        BadTable{"LineAfterQuotedLines", "q.shoulder,q.elbow,unavailable\n1,2,\"a\nb\"\n1,x,\n",
                 "log.csv:4: column 2 (q.elbow): 'x'"},
        BadTable{"Json", "{\"q\": [1, 2]}", "unknown column"},
        BadTable{"ForceFrame", "q.shoulder,q.elbow,external.hand.world.linear.x\n1,2,3\n",
                 "column 3: unknown frame 'hand'"},
        BadTable{"ForceReference", "q.shoulder,q.elbow,external.lower.wrld.linear.x\n1,2,3\n",
                 "unknown coordinates 'wrld'; closest: 'world'"},
        BadTable{"ForceWithoutFrame", "q.shoulder,q.elbow,external.linear.x\n1,2,3\n",
                 "'external.linear.x' must be external.FRAME.IN.linear.x"},
        BadTable{"ForceComponent", "q.shoulder,q.elbow,external.lower.world.x\n1,2,3\n",
                 "must end in .angular.x"},
        BadTable{"ForcePart", "q.shoulder,q.elbow,external.lower.world.linear.x\n1,2,3\n",
                 "has 1 of its 6 columns"}),
    [](const auto& test) { return test.param.name; });

TEST(EvaluateCsv, NeedsConfigurationsWhereTheOrderTurns) {
    EvaluateOptions options = csv_to_csv({"friction_torque"});
    options.order = Convention::kMujoco;
    const Model model = with_base(robots::pendulum(), Base::kFloating);
    const Coordinates coordinates(model, Convention::kMujoco);
    std::string header, row;
    for (const std::string& name : coordinates.v_names()) {
        header += (header.empty() ? "v." : ",v.") + name;
        row += row.empty() ? "1" : ",1";
    }
    EXPECT_NE(test::message([&] {
                  (void)evaluate(model, header + "\n" + row, "log.csv", options);
              }).find("in this order v and tau need q"),
              std::string::npos);
    // Accelerations need velocities, too.
    std::string with_q, q_row;
    for (const std::string& name : coordinates.q_names()) {
        with_q += "q." + name + ",";
        q_row += name.ends_with(".w") ? "1," : "0,";
    }
    for (const std::string& name : coordinates.v_names()) with_q += "a." + name + ",";
    with_q.pop_back();
    EXPECT_NE(test::message([&] {
                  (void)evaluate(model, with_q + "\n" + q_row + row, "log.csv", options);
              }).find("a needs q and v"),
              std::string::npos);
    options.input = TextFormat::kJson;
    // By name they are our own, and can be read; to tell the answer in that order takes q.
    const std::string named =
        R"({"v": {"base": {"angular": [1,1,1], "linear": [1,1,1]}, "joints": {"hinge": 1}}})";
    EXPECT_NE(test::message([&] {
                  (void)evaluate(model, named, "s.json", options);
              }).find("friction_torque needs \"q\""),
              std::string::npos);
    // Each by itself: torques are turned, too.
    for (const char* key : {"v", "a", "tau"}) {
        const std::string text = std::string("{\"") + key + "\": [" + row + "]}";
        EXPECT_NE(test::message([&] {
                      (void)evaluate(model, text, "s.json", options);
                  }).find(std::string(key) + " as an array in this order needs \"q\""),
                  std::string::npos)
            << key;
    }
}

}  // namespace
}  // namespace plucker
