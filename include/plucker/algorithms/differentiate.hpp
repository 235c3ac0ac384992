// Derivatives of any function: of the library's, of yours, of one made from both.
//
//     MatrixX<double> J = differentiate_along_tangent(
//         model, q, [&](const VectorX<Dual<double>>& q) { return center_of_mass(model, q); });
//
// The function is run on dual numbers, N directions per run, so the derivatives are exact to rounding. It may return a
// number or an Eigen vector or matrix of such; a matrix counts as one long vector, column by column. Derivatives by q are
// along the tangent, as `integrate` moves: nv columns, not nq. S may be a pack: then these are the derivatives of many
// states. For inverse and forward dynamics there are functions that are faster (table/derivatives.hpp).
#pragma once

#include "plucker/algorithms/table.hpp"
#include "plucker/scalar/dual.hpp"

namespace plucker {
namespace detail {

template <class S, int N>
constexpr int num_directions(const Dual<S, N>&) {
    return N;
}

// Puts the derivatives of y in N directions into columns first, first + 1, …
template <class S, int N>
void put_directions(const Dual<S, N>& y, long first, long columns, MatrixX<S>& out) {
    if (out.cols() != columns) out.resize(1, columns);
    for (int k = 0; k < N && first + k < columns; ++k) out(0, first + k) = y.along(k);
}
template <class Derived, class S>
void put_directions(const Eigen::MatrixBase<Derived>& y, long first, long columns,
                    MatrixX<S>& out) {
    const auto& values = y.eval();
    if (out.cols() != columns || out.rows() != values.size()) out.resize(values.size(), columns);
    for (long r = 0; r < values.size(); ++r) {
        const typename Derived::Scalar& entry = values(r % values.rows(), r / values.rows());
        for (int k = 0; k < num_directions(entry) && first + k < columns; ++k)
            out(r, first + k) = entry.along(k);
    }
}

// f of N steps at a time, each made by step(directions).
template <int N, class S, class Step, class F>
MatrixX<S> differentiate_in_steps(long columns, const Step& step, const F& f) {
    MatrixX<S> out;
    for (long first = 0; first < columns; first += N) {
        VectorX<Dual<S, N>> direction = VectorX<Dual<S, N>>::Constant(columns, Dual<S, N>(S(0)));
        for (int k = 0; k < N && first + k < columns; ++k) direction[first + k].along(k) = S(1);
        put_directions(f(step(direction)), first, columns, out);
    }
    return out;
}
template <int N, class S>
VectorX<Dual<S, N>> as_dual(const VectorX<S>& x) {
    VectorX<Dual<S, N>> out(x.size());
    for (long k = 0; k < x.size(); ++k) out[k] = Dual<S, N>(x[k]);
    return out;
}

}  // namespace detail

// ∂f/∂x of a function of a vector: one column per entry of x.
template <int N = 1, class S, class F>
MatrixX<S> differentiate(const VectorX<S>& x, const F& f) {
    const auto at = detail::as_dual<N>(x);
    return detail::differentiate_in_steps<N, S>(
        x.size(), [&](const auto& direction) { return (at + direction).eval(); }, f);
}

// ∂f/∂q of a function of the configuration, along the tangent: one column per coordinate of the velocity.
template <int N = 1, class S, class F>
MatrixX<S> differentiate_along_tangent(const Model& model, const VectorX<S>& q, const F& f) {
    const auto at = detail::as_dual<N>(q);
    return detail::differentiate_in_steps<N, S>(
        model.nv(), [&](const auto& direction) { return integrate(model, at, direction); }, f);
}

}  // namespace plucker
