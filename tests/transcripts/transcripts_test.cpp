// What people see: command lines, and what was answered to them. Each file in cases/ is a transcript,
//
//     # Free text.
//     $ plucker info builtin:pendulum
//     the answer, of both streams
//     [2]
//
// with an exit code that is not 0 in brackets at the end, and a backslash before a line of the answer that looks like one of
// the other two. Each is run again, in a folder with a copy of files/, line by line in
// a shell, where what comes is compared word by word; words that are numbers up to rounding. A transcript may leave files
// behind for its later lines.
//
// After a change that people shall see, PLUCKER_RECORD=1 build/test/tests/plucker_test_transcripts writes the new answers into
// the files; read the difference before you commit it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/words.hpp"

namespace plucker::test {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = PLUCKER_TRANSCRIPTS;

std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream out;
    out << file.rdbuf();
    return out.str();
}

// One command line, or free text if there is none.
struct Entry {
    std::string command, answer;
};

bool is_other(const std::string& line) {
    return line.rfind("$ ", 0) == 0 || line.rfind("# ", 0) == 0;
}
// As it stands in the file.
std::string written(const std::string& answer) {
    std::string out;
    std::istringstream lines(answer);
    for (std::string line; std::getline(lines, line);)
        out += (is_other(line) || line.rfind('\\', 0) == 0 ? "\\" : "") + line + "\n";
    return out;
}

std::vector<Entry> entries_of(const std::string& transcript) {
    std::vector<Entry> out;
    std::istringstream lines(transcript);
    for (std::string line; std::getline(lines, line);) {
        if (is_other(line)) {
            const bool is_command = line[0] == '$';
            out.push_back({is_command ? line.substr(2) : "", is_command ? "" : line + "\n"});
            continue;
        }
        if (out.empty()) out.push_back({});
        const bool is_escaped = !out.back().command.empty() && line.rfind('\\', 0) == 0;
        out.back().answer += line.substr(is_escaped ? 1 : 0) + "\n";
    }
    return out;
}

// In its own folder, so that what is written stays there, and lines that follow find it.
class Shell {
public:
    explicit Shell(const std::string& name)
        : folder_(fs::temp_directory_path() /
                  ("plucker_transcript_" + name + "_" + std::to_string(getpid()))) {
        fs::copy(kFolder / "files", folder_, fs::copy_options::recursive);
    }
    ~Shell() { fs::remove_all(folder_); }
    Shell(const Shell&) = delete;
    Shell& operator=(const Shell&) = delete;

    std::string run(const std::string& command) const {
        // The same words everywhere: no terminal, no colours, and paths as the file says them.
        const std::string line = "cd '" + folder_.string() +
                                 "' && exec 2>&1 && export TMPDIR=. && " + "plucker() { '" +
                                 PLUCKER_CLI + "' \"$@\"; } && " + command;
        FILE* pipe = popen(line.c_str(), "r");
        std::string out;
        char buffer[4096];
        for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
            out.append(buffer, n);
        const int status = pclose(pipe);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (!out.empty() && out.back() != '\n') out += "\n[no newline]\n";
        if (code != 0) out += "[" + std::to_string(code) + "]\n";
        for (std::size_t at = 0; (at = out.find(folder_.string(), at)) != std::string::npos;)
            out.replace(at, folder_.string().size(), "FOLDER");
        return out;
    }

private:
    fs::path folder_;
};

std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const fs::directory_entry& file : fs::directory_iterator(kFolder / "cases"))
        out.push_back(file.path().stem().string());
    std::sort(out.begin(), out.end());
    return out;
}

class Transcripts : public testing::TestWithParam<std::string> {};

TEST_P(Transcripts, AreRepeated) {
    const fs::path path = kFolder / "cases" / (GetParam() + ".txt");
    const bool records = std::getenv("PLUCKER_RECORD") != nullptr;
    const Shell shell(GetParam());
    std::string recorded;
    int commands = 0;
    for (const Entry& entry : entries_of(read(path))) {
        if (entry.command.empty()) {
            recorded += entry.answer;
            continue;
        }
        ++commands;
        const std::string answer = shell.run(entry.command);
        recorded += "$ " + entry.command + "\n" + written(answer);
        if (records) continue;
        EXPECT_EQ(difference_in_words(answer, entry.answer), "") << "$ " << entry.command;
    }
    EXPECT_GT(commands, 0);
    if (records) std::ofstream(path) << recorded;
}
INSTANTIATE_TEST_SUITE_P(All, Transcripts, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace plucker::test
