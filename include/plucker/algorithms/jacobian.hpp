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
void frame_jacobian(const Workspace<S>& ws, const WorldKinematics<S>& kin, FrameId frame,
                    ReferenceFrame reference, detail::MatrixView<S> J) {
    const Transform<S> X = detail::X_reference_anchor(ws, kin, frame, reference);
    J.set_zero(6, ws.model().nv());
    for (int i = ws.model().frame(frame).body; i != 0; i = ws.body(i).parent) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            J.add_column(body.v_index + k, X * kin.J[body.dof_index + k]);
        }
    }
}

template <class S>
void frame_jacobian_dot(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference,
                        detail::MatrixView<S> J_dot) {
    const WorldKinematics<S>& kin = ws.kinematics;
    const Transform<S> X = detail::X_reference_anchor(ws, kin, frame, reference);
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
}  // namespace plucker
