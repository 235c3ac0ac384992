// The joint-space mass matrix M(q).
//
// mass_matrix: by composite rigid bodies (CRBA), Featherstone, Rigid Body Dynamics Algorithms, §6.2:
// a unit acceleration of joint i alone accelerates the composite of its subtree; the force this needs
// acts at every joint on the way to the root.
//
// mass_matrix_by_inverse_dynamics: column by column from unit accelerations, Forward Dynamics with
// Spatial Vectors, eq. 11. Slower, and independent of the first: each checks the other.
//
// mass_matrix_times: M B without forming M.
//
// Cost: O(n · depth), O(n²), and O(n) a column. Rotor inertias are on the diagonal.
#pragma once

#include "plucker/algorithms/centroidal_momentum.hpp"
#include "plucker/algorithms/inverse_dynamics.hpp"

namespace plucker {
namespace kernel {

// In one set of coordinates, with J the joint axes: M_ji = J_jᵀ Iᶜ J_i, without rotors. Where joints mimic others, several
// bodies share a coordinate, and their shares add up. Needs position kinematics.
template <class S>
void mass_matrix_from_kinematics(Workspace<S>& ws, const WorldKinematics<S>& kin,
                                 detail::MatrixView<S> M) {
    M.set_zero(ws.model().nv(), ws.model().nv());
    composite_inertias(ws, kin);
    for (S& scale : ws.coordinates.pivot_scale) scale = S(0);
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            const int c = body.v_index + k;
            const Force<S> F = ws.subtrees.I[i] * kin.J[body.dof_index + k];
            ws.coordinates.pivot_scale[c] +=
                detail::axis_inertia_scale(kin.J[body.dof_index + k], ws.subtrees.I[i]);
            for (int l = 0; l < body.nv; ++l) {
                M(body.v_index + l, c) += dot(kin.J[body.dof_index + l], F);
            }
            for (int j = body.parent; j != 0; j = ws.body(j).parent) {
                const auto& above = ws.body(j);
                for (int l = 0; l < above.nv; ++l) {
                    const S entry = dot(kin.J[above.dof_index + l], F);
                    M(above.v_index + l, c) += entry;
                    M(c, above.v_index + l) += entry;
                }
            }
        }
    }
}

// The columns of joint i, whose composite is complete. Each body in its own coordinates: the force steps from body to
// body, on the way to the root. Calls set(j, k, M_jk), j ≤ k.
template <class S, class Set>
PLUCKER_ALWAYS_INLINE void mass_matrix_columns(Workspace<S>& ws, int i, const Set& set) {
    const auto& body = ws.body(i);
    detail::with_subspace(ws, i, [&](const auto& S_i) {
        for (int k = 0; k < S_i.dim(); ++k) {
            // F = Iᶜ S, M_ii = Sᵀ F
            const int c = body.v_index + k;
            Force<S> F = S_i.inertia_times(k, ws.bodies.Ic[body.level]);
            ws.coordinates.pivot_scale[c] = S_i.inertia_scale(k, ws.bodies.Ic[body.level]);
            for (int l = 0; l <= k; ++l) set(body.v_index + l, c, S_i.transpose_times(l, F));
            // F = λX*_j F, M_ji = S_jᵀ F
            int j = i;
            while (ws.body(j).parent != 0) {
                F = apply_inverse(ws.joints.X[ws.body(j).level], F);
                j = ws.body(j).parent;
                detail::with_subspace(ws, j, [&](const auto& S_j) {
                    const int first = ws.body(j).v_index;
                    for (int l = 0; l < S_j.dim(); ++l)
                        set(first + l, c, S_j.transpose_times(l, F));
                });
            }
        }
    });
}

// In one walk, with one place per level of the tree. Calls set for M_jk of each k and all the coordinates j that k hangs
// on: the upper triangle, but for its zeros.
template <class S, class Set>
PLUCKER_ALWAYS_INLINE void mass_matrix_entries(Workspace<S>& ws, const S* q, const Set& set) {
    detail::joint_angles(ws, q);
    detail::walk_tree(
        ws,
        [&](int i) {
            const int level = ws.body(i).level;
            detail::joint_transform(ws, i, q, ws.joints.X[level]);
            ws.bodies.Ic[level] = cast<S>(ws.body(i).inertia);
        },
        [&](int i) {
            mass_matrix_columns(ws, i, set);
            const int level = ws.body(i).level;
            if (level > 1)
                ws.bodies.Ic[level - 1] += apply_inverse(ws.joints.X[level], ws.bodies.Ic[level]);
        });
}

template <class S>
void add_armature(const Workspace<S>& ws, detail::MatrixView<S> M) {
    for (int k = 0; k < ws.model().nv(); ++k) M(k, k) += S(ws.armature(k));
}

// For those who need no more than these entries; all others stay as they are.
template <class S>
void upper_mass_matrix(Workspace<S>& ws, const S* q, detail::MatrixView<S> M) {
    mass_matrix_entries(ws, q, [&](int j, int k, const S& entry) { M(j, k) = entry; });
    add_armature(ws, M);
}

template <class S>
void mass_matrix(Workspace<S>& ws, const S* q, detail::MatrixView<S> M) {
    if (ws.model().has_mimic_joints()) {
        position_kinematics(ws, ws.passing_kinematics, q);
        mass_matrix_from_kinematics(ws, ws.passing_kinematics, M);
    } else {
        M.set_zero(ws.model().nv(), ws.model().nv());
        mass_matrix_entries(ws, q, [&](int j, int k, const S& entry) {
            M(j, k) = entry;
            M(k, j) = entry;
        });
    }
    add_armature(ws, M);
}

// H_i = ID(q, v, δ_i) - ID(q, v, 0).
template <class S>
void mass_matrix_by_inverse_dynamics(Workspace<S>& ws, const S* q, const S* v, S* bias,
                                     detail::MatrixView<S> H) {
    const int n = ws.model().nv();
    inverse_dynamics(ws, q, v, ws.coordinates.zero.data(), nullptr, bias);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) ws.coordinates.any[k] = S(k == i ? 1 : 0);
        inverse_dynamics(ws, q, v, ws.coordinates.any.data(), nullptr, &H(0, i));
        for (int k = 0; k < n; ++k) H(k, i) -= bias[k];
    }
}

// B = M B, column by column: Newton–Euler (inverse_dynamics.hpp) at rest and without gravity.
template <class S>
void mass_matrix_times(Workspace<S>& ws, const S* q, detail::MatrixView<S> B, int cols) {
    const auto at = [](int i) { return i; };
    detail::joint_angles(ws, q);
    detail::subspace_rates(ws, ws.coordinates.zero.data());
    for (int c = 0; c < cols; ++c) {
        S* x = B.data + c * B.stride;
        ws.bodies.turning[0] = {};
        ws.bodies.f[0] = {};
        for (int i = 1; i <= ws.num_bodies(); ++i)
            carry_motion(ws, i, at, q, ws.coordinates.zero.data(), x);
        for (int k = 0; k < ws.model().nv(); ++k) x[k] = S(ws.armature(k)) * x[k];
        for (int i = ws.num_bodies(); i >= 1; --i) carry_force(ws, i, at, x);
    }
}

}  // namespace kernel
}  // namespace plucker
