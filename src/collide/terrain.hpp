// A height field made ready for contact.
#pragma once

#include <cstdint>
#include <vector>

#include "plucker/collide/world.hpp"
#include "touch.hpp"

namespace plucker::collide {

class Terrain {
public:
    // Throws Error for a grid that is none.
    explicit Terrain(HeightField field);

    // Points of a bounded convex shape, as a, on the terrain, as b.
    void touch(const Placed& a, double margin, Points& points) const;

private:
    // The sides that cells have in common. Each belongs to its first point: to (i + 1, j), to (i, j + 1), to (i + 1, j + 1).
    enum Side : std::uint8_t { kAlongX = 1, kAlongY = 2, kDiagonal = 4 };
    // The triangles of cell (i, j): below the diagonal, with corner (i + 1, j), and above it, with (i, j + 1).
    enum Half : std::uint8_t { kLower = 0, kUpper = 1 };

    std::size_t index(int i, int j) const {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(field_.points_x) +
               static_cast<std::size_t>(i);
    }
    Vec normal(int i, int j, Half half) const;
    bool is_over(const Vec& foot, int i, int j, Half half) const;
    bool is_beyond_a_ridge(const Vec& point, const Vec& normal, double offset) const;
    bool has_cell(int i, int j) const {
        return i >= 0 && j >= 0 && i + 1 < field_.points_x && j + 1 < field_.points_y;
    }
    struct Wings;
    Wings wings(int i, int j, Side side) const;
    // `extents` are half lengths of a box around the shape.
    void touch_face(const Placed& a, const Vec& extents, int i, int j, Half half, double margin,
                    Points& points) const;
    void touch_ridge(const Placed& a, const Vec& extents, int i, int j, Side side, double margin,
                     Points& points) const;
    void touch_peak(const Placed& a, const Vec& extents, int i, int j, double margin,
                    Points& points) const;

    HeightField field_;
    std::vector<Vec> normals_;          // two a cell, in the order of points
    std::vector<std::uint8_t> ridges_;  // by point: which of its sides stick out
    std::vector<std::uint8_t> peaks_;   // by point: whether one of the sides that meet there does
};

}  // namespace plucker::collide
