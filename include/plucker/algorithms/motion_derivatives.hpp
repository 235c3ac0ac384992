// Derivatives of how frames move, of the centre of mass, of momentum and energy, and of the ground's force, by q, v and a.
//
// All follow from the derivatives of the bodies' motion (tangent_kinematics.hpp). Of a frame in coordinates R, which turn
// with ψᴿ_k themselves (0 in the world, ψ_k in the frame's own, the step of its origin along the world's axes):
//
//     ∂(ᴿX m)/∂q_k = ᴿX (∂m/∂q_k - ψᴿ_k × m)
//
// To a point's acceleration, v̇ in place of its spatial part, ω × v is added there.
//
// Of sums over the robot a step changes what its subtree adds: the momentum H by ψ_k ×* H + I ψ̇_k, the force as
// dynamics_derivatives.hpp has it. About the centre of mass, which moves by u_k = (0; its Jacobian's column), it is
// ᴳX* (∂h/∂q_k - u_k ×* h). Of the kinetic energy only what carries the subtree counts: ∂T/∂q_k = ψ̇_k · H.
//
// Cost: O(n), and O(depth) for a frame.
#pragma once

#include "plucker/algorithms/dynamics_derivatives.hpp"
#include "plucker/algorithms/jacobian.hpp"

namespace plucker {

namespace detail {

// The motion with which a frame's reference coordinates follow a step of the frame's body.
template <class S>
Motion<S> reference_step(const Motion<S>& psi, const Vec3<S>& origin, ReferenceFrame reference) {
    switch (reference) {
        case ReferenceFrame::kWorld:
            return {};
        case ReferenceFrame::kWorldAligned:
            return {{}, point_velocity(psi, origin)};
        case ReferenceFrame::kBody:
            break;
    }
    return psi;
}

}  // namespace detail

namespace kernel {

// How the bodies move, along the world's axes, and how that changes with a step.
template <class S>
const WorldKinematics<S>& moving_kinematics(Workspace<S>& ws, const S* q, const S* v) {
    WorldKinematics<S>& kin = ws.passing_kinematics;
    position_kinematics(ws, kin, q);
    velocity_kinematics(ws, kin, v);
    tangent_kinematics<S>(ws, kin, v, nullptr);
    return kin;
}

// Calls f(column, freedom) for every freedom on a frame's way to the root.
template <class S, class F>
void for_each_freedom_above(const Workspace<S>& ws, FrameId frame, const F& f) {
    for (int i = ws.model().frame(frame).body; i != 0; i = ws.body(i).parent) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) f(body.v_index + k, body.dof_index + k);
    }
}

template <class S>
void frame_velocity_derivatives(Workspace<S>& ws, const S* q, const S* v, FrameId frame,
                                ReferenceFrame reference, detail::MatrixView<S> dq,
                                detail::MatrixView<S> dv) {
    const WorldKinematics<S>& kin = moving_kinematics(ws, q, v);
    const Transform<S> X = detail::X_reference_anchor(ws, kin, frame, reference);
    const Vec3<S> origin = detail::X_frame_anchor(ws, kin, frame).r;
    const Motion<S>& v_frame = kin.v[ws.model().frame(frame).body];
    dq.set_zero(6, ws.model().nv());
    dv.set_zero(6, ws.model().nv());
    for_each_freedom_above(ws, frame, [&](int column, int d) {
        const Motion<S> turn = kin.J[d] - detail::reference_step(kin.J[d], origin, reference);
        dq.add_column(column, X * (cross(turn, v_frame) + ws.tangent.psi_dot[d]));
        dv.add_column(column, X * kin.J[d]);
    });
}

template <class S>
void frame_acceleration_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a,
                                    FrameId frame, ReferenceFrame reference,
                                    detail::MatrixView<S> dq, detail::MatrixView<S> dv,
                                    detail::MatrixView<S> da) {
    WorldKinematics<S>& kin = ws.passing_kinematics;
    position_kinematics(ws, kin, q);
    velocity_kinematics(ws, kin, v);
    acceleration_kinematics(ws, kin, v, a);
    tangent_kinematics(ws, kin, v, a);
    const Transform<S> X = detail::X_reference_anchor(ws, kin, frame, reference);
    const Vec3<S> origin = detail::X_frame_anchor(ws, kin, frame).r;
    const int body = ws.model().frame(frame).body;
    dq.set_zero(6, ws.model().nv());
    dv.set_zero(6, ws.model().nv());
    da.set_zero(6, ws.model().nv());
    for_each_freedom_above(ws, frame, [&](int column, int d) {
        const Motion<S>& psi = kin.J[d];
        const Motion<S>& psi_dot = ws.tangent.psi_dot[d];
        const Motion<S> turn = psi - detail::reference_step(psi, origin, reference);
        dq.add_column(column, X * (cross(turn, kin.a[body]) + cross(psi_dot, kin.v[body]) +
                                   ws.tangent.psi_ddot[d]));
        dv.add_column(column, X * (cross(psi, kin.v[body]) + psi_dot + kin.J_dot[d]));
        da.add_column(column, X * psi);
    });
}

