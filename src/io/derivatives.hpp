// Derivatives of the dynamics, exact to rounding, by dual numbers: one run a coordinate.
#pragma once

#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/forward_dynamics.hpp"
#include "plucker/scalar/dual.hpp"

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

inline DynamicsDerivatives inverse_dynamics_derivatives(const Model& model,
                                                        const VectorX<double>& q,
                                                        const VectorX<double>& v,
                                                        const VectorX<double>& a) {
    const VectorX<Dual<double>> a_constant = a.cast<Dual<double>>();
    return derivatives(model, q, v, [&](auto& ws, const auto& q_k, const auto& v_k, auto& result) {
        inverse_dynamics(ws, q_k, v_k, a_constant, result);
    });
}

inline DynamicsDerivatives forward_dynamics_derivatives(const Model& model,
                                                        const VectorX<double>& q,
                                                        const VectorX<double>& v,
                                                        const VectorX<double>& tau) {
    const VectorX<Dual<double>> tau_constant = tau.cast<Dual<double>>();
    return derivatives(model, q, v, [&](auto& ws, const auto& q_k, const auto& v_k, auto& result) {
        forward_dynamics(ws, q_k, v_k, tau_constant, result);
    });
}

}  // namespace plucker::io
