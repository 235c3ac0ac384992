#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "plucker/robots/robots.hpp"
#include "terminal.hpp"

namespace plucker::cli {

void add_robots(CLI::App& app) {
    auto as_json = std::make_shared<bool>(false);
    auto* command =
        app.add_subcommand("robots", "List the built-in robots, for use as builtin:NAME");
    command->footer(
        "Examples:\n"
        "  plucker robots\n"
        "  plucker info builtin:humanoid");
    command->add_flag("--json", *as_json, "Machine-readable output");
    command->callback([as_json] {
        nlohmann::json list = nlohmann::json::array();
        if (!*as_json) {
            print("{}\n", bold(fmt::format("{:<26}{:>8}{:>6}{:>6}{:>12}  {}", "name", "bodies",
                                           "nq", "nv", "mass [kg]", "base")));
        }
        for (const std::string& name : robots::names()) {
            const std::string argument = "builtin:" + name;
            if (name.find('(') != std::string::npos) {  // a family: its members have arguments
                if (*as_json) {
                    list.push_back({{"name", argument}, {"family", true}});
                } else {
                    print("{:<26}{:>8}\n", argument, "N");
                }
                continue;
            }
            const Model model = robots::by_name(name);
            const char* base = model.has_floating_base() ? "floating" : "fixed";
            if (*as_json) {
                list.push_back({{"name", argument},
                                {"family", false},
                                {"bodies", model.num_bodies()},
                                {"nq", model.nq()},
                                {"nv", model.nv()},
                                {"total_mass", model.total_mass()},
                                {"base", base}});
            } else {
                print("{:<26}{:>8}{:>6}{:>6}{:>12.2f}  {}\n", argument, model.num_bodies(),
                      model.nq(), model.nv(), model.total_mass(), base);
            }
        }
        if (*as_json) print_json(list);
    });
}

}  // namespace plucker::cli
