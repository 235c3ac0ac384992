// Second derivatives of inverse and forward dynamics, contracted with a vector: what Newton's method and differential dynamic
// programming need, in the cost of first derivatives.
//
// λᵀ τ is a sum over bodies of l · f, with l the velocity that the body would have if λ were the robot's. So its gradient
// is a sum over subtrees (dynamics_derivatives.hpp, with the same turn of all vectors of a subtree; χ_k = l_λ × ψ_k):
//
//     ∂(λᵀτ)/∂q_k = χ_k · F + ψ̇_k · P + ψ̈_k · L        F = Σ f,   L = Σ I l,   P = Σ 2Bᵀ l
//     ∂(λᵀτ)/∂v_k = ψ_k · P + (ψ̇_k + J̇_k) · L
//     ∂(λᵀτ)/∂a_k = ψ_k · L
//
// A step along freedom k below m leaves ψ_m, χ_m, ψ̇_m and ψ̈_m alone, and changes the sums by
//
//     ∂L/∂q_k = ψ_k ×* L + I χ_k
//     ∂P/∂q_k = ψ_k ×* P + 2Bᵀ χ_k + ∂P/∂v · ψ̇_k        ∂P/∂v · x = x ×* L - R x,   R = Σ (l ×* I - I l×)
//
// and F as before; so every entry is three dot products at most. For the other order, a step above, derivatives commute.
// They do not within a joint of several freedoms, whose directions are those of a group: there the entry in row r and
// column c is the derivative along c of the derivative along r.
//
// External forces are among f. Those that keep the world's axes (spatial/held_forces.hpp) change by G ψ_k besides; they add
// ψ_k · N to the gradient, and
//
//     N = Σ Gᵀ l        ∂F/∂q_k: + G ψ_k        ∂N/∂q_k = W ψ_k + Gᵀ χ_k.
//
// Departure from Singh, Russell and Wensing, On Second-Order Derivatives of Rigid-Body Dynamics: Theory and
// Implementation, 2023: contracted from the beginning, as Nganga and Wensing do by automatic differentiation
// (Accelerating Second-Order Differential Dynamic Programming for Rigid-Body Systems, 2021). The whole tensors are in
// second_derivative_tensors.hpp.
//
// Of forward dynamics, with λ = M⁻¹ μ and H those of inverse dynamics at a = FD(q, v, τ):
//
//     μᵀ ∂²a/∂q∂q = -(H_qq + H_qa a_q + (H_qa a_q)ᵀ)        μᵀ ∂²a/∂v∂v = -H_vv
//     μᵀ ∂²a/∂q∂v = -(H_qv + H_qa a_v)                       μᵀ ∂²a/∂q∂τ = -H_qa M⁻¹
//
// Cost: O(n · depth), and O(n³) for those of forward dynamics.
#pragma once

#include "plucker/algorithms/dynamics_derivatives.hpp"

namespace plucker {
namespace kernel {

// The four matrices of second derivatives that are not zero.
template <class S>
struct Hessians {
    detail::MatrixView<S> qq, qv, vv, qa;

    void set_zero(int n) const {
        qq.set_zero(n, n);
        qv.set_zero(n, n);
        vv.set_zero(n, n);
        qa.set_zero(n, n);
    }
};

// l, χ and the sums of bodies alone. Needs tangent_kinematics and equations_of_motion.
template <class S>
void contract(Workspace<S>& ws, const WorldKinematics<S>& kin, const S* lambda) {
    TangentScratch<S>& t = ws.tangent;
    t.l[0] = {};
    t.L[0] = t.P[0] = {};
    t.R[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        Motion<S> l = t.l[body.parent];
        Motion<S> l_before = l;
        for (int k = 0; k < body.nv; ++k) {
            const int d = body.dof_index + k;
            t.chi[d] = cross(l_before, kin.J[d]);
            l += lambda[body.v_index + k] * kin.J[d];
            if (!has_constant_subspace(body.joint)) l_before = l;
        }
        t.l[i] = l;
        t.L[i] = ws.subtrees.I[i] * l;
        t.P[i] = twice_transposed(ws.subtrees.B_christoffel[i], l);
        t.R[i] = inertia_rate(ws.subtrees.I[i], l);
    }
}

// N and W of bodies alone. Needs contract.
template <class S>
void contract_held_forces(Workspace<S>& ws, const WorldKinematics<S>& kin,
                          MaybeForces<S> external) {
    TangentScratch<S>& t = ws.tangent;
    for (int i = 0; i <= ws.num_bodies(); ++i) {
        t.N[i] = {};
        t.W[i] = {};
    }
    for (const auto& entry : external->entries()) {
        if (entry.expressed_in == ReferenceFrame::kBody) continue;
        const auto x = AnchoredForce<S>::of(ws, kin, entry);
        const Motion<S>& l = t.l[entry.body];
        t.N[entry.body] += transpose_times(x.held, l);
        t.W[entry.body] += entry.expressed_in == ReferenceFrame::kWorld
                               ? HeldForceSlopes<S>::in_world(x.held, l)
                               : HeldForceSlopes<S>::at_point(x.held, x.point, l);
    }
}

// What a step along a freedom changes of the sums over its subtree.
template <class S>
struct SumSlopes {
    ForceSlopes<S> F;
    Force<S> F_by_q, L_by_q, P_by_q, P_by_v;
    Force<S> N_by_q{};  // where some forces keep the world's axes

