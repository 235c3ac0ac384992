#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/model/suspicions.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

struct CheckOptions {
    std::vector<std::string> models;
    ModelArgument common;
    bool strict = false;
    bool as_json = false;
};

// A file that cannot be read is a finding too, and sets the exit code of a failure.
std::vector<Diagnostic> diagnose(const ModelArgument& argument) {
    std::vector<Diagnostic> found;
    try {
        ReadResult result = argument.read();
        found = std::move(result.diagnostics);
        if (!has_errors(found)) {
            for (Diagnostic& d : find_suspicions(result.description)) found.push_back(std::move(d));
        }
    } catch (const Error& error) {
        Diagnostic unreadable;
        unreadable.message = error.what();
        found.push_back(std::move(unreadable));
        set_exit_code(kFailure);
    }
    for (Diagnostic& d : found) {
        if (d.at.file.empty() && d.message.find(argument.name) != 0) d.at.file = argument.name;
    }
    std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return a.at.line < b.at.line;
    });
    return found;
}

void run(const CheckOptions& options) {
    nlohmann::json report = nlohmann::json::array();
    std::size_t counts[3] = {0, 0, 0};
    for (const std::string& model : options.models) {
        ModelArgument argument = options.common;
        argument.name = model;
        for (Diagnostic& d : diagnose(argument)) {
            if (options.strict && d.severity == Severity::kWarning) d.severity = Severity::kError;
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
    command->add_flag("--strict", options->strict, "Warnings are errors");
    add_model_options(*command, options->common);
    command->add_flag("--json", options->as_json, "Machine-readable output");
    command->callback([options] { run(*options); });
}

}  // namespace plucker::cli
