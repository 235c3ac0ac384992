// Centroidal momentum: the robot's momentum about its centre of mass, along the world's axes; its
// matrix A_G with h_G = A_G v, and the rates of both.
//
// In fixed coordinates joint k's column is Iᶜ J, the momentum of the subtree it moves, and its rate is
// İᶜ J + Iᶜ J̇. Moving the moment's centre to the centre of mass, which itself moves with ċ, gives
// Ȧ_G = ᴳX* (Ȧ - (0; ċ) ×* A). Cost: O(n).
#pragma once

#include "plucker/algorithms/center_of_mass.hpp"

namespace plucker {
namespace kernel {

// Composite inertias about the anchor and, from velocity kinematics on, their rates.
template <class S>
void composite_inertias(Workspace<S>& ws, const WorldKinematics<S>& kin) {
    const bool rates = kin.level >= Kinematics::kVelocity;
    ws.I_anchor[0] = ws.I_rate[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        ws.I_anchor[i] = apply_inverse(kin.X[i], cast<S>(ws.body(i).inertia));
        if (rates) ws.I_rate[i] = inertia_rate(ws.I_anchor[i], kin.v[i]);
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const int parent = ws.body(i).parent;
        ws.I_anchor[parent] += ws.I_anchor[i];
        if (rates) ws.I_rate[parent] += ws.I_rate[i];
    }
}

// ᴳX_anchor, to the centre of mass along the world's axes. Needs composite_inertias.
template <class S>
Transform<S> X_centroid(const Workspace<S>& ws) {
    return Transform<S>::translation((S(1) / ws.I_anchor[0].mass) * ws.I_anchor[0].first_moment);
}

template <class S>
void centroidal_momentum_matrix(Workspace<S>& ws, detail::MatrixView<S> A) {
    const WorldKinematics<S>& kin = ws.kinematics;
    composite_inertias(ws, kin);
    const Transform<S> X_G = X_centroid(ws);
    A.set_zero(6, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int freedom, int i) {
        A.add_column(column, X_G * (ws.I_anchor[i] * kin.J[freedom]));
    });
}

template <class S>
void centroidal_momentum_matrix_rate(Workspace<S>& ws, detail::MatrixView<S> A_dot) {
    const WorldKinematics<S>& kin = ws.kinematics;
    composite_inertias(ws, kin);
    const Transform<S> X_G = X_centroid(ws);
    const Motion<S> v_G{{}, (S(1) / ws.I_anchor[0].mass) * ws.I_rate[0].first_moment};
    A_dot.set_zero(6, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int freedom, int i) {
        const Force<S> momentum = ws.I_anchor[i] * kin.J[freedom];
        const Force<S> rate = ws.I_rate[i] * kin.J[freedom] + ws.I_anchor[i] * kin.J_dot[freedom];
        A_dot.add_column(column, X_G * (rate - cross_force(v_G, momentum)));
    });
}

// Σ I v of all bodies, about the centre of mass.
template <class S>
Force<S> centroidal_momentum(Workspace<S>& ws) {
    const WorldKinematics<S>& kin = ws.kinematics;
    composite_inertias(ws, kin);
    Force<S> h{};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        h += apply_inverse(kin.X[i], cast<S>(ws.body(i).inertia) * (kin.X[i] * kin.v[i]));
    }
    return X_centroid(ws) * h;
}

template <class S>
Force<S> centroidal_momentum_rate(Workspace<S>& ws) {
    const WorldKinematics<S>& kin = ws.kinematics;
    composite_inertias(ws, kin);
    Force<S> rate{};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const Transform<S>& X = kin.X[i];
        rate += apply_inverse(
            X, equation_of_motion(cast<S>(ws.body(i).inertia), X * kin.a[i], X * kin.v[i]));
    }
    // The moment's centre moves along the momentum's own direction: its motion adds nothing.
    return X_centroid(ws) * rate;
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void centroidal_momentum_matrix(Workspace<double>& ws, detail::MatrixView<double> A);
void centroidal_momentum_matrix_rate(Workspace<double>& ws, detail::MatrixView<double> A_dot);

}  // namespace kernel

// h_G = (angular; linear). Needs forward_kinematics(ws, q, v).
template <class S>
Force<S> centroidal_momentum(Workspace<S>& ws) {
    detail::Door<S> door("centroidal_momentum", ws);
    door.needs(Kinematics::kVelocity);
    door.subtree(0);
    return door.opens() ? kernel::centroidal_momentum(ws) : detail::nan_like(Force<S>{});
}

// ḣ_G: by Newton and Euler, the sum of the external forces about the centre of mass. Needs
// forward_kinematics(ws, q, v, a).
template <class S>
Force<S> centroidal_momentum_rate(Workspace<S>& ws) {
    detail::Door<S> door("centroidal_momentum_rate", ws);
    door.needs(Kinematics::kAcceleration);
    door.subtree(0);
    return door.opens() ? kernel::centroidal_momentum_rate(ws) : detail::nan_like(Force<S>{});
}

// A_G (6 × nv). Needs forward_kinematics(ws, q).
template <class S>
Status centroidal_momentum_matrix(Workspace<S>& ws, MutableMatrix<S> A) {
    detail::Door<S> door("centroidal_momentum_matrix", ws);
    door.out("A", A, 6, ws.model().nv());
    door.needs(Kinematics::kPosition);
    door.subtree(0);
    if (door.opens()) kernel::centroidal_momentum_matrix(ws, detail::view(A));
    return door.status();
}
// Ȧ_G (6 × nv). Needs forward_kinematics(ws, q, v).
template <class S>
Status centroidal_momentum_matrix_rate(Workspace<S>& ws, MutableMatrix<S> A_dot) {
    detail::Door<S> door("centroidal_momentum_matrix_rate", ws);
    door.out("A_dot", A_dot, 6, ws.model().nv());
    door.needs(Kinematics::kVelocity);
    door.subtree(0);
    if (door.opens()) kernel::centroidal_momentum_matrix_rate(ws, detail::view(A_dot));
    return door.status();
}

template <class Q, class V>
auto centroidal_momentum(const Model& model, const Eigen::MatrixBase<Q>& q,
                         const Eigen::MatrixBase<V>& v) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived());
    return centroidal_momentum(ws);
}
template <class Q, class V, class A>
auto centroidal_momentum_rate(const Model& model, const Eigen::MatrixBase<Q>& q,
                              const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    forward_kinematics(ws, q.derived(), v.derived(), a.derived());
    return centroidal_momentum_rate(ws);
}
template <class Q>
auto centroidal_momentum_matrix(const Model& model, const Eigen::MatrixBase<Q>& q) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix6X<detail::ScalarOf<Q>> A(6, model.nv());
    forward_kinematics(ws, q.derived());
    centroidal_momentum_matrix(ws, A);
    return A;
}
template <class Q, class V>
auto centroidal_momentum_matrix_rate(const Model& model, const Eigen::MatrixBase<Q>& q,
                                     const Eigen::MatrixBase<V>& v) {
    Workspace<detail::ScalarOf<Q>> ws(model);
    Matrix6X<detail::ScalarOf<Q>> A_dot(6, model.nv());
    forward_kinematics(ws, q.derived(), v.derived());
    centroidal_momentum_matrix_rate(ws, A_dot);
    return A_dot;
}

}  // namespace plucker
