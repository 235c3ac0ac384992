// What the built-in robots look like: forms, by where they are, and a few colours.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "plucker/model/geometry.hpp"

namespace plucker::robots {

struct Colour {
    const char* name;
    std::array<double, 4> rgba;
};

// A form that is the same on all sides of its axis, or a box along the axes of its link.
struct Form {
    Geometry geometry;
    Vec3<double> center{};
    Vec3<double> along{0, 0, 1};  // the axis, a unit vector

    Shape shape() const {
        return {.name = "", .placement = {turned(), center}, .geometry = geometry};
    }
    Shape shape(const Colour& colour) const {
        Shape out = shape();
        out.material = Material{colour.name, colour.rgba, ""};
        return out;
    }

private:
    // The smallest turn that takes z to the axis.
    Mat3<double> turned() const {
        if (along == Vec3<double>{0, 0, 1}) return Mat3<double>::identity();
        const double c = along.z;
        if (c < -1 + 1e-12) return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
        const double k = 1 / (1 + c);
        const Vec3<double> a = along;
        return {{1 - k * a.x * a.x, 0 - k * a.x * a.y, a.x},
                {0 - k * a.x * a.y, 1 - k * a.y * a.y, a.y},
                {0 - a.x, 0 - a.y, c}};
    }
};

// With round ends in the two points.
inline Form capsule(const Vec3<double>& from, const Vec3<double>& to, double radius) {
    const Vec3<double> d = to - from;
    const double length = norm(d);
    return {Capsule{radius, length}, 0.5 * (from + to), (1 / length) * d};
}
// With flat ends in the two points.
inline Form cylinder(const Vec3<double>& from, const Vec3<double>& to, double radius) {
    Form form = capsule(from, to, radius);
    form.geometry = Cylinder{radius, std::get<Capsule>(form.geometry).length};
    return form;
}
inline Form sphere(const Vec3<double>& center, double radius) { return {Sphere{radius}, center}; }
inline Form box(const Vec3<double>& center, const Vec3<double>& size) {
    return {Box{size}, center};
}

inline constexpr Colour kShell{"shell", {0.92, 0.93, 0.94, 1}};        // painted covers
inline constexpr Colour kGraphite{"graphite", {0.16, 0.17, 0.19, 1}};  // motors and joints
inline constexpr Colour kSteel{"steel", {0.62, 0.65, 0.69, 1}};
inline constexpr Colour kAccent{"accent", {0.95, 0.45, 0.13, 1}};
inline constexpr Colour kRubber{"rubber", {0.08, 0.08, 0.09, 1}};
inline constexpr Colour kGlass{"glass", {0.10, 0.55, 0.75, 1}};
inline constexpr Colour kCloth{"cloth", {0.30, 0.42, 0.62, 1}};
inline constexpr Colour kSkin{"skin", {0.87, 0.70, 0.58, 1}};
inline constexpr Colour kLight{"light", {1.00, 0.93, 0.62, 1}};

}  // namespace plucker::robots
