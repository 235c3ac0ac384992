// Free bodies with one shape each, at any pose; and a width of the gap between two shapes that is computed in another way.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "plucker/collide/collision_shapes.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::test {

using Vec = Vec3<double>;

// Bodies that float, each with one shape.
inline Model free_bodies(const std::vector<Geometry>& geometries) {
    Builder builder("scene");
    builder.link("origin");
    for (std::size_t k = 0; k < geometries.size(); ++k) {
        const std::string name = "body" + std::to_string(k);
        builder.body("origin", floating("free_" + name), name, MassProperties::sphere(1, 1));
    }
    Description description = builder.description();
    for (std::size_t k = 0; k < geometries.size(); ++k)
        description.links[k + 1].collisions.push_back(
            {.name = "", .placement = {}, .geometry = geometries[k]});
    return Model(description);
}

// The corners of "wedge.stl" and so on, without files.
inline std::vector<Vec> corners_of_mesh(const Mesh& mesh) {
    if (mesh.uri == "cube")
        return {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    if (mesh.uri == "wedge") return {{-1, -1, -1}, {1, -1, -1}, {0, 1, -1}, {0, 0, 1.5}};
    if (mesh.uri == "plate") return {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 0}};
    if (mesh.uri == "needle") return {{0, 0, -1}, {0, 0, 0}, {0, 0, 1}};
    std::mt19937 dice(5);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<Vec> points;
    for (int k = 0; k < 20; ++k) {
        const Vec p{number(dice), number(dice), number(dice)};
        points.push_back((1 / norm(p)) * p);  // "round"
    }
    return points;
}

inline const std::vector<Vec>& points_of_mesh(const Mesh& mesh) {
    static std::map<std::string, std::vector<Vec>> known;
    const auto at = known.find(mesh.uri);
    return at != known.end() ? at->second : known[mesh.uri] = corners_of_mesh(mesh);
}

// Planes through three points of a mesh that have all others behind them.
struct Face {
    Vec normal, on;
};
inline const std::vector<Face>& faces_of_mesh(const Mesh& m) {
    static std::map<std::tuple<std::string, double, double, double>, std::vector<Face>> known;
    const auto [at, is_new] = known.try_emplace({m.uri, m.scale.x, m.scale.y, m.scale.z});
    if (!is_new) return at->second;
    std::vector<Vec> points;
    for (const Vec& q : points_of_mesh(m))
        points.push_back({m.scale.x * q.x, m.scale.y * q.y, m.scale.z * q.z});
    for (const Vec& a : points) {
        for (const Vec& b : points) {
            for (const Vec& c : points) {
                const Vec normal = cross(b - a, c - a);
                if (!(norm(normal) > 1e-12)) continue;
                const Vec n = (1 / norm(normal)) * normal;
                const bool is_face = std::all_of(points.begin(), points.end(), [&](const Vec& q) {
                    return dot(n, q - a) <= 1e-12;
                });
                if (is_face) at->second.push_back({n, a});
            }
        }
    }
    return at->second;
}

// The point of a shape that is farthest along a unit direction, in its own frame.
inline Vec farthest(const Geometry& geometry, const Vec& d) {
    struct Visitor {
        const Vec& d;
        static double pick(double size, double along) { return along < 0 ? -size / 2 : size / 2; }
        Vec operator()(const Box& b) const {
            return {pick(b.size.x, d.x), pick(b.size.y, d.y), pick(b.size.z, d.z)};
        }
        Vec operator()(const Cylinder& c) const {
            const double across = std::hypot(d.x, d.y);
            const Vec rim = across > 0 ? (c.radius / across) * Vec{d.x, d.y, 0} : Vec{};
            return rim + Vec{0, 0, pick(c.length, d.z)};
        }
        Vec operator()(const Capsule& c) const {
            return c.radius * d + Vec{0, 0, pick(c.length, d.z)};
        }
        Vec operator()(const Sphere& s) const { return s.radius * d; }
        Vec operator()(const Ellipsoid& e) const {
            const Vec r = e.radii;
            const Vec p{r.x * d.x, r.y * d.y, r.z * d.z};
            return (1 / norm(p)) * Vec{r.x * p.x, r.y * p.y, r.z * p.z};
        }
        Vec operator()(const Plane&) const { return {}; }
        Vec operator()(const Mesh& m) const {
            Vec best{};
            double height = -std::numeric_limits<double>::infinity();
            for (const Vec& p : points_of_mesh(m)) {
                const Vec q{m.scale.x * p.x, m.scale.y * p.y, m.scale.z * p.z};
                if (dot(q, d) > height) {
                    height = dot(q, d);
                    best = q;
                }
            }
            return best;
        }
    };
    return std::visit(Visitor{d}, geometry);
}

struct Thing {
    Geometry geometry;
    Pose<double> pose;

    Vec farthest_along(const Vec& d) const {
        return pose * farthest(geometry, transpose_times(pose.rotation, d));
    }
};

