// Triangles in MuJoCo's own binary format of meshes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plucker::io {

std::vector<char> to_msh(const std::vector<float>& vertices,
                         const std::vector<std::int32_t>& faces);

// The triangles of an OBJ file, each with corners of its own; a face with four corners is two of them, as in MuJoCo.
// Nothing if there is any other face.
std::optional<std::vector<char>> loose_triangles(const std::string& obj);

}  // namespace plucker::io
