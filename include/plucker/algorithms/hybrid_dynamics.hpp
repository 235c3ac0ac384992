// Hybrid dynamics: some joints have given accelerations, the others given torques; find the rest.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §9.2, in its articulated-body form: the same
// three passes as forward dynamics, except that a joint with given acceleration is, for the bodies above
// it, a rigid connection with prescribed motion. Inverse dynamics (all given), forward dynamics (none given)
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
    detail::joint_angles(ws, q);
    detail::subspace_rates(ws, v);

    // Pass 1, outward: as in forward dynamics; a given acceleration joins c_i.
    ws.bodies.v[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        detail::start_articulated_body(ws, i, q, v, [&](const auto& S_i) {
            if (given[i] == Given::kAcceleration)
                ws.bodies.c[i] = ws.bodies.c[i] + S_i * (a + ws.body(i).v_index);
        });
    }
    detail::subtract_external_forces(ws, external, ws.articulated.p);

    // Pass 2, inward: I^a = I^A across a joint with given acceleration.
    ws.coordinates.pivots = {};
    for (int i = ws.num_bodies(); i >= 1; --i) {
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            if (given[i] == Given::kAcceleration) {
                detail::add_to_parent(ws, i, ws.articulated.IA[i], ws.articulated.p[i]);
            } else {
                detail::articulate(ws, i, S_i, v, tau);
            }
        });
    }

    // Pass 3, outward: the missing accelerations and torques.
    ws.bodies.a[0] = {{}, -cast<S>(ws.gravity())};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const Motion<S> moved = detail::acceleration_without_joint(ws, i);
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            if (given[i] == Given::kTorque) {
                detail::accelerate_joint(ws, i, S_i, moved, a);
                return;
            }
            ws.bodies.a[i] = moved;
            const Force<S> f = ws.articulated.IA[i] * moved + ws.articulated.p[i];
            for (int k = 0; k < S_i.dim(); ++k) {
                const int c = ws.body(i).v_index + k;
                tau[c] = S_i.transpose_times(k, f) + S(ws.armature(c)) * a[c] +
                         detail::friction_at(ws, v, c);
            }
        });
    }
}

}  // namespace kernel
}  // namespace plucker
