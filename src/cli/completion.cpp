#include <fmt/core.h>

#include <memory>

#include "commands.hpp"
#include "plucker/algorithms/algorithm.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/robots/robots.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

std::vector<std::string> builtin_models() {
    std::vector<std::string> out;
    for (const std::string& name : robots::names()) {
        if (name.find('(') == std::string::npos) out.push_back("builtin:" + name);
    }
    return out;
}

std::string words(const std::string& list) {
    return fmt::format("compgen -W \"{}\" -- \"$current\"", list);
}

// How bash finds what may stand in the place of an option's value or of an argument: by its name, or else by the kind
// of value that the help shows. Empty for a number or a name that only the robot knows.
std::string source_of(const CLI::App& app, const CLI::Option& option) {
    const std::string& name = option.get_single_name();
    if (name == "MODEL") {
        return "compgen -f -- \"$current\"; " + words(joined(builtin_models(), " "));
    }
    if (name == "COMMAND") return words(joined(command_names(app), " "));
    if (name == "ALGORITHM")
        return words(joined(row_names([](const Algorithm&) { return true; }), " "));
    if (name == "SHELL") return words("bash zsh");
    if (name == "quantity") return words("all " + joined(quantity_names(), " "));
    const std::string& kind =
        option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
    if (kind == "FOLDER") return "compgen -d -- \"$current\"";
    if (kind == "FILE") return "compgen -f -- \"$current\"";
    return "";
}

// For each subcommand, from the command line's own definition: its options, which of them take a value and what it may
// be, and what its arguments may be.
std::string command_cases(const CLI::App& app) {
    std::string out;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        std::string values, arguments;
        for (const CLI::Option* option : command->get_options()) {
            if (option->get_group().empty()) continue;  // hidden
            const std::string source = source_of(app, *option);
            if (option->get_positional()) {
                // OUTPUT comes after MODEL: either may be meant
                arguments += (arguments.empty() || source.empty() ? "" : "; ") + source;
            } else if (option->get_items_expected_max() > 0) {
                std::string names;
                for (const std::string& n : option->get_snames()) names += "|-" + n;
                for (const std::string& n : option->get_lnames()) names += "|--" + n;
                values += fmt::format("                {}) found=$({}); taken=1 ;;\n",
                                      names.substr(1), source.empty() ? "true" : source);
            }
        }
        out += fmt::format(R"(        {0})
            options="{1}"
            case $previous in
{2}                *) [[ $current == -* ]] || found=$({3}) ;;
            esac ;;
)",
                           command->get_name(), joined(option_names(*command), " "), values,
                           arguments.empty() ? "true" : arguments);
    }
    return out;
}

std::string bash_script(const CLI::App& app) {
    return fmt::format(R"(# Completion of plucker for bash. Use: source <(plucker completion bash)
_plucker() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local options= found= taken=
    # bash splits words at colons: put builtin:NAME together again
    if [[ $COMP_LINE =~ (builtin:[a-z_]*)$ ]]; then
        local full=${{BASH_REMATCH[1]}} model
        COMPREPLY=()
        for model in {0}; do
            [[ $model == "$full"* ]] && COMPREPLY+=("${{model#builtin:}}")
        done
        return
    fi
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "{1} {2}" -- "$current")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{3}    esac
    if [[ $current == -* && -z $taken ]]; then
        found=$(compgen -W "$options" -- "$current")
    fi
    COMPREPLY=()
    [[ -z $found ]] || mapfile -t COMPREPLY <<< "$found"
}}
complete -o filenames -F _plucker plucker
)",
                       joined(builtin_models(), " "), joined(command_names(app), " "),
                       joined(option_names(app), " "), command_cases(app));
}

}  // namespace

void add_completion(CLI::App& app) {
    auto shell = std::make_shared<std::string>();
    auto* command =
        app.add_subcommand("completion", "Print a script that completes plucker's arguments");
    command->footer(
        "bash: source <(plucker completion bash)        in ~/.bashrc\n"
        "zsh:  source <(plucker completion zsh)         in ~/.zshrc");
    command->add_option("SHELL", *shell, "bash or zsh")
        ->type_name("")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));
    command->callback([&app, shell] {
        // zsh runs bash's completions, once told to.
        if (*shell == "zsh") write_output("autoload -U +X bashcompinit && bashcompinit\n");
        write_output(bash_script(app));
    });
}

}  // namespace plucker::cli
