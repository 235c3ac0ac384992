// Forward kinematics: poses, velocities and accelerations of bodies and frames.
//
// Source: Featherstone, Short Course; Supplement, eqs 1–2. Departure: instead of the velocity of each frame's
// own origin, all motion vectors are kept in one set of coordinates, with the world's axes, where they
// add up along the tree without any transform: v_i = v_λ + J q̇, a_i = a_λ + J q̈ + J̇ q̇, with J the
// joint axes. Their origin is the workspace's anchor (see workspace.hpp). Cost: O(n).
//
// forward_kinematics leaves its results in the workspace; the queries below read them for any frame.
#pragma once

#include "plucker/algorithms/arguments.hpp"
#include "plucker/algorithms/joint_pass.hpp"

namespace plucker {
namespace kernel {

// Poses and joint axes about a given anchor. Needs joint_angles.
template <class S>
PLUCKER_ALWAYS_INLINE void position_kinematics_about(Workspace<S>& ws, const S* q,
                                                     const Vec3<S>& anchor) {
    ws.anchor = anchor;
    ws.X_anchor[0] = Transform<S>::translation(-anchor);
    Transform<S> X;
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        ws.X_anchor[i] = detail::joint_transform(ws, i, q, X) * ws.X_anchor[body.parent];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            for (int k = 0; k < S_i.dim(); ++k) {
                ws.J[body.dof_index + k] = S_i.apply_inverse_to(k, ws.X_anchor[i]);
            }
        });
    }
    ws.kinematics = Kinematics::kPosition;
}

// The anchor is body 1's origin if all other bodies hang on it.
template <class S>
void position_kinematics(Workspace<S>& ws, const S* q) {
    detail::joint_angles(ws, q);
    const bool one_root = ws.num_bodies() > 0 && ws.body(1).subtree_end == ws.num_bodies() + 1;
    Transform<S> X;
    position_kinematics_about(ws, q, one_root ? detail::joint_transform(ws, 1, q, X).r : Vec3<S>{});
}

// Where only poses and axes in world coordinates are wanted, they need no shift from an anchor.
template <class S>
void world_kinematics(Workspace<S>& ws, const S* q) {
    detail::joint_angles(ws, q);
    position_kinematics_about(ws, q, Vec3<S>{});
}

// Velocities of bodies and rates of joint axes: J̇ = v_i × J + Ṡ. Needs position_kinematics.
template <class S>
void velocity_kinematics(Workspace<S>& ws, const S* v) {
    detail::subspace_rates(ws, v);
    ws.v_anchor[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const S* v_q = v + body.v_index;
        const Motion<S>* J = ws.J.data() + body.dof_index;
        Motion<S> v_i = ws.v_anchor[body.parent];
        for (int k = 0; k < body.nv; ++k) v_i += v_q[k] * J[k];
        ws.v_anchor[i] = v_i;
        for (int k = 0; k < body.nv; ++k) ws.J_dot[body.dof_index + k] = cross(v_i, J[k]);
        if (!has_constant_subspace(body.joint)) {
            for (int k = 0; k < body.nv; ++k) {
                ws.J_dot[body.dof_index + k] +=
                    apply_inverse(ws.X_anchor[i], ws.subspace_rate[body.dof_index + k]);
            }
        }
    }
    ws.kinematics = Kinematics::kVelocity;
}

// Spatial accelerations of bodies. Needs velocity_kinematics with the same v.
template <class S>
void acceleration_kinematics(Workspace<S>& ws, const S* v, const S* a) {
    ws.a_anchor[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        Motion<S> a_i = ws.a_anchor[body.parent];
        for (int k = 0; k < body.nv; ++k) {
            a_i += a[body.v_index + k] * ws.J[body.dof_index + k] +
                   v[body.v_index + k] * ws.J_dot[body.dof_index + k];
        }
        ws.a_anchor[i] = a_i;
    }
    ws.kinematics = Kinematics::kAcceleration;
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void position_kinematics(Workspace<double>& ws, const double* q);
void velocity_kinematics(Workspace<double>& ws, const double* v);
void acceleration_kinematics(Workspace<double>& ws, const double* v, const double* a);

}  // namespace kernel

