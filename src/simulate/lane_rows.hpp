// Rows of W = J L⁻¹ for what may act on the robots of a pack (rows.hpp), and G = W Wᵀ.
#pragma once

#include <vector>

#include "lane_newton.hpp"
#include "step_lanes.hpp"

namespace plucker::simulate {

template <class S>
class LaneRows {
public:
    explicit LaneRows(const JointSpace<S>& space) : space_(space) {}

    // Of the problem, which must stay; and the island's G.
    void write(const LaneProblem& problem, impulses::LaneNewton<S>& island) {
        problem_ = &problem;
        respond();
        const auto rows = static_cast<std::size_t>(problem.num_rows);
        const std::size_t n = space_.c.size();
        if (wide_.size() < rows * n) wide_.resize(rows * n);
        std::fill_n(wide_.begin(), rows * n, S(0));
        island.clear();
        for (const LaneBlock& b : problem.blocks) {
            if (b.law == Law::kContact) {
                write_contact(b);
            } else {
                write_coordinate(b);
            }
            island.add(b.law, S::load(b.coefficient));
        }
        island.allocate();
        for (const LaneBlock& b : problem.blocks) write_products(b, island);
        island.scale_blocks();
    }
    // W p.
    void velocities(const S* p, S* out) const {
        for_each_row([&](const LaneBlock& b, int r) {
            const S* w = row(r);
            S sum(0);
            for (const int k : b.coordinates) sum += w[k] * p[k];
            out[r] = sum;
        });
    }
    // Wᵀ λ.
    void push(const S* lambda, S* out) const {
        for (std::size_t k = 0; k < space_.c.size(); ++k) out[k] = S(0);
        for_each_row([&](const LaneBlock& b, int r) {
            const S* w = row(r);
            for (const int k : b.coordinates) out[k] += w[k] * lambda[r];
        });
    }

private:
    S* row(int r) { return wide_.data() + static_cast<std::size_t>(r) * space_.c.size(); }
    const S* row(int r) const {
        return wide_.data() + static_cast<std::size_t>(r) * space_.c.size();
    }
    template <class F>
    void for_each_row(const F& f) const {
        for (const LaneBlock& b : problem_->blocks) {
            for (int r = b.row; r < b.row + rows_of(b.law); ++r) f(b, r);
        }
    }

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
    void write_contact(const LaneBlock& b) {
        const auto vector = [](const LaneNumbers* x) {
            return Vec3<S>{S::load(x[0]), S::load(x[1]), S::load(x[2])};
        };
        const Vec3<S> at = vector(b.position);  // from the anchor
        const Vec3<S> normal = vector(b.normal), first = vector(b.tangent),
                      second = vector(b.second_tangent);
        S *n = row(b.row), *t = row(b.row + 1), *u = row(b.row + 2);
        // What moves the point along a direction is pushed by a force along it.
        const auto write_entry = [&](int k, const Motion<S>& x) {
            const Vec3<S> v = point_velocity(x, at);
            n[k] = dot(normal, v);
            t[k] = dot(first, v);
            u[k] = dot(second, v);
        };
        const Motion<S>* x_a = b.a < 0 ? nullptr : firsts_[b.a].x;
        const Motion<S>* x_b = b.b < 0 ? nullptr : firsts_[b.b].x;
        const int length_a = b.a < 0 ? 0 : static_cast<int>(problem_->bodies[b.a].path.size());
        const int length = static_cast<int>(b.coordinates.size());
        for (int k = 0; k < b.shared; ++k) write_entry(b.coordinates[k], x_a[k] - x_b[k]);
        for (int k = b.shared; k < length_a; ++k) write_entry(b.coordinates[k], x_a[k]);
        for (int k = length_a; k < length; ++k) {
            write_entry(b.coordinates[k], -x_b[k - length_a + b.shared]);
        }
    }
    void write_coordinate(const LaneBlock& b) {
        const int length = static_cast<int>(b.coordinates.size());
        along_.resize(b.coordinates.size());
        for (S& x : along_) x = S(0);
        along_[length - 1] = S::load(b.side);
        space_.to_push(b.coordinate, along_.data(), length, 0);
        S* w = row(b.row);
        for (int k = 0; k < length; ++k) w[b.coordinates[k]] = along_[k];
    }
    // The rows of G that belong to a block, up to its own columns, and the same as columns.
    void write_products(const LaneBlock& b, impulses::LaneNewton<S>& island) {
        for (int r = b.row; r < b.row + rows_of(b.law); ++r) {
            const S* w = row(r);
            S* G = island.row(r);
            for (int c = 0; c <= r; ++c) {
                const S* other = row(c);
                S sum(0);
                for (const int k : b.coordinates) sum += w[k] * other[k];
                G[c] = sum;
                island.row(c)[r] = sum;
            }
            if (b.law == Law::kContact && r == b.row) G[r] += S(problem_->softness);
        }
    }

    struct First {
        const Motion<S>* x;
    };
    const JointSpace<S>& space_;
    const LaneProblem* problem_ = nullptr;
    std::vector<S> wide_;               // W, a number for each coordinate
    std::vector<Motion<S>> responses_;  // along the paths of bodies, one after the other
    std::vector<First> firsts_;         // where that of each body begins
    std::vector<S> along_;
};

}  // namespace plucker::simulate
