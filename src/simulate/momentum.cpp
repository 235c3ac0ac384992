#include "momentum.hpp"

namespace plucker::simulate {
namespace {

TreeMomentum about_center(const Inertia<double>& I, const Force<double>& h) {
    const Vec3<double> center = (1 / I.mass) * I.first_moment;
    return {h.linear, h.angular - cross(center, h.linear)};
}

// x with A x = b, for a symmetric positive definite A.
Vec3<double> solve(const SymMat3<double>& A, const Vec3<double>& b) {
    const Vec3<double> x{A.xx, A.xy, A.xz}, y{A.xy, A.yy, A.yz}, z{A.xz, A.yz, A.zz};
    const Vec3<double> yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
    const double inverse = 1 / dot(x, yz);
    return inverse * Vec3<double>{dot(yz, b), dot(zx, b), dot(xy, b)};
}

}  // namespace

MomentumKeeper::MomentumKeeper(const Model& model) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.parent != 0 || body.joint != JointType::kFloating) continue;
        // A rotor's inertia or a damper on a floating joint is something outside that holds it.
        double held = 0;
        for (int k = body.v_index; k < body.v_index + 6; ++k) {
            held += model.armature()[k] + model.damping()[k] + model.friction()[k];
        }
        if (held == 0) roots_.push_back(i);
    }
    inertias_.resize(roots_.size());
    momenta_.resize(roots_.size());
}

void MomentumKeeper::restore(const std::vector<TreeMomentum>& wanted, JointSpace<double>& space,
                             double* v) {
    if (wanted.size() != roots_.size() || roots_.empty()) return;
    for (std::size_t t = 0; t < roots_.size(); ++t) {
        const Inertia<double> I = space.inertia_of_tree(roots_[t]);
        if (!(I.mass > 0)) continue;
        const TreeMomentum is = about_center(I, space.momentum_of_tree(roots_[t]));
        const Vec3<double> center = (1 / I.mass) * I.first_moment;
        const Vec3<double> turn =
            solve(I.rotational - I.mass * point_inertia(center), wanted[t].angular - is.angular);
        const Vec3<double> shift = (1 / I.mass) * (wanted[t].linear - is.linear);
        // The tree moves as one: turn about its centre, which moves with shift.
        const Motion<double> change =
            space.kinematics().X[roots_[t]] * Motion<double>{turn, shift - cross(turn, center)};
        double* v_root = v + space.model().body(roots_[t]).v_index;
        const Vec3<double> parts[] = {change.angular, change.linear};
        for (int k = 0; k < 2; ++k) {
            v_root[3 * k] += parts[k].x;
            v_root[3 * k + 1] += parts[k].y;
            v_root[3 * k + 2] += parts[k].z;
        }
    }
    space.move(v);
}

void MomentumKeeper::begin(const JointSpace<double>& space) {
    for (std::size_t t = 0; t < roots_.size(); ++t) {
        inertias_[t] = space.inertia_of_tree(roots_[t]);
        momenta_[t] = space.momentum_of_tree(roots_[t]);
    }
}

void MomentumKeeper::end(const JointSpace<double>& space, double h, MaybeForces<double> external,
                         const double* tau, const double* change_of_p,
                         std::vector<TreeMomentum>& wanted) const {
    wanted.resize(roots_.size());
    const Model& model = space.model();
    for (std::size_t t = 0; t < roots_.size(); ++t) {
        const Body<double>& root = model.body(roots_[t]);
        // The first six entries of every path in the tree are the root's.
        double impulse[6];
        for (int k = 0; k < 6; ++k) impulse[k] = h * tau[root.v_index + k];
        const int last = space.paths.last_of_tree(root.v_index);
        for (int k = root.v_index; k <= last; ++k) {
            const double* row = space.L.data() + space.paths.row(k);
            const int length = std::min(6, space.paths.row(k + 1) - space.paths.row(k));
            for (int j = 0; j < length; ++j) impulse[j] += row[j] * change_of_p[k];
        }
        const Force<double> from_joints = apply_inverse(
            space.kinematics().X[roots_[t]], Force<double>{{impulse[0], impulse[1], impulse[2]},
                                                           {impulse[3], impulse[4], impulse[5]}});
        const Force<double> after =
            momenta_[t] + h * space.force_on_tree(roots_[t], inertias_[t], external) + from_joints;
        wanted[t] = about_center(inertias_[t], after);
    }
}

}  // namespace plucker::simulate
