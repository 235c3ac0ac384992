// The patch that two features share: their common part, seen along the normal, by its corners.
#include <algorithm>
#include <array>
#include <cmath>

#include "separation.hpp"
#include "touch.hpp"

namespace plucker::collide {
namespace {

// A feature seen along the normal: a plane polygon or a segment, and how high each place of it lies.
struct Flat {
    int count = 0;
    std::array<double, Feature::kMost> x, y, z;
    std::array<std::uint32_t, Feature::kMost> ids;
    // A polygon's plane is z = z0 + a (x - x0) + b (y - y0).
    double a = 0, b = 0;
    double turn = 1;  // 1: its corners run counterclockwise, -1: clockwise

    double height(double px, double py) const {
        if (count > 2) return z[0] + a * (px - x[0]) + b * (py - y[0]);
        const double dx = x[1] - x[0], dy = y[1] - y[0];
        const double length = dx * dx + dy * dy;
        const double t = length > 0 ? ((px - x[0]) * dx + (py - y[0]) * dy) / length : 0.5;
        return z[0] + std::clamp(t, 0.0, 1.0) * (z[1] - z[0]);
    }
    std::size_t after(std::size_t k) const {
        return k + 1 == static_cast<std::size_t>(count) ? 0 : k + 1;
    }
    std::size_t edges() const { return count == 2 ? 1 : static_cast<std::size_t>(count); }

    // Whether a place lies in it, or beside it by at most `tolerance`.
    bool holds(double px, double py, double tolerance) const {
        if (count == 2) {
            const double dx = x[1] - x[0], dy = y[1] - y[0];
            const double length = dx * dx + dy * dy;
            const double t =
                length > 0 ? std::clamp(((px - x[0]) * dx + (py - y[0]) * dy) / length, 0.0, 1.0)
                           : 0;
            return std::hypot(px - x[0] - t * dx, py - y[0] - t * dy) <= tolerance;
        }
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
            const std::size_t m = after(k);
            const double dx = x[m] - x[k], dy = y[m] - y[k];
            const double side = turn * (dx * (py - y[k]) - dy * (px - x[k]));
            if (side < -tolerance * std::hypot(dx, dy)) return false;
        }
        return true;
    }
};

Flat flatten(const Feature& f, const Vec& origin, const Vec& u, const Vec& v, const Vec& n) {
    Flat out;
    out.count = f.count;
    for (std::size_t k = 0; k < static_cast<std::size_t>(f.count); ++k) {
        const Vec p = f.points[k] - origin;
        out.x[k] = dot(p, u);
        out.y[k] = dot(p, v);
        out.z[k] = dot(p, n);
        out.ids[k] = f.ids[k];
    }
    // Twice the area, as a vector; its part along the normal is that of what is seen.
    Vec area{};
    for (std::size_t k = 1; k + 1 < static_cast<std::size_t>(f.count); ++k) {
        const Vec d1{out.x[k] - out.x[0], out.y[k] - out.y[0], out.z[k] - out.z[0]};
        const Vec d2{out.x[k + 1] - out.x[0], out.y[k + 1] - out.y[0], out.z[k + 1] - out.z[0]};
        area += cross(d1, d2);
    }
    if (f.count > 2 && area.z != 0) {
        out.turn = area.z > 0 ? 1 : -1;
        out.a = -area.x / area.z;
        out.b = -area.y / area.z;
    }
    return out;
}

struct Candidate {
    double x, y, above, below;  // heights of a and of b there
    std::uint32_t feature;
};

class Patch {
public:
    Patch(const Flat& a, const Flat& b, double tolerance) : a_(a), b_(b), tolerance_(tolerance) {}

