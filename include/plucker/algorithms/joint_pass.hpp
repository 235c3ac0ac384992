// What every algorithm begins with: joint transforms and motion subspaces at a configuration.
#pragma once

#include "plucker/model/external_forces.hpp"
#include "plucker/model/workspace.hpp"
#include "plucker/spatial/axis_motion.hpp"

namespace plucker::detail {

// Sines and cosines of all joint angles. First of all, and together: so they can be vectorised.
template <class S>
void joint_angles(Workspace<S>& ws, const S* q) {
    const auto angles = ws.model().angles();
    for (std::size_t k = 0; k < angles.size(); ++k) {
        const AngleSource& at = angles[k];
        ws.angle_value[k] = S(at.multiplier) * q[at.q_index] + S(at.offset);
    }
    sin_cos_of_all(ws.angle_value.data(), static_cast<int>(angles.size()), ws.angle.data());
}

// X = X_J(q) X_T of any joint and, where it varies with q, its subspace. Needs joint_angles.
template <class S>
[[gnu::noinline]] void any_joint_transform(Workspace<S>& ws, int i, const S* q, Transform<S>& X) {
    const auto& body = ws.body(i);
    const S* q_i = q + body.q_index;
    const SinCos<S>* angle = ws.angle.data() + body.angle_index;
    S followed;  // a mimic joint's coordinate
    if (body.mimic) {
        followed = S(body.multiplier) * q_i[0] + S(body.offset);
        q_i = &followed;
    }
    X = visit_joint(body.joint, [&](auto joint) {
        if constexpr (!joint.kConstantSubspace) {
            joint.subspace(body, angle, ws.subspace.data() + body.dof_index);
        }
        return joint.transform(body, q_i, angle);
    });
}
// The same, without the switch for the commonest joint. Returns X.
template <class S>
PLUCKER_ALWAYS_INLINE const Transform<S>& joint_transform(Workspace<S>& ws, int i, const S* q,
                                                          Transform<S>& X) {
    const auto& body = ws.body(i);
    if (body.joint == JointType::kRevolute) [[likely]] {
        X = RevoluteJoint::transform(body, q, ws.angle.data() + body.angle_index);
    } else {
        any_joint_transform(ws, i, q, X);
    }
    return X;
}

// All of them, in ws.X.
template <class S>
void joint_transforms(Workspace<S>& ws, const S* q) {
    joint_angles(ws, q);
    for (int i = 1; i <= ws.num_bodies(); ++i) joint_transform(ws, i, q, ws.X[i]);
}

// One walk through the tree: outward(i) at each body, and inward(i) as soon as all that hangs on it is done. Between
// the two only its subtree is visited, so that one place a level (Body::level) can hold a body's quantities, and all
// stays in the nearest cache.
template <class S, class Outward, class Inward>
PLUCKER_ALWAYS_INLINE void walk_tree(const Workspace<S>& ws, const Outward& outward,
                                     const Inward& inward) {
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        outward(i);
        for (int j = i; j != 0 && ws.body(j).subtree_end == i + 1; j = ws.body(j).parent) {
            inward(j);
        }
    }
}

// The apparent rates of the subspaces that vary. Call after joint_transforms.
template <class S>
void subspace_rates(Workspace<S>& ws, const S* v) {
    if (!ws.model().has_varying_subspaces()) return;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        visit_joint(body.joint, [&](auto joint) {
            if constexpr (!joint.kConstantSubspace) {
                joint.subspace_rate(ws.angle.data() + body.angle_index, v + body.v_index,
                                    ws.subspace_rate.data() + body.dof_index);
            }
        });
    }
}

