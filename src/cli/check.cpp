#include <fmt/core.h>

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

std::vector<Diagnostic> diagnose(const ModelArgument& argument) {
    try {
        return argument.read().diagnostics;
    } catch (const Error& error) {
        Diagnostic unreadable;
        unreadable.message = error.what();
        if (!unreadable.message.starts_with(argument.name)) unreadable.at.file = argument.name;
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
            std::string text = to_string(d);
            const std::string word = std::string(name_of(d.severity)) + ":";
            if (const auto at = text.find(" " + word); at != std::string::npos) {
                const std::string shown = d.severity == Severity::kError ? red(word) : bold(word);
                text.replace(at + 1, word.size(), shown);
            }
            fmt::print("{}\n", text);
        }
    }
    const auto [notes, warnings, errors] = counts;
    if (options.as_json) {
        fmt::print("{}\n", nlohmann::json{{"diagnostics", report},
                                          {"errors", errors},
                                          {"warnings", warnings},
                                          {"notes", notes}}
                               .dump(2));
    } else {
        const auto counted = [](auto n, const char* what) {
            return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
        };
        fmt::print("{}: {}, {}, {}\n", counted(options.models.size(), "model"),
                   counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note"));
    }
    if (errors > 0) set_exit_code(1);
}

}  // namespace

void add_check(CLI::App& app) {
    auto options = std::make_shared<CheckOptions>();
    auto* command =
        app.add_subcommand("check", "Find mistakes in robot files, as a compiler would");
    command->footer(
        "Examples:\n  plucker check robot.urdf\n  plucker check --strict --json *.urdf");
    command->add_option("MODEL", options->models, "Robot files (URDF, SDF, MJCF), or builtin:NAME")
        ->required();
    add_model_options(*command, options->common);
    command->add_flag("--json", options->as_json, "Machine-readable output");
    command->callback([options] { run(*options); });
}

}  // namespace plucker::cli
