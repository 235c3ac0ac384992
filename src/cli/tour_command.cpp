#include "commands.hpp"
#include "model_argument.hpp"
#include "open_loops.hpp"
#include "tour.hpp"

namespace plucker::cli {

void add_tour(CLI::App& app) {
    auto* command =
        app.add_subcommand("tour", "Show everything that the library computes, for one robot");
    command->footer("Examples:\n  plucker tour builtin:arm\n  plucker tour robot.urdf --floating");
    auto argument = add_model_argument(*command);
    command->callback([argument] {
        const Model model = argument->load();
        print_tour(model);
        note_left_out_constraints(*argument, model, {"what the tour shows"}, "");
    });
}

}  // namespace plucker::cli
