#include "plucker/compiler/generate.hpp"

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/write_text.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

struct GenerateArguments {
    std::shared_ptr<ModelArgument> model;
    std::string language = "c";
    std::string precision = "f64";
    std::vector<std::string> functions = GenerateOptions{}.functions;
    std::string output;
};

void run_generate(const GenerateArguments& arguments) {
    GenerateOptions options;
    options.functions = arguments.functions;
    if (arguments.language != "c") options.language = GeneratedLanguage::kCpp;
    if (arguments.precision != "f64") options.precision = GeneratedPrecision::kF32;
    // All is generated before anything is written.
    const std::vector<GeneratedFile> files = generate(arguments.model->load(), options);
    std::error_code error;
    std::filesystem::create_directories(arguments.output, error);
    if (error)
        throw Error::because("cannot make the folder ", arguments.output, ": ", error.message());
    for (const GeneratedFile& file : files) {
        const std::string path = (std::filesystem::path(arguments.output) / file.name).string();
        io::write_text_file(path, file.text);
        print("{}\n", path);
    }
}

}  // namespace

void add_generate(CLI::App& app) {
    auto* command = app.add_subcommand("generate", "Write a robot's algorithms as plain C or C++");
    command->footer(
        "Writes a header, its source in C, a self-test with values that this library computed, and "
        "a\n"
        "CMakeLists.txt. The code needs no library but the sine and cosine of C, allocates "
        "nothing,\n"
        "and has no loops and no branches. The same robot gives the same files, byte for byte.\n"
        "\n"
        "Examples:\n"
        "  plucker generate arm.urdf --output arm_dynamics\n"
        "  plucker generate builtin:quadruped --functions inverse_dynamics,com_jacobian \\\n"
        "      --language c++ --precision f32 --output legs");
    auto arguments = std::make_shared<GenerateArguments>();
    arguments->model = add_model_argument(*command);
    command
        ->add_option("--functions", arguments->functions,
                     "Algorithms, by name, with commas between")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("--language", arguments->language, "The language")
        ->check(CLI::IsMember({"c", "c++"}))
        ->capture_default_str();
    command->add_option("--precision", arguments->precision, "double (f64) or float (f32)")
        ->check(CLI::IsMember({"f64", "f32"}))
        ->capture_default_str();
    command->add_option("--output", arguments->output, "The folder to write to")
        ->type_name("FOLDER")
        ->required();
    command->callback([arguments] { run_generate(*arguments); });
}

}  // namespace plucker::cli
