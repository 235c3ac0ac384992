// Centre of mass of the robot or of a subtree: position, velocity, acceleration, Jacobian and its rate.
//
// Source: Supplement, eqs 7–9 and Table I. Departure: instead of one Jacobian per link (eq. 8) and their weighted
// sum (eq. 7), a joint's column follows from the subtree that it moves. With m and h the subtree's mass
// and first moment and (ω; v) the joint's axis, the first moment changes at m v + ω × h; so
//
//     J_com = (m v + ω × h) / m_total,    J̇_com = (m v̇ + ω̇ × h + ω × ḣ) / m_total.
//
// The printed eqs 7 and 9 leave out the base, and are not the rate of J: see docs/errata.md. Cost: O(n).
#pragma once

#include "plucker/algorithms/forward_kinematics.hpp"

namespace plucker {

namespace kernel {

// First moments of all subtrees and, as far as the kinematics go, their rates.
template <class S>
void subtree_moments(Workspace<S>& ws) {
    const WorldKinematics<S>& kin = ws.kinematics;
    ws.subtrees.moment[0] = ws.subtrees.moment_rate[0] = ws.subtrees.moment_rate2[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Transform<S>& X = kin.X[i];
        const S m = S(body.inertia.mass);
        ws.subtrees.moment[i] = transpose_times(X.E, cast<S>(body.inertia.first_moment)) + m * X.r;
        if (kin.level < Kinematics::kVelocity) continue;
        const Motion<S>& v = kin.v[i];
        ws.subtrees.moment_rate[i] = m * v.linear + cross(v.angular, ws.subtrees.moment[i]);
        if (kin.level < Kinematics::kAcceleration) continue;
        const Motion<S>& a = kin.a[i];
        ws.subtrees.moment_rate2[i] = m * a.linear + cross(a.angular, ws.subtrees.moment[i]) +
                                      cross(v.angular, ws.subtrees.moment_rate[i]);
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const int parent = ws.body(i).parent;
        ws.subtrees.moment[parent] += ws.subtrees.moment[i];
        if (kin.level >= Kinematics::kVelocity)
            ws.subtrees.moment_rate[parent] += ws.subtrees.moment_rate[i];
        if (kin.level >= Kinematics::kAcceleration) {
            ws.subtrees.moment_rate2[parent] += ws.subtrees.moment_rate2[i];
        }
    }
}

// Calls f(coordinate, freedom, body whose subtree moves within `root`'s) for every freedom that moves
// the centre of mass of subtree(root): those inside it, and those on its way to the world.
template <class S, class F>
void for_each_moving_freedom(const Workspace<S>& ws, int root, F&& f) {
    const auto visit = [&](int i, int moved) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) f(body.v_index + k, body.dof_index + k, moved);
    };
    const int end = root == 0 ? ws.num_bodies() + 1 : ws.body(root).subtree_end;
    for (int i = std::max(root, 1); i < end; ++i) visit(i, i);
    if (root == 0) return;
    for (int i = ws.body(root).parent; i != 0; i = ws.body(i).parent) visit(i, root);
}

template <class S>
S per_mass(const Workspace<S>& ws, int root) {
    return S(1) / S(ws.body(root).subtree_mass);
}

template <class S>
Vec3<S> center_of_mass(Workspace<S>& ws, int root) {
    subtree_moments(ws);
    return ws.kinematics.anchor + per_mass(ws, root) * ws.subtrees.moment[root];
}
template <class S>
Vec3<S> com_velocity(Workspace<S>& ws, int root) {
    subtree_moments(ws);
    return per_mass(ws, root) * ws.subtrees.moment_rate[root];
}
template <class S>
Vec3<S> com_acceleration(Workspace<S>& ws, int root) {
    subtree_moments(ws);
    return per_mass(ws, root) * ws.subtrees.moment_rate2[root];
}

template <class S>
void com_jacobian(Workspace<S>& ws, int root, detail::MatrixView<S> J) {
    subtree_moments(ws);
    J.set_zero(3, ws.model().nv());
    const S scale = per_mass(ws, root);
    for_each_moving_freedom(ws, root, [&](int column, int freedom, int i) {
        const Motion<S>& axis = ws.kinematics.J[freedom];
        J.add_column(column, scale * (S(ws.body(i).subtree_mass) * axis.linear +
                                      cross(axis.angular, ws.subtrees.moment[i])));
    });
}

template <class S>
void com_jacobian_dot(Workspace<S>& ws, int root, detail::MatrixView<S> J_dot) {
    subtree_moments(ws);
    J_dot.set_zero(3, ws.model().nv());
    const S scale = per_mass(ws, root);
    for_each_moving_freedom(ws, root, [&](int column, int freedom, int i) {
        const Motion<S>& axis = ws.kinematics.J[freedom];
        const Motion<S>& rate = ws.kinematics.J_dot[freedom];
        J_dot.add_column(column, scale * (S(ws.body(i).subtree_mass) * rate.linear +
                                          cross(rate.angular, ws.subtrees.moment[i]) +
                                          cross(axis.angular, ws.subtrees.moment_rate[i])));
    });
}

}  // namespace kernel
}  // namespace plucker
