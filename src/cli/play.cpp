#include <filesystem>
#include <fstream>
#include <memory>

#include "browser.hpp"
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
    // A pipe can be read but once.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(argument.name, ignored) &&
        argument.read().format == Format::kUrdf) {
        std::ifstream in(argument.name, std::ios::binary);
        out.urdf.assign(std::istreambuf_iterator<char>(in), {});
        return out;
    }
    // What URDF cannot say, and the page is told all the same.
    Description description = model.description();
    out.floating = description.base == Base::kFloating;
    out.gravity = description.gravity;
    description.base = Base::kFixed;
    std::vector<Diagnostic> lost;
    out.urdf = write_urdf(description, &lost);
    for (const Diagnostic& d : lost)
        complain("{}: warning: not in the page: {}\n", argument.name, to_string(d));
    return out;
}

struct PageFile {
    std::string path;
    bool open = false;
};

std::shared_ptr<PageFile> add_page_options(CLI::App& command, const std::string& path) {
    auto page = std::make_shared<PageFile>(PageFile{.path = path});
    command
        .add_option("--output", page->path,
                    "The file to write; default " + path + " in this folder")
        ->option_text("FILE");
    command.add_flag("--open", page->open, "Open it in the browser");
    return page;
}

void write_play_page(const Model& model, const std::string& name, const PlaySource& source,
                     const PageFile& page) {
    check_is_page("--output", page.path);
    std::vector<Diagnostic> diagnostics;
    io::write_text_file(page.path, html_play_page(model, source, &diagnostics));
    for (const Diagnostic& d : diagnostics) complain("{}: {}\n", name, to_string(d));
    tell_of_page(page.path);
    if (page.open) open_in_browser(page.path);
}

}  // namespace

void add_play(CLI::App& app) {
    auto* command =
        app.add_subcommand("play", "Write a page in which you move, drop and pull a robot");
    command->footer(
        "The library itself runs in the page: it simulates, computes torques, M, C, Jacobians and\n"
        "energies, and loads a URDF file that you drop onto it. Without MODEL the page opens "
        "with\n"
        "a gallery of the built-in robots.\n"
        "\n"
        "Examples:\n"
        "  plucker play --open\n"
        "  plucker play builtin:exoskeleton --output exoskeleton.html\n"
        "  plucker play robot.urdf --output robot.html");
    // Where the library for browsers was not compiled, the command is not offered; called, it says what is missing.
    if (!has_play()) command->group("");
    auto argument = add_model_argument(*command);
    auto* model_option = command->get_option("MODEL")->required(false);
    auto page = add_page_options(*command, "play.html");
    command->callback([argument, page, model_option] {
        const bool is_gallery = model_option->count() == 0;
        if (is_gallery) argument->name = "builtin:exoskeleton";
        const Model model = argument->load();
        PlaySource source = play_source(*argument, model);
        if (is_gallery) source.begin = PlayBegin::kGallery;
        write_play_page(model, argument->name, source, *page);
    });
}

void add_learn(CLI::App& app) {
    auto* command =
        app.add_subcommand("learn", "Write a page that teaches how inverse dynamics is computed");
    command->footer(
        "The recursive Newton–Euler algorithm, equation by equation and body by body: you move the "
        "joints\n"
        "of a chain and see v, a, f, S and X of each body, drawn and in numbers.\n"
        "\n"
        "Examples:\n"
        "  plucker learn --open");
    if (!has_play()) command->group("");
    auto page = add_page_options(*command, "learn.html");
    command->callback([page] {
        PlaySource source;
        source.builtin = "exoskeleton";
        source.begin = PlayBegin::kLesson;
        write_play_page(robots::exoskeleton(), "builtin:exoskeleton", source, *page);
    });
}

}  // namespace plucker::cli
