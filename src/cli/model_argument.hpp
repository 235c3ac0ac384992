// The argument MODEL, and the options that go with it, as every subcommand takes them.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "plucker/io/load.hpp"

namespace plucker::cli {

struct ModelArgument {
    std::string name;  // a file, or builtin:NAME
    bool floating = false;
    bool lenient = false;
    bool no_friction = false;
    std::vector<double> gravity;
    std::vector<std::string> package_paths;

    // The description and what was found about it. Throws Error if the file cannot be read at all.
    ReadResult read() const;
    // The compiled model; throws Error with the first thing that is wrong. Warnings go to standard error.
    Model load() const;
};

// Adds MODEL and the options above to a subcommand; for one that takes several models, the options alone.
std::shared_ptr<ModelArgument> add_model_argument(CLI::App& command);
void add_model_options(CLI::App& command, ModelArgument& argument);

}  // namespace plucker::cli
