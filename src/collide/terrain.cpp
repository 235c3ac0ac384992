// Contact with terrain, by features. Corners of a shape, or its farthest points, touch faces: those over which their feet
// stand. Ridges and peaks, where the terrain sticks out, touch the shape as segments and points do; their normal must lie
// between those of the faces that meet there, or else a face is nearer. Flat ground that is cut into cells has only faces:
// nothing catches on the cuts.
#include "terrain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "separation.hpp"

namespace plucker {

std::optional<double> HeightField::height_at(double x, double y) const {
    if (points_x < 2 || points_y < 2) return std::nullopt;
    const double s = (x - origin.x) / spacing_x, t = (y - origin.y) / spacing_y;
    if (!(s >= 0 && t >= 0 && s <= points_x - 1 && t <= points_y - 1)) return std::nullopt;
    const int i = std::min(static_cast<int>(s), points_x - 2);
    const int j = std::min(static_cast<int>(t), points_y - 2);
    const double u = s - i, v = t - j;
    const double corner = point(i, j).z, opposite = point(i + 1, j + 1).z;
    if (v <= u) {
        const double z = point(i + 1, j).z;
        return corner + u * (z - corner) + v * (opposite - z);
    }
    const double z = point(i, j + 1).z;
    return corner + v * (z - corner) + u * (opposite - z);
}

void check_height_field(const HeightField& f) {
    const auto fail = [&](const auto&... parts) {
        throw Error::because("height field '", f.name, "': ", parts...);
    };
    if (f.points_x < 2 || f.points_y < 2)
        fail("it has ", f.points_x, " × ", f.points_y, " points; it needs at least 2 × 2");
    const auto expected =
        static_cast<std::size_t>(f.points_x) * static_cast<std::size_t>(f.points_y);
    if (f.heights.size() != expected)
        fail("it has ", f.heights.size(), " heights, expected ", expected, " (", f.points_x, " × ",
             f.points_y, ")");
    for (const double spacing : {f.spacing_x, f.spacing_y}) {
        if (!(spacing > 0 && std::isfinite(spacing)))
            fail("a spacing is ", spacing, " m; it must be positive");
    }
    for (const double h : {f.origin.x, f.origin.y, f.origin.z}) {
        if (!std::isfinite(h)) fail("its origin has a coordinate ", h, "; it must be finite");
    }
    for (std::size_t k = 0; k < f.heights.size(); ++k) {
        if (std::isfinite(f.heights[k])) continue;
        const auto along_x = static_cast<std::size_t>(f.points_x);
        fail("its height at point (", k % along_x, ", ", k / along_x, ") is ", f.heights[k],
             "; it must be finite");
    }
}

namespace collide {
namespace {

constexpr double kRoundingOfNormals = 1e-9;
constexpr double kFlat = 1e-6;  // faces that bend less, relative to their size, are one

Vec unit(const Vec& v) {
    const double length = norm(v);
    return length > 0 ? (1 / length) * v : Vec{0, 0, 1};
}

// From the line through `on` along `along`, to a point beside it.
Vec across(const Vec& point, const Vec& on, const Vec& along) {
    const Vec d = point - on;
    return unit(d - dot(d, along) * along);
}

}  // namespace

// The ends of a side, and where the faces beside it lead to.
struct Terrain::Wings {
    Vec begin, end;
    int count = 0;  // one at the border
    std::array<Vec, 2> corners;
};

Terrain::Terrain(HeightField field) : field_(std::move(field)) {
    check_height_field(field_);
    ridges_.assign(field_.heights.size(), 0);
    peaks_.assign(field_.heights.size(), 0);
    normals_.resize(2 * field_.heights.size());
    for (int j = 0; j < field_.points_y; ++j) {
        for (int i = 0; i < field_.points_x; ++i) {
            if (has_cell(i, j)) {
                normals_[2 * index(i, j) + kLower] = normal(i, j, kLower);
                normals_[2 * index(i, j) + kUpper] = normal(i, j, kUpper);
            }
            for (const Side side : {kAlongX, kAlongY, kDiagonal}) {
                const int i1 = side == kAlongY ? i : i + 1, j1 = side == kAlongX ? j : j + 1;
                if (i1 >= field_.points_x || j1 >= field_.points_y) continue;
                const Wings w = wings(i, j, side);
                const Vec along = unit(w.end - w.begin);
                // Outwards of the one wing's plane, which is up, lies the other wing, or not.
                bool sticks_out = w.count == 1;
                if (w.count == 2) {
                    Vec n = unit(cross(along, across(w.corners[0], w.begin, along)));
                    if (n.z < 0) n = -n;
                    sticks_out = dot(n, across(w.corners[1], w.begin, along)) < -kFlat;
                }
                if (!sticks_out) continue;
                ridges_[index(i, j)] |= side;
                peaks_[index(i, j)] = peaks_[index(i1, j1)] = 1;
            }
        }
    }
}

Terrain::Wings Terrain::wings(int i, int j, Side side) const {
    Wings w;
    const auto add = [&](int ci, int cj) {
        w.corners[static_cast<std::size_t>(w.count++)] = field_.point(ci, cj);
    };
    w.begin = field_.point(i, j);
    if (side == kAlongX) {
        w.end = field_.point(i + 1, j);
        if (has_cell(i, j)) add(i + 1, j + 1);
        if (has_cell(i, j - 1)) add(i, j - 1);
    } else if (side == kAlongY) {
        w.end = field_.point(i, j + 1);
        if (has_cell(i, j)) add(i + 1, j + 1);
        if (has_cell(i - 1, j)) add(i - 1, j);
    } else {
        w.end = field_.point(i + 1, j + 1);
        add(i + 1, j);
        add(i, j + 1);
    }
    return w;
}

Vec Terrain::normal(int i, int j, Half half) const {
    const Vec corner = field_.point(i, j), opposite = field_.point(i + 1, j + 1);
    return half == kLower ? unit(cross(field_.point(i + 1, j) - corner, opposite - corner))
                          : unit(cross(opposite - corner, field_.point(i, j + 1) - corner));
}

// Every place is over one triangle: where two meet, over the one with the larger numbers; at the border, over the last.
bool Terrain::is_over(const Vec& foot, int i, int j, Half half) const {
    const double s = (foot.x - field_.origin.x) / field_.spacing_x;
    const double t = (foot.y - field_.origin.y) / field_.spacing_y;
    const double u = s - i, v = t - j;
    const bool last_x = i + 2 == field_.points_x, last_y = j + 2 == field_.points_y;
    if (!(u >= 0 && v >= 0 && (u < 1 || (last_x && u <= 1)) && (v < 1 || (last_y && v <= 1))))
        return false;
    return half == kLower ? v <= u : v > u;
}

// Whether the terrain at a point is lower than the plane of a face that the point is behind: then what the point is behind is the far
// side of a ridge, or of the border. A ball on one side of a wall is not deep in the other. In a valley both planes count.
bool Terrain::is_beyond_a_ridge(const Vec& point, const Vec& normal, double offset) const {
    if (dot(point, normal) >= offset) return false;
    const std::optional<double> height = field_.height_at(point.x, point.y);
    if (!height) return true;  // beyond the border there is nothing to be in
    const double of_plane = (offset - normal.x * point.x - normal.y * point.y) / normal.z;
    return of_plane - *height > kFlat * std::max(field_.spacing_x, field_.spacing_y);
}

void Terrain::touch(const Placed& a, double margin, Points& points) const {
    const Vec half = half_extents(a.shape, a.pose.rotation), center = a.pose.position;
    // The cells below the shape. What is inclined may touch beside what is below it: by the margin, and one cell more.
    const auto range = [&](double middle, double reach, double origin, double spacing, int count) {
        const double low = std::floor((middle - reach - margin - origin) / spacing) - 1;
        const double high = std::floor((middle + reach + margin - origin) / spacing) + 1;
        return std::pair{static_cast<int>(std::clamp(low, 0.0, count - 1.0)),
                         static_cast<int>(std::clamp(high, -1.0, count - 1.0))};
    };
    if (!std::isfinite(squared_norm(center))) return;
    const auto [i0, i1] =
        range(center.x, half.x, field_.origin.x, field_.spacing_x, field_.points_x);
    const auto [j0, j1] =
        range(center.y, half.y, field_.origin.y, field_.spacing_y, field_.points_y);
    const double lowest = center.z - half.z - margin;
    for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1; ++i) {
            if (has_cell(i, j)) {
                const double top =
                    std::max({field_.point(i, j).z, field_.point(i + 1, j).z,
                              field_.point(i, j + 1).z, field_.point(i + 1, j + 1).z});
                if (top >= lowest) {
                    touch_face(a, half, i, j, kLower, margin, points);
                    touch_face(a, half, i, j, kUpper, margin, points);
                }
            }
            for (const Side side : {kAlongX, kAlongY, kDiagonal}) {
                if ((ridges_[index(i, j)] & side) != 0)
                    touch_ridge(a, half, i, j, side, margin, points);
            }
            if (peaks_[index(i, j)] != 0) touch_peak(a, half, i, j, margin, points);
        }
    }
}

