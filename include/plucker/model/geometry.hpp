// Shapes of links: for drawing, and for contact in a simulation.
#pragma once

#include <array>
#include <cstdint>
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

// What a surface does to what touches it.
struct Surface {
    double friction = 1;  // Coulomb's coefficient
    double torsional =
        0;  // against spinning on the spot, in metres: the largest torque for a normal force
    double restitution = 0;  // 0: what falls on it stays, 1: it loses no energy
    friend bool operator==(const Surface&, const Surface&) = default;
};

struct Shape {
    std::string name;
    Pose<double> placement;  // in the link
    Geometry geometry;
    std::optional<Material> material = {};
    std::optional<Surface> surface = {};  // of a collision shape; absent: as the world says
    // Two shapes can touch if what one is, in bits, is among what the other meets.
    std::uint32_t is = 1;
    std::uint32_t meets = 1;
};

}  // namespace plucker
