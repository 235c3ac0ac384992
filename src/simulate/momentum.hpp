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

template <class S>
struct MomentumOfTree {
    Vec3<S> linear{};
    Vec3<S> angular{};  // about the centre of mass
};
using TreeMomentum = MomentumOfTree<double>;

// The roots of trees that nothing holds: a rotor's inertia or a damper on a floating joint is something outside.
std::vector<int> flying_trees(const Model& model);

template <class S>
class MomentumKeeper {
public:
    explicit MomentumKeeper(const Model& model)
        : roots_(flying_trees(model)), inertias_(roots_.size()), momenta_(roots_.size()) {}
    std::size_t num_trees() const { return roots_.size(); }
    int root(std::size_t tree) const { return roots_[tree]; }

    // Begins a step: corrects v to the momenta, one a tree, where they are known, and notes what momenta and inertias there
    // are. Needs space.move(v), before weigh; the bodies then move with v.
    template <class Mask>
    void begin(const MomentumOfTree<S>* wanted, const Mask& known, JointSpace<S>& space, S* v) {
        for (std::size_t t = 0; t < roots_.size(); ++t) {
            const int root = roots_[t];
            const Motion<S> change =
                correct(t, space.inertia_of_tree(root), space.momentum_of_tree(root), wanted, known,
                        space.kinematics().X[root], v + space.model().body(root).v_index);
            space.add_motion(root, change);
        }
    }
    // Of one tree, by number, whose inertia and momentum about the anchor are known: how it moves more, as one. `v` is that of its
    // root, at X.
    template <class Mask>
    Motion<S> correct(std::size_t t, const Inertia<S>& I, const Force<S>& momentum,
                      const MomentumOfTree<S>* wanted, const Mask& known, const Transform<S>& X,
                      S* v) {
        inertias_[t] = I;
        momenta_[t] = momentum;
        if (!any(I.mass > S(0))) return {};
        const MomentumOfTree<S> is = about_center(I, momentum);
        const Vec3<S> center = (S(1) / I.mass) * I.first_moment;
        const Vec3<S> turn = only_where(known, solve(I.rotational - I.mass * point_inertia(center),
                                                     wanted[t].angular - is.angular));
        const Vec3<S> shift = only_where(known, (S(1) / I.mass) * (wanted[t].linear - is.linear));
        // The tree turns about its centre, which moves with shift.
        const Motion<S> change{turn, shift - cross(turn, center)};
        momenta_[t] += I * change;
        const Motion<S> in_root = X * change;
        const Vec3<S> parts[] = {in_root.angular, in_root.linear};
        for (int k = 0; k < 2; ++k) {
            v[3 * k] += parts[k].x;
            v[3 * k + 1] += parts[k].y;
            v[3 * k + 2] += parts[k].z;
        }
        return change;
    }

    // What begin notes, number by number.
    template <class Visit, class VisitVector>
    void visit(const Visit& number, const VisitVector& vector) {
        for (Inertia<S>& I : inertias_) {
            number(I.mass);
            vector(I.first_moment);
            SymMat3<S>& R = I.rotational;
            for (S* x : {&R.xx, &R.xy, &R.xz, &R.yy, &R.yz, &R.zz}) number(*x);
        }
        for (Force<S>& f : momenta_) {
            vector(f.angular);
            vector(f.linear);
        }
    }

    // Ends it: what there must be after the time h, with τ and the step's generalised impulses as Lᵀ Δp; none, where there
    // is no Δp.
    void end(const JointSpace<S>& space, double h, MaybeForces<S> external, const S* tau,
             const S* change_of_p, MomentumOfTree<S>* wanted) const {
        const Model& model = space.model();
        for (std::size_t t = 0; t < roots_.size(); ++t) {
            const auto& root = model.body(roots_[t]);
            // Every path in the tree has the root's six entries at the same places: its first ones, unless joints mimic others, where
            // paths are chains through all trees.
            S impulse[6];
            for (int k = 0; k < 6; ++k) impulse[k] = S(h) * tau[root.v_index + k];
            const auto first = static_cast<int>(space.paths.path(root.v_index).size()) - 1;
            const int last = change_of_p == nullptr ? -1 : space.paths.last_beyond(root.v_index);
            for (int k = root.v_index; k <= last; ++k) {
                const S* row = space.L.data() + space.paths.row(k) + first;
                const int length = space.paths.row(k + 1) - space.paths.row(k) - first;
                for (int j = 0; j < (length < 6 ? length : 6); ++j) {
                    impulse[j] += row[j] * change_of_p[k];
                }
            }
            const Force<S> from_joints = apply_inverse(
                space.kinematics().X[roots_[t]], Force<S>{{impulse[0], impulse[1], impulse[2]},
                                                          {impulse[3], impulse[4], impulse[5]}});
            const Force<S> after = momenta_[t] +
                                   S(h) * space.force_on_tree(roots_[t], inertias_[t], external) +
                                   from_joints;
            wanted[t] = about_center(inertias_[t], after);
        }
    }

private:
    static MomentumOfTree<S> about_center(const Inertia<S>& I, const Force<S>& h) {
        const Vec3<S> center = (S(1) / I.mass) * I.first_moment;
        return {h.linear, h.angular - cross(center, h.linear)};
    }
    // x with A x = b, for a symmetric positive definite A.
    static Vec3<S> solve(const SymMat3<S>& A, const Vec3<S>& b) {
        const Vec3<S> x{A.xx, A.xy, A.xz}, y{A.xy, A.yy, A.yz}, z{A.xz, A.yz, A.zz};
        const Vec3<S> yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
        const S inverse = S(1) / dot(x, yz);
        return inverse * Vec3<S>{dot(yz, b), dot(zx, b), dot(xy, b)};
    }
    template <class Mask>
    static Vec3<S> only_where(const Mask& known, const Vec3<S>& x) {
        const S zero(0);
        return {select(known, x.x, zero), select(known, x.y, zero), select(known, x.z, zero)};
    }

    std::vector<int> roots_;
    std::vector<Inertia<S>> inertias_;
    std::vector<Force<S>> momenta_;
};

}  // namespace plucker::simulate
