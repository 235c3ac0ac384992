// Quickhull (Barber, Dobkin, Huhdanpaa 1996): a tetrahedron, grown by the point that is farthest before one of its faces.
// Points within the tolerance of a face count as on it, so that rounding makes no faces.
#include "hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace plucker::collide {
namespace {

// Beyond so many points the hull is that of the farthest ones: finding it, and touching it, takes time with each corner.
constexpr std::size_t kMostPoints = 600;
constexpr int kMostDirections = 500;
// A plate that is thinner than so many times the tolerance is flat: to all triangles of a start in it, a corner far aside would lie
// within the tolerance. Meshes are read in single precision, and plates in them are as thick as its rounding.
constexpr double kFlatPlate = 100;

struct Triangle {
    std::array<int, 3> corners;
    Vec normal;
    double offset = 0;
    std::vector<int> before;  // points in front of it, and of no triangle earlier in the list
    int farthest = -1;        // of these
    double distance = 0;
    bool alive = true;
};

class Quickhull {
public:
    Quickhull(const std::vector<Vec>& points, double tolerance)
        : points_(points), tolerance_(tolerance) {}

    // False if the points have no volume.
    bool run() {
        std::array<int, 4> start{};
        if (!find_start(start)) return false;
        const auto [a, b, c, d] = start;
        add(a, b, c);
        add(a, d, b);
        add(a, c, d);
        add(b, d, c);
        std::vector<int> all(points_.size());
        std::iota(all.begin(), all.end(), 0);
        hand_out(all, 0);
        while (true) {
            std::size_t best = triangles_.size();
            for (std::size_t t = 0; t < triangles_.size(); ++t) {
                if (!triangles_[t].alive || triangles_[t].farthest < 0) continue;
                if (best == triangles_.size() || triangles_[t].distance > triangles_[best].distance)
                    best = t;
            }
            if (best == triangles_.size()) return true;
            grow(triangles_[best].farthest);
        }
    }
    const std::vector<Triangle>& triangles() const { return triangles_; }

private:
    const Vec& point(int k) const { return points_[static_cast<std::size_t>(k)]; }

    // Four points that span as much as is easily found, the last behind the triangle of the others.
    bool find_start(std::array<int, 4>& out) const {
        const auto farthest = [&](const auto& distance) {
            int best = 0;
            for (int k = 1; k < static_cast<int>(points_.size()); ++k) {
                if (distance(point(k)) > distance(point(best))) best = k;
            }
            return best;
        };
        const int a = farthest([&](const Vec& p) { return squared_norm(p - point(0)); });
        const int b = farthest([&](const Vec& p) { return squared_norm(p - point(a)); });
        const Vec edge = point(b) - point(a);
        const int c =
            farthest([&](const Vec& p) { return squared_norm(cross(p - point(a), edge)); });
        const Vec normal = cross(edge, point(c) - point(a));
        const double area = norm(normal);
        if (!(area > tolerance_ * norm(edge))) return false;
        const auto height = [&](const Vec& p) { return dot(p - point(a), normal) / area; };
        const int d = farthest([&](const Vec& p) { return std::abs(height(p)); });
        if (!(std::abs(height(point(d))) > kFlatPlate * tolerance_)) return false;
        out = height(point(d)) < 0 ? std::array{a, b, c, d} : std::array{a, c, b, d};
        return true;
    }

    void add(int i, int j, int k) {
        Triangle t;
        t.corners = {i, j, k};
        const Vec normal = cross(point(j) - point(i), point(k) - point(i));
        const double length = norm(normal);
        t.normal = length > 0 ? (1 / length) * normal : Vec{};
        t.offset = dot(t.normal, point(i));
        triangles_.push_back(std::move(t));
    }

    // Gives each point to the first triangle from number `first` on that it is before.
    void hand_out(const std::vector<int>& points, std::size_t first) {
        for (const int k : points) {
            for (std::size_t t = first; t < triangles_.size(); ++t) {
                Triangle& triangle = triangles_[t];
                const double distance = dot(triangle.normal, point(k)) - triangle.offset;
                if (!(distance > tolerance_)) continue;
                triangle.before.push_back(k);
                if (distance > triangle.distance) {
                    triangle.distance = distance;
                    triangle.farthest = k;
                }
                break;
            }
        }
    }