void Terrain::touch_face(const Placed& a, const Vec& extents, int i, int j, Half half,
                         double margin, Points& points) const {
    const Vec n = normals_[2 * index(i, j) + half];
    const Vec corner = field_.point(i, j);
    const double offset = dot(n, corner);
    const double radius = a.shape.radius, bound = core_bound(a.shape) + radius;
    const double center = dot(a.pose.position, n) - offset;
    if (!(center - bound <= margin)) return;
    // How far aside a point may have its foot.
    const double depth = std::max(margin, bound - center);
    const Vec middle = a.pose.position - corner;
    const double reach_x = extents.x + depth * std::abs(n.x);
    const double reach_y = extents.y + depth * std::abs(n.y);
    if (middle.x + reach_x < 0 || middle.x - reach_x > field_.spacing_x || middle.y + reach_y < 0 ||
        middle.y - reach_y > field_.spacing_y)
        return;
    const double lowest = dot(support(a, -n), n) - offset - radius;
    if (!(lowest <= margin)) return;
    const Feature corners = outermost(a, -n, margin - lowest);
    const auto number = static_cast<std::uint32_t>(2 * index(i, j) + half);
    for (std::size_t k = 0; k < static_cast<std::size_t>(corners.count); ++k) {
        const double distance = dot(corners.points[k], n) - offset - radius;
        const Vec foot = corners.points[k] - (radius + distance) * n;
        if (!is_over(foot, i, j, half) || is_beyond_a_ridge(corners.points[k], n, offset)) continue;
        points.add(foot + 0.5 * distance * n, n, distance,
                   feature_number(corners.ids[k], kNoFeature, number, kNoFeature));
    }
}

