#include <fmt/core.h>

#include <memory>

#include "commands.hpp"
#include "law_table.hpp"
#include "plucker/robots/robots.hpp"
#include "terminal.hpp"

namespace plucker::cli {

void print_law_table(const std::vector<laws::Residual>& residuals) {
    fmt::print("  {}\n", bold(padded("law", 66) + "   residual   tolerance"));
    for (const laws::Residual& r : residuals) {
        fmt::print("  {} {:>10.1e}  {:>10.1e}  {}\n", padded(r.law, 66), r.value, r.tolerance,
                   r.holds() ? green("holds") : red("FAILS"));
    }
}

void add_verify(CLI::App& app) {
    struct Options {
        std::string robot;
        int samples = 10;
        std::uint32_t seed = 1;
    };
    auto options = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("verify", "Check every law of mechanics on a robot at random states");
    command->add_option("ROBOT", options->robot, "A built-in robot (see: plucker robots)")
        ->required();
    command->add_option("--samples", options->samples, "How many random states")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Where the random numbers start")
        ->capture_default_str();
    command->callback([options] {
        const Model model = robots::by_name(options->robot);
        const auto residuals = laws::verify(model, options->samples, options->seed);
        fmt::print("{}: {} random states, seed {}\n", model.name(), options->samples,
                   options->seed);
        print_law_table(residuals);
        for (const laws::Residual& r : residuals) {
            if (!r.holds()) set_exit_code(1);
        }
    });
}

}  // namespace plucker::cli
