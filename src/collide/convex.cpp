#include "convex.hpp"

#include <algorithm>
#include <cmath>

#include "hull.hpp"

namespace plucker::collide {
namespace {

constexpr double kPi = 3.14159265358979323846;

double sign(double x) { return x < 0 ? -1.0 : 1.0; }

Vec box_corner(const Vec& half, unsigned id) {
    return {(id & 1U) != 0 ? half.x : -half.x, (id & 2U) != 0 ? half.y : -half.y,
            (id & 4U) != 0 ? half.z : -half.z};
}

// The corner of a hull that is farthest along d.
std::size_t farthest(const Hull& hull, const Vec& d) {
    std::size_t best = 0;
    double height = dot(hull.corners[0], d);
    for (std::size_t k = 1; k < hull.corners.size(); ++k) {
        const double h = dot(hull.corners[k], d);
        if (h > height) {
            height = h;
            best = k;
        }
    }
    return best;
}

Vec core_support(const Convex& s, const Vec& d) {
    switch (s.kind) {
        case Kind::kSegment:
            return {0, 0, sign(d.z) * s.half.z};
        case Kind::kBox:
            return {sign(d.x) * s.half.x, sign(d.y) * s.half.y, sign(d.z) * s.half.z};
        case Kind::kCylinder: {
            const double across = std::sqrt(d.x * d.x + d.y * d.y);
            const double scale = across > 0 ? s.half.x / across : 0;
            return {scale * d.x, scale * d.y, sign(d.z) * s.half.z};
        }
        case Kind::kEllipsoid: {
            // The normal at p is along (x/a², y/b², z/c²): p = A² d / |A d|.
            const Vec scaled{s.half.x * d.x, s.half.y * d.y, s.half.z * d.z};
            const double length = norm(scaled);
            if (!(length > 0)) return {};
            return {s.half.x * scaled.x / length, s.half.y * scaled.y / length,
                    s.half.z * scaled.z / length};
        }
        case Kind::kHull:
            return s.hull->corners[farthest(*s.hull, d)];
        default:
            return {};
    }
}

// Corners of a feature on their way from the shape's own frame into the world.
class Corners {
public:
    Corners(const Placed& placed, const Vec& d, double slack)
        : placed_(placed), d_(d), least_(dot(core_support(placed.shape, d), d) - slack) {}

