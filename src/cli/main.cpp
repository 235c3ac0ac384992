// plucker: the command-line tool.
#include <fmt/core.h>

#include <exception>

#include "commands.hpp"
#include "plucker/model/error.hpp"
#include "terminal.hpp"

namespace {

constexpr int kBadInput = 2;

int run(int argc, char** argv) {
    CLI::App app{"Rigid-body dynamics in spatial vectors.", "plucker"};
    app.footer(
        "MODEL is a robot file (URDF, SDF or MJCF) or builtin:NAME.\n"
        "Without a subcommand: the tour of the built-in exoskeleton.\n"
        "\n"
        "Examples:\n"
        "  plucker info robot.urdf\n"
        "  plucker check --strict robot.urdf\n"
        "  plucker verify builtin:humanoid\n"
        "  plucker bench builtin:humanoid\n"
        "  echo '{\"q\": {\"joints\": {\"hinge\": 0.3}}}' | plucker eval builtin:pendulum --state "
        "- --quantity "
        "mass_matrix\n"
        "\n"
        "Exit codes: 0 done; 1 a check found errors, or a law failed; 2 wrong arguments or "
        "unreadable input.");
    app.require_subcommand(0, 1);
    plucker::cli::add_info(app);
    plucker::cli::add_check(app);
    plucker::cli::add_eval(app);
    plucker::cli::add_verify(app);
    plucker::cli::add_bench(app);
    plucker::cli::add_convert(app);
    plucker::cli::add_robots(app);
    plucker::cli::add_tour(app);
    plucker::cli::add_completion(app);
    plucker::cli::add_version(app);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) plucker::cli::run_default();
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kBadInput;
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
    return kBadInput;
}
