// Rows of W = J L⁻¹ for what may act in a time step.
#pragma once

#include <cmath>

#include "dense_code.hpp"
#include "plucker/collide/collision_shapes.hpp"
#include "plucker/constraints/rows.hpp"
#include "plucker/simulate/impulses.hpp"
#include "plucker/simulate/joint_space.hpp"

namespace plucker {

// Axes at a contact; which tangents they are depends on the normal alone.
struct ContactFrame {
    Vec3<double> normal, tangent, second_tangent;
    static ContactFrame along(const Vec3<double>& normal);
};

class RowWriter {
public:
    explicit RowWriter(const JointSpace<double>& space);

    // The space has moved: what was known of it is gone.
    void begin() { ++now_; }

    // A row that pushes one coordinate, in the direction of `side`.
    void add_coordinate(Law law, double coefficient, int coordinate, double side,
                        ImpulseProblem& problem);
    // The three rows of a contact, and one more where spinning on it is resisted.
    void add_contact(const ContactPoint& point, const ContactFrame& frame, ImpulseProblem& problem);
    // A row of a constraint beyond the tree.
    void add_tie(const ConstraintRow<double>& row, ImpulseProblem& problem);

private:
    // What the six unit forces on a body do along its path: L⁻ᵀ Jᵀ, eight numbers a coordinate, the last two zero. All
    // contacts of a body share it.
    struct Response {
        long when = 0;
        std::vector<double> entries;
        Motion<double> at(int k) const {
            const double* x = entries.data() + static_cast<std::ptrdiff_t>(k) * 8;
            return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
        }
    };
    const Response& response(int body);

    // The coordinates of two paths: those of a's, then those of b's that are not among them. Each path by its last
    // coordinate, or -1.
    void meet(int end_a, int end_b);
    // A row between these paths, from what acts along each: `row` begins as a's, along_b_ as b's.
    void push(double* row);
    // Calls write(place, motion) for each coordinate of two bodies that meet: what forces on a, and the opposite ones on b,
    // do to it is their product with that motion.
    template <class Write>
    void between(int body_a, int body_b, const Write& write);

    const JointSpace<double>& space_;
    const impulses::DenseCode& code_ = impulses::dense_code();
    long now_ = 0;
    std::vector<Response> responses_;  // by body
    int end_a_ = -1, end_b_ = -1, length_a_ = 0, length_b_ = 0, shared_ = 0;
    std::vector<int> coordinates_;
    std::vector<double> along_b_;
};

}  // namespace plucker
