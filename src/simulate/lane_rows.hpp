// Rows of W = J L⁻¹ for what may act on the robots of a pack (rows.hpp).
#pragma once

#include <vector>

#include "lane_newton.hpp"
#include "step_lanes.hpp"

namespace plucker::simulate {

template <class S>
class LaneRows {
public:
    explicit LaneRows(const JointSpace<S>& space) : space_(space) {}

    // Of the problem, which must stay.
    void write(const LaneProblem& problem, impulses::LaneNewton<S>& island) {
        problem_ = &problem;
        respond();
        island.clear(static_cast<int>(space_.c.size()));
        for (const LaneBlock& b : problem.blocks) {
            island.add(b.law, S::load(b.coefficient), b.law == Law::kContact ? problem.softness : 0,
                       b.coordinates);
        }
        island.allocate();
        for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
            const LaneBlock& b = problem.blocks[i];
            S* w = island.entries(static_cast<int>(i));
            if (b.law == Law::kContact) {
                write_contact(b, w);
            } else {
                write_coordinate(b, w);
            }
        }
        island.scale_blocks();
    }

private:
    // What the six unit forces on each body do along its path: L⁻ᵀ Jᵀ. All contacts of a body share it.
    void respond() {
        std::size_t entries = 0;
        for (const LaneBody& body : problem_->bodies) entries += body.path.size();
        responses_.resize(entries);
        firsts_.clear();
        Motion<S>* x = responses_.data();
        for (const LaneBody& body : problem_->bodies) {
            firsts_.push_back({x});
            const int length = static_cast<int>(body.path.size());
            for (int k = 0; k < length; ++k) x[k] = space_.kinematics().J[body.path[k]];
            for (int a = length - 1; a >= 0; --a) {
                const S* L = space_.L.data() + space_.paths.row(body.path[a]);
                x[a] = space_.inverse_diagonal()[body.path[a]] * x[a];
                for (int b = 0; b < a; ++b) x[b] -= L[b] * x[a];
            }
            x += length;
        }
    }
    void write_contact(const LaneBlock& b, S* w) {
        const auto vector = [](const LaneNumbers* x) {
            return Vec3<S>{S::load(x[0]), S::load(x[1]), S::load(x[2])};
        };
        const Vec3<S> at = vector(b.position);  // from the anchor
        const Vec3<S> normal = vector(b.normal), first = vector(b.tangent),
                      second = vector(b.second_tangent);
        // What moves the point along a direction is pushed by a force along it.
        const auto write_entry = [&](const Motion<S>& x) {
            const Vec3<S> v = point_velocity(x, at);
            *w++ = dot(normal, v);
            *w++ = dot(first, v);
            *w++ = dot(second, v);
        };
        const Motion<S>* x_a = b.a < 0 ? nullptr : firsts_[b.a].x;
        const Motion<S>* x_b = b.b < 0 ? nullptr : firsts_[b.b].x;
        const int length_a = b.a < 0 ? 0 : static_cast<int>(problem_->bodies[b.a].path.size());
        const int length = static_cast<int>(b.coordinates.size());
        for (int k = 0; k < b.shared; ++k) write_entry(x_a[k] - x_b[k]);
        for (int k = b.shared; k < length_a; ++k) write_entry(x_a[k]);
        for (int k = length_a; k < length; ++k) write_entry(-x_b[k - length_a + b.shared]);
    }
    void write_coordinate(const LaneBlock& b, S* w) {
        const int length = static_cast<int>(b.coordinates.size());
        for (int k = 0; k < length; ++k) w[k] = S(0);
        w[length - 1] = S::load(b.side);
        space_.to_push(b.coordinate, w, length, 0);
    }

    struct First {
        const Motion<S>* x;
    };
    const JointSpace<S>& space_;
    const LaneProblem* problem_ = nullptr;
    std::vector<Motion<S>> responses_;  // along the paths of bodies, one after the other
    std::vector<First> firsts_;         // where that of each body begins
};

}  // namespace plucker::simulate
