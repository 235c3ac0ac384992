#include "input.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

#include "plucker/model/error.hpp"

namespace plucker::cli {

std::string read_input(const std::string& path) {
    if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error::because(path, ": cannot be opened");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw Error::because(path, ": cannot be read; is it a folder?");
    return text;
}

}  // namespace plucker::cli
