// Centre of mass of the robot or of a subtree: position, velocity, acceleration, Jacobian and its rate.
//
// Source: Supplement, eqs 7–9 and Table I. Departure: instead of one Jacobian a link (eq. 8) and their weighted
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
    ws.moment[0] = ws.moment_rate[0] = ws.moment_rate2[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Transform<S>& X = kin.X[i];
        const S m = S(body.inertia.mass);
        ws.moment[i] = transpose_times(X.E, cast<S>(body.inertia.first_moment)) + m * X.r;
        if (kin.level < Kinematics::kVelocity) continue;
        const Motion<S>& v = kin.v[i];
        ws.moment_rate[i] = m * v.linear + cross(v.angular, ws.moment[i]);
        if (kin.level < Kinematics::kAcceleration) continue;
        const Motion<S>& a = kin.a[i];
        ws.moment_rate2[i] =
            m * a.linear + cross(a.angular, ws.moment[i]) + cross(v.angular, ws.moment_rate[i]);
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const int parent = ws.body(i).parent;
        ws.moment[parent] += ws.moment[i];
        if (kin.level >= Kinematics::kVelocity) ws.moment_rate[parent] += ws.moment_rate[i];
        if (kin.level >= Kinematics::kAcceleration) {
            ws.moment_rate2[parent] += ws.moment_rate2[i];
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
    return ws.kinematics.anchor + per_mass(ws, root) * ws.moment[root];
}
template <class S>
Vec3<S> com_velocity(Workspace<S>& ws, int root) {
    subtree_moments(ws);
    return per_mass(ws, root) * ws.moment_rate[root];
}
template <class S>
Vec3<S> com_acceleration(Workspace<S>& ws, int root) {
    subtree_moments(ws);
    return per_mass(ws, root) * ws.moment_rate2[root];
}

template <class S>
void com_jacobian(Workspace<S>& ws, int root, detail::MatrixView<S> J) {
    subtree_moments(ws);
    J.set_zero(3, ws.model().nv());
    const S scale = per_mass(ws, root);
    for_each_moving_freedom(ws, root, [&](int column, int freedom, int i) {
        const Motion<S>& axis = ws.kinematics.J[freedom];
        J.add_column(column, scale * (S(ws.body(i).subtree_mass) * axis.linear +
                                      cross(axis.angular, ws.moment[i])));
    });
}

template <class S>
void com_jacobian_rate(Workspace<S>& ws, int root, detail::MatrixView<S> J_dot) {
    subtree_moments(ws);
    J_dot.set_zero(3, ws.model().nv());
    const S scale = per_mass(ws, root);
    for_each_moving_freedom(ws, root, [&](int column, int freedom, int i) {
        const Motion<S>& axis = ws.kinematics.J[freedom];
        const Motion<S>& rate = ws.kinematics.J_dot[freedom];
        J_dot.add_column(column, scale * (S(ws.body(i).subtree_mass) * rate.linear +
                                          cross(rate.angular, ws.moment[i]) +
                                          cross(axis.angular, ws.moment_rate[i])));
    });
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void com_jacobian(Workspace<double>& ws, int root, detail::MatrixView<double> J);
void com_jacobian_rate(Workspace<double>& ws, int root, detail::MatrixView<double> J_dot);

}  // namespace kernel

// The centre of mass of body `root`'s subtree, by default of the whole robot, in the world; its velocity, its
// acceleration. They read the workspace: call forward_kinematics(ws, q), (ws, q, v), (ws, q, v, a) first.
template <class S>
Vec3<S> center_of_mass(Workspace<S>& ws, int root = 0) {
    detail::Door<S> door("center_of_mass", ws);
    door.needs(Kinematics::kPosition);
    door.subtree(root);
    return door.opens() ? kernel::center_of_mass(ws, root) : detail::nan_like(Vec3<S>{});
}
template <class S>
Vec3<S> com_velocity(Workspace<S>& ws, int root = 0) {
    detail::Door<S> door("com_velocity", ws);
    door.needs(Kinematics::kVelocity);
    door.subtree(root);
    return door.opens() ? kernel::com_velocity(ws, root) : detail::nan_like(Vec3<S>{});
}
template <class S>
Vec3<S> com_acceleration(Workspace<S>& ws, int root = 0) {
    detail::Door<S> door("com_acceleration", ws);
    door.needs(Kinematics::kAcceleration);
    door.subtree(root);
    return door.opens() ? kernel::com_acceleration(ws, root) : detail::nan_like(Vec3<S>{});
}
// J (3 × nv) with J v = velocity of the centre of mass. Needs forward_kinematics(ws, q).
template <class S>
Status com_jacobian(Workspace<S>& ws, int root, MutableMatrix<S> J) {
    detail::Door<S> door("com_jacobian", ws);
    door.out("J", J, 3, ws.model().nv());
    door.needs(Kinematics::kPosition);
    door.subtree(root);
    if (door.opens()) kernel::com_jacobian(ws, root, detail::view(J));
    return door.status();
}
template <class S>
Status com_jacobian(Workspace<S>& ws, MutableMatrix<S> J) {
    return com_jacobian(ws, 0, J);
}
// J̇ (3 × nv). Needs forward_kinematics(ws, q, v).
template <class S>
Status com_jacobian_rate(Workspace<S>& ws, int root, MutableMatrix<S> J_dot) {
    detail::Door<S> door("com_jacobian_rate", ws);
    door.out("J_dot", J_dot, 3, ws.model().nv());
    door.needs(Kinematics::kVelocity);
    door.subtree(root);
    if (door.opens()) kernel::com_jacobian_rate(ws, root, detail::view(J_dot));
    return door.status();
}
template <class S>
Status com_jacobian_rate(Workspace<S>& ws, MutableMatrix<S> J_dot) {
    return com_jacobian_rate(ws, 0, J_dot);
}

template <class Q>
auto center_of_mass(const Model& model, const Eigen::MatrixBase<Q>& q, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived());
    return to_eigen(center_of_mass(ws, root));
}
template <class Q, class V>
auto com_velocity(const Model& model, const Eigen::MatrixBase<Q>& q, const Eigen::MatrixBase<V>& v,
                  int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived());
    return to_eigen(com_velocity(ws, root));
}
template <class Q, class V, class A>
auto com_acceleration(const Model& model, const Eigen::MatrixBase<Q>& q,
                      const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived(), a.derived());
    return to_eigen(com_acceleration(ws, root));
}
template <class Q>
auto com_jacobian(const Model& model, const Eigen::MatrixBase<Q>& q, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix3X<detail::ScalarOf<Q>> J(3, model.nv());
    forward_kinematics(ws, q.derived());
    com_jacobian(ws, root, J);
    return J;
}
template <class Q, class V>
auto com_jacobian_rate(const Model& model, const Eigen::MatrixBase<Q>& q,
                       const Eigen::MatrixBase<V>& v, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix3X<detail::ScalarOf<Q>> J_dot(3, model.nv());
    forward_kinematics(ws, q.derived(), v.derived());
    com_jacobian_rate(ws, root, J_dot);
    return J_dot;
}

}  // namespace plucker
