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
    for (int i = 1; i <= ws.num_bodies(); ++i) ws.bodies.Ic[i] = cast<S>(ws.body(i).inertia);
    for (int i = ws.num_bodies(); i >= 2; --i) {
        ws.bodies.Ic[ws.body(i).parent] += apply_inverse(ws.joints.X[i], ws.bodies.Ic[i]);
    }

    // Line 20: a_fb = -I_fb⁻¹ f_fb.
    const Motion<S>* unit = detail::columns(ws, 1);
    const auto I_fb = SmallCholesky<S>::factor(
        6, [&](int row, int col) { return dot(unit[row], ws.bodies.Ic[1] * unit[col]); });
    ws.coordinates.pivots = {};
    for (int k = 0; k < 6; ++k) {
        ws.coordinates.pivots.note(1, I_fb.D[k],
                                   detail::axis_inertia_scale(unit[k], ws.bodies.Ic[1]));
    }
    for (int k = 0; k < 6; ++k) a[k] = -dot(unit[k], ws.bodies.f[1]);
    I_fb.solve(a);

    // Lines 21–27: the base's acceleration, carried to each body, adds S_iᵀ I_i a_i to its torque.
    ws.bodies.a[1] = {{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
    for (int k = 0; k < 6; ++k) tau[k] = S(0);
    for (int i = 2; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        ws.bodies.a[i] = ws.joints.X[i] * ws.bodies.a[body.parent];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const Force<S> f = ws.bodies.Ic[i] * ws.bodies.a[i];
            for (int k = 0; k < S_i.dim(); ++k) tau[body.v_index + k] += S_i.transpose_times(k, f);
        });
    }
}

}  // namespace kernel
}  // namespace plucker
