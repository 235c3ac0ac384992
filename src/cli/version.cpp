#include <fmt/core.h>

#include "commands.hpp"

namespace plucker::cli {

void add_version(CLI::App& app) {
    app.add_subcommand("version", "The version of this tool")->callback([] {
        fmt::print("plucker {}\n", PLUCKER_VERSION);
    });
}

}  // namespace plucker::cli
