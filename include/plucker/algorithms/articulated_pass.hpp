// Steps that the articulated-body algorithms share (forward and hybrid dynamics, M⁻¹).
#pragma once

#include "plucker/algorithms/joint_pass.hpp"

namespace plucker::detail {

// Solves (S_iᵀ I^A S_i) x = b in place, for joints with one freedom and with several.
template <class S, class Subspace>
PLUCKER_ALWAYS_INLINE void solve_joint_inertia(const Workspace<S>& ws, int i, const Subspace&,
                                               S* b) {
    if constexpr (Subspace::kOneFreedom) {
        b[0] *= ws.articulated.D_inv[ws.body(i).dof_index];
    } else {
        ws.articulated.D[i].solve(b);
    }
}

// U = I^A S and D = Sᵀ U (with the rotor's inertia), factored.
template <class S, class Subspace>
[[gnu::noinline]] void factor_inertia_of_several(Workspace<S>& ws, int i, const Subspace& S_i,
                                                 const ArticulatedInertia<S>& IA) {
    const auto& body = ws.body(i);
    Force<S>* U = ws.articulated.U.data() + body.dof_index;
    for (int k = 0; k < S_i.dim(); ++k) U[k] = S_i.inertia_times(k, IA);
    if (S_i.dim() == 0) {
        ws.articulated.D[i].n = 0;
        return;
    }
    ws.articulated.D[i] = SmallCholesky<S>::factor(S_i.dim(), [&](int row, int col) {
        const S entry = S_i.transpose_times(row, U[col]);
        return row == col ? entry + S(ws.armature(body.v_index + row)) : entry;
    });
    for (int k = 0; k < S_i.dim(); ++k) {
        ws.coordinates.pivots.note(i, ws.articulated.D[i].D[k], S_i.inertia_scale(k, IA));
    }
}
template <class S, class Subspace>
PLUCKER_ALWAYS_INLINE void factor_joint_inertia(Workspace<S>& ws, int i, const Subspace& S_i,
                                                const ArticulatedInertia<S>& IA) {
    if constexpr (Subspace::kOneFreedom) {
        const auto& body = ws.body(i);
        const Force<S> U = S_i.inertia_times(0, IA);
        const S D = S_i.transpose_times(0, U) + S(ws.armature(body.v_index));
        ws.coordinates.pivots.note(i, D, S_i.inertia_scale(0, IA));
        ws.articulated.U[body.dof_index] = U;
        ws.articulated.D_inv[body.dof_index] = S(1) / D;
    } else {
        factor_inertia_of_several(ws, i, S_i, IA);
    }
}

// I^a = I^A - U D⁻¹ Uᵀ: the part of the articulated inertia that is felt across the joint.
template <class S, class Subspace>
[[gnu::noinline]] ArticulatedInertia<S> inertia_transmitted_by_several(
    const Workspace<S>& ws, int i, const Subspace& S_i, const ArticulatedInertia<S>& IA) {
    // With D = L d Lᵀ and Y = U L⁻ᵀ: U D⁻¹ Uᵀ = Σ Y_k Y_kᵀ / d_k.
    const SmallCholesky<S>& D = ws.articulated.D[i];
    std::array<Force<S>, 6> Y;
    ArticulatedInertia<S> Ia = IA;
    for (int k = 0; k < S_i.dim(); ++k) {
        Y[k] = ws.articulated.U[ws.body(i).dof_index + k];
        for (int j = 0; j < k; ++j) Y[k] -= D.L[k][j] * Y[j];
        Ia = subtract_outer(Ia, Y[k], D.D_inv[k] * Y[k]);
    }
    return Ia;
}
template <class S, class Subspace>
ArticulatedInertia<S> transmitted_inertia(const Workspace<S>& ws, int i, const Subspace& S_i,
                                          const ArticulatedInertia<S>& IA) {
    if constexpr (Subspace::kOneFreedom) {
        const Force<S>& U = ws.articulated.U[ws.body(i).dof_index];
        return subtract_outer(IA, U, ws.articulated.D_inv[ws.body(i).dof_index] * U);
    } else {
        return inertia_transmitted_by_several(ws, i, S_i, IA);
    }
}

// Calls f with I^a, which may be simpler where no rotor's inertia is felt.
template <class S, class Subspace, class F>
PLUCKER_ALWAYS_INLINE void with_transmitted_inertia(const Workspace<S>& ws, int i,
                                                    const Subspace& S_i,
                                                    const ArticulatedInertia<S>& IA, const F& f) {
    if constexpr (requires(const S& D_inv) { S_i.transmitted_without_rotor(IA, D_inv); }) {
        const auto& body = ws.body(i);
        if (all(ws.armature(body.v_index) == ParameterOf<S>(0))) {
            f(S_i.transmitted_without_rotor(IA, ws.articulated.D_inv[body.dof_index]));
            return;
        }
    }
    f(transmitted_inertia(ws, i, S_i, IA));
}

// Σ_k U_k x_k.
template <class S, class Subspace>
Force<S> U_times(const Workspace<S>& ws, int i, const Subspace& S_i, const S* x) {
    if (S_i.dim() == 0) return {};
    const Force<S>* U = ws.articulated.U.data() + ws.body(i).dof_index;
    Force<S> sum = x[0] * U[0];
    for (int k = 1; k < S_i.dim(); ++k) sum += x[k] * U[k];
    return sum;
}

// --- The articulated-body algorithm at one joint, pass by pass (Rigid Body Dynamics Algorithms, Table 7.1) ---

// Pass 1: X, v_i, c_i = Ṡ q̇ + v_i × S q̇, I_i^A = I_i, p_i^A = v_i ×* I v_i. Needs joint_angles and subspace_rates. At the end
// `more` is called with the subspace, for what else belongs to c_i.
template <class S, class More>
PLUCKER_ALWAYS_INLINE void start_articulated_body(Workspace<S>& ws, int i, const S* q, const S* v,
                                                  const More& more) {
    const auto& body = ws.body(i);
    const Inertia<S> I = cast<S>(body.inertia);
    const Transform<S>& X = joint_transform(ws, i, q, ws.joints.X[i]);
    with_subspace(ws, i, [&](const auto& S_i) {
        const S* v_q = v + body.v_index;
        const auto v_J = S_i * v_q;
        ws.bodies.v[i] = X * ws.bodies.v[body.parent] + v_J;
        ws.bodies.c[i] = add_bias(cross(ws.bodies.v[i], v_J), S_i, v_q);
        more(S_i);
    });
    ws.articulated.IA[i] = ArticulatedInertia<S>(I);
    ws.articulated.p[i] = cross_force(ws.bodies.v[i], I * ws.bodies.v[i]);
}

// Pass 2: U and D; D⁻¹ u with u = τ - Sᵀ p^A; I^a and p^a = p^A + U D⁻¹ u + I^a c go to the parent, if that is a body.
template <class S, class Inertia>
PLUCKER_ALWAYS_INLINE void add_to_parent(Workspace<S>& ws, int i, const Inertia& Ia,
                                         const Force<S>& p) {
    const int parent = ws.body(i).parent;
    if (parent == 0) return;
    ws.articulated.IA[parent] += apply_inverse(ws.joints.X[i], Ia);
    ws.articulated.p[parent] += apply_inverse(ws.joints.X[i], p + Ia * ws.bodies.c[i]);
}
template <class S, class Subspace>
PLUCKER_ALWAYS_INLINE void articulate(Workspace<S>& ws, int i, const Subspace& S_i, const S* v,
                                      const S* tau) {
    const auto& body = ws.body(i);
    S* u = ws.articulated.u.data() + body.dof_index;
    factor_joint_inertia(ws, i, S_i, ws.articulated.IA[i]);
    for (int k = 0; k < S_i.dim(); ++k) {
        const int c = body.v_index + k;
        u[k] = tau[c] - friction_at(ws, v, c) - S_i.transpose_times(k, ws.articulated.p[i]);
    }
    solve_joint_inertia(ws, i, S_i, u);  // from here on u is D⁻¹ u
    // What a floating base would hand on to the world costs much. For one freedom the look costs more than it saves.
    if (!Subspace::kOneFreedom && body.parent == 0) return;
    const Force<S> p = ws.articulated.p[i] + U_times(ws, i, S_i, u);
    with_transmitted_inertia(ws, i, S_i, ws.articulated.IA[i],
                             [&](const auto& Ia) { add_to_parent(ws, i, Ia, p); });
}

// Pass 3: a' = ⁱX_λ a_λ + c_i; ...
template <class S>
PLUCKER_ALWAYS_INLINE Motion<S> acceleration_without_joint(const Workspace<S>& ws, int i) {
    return ws.joints.X[i] * ws.bodies.a[ws.body(i).parent] + ws.bodies.c[i];
}
// ... q̈ = D⁻¹ (u - Uᵀ a'), a_i = a' + S q̈.
template <class S, class Subspace>
PLUCKER_ALWAYS_INLINE void accelerate_joint(Workspace<S>& ws, int i, const Subspace& S_i,
                                            const Motion<S>& moved, S* a) {
    const auto& body = ws.body(i);
    S* qdd = a + body.v_index;
    for (int k = 0; k < S_i.dim(); ++k) qdd[k] = dot(moved, ws.articulated.U[body.dof_index + k]);
    solve_joint_inertia(ws, i, S_i, qdd);
    for (int k = 0; k < S_i.dim(); ++k) qdd[k] = ws.articulated.u[body.dof_index + k] - qdd[k];
    ws.bodies.a[i] = moved + S_i * qdd;
}

// All articulated inertias, from the leaves to the root, with U and D of every joint. Needs
// joint_transforms.
template <class S>
void articulated_inertias(Workspace<S>& ws) {
    ws.coordinates.pivots = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        ws.articulated.IA[i] = ArticulatedInertia<S>(cast<S>(ws.body(i).inertia));
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        with_subspace(ws, i, [&](const auto& S_i) {
            factor_joint_inertia(ws, i, S_i, ws.articulated.IA[i]);
            if (const int parent = ws.body(i).parent; parent != 0) {
                with_transmitted_inertia(ws, i, S_i, ws.articulated.IA[i], [&](const auto& Ia) {
                    ws.articulated.IA[parent] += apply_inverse(ws.joints.X[i], Ia);
                });
            }
        });
    }
}

}  // namespace plucker::detail
