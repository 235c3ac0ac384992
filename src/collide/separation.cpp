#include "separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plucker::collide {
namespace {

// A point of A - B, and the points of A and B that it is the difference of.
struct Difference {
    Vec point, of_a, of_b;
};

// A - B, with A moved.
struct Pair {
    const Placed& a;
    const Placed& b;
    Vec shift{};

    // The point of A - B that is least far along d.
    Difference lowest(const Vec& d) const {
        const Vec pa = support(a, -d) + shift, pb = support(b, d);
        return {pa - pb, pa, pb};
    }
    double separation_along(const Vec& n) const { return dot(lowest(n).point, n); }
};

// Points of A - B, and the weights of the point of their hull that is nearest to the origin.
struct Simplex {
    int count = 0;
    std::array<Difference, 4> corners;
    std::array<double, 4> weights{};

    const Vec& point(int k) const { return corners[static_cast<std::size_t>(k)].point; }
    void add(const Difference& d) { corners[static_cast<std::size_t>(count++)] = d; }
    Vec nearest() const {
        Vec v{};
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
            v += weights[k] * corners[k].point;
        return v;
    }
    bool has(const Vec& p) const {
        for (int k = 0; k < count; ++k) {
            if (point(k) == p) return true;
        }
        return false;
    }
};

// A choice of corners with their weights.
struct Choice {
    int count = 0;
    std::array<int, 3> corner{};
    std::array<double, 3> weight{};
    double squared_distance = std::numeric_limits<double>::infinity();
};

Choice finished(const Simplex& s, Choice c) {
    Vec v{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(c.count); ++k)
        v += c.weight[k] * s.point(c.corner[k]);
    c.squared_distance = squared_norm(v);
    return c;
}

Choice nearest_of_edge(const Simplex& s, int i, int j) {
    const Vec& a = s.point(i);
    const Vec ab = s.point(j) - a;
    const double length = squared_norm(ab), t = -dot(a, ab);
    if (!(t > 0)) return finished(s, {1, {i}, {1}});
    if (t >= length) return finished(s, {1, {j}, {1}});
    return finished(s, {2, {i, j}, {1 - t / length, t / length}});
}

// The origin seen from a triangle: over it, or nearest to one of its edges.
Choice nearest_of_triangle(const Simplex& s, int i, int j, int k) {
    const Vec &a = s.point(i), &b = s.point(j), &c = s.point(k);
    const Vec normal = cross(b - a, c - a);
    const double area = squared_norm(normal);
    const double wa = dot(normal, cross(b, c)), wb = dot(normal, cross(c, a)),
                 wc = dot(normal, cross(a, b));
    if (area > 0 && wa > 0 && wb > 0 && wc > 0) {
        const double sum = wa + wb + wc;
        return finished(s, {3, {i, j, k}, {wa / sum, wb / sum, wc / sum}});
    }
    Choice best = nearest_of_edge(s, i, j);
    for (const Choice& other : {nearest_of_edge(s, j, k), nearest_of_edge(s, k, i)}) {
        if (other.squared_distance < best.squared_distance) best = other;
    }
    return best;
}

// Keeps the corners that the point nearest to the origin needs. False if the origin is inside.
bool reduce(Simplex& s) {
    Choice best;
    if (s.count == 1) {
        best = {1, {0}, {1}};
    } else if (s.count == 2) {
        best = nearest_of_edge(s, 0, 1);
    } else if (s.count == 3) {
        best = nearest_of_triangle(s, 0, 1, 2);
    } else {
        // Faces, and the corner opposite to each.
        constexpr std::array<std::array<int, 4>, 4> kFaces{
            {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}}};
        bool inside = true;
        for (const auto& [i, j, k, opposite] : kFaces) {
            const Vec normal = cross(s.point(j) - s.point(i), s.point(k) - s.point(i));
            const double of_origin = -dot(normal, s.point(i));
            const double of_corner = dot(normal, s.point(opposite) - s.point(i));
            // A flat one has no inside.
            if (of_origin * of_corner > 0) continue;
            inside = false;
            const Choice choice = nearest_of_triangle(s, i, j, k);
            if (choice.squared_distance < best.squared_distance) best = choice;
        }
        if (inside) return false;
    }
    Simplex kept;
    for (std::size_t k = 0; k < static_cast<std::size_t>(best.count); ++k) {
        kept.add(s.corners[static_cast<std::size_t>(best.corner[k])]);
        kept.weights[k] = best.weight[k];
    }
    s = kept;
    return true;
}

struct Search {
    enum class End { kFound, kBeyondLimit, kNear } end = End::kFound;
    Simplex simplex;
    Separation best;
};

