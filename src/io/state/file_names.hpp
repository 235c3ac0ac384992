// What the name of a file says about it.
#pragma once

#include <cctype>
#include <filesystem>
#include <string>

namespace plucker::io {

// ".csv" of "a/run.CSV"; empty where there is none.
inline std::string ending_of(const std::string& path) {
    std::string out = std::filesystem::path(path).extension().string();
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

}  // namespace plucker::io