    void collect() {
        if (a_.count == 2 && b_.count == 2 && parallel()) return collect_overlap();
        for (std::size_t k = 0; k < static_cast<std::size_t>(a_.count); ++k) {
            if (b_.holds(a_.x[k], a_.y[k], tolerance_))
                add({a_.x[k], a_.y[k], a_.z[k], b_.height(a_.x[k], a_.y[k]),
                     feature_number(a_.ids[k], kNoFeature, kNoFeature, kNoFeature)});
        }
        for (std::size_t k = 0; k < static_cast<std::size_t>(b_.count); ++k) {
            if (a_.holds(b_.x[k], b_.y[k], tolerance_))
                add({b_.x[k], b_.y[k], a_.height(b_.x[k], b_.y[k]), b_.z[k],
                     feature_number(kNoFeature, kNoFeature, b_.ids[k], kNoFeature)});
        }
        for (std::size_t i = 0; i < a_.edges(); ++i) {
            for (std::size_t j = 0; j < b_.edges(); ++j) collect_crossing(i, j);
        }
    }
    int count() const { return count_; }
    const Candidate& operator[](int k) const { return found_[static_cast<std::size_t>(k)]; }

private:
    // Of two edges: nearer to parallel than this they lie along each other, farther they cross in a point.
    static constexpr double kSineOfParallel = 0.02;

    bool parallel() const {
        const Vec da{a_.x[1] - a_.x[0], a_.y[1] - a_.y[0], a_.z[1] - a_.z[0]};
        const Vec db{b_.x[1] - b_.x[0], b_.y[1] - b_.y[0], b_.z[1] - b_.z[0]};
        return norm(cross(da, db)) <= kSineOfParallel * norm(da) * norm(db);
    }

    // The ends of what two edges along each other have in common.
    void collect_overlap() {
        const double dx = a_.x[1] - a_.x[0], dy = a_.y[1] - a_.y[0];
        const double length = std::hypot(dx, dy);
        if (!(length > 0)) return;
        const auto along = [&](double px, double py) {
            return ((px - a_.x[0]) * dx + (py - a_.y[0]) * dy) / length;
        };
        const double b0 = along(b_.x[0], b_.y[0]), b1 = along(b_.x[1], b_.y[1]);
        if (!(std::abs(b1 - b0) > 0)) return;
        const std::size_t low = b0 < b1 ? 0 : 1;
        const double begin = std::max(0.0, std::min(b0, b1));
        const double end = std::min(length, std::max(b0, b1));
        if (end < begin) return;
        const auto add_at = [&](double s, bool of_a, std::size_t k) {
            const double ta = s / length, tb = (s - b0) / (b1 - b0);
            const auto between = [](const auto& p, double t) { return p[0] + t * (p[1] - p[0]); };
            // Beside each other by a little: midway.
            add({(between(a_.x, ta) + between(b_.x, tb)) / 2,
                 (between(a_.y, ta) + between(b_.y, tb)) / 2, between(a_.z, ta), between(b_.z, tb),
                 of_a ? feature_number(a_.ids[k], kNoFeature, b_.ids[0], b_.ids[1])
                      : feature_number(a_.ids[0], a_.ids[1], b_.ids[k], kNoFeature)});
        };
        add_at(begin, begin == 0, begin == 0 ? 0 : low);
        if (end - begin > tolerance_) add_at(end, end == length, end == length ? 1 : 1 - low);
    }

    void collect_crossing(std::size_t i, std::size_t j) {
        const std::size_t i1 = a_.after(i), j1 = b_.after(j);
        const double ax = a_.x[i1] - a_.x[i], ay = a_.y[i1] - a_.y[i];
        const double bx = b_.x[j1] - b_.x[j], by = b_.y[j1] - b_.y[j];
        const double det = ax * by - ay * bx;
        // Along each other: their ends are there already.
        if (std::abs(det) <= 1e-9 * std::hypot(ax, ay) * std::hypot(bx, by)) return;
        const double rx = b_.x[j] - a_.x[i], ry = b_.y[j] - a_.y[i];
        const double ta = (rx * by - ry * bx) / det, tb = (rx * ay - ry * ax) / det;
        if (!(ta >= 0 && ta <= 1 && tb >= 0 && tb <= 1)) return;
        add({a_.x[i] + ta * ax, a_.y[i] + ta * ay, a_.z[i] + ta * (a_.z[i1] - a_.z[i]),
             b_.z[j] + tb * (b_.z[j1] - b_.z[j]),
             feature_number(std::min(a_.ids[i], a_.ids[i1]), std::max(a_.ids[i], a_.ids[i1]),
                            std::min(b_.ids[j], b_.ids[j1]), std::max(b_.ids[j], b_.ids[j1]))});
    }

