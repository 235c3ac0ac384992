// Convex shapes as the algorithms see them: a core, grown by a radius. What they ask of it: the point farthest along a
// direction, and the corner, edge or face there.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "plucker/spatial/pose.hpp"

namespace plucker::collide {

using Vec = Vec3<double>;

struct Hull;

enum class Kind : std::uint8_t {
    kPoint,    // grown: a sphere
    kSegment,  // along z; grown: a capsule
    kBox,
    kCylinder,  // along z
    kEllipsoid,
    kHull,
    kPlane,  // not bounded: the half-space below z = 0
    kField,  // not convex: a height field
};

struct Convex {
    Kind kind = Kind::kPoint;
    double radius = 0;           // by which the core is grown
    Vec half{};                  // the core's half lengths along its axes
    const Hull* hull = nullptr;  // kHull: around the origin
};

// A shape at its place in the world.
struct Placed {
    Convex shape;
    Pose<double> pose;

    Vec axis(int k) const {
        const Mat3<double>& R = pose.rotation;
        if (k == 0) return {R.x.x, R.y.x, R.z.x};
        if (k == 1) return {R.x.y, R.y.y, R.z.y};
        return {R.x.z, R.y.z, R.z.z};
    }
};

// The radius of a ball around the origin that holds the core.
double core_bound(const Convex& shape);

// Half lengths, along the world's axes, of a box around the grown shape whose axes are the columns of R.
template <class S>
Vec3<S> half_extents(const Convex& s, const Mat3<S>& R) {
    using std::abs;
    using std::sqrt;
    const S radius(s.radius), x(s.half.x), y(s.half.y), z(s.half.z);
    const auto along = [&](const Vec3<S>& row) {
        switch (s.kind) {
            case Kind::kSegment:
                return radius + z * abs(row.z);
            case Kind::kBox:
            case Kind::kHull:
                return x * abs(row.x) + y * abs(row.y) + z * abs(row.z);
            case Kind::kCylinder:
                return x * sqrt(row.x * row.x + row.y * row.y) + z * abs(row.z);
            case Kind::kEllipsoid:
                return norm(Vec3<S>{x * row.x, y * row.y, z * row.z});
            default:
                return radius;
        }
    };
    return {along(R.x), along(R.y), along(R.z)};
}

// The core's point that is farthest along a direction of any length.
Vec support(const Placed& placed, const Vec& direction);

// The part of a core that is farthest along a direction: a corner, the ends of an edge, or the corners of a face in their
// order, each with a number that stays with it.
struct Feature {
    static constexpr int kMost = 8;
    int count = 0;
    std::array<Vec, kMost> points;
    std::array<std::uint32_t, kMost> ids;

    void add(const Vec& point, std::uint32_t id) {
        points[static_cast<std::size_t>(count)] = point;
        ids[static_cast<std::size_t>(count)] = id;
        ++count;
    }
};

// Of the face that looks along the unit direction most, the corners that lie at most `slack` behind the farthest point.
// A round face is given by six points, one of them the farthest.
Feature feature(const Placed& placed, const Vec& direction, double slack);

// Well-spread ones among all corners, of whatever face, that lie at most `slack` behind the farthest point.
Feature outermost(const Placed& placed, const Vec& direction, double slack);

// Two unit vectors that are perpendicular to a third and to each other.
struct Tangents {
    Vec first, second;
};
Tangents tangents_of(const Vec& normal);

}  // namespace plucker::collide