    static SumSlopes of(const Workspace<S>& ws, const WorldKinematics<S>& kin, int i, int d,
                        bool some_are_held) {
        const TangentScratch<S>& t = ws.tangent;
        const Motion<S>& psi = kin.J[d];
        const auto P_along = [&](const Motion<S>& x) {
            return cross_force(x, t.L[i]) - t.R[i] * x;
        };
        SumSlopes out;
        out.F = ForceSlopes<S>::of(ws, kin, i, d);
        out.F_by_q = out.F.by_q + out.F.turn;
        out.L_by_q = cross_force(psi, t.L[i]) + ws.subtrees.I[i] * t.chi[d];
        out.P_by_q = cross_force(psi, t.P[i]) +
                     twice_transposed(ws.subtrees.B_christoffel[i], t.chi[d]) +
                     P_along(t.psi_dot[d]);
        out.P_by_v = P_along(psi);
        if (some_are_held) {
            out.F_by_q += ws.subtrees.held[i] * psi;
            out.N_by_q = t.W[i] * psi + transpose_times(ws.subtrees.held[i], t.chi[d]);
        }
        return out;
    }
};

// Adds the entries of freedom m, in row r, against a step that leaves m's own vectors alone, in column c.
template <class S>
class SecondDerivatives {
public:
    SecondDerivatives(const Workspace<S>& ws, const WorldKinematics<S>& kin, const Hessians<S>& H,
                      bool some_are_held)
        : t_(ws.tangent), kin_(kin), H_(H), some_are_held_(some_are_held) {}

    // Row m, column k; of qq and vv, which are symmetric, the other entry as well where `mirrored`.
    void add(int m, int r, const SumSlopes<S>& k, int c, bool mirrored) const {
        S qq =
            dot(t_.chi[m], k.F_by_q) + dot(t_.psi_dot[m], k.P_by_q) + dot(t_.psi_ddot[m], k.L_by_q);
        if (some_are_held_) qq += dot(kin_.J[m], k.N_by_q);
        const S vv = dot(kin_.J[m], k.P_by_v);
        H_.qq(r, c) += qq;
        H_.vv(r, c) += vv;
        H_.qv(r, c) += dot(t_.chi[m], k.F.by_v) + dot(t_.psi_dot[m], k.P_by_v);
        H_.qa(r, c) += dot(t_.chi[m], k.F.by_a);
        if (!mirrored) return;
        H_.qq(c, r) += qq;
        H_.vv(c, r) += vv;
        H_.qv(c, r) += dot(kin_.J[m], k.P_by_q) + dot(t_.psi_dot[m] + kin_.J_dot[m], k.L_by_q);
        H_.qa(c, r) += dot(kin_.J[m], k.L_by_q);
    }

private:
    const TangentScratch<S>& t_;
    const WorldKinematics<S>& kin_;
    const Hessians<S>& H_;
    bool some_are_held_;
};

// Within a joint whose freedoms move together, a step along k also turns the axis of m: ψ_m by n = ψ_k × ψ_m, and with it
// all that is made of ψ_m. `before`: the body that carries the joint.
template <class S>
void add_turn_of_axis(const Workspace<S>& ws, const WorldKinematics<S>& kin, int i,
                      const Motion<S>& n, int r, int c, const Hessians<S>& H, bool some_are_held) {
    const TangentScratch<S>& t = ws.tangent;
    const int before = ws.body(i).parent;
    const Motion<S> n_dot = cross(kin.v[before], n);
    const Motion<S> n_ddot = cross(kin.a[before], n) + cross(kin.v[before], n_dot);
    H.qq(r, c) +=
        dot(cross(t.l[before], n), ws.subtrees.f[i]) + dot(n_dot, t.P[i]) + dot(n_ddot, t.L[i]);
    if (some_are_held) H.qq(r, c) += dot(n, t.N[i]);
    H.vv(r, c) += dot(n, t.L[i]);
}

// From the sums of bodies alone, which become those of subtrees.
template <class S>
void add_second_derivatives(Workspace<S>& ws, const WorldKinematics<S>& kin, const Hessians<S>& H,
                            bool some_are_held) {
    TangentScratch<S>& t = ws.tangent;
    const SecondDerivatives<S> entries(ws, kin, H, some_are_held);
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            const int c = body.v_index + k;
            const SumSlopes<S> slopes =
                SumSlopes<S>::of(ws, kin, i, body.dof_index + k, some_are_held);
            for (int l = 0; l < body.nv; ++l) {
                const int m = body.dof_index + l;
                if (has_constant_subspace(body.joint)) {
                    entries.add(m, body.v_index + l, slopes, c, false);
                    if (l != k) {
                        add_turn_of_axis(ws, kin, i, cross(kin.J[body.dof_index + k], kin.J[m]),
                                         body.v_index + l, c, H, some_are_held);
                    }
                } else if (l <= k) {
                    entries.add(m, body.v_index + l, slopes, c, l < k);
                }
            }
            for (int j = body.parent; j != 0; j = ws.body(j).parent) {
                const auto& above = ws.body(j);
                for (int l = 0; l < above.nv; ++l)
                    entries.add(above.dof_index + l, above.v_index + l, slopes, c, true);
            }
        }
        add_subtree_to_parent(ws, i);
        t.L[body.parent] += t.L[i];
        t.P[body.parent] += t.P[i];
        t.R[body.parent] += t.R[i];
        if (!some_are_held) continue;
        ws.subtrees.held[body.parent] += ws.subtrees.held[i];
        t.N[body.parent] += t.N[i];
        t.W[body.parent] += t.W[i];
    }
}

