#include "plucker/view/page.hpp"

#include <filesystem>
#include <memory>
#include <optional>

#include "browser.hpp"
#include "commands.hpp"
#include "input.hpp"
#include "model_argument.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

struct ViewOptions {
    std::vector<std::string> recordings;  // beyond the first argument
    std::string output;
    bool open = false;
};

// A file, and what it holds where that can be read but once.
struct Input {
    std::string path;
    std::optional<std::string> text = {};

    explicit Input(const std::string& at) : path(at) {
        std::error_code ignored;
        const bool is_pipe = at == "-" || (std::filesystem::exists(at, ignored) &&
                                           !std::filesystem::is_regular_file(at, ignored) &&
                                           !std::filesystem::is_directory(at, ignored));
        if (is_pipe) text = read_input(at);
    }
    std::string name() const { return name_of_input(path); }
    // In the page.
    std::string title() const {
        return path == "-" ? "recording" : std::filesystem::path(path).stem().string();
    }
    bool holds_recording() const { return text ? is_recording_text(*text) : is_recording(path); }
    RecordingHeader header() const {
        return text ? read_recording_header_text(*text, name()) : read_recording_header(path);
    }
    Recording recording(const Model& model) const {
        return text ? read_recording_text(model, *text, name()) : read_recording(model, path);
    }
};

// The robot that a recording is of, loaded as it was then. What is said now counts more.
void take_over(RecordingHeader header, const Input& recording, ModelArgument& argument) {
    const std::string remedy = "; name the robot first: plucker view MODEL " + recording.path;
    if (header.model.empty()) throw Error(recording.name() + ": does not name its robot" + remedy);
    if (!find_files(recording.path, header)) {
        throw Error::because(recording.name(), ": is of the robot '", header.model,
                             "', and there is no such file here or beside the recording", remedy);
    }
    argument.name = header.model;
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
    return (stem.empty() || stem == "-" ? "robot" : stem) + ".html";
}

void show(ModelArgument argument, const ViewOptions& options) {
    check_is_page("--output", options.output);
    const Input first(argument.name);
    std::vector<Input> inputs;
    if (first.holds_recording()) {
        take_over(first.header(), first, argument);
        inputs.push_back(first);
    } else {
        argument.name = first.name();
        argument.text = first.text;
    }
    for (const std::string& path : options.recordings) inputs.emplace_back(path);
    if (std::string why; !has_viewer(&why)) throw Error("view: " + why);
    const Model model = argument.load();

    std::vector<Recording> recordings;
    recordings.reserve(inputs.size());
    std::vector<ShownMotion> motions;
    for (const Input& input : inputs) {
        recordings.push_back(input.recording(model));
        motions.push_back({input.title(), &recordings.back()});
        const std::string& of = recordings.back().header.model;
        if (motions.size() > 1 && !of.empty() && of != recordings.front().header.model) {
            complain("{}: note: is of {}, and is shown as {}\n", input.name(), of, argument.name);
        }
        if (recordings.back().cut_off)
            complain("{}: warning: the last line is incomplete and is left out\n", input.name());
    }
    std::vector<Diagnostic> diagnostics;
    const std::string output = options.output.empty() ? default_output(first.path) : options.output;
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
        "  plucker simulate robot.urdf --duration 5 | plucker view - --output run.html\n"
        "  plucker view before.jsonl after.jsonl --output both.html");
    auto argument = add_model_argument(*command);
    command->get_option("MODEL")->description(
        "A robot file (URDF, SDF, MJCF), builtin:NAME, or a recording of simulate; - for standard "
        "input");
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
