#include "plucker/view/page.hpp"

#include <filesystem>
#include <memory>

#include "browser.hpp"
#include "commands.hpp"
#include "model_argument.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

struct ViewOptions {
    std::vector<std::string> recordings;  // beyond the first argument
    std::string output;
    bool open = false;
};

// The robot that a recording is of, loaded as it was then. What is said now counts more.
void take_over(const RecordingHeader& header, const std::string& recording,
               ModelArgument& argument) {
    argument.name = header.model;
    if (header.model.empty()) {
        throw Error::because(recording,
                             ": does not name its robot; name the robot first: plucker view MODEL ",
                             recording);
    }
    // A recording may have been moved together with its robot.
    const std::filesystem::path beside =
        std::filesystem::path(recording).parent_path() / argument.name;
    std::error_code ignored;
    if (!argument.name.starts_with("builtin:") &&
        !std::filesystem::exists(argument.name, ignored) &&
        std::filesystem::exists(beside, ignored))
        argument.name = beside.string();
    argument.floating = argument.floating || header.floating;
    argument.no_friction = argument.no_friction || header.no_friction;
    if (argument.gravity.empty() && header.gravity)
        argument.gravity = {header.gravity->x, header.gravity->y, header.gravity->z};
    if (argument.model.empty()) argument.model = header.which;
    for (const std::string& path : header.package_paths) argument.package_paths.push_back(path);
}

// "robot.html" of "builtin:robot", "some/robot.urdf" or "some/robot.jsonl".
std::string default_output(const std::string& input) {
    const std::string name = input.substr(input.find(':') + 1);
    std::string stem = std::filesystem::path(name).stem().string();
    for (char& c : stem) {
        if (c == '(' || c == ')' || c == ',') c = '_';
    }
    return (stem.empty() ? "robot" : stem) + ".html";
}

void show(ModelArgument argument, const ViewOptions& options) {
    check_is_page("--output", options.output);
    const std::string input = argument.name;
    std::vector<std::string> paths;
    if (is_recording(argument.name)) {
        paths.push_back(argument.name);
        take_over(read_recording_header(argument.name), paths.front(), argument);
    }
    paths.insert(paths.end(), options.recordings.begin(), options.recordings.end());
    if (std::string why; !has_viewer(&why)) throw Error("view: " + why);
    const Model model = argument.load();

    std::vector<Recording> recordings;
    recordings.reserve(paths.size());
    std::vector<ShownMotion> motions;
    for (const std::string& path : paths) {
        recordings.push_back(read_recording(model, path));
        motions.push_back({std::filesystem::path(path).stem().string(), &recordings.back()});
        const std::string& of = recordings.back().header.model;
        if (motions.size() > 1 && !of.empty() && of != recordings.front().header.model) {
            complain("{}: note: is of {}, and is shown as {}\n", path, of, argument.name);
        }
        if (recordings.back().cut_off)
            complain("{}: warning: the last line is incomplete and is left out\n", path);
    }
    std::vector<Diagnostic> diagnostics;
    const std::string output = options.output.empty() ? default_output(input) : options.output;
    write_page(model, motions, output, {}, &diagnostics);
    for (const Diagnostic& d : diagnostics) complain("{}: {}\n", argument.name, to_string(d));
    tell_of_page(output);
    if (options.open) open_in_browser(output);
}

}  // namespace

void add_view(CLI::App& app) {
    auto options = std::make_shared<ViewOptions>();
    auto* command = app.add_subcommand("view", "Write a page that shows a robot or a recording");
    command->footer(
        "The page is one HTML file. It needs no network and no server: double-click it.\n"
        "Without a recording the robot moves its joints in turn.\n"
        "\n"
        "Examples:\n"
        "  plucker view builtin:humanoid --open\n"
        "  plucker view robot.urdf --output robot.html\n"
        "  plucker view run.jsonl\n"
        "  plucker view before.jsonl after.jsonl --output both.html");
    auto argument = add_model_argument(*command);
    command->get_option("MODEL")->description(
        "A robot file (URDF, SDF, MJCF), builtin:NAME, or a recording of simulate");
    command
        ->add_option("RECORDING", options->recordings,
                     "Recordings of this robot; the first is shown in full, others beside it")
        ->type_name("FILE");
    command
        ->add_option("--output", options->output,
                     "The file to write; default NAME.html in this folder")
        ->option_text("FILE");
    command->add_flag("--open", options->open, "Open it in the browser");
    command->callback([argument, options] { show(*argument, *options); });
}

}  // namespace plucker::cli
