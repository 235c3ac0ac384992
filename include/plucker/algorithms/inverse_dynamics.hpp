// Inverse dynamics by the recursive Newton–Euler algorithm (RNEA).
//
// Source: Featherstone, Short Course, "The Recursive Newton–Euler Algorithm"; external forces as in
// Forward Dynamics with Spatial Vectors, eqs 13–16. Departures: every quantity of body i is in body i's
// own coordinates; gravity enters as a fictitious acceleration -g of the world (eq. 21); joints may have
// several freedoms; rotor inertia and friction are added in joint space.
//
// Cost: O(n).
#pragma once

#include "plucker/algorithms/arguments.hpp"
#include "plucker/algorithms/joint_pass.hpp"

namespace plucker {
namespace kernel {

// Leaves in ws.f the force across each joint, from the parent, in the body's frame, and in ws.f[0] all
// that the ground puts on the robot.
template <class S>
void inverse_dynamics(Workspace<S>& ws, const S* q, const S* v, const S* a, MaybeForces<S> external,
                      S* tau) {
    const Model& model = ws.model();
    detail::joint_transforms(ws, q);
    detail::subspace_rates(ws, v);

    // Outward: v_i = ⁱX_λ v_λ + S q̇,  a_i = ⁱX_λ a_λ + S q̈ + Ṡ q̇ + v_i × S q̇.
    ws.v[0] = {};
    ws.a[0] = {{}, -cast<S>(model.gravity())};
    ws.f[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const S* v_q = v + body.v_index;
            const auto v_J = S_i * v_q;
            ws.v[i] = ws.X[i] * ws.v[body.parent] + v_J;
            ws.a[i] = ws.X[i] * ws.a[body.parent] + S_i * (a + body.v_index);
            ws.a[i] = detail::add_bias(ws.a[i], S_i, v_q) + cross(ws.v[i], v_J);
        });
        // f_i = I a_i + v_i ×* I v_i - f_external
        ws.f[i] = equation_of_motion(cast<S>(body.inertia), ws.a[i], ws.v[i]);
    }
    detail::subtract_external_forces(ws, external, ws.f);

    // Inward: τ_i = Sᵀ f_i,  f_λ += λX*_i f_i.
    for (int k = 0; k < model.nv(); ++k) {
        tau[k] = S(model.armature()[k]) * a[k] + detail::friction_at(model, v, k);
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            for (int k = 0; k < S_i.dim(); ++k) {
                tau[body.v_index + k] += S_i.transpose_times(k, ws.f[i]);
            }
        });
        ws.f[body.parent] += apply_inverse(ws.X[i], ws.f[i]);
    }
}

}  // namespace kernel

// τ such that the robot at (q, v) accelerates with a, while the external forces act.
template <class S>
void inverse_dynamics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v, ConstVector<S> a,
                      MaybeForces<S> external, MutableVector<S> tau) {
    detail::check_q("inverse_dynamics", ws, q);
    detail::check_velocity_like("inverse_dynamics", "v", ws, v.size());
    detail::check_velocity_like("inverse_dynamics", "a", ws, a.size());
    detail::check_velocity_like("inverse_dynamics", "tau", ws, tau.size());
    kernel::inverse_dynamics(ws, q.data(), v.data(), a.data(), external, tau.data());
}
template <class S>
void inverse_dynamics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v, ConstVector<S> a,
                      MutableVector<S> tau) {
    inverse_dynamics(ws, q, v, a, nullptr, tau);
}

template <class Q, class V, class A>
auto inverse_dynamics(const Model& model, const Eigen::MatrixBase<Q>& q,
                      const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a,
                      const ExternalForces<detail::ScalarOf<Q>>* external = nullptr) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    VectorX<detail::ScalarOf<Q>> tau(model.nv());
    inverse_dynamics(ws, q.derived(), v.derived(), a.derived(), external, tau);
    return tau;
}

// C(q, v) v + G(q) and friction: the torque of motion without acceleration.
template <class S>
void bias_torque(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v, MutableVector<S> tau) {
    inverse_dynamics(ws, q, v, Eigen::Map<const VectorX<S>>(ws.zero.data(), ws.model().nv()), tau);
}
template <class Q, class V>
auto bias_torque(const Model& model, const Eigen::MatrixBase<Q>& q, const Eigen::MatrixBase<V>& v) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    VectorX<detail::ScalarOf<Q>> tau(model.nv());
    bias_torque(ws, q.derived(), v.derived(), tau);
    return tau;
}

// G(q): the torque that holds the robot still.
template <class S>
void gravity_torque(Workspace<S>& ws, ConstVector<S> q, MutableVector<S> tau) {
    bias_torque(ws, q, Eigen::Map<const VectorX<S>>(ws.zero.data(), ws.model().nv()), tau);
}
template <class Q>
auto gravity_torque(const Model& model, const Eigen::MatrixBase<Q>& q) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    VectorX<detail::ScalarOf<Q>> tau(model.nv());
    gravity_torque(ws, q.derived(), tau);
    return tau;
}

// Viscous and Coulomb friction torque at the velocity v, as part of what inverse dynamics returns.
template <class V>
auto friction_torque(const Model& model, const Eigen::MatrixBase<V>& v) {
    using S = detail::ScalarOf<V>;
    check_size("friction_torque", "v", v.size(), model.nv(), "nv");
    const VectorX<S> velocity = v;
    VectorX<S> tau(model.nv());
    for (int k = 0; k < model.nv(); ++k) tau[k] = detail::friction_at(model, velocity.data(), k);
    return tau;
}

}  // namespace plucker
