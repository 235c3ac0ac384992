#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

// "-", and whatever else names what standard output is connected to: /dev/stdout, /dev/fd/1.
bool is_standard_output(const std::string& path) {
    struct stat named {
    }, standard{};
    return path == "-" ||
           (stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
            named.st_dev == standard.st_dev && named.st_ino == standard.st_ino);
}

}  // namespace

void add_convert(CLI::App& app) {
    auto* command = app.add_subcommand("convert", "Write a robot as URDF");
    command->footer(
        "A file is replaced atomically or left as it is; symbolic links and the file's mode are "
        "kept.\n"
        "Meshes are named relative to the file that is written, on standard output relative to "
        "this folder.\n"
        "\n"
        "Examples:\n  plucker convert robot.sdf robot.urdf\n  plucker convert builtin:arm - > "
        "arm.urdf");
    auto argument = add_model_argument(*command);
    auto output = std::make_shared<std::string>("-");
    command->add_option("OUTPUT", *output, "The file to write, or - for standard output")
        ->type_name("FILE")
        ->capture_default_str();
    command->callback([argument, output] {
        const Model model = argument->load();
        std::vector<Diagnostic> lost;
        if (is_standard_output(*output)) {
            // As if it were a file in this folder, where it most often goes.
            write_output(write_urdf_for(model.description(), "-", &lost, argument->package_paths));
            std::fflush(stdout);  // first: what is lost must not be said in the middle of a line
        } else {
            write_urdf_file(model.description(), *output, &lost, argument->package_paths);
            if (output->ends_with(".sdf") || output->ends_with(".mjcf"))
                complain("{}: warning: the output is URDF, despite the name\n", *output);
        }
        for (const Diagnostic& d : lost)
            complain("{}: warning: {}\n", argument->name, to_string(d));
    });
}

}  // namespace plucker::cli
