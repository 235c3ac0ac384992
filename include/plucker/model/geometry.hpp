// Shapes of links, kept with the model for drawing. Nothing computes with them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "plucker/spatial/pose.hpp"

namespace plucker {

struct Box {
    Vec3<double> size;
};
struct Cylinder {  // along z
    double radius = 0;
    double length = 0;
};
struct Capsule {  // along z; the length is that of the cylindrical part
    double radius = 0;
    double length = 0;
};
struct Sphere {
    double radius = 0;
};
struct Ellipsoid {
    Vec3<double> radii;
};
struct Plane {
    Vec3<double> normal{0, 0, 1};
};
struct Mesh {
    std::string uri;   // as the file has it
    std::string path;  // where it was found; empty if it was not
    Vec3<double> scale{1, 1, 1};
};
using Geometry = std::variant<Box, Cylinder, Capsule, Sphere, Ellipsoid, Plane, Mesh>;

struct Material {
    std::string name;
    std::optional<std::array<double, 4>> rgba;
    std::string texture;
};

struct Shape {
    std::string name;
    Pose<double> placement;  // in the link
    Geometry geometry;
    std::optional<Material> material;
};

}  // namespace plucker
