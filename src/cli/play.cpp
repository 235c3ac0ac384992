#include <filesystem>
#include <fstream>
#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/io/write_text.hpp"
#include "plucker/view/page.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

// The library in the page reads URDF: other formats are translated, and what is lost on the way is said.
PlaySource play_source(const ModelArgument& argument, const Model& model) {
    PlaySource out;
    out.floating = argument.floating;
    out.no_friction = argument.no_friction;
    if (!argument.gravity.empty())
        out.gravity = {argument.gravity[0], argument.gravity[1], argument.gravity[2]};
    if (argument.name.starts_with("builtin:")) {
        out.builtin = argument.name.substr(std::string("builtin:").size());
        return out;
    }
    out.file = std::filesystem::path(argument.name).filename().string();
    if (argument.read().format == Format::kUrdf) {
        std::ifstream in(argument.name, std::ios::binary);
        out.urdf.assign(std::istreambuf_iterator<char>(in), {});
        return out;
    }
    std::vector<Diagnostic> lost;
    out.urdf = write_urdf(model.description(), &lost);
    for (const Diagnostic& d : lost)
        complain("{}: warning: not in the page: {}\n", argument.name, to_string(d));
    return out;
}

}  // namespace

void add_play(CLI::App& app) {
    auto output = std::make_shared<std::string>();
    auto* command = app.add_subcommand("play", "Write a page in which one moves a robot's joints");
    command->footer(
        "The library itself runs in the page: it computes torques against gravity, M, C, "
        "Jacobians\n"
        "and energies for each posture, and loads a URDF file that is dropped onto it.\n"
        "\n"
        "Examples:\n"
        "  plucker play builtin:exoskeleton --output play.html\n"
        "  plucker play robot.urdf");
    // Where the library for browsers was not compiled, the command is not offered; called, it says what is missing.
    if (!has_play()) command->group("");
    auto argument = add_model_argument(*command);
    command->add_option("--output", *output, "The file to write; default play.html here")
        ->option_text("FILE");
    command->callback([argument, output] {
        const Model model = argument->load();
        std::vector<Diagnostic> diagnostics;
        const std::string path = output->empty() ? "play.html" : *output;
        io::write_text_file(path,
                            html_play_page(model, play_source(*argument, model), &diagnostics));
        for (const Diagnostic& d : diagnostics) complain("{}: {}\n", argument->name, to_string(d));
        const double size = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
        print("{} ({:.1f} MB): a page that needs nothing else; open it in a browser\n", path, size);
    });
}

}  // namespace plucker::cli
