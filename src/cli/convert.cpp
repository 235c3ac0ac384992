#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/urdf_writer.hpp"

namespace plucker::cli {

void add_convert(CLI::App& app) {
    auto* command = app.add_subcommand("convert", "Write a robot as URDF");
    command->footer(
        "Examples:\n  plucker convert robot.sdf robot.urdf\n  plucker convert builtin:arm - > "
        "arm.urdf");
    auto argument = add_model_argument(*command);
    auto output = std::make_shared<std::string>("-");
    command->add_option("OUTPUT", *output, "The file to write, or - for standard output")
        ->capture_default_str();
    command->callback([argument, output] {
        const Model model = argument->load();
        std::vector<Diagnostic> lost;
        const std::string text = write_urdf(model.description(), &lost);
        for (const Diagnostic& d : lost)
            fmt::print(stderr, "{}: warning: {}\n", argument->name, to_string(d));
        if (*output == "-") {
            fmt::print("{}", text);
            return;
        }
        // Written beside, then renamed: a failure must not leave half a file in the place of a whole one.
        const std::string draft = *output + ".part";
        std::ofstream out(draft, std::ios::binary);
        out << text;
        out.close();
        if (!out) throw Error::because(*output, ": cannot be written");
        std::error_code failure;
        std::filesystem::rename(draft, *output, failure);
        if (failure) throw Error::because(*output, ": ", failure.message());
    });
}

}  // namespace plucker::cli