// Gilbert, Johnson, Keerthi. Stops as soon as the distance is known to be beyond `limit`, or below `near`.
Search search(const Pair& pair, const Vec& start, double limit, double near, double scale) {
    constexpr int kMost = 128;
    constexpr double kPrecision = 1e-13;
    Search out;
    out.best.distance = -std::numeric_limits<double>::infinity();
    out.simplex.add(pair.lowest(start));
    out.simplex.weights[0] = 1;
    Vec v = out.simplex.nearest();
    for (int iteration = 0; iteration < kMost; ++iteration) {
        const double length = norm(v);
        if (!(length > near)) {
            out.end = Search::End::kNear;
            return out;
        }
        const Vec n = (1 / length) * v;
        const Difference w = pair.lowest(n);
        const double along = dot(w.point, n);
        if (along > out.best.distance) {
            out.best.distance = along;
            out.best.normal = n;
        }
        if (along > limit) {
            out.end = Search::End::kBeyondLimit;
            return out;
        }
        if (length - out.best.distance <= kPrecision * (scale + length)) break;
        if (out.simplex.has(w.point)) break;
        Simplex grown = out.simplex;
        grown.add(w);
        if (!reduce(grown)) {
            out.end = Search::End::kNear;
            out.simplex = grown;
            return out;
        }
        const Vec next = grown.nearest();
        if (!(squared_norm(next) < length * length)) break;  // rounding
        out.simplex = grown;
        v = next;
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(out.simplex.count); ++k) {
        out.best.on_a += out.simplex.weights[k] * out.simplex.corners[k].of_a;
        out.best.on_b += out.simplex.weights[k] * out.simplex.corners[k].of_b;
    }
    return out;
}

// A polytope within A - B around the origin, grown where its surface is nearest to the origin.
class ExpandingPolytope {
public:
    ExpandingPolytope(const Pair& pair, double scale) : pair_(pair), scale_(scale) {}

    // The direction, from the inside of A - B, of its nearest surface; zero if there is none, as A - B is flat.
    Vec find(const Simplex& simplex) {
        if (!start(simplex)) return {};
        const double precision = 1e-4 * scale_;  // for a first guess
        while (true) {
            const Face* nearest = &faces_[0];
            for (int k = 1; k < num_faces_; ++k) {
                const Face& f = faces_[static_cast<std::size_t>(k)];
                if (f.offset < nearest->offset) nearest = &f;
            }
            const Vec outwards = nearest->normal;
            const double offset = nearest->offset;
            if (num_points_ == kMostPoints) return outwards;
            const Vec w = pair_.lowest(-outwards).point;
            if (dot(w, outwards) - offset <= precision || !grow(w)) return outwards;
        }
    }

private:
    static constexpr int kMostPoints = 64, kMostFaces = 2 * kMostPoints, kMostEdges = 128;
    struct Face {
        int i, j, k;
        Vec normal;
        double offset;
    };

    const Vec& point(int k) const { return points_[static_cast<std::size_t>(k)]; }
    int add_point(const Vec& p) {
        points_[static_cast<std::size_t>(num_points_)] = p;
        return num_points_++;
    }
    bool add_face(int i, int j, int k) {
        const Vec normal = cross(point(j) - point(i), point(k) - point(i));
        const double length = norm(normal);
        if (!(length > 0) || num_faces_ == kMostFaces) return false;
        const Vec unit = (1 / length) * normal;
        faces_[static_cast<std::size_t>(num_faces_++)] = {i, j, k, unit, dot(unit, point(i))};
        return true;
    }

    // A tetrahedron with the origin in it, from a simplex of which the origin is part.
    bool start(const Simplex& simplex) {
        for (int k = 0; k < simplex.count; ++k) add_point(simplex.point(k));
        const double least = 1e-9 * scale_;
        const auto offer = [&](const Vec& direction) {
            const double length = norm(direction);
            if (!(length > 0)) return false;
            const Vec d = (1 / length) * direction;
            for (const Vec& n : {d, -d}) {
                const Vec w = pair_.lowest(n).point;
                if (std::abs(dot(w - point(0), d)) > least) {
                    add_point(w);
                    return true;
                }
            }
            return false;
        };
        if (num_points_ == 1) {
            const bool any = offer({1, 0, 0}) || offer({0, 1, 0}) || offer({0, 0, 1});
            if (!any) return false;
        }
        if (num_points_ == 2) {
            const Vec edge = point(1) - point(0);
            const Tangents t = tangents_of((1 / norm(edge)) * edge);
            if (!offer(t.first) && !offer(t.second)) return false;
        }
        if (num_points_ == 3 && !offer(cross(point(1) - point(0), point(2) - point(0))))
            return false;
        const bool inwards =
            dot(cross(point(1) - point(0), point(2) - point(0)), point(3) - point(0)) > 0;
        if (inwards) std::swap(points_[1], points_[2]);
        return add_face(0, 1, 2) && add_face(0, 3, 1) && add_face(0, 2, 3) && add_face(1, 3, 2);
    }