template <class S>
void frame_classical_acceleration_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a,
                                              FrameId frame, ReferenceFrame reference,
                                              detail::MatrixView<S> dq, detail::MatrixView<S> dv,
                                              detail::MatrixView<S> da) {
    frame_acceleration_derivatives(ws, q, v, a, frame, reference, dq, dv, da);
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    const Transform<S> X = detail::X_reference_anchor(ws, kin, frame, reference);
    const Vec3<S> origin = detail::X_frame_anchor(ws, kin, frame).r;
    const Motion<S>& v_frame = kin.v[ws.model().frame(frame).body];
    const Motion<S> v_R = X * v_frame;
    // ∂(ω × v)
    const auto along = [&](const Motion<S>& step) {
        return Motion<S>{{}, cross(step.angular, v_R.linear) + cross(v_R.angular, step.linear)};
    };
    for_each_freedom_above(ws, frame, [&](int column, int d) {
        const Motion<S> turn = kin.J[d] - detail::reference_step(kin.J[d], origin, reference);
        dq.add_column(column, along(X * (cross(turn, v_frame) + ws.tangent.psi_dot[d])));
        dv.add_column(column, along(X * kin.J[d]));
    });
}

// --- Sums over the robot ------------------------------------------------------------------------------

// The momentum of every subtree, and its inertia. Needs velocity kinematics.
template <class S>
void subtree_momenta(Workspace<S>& ws, const WorldKinematics<S>& kin) {
    ws.subtrees.I[0] = {};
    ws.subtrees.h[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        ws.subtrees.I[i] = apply_inverse(kin.X[i], cast<S>(ws.body(i).inertia));
        ws.subtrees.h[i] = ws.subtrees.I[i] * kin.v[i];
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        ws.subtrees.I[ws.body(i).parent] += ws.subtrees.I[i];
        ws.subtrees.h[ws.body(i).parent] += ws.subtrees.h[i];
    }
}

template <class S>
void kinetic_energy_gradient(Workspace<S>& ws, const S* q, const S* v, S* dq, S* dv) {
    WorldKinematics<S>& kin = ws.passing_kinematics;
    root_kinematics(ws, kin, q);
    velocity_kinematics(ws, kin, v);
    tangent_kinematics<S>(ws, kin, v, nullptr);
    subtree_momenta(ws, kin);
    for (int k = 0; k < ws.model().nv(); ++k) {
        dq[k] = S(0);
        dv[k] = S(ws.armature(k)) * v[k];
    }
    for_each_moving_freedom(ws, 0, [&](int column, int d, int i) {
        dq[column] += dot(ws.tangent.psi_dot[d], ws.subtrees.h[i]);
        dv[column] += dot(kin.J[d], ws.subtrees.h[i]);
    });
}

// Where the moment's centre is the centre of mass: what it adds to a column of derivatives.
template <class S>
class AboutCentroid {
public:
    // Of a sum over the whole robot, about the anchor.
    AboutCentroid(const Workspace<S>& ws, const Force<S>& sum)
        : X_(X_centroid(ws)), per_mass_(S(1) / ws.subtrees.I[0].mass), sum_(sum) {}

    // `momentum`: I ψ of the step.
    Force<S> moved(const Force<S>& slope, const Force<S>& momentum) const {
        const Motion<S> step{{}, per_mass_ * momentum.linear};
        return X_ * (slope - cross_force(step, sum_));
    }
    Force<S> fixed(const Force<S>& slope) const { return X_ * slope; }

private:
    Transform<S> X_;
    S per_mass_;
    Force<S> sum_;
};

template <class S>
void centroidal_momentum_derivatives(Workspace<S>& ws, const S* q, const S* v,
                                     detail::MatrixView<S> dq, detail::MatrixView<S> dv) {
    const WorldKinematics<S>& kin = moving_kinematics(ws, q, v);
    subtree_momenta(ws, kin);
    const AboutCentroid<S> about(ws, ws.subtrees.h[0]);
    dq.set_zero(6, ws.model().nv());
    dv.set_zero(6, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int d, int i) {
        const Force<S> momentum = ws.subtrees.I[i] * kin.J[d];
        const Force<S> slope =
            cross_force(kin.J[d], ws.subtrees.h[i]) + ws.subtrees.I[i] * ws.tangent.psi_dot[d];
        dq.add_column(column, about.moved(slope, momentum));
        dv.add_column(column, about.fixed(momentum));
    });
}