    void add(const Candidate& c) {
        for (int k = 0; k < count_; ++k) {
            if (std::hypot(c.x - (*this)[k].x, c.y - (*this)[k].y) <= 2 * tolerance_) return;
        }
        if (count_ < kMost) found_[static_cast<std::size_t>(count_++)] = c;
    }

    static constexpr int kMost = 4 * Feature::kMost;
    const Flat& a_;
    const Flat& b_;
    double tolerance_;
    int count_ = 0;
    std::array<Candidate, kMost> found_;
};

// Which of many points to keep: the deepest, and the outermost in seven directions.
unsigned well_spread(const Patch& patch) {
    constexpr int kMost = 8;
    const unsigned all = patch.count() == 32 ? ~0U : (1U << patch.count()) - 1;
    if (patch.count() <= kMost) return all;
    unsigned kept = 0;
    for (int m = 0; m < kMost; ++m) {
        const double angle = 0.3 + m * 2 * 3.14159265358979323846 / (kMost - 1);
        int best = 0;
        double score = -1e300;
        for (int k = 0; k < patch.count(); ++k) {
            const Candidate& c = patch[k];
            const double s =
                m == 0 ? c.below - c.above : c.x * std::cos(angle) + c.y * std::sin(angle);
            if (s > score) {
                score = s;
                best = k;
            }
        }
        kept |= 1U << best;
    }
    return kept;
}

}  // namespace

std::uint32_t feature_number(std::uint32_t a0, std::uint32_t a1, std::uint32_t b0,
                             std::uint32_t b1) {
    std::uint64_t h = 0;
    for (const std::uint32_t part : {a0, a1, b0, b1}) {
        h = (h ^ part) * 0x9e3779b97f4a7c15U;  // 2⁶⁴ over the golden ratio
        h ^= h >> 29U;
    }
    return static_cast<std::uint32_t>(h >> 16U);
}

void touch_along(const Placed& a, const Placed& b, const Separation& cores, double margin,
                 Points& points) {
    const Vec n = cores.normal;
    const double ra = a.shape.radius, rb = b.shape.radius;
    const double distance = cores.distance - ra - rb;
    if (!(distance <= margin)) return;
    // What lies farther back than this is not within the margin.
    const double slack = margin - distance;
    const Feature of_a = feature(a, -n, slack);
    const Feature of_b = feature(b, n, slack);
    if (of_a.count == 1 || of_b.count == 1) {
        const Vec position = of_a.count == 1 ? of_a.points[0] - (ra + distance / 2) * n
                                             : of_b.points[0] + (rb + distance / 2) * n;
        points.add(position, n, distance,
                   feature_number(of_a.count == 1 ? of_a.ids[0] : kNoFeature, kNoFeature,
                                  of_b.count == 1 ? of_b.ids[0] : kNoFeature, kNoFeature));
        return;
    }
    const auto [u, v] = tangents_of(n);
    const Vec origin = cores.on_b;
    const Flat flat_a = flatten(of_a, origin, u, v, n), flat_b = flatten(of_b, origin, u, v, n);
    const double size = std::min(core_bound(a.shape), core_bound(b.shape));
    Patch patch(flat_a, flat_b, 1e-7 * size);
    patch.collect();
    const unsigned kept = well_spread(patch);
    bool deepest = false;  // whether the patch has the least distance
    for (int k = 0; k < patch.count(); ++k) {
        if ((kept >> static_cast<unsigned>(k) & 1U) == 0) continue;
        const Candidate& c = patch[k];
        const double gap = c.above - c.below - ra - rb;
        if (!(gap <= margin)) continue;
        deepest = deepest || gap <= distance + 1e-6 * size;
        const double z = ((c.above - ra) + (c.below + rb)) / 2;
        points.add(origin + c.x * u + c.y * v + z * n, n, gap, c.feature);
    }
    if (deepest) return;
    const Vec position = 0.5 * ((cores.on_a - ra * n) + (cores.on_b + rb * n));
    points.add(position, n, distance,
               feature_number(kNoFeature, kNoFeature, kNoFeature, kNoFeature));
}

}  // namespace plucker::collide