// Fills the workspace with the kinematics at q, at (q, v), or at (q, v, a).
template <class S>
void forward_kinematics(Workspace<S>& ws, ConstVector<S> q) {
    detail::check_q("forward_kinematics", ws, q);
    kernel::position_kinematics(ws, q.data());
}
template <class S>
void forward_kinematics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v) {
    detail::check_velocity_like("forward_kinematics", "v", ws, v.size());
    forward_kinematics(ws, q);
    kernel::velocity_kinematics(ws, v.data());
}
template <class S>
void forward_kinematics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v, ConstVector<S> a) {
    detail::check_velocity_like("forward_kinematics", "a", ws, a.size());
    forward_kinematics(ws, q, v);
    kernel::acceleration_kinematics(ws, v.data(), a.data());
}

namespace detail {

template <class S>
void require_kinematics(const char* function, const Workspace<S>& ws, Kinematics level) {
    if (ws.kinematics >= level) return;
    constexpr const char* kArguments[] = {"", "q", "q, v", "q, v, a"};
    throw Error::because(function,
                         ": the workspace does not hold what this needs; call "
                         "forward_kinematics(workspace, ",
                         kArguments[static_cast<int>(level)], ") first");
}

template <class S>
Transform<S> X_frame_anchor(const Workspace<S>& ws, FrameId id) {
    const Frame& frame = ws.model().frame(id);
    return cast<S>(frame.X_frame_body) * ws.X_anchor[frame.body];
}

// From anchor coordinates to those in which a frame's quantities are wanted.
template <class S>
Transform<S> X_reference_anchor(const Workspace<S>& ws, FrameId id, ReferenceFrame reference) {
    switch (reference) {
        case ReferenceFrame::kWorld:
            return Transform<S>::translation(-ws.anchor);
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
    const Motion<S>& v = ws.v_anchor[ws.model().frame(id).body];
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
    pose.position += ws.anchor;
    return pose;
}
template <class S>
Motion<S> frame_velocity(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference) {
    return detail::X_reference_anchor(ws, frame, reference) *
           ws.v_anchor[ws.model().frame(frame).body];
}
template <class S>
Motion<S> frame_acceleration(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference) {
    return detail::X_reference_anchor(ws, frame, reference) *
           ws.a_anchor[ws.model().frame(frame).body];
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
    detail::require_kinematics("frame_pose", ws, Kinematics::kPosition);
    return kernel::frame_pose(ws, frame);
}

template <class S>
Motion<S> frame_velocity(const Workspace<S>& ws, FrameId frame,
                         ReferenceFrame reference = ReferenceFrame::kBody) {
    detail::require_kinematics("frame_velocity", ws, Kinematics::kVelocity);
    return kernel::frame_velocity(ws, frame, reference);
}

// The spatial acceleration: the rate of the velocity field, not of one point's velocity.
template <class S>
Motion<S> frame_acceleration(const Workspace<S>& ws, FrameId frame,
                             ReferenceFrame reference = ReferenceFrame::kBody) {
    detail::require_kinematics("frame_acceleration", ws, Kinematics::kAcceleration);
    return kernel::frame_acceleration(ws, frame, reference);
}

// Angular acceleration, and the classical acceleration of the point at the reference's origin: what an
// accelerometer there would measure, less gravity.
template <class S>
Motion<S> frame_classical_acceleration(const Workspace<S>& ws, FrameId frame,
                                       ReferenceFrame reference = ReferenceFrame::kBody) {
    detail::require_kinematics("frame_classical_acceleration", ws, Kinematics::kAcceleration);
    return kernel::frame_classical_acceleration(ws, frame, reference);
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
