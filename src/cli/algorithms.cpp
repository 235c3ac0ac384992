// plucker algorithms: the table, for people (a list, or one in full), for pages (Markdown) and for programs (JSON).
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "plucker/algorithms/algorithm.hpp"
#include "plucker/algorithms/sentence.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

struct Options {
    std::string name;
    bool json = false;
    bool markdown = false;
};

// --- The three ways of calling a row ---------------------------------------------------------------

std::vector<std::string> states(const Algorithm& row) {
    std::vector<std::string> out{"q", "v", "a"};
    out.resize(static_cast<std::size_t>(row.num_states()));
    return out;
}
void append(std::vector<std::string>& out, const Arguments& arguments) {
    for (const Argument& x : arguments) {
        out.push_back(may_be_left_out(x.kind) ? fmt::format("[{}]", x.name) : x.name);
    }
}
std::string in_place(const Algorithm& row) {
    std::vector<std::string> out{"workspace"};
    append(out, row.inputs);
    if (row.returns())
        return fmt::format("{} = {}({})", row.outputs[0].name, row.name, joined(out));
    append(out, row.outputs);
    return fmt::format("{}({})", row.name, joined(out));
}
std::string by_value(const Algorithm& row) {
    std::vector<std::string> out{"model"}, results;
    for (const std::string& state : states(row)) out.push_back(state);
    append(out, row.inputs);
    for (const Argument& x : row.outputs) {
        if (x.reads != Reads::kNothing) out.emplace_back(x.name);
        results.emplace_back(x.name);
    }
    // Another way for a function returns what that one returns.
    if (row.another_way_for != nullptr) results = {results.back()};
    return fmt::format("{} = {}({})", joined(results), row.name, joined(out));
}
std::string over_many_states(const Algorithm& row) {
    std::vector<std::string> out{"evaluator"};
    for (const std::string& state : states(row)) out.push_back(state);
    append(out, row.inputs);
    append(out, row.outputs);
    out.emplace_back("[status]");
    return fmt::format("{}({})", row.name, joined(out));
}
std::vector<std::string> calls(const Algorithm& row) {
    if (row.fills_kinematics) return {in_place(row)};
    return {in_place(row), by_value(row), over_many_states(row)};
}

// What does not enter its results.
constexpr const char* kWithout = "the robot's constraints";

// --- What it needs ------------------------------------------------------------------------------------

std::vector<std::string> needs(const Algorithm& row) {
    std::vector<std::string> out;
    if (row.num_states() > 0) {
        out.push_back(
            fmt::format("forward_kinematics(workspace, {}) before a call with a workspace",
                        joined(states(row))));
    }
    if (row.needs_floating_base) out.emplace_back("a floating base");
    if (row.needs_free_frame) out.emplace_back("a frame that can move in all six directions");
    if (row.needs_regular_mass_matrix) out.emplace_back("a regular mass matrix");
    if (row.needs_mass) out.emplace_back("a subtree that has mass");
    return out;
}
std::string shape(const Argument& x) {
    std::string out = fmt::format("{} ({})", x.name, extent_in_words(x.kind));
    if (x.reads == Reads::kAll) out += ", read and written";
    if (x.reads == Reads::kJoints) out += ", entries of the joints read, those of the base written";
    if (x.reads == Reads::kGiven) out += ", given entries read, the others written";
    return out;
}
std::vector<std::string> shapes(const Arguments& arguments) {
    std::vector<std::string> out;
    for (const Argument& x : arguments) out.push_back(shape(x));
    return out;
}

// --- Output ---------------------------------------------------------------------------------------------