template <class S>
void com_velocity_derivatives(Workspace<S>& ws, const S* q, const S* v, detail::MatrixView<S> dq,
                              detail::MatrixView<S> dv) {
    const WorldKinematics<S>& kin = moving_kinematics(ws, q, v);
    subtree_momenta(ws, kin);
    const S scale = per_mass(ws, 0);
    dq.set_zero(3, ws.model().nv());
    dv.set_zero(3, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int d, int i) {
        const Inertia<S>& I = ws.subtrees.I[i];
        dq.add_column(column, scale * (cross(kin.J[d].angular, ws.subtrees.h[i].linear) +
                                       (I * ws.tangent.psi_dot[d]).linear));
        dv.add_column(column, scale * (I * kin.J[d]).linear);
    });
}

// The forces on all subtrees, with all that ForceSlopes needs.
template <class S>
bool subtree_forces(Workspace<S>& ws, const S* q, const S* v, const S* a,
                    const Motion<S>& of_ground, MaybeForces<S> external) {
    WorldKinematics<S>& kin = ws.passing_kinematics;
    position_kinematics(ws, kin, q);
    velocity_kinematics(ws, kin, v);
    acceleration_kinematics(ws, kin, v, a, of_ground);
    tangent_kinematics(ws, kin, v, a);
    equations_of_motion(ws, kin);
    const bool some_are_held = subtract_external_forces(ws, kin, external);
    for (int i = ws.num_bodies(); i >= 1; --i) {
        add_subtree_to_parent(ws, i);
        if (some_are_held) ws.subtrees.held[ws.body(i).parent] += ws.subtrees.held[i];
    }
    return some_are_held;
}

template <class S>
void centroidal_momentum_dot_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a,
                                         detail::MatrixView<S> dq, detail::MatrixView<S> dv,
                                         detail::MatrixView<S> da) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    subtree_forces<S>(ws, q, v, a, {}, nullptr);
    const AboutCentroid<S> about(ws, ws.subtrees.f[0]);
    dq.set_zero(6, ws.model().nv());
    dv.set_zero(6, ws.model().nv());
    da.set_zero(6, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int d, int i) {
        const ForceSlopes<S> slope = ForceSlopes<S>::of(ws, kin, i, d);
        dq.add_column(column, about.moved(slope.by_q + slope.turn, slope.by_a));
        dv.add_column(column, about.fixed(slope.by_v));
        da.add_column(column, about.fixed(slope.by_a));
    });
}

template <class S>
void com_acceleration_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a,
                                  detail::MatrixView<S> dq, detail::MatrixView<S> dv,
                                  detail::MatrixView<S> da) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    subtree_forces<S>(ws, q, v, a, {}, nullptr);
    const S scale = per_mass(ws, 0);
    dq.set_zero(3, ws.model().nv());
    dv.set_zero(3, ws.model().nv());
    da.set_zero(3, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int d, int i) {
        const ForceSlopes<S> slope = ForceSlopes<S>::of(ws, kin, i, d);
        dq.add_column(column, scale * (slope.by_q + slope.turn).linear);
        dv.add_column(column, scale * slope.by_v.linear);
        da.add_column(column, scale * slope.by_a.linear);
    });
}

// Of all that the ground puts on the robot, in the world: the first of the reaction forces.
template <class S>
void ground_force_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a,
                              MaybeForces<S> external, detail::MatrixView<S> dq,
                              detail::MatrixView<S> dv, detail::MatrixView<S> da) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    const bool some_are_held =
        subtree_forces<S>(ws, q, v, a, {{}, -cast<S>(ws.gravity())}, external);
    const Transform<S> X_world = Transform<S>::translation(-kin.anchor);
    dq.set_zero(6, ws.model().nv());
    dv.set_zero(6, ws.model().nv());
    da.set_zero(6, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int d, int i) {
        ForceSlopes<S> slope = ForceSlopes<S>::of(ws, kin, i, d);
        if (some_are_held) slope.by_q += ws.subtrees.held[i] * kin.J[d];
        dq.add_column(column, X_world * (slope.by_q + slope.turn));
        dv.add_column(column, X_world * slope.by_v);
        da.add_column(column, X_world * slope.by_a);
    });
}

}  // namespace kernel
}  // namespace plucker
