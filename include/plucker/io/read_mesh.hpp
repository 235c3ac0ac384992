// Meshes from files, for contact and for drawing.
//
//     World world = World::flat();
//     world.read_mesh = read_mesh;
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plucker/model/geometry.hpp"

namespace plucker {

// The points of a mesh, in all of its parts, as the file has them and before `scale`: STL, OBJ, Collada and whatever else
// Assimp reads. A Collada file's own unit and axes are applied, but not its idea of which way is up, as robots' files expect.
// Throws Error if the file was not found or cannot be read, or if this library was built without Assimp.
std::vector<Vec3<double>> read_mesh(const Mesh& mesh);

// Triangles to draw: a part of a mesh that has one colour.
struct MeshPart {
    std::vector<float> positions;        // three a corner
    std::vector<float> normals;          // as many; empty: as the triangles lie
    std::vector<std::uint32_t> indices;  // three a triangle
    std::optional<std::array<double, 4>> rgba;
};
// Throws Error with the path and the reason: no such file, a format that is not known, a library that this build lacks.
std::vector<MeshPart> read_mesh_parts(const std::string& path);

}  // namespace plucker
