#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/evaluate.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

std::string read_states(const std::string& path) {
    if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error::because(path, ": cannot be opened");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw Error::because(path, ": cannot be read; is it a folder?");
    return text;
}

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

}  // namespace

void add_eval(CLI::App& app) {
    struct Options {
        std::string states;
        EvaluateOptions evaluate;
    };
    auto options = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("eval", "Compute quantities at states given in JSON; answers in JSON");
    command->footer(
        list_of_quantities() +
        "\n\n"
        "A state: {\"q\": {\"base\": {\"position\": [x,y,z], \"quaternion_xyzw\": [x,y,z,w]},\n"
        "                \"joints\": {\"knee\": 0.3}},\n"
        "          \"v\": …, \"a\": …, \"tau\": …}\n"
        "with v, a, tau by name, {\"base\": {\"angular\": […], \"linear\": […]}, \"joints\": {…}}, "
        "or as an\n"
        "array in the answer's velocity_order. Many states: an array, {\"samples\": […]}, or JSON "
        "lines.\n"
        "\n"
        "Examples:\n"
        "  plucker eval arm.urdf --state state.json --quantity mass_matrix,gravity_torque\n"
        "  plucker eval dog.urdf --floating --state - --quantity frames --frame FL_foot < "
        "states.jsonl");
    auto argument = add_model_argument(*command);
    command
        ->add_option("--state", options->states,
                     "A file with states in JSON, or - for standard input")
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
    command->callback([argument, options] {
        const Model model = argument->load();
        const std::string name = options->states == "-" ? "standard input" : options->states;
        print_json_text(
            evaluate_json(model, read_states(options->states), name, options->evaluate));
    });
}

}  // namespace plucker::cli
