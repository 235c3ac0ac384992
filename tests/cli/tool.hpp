// Starts the tool as people do, through a shell.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace plucker::test {

using nlohmann::json;

struct Outcome {
    int code;
    std::string output;  // standard output, or with `2>&1` both
};

// A line of the shell, in which $plucker is the tool, and $tour the program that ./run begins with.
inline Outcome run_shell(const std::string& line) {
    const std::string command = "plucker='" + std::string(PLUCKER_CLI) + "'; tour='" +
                                std::string(PLUCKER_TOUR) + "'; " + line;
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        output.append(buffer.data(), n);
    }
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

inline Outcome run(const std::string& arguments) { return run_shell("$plucker " + arguments); }

inline std::string reference(const std::string& file) {
    return std::string(PLUCKER_TEST_DATA_DIR) + "/reference/" + file;
}

// The names of all commands, as the tool itself lists them.
inline std::vector<std::string> command_names() {
    std::vector<std::string> out;
    const std::string help = run("help").output;
    std::size_t at = help.find("Subcommands:\n");
    at = help.find('\n', at) + 1;
    while (help.compare(at, 2, "  ") == 0) {
        const std::size_t begin = at + 2;
        out.push_back(help.substr(begin, help.find(' ', begin) - begin));
        at = help.find('\n', at) + 1;
    }
    return out;
}

constexpr const char* kPendulumState = "{\"q\": {\"joints\": {\"hinge\": 0.3}}}";

class TemporaryFile {
public:
    TemporaryFile(const std::string& name, const std::string& text)
        : path_(std::filesystem::temp_directory_path() /
                ("plucker_cli_" + std::to_string(getpid()) + "_" + name)) {
        std::ofstream(path_) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

// A log of the built-in pendulum, as excite makes it.
inline std::string pendulum_log() {
    static const TemporaryFile kLog(
        "pendulum_log.csv",
        run("excite builtin:pendulum --duration 4 --trials 2 2> /dev/null").output);
    return kLog.path();
}

// Arguments for each command with which it succeeds, prints, and is quick. Input comes from standard input.
inline const std::map<std::string, std::string>& brief_arguments() {
    static const std::map<std::string, std::string> kArguments{
        {"info", "builtin:arm"},
        {"check", "builtin:arm"},
        {"state", "builtin:arm"},
        {"eval", "builtin:pendulum --state - --quantity com"},
        {"verify", "builtin:pendulum --samples 1"},
        {"bench", "builtin:pendulum --seconds 0.001 --batch 32"},
        {"convert", "builtin:arm"},
        {"view", "builtin:pendulum --output " +
                     (std::filesystem::temp_directory_path() / "plucker_cli_view.html").string()},
        {"play", "builtin:pendulum --output " +
                     (std::filesystem::temp_directory_path() / "plucker_cli_play.html").string()},
        {"learn", "--output " +
                      (std::filesystem::temp_directory_path() / "plucker_cli_learn.html").string()},
        {"generate",
         "builtin:pendulum --output " +
             (std::filesystem::temp_directory_path() / "plucker_cli_generated").string()},
        {"excite", "builtin:pendulum --duration 2 --trials 2"},
        {"simulate", "builtin:pendulum --duration 0.01"},
        {"identify", "builtin:pendulum --log " + pendulum_log()},
        {"robots", ""},
        {"algorithms", ""},
        {"tour", "builtin:pendulum"},
        {"completion", "bash"},
        {"version", ""},
        {"help", ""}};
    return kArguments;
}

}  // namespace plucker::test
