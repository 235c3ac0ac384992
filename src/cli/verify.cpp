#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "law_table.hpp"
#include "model_argument.hpp"
#include "open_loops.hpp"
#include "plucker/laws/laws.hpp"
#include "terminal.hpp"

namespace plucker::cli {

namespace {

nlohmann::json to_json(const laws::Residual& r) {
    if (!r.checked()) return {{"law", r.law}, {"status", "not checked"}, {"reason", r.not_checked}};
    // A residual that is not a number has no other form in JSON.
    return {{"law", r.law},
            {"status", r.holds() ? "holds" : "fails"},
            {"residual", std::isfinite(r.value) ? nlohmann::json(r.value) : nullptr},
            {"tolerance", r.tolerance}};
}

void print_summary(std::size_t held, std::size_t failed, std::size_t not_checked) {
    print("{}{}.\n",
          failed == 0 ? green(counted(held, "law", " holds", "s hold"))
                      : red(fmt::format("{} of {}", failed,
                                        counted(held + failed, "law", " fails",
                                                failed == 1 ? "s fails" : "s fail"))),
          not_checked > 0 ? fmt::format("; {} not checked, because {} not apply to this robot",
                                        not_checked, not_checked == 1 ? "it does" : "they do")
                          : "");
}

}  // namespace

void add_verify(CLI::App& app) {
    struct Options {
        int samples = 10;
        std::uint32_t seed = 1;
        double tolerance = 0;  // 0: that of each law
        bool as_json = false;
    };
    auto options = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("verify", "Check every law of mechanics on a robot at random states");
    command->footer(
        "Exits with 1 if a law fails. Laws that do not apply to a robot, for example because its "
        "mass\n"
        "matrix is singular, are listed with the reason and do not count as failures.\n\n"
        "Examples:\n  plucker verify robot.urdf --floating\n  plucker verify builtin:arm --samples "
        "100");
    auto argument = add_model_argument(*command);
    command->add_option("--samples", options->samples, "How many random states")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Seed of the random numbers")
        ->capture_default_str();
    auto* tolerance =
        command->add_option("--tolerance", options->tolerance,
                            "Largest residual with which a law holds; default: the rounding error, "
                            "64 (nv + 8) 2^-52");
    command->add_flag("--json", options->as_json, "Machine-readable output");
    command->callback([argument, options, tolerance] {
        if (tolerance->count() > 0 && !(options->tolerance > 0)) {
            throw Error(fmt::format("verify: --tolerance is {}: it must be positive, such as 1e-9",
                                    options->tolerance));
        }
        const Model model = argument->load();
        note_left_out_constraints(*argument, model, {"what the laws check"}, "");
        const bool show_progress = isatty(STDERR_FILENO) == 1 && options->samples > 1;
        const auto progress = [&](int done) {
            if (show_progress) complain("\r{} of {} states", done, options->samples);
        };
        auto residuals = laws::verify(model, options->samples, options->seed, progress);
        if (show_progress) complain("\r\033[K");
        std::size_t failed = 0;
        std::size_t not_checked = 0;
        for (laws::Residual& r : residuals) {
            if (options->tolerance > 0) r.tolerance = options->tolerance;
            failed += r.fails() ? 1 : 0;
            not_checked += r.checked() ? 0 : 1;
        }
        if (options->as_json) {
            nlohmann::json laws = nlohmann::json::array();
            for (const laws::Residual& r : residuals) laws.push_back(to_json(r));
            print_json(nlohmann::json{{"model", model.name()},
                                      {"samples", options->samples},
                                      {"seed", options->seed},
                                      {"failed", failed},
                                      {"not_checked", not_checked},
                                      {"laws", laws}});
        } else {
            print("{}: {} at {}, seed {}\n", model.name(), counted(residuals.size(), "law"),
                  counted(options->samples, "random state"), options->seed);
            print_law_table(residuals);
            print_summary(residuals.size() - failed - not_checked, failed, not_checked);
        }
        if (failed > 0) set_exit_code(kFindings);
    });
}

}  // namespace plucker::cli
