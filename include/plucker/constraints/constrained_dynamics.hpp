// Dynamics under the model's constraints: closed loops, rods, gears.
//
//     M a + c = τ + Jᵀ λ,    J a + J̇ v = 0
//
// The articulated-body algorithm gives the free accelerations, G λ = -(J a_free + J̇ v) the forces λ (delassus.hpp,
// proximal.hpp), and the articulated-body algorithm again the accelerations due to λ. An impact, and the projections that
// remove the drift of a simulation, are the same system with another right-hand side:
//
//     impulse     v⁺ = v + M⁻¹ Jᵀ Λ with J v⁺ = -e J v
//     velocity    the same with e = 0: the smallest change of v, weighted by M, so that J v = 0
//     position    δ = M⁻¹ Jᵀ μ with J δ = -error, again until the error is gone
//
// J v = 0 makes the power of constraint forces, vᵀ Jᵀ λ, zero.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, ch. 8 and §11.4 (impulses). Departure: nothing assumes that rows are
// independent (proximal.hpp). Cost: O(n + m · depth) for the responses, O(m² · depth) for G, O(m³) to solve, for m rows.
#pragma once

#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/forward_dynamics.hpp"
#include "plucker/algorithms/function.hpp"
#include "plucker/constraints/delassus.hpp"
#include "plucker/constraints/proximal.hpp"

namespace plucker {
namespace kernel {

// Errors, rows and J of all constraints at q, in ws.constraints, with kinematics in ws.passing_kinematics.
template <class S>
void set_up_constraint_rows(Workspace<S>& ws, const S* q) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    auto& scratch = ws.constraints;
    const int m = ws.model().num_constraint_rows();
    position_kinematics(ws, ws.passing_kinematics, q);
    all_constraint_forces(ws, kin, q, scratch.error.data());
    jacobian_of_rows(ws, kin, scratch.rows.data(), m, detail::MatrixView<S>{scratch.J.data(), m});
}

// G, scaled and factored. Needs set_up_constraint_rows, and the articulated bodies at the same q.
template <class S>
void factor_constraints(Workspace<S>& ws) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    auto& scratch = ws.constraints;
    const int m = ws.model().num_constraint_rows();
    const detail::MatrixView<S> u{scratch.u.data(), m}, D_inv_u{scratch.D_inv_u.data(), m};
    const detail::MatrixView<S> G{scratch.G.data(), m}, factor{scratch.factor.data(), m};
    articulated_forces_about_anchor(ws, kin, scratch.U.data());
    row_responses(ws, kin, scratch.U.data(), scratch.rows.data(), m, u, D_inv_u,
                  scratch.noise.data());
    delassus_matrix<S>(ws, scratch.rows.data(), m, u, D_inv_u, G);
    prepare_proximal(m, G, scratch.noise.data(), scratch.scale.data(), factor);
}

// y + J x, by row.
template <class S>
void add_jacobian_times(const Workspace<S>& ws, const S* x, S* y) {
    const int m = ws.model().num_constraint_rows();
    const S* J = ws.constraints.J.data();
    for (int k = 0; k < ws.model().nv(); ++k) {
        for (int r = 0; r < m; ++r) y[r] += J[r + k * m] * x[k];
    }
}

// x + M⁻¹ Jᵀ λ with λ from G λ = target. Needs factor_constraints.
template <class S>
int respond_to_constraints(Workspace<S>& ws, const S* target, S* lambda, S* x) {
    auto& scratch = ws.constraints;
    const int m = ws.model().num_constraint_rows();
    const detail::MatrixView<const S> G{scratch.G.data(), m}, factor{scratch.factor.data(), m};
    const int steps = solve_proximal<S>(m, G, factor, scratch.scale.data(), target, lambda,
                                        scratch.residual.data());
    S* change = scratch.a.data();
    for (int k = 0; k < ws.model().nv(); ++k) {
        const S* J_k = scratch.J.data() + k * m;
        change[k] = S(0);
        for (int r = 0; r < m; ++r) change[k] += J_k[r] * lambda[r];
    }
    inverse_mass_matrix_times(ws, change);
    for (int k = 0; k < ws.model().nv(); ++k) x[k] += change[k];
    return steps;
}

// λ: one number per row, m of them.
template <class S>
int constrained_forward_dynamics(Workspace<S>& ws, const S* q, const S* v, const S* tau,
                                 MaybeForces<S> external, S* a, S* lambda) {
    forward_dynamics(ws, q, v, tau, external, a);
    const int m = ws.model().num_constraint_rows();
    if (m == 0) return 0;
    auto& scratch = ws.constraints;
    set_up_constraint_rows(ws, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    for (const Constraint& c : ws.model().constraints()) {
        constraint_bias(ws, ws.passing_kinematics, q, v, c, scratch.bias.data() + c.first_row);
    }
    factor_constraints(ws);
    // G λ = -(J a_free + J̇ v)
    for (int r = 0; r < m; ++r) scratch.target[r] = scratch.bias[r];
    add_jacobian_times(ws, a, scratch.target.data());
    for (int r = 0; r < m; ++r) scratch.target[r] = -scratch.target[r];
    return respond_to_constraints(ws, scratch.target.data(), lambda, a);
}

// In place: v becomes what it is after an impact of the constraints.
template <class S>
int constraint_impulse(Workspace<S>& ws, const S* q, const S& restitution, S* v, S* impulse) {
    prepare_inverse_mass_matrix_times(ws, q);
    const int m = ws.model().num_constraint_rows();
    if (m == 0) return 0;
    auto& scratch = ws.constraints;
    set_up_constraint_rows(ws, q);
    factor_constraints(ws);
    for (int r = 0; r < m; ++r) scratch.target[r] = S(0);
    add_jacobian_times(ws, v, scratch.target.data());
    for (int r = 0; r < m; ++r) scratch.target[r] *= -(S(1) + restitution);
    return respond_to_constraints(ws, scratch.target.data(), impulse, v);
}

}  // namespace kernel

