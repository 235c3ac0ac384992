#include "model_argument.hpp"

#include "plucker/robots/robots.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

constexpr const char* kBuiltin = "builtin:";

void remove_friction(Description& description) {
    for (JointDescription& joint : description.joints) joint.damping = joint.friction = 0;
}

}  // namespace

ReadResult ModelArgument::read() const {
    ReadResult result;
    if (name.starts_with(kBuiltin)) {
        result.description =
            robots::by_name(name.substr(std::string(kBuiltin).size())).description();
        if (floating) result.description.base = Base::kFloating;
    } else {
        LoadOptions options;
        options.base = floating ? Base::kFloating : Base::kFixed;
        options.package_paths = package_paths;
        options.physics = lenient ? Physics::kLenient : Physics::kStrict;
        result = read_robot(name, options);
    }
    if (no_friction) remove_friction(result.description);
    if (!gravity.empty()) result.description.gravity = {gravity[0], gravity[1], gravity[2]};
    return result;
}

Model ModelArgument::load() const {
    ReadResult result = read();
    std::size_t warnings = 0;
    for (const Diagnostic& d : result.diagnostics) {
        if (d.severity == Severity::kError) throw Error(to_string(d));
        if (d.severity == Severity::kWarning) ++warnings;
    }
    if (warnings > 0) {
        complain("{}: {}; see: plucker check {}\n", name, counted(warnings, "warning"), name);
    }
    return Model(std::move(result.description));
}

std::shared_ptr<ModelArgument> add_model_argument(CLI::App& command) {
    auto argument = std::make_shared<ModelArgument>();
    command.add_option("MODEL", argument->name, "A robot file (URDF, SDF, MJCF), or builtin:NAME")
        ->type_name("")
        ->required();
    add_model_options(command, *argument);
    return argument;
}

void add_model_options(CLI::App& command, ModelArgument& argument) {
    command.add_flag("--floating", argument.floating,
                     "Let the root link float instead of standing fixed");
    command.add_flag("--lenient", argument.lenient,
                     "Accept inertias that no body can have, with a warning");
    command.add_flag("--no-friction", argument.no_friction,
                     "Leave out the joints' damping and friction");
    // Without extra arguments, here and below: a list would take the names that follow it for its own.
    command.add_option("--gravity", argument.gravity, "Gravity in m/s²")
        ->option_text("X,Y,Z")
        ->delimiter(',')
        ->expected(3)
        ->allow_extra_args(false);
    command
        .add_option("--package-path", argument.package_paths,
                    "A folder with packages, for package:// in mesh names (repeatable)")
        ->option_text("FOLDER")
        ->allow_extra_args(false);
}

}  // namespace plucker::cli