    void grow(int k) {
        std::vector<int> orphans;
        std::map<std::pair<int, int>, bool> edges;  // of the triangles that see the point
        for (Triangle& t : triangles_) {
            if (!t.alive || !(dot(t.normal, point(k)) - t.offset > tolerance_)) continue;
            t.alive = false;
            for (std::size_t m = 0; m < 3; ++m)
                edges[{t.corners[m], t.corners[(m + 1) % 3]}] = true;
            for (const int p : t.before) {
                if (p != k) orphans.push_back(p);
            }
            t.before.clear();
        }
        const std::size_t first = triangles_.size();
        for (const auto& [edge, seen] : edges) {
            if (!edges.contains({edge.second, edge.first})) add(edge.first, edge.second, k);
        }
        hand_out(orphans, first);
        if (first > 64) compact();
    }
    // Forgets the triangles that are gone, once they are many.
    void compact() {
        const auto alive = std::count_if(triangles_.begin(), triangles_.end(),
                                         [](const Triangle& t) { return t.alive; });
        if (2 * static_cast<std::size_t>(alive) > triangles_.size()) return;
        std::erase_if(triangles_, [](const Triangle& t) { return !t.alive; });
    }

    const std::vector<Vec>& points_;
    double tolerance_;
    std::vector<Triangle> triangles_;
};

// The hull of those points that lie in a plane, around its normal: Andrew's monotone chain.
std::vector<int> polygon(const std::vector<Vec>& points, std::vector<int> among,
                         const Vec& normal) {
    const Tangents t = tangents_of(normal);  // t.first × t.second = normal
    const auto at = [&](int k) {
        const Vec& p = points[static_cast<std::size_t>(k)];
        return std::pair{dot(p, t.first), dot(p, t.second)};
    };
    std::sort(among.begin(), among.end(), [&](int i, int j) { return at(i) < at(j); });
    const auto turns_left = [&](int i, int j, int k) {
        const auto [x0, y0] = at(i);
        const auto [x1, y1] = at(j);
        const auto [x2, y2] = at(k);
        const double area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
        return area > 1e-9 * (std::abs(x2 - x0) + std::abs(y2 - y0)) *
                          (std::abs(x1 - x0) + std::abs(y1 - y0));
    };
    std::vector<int> out;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t begin = out.size();
        for (const int k : among) {
            while (out.size() >= begin + 2 && !turns_left(out[out.size() - 2], out.back(), k))
                out.pop_back();
            out.push_back(k);
        }
        out.pop_back();
        std::reverse(among.begin(), among.end());
    }
    return out;
}

// Triangles in one plane become one face, all corners of the hull in that plane being its own.
void collect_faces(const std::vector<Triangle>& triangles, double tolerance, Hull& hull) {
    constexpr double kCosineOfFlat = 1 - 1e-6;
    const auto covered = [&](const Triangle& t) {
        return std::any_of(hull.faces.begin(), hull.faces.end(), [&](const HullFace& f) {
            if (dot(f.normal, t.normal) < kCosineOfFlat) return false;
            const Vec& on = hull.corners[static_cast<std::size_t>(f.corners[0])];
            return std::all_of(t.corners.begin(), t.corners.end(), [&](int k) {
                return std::abs(dot(f.normal, hull.corners[static_cast<std::size_t>(k)] - on)) <=
                       2 * tolerance;
            });
        });
    };
    for (const Triangle& t : triangles) {
        if (squared_norm(t.normal) == 0 || covered(t)) continue;
        std::vector<int> corners;
        for (int k = 0; k < static_cast<int>(hull.corners.size()); ++k) {
            if (std::abs(dot(t.normal, hull.corners[static_cast<std::size_t>(k)]) - t.offset) <=
                2 * tolerance)
                corners.push_back(k);
        }
        corners = polygon(hull.corners, std::move(corners), t.normal);
        if (corners.size() >= 3) hull.faces.push_back({t.normal, std::move(corners)});
    }
}

// What triangles have for a corner may lie on an edge of the whole: of points in a row rounding decides which is the farthest.
// Corners of faces are left, in their order.
void leave_corners_of_faces(Hull& hull) {
    if (hull.faces.empty()) return;
    std::vector<int> number(hull.corners.size(), -1);
    for (const HullFace& face : hull.faces) {
        for (const int k : face.corners) number[static_cast<std::size_t>(k)] = 0;
    }
    std::vector<Vec> left;
    for (std::size_t k = 0; k < number.size(); ++k) {
        if (number[k] < 0) continue;
        number[k] = static_cast<int>(left.size());
        left.push_back(hull.corners[k]);
    }
    for (HullFace& face : hull.faces) {
        for (int& k : face.corners) k = number[static_cast<std::size_t>(k)];
    }
    hull.corners = std::move(left);
}