void Terrain::touch_ridge(const Placed& a, const Vec& extents, int i, int j, Side side,
                          double margin, Points& points) const {
    const Vec middle = 0.5 * (field_.point(i, j) + field_.point(side == kAlongY ? i : i + 1,
                                                                side == kAlongX ? j : j + 1));
    const Vec reach = field_.point(i, j) - middle;
    const Vec d = a.pose.position - middle;
    if (std::abs(d.x) > extents.x + std::abs(reach.x) + margin ||
        std::abs(d.y) > extents.y + std::abs(reach.y) + margin ||
        std::abs(d.z) > extents.z + std::abs(reach.z) + margin)
        return;
    const Wings w = wings(i, j, side);
    const Vec along = unit(w.end - w.begin);
    const double length = norm(w.end - w.begin);
    const Vec to_shape = a.pose.position - w.begin;
    const double s = std::clamp(dot(to_shape, along), 0.0, length);
    if (!(norm(to_shape - s * along) <= core_bound(a.shape) + a.shape.radius + margin)) return;

    const Tangents t = tangents_of(along);
    const Placed segment{
        {.kind = Kind::kSegment, .half = {0, 0, length / 2}},
        {transpose(Mat3<double>{t.first, t.second, along}), 0.5 * (w.begin + w.end)}};
    const Separation cores = separation(a, segment, margin + a.shape.radius);
    if (!(cores.distance - a.shape.radius <= margin) || cores.normal.z <= 0) return;
    for (std::size_t k = 0; k < static_cast<std::size_t>(w.count); ++k) {
        if (dot(cores.normal, across(w.corners[k], w.begin, along)) > -kRoundingOfNormals) return;
    }
    // At its ends it is a peak, unless the normal leaves the whole side free.
    const double at = dot(cores.on_b - w.begin, along);
    const bool at_end = at <= 1e-9 * length || at >= (1 - 1e-9) * length;
    if (at_end && std::abs(dot(cores.normal, along)) > kRoundingOfNormals) return;
    const std::size_t first = points.out.size();
    touch_along(a, segment, cores, margin, points);
    for (std::size_t k = first; k < points.out.size(); ++k) {
        std::uint64_t& id = points.out[k].id;
        id = feature_number(static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(index(i, j)),
                            side, 1);
    }
}

void Terrain::touch_peak(const Placed& a, const Vec& extents, int i, int j, double margin,
                         Points& points) const {
    const Vec peak = field_.point(i, j);
    const Vec to_shape = a.pose.position - peak;
    if (std::abs(to_shape.x) > extents.x + margin || std::abs(to_shape.y) > extents.y + margin ||
        std::abs(to_shape.z) > extents.z + margin)
        return;
    if (!(norm(to_shape) <= core_bound(a.shape) + a.shape.radius + margin)) return;
    const Placed point{{}, {Mat3<double>::identity(), peak}};
    const Separation cores = separation(a, point, margin + a.shape.radius);
    if (!(cores.distance - a.shape.radius <= margin) || cores.normal.z <= 0) return;
    constexpr std::array<std::array<int, 2>, 6> kNeighbours{
        {{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}, {-1, -1}}};
    for (const auto& [di, dj] : kNeighbours) {
        const int ni = i + di, nj = j + dj;
        if (ni < 0 || nj < 0 || ni >= field_.points_x || nj >= field_.points_y) continue;
        if (dot(cores.normal, unit(field_.point(ni, nj) - peak)) > -kRoundingOfNormals) return;
    }
    const double distance = cores.distance - a.shape.radius;
    points.add(peak + 0.5 * distance * cores.normal, cores.normal, distance,
               feature_number(kNoFeature, static_cast<std::uint32_t>(index(i, j)), 0, 2));
}

}  // namespace collide
}  // namespace plucker
