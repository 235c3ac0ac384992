#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "model_argument.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

struct CheckOptions {
    std::vector<std::string> models;
    ModelArgument common;
    bool as_json = false;
};

// A file that cannot be read is a finding too, and sets the exit code of a failure.
std::vector<Diagnostic> diagnose(const ModelArgument& argument) {
    try {
        return argument.read().diagnostics;
    } catch (const Error& error) {
        Diagnostic unreadable;
        unreadable.message = error.what();
        unreadable.at.file = argument.name;
        // Most such errors begin with the file.
        if (const std::string place = argument.name + ": "; unreadable.message.starts_with(place))
            unreadable.message.erase(0, place.size());
        set_exit_code(kFailure);
        return {unreadable};
    }
}

void run(const CheckOptions& options) {
    nlohmann::json report = nlohmann::json::array();
    std::size_t counts[3] = {0, 0, 0};
    for (const std::string& model : options.models) {
        ModelArgument argument = options.common;
        argument.name = model;
        for (const Diagnostic& d : diagnose(argument)) {
            ++counts[static_cast<std::size_t>(d.severity)];
            if (options.as_json) {
                report.push_back({{"file", d.at.file},
                                  {"line", d.at.line},
                                  {"severity", name_of(d.severity)},
                                  {"element", d.element},
                                  {"message", d.message}});
                continue;
            }
            const std::string text = to_string(d);
            const std::string word = std::string(name_of(d.severity)) + ":";
            const auto at = text.find(" " + word);
            if (at == std::string::npos) {
                print("{}\n", text);
                continue;
            }
            print("{} {}{}\n", text.substr(0, at),
                  d.severity == Severity::kError ? red(word) : bold(word),
                  text.substr(at + 1 + word.size()));
        }
    }
    const auto [notes, warnings, errors] = counts;
    if (options.as_json) {
        print_json(nlohmann::json{
            {"diagnostics", report}, {"errors", errors}, {"warnings", warnings}, {"notes", notes}});
    } else {
        print("{}: {}, {}, {}\n", counted(options.models.size(), "model"), counted(errors, "error"),
              counted(warnings, "warning"), counted(notes, "note"));
    }
    if (errors > 0) set_exit_code(kFindings);
}

}  // namespace

void add_check(CLI::App& app) {
    auto options = std::make_shared<CheckOptions>();
    auto* command =
        app.add_subcommand("check", "Find mistakes in robot files, as a compiler would");
    command->footer(
        "Examples:\n  plucker check robot.urdf\n  plucker check --strict --json *.urdf");
    command->add_option("MODEL", options->models, "Robot files (URDF, SDF, MJCF), or builtin:NAME")
        ->type_name("")
        ->required();
    add_model_options(*command, options->common);
    command->add_flag("--json", options->as_json, "Machine-readable output");
    command->callback([options] { run(*options); });
}

}  // namespace plucker::cli
