// The argument MODEL, and the options that go with it, as every subcommand takes them.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plucker/io/load.hpp"

namespace plucker::cli {

struct ModelArgument {
    std::string name;  // a file, or builtin:NAME
    // What the file holds, where it can be read but once and has been.
    std::optional<std::string> text = {};
    bool floating = false;
    bool strict = false;
    bool no_friction = false;
    std::vector<double> gravity;
    std::vector<std::string> package_paths;
    std::string model;  // which of several in the file

    // The description and all that was found about it, in the order of the lines: what the reader says, and what looks
    // wrong. If strict, warnings are errors. Throws Error if the file cannot be read at all.
    ReadResult read() const;
    // The same, but throws Error with the first thing that is wrong.
    ReadResult read_sound() const;
    // The compiled model. That there are warnings is said on standard error.
    Model load() const;
};

// Adds MODEL and all options to a subcommand.
std::shared_ptr<ModelArgument> add_model_argument(CLI::App& command);
// Throws Error, with the closest names, for one that no frame of the robot has.
void check_frames(const char* option, const Model& model, const std::vector<std::string>& names);
// Adds the options alone, to one that takes several models. `argument` must live as long as the command.
void add_model_options(CLI::App& command, ModelArgument& argument);

}  // namespace plucker::cli
