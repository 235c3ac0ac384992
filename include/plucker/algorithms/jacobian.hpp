// Jacobians of frames and their time derivatives.
//
// Source: Supplement, eqs 3–6 and Table I, generalised from two legs to any tree and any joint. The columns of
// the paper's recursion are, in one common set of coordinates, the same for every frame: the joint axes
// J and their rates J̇ = v_i × J. A frame's Jacobian picks the axes on its way to the root and expresses
// them in the wanted coordinates R:
//
//     J_R = ᴿX J,    J̇_R = ᴿX (J̇ - v_R × J),    v_R: the velocity of R itself
//
// which is 0 in the world, the frame's velocity in its own coordinates, and the velocity of its origin,
// without rotation, along the world's axes. Rows are angular first (the paper: linear first).
//
// The printed eq. 6 is not the rate of J, though its product with the velocities is right: see docs/errata.md.
//
// Cost: O(n) for all axes, O(depth) for a frame.
#pragma once

#include "plucker/algorithms/forward_kinematics.hpp"

namespace plucker {

namespace kernel {

template <class S>
void frame_jacobian(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference,
                    detail::MatrixView<S> J) {
    const Transform<S> X = detail::X_reference_anchor(ws, frame, reference);
    J.set_zero(6, ws.model().nv());
    for (int i = ws.model().frame(frame).body; i != 0; i = ws.body(i).parent) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            J.add_column(body.v_index + k, X * ws.kinematics.J[body.dof_index + k]);
        }
    }
}

template <class S>
void frame_jacobian_rate(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference,
                         detail::MatrixView<S> J_dot) {
    const Transform<S> X = detail::X_reference_anchor(ws, frame, reference);
    const WorldKinematics<S>& kin = ws.kinematics;
    const Motion<S> v_R = detail::reference_velocity(ws, frame, reference);
    J_dot.set_zero(6, ws.model().nv());
    for (int i = ws.model().frame(frame).body; i != 0; i = ws.body(i).parent) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            const int d = body.dof_index + k;
            J_dot.add_column(body.v_index + k, X * (kin.J_dot[d] - cross(v_R, kin.J[d])));
        }
    }
}

}  // namespace kernel

// J (6 × nv) with J v = velocity of the frame. Reads the workspace: call forward_kinematics(ws, q) first.
template <class S>
Status frame_jacobian(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference,
                      MutableMatrix<S> J) {
    detail::Door<S> door("frame_jacobian", ws);
    door.out("J", J, 6, ws.model().nv());
    door.needs(Kinematics::kPosition);
    door.frame(frame);
    if (door.opens()) kernel::frame_jacobian(ws, frame, reference, detail::view(J));
    return door.status();
}

// J̇ (6 × nv). Reads the workspace: call forward_kinematics(ws, q, v) first.
template <class S>
Status frame_jacobian_rate(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference,
                           MutableMatrix<S> J_dot) {
    detail::Door<S> door("frame_jacobian_rate", ws);
    door.out("J_dot", J_dot, 6, ws.model().nv());
    door.needs(Kinematics::kVelocity);
    door.frame(frame);
    if (door.opens()) kernel::frame_jacobian_rate(ws, frame, reference, detail::view(J_dot));
    return door.status();
}

template <class Q>
auto frame_jacobian(const Model& model, const Eigen::MatrixBase<Q>& q, const std::string& frame,
                    ReferenceFrame reference = ReferenceFrame::kBody) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix6X<detail::ScalarOf<Q>> J(6, model.nv());
    forward_kinematics(ws, q.derived());
    frame_jacobian(ws, model.frame_id(frame), reference, J);
    return J;
}
template <class Q, class V>
auto frame_jacobian_rate(const Model& model, const Eigen::MatrixBase<Q>& q,
                         const Eigen::MatrixBase<V>& v, const std::string& frame,
                         ReferenceFrame reference = ReferenceFrame::kBody) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix6X<detail::ScalarOf<Q>> J_dot(6, model.nv());
    forward_kinematics(ws, q.derived(), v.derived());
    frame_jacobian_rate(ws, model.frame_id(frame), reference, J_dot);
    return J_dot;
}

}  // namespace plucker
