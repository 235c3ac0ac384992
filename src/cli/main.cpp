// plucker: the command-line tool.
#include <sstream>

#include "commands.hpp"
#include "plucker/model/error.hpp"
#include "terminal.hpp"
#include "tour.hpp"

namespace plucker::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 success; 1 a check found errors, or a law fails; 2 wrong arguments, or "
    "something\n"
    "cannot be read, computed or written.";

// A flag is given or not; only those that say what they are without a value, --hold{5Hz}, may have one.
void refuse_values_of_flags(CLI::App& command) {
    for (CLI::Option* option : command.get_options()) {
        if (option->get_expected_max() == 0 && option->get_fnames().empty())
            option->disable_flag_override();
    }
}

void add_commands(CLI::App& app) {
    app.footer(
        "MODEL is a robot file (URDF, SDF or MJCF) or builtin:NAME.\n"
        "Without a subcommand: the tour of the built-in exoskeleton.\n"
        "\n"
        "Examples:\n"
        "  plucker info robot.urdf\n"
        "  plucker check --strict robot.urdf\n"
        "  plucker verify builtin:humanoid\n"
        "  plucker bench builtin:humanoid\n"
        "  plucker state builtin:arm | plucker eval builtin:arm --state - --quantity mass_matrix");
    app.require_subcommand(0, 1);
    add_info(app);
    add_check(app);
    add_state(app);
    add_eval(app);
    add_verify(app);
    add_bench(app);
    add_convert(app);
    add_view(app);
    add_play(app);
    add_learn(app);
    add_generate(app);
    add_simulate(app);
    add_excite(app);
    add_identify(app);
    add_robots(app);
    add_algorithms(app);
    add_tour(app);
    add_completion(app);
    add_version(app);
    add_help(app);
    app.footer(app.get_footer() + "\n\n" + kExitCodes);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        const std::string footer = command->get_footer();
        command->footer((footer.empty() ? "" : footer + "\n\n") + kExitCodes);
        refuse_values_of_flags(*command);
    }
}

void run(int argc, char** argv) {
    CLI::App app{"Rigid-body dynamics of robots.", "plucker"};
    add_commands(app);
    check_command_name(app, argc, argv);
    try {
        app.parse(arguments_from_the_last(argc, argv));
        if (app.get_subcommands().empty()) run_default();
    } catch (const CLI::Success& wish) {  // --help, --version
        std::ostringstream text, none;
        app.exit(wish, text, none);
        write_output(text.str());
    } catch (const CLI::ParseError& error) {
        throw Error(explain(app, error));
    }
}

}  // namespace
}  // namespace plucker::cli

int main(int argc, char** argv) {
    return plucker::cli::run_to_the_end([&] { plucker::cli::run(argc, argv); });
}
