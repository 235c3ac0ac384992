// The operational-space inertia of a frame: Λ = (J M⁻¹ Jᵀ)⁻¹, of 6 × 6. A force f on the frame, with no other torque,
// changes its acceleration by Λ⁻¹ f.
//
// Source: Khatib, A Unified Approach for Motion and Force Control of Robot Manipulators: The Operational Space Formulation,
// 1987. Departure: neither M nor M⁻¹ is formed. Each row of J is a torque, which the articulated bodies of
// inverse_mass_matrix.hpp turn into the acceleration M⁻¹ Jᵀ.
//
// Λ⁻¹ exists wherever M is regular, Λ only where the frame can move in all six directions. That is decided by the pivots of
// Λ⁻¹: what is left of a direction once the ones before it are taken out, relative to the whole. Rounding alone leaves a
// part of it, which M's condition enlarges, so the line is drawn at some times what M's own pivots are held to. It is drawn
// in the frame's own coordinates, where lengths are those of the robot's parts; Λ is expressed in others afterwards.
//
// Cost: O(n), seven times.
#pragma once

#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/algorithms/jacobian.hpp"

namespace plucker::kernel {

template <class S>
void inverse_operational_inertia(Workspace<S>& ws, const S* q, FrameId frame,
                                 ReferenceFrame reference, detail::MatrixView<S> Lambda_inv) {
    static_assert(sizeof(Force<S>) == 6 * sizeof(S));
    const int n = ws.model().nv();
    position_kinematics(ws, ws.passing_kinematics, q);
    const detail::MatrixView<S> J{reinterpret_cast<S*>(ws.coordinates.F.data()), 6};
    frame_jacobian(ws, ws.passing_kinematics, frame, reference, J);
    prepare_inverse_mass_matrix_times(ws, q);
    S* a = ws.coordinates.any.data();
    for (int c = 0; c < 6; ++c) {
        // a = M⁻¹ Jᵀ e_c
        for (int k = 0; k < n; ++k) a[k] = J(c, k);
        inverse_mass_matrix_times(ws, a);
        // Λ⁻¹ e_c = J a; what is above the diagonal is copied from below it.
        for (int r = c; r < 6; ++r) {
            S sum(0);
            for (int k = 0; k < n; ++k) sum += J(r, k) * a[k];
            Lambda_inv(r, c) = Lambda_inv(c, r) = sum;
        }
    }
}

// ᴿX ᶠ: from the frame's own coordinates to those of a reference.
template <class S>
Transform<S> X_reference_frame(const Workspace<S>& ws, FrameId frame, ReferenceFrame reference) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    return detail::X_reference_anchor(ws, kin, frame, reference) *
           inverse(detail::X_frame_anchor(ws, kin, frame));
}

template <class S>
void operational_inertia(Workspace<S>& ws, const S* q, FrameId frame, ReferenceFrame reference,
                         detail::MatrixView<S> Lambda) {
    inverse_operational_inertia(ws, q, frame, ReferenceFrame::kBody, Lambda);
    const auto factors = SmallCholesky<S>::factor(6, Lambda);
    for (int k = 0; k < 6; ++k) {
        ws.coordinates.pivots.note(kAtFrame, factors.D[k], S(64) * Lambda(k, k));
    }
    const Transform<S> X = X_reference_frame(ws, frame, reference);
    for (int c = 0; c < 6; ++c) {
        // The force that gives the frame the acceleration e_c of the reference: Λ e_c = ᴿX* Λ_F ᶠX e_c.
        S unit[6] = {S(0), S(0), S(0), S(0), S(0), S(0)};
        unit[c] = S(1);
        const Motion<S> a =
            apply_inverse(X, Motion<S>{{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}});
        S f[6] = {a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z};
        factors.solve(f);
        const Force<S> force = X * Force<S>{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
        Lambda.set_column(c, force);
    }
    for (int c = 0; c < 6; ++c) {
        for (int r = 0; r < c; ++r) Lambda(r, c) = Lambda(c, r);
    }
}

}  // namespace plucker::kernel
