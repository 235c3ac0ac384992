#include <fmt/core.h>

#include <memory>

#include "commands.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

std::vector<std::string> builtin_models() {
    std::vector<std::string> out;
    for (const std::string& name : robots::names()) {
        if (name.find('(') == std::string::npos) out.push_back("builtin:" + name);
    }
    return out;
}

// The options of each subcommand, from the command line's own definition.
std::string option_cases(const CLI::App& app) {
    std::string out;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        std::vector<std::string> names;
        for (const CLI::Option* option : command->get_options()) {
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        }
        out += fmt::format("        {}) options=\"{}\" ;;\n", command->get_name(), joined(names));
    }
    return out;
}

std::string bash_script(const CLI::App& app) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(command->get_name());
    }
    return fmt::format(R"(# Completion of plucker for bash. Use: source <(plucker completion bash)
_plucker() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options=
    # bash splits words at colons: put builtin:NAME together again
    if [[ $COMP_LINE =~ (builtin:[a-z_]*)$ ]]; then
        local full=${{BASH_REMATCH[1]}} model
        COMPREPLY=()
        for model in {1}; do
            [[ $model == "$full"* ]] && COMPREPLY+=("${{model#builtin:}}")
        done
        return
    fi
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "{0} --help" -- "$current")
        return
    fi
    case $previous in
        --quantity) mapfile -t COMPREPLY < <(compgen -W "all {2}" -- "$current"); return ;;
        --state) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    esac
    case ${{COMP_WORDS[1]}} in
{3}    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current"; compgen -W "{1}" -- "$current")
    fi
}}
complete -o filenames -F _plucker plucker
)",
                       joined(commands), joined(builtin_models()), joined(quantity_names()),
                       option_cases(app));
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
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));
    command->callback([&app, shell] {
        // zsh runs bash's completions, once told to.
        if (*shell == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
        fmt::print("{}", bash_script(app));
    });
}

}  // namespace plucker::cli
