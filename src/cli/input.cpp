#include "input.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "plucker/model/error.hpp"

namespace plucker::cli {

std::string name_of_input(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_input(const std::string& path) {
    if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw Error::because(path, ": is a folder; name the file in it");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error::because(path, ": cannot be opened: ", std::strerror(errno));
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace plucker::cli
