// Which pairs of shapes are near each other: of one robot, or of one a lane. All pairs are looked at, which pays where shapes
// are few; a single robot's are sorted instead (detector.hpp).
#pragma once

#include <span>
#include <vector>

#include "convex.hpp"
#include "plucker/collide/collision_shapes.hpp"

namespace plucker::collide {

// What is known of the shapes of a robot and its world beforehand.
struct Outlines {
    struct Shape {
        Convex convex;
        Pose<double> placement;  // on the body
        int body;
    };
    struct Pair {
        int a, b;
    };
    explicit Outlines(const CollisionShapes& shapes);

    std::vector<Shape> shapes;
    std::vector<Pair>
        pairs;  // that can touch, in order; where there are more than kMostPairs, one more than that
    static constexpr std::size_t kMostPairs = 2000;

    // As CollisionShapes::find, where no pairs but these, given by their numbers in order, are near each other. Of `bodies`
    // only those are looked at that carry their shapes.
    void find_among(std::span<const int> pairs, std::span<const Pose<double>> bodies, double margin,
                    CollisionShapes& shapes, std::vector<ContactPoint>& out) const;
};

template <class S>
class NearPairs {
public:
    explicit NearPairs(const Outlines& outlines)
        : outlines_(outlines), boxes_(outlines.shapes.size()) {}

    // Calls found(number, mask) for each pair that may be within the margin in some lane. `pose_of(body)` is a body's.
    template <class PoseOf, class Found>
    void find(const PoseOf& pose_of, const S& margin, const Found& found) {
        for (std::size_t k = 0; k < boxes_.size(); ++k)
            place(outlines_.shapes[k], pose_of, boxes_[k]);
        for (std::size_t k = 0; k < outlines_.pairs.size(); ++k) {
            const auto [a, b] = outlines_.pairs[k];
            const auto near = are_near(a, b, margin);
            if (any(near)) found(static_cast<int>(k), near);
        }
    }

private:
    struct Box {
        Vec3<S> center, half;
        Vec3<S> normal;  // of a plane
    };
    Kind kind_of(int k) const { return outlines_.shapes[static_cast<std::size_t>(k)].convex.kind; }

    template <class PoseOf>
    static void place(const Outlines::Shape& shape, const PoseOf& pose_of, Box& box) {
        const Pose<S> pose = shape.body == 0 ? cast<S>(shape.placement)
                                             : pose_of(shape.body) * cast<S>(shape.placement);
        box.center = pose.position;
        const Mat3<S>& R = pose.rotation;
        box.normal = {R.x.z, R.y.z, R.z.z};
        box.half = half_extents(shape.convex, R);
    }
    MaskOf<S> are_near(int a, int b, const S& margin) const {
        using std::abs;
        const Box &p = boxes_[static_cast<std::size_t>(a)],
                  &q = boxes_[static_cast<std::size_t>(b)];
        const Vec3<S> d = p.center - q.center;
        if (kind_of(a) == Kind::kField || kind_of(b) == Kind::kField) return S(1) > S(0);
        if (kind_of(a) == Kind::kPlane) return height(-d, q, p.normal) <= margin;
        if (kind_of(b) == Kind::kPlane) return height(d, p, q.normal) <= margin;
        const auto near = [&](const S& apart, const S& h_p, const S& h_q) {
            return abs(apart) <= h_p + h_q + margin;
        };
        return near(d.x, p.half.x, q.half.x) & near(d.y, p.half.y, q.half.y) &
               near(d.z, p.half.z, q.half.z);
    }
    // How high the lowest corner of a box is.
    static S height(const Vec3<S>& center, const Box& box, const Vec3<S>& up) {
        using std::abs;
        return dot(center, up) -
               (box.half.x * abs(up.x) + box.half.y * abs(up.y) + box.half.z * abs(up.z));
    }

    const Outlines& outlines_;
    std::vector<Box> boxes_;  // by shape
};

}  // namespace plucker::collide
