#include <fmt/core.h>

#include "commands.hpp"
#include "plucker/robots/robots.hpp"
#include "terminal.hpp"

namespace plucker::cli {

void add_robots(CLI::App& app) {
    app.add_subcommand("robots", "List the built-in robots")->callback([] {
        fmt::print("{}\n", bold(fmt::format("{:<18}{:>8}{:>6}{:>6}{:>12}  {}", "name", "bodies",
                                            "nq", "nv", "mass [kg]", "base")));
        for (const std::string& name : robots::names()) {
            if (name.find('(') != std::string::npos) {
                fmt::print("{:<18}{:>8}\n", name, "N");
                continue;
            }
            const Model model = robots::by_name(name);
            fmt::print("{:<18}{:>8}{:>6}{:>6}{:>12.2f}  {}\n", name, model.num_bodies(), model.nq(),
                       model.nv(), model.total_mass(),
                       model.has_floating_base() ? "floating" : "fixed");
        }
    });
}

}  // namespace plucker::cli
