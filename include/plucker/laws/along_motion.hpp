// Time derivatives of anything, exactly: run it on dual numbers along the motion.
#pragma once

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/report.hpp"
#include "plucker/scalar/dual.hpp"

namespace plucker::laws {

// The state an instant ε later: q ⊕ ε v, v + ε a.
template <class S>
State<Dual<S>> moving(const Model& model, const State<S>& s) {
    const auto with_rate = [](const VectorX<S>& x, const VectorX<S>& rate) {
        VectorX<Dual<S>> out(x.size());
        for (long k = 0; k < x.size(); ++k) out[k] = Dual<S>(x[k], rate[k]);
        return out;
    };
    const VectorX<S> zero_q = zeros<S>(model.nq());
    const VectorX<S> zero_v = zeros<S>(model.nv());
    return {integrate(model, with_rate(s.q, zero_q), with_rate(zero_v, s.v)), with_rate(s.v, s.a),
            with_rate(s.a, zero_v), with_rate(s.tau, zero_v)};
}

// The rates of a matrix that was computed from a moving state.
template <Stored Matrix>
auto rate_of(const Matrix& m) {
    using S = decltype(Matrix::Scalar::derivative);
    auto out = make_result<S>(m, m);
    const Entries<typename Matrix::Scalar> entries(m);
    for (long c = 0; c < m.cols(); ++c) {
        for (long r = 0; r < m.rows(); ++r) out(r, c) = entries(r, c).derivative;
    }
    return out;
}

}  // namespace plucker::laws
