#include "plucker/identify/excite.hpp"

#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/read_log.hpp"
#include "plucker/io/write_text.hpp"
#include "terminal.hpp"

namespace plucker::cli {

void add_excite(CLI::App& app) {
    auto* command = app.add_subcommand(
        "excite", "Propose a motion from which identify can find a robot's parameters");
    command->footer(
        "Writes CSV with the columns time, q.NAME, v.NAME, a.NAME, and tau.NAME as the model says. "
        "The motion keeps to the\n"
        "joints' limits and begins and ends at rest, so that it can be repeated. It is not checked "
        "that the\n"
        "robot keeps clear of itself and of what is around it: look at it before you run it.\n"
        "\n"
        "Examples:\n"
        "  plucker excite arm.urdf --duration 20 --output motion.csv\n"
        "  plucker excite builtin:arm --velocity 0.5 > slow.csv");
    auto argument = add_model_argument(*command);
    auto options = std::make_shared<ExciteOptions>();
    auto output = std::make_shared<std::string>("-");
    command->add_option("--duration", options->duration, "Of the motion, s")->capture_default_str();
    command->add_option("--rate", options->rate, "Samples a second")->capture_default_str();
    command->add_option("--harmonics", options->harmonics, "How many sines a joint")
        ->capture_default_str();
    command->add_option("--trials", options->trials, "How many motions are tried")
        ->capture_default_str();
    command
        ->add_option("--margin", options->margin,
                     "Left free at both ends of a joint's range, as part of it")
        ->capture_default_str();
    command
        ->add_option("--reach", options->reach,
                     "To both sides of zero where a joint has no limits, rad or m")
        ->capture_default_str();
    command
        ->add_option("--velocity", options->velocity,
                     "The greatest where a joint has no limit for it, rad/s or m/s")
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Of the random numbers")->capture_default_str();
    command->add_option("--output", *output, "The file to write, or - for standard output")
        ->type_name("FILE")
        ->capture_default_str();
    command->callback([argument, options, output] {
        const Model model = argument->load();
        const Excitation found = excite(model, *options);
        const std::string csv = write_log(model, found.log);
        if (*output == "-") {
            write_output(csv);
        } else {
            io::write_text_file(*output, csv);
        }
        complain("condition number {:.3g}, after {:.3g} at the first trial\n",
                 found.condition_number, found.first_condition_number);
    });
}

}  // namespace plucker::cli
