// The shapes of a robot and its world, made ready; and the pairs of them that are near each other.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "convex.hpp"
#include "plucker/collide/collision_shapes.hpp"
#include "terrain.hpp"

namespace plucker {

class CollisionShapes::Detector {
public:
    Detector(const Model& model, const World& world);

    void find(std::span<const Pose<double>> bodies, double margin, std::vector<ContactPoint>& out);
    bool can_touch(std::size_t a, std::size_t b) const;
    const std::vector<CollisionShape>& shapes() const { return shapes_; }
    const std::vector<double>& reach() const { return reach_; }

private:
    friend struct collide::Outlines;
    // What the algorithms need of a shape, by its number.
    struct Item {
        collide::Convex convex;
        Pose<double> placement;  // on the body, of the convex shape's own frame
        int body = 0;
        int group = 0;         // the body that carries it through fixed joints
        int parent_group = 0;  // and what that body hangs on; -1: on nothing that is left out
        int link = -1;         // of the description; -1: of the World
        double bound = 0;      // the radius of a ball around it
        std::uint32_t is = 1, meets = 1;
        std::shared_ptr<const collide::Hull> hull;
        std::shared_ptr<const collide::Terrain> terrain;
    };
    // A box around a shape that has an end.
    struct Bounds {
        Vec3<double> low, high;
    };
    struct Key {
        double low;  // along the axis of the sweep
        int number;
    };

    void add(const Shape& shape, const std::string& link, int link_number, int body,
             const Pose<double>& placement, const World& world);
    void add(const HeightField& field, const World& world);
    void exclude(const Model& model);
    bool allows(std::size_t a, std::size_t b) const;
    void place(std::size_t k, std::span<const Pose<double>> bodies);
    void find_near_planes(double margin);
    void sort_by_spread(double margin);
    void sweep();
    void touch(std::size_t a, std::size_t b, double margin, std::vector<ContactPoint>& out);
    Vec3<double>& apart(std::size_t a, std::size_t b);

    std::size_t num_bodies_ = 0;
    std::vector<double> reach_;  // by body
    std::vector<CollisionShape> shapes_;
    std::vector<Item> items_;
    std::vector<int> bounded_;  // shapes that have an end: all but planes and terrain
    std::vector<std::pair<int, int>> never_touching_;  // links, the smaller number first, in order
    std::vector<std::pair<int, int>> on_ground_;       // a plane or terrain, and what can touch it
    std::vector<bool> allowed_;  // by pairs of bounded shapes; empty where these are too many
    // Of the call.
    std::vector<collide::Placed> placed_;
    std::vector<Bounds> bounds_;                     // of the bounded ones
    std::vector<Key> keys_;                          // of these, as they were sorted last
    double Vec3<double>::*axis_ = &Vec3<double>::x;  // of the sweep
    std::vector<std::uint64_t> near_;  // pairs: the first shape's number above the second's
    // A direction along which two shapes were apart. They are likely to be so still, and if not, nothing is lost: pairs may take
    // each other's places here.
    struct Apart {
        std::uint64_t pair = ~std::uint64_t{0};
        Vec3<double> direction{};
    };
    std::vector<Apart> apart_;
};

}  // namespace plucker
