// Meshes from files, for contact.
//
//     World world = World::flat();
//     world.read_mesh = read_mesh;
#pragma once

#include <vector>

#include "plucker/model/geometry.hpp"

namespace plucker {

// The points of a mesh, in all of its parts, as the file has them and before `scale`: STL, OBJ, Collada and whatever else
// Assimp reads. A Collada file's own unit and axes are applied, but not its idea of which way is up, as robots' files expect.
// Throws Error if the file was not found or cannot be read, or if this library was built without Assimp.
std::vector<Vec3<double>> read_mesh(const Mesh& mesh);

}  // namespace plucker