nlohmann::ordered_json json_of(const Algorithm& row) {
    const auto list = [](const Arguments& arguments) {
        nlohmann::ordered_json out = nlohmann::ordered_json::array();
        for (const Argument& x : arguments) {
            out.push_back({{"name", x.name},
                           {"shape", extent_in_words(x.kind)},
                           {"may_be_left_out", may_be_left_out(x.kind)},
                           {"read", x.reads != Reads::kNothing}});
        }
        return out;
    };
    nlohmann::ordered_json out{{"name", row.name},
                               {"says", row.says},
                               {"source", row.source},
                               {"calls", calls(row)},
                               {"states", states(row)},
                               {"inputs", list(row.inputs)},
                               {"outputs", list(row.outputs)},
                               {"needs_floating_base", row.needs_floating_base},
                               {"needs_free_frame", row.needs_free_frame},
                               {"needs_regular_mass_matrix", row.needs_regular_mass_matrix},
                               {"needs_mass", row.needs_mass},
                               {"leaves_out_constraints", leaves_out_constraints(row)}};
    if (row.another_way_for != nullptr) out["another_way_for"] = row.another_way_for;
    return out;
}

void print_in_full(const Algorithm& row) {
    print("{}: {}\n", bold(row.name), row.says);
    for (const std::string& call : calls(row)) print("    {}\n", call);
    const auto line = [](const char* what, const std::vector<std::string>& words) {
        if (!words.empty()) print("  {:<8} {}\n", what, joined(words, "; "));
    };
    line("inputs", shapes(row.inputs));
    line("outputs", shapes(row.outputs));
    line("needs", needs(row));
    if (leaves_out_constraints(row)) line("without", {kWithout});
    if (row.another_way_for != nullptr) line("prefer", {row.another_way_for});
    line("source", {row.source});
}

void print_page(std::span<const Algorithm> rows) {
    print(
        "# Algorithms\n\n"
        "Every algorithm is a row of a table (`include/plucker/algorithms/table/`) and a function "
        "that you can call in\n"
        "three ways: in place with a `Workspace`, without allocation; by value with a `Model`; "
        "over "
        "many states with a\n"
        "`batch::Evaluator`. Arguments in brackets are optional. `plucker algorithms --markdown` "
        "prints this page;\n"
        "`plucker algorithms ALGORITHM` shows one algorithm, `--json` is for programs.\n"
        "\n"
        "A function \"without the robot's constraints\" relates torques with accelerations; its "
        "results are those of the tree with\n"
        "its loops cut open ([which functions know "
        "them](simulation.md#which-functions-know-them)).\n");
    for (const Algorithm& row : rows) {
        print("\n## {}\n\n{}.\n\n```\n", row.name, sentence_of(row.says));
        for (const std::string& call : calls(row)) print("{}\n", call);
        print("```\n\n");
        const auto line = [](const char* what, const std::vector<std::string>& words) {
            if (!words.empty()) print("- {}: {}\n", what, joined(words, "; "));
        };
        line("inputs", shapes(row.inputs));
        line("outputs", shapes(row.outputs));
        line("needs", needs(row));
        if (leaves_out_constraints(row)) line("without", {kWithout});
        if (row.another_way_for != nullptr)
            print("- alternative to `{}`; prefer that function\n", row.another_way_for);
        print("- source: {}\n", row.source);
    }
}

void run_algorithms(const Options& options) {
    std::vector<Algorithm> rows(algorithms().begin(), algorithms().end());
    if (!options.name.empty()) {
        row_named(options.name, "algorithm", [](const Algorithm&) { return true; });
        std::erase_if(rows, [&](const Algorithm& row) { return row.name != options.name; });
    }
    if (options.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Algorithm& row : rows) list.push_back(json_of(row));
        print_json(list);
    } else if (options.markdown) {
        print_page(rows);
    } else if (!options.name.empty()) {
        for (const Algorithm& row : rows) print_in_full(row);
    } else {
        for (const Algorithm& row : rows) print("{:<42} {}\n", row.name, row.says);
        print(
            "\nplucker algorithms ALGORITHM shows how one is called, what it needs, and its "
            "source.\n");
    }
}

}  // namespace

void add_algorithms(CLI::App& app) {
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("algorithms", "List the algorithms, or show one in full");
    command->footer(
        "Examples:\n"
        "  plucker algorithms\n"
        "  plucker algorithms inverse_dynamics");
    command->add_option("ALGORITHM", options->name, "The algorithm to show");
    auto* json = command->add_flag("--json", options->json, "Machine-readable output");
    command->add_flag("--markdown", options->markdown, "Markdown output")->excludes(json);
    command->callback([options] { run_algorithms(*options); });
}

}  // namespace plucker::cli
