#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "law_table.hpp"
#include "model_argument.hpp"
#include "terminal.hpp"

namespace plucker::cli {

void print_law_table(const std::vector<laws::Residual>& residuals) {
    print("  {}\n", bold(padded("law", 66) + "   residual   tolerance"));
    for (const laws::Residual& r : residuals) {
        print("  {} {:>10.1e}  {:>10.1e}  {}\n", padded(r.law, 66), r.value, r.tolerance,
              r.holds() ? green("holds") : red("FAILS"));
    }
}

void add_verify(CLI::App& app) {
    struct Options {
        int samples = 10;
        std::uint32_t seed = 1;
        bool as_json = false;
    };
    auto options = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("verify", "Check every law of mechanics on a robot at random states");
    command->footer(
        "Examples:\n  plucker verify robot.urdf --floating\n  plucker verify builtin:arm --samples "
        "100");
    auto argument = add_model_argument(*command);
    command->add_option("--samples", options->samples, "How many random states")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Where the random numbers start")
        ->capture_default_str();
    command->add_flag("--json", options->as_json, "Machine-readable output");
    command->callback([argument, options] {
        const Model model = argument->load();
        const bool show_progress = isatty(STDERR_FILENO) == 1 && options->samples > 1;
        const auto progress = [&](int done) {
            if (show_progress) complain("\r{} of {} states", done, options->samples);
        };
        const auto residuals = laws::verify(model, options->samples, options->seed, progress);
        if (show_progress) complain("\r\033[K");
        std::size_t failed = 0;
        for (const laws::Residual& r : residuals) failed += r.holds() ? 0 : 1;
        if (options->as_json) {
            nlohmann::json laws = nlohmann::json::array();
            for (const laws::Residual& r : residuals) {
                // A residual that is not a number has no other form in JSON.
                laws.push_back(
                    {{"law", r.law},
                     {"residual", std::isfinite(r.value) ? nlohmann::json(r.value) : nullptr},
                     {"tolerance", r.tolerance},
                     {"holds", r.holds()}});
            }
            print_json(nlohmann::json{{"model", model.name()},
                                      {"samples", options->samples},
                                      {"seed", options->seed},
                                      {"failed", failed},
                                      {"laws", laws}});
        } else {
            print("{}: {} laws at {} random states, seed {}\n", model.name(), residuals.size(),
                  options->samples, options->seed);
            print_law_table(residuals);
            print("{}\n", failed == 0 ? green("All laws hold.")
                                      : red(fmt::format("{} laws fail.", failed)));
        }
        if (failed > 0) set_exit_code(kFindings);
    });
}

}  // namespace plucker::cli