// The size of the numbers that sᵀ I s is a sum of, for an axis s: far below it there is only rounding.
template <class S>
S rotational_trace(const Inertia<S>& I) {
    return I.rotational.xx + I.rotational.yy + I.rotational.zz;
}
template <class S>
S linear_trace(const Inertia<S>& I) {
    return I.mass;
}
template <class S>
S rotational_trace(const ArticulatedInertia<S>& A) {
    return A.I.xx + A.I.yy + A.I.zz;
}
template <class S>
S linear_trace(const ArticulatedInertia<S>& A) {
    return A.M.xx + A.M.yy + A.M.zz;
}
template <class S, class AnyInertia>
S axis_inertia_scale(const Motion<S>& axis, const AnyInertia& I) {
    return squared_norm(axis.angular) * rotational_trace(I) +
           squared_norm(axis.linear) * linear_trace(I);
}

// Motion subspaces as the algorithms use them. A revolute or prismatic joint touches one coordinate, a
// floating joint all six; any other joint is a list of columns.
template <class S>
struct RevoluteSubspace {
    static constexpr bool kOneFreedom = true;
    static constexpr int dim() { return 1; }
    AngularZ<S> operator*(const S* x) const { return {x[0]}; }
    S transpose_times(int, const Force<S>& f) const { return f.angular.z; }
    template <class AnyInertia>
    S inertia_scale(int, const AnyInertia& I) const {
        return rotational_trace(I);
    }
    Force<S> inertia_times(int, const ArticulatedInertia<S>& A) const {
        return {{A.I.xz, A.I.yz, A.I.zz}, A.H.z};
    }
    Force<S> inertia_times(int, const Inertia<S>& I) const {
        return {{I.rotational.xz, I.rotational.yz, I.rotational.zz},
                {-I.first_moment.y, I.first_moment.x, S(0)}};
    }
    // ᴬX_B S for X = ᴮX_A.
    Motion<S> apply_inverse_to(int, const Transform<S>& X) const {
        return {X.E.z, cross(X.r, X.E.z)};
    }
};

template <class S>
struct PrismaticSubspace {
    static constexpr bool kOneFreedom = true;
    static constexpr int dim() { return 1; }
    LinearZ<S> operator*(const S* x) const { return {x[0]}; }
    S transpose_times(int, const Force<S>& f) const { return f.linear.z; }
    template <class AnyInertia>
    S inertia_scale(int, const AnyInertia& I) const {
        return linear_trace(I);
    }
    Force<S> inertia_times(int, const ArticulatedInertia<S>& A) const {
        return {{A.H.x.z, A.H.y.z, A.H.z.z}, {A.M.xz, A.M.yz, A.M.zz}};
    }
    Force<S> inertia_times(int, const Inertia<S>& I) const {
        return {{I.first_moment.y, -I.first_moment.x, S(0)}, {S(0), S(0), I.mass}};
    }
    Motion<S> apply_inverse_to(int, const Transform<S>& X) const { return {{}, X.E.z}; }
};

