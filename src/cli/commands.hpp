// The subcommands of the tool, one file each. Each adds itself to the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace plucker::cli {

void add_tour(CLI::App& app);
void add_info(CLI::App& app);
void add_check(CLI::App& app);
void add_eval(CLI::App& app);
void add_verify(CLI::App& app);
void add_bench(CLI::App& app);
void add_convert(CLI::App& app);
void add_robots(CLI::App& app);
void add_completion(CLI::App& app);
void add_version(CLI::App& app);

// What the tool does when it is called without arguments.
void run_default();

}  // namespace plucker::cli
