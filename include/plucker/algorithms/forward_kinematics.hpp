// Forward kinematics: poses, velocities and accelerations of bodies and frames.
//
// Source: Featherstone, Short Course; Supplement, eqs 1–2. Departure: instead of the velocity of each frame's
// own origin, all motion vectors are kept in one set of coordinates, with the world's axes, where they
// add up along the tree without any transform: v_i = v_λ + J q̇, a_i = a_λ + J q̈ + J̇ q̇, with J the
// joint axes. Their origin is the workspace's anchor (see workspace.hpp). Cost: O(n).
//
// forward_kinematics stores its results in the workspace; the queries below read them for any frame. No other algorithm
// changes them: algorithms that need kinematics internally use their own memory.
#pragma once

#include "plucker/algorithms/joint_pass.hpp"
#include "plucker/algorithms/operands.hpp"

namespace plucker {
namespace kernel {

// Poses and joint axes of the bodies from `first` on, in the coordinates of those before. Needs joint_angles.
template <class S>
PLUCKER_ALWAYS_INLINE void set_poses_and_axes(Workspace<S>& ws, WorldKinematics<S>& kin, const S* q,
                                              int first) {
    for (int i = first; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        kin.X[i] = detail::joint_transform(ws, i, q, kin.X_parent[i]) * kin.X[body.parent];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            for (int k = 0; k < S_i.dim(); ++k) {
                kin.J[body.dof_index + k] = S_i.apply_inverse_to(k, kin.X[i]);
            }
        });
    }
    kin.level = Kinematics::kPosition;
}

// Poses and joint axes about a given anchor. Needs joint_angles.
template <class S>
PLUCKER_ALWAYS_INLINE void position_kinematics_about(Workspace<S>& ws, WorldKinematics<S>& kin,
                                                     const S* q, const Vec3<S>& anchor) {
    kin.anchor = anchor;
    kin.X[0] = Transform<S>::translation(-anchor);
    set_poses_and_axes(ws, kin, q, 1);
}

// The anchor is body 1's origin if all other bodies hang on it.
template <class S>
void position_kinematics(Workspace<S>& ws, WorldKinematics<S>& kin, const S* q) {
    detail::joint_angles(ws, q);
    const bool one_root = ws.num_bodies() > 0 && ws.body(1).subtree_end == ws.num_bodies() + 1;
    Transform<S> X;
    position_kinematics_about(ws, kin, q,
                              one_root ? detail::joint_transform(ws, 1, q, X).r : Vec3<S>{});
}

// Where only poses and axes in world coordinates are wanted, they need no shift from an anchor.
template <class S>
void world_kinematics(Workspace<S>& ws, WorldKinematics<S>& kin, const S* q) {
    detail::joint_angles(ws, q);
    position_kinematics_about(ws, kin, q, Vec3<S>{});
}

// For results that are the same in any coordinates, such as torques: in those of body 1, if all other bodies hang on it.
// Its own axes, six for a floating base, are then constants, with which there is nothing to multiply. kin.X[0] leads from
// there to the world.
template <class S>
void root_kinematics(Workspace<S>& ws, WorldKinematics<S>& kin, const S* q) {
    if (ws.num_bodies() == 0 || ws.body(1).subtree_end != ws.num_bodies() + 1) {
        world_kinematics(ws, kin, q);
        return;
    }
    detail::joint_angles(ws, q);
    Transform<S> X;
    kin.X[0] = inverse(detail::joint_transform(ws, 1, q, X));
    kin.X[1] = Transform<S>::identity();
    for (int k = 0; k < ws.body(1).nv; ++k) kin.J[k] = detail::columns(ws, 1)[k];
    set_poses_and_axes(ws, kin, q, 2);
}

// Velocities of bodies and rates of joint axes: J̇ = v_i × J + Ṡ. Needs position_kinematics.
template <class S>
void velocity_kinematics(Workspace<S>& ws, WorldKinematics<S>& kin, const S* v) {
    detail::subspace_rates(ws, v);
    kin.v[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const S* v_q = v + body.v_index;
        const Motion<S>* J = kin.J.data() + body.dof_index;
        Motion<S> v_i = kin.v[body.parent];
        for (int k = 0; k < body.nv; ++k) v_i += v_q[k] * J[k];
        kin.v[i] = v_i;
        // One axis alone is carried by the body before it: its own rotation does not move it.
        const Motion<S>& carrier =
            body.nv == 1 && has_constant_subspace(body.joint) ? kin.v[body.parent] : v_i;
        for (int k = 0; k < body.nv; ++k) kin.J_dot[body.dof_index + k] = cross(carrier, J[k]);
        if (!has_constant_subspace(body.joint)) {
            for (int k = 0; k < body.nv; ++k) {
                kin.J_dot[body.dof_index + k] +=
                    apply_inverse(kin.X[i], ws.joints.subspace_rate[body.dof_index + k]);
            }
        }
    }
    kin.level = Kinematics::kVelocity;
}

// Gravity acts as if the ground accelerated upwards. Needs position kinematics.
template <class S>
Motion<S> acceleration_of_ground(const Workspace<S>& ws, const WorldKinematics<S>& kin) {
    return apply_inverse(kin.X[0], Motion<S>{{}, -cast<S>(ws.gravity())});
}

