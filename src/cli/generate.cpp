#include "plucker/compiler/generate.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "model_argument.hpp"
#include "open_loops.hpp"
#include "plucker/compiler/explain.hpp"
#include "plucker/compiler/parameters.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/io/write_text.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

using nlohmann::ordered_json;

struct GenerateArguments {
    std::shared_ptr<ModelArgument> model;
    GenerateOptions options;
    std::string language = "c";
    std::string precision = "f64";
    std::string reference = "body";
    std::string output;
    bool explain = false;
    bool as_json = false;
};

GenerateOptions options_of(const GenerateArguments& arguments) {
    GenerateOptions options = arguments.options;
    if (arguments.language == "c++") options.language = GeneratedLanguage::kCpp;
    if (arguments.language == "cuda") options.language = GeneratedLanguage::kCuda;
    if (arguments.precision != "f64") options.precision = GeneratedPrecision::kF32;
    if (arguments.reference == "world") options.reference = ReferenceFrame::kWorld;
    if (arguments.reference == "world_aligned") options.reference = ReferenceFrame::kWorldAligned;
    return options;
}

// --- What each pass leaves ---

std::string title_of(const ExplainedFunction& f) {
    return f.frame.empty() ? f.name : f.name + " of " + f.frame;
}

void print_explanation(const std::vector<ExplainedFunction>& functions) {
    std::size_t width = 0;
    for (const ExplainedFunction& f : functions)
        width = std::max(width, display_width(title_of(f)));
    print("{}  {:>9}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}\n", padded("operations", width),
          "asked for", "folded", "needed", "in lanes", "fused", "spilled", "bytes");
    for (const ExplainedFunction& f : functions) {
        print("{}  {:>9}  {:>8}  {:>8}  {:>8}  {:>8}", padded(title_of(f), width), total(f.asked),
              total(f.folded), total(f.needed), total(f.in_lanes), f.steps);
        if (f.machine) {
            print("  {:>8}  {:>8}\n", f.machine->spills, f.machine->bytes);
        } else {
            print("  {:>8}  {:>8}\n", "-", "-");
        }
    }
    for (const ExplainedFunction& f : functions) {
        print("\n{}\n", title_of(f));
        for (std::size_t k = 0; k < f.asked.size(); ++k) {
            if (f.asked[k] + f.folded[k] + f.in_lanes[k] == 0) continue;
            print("{}  {:>9}  {:>8}  {:>8}  {:>8}\n",
                  padded("  " + std::string(name_of(static_cast<compiler::Op>(k))), width),
                  f.asked[k], f.folded[k], f.needed[k], f.in_lanes[k]);
        }
    }
    print(
        "\nasked for: by the kernel; folded: left after folding and value numbering; needed: left "
        "after dead-code\nelimination; in lanes: left after combining equal limbs; fused: left "
        "after "
        "fusing products with sums;\nspilled and bytes: of machine code for single calls{}.\n",
        functions[0].machine ? std::string(", ") + functions[0].machine->isa
                             : ", which this machine does not have");
}

ordered_json by_kind(const OperationsByKind& operations) {
    ordered_json out{{"total", total(operations)}};
    for (std::size_t k = 0; k < operations.size(); ++k) {
        if (operations[k] > 0) out[name_of(static_cast<compiler::Op>(k))] = operations[k];
    }
    return out;
}
ordered_json as_json(const std::vector<ExplainedFunction>& functions) {
    ordered_json out = ordered_json::array();
    for (const ExplainedFunction& f : functions) {
        ordered_json entry{{"name", f.name},
                           {"frame", nullptr},
                           {"asked", by_kind(f.asked)},
                           {"folded", by_kind(f.folded)},
                           {"needed", by_kind(f.needed)},
                           {"in_lanes", by_kind(f.in_lanes)},
                           {"steps", f.steps},
                           {"machine_code", nullptr}};
        if (!f.frame.empty()) entry["frame"] = f.frame;
        if (f.machine) {
            entry["machine_code"] = {{"isa", f.machine->isa},
                                     {"spills", f.machine->spills},
                                     {"bytes", f.machine->bytes}};
        }
        out.push_back(std::move(entry));
    }
    return out;
}

// --- Files ---

// Returns their paths.
std::vector<std::string> write_files(const std::vector<GeneratedFile>& files,
                                     const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error::because("cannot make the folder ", folder, ": ", error.message());
    std::vector<std::string> paths;
    for (const GeneratedFile& file : files) {
        paths.push_back((std::filesystem::path(folder) / file.name).string());
        io::write_text_file(paths.back(), file.text);
    }
    return paths;
}

