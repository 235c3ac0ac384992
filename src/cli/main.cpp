// plucker: the command-line tool.
#include <fmt/core.h>

#include <exception>

#include "commands.hpp"
#include "plucker/model/error.hpp"
#include "terminal.hpp"

namespace {

// 0: done; 1: a law does not hold, or a check found an error; 2: the command line, a file or a name is
// wrong.
constexpr int kUsageError = 2;

int run(int argc, char** argv) {
    CLI::App app{"Rigid-body dynamics in spatial vectors.", "plucker"};
    app.footer(
        "Without a subcommand: the tour of the built-in exoskeleton.\n"
        "Examples:\n"
        "  plucker robots\n"
        "  plucker tour arm\n"
        "  plucker verify humanoid --samples 20");
    app.require_subcommand(0, 1);
    plucker::cli::add_tour(app);
    plucker::cli::add_robots(app);
    plucker::cli::add_verify(app);
    plucker::cli::add_version(app);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) plucker::cli::run_default();
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kUsageError;
    }
    return plucker::cli::exit_code();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const plucker::Error& error) {
        fmt::print(stderr, "plucker: {}\n", error.what());
    } catch (const std::exception& error) {
        fmt::print(stderr, "plucker: unexpected: {}\n", error.what());
    }
    return kUsageError;
}
