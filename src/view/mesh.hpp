// Triangles from mesh files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plucker::view {

// A part of a mesh that has one colour.
struct MeshPart {
    std::vector<float> positions;        // three a corner
    std::vector<float> normals;          // as many; empty: as the triangles lie
    std::vector<std::uint32_t> indices;  // three a triangle
    std::optional<std::array<double, 4>> rgba;
};

// Throws Error with the path and the reason: no such file, a format that is not known, a library that this build lacks.
std::vector<MeshPart> read_mesh(const std::string& path);

}  // namespace plucker::view
