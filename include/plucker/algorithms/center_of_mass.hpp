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

template <class S>
struct CenterOfMass {
    Vec3<S> position, velocity, acceleration;  // in the world
};

namespace kernel {

// First moments of all subtrees and, as far as the kinematics go, their rates.
template <class S>
void subtree_moments(Workspace<S>& ws) {
    ws.moment[0] = ws.moment_rate[0] = ws.moment_rate2[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Transform<S>& X = ws.X_anchor[i];
        const S m = S(body.inertia.mass);
        ws.moment[i] = transpose_times(X.E, cast<S>(body.inertia.first_moment)) + m * X.r;
        if (ws.kinematics < Kinematics::kVelocity) continue;
        const Motion<S>& v = ws.v_anchor[i];
        ws.moment_rate[i] = m * v.linear + cross(v.angular, ws.moment[i]);
        if (ws.kinematics < Kinematics::kAcceleration) continue;
        const Motion<S>& a = ws.a_anchor[i];
        ws.moment_rate2[i] =
            m * a.linear + cross(a.angular, ws.moment[i]) + cross(v.angular, ws.moment_rate[i]);
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const int parent = ws.body(i).parent;
        ws.moment[parent] += ws.moment[i];
        if (ws.kinematics >= Kinematics::kVelocity) ws.moment_rate[parent] += ws.moment_rate[i];
        if (ws.kinematics >= Kinematics::kAcceleration) {
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
CenterOfMass<S> center_of_mass(Workspace<S>& ws, int root) {
    subtree_moments(ws);
    const S per_mass = S(1) / S(ws.body(root).subtree_mass);
    CenterOfMass<S> out{ws.anchor + per_mass * ws.moment[root], {}, {}};
    if (ws.kinematics >= Kinematics::kVelocity) out.velocity = per_mass * ws.moment_rate[root];
    if (ws.kinematics >= Kinematics::kAcceleration) {
        out.acceleration = per_mass * ws.moment_rate2[root];
    }
    return out;
}

template <class S>
void com_jacobian(Workspace<S>& ws, int root, detail::MatrixView<S> J) {
    subtree_moments(ws);
    J.set_zero(3, ws.model().nv());
    const S per_mass = S(1) / S(ws.body(root).subtree_mass);
    for_each_moving_freedom(ws, root, [&](int column, int freedom, int i) {
        const Motion<S>& axis = ws.J[freedom];
        J.add_column(column, per_mass * (S(ws.body(i).subtree_mass) * axis.linear +
                                         cross(axis.angular, ws.moment[i])));
    });
}

template <class S>
void com_jacobian_rate(Workspace<S>& ws, int root, detail::MatrixView<S> J_dot) {
    subtree_moments(ws);
    J_dot.set_zero(3, ws.model().nv());
    const S per_mass = S(1) / S(ws.body(root).subtree_mass);
    for_each_moving_freedom(ws, root, [&](int column, int freedom, int i) {
        const Motion<S>& axis = ws.J[freedom];
        const Motion<S>& rate = ws.J_dot[freedom];
        J_dot.add_column(column, per_mass * (S(ws.body(i).subtree_mass) * rate.linear +
                                             cross(rate.angular, ws.moment[i]) +
                                             cross(axis.angular, ws.moment_rate[i])));
    });
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void com_jacobian(Workspace<double>& ws, int root, detail::MatrixView<double> J);
void com_jacobian_rate(Workspace<double>& ws, int root, detail::MatrixView<double> J_dot);

}  // namespace kernel

namespace detail {

template <class S>
void check_subtree(const char* function, const Workspace<S>& ws, int root) {
    check_body(function, ws.model(), root);
    // A quick test would need the subtree's mass; the sum is over at most all bodies.
    double mass = root == 0 ? ws.model().total_mass() : 0;
    if (root != 0) {
        for (int i = root; i < ws.body(root).subtree_end; ++i)
            mass += ws.model().body(i).inertia.mass;
    }
    if (!(mass > 0)) {
        throw Error::because(function, ": ", root == 0 ? "the robot" : "subtree '",
                             root == 0 ? "" : ws.model().body_name(root), root == 0 ? "" : "'",
                             " has no mass, so it has no centre of mass");
    }
}

}  // namespace detail

// The centre of mass of body `root`'s subtree, by default of the whole robot. These read the workspace:
// position needs forward_kinematics(ws, q); velocity and acceleration are filled in if it was given v
// and a.
template <class S>
CenterOfMass<S> center_of_mass(Workspace<S>& ws, int root = 0) {
    detail::require_kinematics("center_of_mass", ws, Kinematics::kPosition);
    detail::check_subtree("center_of_mass", ws, root);
    return kernel::center_of_mass(ws, root);
}
// J (3 × nv) with J v = velocity of the centre of mass. Needs forward_kinematics(ws, q).
template <class S>
void com_jacobian(Workspace<S>& ws, MutableMatrix<S> J, int root = 0) {
    check_shape("com_jacobian", "J", J.rows(), J.cols(), 3, ws.model().nv());
    detail::require_kinematics("com_jacobian", ws, Kinematics::kPosition);
    detail::check_subtree("com_jacobian", ws, root);
    kernel::com_jacobian(ws, root, detail::view(J));
}
// J̇ (3 × nv). Needs forward_kinematics(ws, q, v).
template <class S>
void com_jacobian_rate(Workspace<S>& ws, MutableMatrix<S> J_dot, int root = 0) {
    check_shape("com_jacobian_rate", "J_dot", J_dot.rows(), J_dot.cols(), 3, ws.model().nv());
    detail::require_kinematics("com_jacobian_rate", ws, Kinematics::kVelocity);
    detail::check_subtree("com_jacobian_rate", ws, root);
    kernel::com_jacobian_rate(ws, root, detail::view(J_dot));
}

template <class Q>
auto center_of_mass(const Model& model, const Eigen::MatrixBase<Q>& q, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived());
    return to_eigen(center_of_mass(ws, root).position);
}
template <class Q, class V>
auto com_velocity(const Model& model, const Eigen::MatrixBase<Q>& q, const Eigen::MatrixBase<V>& v,
                  int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived());
    return to_eigen(center_of_mass(ws, root).velocity);
}
template <class Q, class V, class A>
auto com_acceleration(const Model& model, const Eigen::MatrixBase<Q>& q,
                      const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived(), a.derived());
    return to_eigen(center_of_mass(ws, root).acceleration);
}
template <class Q>
auto com_jacobian(const Model& model, const Eigen::MatrixBase<Q>& q, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix3X<detail::ScalarOf<Q>> J(3, model.nv());
    forward_kinematics(ws, q.derived());
    com_jacobian(ws, J, root);
    return J;
}
template <class Q, class V>
auto com_jacobian_rate(const Model& model, const Eigen::MatrixBase<Q>& q,
                       const Eigen::MatrixBase<V>& v, int root = 0) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix3X<detail::ScalarOf<Q>> J_dot(3, model.nv());
    forward_kinematics(ws, q.derived(), v.derived());
    com_jacobian_rate(ws, J_dot, root);
    return J_dot;
}

}  // namespace plucker
