// Floating-base inverse dynamics: from the joints' accelerations, the base's acceleration and the joint
// torques.
//
// Source: Supplement, Table III, with the corrections of docs/errata.md; Featherstone, Rigid Body Dynamics
// Algorithms, §9.3. The base is not driven, so its acceleration is what makes the force on it vanish:
// I_fb a_fb + f_fb = 0, with I_fb the composite inertia of the whole robot. The listing assumes a_fb known
// in line 11 and uses it in line 20; here it is computed between the two. Cost: O(n).
#pragma once

#include "plucker/algorithms/inverse_dynamics.hpp"

namespace plucker {
namespace kernel {

// a: on entry the joints' accelerations from entry 6 on; on return also the base's, in entries 0 to 5.
template <class S>
void floating_base_inverse_dynamics(Workspace<S>& ws, const S* q, const S* v,
                                    MaybeForces<S> external, S* a, S* tau) {
    // Lines 1–19, first half: Newton–Euler with the base's acceleration zero gives f_i and f_fb.
    for (int k = 0; k < 6; ++k) a[k] = S(0);
    inverse_dynamics_with_forces(ws, q, v, a, external, tau);

    // Lines 13–18: composite inertias.
    for (int i = 1; i <= ws.num_bodies(); ++i) ws.Ic[i] = cast<S>(ws.body(i).inertia);
    for (int i = ws.num_bodies(); i >= 2; --i) {
        ws.Ic[ws.body(i).parent] += apply_inverse(ws.X[i], ws.Ic[i]);
    }

    // Line 20: a_fb = -I_fb⁻¹ f_fb.
    const Motion<S>* unit = detail::columns(ws, 1);
    const auto I_fb = SmallCholesky<S>::factor(
        6, [&](int row, int col) { return dot(unit[row], ws.Ic[1] * unit[col]); });
    ws.pivots = {};
    for (int k = 0; k < 6; ++k) {
        ws.pivots.note(1, I_fb.D[k], detail::axis_inertia_scale(unit[k], ws.Ic[1]));
    }
    for (int k = 0; k < 6; ++k) a[k] = -dot(unit[k], ws.f[1]);
    I_fb.solve(a);

    // Lines 21–27: the base's acceleration, carried to each body, adds S_iᵀ I_i a_i to its torque.
    ws.a[1] = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
    for (int k = 0; k < 6; ++k) tau[k] = S(0);
    for (int i = 2; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        ws.a[i] = ws.X[i] * ws.a[body.parent];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const Force<S> f = ws.Ic[i] * ws.a[i];
            for (int k = 0; k < S_i.dim(); ++k) tau[body.v_index + k] += S_i.transpose_times(k, f);
        });
    }
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void floating_base_inverse_dynamics(Workspace<double>& ws, const double* q, const double* v,
                                    MaybeForces<double> external, double* a, double* tau);

}  // namespace kernel

// For a model with a floating base. `a` (nv) holds the joints' accelerations from entry 6 on and
// receives the base's in its first six; `tau` (nv) receives the torques, zero on the base.
template <class S>
Status floating_base_inverse_dynamics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v,
                                      MaybeForces<S> external, MutableVector<S> a,
                                      MutableVector<S> tau) {
    detail::Door<S> door("floating_base_inverse_dynamics", ws);
    door.needs_floating_base();
    door.out("a", a);
    door.out("tau", tau);
    const S* q_in = door.q(q);
    const S* v_in = door.in("v", v);
    if (door.opens()) door.read("a", a.data(), 6, a.size() - 6);
    door.forces(external);
    if (!door.opens()) return door.status();
    kernel::floating_base_inverse_dynamics(ws, q_in, v_in, external, a.data(), tau.data());
    return door.regular();
}

template <class S>
struct FloatingBaseMotion {
    Motion<S> base_acceleration;  // spatial, in the base's frame
    VectorX<S> joint_torques;     // nv - 6
};
// By value: takes the nv - 6 joint accelerations.
template <class Q, class V, class A>
auto floating_base_inverse_dynamics(const Model& model, const Eigen::MatrixBase<Q>& q,
                                    const Eigen::MatrixBase<V>& v,
                                    const Eigen::MatrixBase<A>& joint_accelerations,
                                    const ExternalForces<detail::ScalarOf<Q>>* external = nullptr) {
    using S = detail::ScalarOf<Q>;
    Workspace<S> ws(model);
    check_size("floating_base_inverse_dynamics", "joint_accelerations", joint_accelerations.size(),
               model.nv() - 6, "nv - 6");
    VectorX<S> a = VectorX<S>::Zero(model.nv());
    a.tail(model.nv() - 6) = joint_accelerations;
    VectorX<S> tau(model.nv());
    floating_base_inverse_dynamics(ws, q.derived(), v.derived(), external, a, tau);
    return FloatingBaseMotion<S>{to_motion(a.template head<6>()), tau.tail(model.nv() - 6)};
}

}  // namespace plucker