    void offer(const Vec& p, std::uint32_t id) {
        if (dot(p, d_) >= least_) feature_.add(placed_.pose * p, id);
    }
    const Feature& feature() const { return feature_; }

private:
    const Placed& placed_;
    Vec d_;
    double least_;
    Feature feature_{};
};

void offer_box_face(const Vec& half, const Vec& d, Corners& corners) {
    const Vec size{std::abs(d.x), std::abs(d.y), std::abs(d.z)};
    // Which bit of a corner's number is the face's, and which run around it.
    unsigned across = 0, u = 1, v = 2;
    double along = d.x;
    if (size.y > size.x && size.y >= size.z) {
        across = 1, u = 2, v = 0, along = d.y;
    } else if (size.z > size.x) {
        across = 2, u = 0, v = 1, along = d.z;
    }
    const unsigned face = along < 0 ? 0U : 1U << across;
    for (const unsigned id : {face, face | 1U << u, face | 1U << u | 1U << v, face | 1U << v}) {
        corners.offer(box_corner(half, id), id);
    }
}

// Six points of the rim. They are turned, by less than half their distance, so that the farthest point of the rim is among
// them; upright, where that point is anywhere, they stay where they are on the cylinder.
void offer_cap(const Vec& half, const Vec& d, Corners& corners) {
    constexpr int kPoints = 6;
    constexpr double kStep = 2 * kPi / kPoints;
    constexpr double kUpright = 1e-4;  // sine of the inclination up to which the turn is reduced
    const double across = std::sqrt(d.x * d.x + d.y * d.y);
    double turn = 0;
    if (across > 0) {
        turn = std::remainder(std::atan2(d.y, d.x), kStep) * std::min(1.0, across / kUpright);
    }
    const std::uint32_t first = d.z < 0 ? 8 : 0;
    for (int k = 0; k < kPoints; ++k) {
        const double angle = turn + k * kStep;
        corners.offer({half.x * std::cos(angle), half.x * std::sin(angle), sign(d.z) * half.z},
                      first + static_cast<std::uint32_t>(k));
    }
}

void offer_side(const Vec& half, const Vec& d, Corners& corners) {
    const double scale = half.x / std::sqrt(d.x * d.x + d.y * d.y);
    corners.offer({scale * d.x, scale * d.y, -half.z}, 16);
    corners.offer({scale * d.x, scale * d.y, half.z}, 17);
}

// At most Feature::kMost of a hull's corners: the farthest, and the outermost in eight directions across.
Feature well_spread(const Placed& placed, const Vec& d, double slack) {
    const std::vector<Vec>& corners = placed.shape.hull->corners;
    const double least = dot(core_support(placed.shape, d), d) - slack;
    std::array<int, Feature::kMost + 1> chosen{};
    std::array<double, Feature::kMost + 1> score{};
    chosen.fill(-1);
    // Directions that stay with the shape, so that the choice does.
    const auto [u, v] = tangents_of(d);
    for (int k = 0; k < static_cast<int>(corners.size()); ++k) {
        const Vec& p = corners[static_cast<std::size_t>(k)];
        const double height = dot(p, d);
        if (height < least) continue;
        const double x = dot(p, u), y = dot(p, v);
        // Not along the axes: corners of a rectangle would tie.
        const std::array<double, Feature::kMost + 1> s{height,     2 * x + y,  x + 2 * y,
                                                       -x + 2 * y, -2 * x + y, -2 * x - y,
                                                       -x - 2 * y, x - 2 * y,  2 * x - y};
        for (std::size_t m = 0; m < s.size(); ++m) {
            if (chosen[m] < 0 || s[m] > score[m]) {
                chosen[m] = k;
                score[m] = s[m];
            }
        }
    }
    Feature out;
    for (const int k : chosen) {
        bool seen = k < 0 || out.count == Feature::kMost;
        for (int m = 0; m < out.count && !seen; ++m)
            seen = out.ids[static_cast<std::size_t>(m)] == static_cast<std::uint32_t>(k);
        if (!seen)
            out.add(placed.pose * corners[static_cast<std::size_t>(k)],
                    static_cast<std::uint32_t>(k));
    }
    return out;
}

Feature hull_face(const Placed& placed, const Vec& d, double slack) {
    const Hull& hull = *placed.shape.hull;
    if (hull.faces.empty()) return outermost(placed, placed.pose.rotation * d, slack);
    const HullFace* face = &hull.faces.front();
    for (const HullFace& f : hull.faces) {
        if (dot(f.normal, d) > dot(face->normal, d)) face = &f;
    }
    const double least = dot(hull.corners[farthest(hull, d)], d) - slack;
    std::size_t within = 0;
    for (const int k : face->corners)
        within += dot(hull.corners[static_cast<std::size_t>(k)], d) >= least ? 1 : 0;
    Feature out;
    if (within == 0) {  // a face that is not flat to the last digit
        const std::size_t k = farthest(hull, d);
        out.add(placed.pose * hull.corners[k], static_cast<std::uint32_t>(k));
        return out;
    }
    // Every corner, or evenly many of them.
    std::size_t seen = 0;
    for (const int k : face->corners) {
        const Vec& p = hull.corners[static_cast<std::size_t>(k)];
        if (dot(p, d) < least) continue;
        const bool take = within <= Feature::kMost ||
                          (seen + 1) * Feature::kMost / within != seen * Feature::kMost / within;
        ++seen;
        if (take) out.add(placed.pose * p, static_cast<std::uint32_t>(k));
    }
    return out;
}

}  // namespace

double core_bound(const Convex& s) {
    switch (s.kind) {
        case Kind::kSegment:
            return s.half.z;
        case Kind::kBox:
            return norm(s.half);
        case Kind::kCylinder:
            return std::hypot(s.half.x, s.half.z);
        case Kind::kEllipsoid:
            return std::max({s.half.x, s.half.y, s.half.z});
        case Kind::kHull:
            return s.hull->bound;
        default:
            return 0;
    }
}

Vec support(const Placed& placed, const Vec& direction) {
    if (placed.shape.kind == Kind::kPoint) return placed.pose.position;
    return placed.pose *
           core_support(placed.shape, transpose_times(placed.pose.rotation, direction));
}

Feature feature(const Placed& placed, const Vec& direction, double slack) {
    const Convex& s = placed.shape;
    const Vec d = transpose_times(placed.pose.rotation, direction);
    if (s.kind == Kind::kHull) return hull_face(placed, d, slack);
    Corners corners(placed, d, slack);
    if (s.kind == Kind::kSegment) {
        corners.offer({0, 0, -s.half.z}, 0);
        corners.offer({0, 0, s.half.z}, 1);
    } else if (s.kind == Kind::kBox) {
        offer_box_face(s.half, d, corners);
    } else if (s.kind == Kind::kCylinder) {
        // Below an eighth of a turn it stands, beyond that it lies.
        if (d.z * d.z > d.x * d.x + d.y * d.y) {
            offer_cap(s.half, d, corners);
        } else {
            offer_side(s.half, d, corners);
        }
    }
    Feature out = corners.feature();
    // A point, an ellipsoid, or numbers that are none.
    if (out.count == 0) out.add(placed.pose * core_support(s, d), 0);
    return out;
}

Feature outermost(const Placed& placed, const Vec& direction, double slack) {
    if (placed.shape.kind != Kind::kHull) return feature(placed, direction, slack);
    const Vec d = transpose_times(placed.pose.rotation, direction);
    return well_spread(placed, d, slack);
}

Tangents tangents_of(const Vec& n) {
    // The axis that is farthest from the normal.
    const Vec size{std::abs(n.x), std::abs(n.y), std::abs(n.z)};
    const Vec axis = size.x <= size.y && size.x <= size.z ? Vec{1, 0, 0}
                     : size.y <= size.z                   ? Vec{0, 1, 0}
                                                          : Vec{0, 0, 1};
    const Vec first = cross(n, axis);
    const Vec unit = (1 / norm(first)) * first;
    return {unit, cross(n, unit)};
}

}  // namespace plucker::collide
