// The subcommands of the tool, one file each. Each adds itself to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace plucker::cli {

void add_info(CLI::App& app);
void add_check(CLI::App& app);
void add_state(CLI::App& app);
void add_eval(CLI::App& app);
void add_verify(CLI::App& app);
void add_bench(CLI::App& app);
void add_convert(CLI::App& app);
void add_view(CLI::App& app);
void add_play(CLI::App& app);
void add_learn(CLI::App& app);
void add_generate(CLI::App& app);
void add_simulate(CLI::App& app);
void add_excite(CLI::App& app);
void add_identify(CLI::App& app);
void add_robots(CLI::App& app);
void add_algorithms(CLI::App& app);
void add_tour(CLI::App& app);
void add_completion(CLI::App& app);
void add_version(CLI::App& app);  // and the option --version
void add_help(CLI::App& app);

// The names of all subcommands, and of a command's options with their dashes.
std::vector<std::string> command_names(const CLI::App& app);
std::vector<std::string> option_names(const CLI::App& command);

// The arguments after the tool's name, the last first, as the parser takes them. Options with values by name that may be
// left out (--ground mu=0.8) are joined with theirs, so that a model that follows them is not taken for one.
std::vector<std::string> arguments_from_the_last(int argc, const char* const* argv);

// What was wrong with the arguments, said so that one can put it right.
std::string explain(const CLI::App& app, const CLI::ParseError& error);
// Throws Error if the first argument that is not an option is no command.
void check_command_name(const CLI::App& app, int argc, const char* const* argv);

}  // namespace plucker::cli