// The gap between a and b along n.
inline double gap(const Thing& a, const Thing& b, const Vec& n) {
    return dot(a.farthest_along(-n), n) - dot(b.farthest_along(n), n);
}

// The largest gap over many directions that are spread evenly: no more than over all.
inline double largest_gap(const Thing& a, const Thing& b) {
    constexpr int kDirections = 2000;
    double best = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < kDirections; ++k) {
        const double z = 1 - (2 * k + 1.0) / kDirections, r = std::sqrt(1 - z * z);
        const double angle = k * 2.399963229728653;  // the golden angle
        best = std::max(best, gap(a, b, {r * std::cos(angle), r * std::sin(angle), z}));
    }
    return best;
}

// No less than the distance of two shapes, and a little more at most: Gilbert's algorithm (1966).
inline double distance_from_above(const Thing& a, const Thing& b) {
    Vec v = a.pose.position - b.pose.position;
    for (int k = 0; k < 400 && norm(v) > 1e-12; ++k) {
        const Vec n = (1 / norm(v)) * v;
        const Vec w = a.farthest_along(-n) - b.farthest_along(n);
        const Vec d = w - v;
        const double length = squared_norm(d);
        if (!(length > 0)) break;
        v += std::clamp(-dot(v, d) / length, 0.0, 1.0) * d;
    }
    return norm(v);
}

// By how much a point lies outside of a shape at the least; zero or less inside.
inline double outside(const Geometry& geometry, const Vec& p) {
    struct Visitor {
        const Vec& p;
        double operator()(const Box& b) const {
            return std::max({std::abs(p.x) - b.size.x / 2, std::abs(p.y) - b.size.y / 2,
                             std::abs(p.z) - b.size.z / 2});
        }
        double operator()(const Cylinder& c) const {
            return std::max(std::hypot(p.x, p.y) - c.radius, std::abs(p.z) - c.length / 2);
        }
        double operator()(const Capsule& c) const {
            return norm(p - Vec{0, 0, std::clamp(p.z, -c.length / 2, c.length / 2)}) - c.radius;
        }
        double operator()(const Sphere& s) const { return norm(p) - s.radius; }
        double operator()(const Ellipsoid& e) const {
            const Vec q{p.x / e.radii.x, p.y / e.radii.y, p.z / e.radii.z};
            return (norm(q) - 1) * std::min({e.radii.x, e.radii.y, e.radii.z});
        }
        double operator()(const Plane&) const { return p.z; }
        double operator()(const Mesh& m) const {
            double most = -1;
            for (const Face& f : faces_of_mesh(m)) most = std::max(most, dot(f.normal, p - f.on));
            return most;
        }
    };
    return std::visit(Visitor{p}, geometry);
}
inline double outside(const Thing& thing, const Vec& p) {
    return outside(thing.geometry, inverse(thing.pose) * p);
}

class Dice {
public:
    explicit Dice(unsigned seed) : generator_(seed) {}
    double between(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(generator_);
    }
    Vec vector(double size) {
        return {between(-size, size), between(-size, size), between(-size, size)};
    }
    Vec direction() {
        Vec v;
        do {
            v = vector(1);
        } while (squared_norm(v) < 0.01 || squared_norm(v) > 1);
        return (1 / norm(v)) * v;
    }
    Mat3<double> rotation() {
        const Vec x = direction();
        const Vec raw = cross(x, direction());
        const Vec y = (1 / norm(raw)) * raw;
        return transpose(Mat3<double>{x, y, cross(x, y)});
    }
    Pose<double> pose(double size) { return {rotation(), vector(size)}; }

private:
    std::mt19937 generator_;
};

// One of each kind that has an end, some of them awkward.
inline std::vector<std::pair<std::string, Geometry>> bounded_shapes() {
    return {{"sphere", Sphere{0.4}},
            {"point", Sphere{0}},
            {"box", Box{{0.6, 0.8, 0.5}}},
            {"board", Box{{1.0, 0.7, 0.02}}},
            {"capsule", Capsule{0.2, 0.8}},
            {"rod", Capsule{0, 1}},
            {"cylinder", Cylinder{0.4, 0.6}},
            {"disc", Cylinder{0.5, 0.03}},
            {"ellipsoid", Ellipsoid{{0.5, 0.3, 0.2}}},
            {"cube", Mesh{"cube", "", {0.3, 0.4, 0.25}}},
            {"wedge", Mesh{"wedge", "", {0.4, 0.4, 0.4}}},
            {"plate", Mesh{"plate", "", {0.5, 0.4, 1}}},
            {"round", Mesh{"round", "", {0.4, 0.4, 0.4}}}};
}

inline World empty_world() {
    World world;
    world.read_mesh = points_of_mesh;
    return world;
}

inline double least_distance(const std::vector<ContactPoint>& contacts) {
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& c : contacts) least = std::min(least, c.distance);
    return least;
}

}  // namespace plucker::test