// Points in a plane have a front and a back; points on a line have ends.
void make_flat(const std::vector<Vec>& points, double tolerance, Hull& hull) {
    const auto farthest_from = [&](const Vec& from) {
        return *std::max_element(points.begin(), points.end(), [&](const Vec& p, const Vec& q) {
            return squared_norm(p - from) < squared_norm(q - from);
        });
    };
    const Vec a = farthest_from(points[0]), b = farthest_from(a);
    const Vec edge = b - a;
    const Vec c = *std::max_element(points.begin(), points.end(), [&](const Vec& p, const Vec& q) {
        return squared_norm(cross(p - a, edge)) < squared_norm(cross(q - a, edge));
    });
    const Vec normal = cross(edge, c - a);
    if (!(norm(normal) > tolerance * norm(edge))) {
        hull.corners = {a};
        if (norm(edge) > 0) hull.corners.push_back(b);
        return;
    }
    const Vec n = (1 / norm(normal)) * normal;
    std::vector<int> all(points.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<int> around;
    for (const int k : polygon(points, all, n)) {
        around.push_back(static_cast<int>(hull.corners.size()));
        hull.corners.push_back(points[static_cast<std::size_t>(k)]);
    }
    hull.faces.push_back({n, around});
    std::reverse(around.begin(), around.end());
    hull.faces.push_back({-n, around});
}

// Of very many points, those that are farthest along each of some hundred directions, spread evenly (a spiral of Fibonacci) and along
// the axes and diagonals. Corners of what is flat are all among them; what is round is given up by less than a part in a thousand.
std::vector<Vec> farthest_points(const std::vector<Vec>& points) {
    std::vector<Vec> directions;
    for (int k = 0; k < kMostDirections; ++k) {
        const double z = 1 - (2 * k + 1.0) / kMostDirections, r = std::sqrt(1 - z * z);
        const double turn = 2.399963229728653 * k;  // the golden angle
        directions.push_back({r * std::cos(turn), r * std::sin(turn), z});
    }
    constexpr double kSides[] = {-1, 0, 1};
    for (const double z : kSides) {
        for (const double y : kSides) {
            for (const double x : kSides) {
                if (x != 0 || y != 0 || z != 0) directions.push_back({x, y, z});
            }
        }
    }
    std::vector<std::size_t> kept;
    for (const Vec& d : directions) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < points.size(); ++k) {
            if (dot(d, points[k]) > dot(d, points[best])) best = k;
        }
        kept.push_back(best);
    }
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    std::vector<Vec> out;
    for (const std::size_t k : kept) out.push_back(points[k]);
    return out;
}

}  // namespace

std::shared_ptr<const Hull> convex_hull(std::vector<Vec> points) {
    auto hull = std::make_shared<Hull>();
    Vec low = points[0], high = points[0];
    for (const Vec& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    hull->center = 0.5 * (low + high);
    hull->half = 0.5 * (high - low);
    for (Vec& p : points) p -= hull->center;
    if (points.size() > kMostPoints) points = farthest_points(points);
    const double tolerance = 1e-7 * 2 * norm(hull->half);

    Quickhull quickhull(points, tolerance);
    if (quickhull.run()) {
        // Only corners of triangles that are left, numbered anew.
        std::map<int, int> number;
        std::vector<Triangle> triangles;
        for (Triangle t : quickhull.triangles()) {
            if (!t.alive) continue;
            for (int& k : t.corners) {
                const auto [at, is_new] = number.emplace(k, static_cast<int>(hull->corners.size()));
                if (is_new) hull->corners.push_back(points[static_cast<std::size_t>(k)]);
                k = at->second;
            }
            triangles.push_back(std::move(t));
        }
        collect_faces(triangles, tolerance, *hull);
        leave_corners_of_faces(*hull);
    } else {
        make_flat(points, tolerance, *hull);
    }
    for (const Vec& p : hull->corners) hull->bound = std::max(hull->bound, norm(p));
    return hull;
}

}  // namespace plucker::collide
