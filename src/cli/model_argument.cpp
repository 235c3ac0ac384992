#include "model_argument.hpp"

#include <algorithm>
#include <utility>

#include "plucker/model/edit.hpp"
#include "plucker/model/suspicions.hpp"
#include "plucker/robots/robots.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

constexpr const char* kBuiltin = "builtin:";

}  // namespace

ReadResult ModelArgument::read() const {
    ReadResult result;
    if (name.starts_with(kBuiltin)) {
        result.description =
            robots::by_name(name.substr(std::string(kBuiltin).size())).description();
        if (!model.empty() && model != result.description.name)
            throw unknown_name("model", model, {result.description.name});
        if (floating) result.description.base = Base::kFloating;
    } else {
        LoadOptions options;
        options.base = floating ? Base::kFloating : Base::kFixed;
        options.package_paths = package_paths;
        options.model = model;
        result = text ? read_robot_text(*text, name, options) : read_robot(name, options);
    }
    if (no_friction) result.description = without_friction(std::move(result.description));
    if (!gravity.empty()) result.description.gravity = {gravity[0], gravity[1], gravity[2]};
    auto& found = result.diagnostics;
    if (!has_errors(found)) {
        for (Diagnostic& d : find_suspicions(result.description)) found.push_back(std::move(d));
    }
    std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return a.at.line < b.at.line;
    });
    for (Diagnostic& d : found) {
        if (d.at.file.empty()) d.at.file = name;
        if (strict && d.severity == Severity::kWarning) d.severity = Severity::kError;
    }
    return result;
}

ReadResult ModelArgument::read_sound() const {
    ReadResult result = read();
    for (const Diagnostic& d : result.diagnostics) {
        if (d.severity == Severity::kError) throw Error(to_string(d));
    }
    return result;
}

Model ModelArgument::load() const {
    ReadResult result = read_sound();
    const auto warnings =
        std::count_if(result.diagnostics.begin(), result.diagnostics.end(),
                      [](const Diagnostic& d) { return d.severity == Severity::kWarning; });
    if (warnings > 0) {
        complain("{}: {}; see: plucker check {}\n", name, counted(warnings, "warning"), name);
    }
    return Model(std::move(result.description));
}

void check_frames(const char* option, const Model& model, const std::vector<std::string>& names) {
    for (const std::string& name : names) of_option(option, [&] { return model.frame_id(name); });
}

std::shared_ptr<ModelArgument> add_model_argument(CLI::App& command) {
    auto argument = std::make_shared<ModelArgument>();
    command.add_option("MODEL", argument->name, "A robot file (URDF, SDF, MJCF), or builtin:NAME")
        ->type_name("")
        ->required();
    add_model_options(command, *argument);
    return argument;
}

void add_model_options(CLI::App& command, ModelArgument& argument) {
    command.add_flag("--floating", argument.floating,
                     "Give the robot a floating base instead of a fixed one");
    command.add_flag("--strict", argument.strict, "Treat warnings as errors");
    // Asked for what is now done anyway.
    command.add_flag("--lenient")->group("");
    command.add_flag("--no-friction", argument.no_friction,
                     "Ignore the joints' damping and friction");
    // Without extra arguments, here and below: a list would take the names that follow it for its own.
    command.add_option("--gravity", argument.gravity, "Gravity in m/s²")
        ->option_text("X,Y,Z")
        ->delimiter(',')
        ->expected(3)
        ->allow_extra_args(false);
    command
        .add_option("--package-path", argument.package_paths,
                    "A folder with packages or models, for package:// and model:// (repeatable)")
        ->option_text("FOLDER")
        ->allow_extra_args(false);
    command
        .add_option("--model", argument.model, "The model to read from an SDF file with several")
        ->option_text("NAME");
}

}  // namespace plucker::cli
