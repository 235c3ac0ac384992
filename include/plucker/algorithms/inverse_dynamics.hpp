// Inverse dynamics by the recursive Newton–Euler algorithm (RNEA).
//
// Source: Featherstone, Short Course, "The Recursive Newton–Euler Algorithm"; external forces as in
// Forward Dynamics with Spatial Vectors, eqs 13–16. The listing itself stands in laws/newton_euler_listing.hpp, and a law
// holds this file to it.
//
// Departure: outward, the motion is not carried as spatial velocity (ω; v) and acceleration (α; a - ω × v) but as ω, α and
// the classical acceleration a of the body's origin (spatial/turning.hpp). The listing's force is
//
//     I a_i + v_i ×* I v_i = ( Ī α + h × (a - ω × v) + ω × (Ī ω + h × v) + v × (m v - h × ω);
//                              m (a - ω × v) - h × α + ω × (m v - h × ω) )
//
// with Ī the inertia about the origin and h = m c. Linear velocities cancel: m ω × v from the second line, and from the first
// -h × (ω × v) + ω × (h × v) - v × (h × ω) = 0, Jacobi's identity. What is left is Newton's and Euler's own equation,
//
//     n = Ī α + ω × Ī ω + h × a,      f = m a + Ω h,      Ω = α× + ω× ω×,
//
// and a point at r of the body, where a child hangs, accelerates with a + Ω r. No v is carried, and Ω serves both: three
// quarters of the operations. Gravity enters as an acceleration -g of the ground (eq. 21), joints may have several freedoms,
// and rotor inertia and friction are added in joint space.
//
// Cost: O(n).
#pragma once

#include "plucker/algorithms/joint_pass.hpp"
#include "plucker/algorithms/operands.hpp"

namespace plucker {
namespace kernel {

// The step outward: the motion of body i. `at` says where a body's quantities are kept.
template <class S, class At>
PLUCKER_ALWAYS_INLINE const TurningMotion<S>& carry_turning(Workspace<S>& ws, int i, const At& at,
                                                            const S* q, const S* v, const S* a) {
    const auto& body = ws.body(i);
    const Transform<S>& X = detail::joint_transform(ws, i, q, ws.joints.X[at(i)]);
    const TurningMotion<S>& parent = ws.bodies.turning[at(body.parent)];
    const Mat3<S> Omega = turning_acceleration(parent.w, parent.alpha);
    TurningMotion<S> motion{X.E * parent.w, X.E * parent.alpha,
                            X.E * add_times(parent.a, Omega, X.r)};
    detail::with_subspace(ws, i, [&](const auto& S_i) {
        S_i.add_motion(v + body.v_index, a + body.v_index, motion);
    });
    return ws.bodies.turning[at(i)] = motion;
}
// ... and the force that it takes.
template <class S, class At>
PLUCKER_ALWAYS_INLINE void carry_motion(Workspace<S>& ws, int i, const At& at, const S* q,
                                        const S* v, const S* a) {
    const TurningMotion<S>& motion = carry_turning(ws, i, at, q, v, a);
    ws.bodies.f[at(i)] = equation_of_motion(cast<S>(ws.body(i).inertia), motion);
}

// The step inward: τ_i += Sᵀ f_i,  f_λ += λX*_i f_i.
template <class S, class At>
PLUCKER_ALWAYS_INLINE void carry_force(Workspace<S>& ws, int i, const At& at, S* tau) {
    const auto& body = ws.body(i);
    const Force<S>& f = ws.bodies.f[at(i)];
    detail::with_subspace(ws, i, [&](const auto& S_i) {
        for (int k = 0; k < S_i.dim(); ++k) tau[body.v_index + k] += S_i.transpose_times(k, f);
    });
    ws.bodies.f[at(body.parent)] += apply_inverse(ws.joints.X[at(i)], f);
}

template <class S>
void begin_inverse_dynamics(Workspace<S>& ws, const S* q, const S* v, const S* a, S* tau) {
    const Model& model = ws.model();
    detail::joint_angles(ws, q);
    detail::subspace_rates(ws, v);
    ws.bodies.turning[0] = {{}, {}, -cast<S>(ws.gravity())};
    ws.bodies.f[0] = {};
    for (int k = 0; k < model.nv(); ++k) {
        tau[k] = S(ws.armature(k)) * a[k] + detail::friction_at(ws, v, k);
    }
}

// Leaves in ws.bodies.f the force across each joint, from the parent, in the body's frame, and in ws.bodies.f[0] all
// that the ground puts on the robot; in ws.joints.X the joints' transforms.
template <class S>
void inverse_dynamics_with_forces(Workspace<S>& ws, const S* q, const S* v, const S* a,
                                  MaybeForces<S> external, S* tau) {
    const auto at = [](int i) { return i; };
    begin_inverse_dynamics(ws, q, v, a, tau);
    for (int i = 1; i <= ws.num_bodies(); ++i) carry_motion(ws, i, at, q, v, a);
    detail::subtract_external_forces(ws, external, ws.bodies.f);
    for (int i = ws.num_bodies(); i >= 1; --i) carry_force(ws, i, at, tau);
}

// For many states at once, where only τ is asked for, in one walk with one place per level of the tree.
template <class S>
void inverse_dynamics(Workspace<S>& ws, const S* q, const S* v, const S* a, MaybeForces<S> external,
                      S* tau) {
    if (external != nullptr || !kManyStates<S>) {
        inverse_dynamics_with_forces(ws, q, v, a, external, tau);
        return;
    }
    const auto at = [&](int i) { return ws.body(i).level; };
    begin_inverse_dynamics(ws, q, v, a, tau);
    detail::walk_tree(
        ws, [&](int i) { carry_motion(ws, i, at, q, v, a); },
        [&](int i) { carry_force(ws, i, at, tau); });
}

template <class S>
void friction_torque(const Workspace<S>& ws, const S* v, S* tau) {
    for (int k = 0; k < ws.model().nv(); ++k) tau[k] = detail::friction_at(ws, v, k);
}

}  // namespace kernel
}  // namespace plucker
