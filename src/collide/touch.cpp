#include "touch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "separation.hpp"

namespace plucker::collide {
namespace {

double clamped(double x, double half) { return std::clamp(x, -half, half); }

// A single point between two grown points of cores, a - b = d. Where these coincide, any direction parts them.
void touch_points(const Vec& on_a, const Vec& on_b, double ra, double rb, double margin,
                  std::uint32_t feature, Points& points) {
    const Vec d = on_a - on_b;
    const double length = norm(d);
    const double distance = length - ra - rb;
    if (!(distance <= margin)) return;
    const Vec n = length > 0 ? (1 / length) * d : Vec{0, 0, 1};
    points.add(on_b + (rb + distance / 2) * n, n, distance, feature);
}

void touch_sphere_capsule(const Placed& a, const Placed& b, double margin, Points& points) {
    const Vec axis = b.axis(2);
    const double t = clamped(dot(a.pose.position - b.pose.position, axis), b.shape.half.z);
    Vec on_b = b.pose.position + t * axis;
    if (a.pose.position == on_b) {  // on the axis: out through the side
        const Vec side = tangents_of(axis).first;
        const double distance = -a.shape.radius - b.shape.radius;
        if (!(distance <= margin)) return;
        points.add(on_b + (b.shape.radius + distance / 2) * side, side, distance, 0);
        return;
    }
    touch_points(a.pose.position, on_b, a.shape.radius, b.shape.radius, margin, 0, points);
}

// Outside of the box the nearest point of it, inside the nearest face.
void touch_sphere_box(const Placed& a, const Placed& b, double margin, Points& points) {
    const Vec half = b.shape.half;
    const Vec p = transpose_times(b.pose.rotation, a.pose.position - b.pose.position);
    const Vec nearest{clamped(p.x, half.x), clamped(p.y, half.y), clamped(p.z, half.z)};
    const Vec d = p - nearest;
    double length = norm(d);
    Vec normal;
    // Near the surface a difference of rounded numbers has no direction: then the face decides, too.
    if (length > 1e-9 * (norm(half) + norm(p))) {
        normal = (1 / length) * d;
    } else {
        const std::array<double, 3> depth{half.x - std::abs(p.x), half.y - std::abs(p.y),
                                          half.z - std::abs(p.z)};
        const auto face = std::min_element(depth.begin(), depth.end()) - depth.begin();
        length = -depth[static_cast<std::size_t>(face)];
        if (face == 0) normal = {p.x < 0 ? -1.0 : 1.0, 0, 0};
        if (face == 1) normal = {0, p.y < 0 ? -1.0 : 1.0, 0};
        if (face == 2) normal = {0, 0, p.z < 0 ? -1.0 : 1.0};
    }
    const double distance = length - a.shape.radius;
    if (!(distance <= margin)) return;
    const Vec n = b.pose.rotation * normal;
    points.add(a.pose.position - (a.shape.radius + distance / 2) * n, n, distance, 0);
}

// The nearest points of two segments (Ericson, Real-Time Collision Detection, 5.1.9), then as any pair: parallel ones share
// a line.
void touch_capsules(const Placed& a, const Placed& b, double margin, Points& points) {
    const Vec da = a.axis(2), db = b.axis(2);
    const double ha = a.shape.half.z, hb = b.shape.half.z;
    const Vec r = a.pose.position - b.pose.position;
    const double across = dot(da, db), ra = dot(da, r), rb = dot(db, r);
    const double det = 1 - across * across;
    double s = det > 1e-12 ? clamped((across * rb - ra) / det, ha) : 0;
    const double t = clamped(across * s + rb, hb);
    s = clamped(across * t - ra, ha);
    Separation cores;
    cores.on_a = a.pose.position + s * da;
    cores.on_b = b.pose.position + t * db;
    const Vec d = cores.on_a - cores.on_b;
    cores.distance = norm(d);
    if (cores.distance > 1e-9 * (ha + hb)) {
        cores.normal = (1 / cores.distance) * d;
    } else {  // the axes meet: out across both
        const Vec n = cross(da, db);
        const double length = norm(n);
        cores.distance = 0;
        cores.normal = length > 1e-6 ? (1 / length) * n : tangents_of(da).first;
    }
    touch_along(a, b, cores, margin, points);
}

bool are_parted(const Placed& a, const Placed& b, double margin, const Vec& n) {
    if (!(squared_norm(n) > 0)) return false;
    const double along = dot(support(a, -n) - support(b, n), n);
    return along - a.shape.radius - b.shape.radius > margin;
}

void touch_boxes(const Placed& a, const Placed& b, double margin, Points& points, Vec& apart) {
    const std::optional<BoxAxis> axis = box_axis(a, b, margin, apart);
    if (!axis) return;
    if (axis->gap > 0)  // two corners may be nearest, and along no axis
        return touch_along(a, b, separation(a, b, margin, axis->normal), margin, points);
    const Vec n = axis->normal;
    touch_along(a, b, {n, axis->gap, support(a, -n), support(b, n)}, margin, points);
}

}  // namespace

// Faces are preferred by a little: their patches hold better.
std::optional<BoxAxis> box_axis(const Placed& a, const Placed& b, double margin, Vec& apart) {
    const Vec between = a.pose.position - b.pose.position;
    const std::array<Vec, 3> axes_a{a.axis(0), a.axis(1), a.axis(2)};
    const std::array<Vec, 3> axes_b{b.axis(0), b.axis(1), b.axis(2)};
    const auto reach = [](const std::array<Vec, 3>& axes, const Vec& half, const Vec& n) {
        return half.x * std::abs(dot(axes[0], n)) + half.y * std::abs(dot(axes[1], n)) +
               half.z * std::abs(dot(axes[2], n));
    };
    constexpr double kNone = -std::numeric_limits<double>::infinity();
    BoxAxis best{{}, kNone};
    const auto try_axis = [&](const Vec& n, double handicap) {
        const double along = dot(between, n);
        const double gap =
            std::abs(along) - reach(axes_a, a.shape.half, n) - reach(axes_b, b.shape.half, n);
        if (gap > best.gap + handicap) best = {along < 0 ? -n : n, gap};
        if (gap <= margin) return true;
        apart = along < 0 ? -n : n;
        return false;
    };
    for (const Vec& n : axes_a) {
        if (!try_axis(n, 0)) return std::nullopt;
    }
    for (const Vec& n : axes_b) {
        if (!try_axis(n, 0)) return std::nullopt;
    }
    const double handicap = 1e-6 * std::min(norm(a.shape.half), norm(b.shape.half));
    for (const Vec& u : axes_a) {
        for (const Vec& v : axes_b) {
            const Vec n = cross(u, v);
            const double length = norm(n);
            if (length > 1e-6 && !try_axis((1 / length) * n, handicap)) return std::nullopt;
        }
    }
    return best;
}

void touch_plane(const Placed& a, const Vec& normal, double offset, double margin, Points& points) {
    const double radius = a.shape.radius;
    const double center = dot(a.pose.position, normal) - offset - radius;
    if (a.shape.kind == Kind::kPoint) {
        if (center <= margin)
            points.add(a.pose.position - (radius + center / 2) * normal, normal, center, 0);
        return;
    }
    if (!(center - core_bound(a.shape) <= margin)) return;
    const double lowest = dot(support(a, -normal), normal) - offset - radius;
    if (!(lowest <= margin)) return;
    const Feature corners = outermost(a, -normal, margin - lowest);
    for (std::size_t k = 0; k < static_cast<std::size_t>(corners.count); ++k) {
        const double distance = dot(corners.points[k], normal) - offset - radius;
        points.add(corners.points[k] - (radius + distance / 2) * normal, normal, distance,
                   corners.ids[k]);
    }
}

void touch_convex(const Placed& a, const Placed& b, double margin, Points& points, Vec& apart) {
    if (a.shape.kind > b.shape.kind) {
        points.swapped = !points.swapped;
        apart = -apart;
        touch_convex(b, a, margin, points, apart);
        apart = -apart;
        points.swapped = !points.swapped;
        return;
    }
    const Kind first = a.shape.kind, second = b.shape.kind;
    if (first == Kind::kPoint && second == Kind::kPoint) {
        touch_points(a.pose.position, b.pose.position, a.shape.radius, b.shape.radius, margin, 0,
                     points);
    } else if (first == Kind::kPoint && second == Kind::kSegment) {
        touch_sphere_capsule(a, b, margin, points);
    } else if (first == Kind::kPoint && second == Kind::kBox) {
        touch_sphere_box(a, b, margin, points);
    } else if (first == Kind::kSegment && second == Kind::kSegment) {
        touch_capsules(a, b, margin, points);
    } else if (are_parted(a, b, margin, apart)) {
        return;
    } else if (first == Kind::kBox && second == Kind::kBox) {
        touch_boxes(a, b, margin, points, apart);
    } else {
        const double limit = margin + a.shape.radius + b.shape.radius;
        const Separation cores = separation(a, b, limit);
        if (cores.distance > limit) apart = cores.normal;
        touch_along(a, b, cores, margin, points);
    }
}

}  // namespace plucker::collide
