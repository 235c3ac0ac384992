// Pairs of shapes that touch, by kinds; and where the points go that are found.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "convex.hpp"
#include "plucker/collide/collision_shapes.hpp"

namespace plucker::collide {

// Takes the points of one pair of shapes. The algorithms call their shapes a and b as it suits them; `swapped` tells that
// the caller's a is the algorithm's b.
struct Points {
    std::vector<ContactPoint>& out;
    bool swapped = false;

    // What they have in common is set by the caller, once a pair is done.
    void add(const Vec& position, const Vec& normal, double distance, std::uint32_t feature) {
        ContactPoint& point = out.emplace_back();
        point.position = position;
        point.normal = swapped ? -normal : normal;
        point.distance = distance;
        point.id = feature;
    }
};

// One number for features of a and of b, so that different ones have different numbers, with near certainty.
std::uint32_t feature_number(std::uint32_t a0, std::uint32_t a1, std::uint32_t b0,
                             std::uint32_t b1);
constexpr std::uint32_t kNoFeature = 0xffffffffU;

// A bounded shape and the half-space {x: n·x ≤ offset}.
void touch_plane(const Placed& a, const Vec& normal, double offset, double margin, Points& points);

// Two bounded convex shapes. `apart`: a direction, from b towards a, along which they may be farther apart than the margin, or
// zero; on return, one along which they were, if it was looked for. It may save a search, and changes no result.
void touch_convex(const Placed& a, const Placed& b, double margin, Points& points, Vec& apart);

// What all pairs of one normal have in common: given it, and the cores' distance along it, the points. The nearest points
// stand in where features are not found to meet.
struct Separation;
void touch_along(const Placed& a, const Placed& b, const Separation& cores, double margin,
                 Points& points);

// The axis, among the normals of faces and the products of edges, along which two boxes are farthest apart or overlap least;
// nothing if they are farther apart than `margin`: along `apart` then. If they overlap, no other direction is better.
struct BoxAxis {
    Vec normal;  // unit, from b towards a
    double gap;
};
std::optional<BoxAxis> box_axis(const Placed& a, const Placed& b, double margin, Vec& apart);

}  // namespace plucker::collide
