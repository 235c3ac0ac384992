#include "mjcf/triangles.hpp"

#include <array>
#include <charconv>
#include <sstream>

#include "xml.hpp"

namespace plucker::io {
namespace {

// "7", "7/1" or "7/1/2": the seventh vertex; -1 is the last one so far. From 0; nothing if there is none.
std::optional<std::size_t> corner_of(const std::string& word, std::size_t vertices) {
    long number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    const long index = number > 0 ? number - 1 : static_cast<long>(vertices) + number;
    if (number == 0 || index < 0 || index >= static_cast<long>(vertices)) return std::nullopt;
    return static_cast<std::size_t>(index);
}

}  // namespace

std::vector<char> to_msh(const std::vector<float>& vertices,
                         const std::vector<std::int32_t>& faces) {
    const std::array<std::int32_t, 4> counts{static_cast<std::int32_t>(vertices.size() / 3), 0, 0,
                                             static_cast<std::int32_t>(faces.size() / 3)};
    std::vector<char> out;
    const auto append = [&](const auto& numbers) {
        const char* bytes = reinterpret_cast<const char*>(numbers.data());
        out.insert(out.end(), bytes, bytes + sizeof(numbers[0]) * numbers.size());
    };
    append(counts);  // vertices, normals, texture, faces
    append(vertices);
    append(faces);
    return out;
}

std::optional<std::vector<char>> loose_triangles(const std::string& obj) {
    std::vector<std::array<float, 3>> vertices;
    std::vector<float> corners;
    std::vector<std::int32_t> faces;
    std::istringstream lines(obj);
    for (std::string line; std::getline(lines, line);) {
        std::string why;
        if (line.starts_with("v ")) {
            const auto numbers = parse_numbers(std::string_view(line).substr(2), 3, why);
            if (!numbers) return std::nullopt;
            vertices.push_back({static_cast<float>((*numbers)[0]),
                                static_cast<float>((*numbers)[1]),
                                static_cast<float>((*numbers)[2])});
        } else if (line.starts_with("f ")) {
            std::istringstream words(line.substr(2));
            std::vector<std::size_t> polygon;
            for (std::string word; words >> word;) {
                const auto corner = corner_of(word, vertices.size());
                if (!corner) return std::nullopt;
                polygon.push_back(*corner);
            }
            if (polygon.size() < 3 || polygon.size() > 4) return std::nullopt;
            for (std::size_t k = 2; k < polygon.size(); ++k) {
                for (const std::size_t corner : {polygon[0], polygon[k - 1], polygon[k]}) {
                    faces.push_back(static_cast<std::int32_t>(corners.size() / 3));
                    corners.insert(corners.end(), vertices[corner].begin(), vertices[corner].end());
                }
            }
        }
    }
    return to_msh(corners, faces);
}

}  // namespace plucker::io
