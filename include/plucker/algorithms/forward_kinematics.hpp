// Forward kinematics: poses, velocities and accelerations of bodies and frames.
//
// Source: Featherstone, Short Course; Supplement, eqs 1–2. Departure: instead of the velocity of each frame's
// own origin, all motion vectors are kept in one set of coordinates, with the world's axes, where they
// add up along the tree without any transform: v_i = v_λ + J q̇, a_i = a_λ + J q̈ + J̇ q̇, with J the
// joint axes. Their origin is the workspace's anchor (see workspace.hpp). Cost: O(n).
//
// forward_kinematics leaves its results in the workspace; the queries below read them for any frame. No other algorithm
// touches them: those that need kinematics on their way have a place of their own.
#pragma once

#include "plucker/algorithms/arguments.hpp"
#include "plucker/algorithms/joint_pass.hpp"

namespace plucker {
namespace kernel {

// Poses and joint axes about a given anchor. Needs joint_angles.
template <class S>
PLUCKER_ALWAYS_INLINE void position_kinematics_about(Workspace<S>& ws, WorldKinematics<S>& kin,
                                                     const S* q, const Vec3<S>& anchor) {
    kin.anchor = anchor;
    kin.X[0] = Transform<S>::translation(-anchor);
    Transform<S> X;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        kin.X[i] = detail::joint_transform(ws, i, q, X) * kin.X[body.parent];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            for (int k = 0; k < S_i.dim(); ++k) {
                kin.J[body.dof_index + k] = S_i.apply_inverse_to(k, kin.X[i]);
            }
        });
    }
    kin.level = Kinematics::kPosition;
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
        for (int k = 0; k < body.nv; ++k) kin.J_dot[body.dof_index + k] = cross(v_i, J[k]);
        if (!has_constant_subspace(body.joint)) {
            for (int k = 0; k < body.nv; ++k) {
                kin.J_dot[body.dof_index + k] +=
                    apply_inverse(kin.X[i], ws.subspace_rate[body.dof_index + k]);
            }
        }
    }
    kin.level = Kinematics::kVelocity;
}

// Spatial accelerations of bodies. Needs velocity_kinematics with the same v.
template <class S>
void acceleration_kinematics(const Workspace<S>& ws, WorldKinematics<S>& kin, const S* v,
                             const S* a) {
    kin.a[0] = {};
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

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void position_kinematics(Workspace<double>& ws, WorldKinematics<double>& kin, const double* q);
void velocity_kinematics(Workspace<double>& ws, WorldKinematics<double>& kin, const double* v);
void acceleration_kinematics(const Workspace<double>& ws, WorldKinematics<double>& kin,
                             const double* v, const double* a);

}  // namespace kernel

// Fills the workspace with the kinematics at q, at (q, v), or at (q, v, a).
template <class S>
Status forward_kinematics(Workspace<S>& ws, ConstVector<S> q) {
    ws.kinematics.level = Kinematics::kNone;
    detail::Door<S> door("forward_kinematics", ws);
    const S* q_in = door.q(q);
    if (!door.opens()) return door.status();
    kernel::position_kinematics(ws, ws.kinematics, q_in);
    return door.status();
}
template <class S>
Status forward_kinematics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v) {
    ws.kinematics.level = Kinematics::kNone;
    detail::Door<S> door("forward_kinematics", ws);
    const S* q_in = door.q(q);
    const S* v_in = door.in("v", v);
    if (!door.opens()) return door.status();
    kernel::position_kinematics(ws, ws.kinematics, q_in);
    kernel::velocity_kinematics(ws, ws.kinematics, v_in);
    return door.status();
}
template <class S>
Status forward_kinematics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v, ConstVector<S> a) {
    ws.kinematics.level = Kinematics::kNone;
    detail::Door<S> door("forward_kinematics", ws);
    const S* q_in = door.q(q);
    const S* v_in = door.in("v", v);
    const S* a_in = door.in("a", a);
    if (!door.opens()) return door.status();
    kernel::position_kinematics(ws, ws.kinematics, q_in);
    kernel::velocity_kinematics(ws, ws.kinematics, v_in);
    kernel::acceleration_kinematics(ws, ws.kinematics, v_in, a_in);
    return door.status();
}

