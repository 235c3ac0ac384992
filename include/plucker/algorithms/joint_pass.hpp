// What every algorithm begins with: joint transforms and motion subspaces at a configuration.
#pragma once

#include "plucker/model/external_forces.hpp"
#include "plucker/model/workspace.hpp"

namespace plucker::detail {

// Sines and cosines of all joint angles. First of all, and together: so they can be vectorised.
template <class S>
void joint_angles(Workspace<S>& ws, const S* q) {
    const auto angles = ws.angles();
    for (std::size_t k = 0; k < angles.size(); ++k) {
        const AngleSource<ParameterOf<S>>& at = angles[k];
        ws.joints.angle_value[k] = S(at.multiplier) * q[at.q_index] + S(at.offset);
    }
    sin_cos_of_all(ws.joints.angle_value.data(), static_cast<int>(angles.size()),
                   ws.joints.angle.data());
}

// X = X_J(q) X_T of any joint and, where it varies with q, its subspace. Needs joint_angles.
template <class S>
[[gnu::noinline]] void any_joint_transform(Workspace<S>& ws, int i, const S* q, Transform<S>& X) {
    const auto& body = ws.body(i);
    const S* q_i = q + body.q_index;
    const SinCos<S>* angle = ws.joints.angle.data() + body.angle_index;
    S followed;  // a mimic joint's coordinate
    if (body.mimic) {
        followed = S(body.multiplier) * q_i[0] + S(body.offset);
        q_i = &followed;
    }
    X = visit_joint(body.joint, [&](auto joint) {
        if constexpr (!joint.kConstantSubspace) {
            joint.subspace(body, angle, ws.joints.subspace.data() + body.dof_index);
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
        X = RevoluteJoint::transform(body, q, ws.joints.angle.data() + body.angle_index);
    } else {
        any_joint_transform(ws, i, q, X);
    }
    return X;
}

// All of them, in ws.joints.X.
template <class S>
void joint_transforms(Workspace<S>& ws, const S* q) {
    joint_angles(ws, q);
    for (int i = 1; i <= ws.num_bodies(); ++i) joint_transform(ws, i, q, ws.joints.X[i]);
}

// One walk through the tree: outward(i) at each body, and inward(i) as soon as all that hangs on it is done. Between
// the two only its subtree is visited, so that one place per level (Body::level) can hold a body's quantities, and all
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

// The apparent rates of the subspaces that vary. Needs joint_angles.
template <class S>
void subspace_rates(Workspace<S>& ws, const S* v) {
    if (!ws.model().has_varying_subspaces()) return;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        visit_joint(body.joint, [&](auto joint) {
            if constexpr (!joint.kConstantSubspace) {
                joint.subspace_rate(ws.joints.angle.data() + body.angle_index, v + body.v_index,
                                    ws.joints.subspace_rate.data() + body.dof_index);
            }
        });
    }
}

// c_J, the acceleration from the subspace's own rate. Nothing to add where it is constant.
template <class S, class Subspace>
Motion<S> add_bias(const Motion<S>& a, const Subspace& subspace, const S* v) {
    if constexpr (requires { subspace.rate_times(v); }) {
        return a + subspace.rate_times(v);
    } else {
        return a;
    }
}

// Calls f with joint i's motion subspace: that of its type where that has one of its own, otherwise the columns. A
// joint that mimics another, with one freedom, has its column scaled.
template <class S, class F, class Joint, class... Others>
PLUCKER_ALWAYS_INLINE decltype(auto) with_subspace(Workspace<S>& ws, int i, F&& f,
                                                   ListOfJoints<Joint, Others...>) {
    const auto& body = ws.body(i);
    if constexpr (HasOwnSubspace<Joint, S>) {
        if (body.joint == Joint::kType && (Joint::kNv > 1 || !body.mimic))
            return f(typename Joint::template Subspace<S>{});
    }
    if constexpr (sizeof...(Others) > 0) {
        return with_subspace(ws, i, std::forward<F>(f), ListOfJoints<Others...>{});
    } else {
        return f(ColumnSubspace<S>{ws.joints.subspace.data() + body.dof_index,
                                   ws.joints.subspace_rate.data() + body.dof_index, body.nv});
    }
}
template <class S, class F>
PLUCKER_ALWAYS_INLINE decltype(auto) with_subspace(Workspace<S>& ws, int i, F&& f) {
    return with_subspace(ws, i, std::forward<F>(f), JointTypes{});
}

// The columns of joint i's motion subspace, for code where their cost does not matter.
template <class S>
const Motion<S>* columns(const Workspace<S>& ws, int i) {
    return ws.joints.subspace.data() + ws.body(i).dof_index;
}

// Viscous and Coulomb friction: the torque that the motion v costs at coordinate k.
template <class S>
S friction_at(const Workspace<S>& ws, const S* v, int k) {
    return S(ws.damping(k)) * v[k] + S(ws.friction(k)) * sign(v[k]);
}

// Takes the external forces from `f`, each in its body's frame. Needs joint_transforms.
template <class S>
void subtract_external_forces(Workspace<S>& ws, MaybeForces<S> external, Array<Force<S>>& f) {
    if (external == nullptr) return;
    if (external->need_poses()) {
        ws.joints.X_world[0] = {};
        for (int i = 1; i <= ws.num_bodies(); ++i) {
            ws.joints.X_world[i] = ws.joints.X[i] * ws.joints.X_world[ws.body(i).parent];
        }
    }
    for (const auto& entry : external->entries()) {
        const Transform<S> X_frame_body = cast<S>(ws.X_frame_body(entry.frame));
        switch (entry.expressed_in) {
            case ReferenceFrame::kBody:
                f[entry.body] -= apply_inverse(X_frame_body, entry.force);
                break;
            case ReferenceFrame::kWorld:
                f[entry.body] -= ws.joints.X_world[entry.body] * entry.force;
                break;
            case ReferenceFrame::kWorldAligned: {
                const Mat3<S>& E = ws.joints.X_world[entry.body].E;
                const Force<S> turned{E * entry.force.angular, E * entry.force.linear};
                f[entry.body] -=
                    Force<S>{turned.angular + cross(X_frame_body.r, turned.linear), turned.linear};
                break;
            }
        }
    }
}

}  // namespace plucker::detail
