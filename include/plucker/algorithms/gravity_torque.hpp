// G(q): the torque that holds the robot still.
//
// Newton–Euler (inverse_dynamics.hpp) with nothing moving: each body asks for -m g at its centre of mass. All that
// hangs on a joint weighs the same in every posture, so that only moments have to be summed. Cost: O(n), a third of the
// operations of inverse dynamics.
#pragma once

#include "plucker/algorithms/joint_pass.hpp"
#include "plucker/algorithms/operands.hpp"

namespace plucker {
namespace kernel {

// The step outward: -g in body i's coordinates, and its moment about the body's origin. `at` says where a body's
// quantities are kept.
template <class S, class At>
PLUCKER_ALWAYS_INLINE void carry_gravity(Workspace<S>& ws, int i, const At& at, const S* q) {
    const auto& body = ws.body(i);
    const Transform<S>& X = detail::joint_transform(ws, i, q, ws.joints.X[at(i)]);
    const Vec3<S> up = X.E * ws.bodies.turning[at(body.parent)].a;
    ws.bodies.turning[at(i)].a = up;
    ws.bodies.f[at(i)].angular = cross(cast<S>(body.inertia.first_moment), up);
}

// The step inward: τ_i += Sᵀ f_i, and the moment of f_i about the parent's origin.
template <class S, class At>
PLUCKER_ALWAYS_INLINE void carry_moment(Workspace<S>& ws, int i, const At& at, S* tau) {
    const auto& body = ws.body(i);
    const Transform<S>& X = ws.joints.X[at(i)];
    const S mass = S(body.subtree_mass);
    const Force<S> f{ws.bodies.f[at(i)].angular, mass * ws.bodies.turning[at(i)].a};
    detail::with_subspace(ws, i, [&](const auto& S_i) {
        for (int k = 0; k < S_i.dim(); ++k) tau[body.v_index + k] += S_i.transpose_times(k, f);
    });
    ws.bodies.f[at(body.parent)].angular += add_cross(transpose_times(X.E, f.angular), X.r,
                                                      mass * ws.bodies.turning[at(body.parent)].a);
}

// For many states at once in one walk, with one place per level of the tree.
template <class S>
void gravity_torque(Workspace<S>& ws, const S* q, S* tau) {
    detail::joint_angles(ws, q);
    for (int k = 0; k < ws.model().nv(); ++k) tau[k] = S(0);
    ws.bodies.turning[0].a = -cast<S>(ws.gravity());
    if constexpr (kManyStates<S>) {
        const auto at = [&](int i) { return ws.body(i).level; };
        detail::walk_tree(
            ws, [&](int i) { carry_gravity(ws, i, at, q); },
            [&](int i) { carry_moment(ws, i, at, tau); });
    } else {
        const auto at = [](int i) { return i; };
        for (int i = 1; i <= ws.num_bodies(); ++i) carry_gravity(ws, i, at, q);
        for (int i = ws.num_bodies(); i >= 1; --i) carry_moment(ws, i, at, tau);
    }
}

}  // namespace kernel
}  // namespace plucker