// --- Calls in double, checked, without allocation -------------------------------------------------------
//
// What M must be, and how a call fails, is as in forward_dynamics (docs/contract.md).

// Accelerations a (nv) and forces λ, one number per constraint row (Model::num_constraint_rows). constraint_force makes forces
// on frames of them.
ConstraintReport constrained_forward_dynamics(Workspace<double>& ws, ConstVector<double> q,
                                              ConstVector<double> v, ConstVector<double> tau,
                                              MaybeForces<double> external, MutableVector<double> a,
                                              MutableVector<double> lambda);

struct ConstrainedAccelerations {
    ResultVector<double> a, lambda;
    ConstraintReport report;
};
ConstrainedAccelerations constrained_forward_dynamics(const Model& model, ConstVector<double> q,
                                                      ConstVector<double> v,
                                                      ConstVector<double> tau,
                                                      MaybeForces<double> external = nullptr);

// How both change with q (along the tangent, as `integrate` moves), with v, and with tau; nv columns each. A move of q or v that
// breaks constraints has a derivative only where the rows are independent: redundant ones then contradict each other. The
// same holds for how redundant rows share λ. By dual numbers, one direction per run, but ∂/∂τ by the factors of G.
struct ConstrainedDerivatives {
    ResultMatrix<double> da_dq, da_dv, da_dtau;                 // nv rows
    ResultMatrix<double> dlambda_dq, dlambda_dv, dlambda_dtau;  // num_constraint_rows rows
};
ConstrainedDerivatives constrained_forward_dynamics_derivatives(
    const Model& model, ConstVector<double> q, ConstVector<double> v, ConstVector<double> tau,
    MaybeForces<double> external = nullptr);

// The velocity v, replaced by what it is after the constraints have struck: J v⁺ = -restitution · J v. With restitution 1
// the kinetic energy stays. The impulse has one number per row.
ConstraintReport constraint_impulse(Workspace<double>& ws, ConstVector<double> q,
                                    double restitution, MutableVector<double> v,
                                    MutableVector<double> impulse);

// The velocity nearest to v, in the norm of M, that the constraints allow.
ConstraintReport project_velocity(Workspace<double>& ws, ConstVector<double> q,
                                  MutableVector<double> v);

// Takes a small error of the constraints out of q, by the smallest steps in the norm of M: the drift of a simulation. From a
// rough guess: close_loops. It stops when the largest error, m or rad, is no more than the tolerance or no longer shrinks,
// which the report tells; a step that would make it larger is not taken.
ConstraintReport project_configuration(Workspace<double>& ws, MutableVector<double> q,
                                       double tolerance = 1e-13);

// The force that constraint number k (Model::constraint_index) puts on the body of its frame a, at that frame, with λ of a
// call above at this q; as much acts on the body of frame b the other way. A coupling has torques instead, and is refused.
Force<double> constraint_force(Workspace<double>& ws, ConstVector<double> q, int k,
                               ConstVector<double> lambda, ReferenceFrame reference);

// --- The equations themselves ---
//
// They return their results, in memory of their own. Of a workspace that reports, results are NaN where a call fails.

ResultVector<double> constraint_errors(Workspace<double>& ws, ConstVector<double> q);
ResultVector<double> constraint_errors(const Model& model, ConstVector<double> q);
ResultMatrix<double> constraint_jacobian(Workspace<double>& ws, ConstVector<double> q);
ResultMatrix<double> constraint_jacobian(const Model& model, ConstVector<double> q);
// J̇ v.
ResultVector<double> constraint_bias(Workspace<double>& ws, ConstVector<double> q,
                                     ConstVector<double> v);
ResultVector<double> constraint_bias(const Model& model, ConstVector<double> q,
                                     ConstVector<double> v);
// G = J M⁻¹ Jᵀ.
ResultMatrix<double> delassus_matrix(Workspace<double>& ws, ConstVector<double> q);
ResultMatrix<double> delassus_matrix(const Model& model, ConstVector<double> q);
// The inverse inertia that several frames show together, 6k × 6k: what a force on one does to the acceleration of another.
ResultMatrix<double> inverse_inertia_of_frames(Workspace<double>& ws, ConstVector<double> q,
                                               std::span<const FrameId> frames,
                                               ReferenceFrame reference = ReferenceFrame::kBody);
ResultMatrix<double> inverse_inertia_of_frames(const Model& model, ConstVector<double> q,
                                               std::span<const FrameId> frames,
                                               ReferenceFrame reference = ReferenceFrame::kBody);

// Whether a function of the table relates torques with accelerations, and so leaves out Jᵀ λ: its results are those of the
// tree without its constraints. What tells of positions and velocities, and the terms M and c, are the same with them.
bool leaves_out_constraints(const Algorithm& row);

}  // namespace plucker
