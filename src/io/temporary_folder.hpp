// A folder for files that another library must read from disk.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace plucker::io {

// Made in the system's place for such folders, and removed with all that is in it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code failure;
        std::string name =
            (std::filesystem::temp_directory_path(failure) / "plucker-XXXXXX").string();
        if (!failure && mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }  // empty: none could be made

private:
    std::filesystem::path path_;
};

}  // namespace plucker::io
