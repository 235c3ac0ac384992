#include "plucker/identify/excite.hpp"

#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/read_log.hpp"
#include "plucker/io/write_text.hpp"
#include "terminal.hpp"

namespace plucker::cli {

void add_excite(CLI::App& app) {
    auto* command = app.add_subcommand("excite", "Propose an excitation trajectory for identify");
    command->footer(
        "Writes CSV with the columns time, q.NAME, v.NAME, a.NAME, and tau.NAME according to the "
        "model. "
        "The motion\n"
        "stays within the limits of the joints, and of those that mimic them, and begins and ends "
        "at rest, so\n"
        "that it can be repeated. Collisions of the robot with itself or its surroundings are not "
        "checked: view\n"
        "the motion before you run it.\n"
        "\n"
        "Examples:\n"
        "  plucker excite arm.urdf --duration 20 --output motion.csv\n"
        "  plucker excite builtin:arm --velocity 0.5 > slow.csv");
    auto argument = add_model_argument(*command);
    auto options = std::make_shared<ExciteOptions>();
    auto output = std::make_shared<std::string>("-");
    command->add_option("--duration", options->duration, "Duration of the motion, s")
        ->capture_default_str();
    command->add_option("--rate", options->rate, "Samples a second")->capture_default_str();
    command->add_option("--harmonics", options->harmonics, "Number of sines per joint")
        ->capture_default_str();
    command->add_option("--trials", options->trials, "Number of motions to try")
        ->capture_default_str();
    command
        ->add_option("--margin", options->margin,
                     "Margin at both ends of a joint's range, as a fraction of it")
        ->capture_default_str();
    command
        ->add_option("--reach", options->reach,
                     "Range to both sides of zero for joints without limits, rad or m")
        ->capture_default_str();
    command
        ->add_option("--velocity", options->velocity,
                     "Maximum velocity of joints without a velocity limit, rad/s or m/s")
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Seed of the random numbers")
        ->capture_default_str();
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
        if (found.num_unseen > 0) {
            complain("{} of parameters, which this motion never shows, not counted\n",
                     counted(found.num_unseen, "combination"));
        }
    });
}

}  // namespace plucker::cli
