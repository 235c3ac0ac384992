#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "plucker/error.hpp"
#include "plucker/io/read_height_field.hpp"

namespace plucker {
namespace {

// The numbers of one line, after those that are there; returns how many.
int read_heights(const std::string& line, const std::string& where, std::vector<double>& out) {
    constexpr const char* kBetween = ",; \t\r";
    int count = 0;
    for (std::size_t at = line.find_first_not_of(kBetween); at != std::string::npos;
         at = line.find_first_not_of(kBetween, at)) {
        const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
        double height = NAN;
        const auto [stop, error] = std::from_chars(line.data() + at, line.data() + end, height);
        if (error != std::errc{} || stop != line.data() + end || !std::isfinite(height)) {
            throw Error::because(where, ": '", line.substr(at, std::min<std::size_t>(end - at, 40)),
                                 "' is not a height in metres");
        }
        out.push_back(height);
        ++count;
        at = end;
    }
    return count;
}

}  // namespace

HeightField read_height_field(const std::string& path, double spacing) {
    if (!(spacing > 0) || !std::isfinite(spacing)) {
        throw Error::because(path, ": heights ", spacing,
                             " m apart: the spacing must be positive, such as 0.1");
    }
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw Error::because(path, ": is a folder; name the table in it");
    std::ifstream in(path);
    if (!in) throw Error::because(path, ": cannot be opened");
    HeightField out;
    out.name = path;
    out.spacing_x = out.spacing_y = spacing;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (line.starts_with("#")) continue;
        const std::string where = path + ":" + std::to_string(number);
        const int count = read_heights(line, where, out.heights);
        if (count == 0) continue;
        if (out.points_y > 0 && count != out.points_x) {
            throw Error::because(where, ": the line has ", count,
                                 count == 1 ? " height" : " heights", ", and those before it ",
                                 out.points_x);
        }
        out.points_x = count;
        ++out.points_y;
    }
    if (out.points_x < 2 || out.points_y < 2) {
        throw Error::because(path, ": has ", out.points_x, " x ", out.points_y,
                             " heights; terrain needs two each way at least");
    }
    out.origin = {-0.5 * spacing * (out.points_x - 1), -0.5 * spacing * (out.points_y - 1), 0};
    return out;
}

}  // namespace plucker
