// Contacts of a robot with the world and with itself: pure geometry of its collision shapes.
//
//     CollisionShapes shapes(model, World::flat());
//     shapes.find(poses_of_bodies, 1e-3, contacts);
//
// Which shapes can touch. Two shapes of one body never do, nor do those of two bodies connected by a joint, not counting
// fixed joints; but a body on a floating joint touches the world, and a plane stops everything. Links that the description
// names in `never_touching` do not touch. And the kind of one shape must be among those that the other one meets, as with
// MuJoCo's contype and conaffinity.
//
// Where they touch. Two flat faces share a patch, given by its corners, a cylinder and a face a line, given by its ends:
// as many points as it takes to support one on the other. All points of a pair of shapes have one normal, the direction of
// the shortest movement that separates the shapes, however deep they overlap. Terrain has a normal for each touching face,
// ridge and peak.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plucker/collide/world.hpp"
#include "plucker/model/model.hpp"

namespace plucker {

namespace collide {
struct Outlines;
}

struct ContactPoint {
    int shape_a = 0, shape_b = 0;  // of CollisionShapes::shapes(); a before b
    int body_a = 0, body_b = 0;    // of the model; 0: the world. body_a is never 0
    Vec3<double> position;         // in the world, midway between the two surfaces
    Vec3<double> normal;           // unit, from b towards a: a force along it pushes a away
    double distance = 0;           // between the surfaces along the normal; negative: penetration
    // Of the pair of shapes and of their features that touch here: the same from step to step while they do.
    std::uint64_t id = 0;
    Surface surface;  // of both, see `combined`
};

// Of two surfaces that touch: the larger of each coefficient, as MuJoCo has it.
constexpr Surface combined(const Surface& a, const Surface& b) {
    return {a.friction > b.friction ? a.friction : b.friction,
            a.torsional > b.torsional ? a.torsional : b.torsional,
            a.restitution > b.restitution ? a.restitution : b.restitution};
}

// A shape where it is: on a body of the model, or in the world.
struct CollisionShape {
    std::string name;
    std::string link;        // empty: of the World
    int body = 0;            // 0: it does not move
    Pose<double> placement;  // on the body's frame, that of the model's bodies
    Surface surface;
    bool is_plane = false;  // which is ground, whichever link has it
};

class CollisionShapes {
public:
    // Takes the collision shapes of all links, by their bodies, and the world's after them. Throws Error for sizes that no
    // shape can have, and for meshes that cannot be read.
    CollisionShapes(const Model& model, const World& world);
    CollisionShapes(const CollisionShapes& other);
    CollisionShapes(CollisionShapes&&) noexcept;
    CollisionShapes& operator=(CollisionShapes other) noexcept;
    ~CollisionShapes();

    // All points where two surfaces are at most `margin` apart, by pairs of shapes in their order. `bodies` are the poses of
    // the model's bodies in the world, to_pose(X_world), the world's own first. No memory is asked for once `out` and the
    // memory in here have grown. It is not for two threads at once: give each a copy.
    void find(std::span<const Pose<double>> bodies, double margin, std::vector<ContactPoint>& out);

    std::span<const CollisionShape> shapes() const;
    // Whether two shapes would be looked at when they come near each other.
    bool can_touch(int shape_a, int shape_b) const;
    // How far the shapes of each body reach from its frame's origin, planes left out; 0 where it has none. By body, the
    // world's own first.
    std::span<const double> reach() const;

private:
    friend struct collide::Outlines;  // src/collide/near_pairs.hpp
    class Detector;                   // src/collide/detector.hpp
    std::unique_ptr<Detector> detector_;
};

}  // namespace plucker
