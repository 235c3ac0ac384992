#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "plucker/io/load.hpp"
#include "plucker/scalar/isa.hpp"
#include "plucker/version.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

std::vector<std::string> names_of_isas() {
    std::vector<std::string> out;
    for (const Isa available : available_isas()) out.emplace_back(name_of(available));
    return out;
}

std::string version_text() {
    std::string out = fmt::format("plucker {}\n", kVersion);
    for (const Format format : {Format::kUrdf, Format::kSdf, Format::kMjcf}) {
        out += fmt::format("  {:<5} {}\n", name_of(format),
                           can_read(format) ? "yes" : "not in this build");
    }
    return out + fmt::format("  instruction sets {}; in use: {}", fmt::join(names_of_isas(), ", "),
                             name_of(active_isa()));
}

}  // namespace

void add_version(CLI::App& app) {
    auto as_json = std::make_shared<bool>(false);
    auto* command =
        app.add_subcommand("version", "Show the version and the optional parts of this build");
    command->footer("Examples:\n  plucker version --json");
    command->add_flag("--json", *as_json, "Machine-readable output");
    command->callback([as_json] {
        if (!*as_json) {
            write_output(version_text() + "\n");
            return;
        }
        constexpr int kOneLine = -1;
        print_json({{"version", kVersion},
                    {"urdf", true},
                    {"sdf", can_read(Format::kSdf)},
                    {"mjcf", can_read(Format::kMjcf)},
                    {"isa", name_of(active_isa())},
                    {"isas", names_of_isas()}},
                   kOneLine);
    });
    app.set_version_flag("--version", version_text, "The same as the command version");
}

}  // namespace plucker::cli
