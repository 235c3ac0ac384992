// Rows of W = J L⁻¹ for what may act in a time step.
#pragma once

#include <cmath>

#include "numbers.hpp"
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
    // Row k of L⁻¹: what a unit torque on the coordinate pushes, along its path.
    const double* push_of(int coordinate);
    // What the six unit forces on a body push along its path: six rows, so many numbers apart. All contacts of a body share it.
    struct Response {
        long when = 0;
        int pitch = 0;
        impulses::Numbers rows;
        double torque2 = 0,
               force2 = 0;  // squared norms: of the first three rows, and of the others
    };
    const Response& response(int body);
    // No less than the square of what a force pushes along a body's path.
    double largest_push2(int body, const Force<double>& force);
    // A row for each of so many forces on a body, `row_pitch` numbers apart.
    void push(int body, int count, const Force<double>* forces, impulses::Numbers& out);

    // The coordinates of two paths: those of a's, then those of b's that are not among them. Each path by its last
    // coordinate, or -1.
    void meet(int end_a, int end_b);
    // Of rows along a and along b, as many in each, those of a pushed one way and b the other.
    void subtract(int count, double* rows);

    const JointSpace<double>& space_;
    const impulses::DenseCode& code_ = impulses::dense_code();
    long now_ = 0;
    std::vector<Response> responses_;  // by body
    impulses::Numbers inverse_;        // L⁻¹, by path
    std::vector<int> first_;           // where its rows begin
    std::vector<long> known_;          // since when
    std::vector<double> J_;            // of a path, where joints mimic others
    int length_a_ = 0, length_b_ = 0, shared_ = 0;
    std::vector<int> coordinates_;
    impulses::Numbers along_a_, along_b_;
};

}  // namespace plucker
