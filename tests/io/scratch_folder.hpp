// A folder of a test's own and the files that it puts there; an environment of its own.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace plucker::test {

class ScratchFolder {
public:
    explicit ScratchFolder(const std::string& name)
        : path_(std::filesystem::canonical(std::filesystem::temp_directory_path()) /
                ("plucker_" + name + "_" + std::to_string(getpid()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~ScratchFolder() { std::filesystem::remove_all(path_); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Writes the text to a file below the folder and returns its path.
    std::string write(const std::string& file, const std::string& text) const {
        const std::filesystem::path at = path_ / file;
        std::filesystem::create_directories(at.parent_path());
        std::ofstream(at, std::ios::binary) << text;
        return at.string();
    }

private:
    std::filesystem::path path_;
};

// An environment variable, set while this lives.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) {
        setenv(name, value.c_str(), 1);
    }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

}  // namespace plucker::test
