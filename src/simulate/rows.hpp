// Rows of W = J L⁻¹ for what may act in a time step.
#pragma once

#include <cmath>

#include "plucker/collide/collision_shapes.hpp"
#include "plucker/simulate/impulses.hpp"
#include "plucker/simulate/joint_space.hpp"

namespace plucker {

// Axes at a contact; which tangents they are depends on the normal alone.
struct ContactFrame {
    Vec3<double> normal, tangent, second_tangent;
    static ContactFrame along(const Vec3<double>& normal);
};

// A row that pushes one coordinate, in the direction of `side`.
void add_coordinate(const JointSpace<double>& space, Law law, double coefficient, int coordinate,
                    double side, ImpulseProblem& problem);
// The three rows of a contact, and one more where spinning on it is resisted.
void add_contact(const JointSpace<double>& space, const ContactPoint& point,
                 const ContactFrame& frame, ImpulseProblem& problem);

}  // namespace plucker
