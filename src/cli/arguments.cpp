// What people mistype, and what the tool says to it.
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "commands.hpp"
#include "plucker/model/error.hpp"

namespace plucker::cli {
namespace {

// The command that was called, or the tool itself.
const CLI::App& called(const CLI::App& app) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
}

bool looks_like_a_robot(const std::string& word) {
    std::error_code ignored;
    return word.starts_with("builtin:") || std::filesystem::is_regular_file(word, ignored);
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> out;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        out.push_back(command->get_name());
    return out;
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> out;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty()) continue;  // hidden
        for (const std::string& name : option->get_snames()) out.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    }
    return out;
}

void check_command_name(const CLI::App& app, int argc, const char* const* argv) {
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (word.starts_with('-')) continue;  // no option of the tool itself takes a value
        const std::vector<std::string> names = command_names(app);
        if (std::find(names.begin(), names.end(), word) != names.end()) return;
        if (looks_like_a_robot(word)) {
            throw Error::because("'", word, "' is a robot; say what to do with it: plucker info ",
                                 word);
        }
        throw Error::because(unknown_name("command", word, names).what(), "; see: plucker help");
    }
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = called(app);
    const std::string name = &command == &app ? "" : command.get_name() + ": ";
    const std::string see =
        "; see: plucker " + name.substr(0, name.find(':')) + (name.empty() ? "" : " ") + "--help";
    // A misspelt option may be why another one seems to be missing: it comes first.
    const std::vector<std::string> left = command.remaining();
    for (const std::string& word : left) {
        if (!word.starts_with('-')) continue;
        std::vector<std::string> known = option_names(command);
        std::erase_if(known, [](const std::string& option) { return !option.starts_with("--"); });
        return name + unknown_name("option", word.substr(0, word.find('=')), known).what() + see;
    }
    if (!left.empty()) return name + "unexpected argument '" + left.front() + "'" + see;
    std::string what = error.what();
    // "--samples: 1 required INT:INT in [1 - 1000000] missing"
    if (error.get_name() == "ArgumentMismatch" && what.ends_with(" missing"))
        what = what.substr(0, what.find(':')) + " lacks its value";
    // "json was given a disallowed flag override"
    const std::string override = " was given a disallowed flag override";
    if (what.ends_with(override))
        what = "--" + what.substr(0, what.size() - override.size()) + " takes no value";
    return name + what + see;
}

std::vector<std::string> arguments_from_the_last(int argc, const char* const* argv) {
    std::vector<std::string> out;
    for (int k = 1; k < argc; ++k) {
        const std::string argument = argv[k];
        const bool may_take_values = argument == "--ground" || argument == "--hold";
        const std::string next = may_take_values && k + 1 < argc ? argv[k + 1] : "";
        const std::size_t equals = next.find('=');
        const bool has_name = equals != std::string::npos && equals > 0 &&
                              next.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == equals;
        const bool is_frequency = argument == "--hold" && next.ends_with("Hz") &&
                                  next.find_first_not_of("0123456789.-+e") == next.size() - 2;
        const bool is_value = has_name || is_frequency;
        out.push_back(is_value ? argument + "=" + next : argument);
        if (is_value) ++k;
    }
    std::reverse(out.begin(), out.end());
    return out;
}

}  // namespace plucker::cli
