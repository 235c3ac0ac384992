#include "mjcf/triangles.hpp"

#include <array>
#include <charconv>
#include <cmath>
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

using Corner = std::array<float, 3>;
using Triangle = std::array<std::size_t, 3>;

// To cut a face with n corners takes up to n^3 steps. So many are enough for one with a thousand, or millions with few.
constexpr double kMostSteps = 1e9;

Vec3<double> vec3_of(const Corner& c) { return {c[0], c[1], c[2]}; }

// Cuts a face, which need not be convex, into triangles, one corner at a time: one that points outwards, and whose
// triangle no other corner lies in.
class FaceCutter {
public:
    FaceCutter(const std::vector<Corner>& vertices, std::vector<std::size_t> face)
        : vertices_(vertices), face_(std::move(face)) {
        for (std::size_t k = 0; k < face_.size(); ++k)
            normal_ = normal_ + cross(at(k), at(k + 1));  // twice the area, wherever the origin is
    }

    std::vector<Triangle> cut() && {
        std::vector<Triangle> out;
        while (face_.size() > 3) {
            std::size_t k = 1;
            while (k <= face_.size() && !can_be_cut(k)) ++k;
            if (k > face_.size()) k = 1;  // it has no area, or crosses itself
            out.push_back(triangle(k));
            face_.erase(face_.begin() + static_cast<std::ptrdiff_t>(k % face_.size()));
        }
        out.push_back(triangle(1));
        return out;
    }

private:
    std::size_t vertex(std::size_t k) const { return face_[k % face_.size()]; }
    Vec3<double> at(std::size_t k) const { return vec3_of(vertices_[vertex(k)]); }
    Triangle triangle(std::size_t k) const { return {vertex(k - 1), vertex(k), vertex(k + 1)}; }

    // On which side of the line from a to b the point p lies: positive inside of a convex face.
    double side(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& p) const {
        return dot(normal_, cross(b - a, p - a));
    }
    bool can_be_cut(std::size_t k) const {
        const Vec3<double> a = at(k - 1), b = at(k), c = at(k + 1);
        if (!(side(a, b, c) > 0)) return false;
        for (const std::size_t other : face_) {
            const Vec3<double> p = vec3_of(vertices_[other]);
            if (p == a || p == b || p == c) continue;
            if (side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0) return false;
        }
        return true;
    }

    const std::vector<Corner>& vertices_;
    std::vector<std::size_t> face_;
    Vec3<double> normal_{};
};

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
    std::vector<Corner> vertices;
    std::vector<float> corners;
    std::vector<std::int32_t> faces;
    double steps = 0;
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
            std::vector<std::size_t> face;
            for (std::string word; words >> word;) {
                const auto corner = corner_of(word, vertices.size());
                if (!corner) return std::nullopt;
                face.push_back(*corner);
            }
            steps += std::pow(static_cast<double>(face.size()), 3);
            if (face.size() < 3 || steps > kMostSteps) return std::nullopt;
            for (const Triangle& triangle : FaceCutter(vertices, std::move(face)).cut()) {
                for (const std::size_t corner : triangle) {
                    faces.push_back(static_cast<std::int32_t>(corners.size() / 3));
                    corners.insert(corners.end(), vertices[corner].begin(), vertices[corner].end());
                }
            }
        }
    }
    return to_msh(corners, faces);
}

}  // namespace plucker::io
