// The surroundings of a robot: planes, terrain, and static shapes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plucker/model/geometry.hpp"

namespace plucker {

// Terrain as a grid of heights, two triangles a cell. It is solid below; beyond its border there is nothing.
//
// The cell with corners (i, j) and (i + 1, j + 1) is cut along the line between these two.
struct HeightField {
    std::string name;
    Vec3<double> origin{};  // of point (0, 0) at height 0
    double spacing_x = 1;   // between neighbouring points, in metres
    double spacing_y = 1;
    int points_x = 0;  // how many points there are along x, and along y; at least two of each
    int points_y = 0;
    std::vector<double> heights;  // points_x · points_y of them, above the origin; x runs fastest
    std::optional<Surface> surface = {};  // absent: as the world says
    std::uint32_t is = 1;                 // as those of a Shape
    std::uint32_t meets = 1;

    Vec3<double> point(int i, int j) const {
        const auto k = static_cast<std::size_t>(j) * static_cast<std::size_t>(points_x) +
                       static_cast<std::size_t>(i);
        return origin + Vec3<double>{i * spacing_x, j * spacing_y, heights[k]};
    }
    // Of the surface, in the world; nothing beyond the border.
    std::optional<double> height_at(double x, double y) const;
};

// Throws Error, which names the field and the point, unless there is terrain in it: simulators ask it of every field.
void check_height_field(const HeightField& field);

// The corners of a mesh, as its file has them, before `scale`.
using MeshReader = std::function<std::vector<Vec3<double>>(const Mesh&)>;

struct World {
    // Shapes that do not move, placed in the world. A plane is the half-space behind it.
    std::vector<Shape> shapes;
    std::vector<HeightField> fields;
    // Of every shape that does not say it, the robot's too.
    Surface surface = {};
    // How to read meshes; read_mesh of plucker/io/read_mesh.hpp does. Without one, shapes that are meshes are refused.
    MeshReader read_mesh = {};

    // Flat ground through the origin, level to `up`.
    static World flat(const Vec3<double>& up = {0, 0, 1}) {
        World world;
        world.shapes.push_back({.name = "ground", .placement = {}, .geometry = Plane{up}});
        return world;
    }
};

}  // namespace plucker
