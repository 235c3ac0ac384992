// Derivatives of the dynamics, exact to rounding, by dual numbers: one run a coordinate.
#pragma once

#include "plucker/algorithms/table.hpp"
#include "plucker/scalar/dual.hpp"
#include "state/state.hpp"

namespace plucker::io {

// With respect to a tangent step in q (integrate(q, dq)) and to v.
struct DynamicsDerivatives {
    MatrixX<double> dq, dv;
};

// f(ws, q, v) fills ws-sized output from dual q and v.
template <class F>
DynamicsDerivatives derivatives(const Model& model, const VectorX<double>& q,
                                const VectorX<double>& v, F&& f) {
    using D = Dual<double>;
    const int n = model.nv();
    DynamicsDerivatives out{MatrixX<double>(n, n), MatrixX<double>(n, n)};
    Workspace<D> ws(model);
    VectorX<D> result(n);
    const VectorX<D> q_constant = q.cast<D>();
    const VectorX<D> v_constant = v.cast<D>();
    VectorX<D> step = VectorX<D>::Constant(n, D(0));
    for (int k = 0; k < n; ++k) {
        step[k] = D(0, 1);
        f(ws, integrate(model, q_constant, step), v_constant, result);
        for (int r = 0; r < n; ++r) out.dq(r, k) = result[r].derivative;
        f(ws, q_constant, (v_constant + step).eval(), result);
        for (int r = 0; r < n; ++r) out.dv(r, k) = result[r].derivative;
        step[k] = D(0);
    }
    return out;
}

// At a state, its external forces included: where they are given along the world's axes or in the world, they turn and
// shift relative to the body as it moves.
inline DynamicsDerivatives inverse_dynamics_derivatives(const Model& model, const State& s) {
    const VectorX<Dual<double>> a = s.a.cast<Dual<double>>();
    const ExternalForces<Dual<double>> forces = s.forces<Dual<double>>(model);
    return derivatives(model, s.q, s.v, [&](auto& ws, const auto& q, const auto& v, auto& result) {
        inverse_dynamics(ws, q, v, a, &forces, result);
    });
}

inline DynamicsDerivatives forward_dynamics_derivatives(const Model& model, const State& s) {
    const VectorX<Dual<double>> tau = s.tau.cast<Dual<double>>();
    const ExternalForces<Dual<double>> forces = s.forces<Dual<double>>(model);
    return derivatives(model, s.q, s.v, [&](auto& ws, const auto& q, const auto& v, auto& result) {
        forward_dynamics(ws, q, v, tau, &forces, result);
    });
}

}  // namespace plucker::io
