#include <memory>
#include <random>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/io/write_state.hpp"
#include "plucker/laws/laws.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

struct StateOptions {
    bool neutral = false;  // the default, but it may be said
    bool random = false;
    std::uint32_t seed = 1;
    int count = 0;  // 0: one state, by itself
};

laws::State<double> neutral_state(const Model& model) {
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    return {neutral_configuration(model), zero, zero, zero};
}

void run(const Model& model, const StateOptions& options) {
    if (options.neutral && options.random)
        throw Error("state: --neutral and --random exclude each other");
    std::mt19937 generator(options.seed);
    const auto next = [&] {
        const laws::State<double> s =
            options.random ? laws::random_state(model, generator) : neutral_state(model);
        return write_state(model, s.q, s.v, s.a, s.tau);
    };
    if (options.count == 0) {
        print_json_text(next() + "\n");
        return;
    }
    for (int k = 0; k < options.count; ++k) print_json_text((k == 0 ? "[" : ",\n") + next());
    print_json_text("]\n");
}

}  // namespace

void add_state(CLI::App& app) {
    auto options = std::make_shared<StateOptions>();
    auto* command = app.add_subcommand("state", "Print a state in JSON, to edit and pass to eval");
    command->footer(
        "Random states have joints within their limits, those that mimic others too, and v, a and "
        "tau\n"
        "between -1 and 1; verify uses the same states for the same seed.\n"
        "\n"
        "Examples:\n"
        "  plucker state robot.urdf > state.json\n"
        "  plucker state builtin:arm | plucker eval builtin:arm --state - --quantity "
        "inverse_dynamics\n"
        "  plucker state builtin:humanoid --random --seed 7 -n 100 > states.json");
    auto argument = add_model_argument(*command);
    command->add_flag("--neutral", options->neutral, "All zeros, and no rotation (default)");
    auto* random = command->add_flag("--random", options->random, "Random states");
    command->add_option("--seed", options->seed, "Seed of the random numbers; default 1")
        ->option_text("N")
        ->needs(random);
    command->add_option("-n,--count", options->count, "Print an array of N states")
        ->option_text("N")
        ->check(CLI::Range(1, 1000000));
    command->callback([argument, options] { run(argument->load(), *options); });
}

}  // namespace plucker::cli