namespace detail {

template <class S>
Transform<S> X_frame_anchor(const Workspace<S>& ws, FrameId id) {
    const Frame& frame = ws.model().frame(id);
    return cast<S>(frame.X_frame_body) * ws.kinematics.X[frame.body];
}

// From anchor coordinates to those in which a frame's quantities are wanted.
template <class S>
Transform<S> X_reference_anchor(const Workspace<S>& ws, FrameId id, ReferenceFrame reference) {
    switch (reference) {
        case ReferenceFrame::kWorld:
            return Transform<S>::translation(-ws.kinematics.anchor);
        case ReferenceFrame::kWorldAligned:
            return Transform<S>::translation(X_frame_anchor(ws, id).r);
        case ReferenceFrame::kBody:
            break;
    }
    return X_frame_anchor(ws, id);
}

// The velocity with which those coordinates themselves move, seen at the anchor.
template <class S>
Motion<S> reference_velocity(const Workspace<S>& ws, FrameId id, ReferenceFrame reference) {
    const Motion<S>& v = ws.kinematics.v[ws.model().frame(id).body];
    switch (reference) {
        case ReferenceFrame::kWorld:
            return {};
        case ReferenceFrame::kWorldAligned:
            return {{}, point_velocity(v, X_frame_anchor(ws, id).r)};
        case ReferenceFrame::kBody:
            break;
    }
    return v;
}

}  // namespace detail

namespace kernel {

template <class S>
Pose<S> frame_pose(const Workspace<S>& ws, FrameId frame) {
    Pose<S> pose = to_pose(detail::X_frame_anchor(ws, frame));
    pose.position += ws.kinematics.anchor;
    return pose;
}
template <class S>
Motion<S> frame_velocity(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference) {
    return detail::X_reference_anchor(ws, frame, reference) *
           ws.kinematics.v[ws.model().frame(frame).body];
}
template <class S>
Motion<S> frame_acceleration(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference) {
    return detail::X_reference_anchor(ws, frame, reference) *
           ws.kinematics.a[ws.model().frame(frame).body];
}
template <class S>
Motion<S> frame_classical_acceleration(const Workspace<S>& ws, FrameId frame,
                                       ReferenceFrame reference) {
    const Motion<S> a = kernel::frame_acceleration(ws, frame, reference);
    const Motion<S> v = kernel::frame_velocity(ws, frame, reference);
    return {a.angular, classical_point_acceleration(a, v, Vec3<S>{})};
}

}  // namespace kernel

template <class S>
Pose<S> frame_pose(const Workspace<S>& ws, FrameId frame) {
    detail::Door<S> door("frame_pose", ws);
    door.needs(Kinematics::kPosition);
    door.frame(frame);
    return door.opens() ? kernel::frame_pose(ws, frame) : detail::nan_like(Pose<S>{});
}

template <class S>
Motion<S> frame_velocity(const Workspace<S>& ws, FrameId frame,
                         ReferenceFrame reference = ReferenceFrame::kBody) {
    detail::Door<S> door("frame_velocity", ws);
    door.needs(Kinematics::kVelocity);
    door.frame(frame);
    return door.opens() ? kernel::frame_velocity(ws, frame, reference)
                        : detail::nan_like(Motion<S>{});
}

// The spatial acceleration: the rate of the velocity field, not of one point's velocity.
template <class S>
Motion<S> frame_acceleration(const Workspace<S>& ws, FrameId frame,
                             ReferenceFrame reference = ReferenceFrame::kBody) {
    detail::Door<S> door("frame_acceleration", ws);
    door.needs(Kinematics::kAcceleration);
    door.frame(frame);
    return door.opens() ? kernel::frame_acceleration(ws, frame, reference)
                        : detail::nan_like(Motion<S>{});
}

// Angular acceleration, and the classical acceleration of the point at the reference's origin: what an
// accelerometer there would measure, less gravity.
template <class S>
Motion<S> frame_classical_acceleration(const Workspace<S>& ws, FrameId frame,
                                       ReferenceFrame reference = ReferenceFrame::kBody) {
    detail::Door<S> door("frame_classical_acceleration", ws);
    door.needs(Kinematics::kAcceleration);
    door.frame(frame);
    return door.opens() ? kernel::frame_classical_acceleration(ws, frame, reference)
                        : detail::nan_like(Motion<S>{});
}

template <class Q>
auto frame_pose(const Model& model, const Eigen::MatrixBase<Q>& q, const std::string& frame) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived());
    return frame_pose(ws, model.frame_id(frame));
}
template <class Q, class V>
auto frame_velocity(const Model& model, const Eigen::MatrixBase<Q>& q,
                    const Eigen::MatrixBase<V>& v, const std::string& frame,
                    ReferenceFrame reference = ReferenceFrame::kBody) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived());
    return frame_velocity(ws, model.frame_id(frame), reference);
}
template <class Q, class V, class A>
auto frame_acceleration(const Model& model, const Eigen::MatrixBase<Q>& q,
                        const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a,
                        const std::string& frame,
                        ReferenceFrame reference = ReferenceFrame::kBody) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived(), a.derived());
    return frame_acceleration(ws, model.frame_id(frame), reference);
}
template <class Q, class V, class A>
auto frame_classical_acceleration(const Model& model, const Eigen::MatrixBase<Q>& q,
                                  const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a,
                                  const std::string& frame,
                                  ReferenceFrame reference = ReferenceFrame::kBody) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived(), a.derived());
    return frame_classical_acceleration(ws, model.frame_id(frame), reference);
}

}  // namespace plucker