void note_open_loops(const GenerateArguments& arguments, const Model& model) {
    std::vector<std::string> functions;
    for (const Algorithm& row : algorithms()) {
        const auto& asked = arguments.options.functions;
        if (leaves_out_constraints(row) &&
            std::find(asked.begin(), asked.end(), row.name) != asked.end())
            functions.emplace_back(row.name);
    }
    note_left_out_constraints(*arguments.model, model, functions,
                              "no code is generated for dynamics under constraints");
}

void run_generate(const GenerateArguments& arguments) {
    if (arguments.output.empty() && !arguments.explain) throw CLI::RequiredError("--output");
    const Model model = arguments.model->load();
    const GenerateOptions options = options_of(arguments);
    check_frames("--frame", model, options.frames);
    check_frames("--force", model, options.forces);
    of_option("--parameter", [&] { return compiler::parameters_named(model, options.parameters); });
    // All is generated before anything is written.
    std::vector<ExplainedFunction> explained;
    if (arguments.explain) explained = explain(model, options);
    std::vector<std::string> paths;
    if (!arguments.output.empty()) paths = write_files(generate(model, options), arguments.output);
    note_open_loops(arguments, model);
    if (arguments.as_json) {
        ordered_json out{{"robot", model.name()}};
        if (arguments.explain) out["functions"] = as_json(explained);
        if (!paths.empty()) out["files"] = paths;
        print_json(out);
        return;
    }
    if (arguments.explain) print_explanation(explained);
    for (const std::string& path : paths) print("{}\n", path);
}

}  // namespace

void add_generate(CLI::App& app) {
    auto* command =
        app.add_subcommand("generate", "Write a robot's algorithms as plain C, C++ or CUDA");
    command->footer(
        "Writes a header, its source in C, a self-test with values computed by this library, and "
        "a\n"
        "CMakeLists.txt. The code needs no library except the sine and cosine of C, does not "
        "allocate,\n"
        "and has no loops and no branches. The same robot gives the same files, byte for byte.\n"
        "\n"
        "In CUDA each function takes many states in the memory of a GPU; the output is kernels, "
        "their\n"
        "launchers and a header in C.\n"
        "\n"
        "A parameter is a constant of the robot that the functions take as an argument:\n"
        "  gravity, mass:LINK, payload:FRAME, or frame:FRAME for the pose of a frame.\n"
        "\n"
        "Examples:\n"
        "  plucker generate arm.urdf --output arm_dynamics\n"
        "  plucker generate arm.urdf --parameter gravity --parameter payload:tool --output arm\n"
        "  plucker generate arm.urdf --functions frame_pose,frame_jacobian --frame tool --output "
        "arm\n"
        "  plucker generate builtin:quadruped --force front_left_foot,hind_right_foot --reference "
        "world_aligned \\\n"
        "      --output dog\n"
        "  plucker generate arm.urdf --language cuda --precision f32 --output arm_on_gpu\n"
        "  plucker generate arm.urdf --explain\n"
        "  plucker generate builtin:quadruped --functions inverse_dynamics,com_jacobian \\\n"
        "      --language c++ --precision f32 --output legs");
    auto arguments = std::make_shared<GenerateArguments>();
    arguments->model = add_model_argument(*command);
    command
        ->add_option("--functions", arguments->options.functions,
                     "Names of algorithms, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
    command->add_option("--language", arguments->language, "The language")
        ->check(CLI::IsMember({"c", "c++", "cuda"}))
        ->capture_default_str();
    command->add_option("--precision", arguments->precision, "double (f64) or float (f32)")
        ->check(CLI::IsMember({"f64", "f32"}))
        ->capture_default_str();
    command
        ->add_option("--frame", arguments->options.frames,
                     "Frames for the functions that take one, separated by commas")
        ->option_text("NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_option("--reference", arguments->reference, "The coordinates of their results")
        ->check(CLI::IsMember({"body", "world", "world_aligned"}))
        ->capture_default_str();
    command
        ->add_option("--parameter", arguments->options.parameters,
                     "A constant of the robot that becomes an argument (repeatable)")
        ->option_text("NAME")
        ->allow_extra_args(false);
    command
        ->add_option("--force", arguments->options.forces,
                     "Frames on which external forces act, separated by commas; the forces become "
                     "an argument, in the coordinates of --reference")
        ->option_text("NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_option("--output", arguments->output, "The folder to write to")
        ->type_name("FOLDER");
    command->add_flag("--explain", arguments->explain,
                      "Count the operations before and after each pass");
    command->add_flag("--json", arguments->as_json, "Machine-readable output");
    command->callback([arguments] { run_generate(*arguments); });
}

}  // namespace plucker::cli