    // Takes away the faces that the new point sees, and closes the hole with faces to it.
    bool grow(const Vec& w) {
        int num_edges = 0;
        const auto edge = [&](int i, int j) {
            for (int k = 0; k < num_edges; ++k) {
                auto& e = edges_[static_cast<std::size_t>(k)];
                if (e[0] == j && e[1] == i) {  // between two of those faces
                    e = edges_[static_cast<std::size_t>(--num_edges)];
                    return true;
                }
            }
            if (num_edges == kMostEdges) return false;
            edges_[static_cast<std::size_t>(num_edges++)] = {i, j};
            return true;
        };
        // A point in a face's plane, as round faces have many, does not see the face.
        const double in_plane = 1e-10 * scale_;
        int kept = 0;
        bool fits = true;
        for (int k = 0; k < num_faces_; ++k) {
            const Face f = faces_[static_cast<std::size_t>(k)];
            if (dot(f.normal, w) - f.offset > in_plane) {
                fits = fits && edge(f.i, f.j) && edge(f.j, f.k) && edge(f.k, f.i);
            } else {
                faces_[static_cast<std::size_t>(kept++)] = f;
            }
        }
        num_faces_ = kept;
        const int last = add_point(w);
        for (int k = 0; k < num_edges && fits; ++k) {
            const auto& e = edges_[static_cast<std::size_t>(k)];
            fits = add_face(e[0], e[1], last);
        }
        return fits && num_faces_ > 0;
    }

    const Pair& pair_;
    double scale_;
    int num_points_ = 0, num_faces_ = 0;
    std::array<Vec, kMostPoints> points_;
    std::array<Face, kMostFaces> faces_;
    std::array<std::array<int, 2>, kMostEdges> edges_;
};

// The better of a direction and what is known.
void offer(const Pair& pair, const Vec& direction, Separation& best) {
    const double length = norm(direction);
    if (!(length > 0)) return;
    const Vec n = (1 / length) * direction;
    const double along = pair.separation_along(n);
    if (along > best.distance) {
        best.distance = along;
        best.normal = n;
    }
}

// Climbs to a largest separation, see above.
Separation climb(Pair pair, Separation best, double delta, double scale) {
    constexpr int kMost = 32;
    for (int iteration = 0; iteration < kMost; ++iteration) {
        const double t = delta - best.distance;
        pair.shift = t * best.normal;
        Search moved = search(pair, best.normal, std::numeric_limits<double>::infinity(), 0, scale);
        const Vec n = moved.best.normal;
        const double along = moved.best.distance - t * dot(best.normal, n);
        const bool better = along > best.distance + 1e-12 * scale;
        best.on_a = moved.best.on_a - pair.shift;
        best.on_b = moved.best.on_b;
        if (!(along > best.distance)) break;
        best.distance = along;
        best.normal = n;
        if (!better) break;
    }
    return best;
}

}  // namespace

Separation separation(const Placed& a, const Placed& b, double limit, const Vec& guess) {
    const double bound_a = core_bound(a.shape), bound_b = core_bound(b.shape);
    // Of the smaller core that is more than a point.
    const double smaller =
        std::min(bound_a, bound_b) > 0 ? std::min(bound_a, bound_b) : std::max(bound_a, bound_b);
    const double scale = std::max(bound_a, bound_b);
    const double delta = smaller > 0 ? 0.02 * smaller : 1e-3;
    const Pair pair{a, b};

    const Vec between = a.pose.position - b.pose.position;
    const Vec start = squared_norm(guess) > 0 ? guess : between;
    Search apart =
        search(pair, squared_norm(start) > 0 ? start : Vec{0, 0, 1}, limit, delta, scale);
    if (apart.end != Search::End::kNear) return apart.best;

    Separation best;
    best.normal = {0, 0, 1};
    best.distance = -std::numeric_limits<double>::infinity();
    if (apart.best.distance > 0) best = apart.best;
    offer(pair, guess, best);
    offer(pair, apart.simplex.nearest(), best);
    // Overlap, beyond what a direction of a nearest point explains.
    if (best.distance < -0.1 * delta || apart.simplex.count == 4) {
        offer(pair, between, best);
        offer(pair, -ExpandingPolytope(pair, scale).find(apart.simplex), best);
    }
    if (!(best.distance > -std::numeric_limits<double>::infinity())) offer(pair, {0, 0, 1}, best);
    return climb(pair, best, delta, scale);
}

}  // namespace plucker::collide