// A floating joint moves along every coordinate: S is the identity.
template <class S>
struct FloatingSubspace {
    static constexpr bool kOneFreedom = false;
    static constexpr int dim() { return 6; }
    Motion<S> operator*(const S* x) const { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }
    S transpose_times(int k, const Force<S>& f) const {
        return k < 3 ? entry(f.angular, k) : entry(f.linear, k - 3);
    }
    template <class AnyInertia>
    S inertia_scale(int k, const AnyInertia& I) const {
        return k < 3 ? rotational_trace(I) : linear_trace(I);
    }
    Force<S> inertia_times(int k, const ArticulatedInertia<S>& A) const {
        const Mat3<S> I = to_mat3(A.I);
        const Mat3<S> M = to_mat3(A.M);
        return k < 3 ? Force<S>{row(I, k), row(A.H, k)}
                     : Force<S>{row(transpose(A.H), k - 3), row(M, k - 3)};
    }
    Force<S> inertia_times(int k, const Inertia<S>& I) const {
        return inertia_times(k, ArticulatedInertia<S>(I));
    }
    Motion<S> apply_inverse_to(int k, const Transform<S>& X) const {
        if (k >= 3) return {{}, row(X.E, k - 3)};
        return {row(X.E, k), cross(X.r, row(X.E, k))};
    }

private:
    // k is known when the loop over the six is unrolled.
    static const S& entry(const Vec3<S>& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
    static const Vec3<S>& row(const Mat3<S>& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
};

template <class S>
struct GeneralSubspace {
    static constexpr bool kOneFreedom = false;
    const Motion<S>* columns;
    const Motion<S>* rates;
    int n;

    int dim() const { return n; }
    Motion<S> operator*(const S* x) const { return sum(columns, x); }
    Motion<S> rate_times(const S* x) const { return sum(rates, x); }
    S transpose_times(int k, const Force<S>& f) const { return dot(columns[k], f); }
    template <class AnyInertia>
    S inertia_scale(int k, const AnyInertia& I) const {
        return axis_inertia_scale(columns[k], I);
    }
    template <template <class> class AnyInertia>
    Force<S> inertia_times(int k, const AnyInertia<S>& I) const {
        return I * columns[k];
    }
    Motion<S> apply_inverse_to(int k, const Transform<S>& X) const {
        return apply_inverse(X, columns[k]);
    }

private:
    Motion<S> sum(const Motion<S>* m, const S* x) const {
        Motion<S> total{};
        for (int k = 0; k < n; ++k) total += x[k] * m[k];
        return total;
    }
};

// c_J, the acceleration from the subspace's own rate. Nothing to add where it is constant.
template <class S>
Motion<S> add_bias(const Motion<S>& a, const GeneralSubspace<S>& subspace, const S* v) {
    return a + subspace.rate_times(v);
}
template <class S, class Subspace>
Motion<S> add_bias(const Motion<S>& a, const Subspace&, const S*) {
    return a;
}

// Calls f with joint i's motion subspace.
template <class S, class F>
PLUCKER_ALWAYS_INLINE decltype(auto) with_subspace(Workspace<S>& ws, int i, F&& f) {
    const auto& body = ws.body(i);
    if (body.joint == JointType::kRevolute && !body.mimic) return f(RevoluteSubspace<S>{});
    if (body.joint == JointType::kPrismatic && !body.mimic) return f(PrismaticSubspace<S>{});
    if (body.joint == JointType::kFloating) return f(FloatingSubspace<S>{});
    return f(GeneralSubspace<S>{ws.subspace.data() + body.dof_index,
                                ws.subspace_rate.data() + body.dof_index, body.nv});
}

// The columns of joint i's motion subspace, for code where their cost does not matter.
template <class S>
const Motion<S>* columns(const Workspace<S>& ws, int i) {
    return ws.subspace.data() + ws.body(i).dof_index;
}

// Viscous and Coulomb friction: the torque that the motion v costs at coordinate k.
template <class S>
S friction_at(const Workspace<S>& ws, const S* v, int k) {
    return S(ws.damping(k)) * v[k] + S(ws.friction(k)) * sign(v[k]);
}

// Takes the external forces from `f`, each in its body's frame. Needs joint_transforms.
template <class S>
void subtract_external_forces(Workspace<S>& ws, MaybeForces<S> external, std::vector<Force<S>>& f) {
    if (external == nullptr) return;
    if (external->need_poses()) {
        ws.X_world[0] = {};
        for (int i = 1; i <= ws.num_bodies(); ++i) {
            ws.X_world[i] = ws.X[i] * ws.X_world[ws.body(i).parent];
        }
    }
    for (const auto& entry : external->entries()) {
        const Transform<S> X_frame_body = cast<S>(entry.X_frame_body);
        switch (entry.expressed_in) {
            case ReferenceFrame::kBody:
                f[entry.body] -= apply_inverse(X_frame_body, entry.force);
                break;
            case ReferenceFrame::kWorld:
                f[entry.body] -= ws.X_world[entry.body] * entry.force;
                break;
            case ReferenceFrame::kWorldAligned: {
                const Mat3<S>& E = ws.X_world[entry.body].E;
                const Force<S> turned{E * entry.force.angular, E * entry.force.linear};
                f[entry.body] -=
                    Force<S>{turned.angular + cross(X_frame_body.r, turned.linear), turned.linear};
                break;
            }
        }
    }
}

}  // namespace plucker::detail
