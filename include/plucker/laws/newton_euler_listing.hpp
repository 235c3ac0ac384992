// The recursion of Newton and Euler as the slides have it, to read beside the fast one (algorithms/inverse_dynamics.hpp)
// and to check it with.
//
// Source: Featherstone, Short Course, "The Recursive Newton–Euler Algorithm". The slide needs no coordinates and goes
// along a chain:
//
//     v_i = v_{i-1} + s_i q̇_i                               (v_0 = 0)
//     a_i = a_{i-1} + ṡ_i q̇_i + s_i q̈_i                      (a_0 = 0)
//     f_i = f_{i+1} + I_i a_i + v_i ×* I_i v_i
//     τ_i = s_iᵀ f_i
//
// Here body i has coordinates of its own, so that what crosses a joint passes through ⁱX_λ(i), and a tree in place of a
// chain: i - 1 is the parent λ(i), and f_{i+1} the sum over the children. Gravity, which the slide leaves to the reader,
// is an acceleration -g of the ground. A joint may have several axes s_i; an axis that is not fixed in its body has an
// apparent rate s̊_i, and ṡ_i = v_i × s_i + s̊_i.
#pragma once

#include <vector>

#include "plucker/algorithms/joint_pass.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker::laws {

template <class S>
const Motion<S>& axis(const Workspace<S>& ws, const Body<ParameterOf<S>>& body, int k) {
    return ws.joints.subspace[static_cast<std::size_t>(body.dof_index + k)];
}
template <class S>
const Motion<S>& apparent_rate(const Workspace<S>& ws, const Body<ParameterOf<S>>& body, int k) {
    return ws.joints.subspace_rate[static_cast<std::size_t>(body.dof_index + k)];
}

// All that the recursion computes, body by body, in each body's own coordinates; the ground is body 0.
template <class S>
struct NewtonEuler {
    std::vector<Motion<S>> v, a;
    std::vector<Force<S>> net;  // I a + v ×* I v: what body i alone needs
    std::vector<Force<S>> f;    // across joint i: for body i and all that it carries
    VectorX<S> tau;             // without rotor inertia and friction
};

// `ws` is left with the transforms ⁱX_λ(i) and axes s_i of this posture.
template <class S>
NewtonEuler<S> newton_euler_steps(Workspace<S>& ws, const VectorX<S>& q, const VectorX<S>& q_dot,
                                  const VectorX<S>& q_ddot) {
    const Model& model = ws.model();
    detail::joint_transforms(ws, q.data());
    detail::subspace_rates(ws, q_dot.data());
    const auto& X = ws.joints.X;
    const auto n = static_cast<std::size_t>(model.num_bodies());
    std::vector<Motion<S>> v(n + 1), a(n + 1);
    std::vector<Force<S>> net(n + 1), f(n + 1);
    a[0] = {{}, -cast<S>(ws.gravity())};
    for (std::size_t i = 1; i <= n; ++i) {
        const auto& body = ws.body(static_cast<int>(i));
        const auto parent = static_cast<std::size_t>(body.parent);
        v[i] = X[i] * v[parent];
        a[i] = X[i] * a[parent];
        for (int k = 0; k < body.nv; ++k) v[i] += q_dot[body.v_index + k] * axis(ws, body, k);
        for (int k = 0; k < body.nv; ++k) {
            const Motion<S> s_dot = cross(v[i], axis(ws, body, k)) + apparent_rate(ws, body, k);
            a[i] += q_dot[body.v_index + k] * s_dot + q_ddot[body.v_index + k] * axis(ws, body, k);
        }
        const Inertia<S> I = cast<S>(body.inertia);
        net[i] = f[i] = I * a[i] + cross_force(v[i], I * v[i]);
    }
    VectorX<S> tau = VectorX<S>::Constant(model.nv(), S(0));
    for (std::size_t i = n; i >= 1; --i) {
        const auto& body = ws.body(static_cast<int>(i));
        for (int k = 0; k < body.nv; ++k) tau[body.v_index + k] += dot(axis(ws, body, k), f[i]);
        f[static_cast<std::size_t>(body.parent)] += apply_inverse(X[i], f[i]);
    }
    return {std::move(v), std::move(a), std::move(net), std::move(f), std::move(tau)};
}

// τ alone.
template <class S>
VectorX<S> newton_euler_listing(const Model& model, const VectorX<S>& q, const VectorX<S>& q_dot,
                                const VectorX<S>& q_ddot) {
    Workspace<S> ws(model);
    return newton_euler_steps(ws, q, q_dot, q_ddot).tau;
}

}  // namespace plucker::laws
