#include <memory>

#include "commands.hpp"
#include "input.hpp"
#include "model_argument.hpp"
#include "open_loops.hpp"
#include "plucker/io/evaluate.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

std::string list_of_quantities() {
    std::string out = "Quantities: all";
    std::size_t width = out.size();
    for (const std::string& name : quantity_names()) {
        const bool wrap = width + name.size() > 76;
        out += (wrap ? ",\n  " : ", ") + name;
        width = wrap ? name.size() + 2 : width + name.size() + 2;
    }
    return out;
}

const char* const kHelp = R"(

A state: {"q": {"base": {"position": [x,y,z], "quaternion_xyzw": [x,y,z,w]},
                "joints": {"knee": 0.3}},
          "v": …, "a": …, "tau": …}
with v, a, tau by name, {"base": {"angular": […], "linear": […]}, "joints": {…}}. Each of them may be
an array instead, in the order of the answer's configuration_order (q) or velocity_order (v, a, tau).
A floating base stands under the name of its joint, or under "base".
Many states: an array, {"samples": […]}, JSON lines, or CSV with columns q.knee, v.knee, …, and
v.base.linear.x@mujoco for what that order has otherwise under the same name.

Examples:
  plucker eval arm.urdf --state state.json --quantity mass_matrix,gravity_torque
  plucker eval dog.urdf --floating --state - --quantity frames --frame FL_foot < states.jsonl
  plucker eval arm.urdf --state log.csv --quantity inverse_dynamics --output-format csv
  plucker eval dog.urdf --floating --state mujoco.json --order mujoco --quantity mass_matrix)";

}  // namespace

void add_eval(CLI::App& app) {
    struct Options {
        std::string states;
        std::string input, output = "json", order = "file";
        EvaluateOptions evaluate;
    };
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("eval", "Compute quantities at states given in JSON or CSV");
    command->footer(list_of_quantities() + kHelp);
    auto argument = add_model_argument(*command);
    command
        ->add_option("--state", options->states,
                     "A file with states in JSON, or in CSV if its name ends in .csv or .tsv; - "
                     "for standard input")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("--quantity", options->evaluate.quantities,
                     "What to compute, separated by commas; default all")
        ->option_text("A,B,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command
        ->add_option("--frame", options->evaluate.frames,
                     "Frames to report (repeatable); default all")
        ->option_text("NAME")
        ->allow_extra_args(false);
    command
        ->add_option("--order", options->order,
                     "Coordinates of arrays, rows, columns and CSV: file (joints as the file "
                     "declares them), "
                     "plucker (tree), pinocchio, mujoco, with their conventions for floating bases")
        ->check(CLI::IsMember(convention_names()))
        ->capture_default_str();
    command->add_option("--state-format", options->input, "json or csv; default by the file's name")
        ->check(CLI::IsMember({"json", "csv"}));
    command->add_option("--output-format", options->output, "json or csv: one row per state")
        ->check(CLI::IsMember({"json", "csv"}));
    command->add_flag("--ignore-other-columns", options->evaluate.ignore_other_columns,
                      "Ignore columns of the CSV that name no coordinate");
    command->callback([argument, options] {
        const Model model = argument->load();
        const std::string& path = options->states;
        EvaluateOptions& evaluation = options->evaluate;
        check_frames("--frame", model, evaluation.frames);
        evaluation.order = convention_named(options->order);
        evaluation.input = options->input.empty()    ? text_format_of(path)
                           : options->input == "csv" ? TextFormat::kCsv
                                                     : TextFormat::kJson;
        evaluation.output = options->output == "csv" ? TextFormat::kCsv : TextFormat::kJson;
        const std::string answers =
            evaluate(model, read_input(path), name_of_input(path), evaluation);
        note_left_out_constraints(*argument, model,
                                  quantities_without_constraints(model, evaluation.quantities),
                                  "constrained_forward_dynamics knows of constraints");
        if (evaluation.output == TextFormat::kCsv) {
            write_output(answers);
        } else {
            print_json_text(answers);
        }
    });
}

}  // namespace plucker::cli