// What does not depend on λ.
template <class S>
void prepare_second_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a) {
    WorldKinematics<S>& kin = ws.passing_kinematics;
    root_kinematics(ws, kin, q);
    velocity_kinematics(ws, kin, v);
    acceleration_kinematics(ws, kin, v, a, acceleration_of_ground(ws, kin));
    tangent_kinematics(ws, kin, v, a);
}

template <class S>
void inverse_dynamics_hessians(Workspace<S>& ws, const S* q, const S* v, const S* a,
                               const S* lambda, MaybeForces<S> external, const Hessians<S>& H) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    prepare_second_derivatives(ws, q, v, a);
    equations_of_motion(ws, kin);
    const bool some_are_held = subtract_external_forces(ws, kin, external);
    contract(ws, kin, lambda);
    if (some_are_held) contract_held_forces(ws, kin, external);
    H.set_zero(ws.model().nv());
    add_second_derivatives(ws, kin, H, some_are_held);
}

// H.qa is left holding the derivatives by q and τ.
template <class S>
void forward_dynamics_hessians(Workspace<S>& ws, const S* q, const S* v, const S* tau, const S* mu,
                               MaybeForces<S> external, const Hessians<S>& H) {
    const int n = ws.model().nv();
    S* const a = ws.coordinates.any.data();
    S* const lambda = ws.coordinates.copy.data();
    const detail::MatrixView<S> dq{ws.squares.first.data(), n};
    const detail::MatrixView<S> dv{ws.squares.second.data(), n};
    const detail::MatrixView<S> M{ws.squares.third.data(), n};
    solve_forward_dynamics(ws, q, v, tau, external, M, a);
    torque_derivatives(ws, ws.passing_kinematics, v, a, external, dq, dv, M);
    factor_mass_matrix(ws, M);
    for (int k = 0; k < n; ++k) lambda[k] = mu[k];
    solve_with_factor<S>(ws, M, lambda);
    inverse_dynamics_hessians(ws, q, v, a, lambda, external, H);

    // -H_qa M⁻¹, row by row: then H_qa a_x = (-H_qa M⁻¹) ∂ID/∂x.
    S* const row = ws.coordinates.any.data();
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) row[c] = -H.qa(r, c);
        solve_with_factor<S>(ws, M, row);
        for (int c = 0; c < n; ++c) H.qa(r, c) = row[c];
    }
    negate(H.qq, n);
    negate(H.qv, n);
    negate(H.vv, n);
    for (int c = 0; c < n; ++c) {
        for (int r = 0; r < n; ++r) {
            S along_q(0), along_v(0);
            for (int k = 0; k < n; ++k) {
                along_q += H.qa(r, k) * dq(k, c);
                along_v += H.qa(r, k) * dv(k, c);
            }
            H.qq(r, c) -= along_q;
            H.qq(c, r) -= along_q;
            H.qv(r, c) -= along_v;
        }
    }
}

}  // namespace kernel
}  // namespace plucker