// Spatial accelerations of bodies. Needs velocity_kinematics with the same v. The motion that people ask for
// knows nothing of gravity.
template <class S>
void acceleration_kinematics(const Workspace<S>& ws, WorldKinematics<S>& kin, const S* v,
                             const S* a, const Motion<S>& of_ground = {}) {
    kin.a[0] = of_ground;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        Motion<S> a_i = kin.a[body.parent];
        for (int k = 0; k < body.nv; ++k) {
            a_i += a[body.v_index + k] * kin.J[body.dof_index + k] +
                   v[body.v_index + k] * kin.J_dot[body.dof_index + k];
        }
        kin.a[i] = a_i;
    }
    kin.level = Kinematics::kAcceleration;
}

// Up to a level, from as many of q, v and a as that takes.
template <class S>
void kinematics_up_to(Kinematics level, Workspace<S>& ws, WorldKinematics<S>& kin, const S* q,
                      const S* v, const S* a) {
    if (level >= Kinematics::kPosition) position_kinematics(ws, kin, q);
    if (level >= Kinematics::kVelocity) velocity_kinematics(ws, kin, v);
    if (level >= Kinematics::kAcceleration) acceleration_kinematics(ws, kin, v, a);
}

}  // namespace kernel

namespace detail {

template <class S>
Transform<S> X_frame_anchor(const Workspace<S>& ws, const WorldKinematics<S>& kin, FrameId id) {
    return cast<S>(ws.X_frame_body(id)) * kin.X[ws.model().frame(id).body];
}

// From anchor coordinates to those in which a frame's quantities are wanted.
template <class S>
Transform<S> X_reference_anchor(const Workspace<S>& ws, const WorldKinematics<S>& kin, FrameId id,
                                ReferenceFrame reference) {
    switch (reference) {
        case ReferenceFrame::kWorld:
            return Transform<S>::translation(-kin.anchor);
        case ReferenceFrame::kWorldAligned:
            return Transform<S>::translation(X_frame_anchor(ws, kin, id).r);
        case ReferenceFrame::kBody:
            break;
    }
    return X_frame_anchor(ws, kin, id);
}

// The velocity with which those coordinates themselves move, seen at the anchor.
template <class S>
Motion<S> reference_velocity(const Workspace<S>& ws, FrameId id, ReferenceFrame reference) {
    const Motion<S>& v = ws.kinematics.v[ws.model().frame(id).body];
    switch (reference) {
        case ReferenceFrame::kWorld:
            return {};
        case ReferenceFrame::kWorldAligned:
            return {{}, point_velocity(v, X_frame_anchor(ws, ws.kinematics, id).r)};
        case ReferenceFrame::kBody:
            break;
    }
    return v;
}

}  // namespace detail

namespace kernel {

template <class S>
Pose<S> frame_pose(const Workspace<S>& ws, FrameId frame) {
    Pose<S> pose = to_pose(detail::X_frame_anchor(ws, ws.kinematics, frame));
    pose.position += ws.kinematics.anchor;
    return pose;
}
template <class S>
Motion<S> frame_velocity(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference) {
    return detail::X_reference_anchor(ws, ws.kinematics, frame, reference) *
           ws.kinematics.v[ws.model().frame(frame).body];
}
template <class S>
Motion<S> frame_acceleration(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference) {
    return detail::X_reference_anchor(ws, ws.kinematics, frame, reference) *
           ws.kinematics.a[ws.model().frame(frame).body];
}
template <class S>
Motion<S> frame_classical_acceleration(const Workspace<S>& ws, FrameId frame,
                                       ReferenceFrame reference) {
    const Motion<S> a = kernel::frame_acceleration(ws, frame, reference);
    const Motion<S> v = kernel::frame_velocity(ws, frame, reference);
    return {a.angular, classical_point_acceleration(a, v, Vec3<S>{})};
}

// The poses of all bodies after world_kinematics, one row per body: those of [R p]. In the workspace they stand as E and r
// of each, twelve numbers in a row, which are the columns of [R p].
template <class S>
void give_body_poses(const Workspace<S>& ws, const Operand<S>& out) {
    static_assert(sizeof(Transform<S>) == 12 * sizeof(S));
    const S* poses = reinterpret_cast<const S*>(ws.passing_kinematics.X.data() + 1);
    const detail::MatrixView<S> rows{out.data, out.stride};
    for (int i = 0; i < ws.num_bodies(); ++i) {
        for (int c = 0; c < 12; ++c) rows(i, c) = poses[12 * i + c / 4 + 3 * (c % 4)];
    }
}

// All joint axes, or their rates, after world_kinematics. Those of joints that mimic another add up.
template <class S>
void give_joint_axes(const Workspace<S>& ws, const Array<Motion<S>>& axes, const Operand<S>& out) {
    const detail::MatrixView<S> J{out.data, out.stride};
    J.set_zero(6, ws.model().nv());
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            J.add_column(body.v_index + k, axes[body.dof_index + k]);
        }
    }
}

}  // namespace kernel
}  // namespace plucker
