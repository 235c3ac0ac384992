// How what a subtree has in sum changes with a step along the freedom that carries it: what first derivatives are made of, once
// more differentiated.
//
//     F_q = ψ ×* F + 2B ψ̇ + I ψ̈      F_v = 2B ψ + I (ψ̇ + J̇)      F_a = I ψ
//     I_q = ψ ×* I - I ψ×             B_q = ψ ×* B - B ψ× + B(I, ψ̇)  B_v = B(I, ψ)
//
// where B(I, v) is the velocity term of a body with inertia I at velocity v. B has the rotational rate of I and the momentum
// (spatial/coriolis_terms.hpp); as the rate of an inertia is an inertia, its turn is one, too.
//
// Cost: O(n).
#pragma once

#include "plucker/algorithms/dynamics_derivatives.hpp"

namespace plucker {
namespace kernel {

// Sums over subtrees, and their slopes. Needs tangent_kinematics. Returns whether some forces keep the world's axes.
template <class S>
bool sums_and_slopes(Workspace<S>& ws, const WorldKinematics<S>& kin, MaybeForces<S> external) {
    TangentScratch<S>& t = ws.tangent;
    equations_of_motion(ws, kin);
    const bool some_are_held = subtract_external_forces(ws, kin, external);
    if (some_are_held) {
        for (int i = 0; i <= ws.num_bodies(); ++i) t.points[i] = {};
        for (const auto& entry : external->entries()) {
            if (entry.expressed_in != ReferenceFrame::kWorldAligned) continue;
            const auto x = AnchoredForce<S>::of(ws, kin, entry);
            t.points[entry.body] += HeldPoints<S>::at(x.point, x.force.linear);
        }
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        const Inertia<S>& I = ws.subtrees.I[i];
        const ChristoffelTerm<S>& B = ws.subtrees.B_christoffel[i];
        const Inertia<S> I_dot{S(0), B.momentum.linear, B.rate};
        for (int d = body.dof_index; d < body.dof_index + body.nv; ++d) {
            const Motion<S>&psi = kin.J[d], &psi_dot = t.psi_dot[d];
            const auto F = ForceSlopes<S>::of(ws, kin, i, d);
            SubtreeSlopes<S>& slopes = t.slopes[d];
            slopes = {F.by_q + F.turn,
                      F.by_v,
                      F.by_a,
                      inertia_rate(I, psi),
                      {inertia_rate(I_dot, psi).rotational + inertia_rate(I, psi_dot).rotational,
                       cross_force(psi, B.momentum) + I * psi_dot},
                      ChristoffelTerm<S>::of(I, psi)};
            if (some_are_held) slopes.F_by_q += ws.subtrees.held[i] * psi;
        }
        add_subtree_to_parent(ws, i);
        if (!some_are_held) continue;
        ws.subtrees.held[body.parent] += ws.subtrees.held[i];
        t.points[body.parent] += t.points[i];
    }
    return some_are_held;
}

}  // namespace kernel
}  // namespace plucker
