// How the motion of the bodies changes with the configuration: what all derivatives by q begin with.
//
// A derivative by q is taken along the tangent, as `integrate` moves: in direction k, freedom k of joint j moves all of
// subtree(j) as one rigid body with its axis ψ_k, and nothing else. In fixed coordinates every vector of the subtree that
// belongs to it turns along, x ↦ ψ_k × x. What does not turn along is how the subtree is carried by the body λ before the
// joint. So, for each body i of the subtree,
//
//     ∂v_i/∂q_k = ψ_k × v_i + ψ̇_k                     ψ̇_k = v_λ × ψ_k
//     ∂a_i/∂q_k = ψ_k × a_i + ψ̇_k × v_i + ψ̈_k         ψ̈_k = a_λ × ψ_k + v_λ × ψ̇_k
//     ∂v_i/∂v_k = ψ_k
//     ∂a_i/∂v_k = ψ_k × v_i + ψ̇_k + J̇_k               J̇_k: the rate of the axis itself
//
// Two vectors per freedom, the same for the whole subtree: so sums over subtrees are all that derivatives need.
//
// Source: Singh, Russell and Wensing, Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector
// Algebra, 2022, eqs 19–33, whose symbols these are; here for joints whose freedoms do not commute as well. A joint whose
// axes move against each other (universal) is a sequence of freedoms, each of which is carried by the one before it.
//
// Cost: O(n).
#pragma once

#include "plucker/algorithms/forward_kinematics.hpp"

namespace plucker {
namespace kernel {

// ψ̇ and ψ̈ of every freedom, in ws.tangent. Needs acceleration_kinematics with these v and a or, where ψ̈ is of no use,
// velocity_kinematics and a = nullptr.
template <class S>
void tangent_kinematics(Workspace<S>& ws, const WorldKinematics<S>& kin, const S* v, const S* a) {
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        Motion<S> v_before = kin.v[body.parent];
        Motion<S> a_before = kin.a[body.parent];
        for (int k = 0; k < body.nv; ++k) {
            const int d = body.dof_index + k;
            const Motion<S>& psi = kin.J[d];
            const Motion<S> psi_dot = cross(v_before, psi);
            ws.tangent.psi_dot[d] = psi_dot;
            if (a != nullptr)
                ws.tangent.psi_ddot[d] = cross(a_before, psi) + cross(v_before, psi_dot);
            if (has_constant_subspace(body.joint)) continue;
            const S& v_k = v[body.v_index + k];
            v_before += v_k * psi;
            if (a != nullptr) a_before += a[body.v_index + k] * psi + v_k * psi_dot;
        }
    }
}

// Whether a step along freedom k of a joint turns the axis of freedom l of the same joint.
template <class T>
bool turns_along(const Body<T>& body, int k, int l) {
    return has_constant_subspace(body.joint) || l > k;
}

}  // namespace kernel
}  // namespace plucker
