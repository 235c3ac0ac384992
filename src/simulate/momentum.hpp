// Trees that fly: their momentum changes by the impulses from outside and by nothing else.
//
// A step with generalised velocities is of first order, and what it loses or gains would show where people look first: at a
// body that spins freely, at a robot in the air. So the velocity of each tree on a floating joint is corrected at the
// beginning of a step, as a whole, to the momentum that it must have by Newton and Euler: linear, and angular about the
// centre of mass.
#pragma once

#include <vector>

#include "plucker/simulate/joint_space.hpp"

namespace plucker::simulate {

struct TreeMomentum {
    Vec3<double> linear{};
    Vec3<double> angular{};  // about the centre of mass
};

class MomentumKeeper {
public:
    explicit MomentumKeeper(const Model& model);
    std::size_t num_trees() const { return roots_.size(); }

    // Corrects v to the momenta, and moves the bodies with it. Needs space.move(v).
    void restore(const std::vector<TreeMomentum>& wanted, JointSpace<double>& space, double* v);
    // Begins a step: what momenta and inertias there are. Needs space.move(v), before weigh.
    void begin(const JointSpace<double>& space);
    // Ends it: what there must be after the time h, with the step's generalised impulses as Lᵀ Δp, and τ.
    void end(const JointSpace<double>& space, double h, MaybeForces<double> external,
             const double* tau, const double* change_of_p, std::vector<TreeMomentum>& wanted) const;

private:
    std::vector<int> roots_;
    std::vector<Inertia<double>> inertias_;
    std::vector<Force<double>> momenta_;
};

}  // namespace plucker::simulate
