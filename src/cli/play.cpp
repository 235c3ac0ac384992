#include <filesystem>
#include <fstream>
#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/io/write_text.hpp"
#include "plucker/robots/robots.hpp"
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

void write_play_page(const Model& model, const std::string& name, const PlaySource& source,
                     const std::string& path) {
    std::vector<Diagnostic> diagnostics;
    io::write_text_file(path, html_play_page(model, source, &diagnostics));
    for (const Diagnostic& d : diagnostics) complain("{}: {}\n", name, to_string(d));
    tell_of_page(path);
}

}  // namespace

void add_play(CLI::App& app) {
    auto output = std::make_shared<std::string>("play.html");
    auto* command =
        app.add_subcommand("play", "Write a page in which a robot is moved, dropped and pulled");
    command->footer(
        "The library itself runs in the page: it simulates, computes torques, M, C, Jacobians and\n"
        "energies, and loads a URDF file that is dropped onto it.\n"
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
        write_play_page(model, argument->name, play_source(*argument, model), *output);
    });
}

void add_learn(CLI::App& app) {
    auto output = std::make_shared<std::string>("learn.html");
    auto* command =
        app.add_subcommand("learn", "Write a page that teaches how inverse dynamics is computed");
    command->footer(
        "Newton and Euler's recursion, equation by equation and body by body: one moves the "
        "joints\n"
        "of a chain and sees v, a, f, S and X of each body, drawn and in numbers.\n"
        "\n"
        "Examples:\n"
        "  plucker learn --output learn.html");
    if (!has_play()) command->group("");
    command->add_option("--output", *output, "The file to write; default learn.html here")
        ->option_text("FILE");
    command->callback([output] {
        PlaySource source;
        source.builtin = "exoskeleton";
        source.learn = true;
        write_play_page(robots::exoskeleton(), "builtin:exoskeleton", source, *output);
    });
}

}  // namespace plucker::cli
