#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "plucker/model/error.hpp"
#include "terminal.hpp"

namespace plucker::cli {

void add_help(CLI::App& app) {
    auto name = std::make_shared<std::string>();
    auto* help = app.add_subcommand("help", "Explain the tool, or one of its commands");
    help->footer("Examples:\n  plucker help\n  plucker help eval");
    help->add_option("COMMAND", *name, "The command to explain")->type_name("");
    help->callback([&app, name] {
        const CLI::App* explained = &app;
        std::string title = app.get_name();
        if (!name->empty()) {
            const std::vector<std::string> known = command_names(app);
            if (std::find(known.begin(), known.end(), *name) == known.end())
                throw unknown_name("command", *name, known);
            explained = app.get_subcommand(*name);
            title += " " + *name;
        }
        write_output(app.get_formatter()->make_help(explained, title, CLI::AppFormatMode::Normal));
    });
}

}  // namespace plucker::cli
