// Triangles in MuJoCo's own binary format of meshes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plucker::io {

std::vector<char> to_msh(const std::vector<float>& vertices,
                         const std::vector<std::int32_t>& faces);

// The triangles of an OBJ file, each with corners of its own; a face with more corners is cut. Nothing if it cannot be
// read, or has faces with absurdly many corners.
std::optional<std::vector<char>> loose_triangles(const std::string& obj);

}  // namespace plucker::io
