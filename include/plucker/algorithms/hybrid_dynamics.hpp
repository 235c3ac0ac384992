// Hybrid dynamics: some joints have given accelerations, the others given torques; find the rest.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §9.2, in its articulated-body form: the same
// three passes as forward dynamics, except that a joint with given acceleration is, to what lies above
// it, a rigid connection that moves as told. Inverse dynamics (all given), forward dynamics (none given)
// and floating-base inverse dynamics (all but the base given) are special cases. Cost: O(n).
//
// A model with mimic joints is solved through its mass matrix instead (see forward_dynamics.hpp).
#pragma once

#include <span>
#include <vector>

#include "plucker/algorithms/forward_dynamics.hpp"

namespace plucker {

// The list in which the named joints have given accelerations. A joint that mimics another has none of its own.
std::vector<Given> given_accelerations(const Model& model, const std::vector<std::string>& joints);

namespace kernel {

template <class S>
void hybrid_dynamics_by_mass_matrix(Workspace<S>& ws, const S* q, const S* v, const Given* given,
                                    MaybeForces<S> external, S* a, S* tau) {
    const int n = ws.model().nv();
    const detail::MatrixView<S> M{ws.coordinates.M.data(), n};
    S* rhs = ws.coordinates.any.data();
    inverse_dynamics(ws, q, v, ws.coordinates.zero.data(), external, rhs);
    mass_matrix(ws, q, M);
    for (int k = 0; k < n; ++k) rhs[k] = tau[k] - rhs[k];
    // Rows of given coordinates become a_k = a_k, and their columns move to the right-hand side.
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        if (given[i] == Given::kTorque) continue;
        for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
            for (int r = 0; r < n; ++r) {
                rhs[r] -= M(r, k) * a[k];
                M(r, k) = M(k, r) = S(0);
            }
            M(k, k) = S(1);
        }
    }
    // Only now, when no later column can change them:
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        if (given[i] == Given::kTorque) continue;
        for (int k = body.v_index; k < body.v_index + body.nv; ++k) rhs[k] = a[k];
    }
    factor_mass_matrix(ws, M);
    solve_with_factor<S>(ws, M, rhs);
    for (int k = 0; k < n; ++k) a[k] = rhs[k];
    inverse_dynamics(ws, q, v, a, external, tau);
}

// In and out: a and tau of every joint; the one that is given is read, the other is written.
template <class S>
void hybrid_dynamics(Workspace<S>& ws, const S* q, const S* v, const Given* given,
                     MaybeForces<S> external, S* a, S* tau) {
    const Model& model = ws.model();
    if (model.has_mimic_joints()) {
        hybrid_dynamics_by_mass_matrix(ws, q, v, given, external, a, tau);
        return;
    }
    detail::joint_transforms(ws, q);
    detail::subspace_rates(ws, v);

    // Pass 1, outward: as in forward dynamics; a given acceleration joins c_i.
    ws.bodies.v[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Inertia<S> I = cast<S>(body.inertia);
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const S* v_q = v + body.v_index;
            const auto v_J = S_i * v_q;
            ws.bodies.v[i] = ws.joints.X[i] * ws.bodies.v[body.parent] + v_J;
            ws.bodies.c[i] = detail::add_bias(cross(ws.bodies.v[i], v_J), S_i, v_q);
            if (given[i] == Given::kAcceleration)
                ws.bodies.c[i] = ws.bodies.c[i] + S_i * (a + body.v_index);
        });
        ws.articulated.IA[i] = ArticulatedInertia<S>(I);
        ws.articulated.p[i] = cross_force(ws.bodies.v[i], I * ws.bodies.v[i]);
    }
    detail::subtract_external_forces(ws, external, ws.articulated.p);

    // Pass 2, inward: I^a = I^A across a joint with given acceleration.
    ws.coordinates.pivots = {};
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        S* u = ws.articulated.u.data() + body.dof_index;
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const auto hand_on = [&](const auto& Ia, const Force<S>& p) {
                if (body.parent == 0) return;
                ws.articulated.IA[body.parent] += apply_inverse(ws.joints.X[i], Ia);
                ws.articulated.p[body.parent] +=
                    apply_inverse(ws.joints.X[i], p + Ia * ws.bodies.c[i]);
            };
            if (given[i] == Given::kAcceleration) {
                hand_on(ws.articulated.IA[i], ws.articulated.p[i]);
            } else {
                detail::factor_joint_inertia(ws, i, S_i, ws.articulated.IA[i]);
                for (int k = 0; k < S_i.dim(); ++k) {
                    const int c = body.v_index + k;
                    u[k] = tau[c] - detail::friction_at(ws, v, c) -
                           S_i.transpose_times(k, ws.articulated.p[i]);
                }
                detail::solve_joint_inertia(ws, i, S_i, u);
                const Force<S> p = ws.articulated.p[i] + detail::U_times(ws, i, S_i, u);
                detail::with_transmitted_inertia(ws, i, S_i, ws.articulated.IA[i],
                                                 [&](const auto& Ia) { hand_on(Ia, p); });
            }
        });
    }

    // Pass 3, outward: the missing accelerations and torques.
    ws.bodies.a[0] = {{}, -cast<S>(ws.gravity())};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        S* qdd = a + body.v_index;
        const Motion<S> moved = ws.joints.X[i] * ws.bodies.a[body.parent] + ws.bodies.c[i];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            if (given[i] == Given::kAcceleration) {
                ws.bodies.a[i] = moved;
                const Force<S> f = ws.articulated.IA[i] * moved + ws.articulated.p[i];
                for (int k = 0; k < S_i.dim(); ++k) {
                    const int c = body.v_index + k;
                    tau[c] = S_i.transpose_times(k, f) + S(ws.armature(c)) * qdd[k] +
                             detail::friction_at(ws, v, c);
                }
                return;
            }
            for (int k = 0; k < S_i.dim(); ++k)
                qdd[k] = dot(moved, ws.articulated.U[body.dof_index + k]);
            detail::solve_joint_inertia(ws, i, S_i, qdd);
            for (int k = 0; k < S_i.dim(); ++k)
                qdd[k] = ws.articulated.u[body.dof_index + k] - qdd[k];
            ws.bodies.a[i] = moved + S_i * qdd;
        });
    }
}

}  // namespace kernel
}  // namespace plucker
