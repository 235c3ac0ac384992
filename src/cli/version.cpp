#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "plucker/io/load.hpp"
#include "plucker/scalar/isa.hpp"
#include "plucker/version.hpp"

namespace plucker::cli {

void add_version(CLI::App& app) {
    auto as_json = std::make_shared<bool>(false);
    auto* command =
        app.add_subcommand("version", "The version of this tool, and its optional parts");
    command->add_flag("--json", *as_json, "Machine-readable output");
    command->callback([as_json] {
        const char* isa = name_of(active_isa());
        std::vector<std::string> isas;
        for (const Isa available : available_isas()) isas.emplace_back(name_of(available));
        if (*as_json) {
            fmt::print("{}\n", nlohmann::json{{"version", kVersion},
                                              {"urdf", true},
                                              {"sdf", can_read(Format::kSdf)},
                                              {"mjcf", can_read(Format::kMjcf)},
                                              {"isa", isa},
                                              {"isas", isas}}
                                   .dump());
            return;
        }
        fmt::print("plucker {}\n", kVersion);
        for (const Format format : {Format::kUrdf, Format::kSdf, Format::kMjcf}) {
            fmt::print("  {:<5} {}\n", name_of(format),
                       can_read(format) ? "yes" : "not in this build");
        }
        fmt::print("  instruction sets {}; in use: {}\n", fmt::join(isas, ", "), isa);
    });
}

}  // namespace plucker::cli
