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
    ws.subtrees.I[0] = ws.subtrees.I_rate[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        ws.subtrees.I[i] = apply_inverse(kin.X[i], cast<S>(ws.body(i).inertia));
        if (rates) ws.subtrees.I_rate[i] = inertia_rate(ws.subtrees.I[i], kin.v[i]);
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const int parent = ws.body(i).parent;
        ws.subtrees.I[parent] += ws.subtrees.I[i];
        if (rates) ws.subtrees.I_rate[parent] += ws.subtrees.I_rate[i];
    }
}

// ᴳX_anchor, to the centre of mass along the world's axes. Needs composite_inertias.
template <class S>
Transform<S> X_centroid(const Workspace<S>& ws) {
    return Transform<S>::translation((S(1) / ws.subtrees.I[0].mass) *
                                     ws.subtrees.I[0].first_moment);
}

// Each composite inertia in its body's own coordinates, where a joint's axis picks numbers from it: only the columns, not
// the inertias, are turned to the world's axes.
template <class S>
void centroidal_momentum_matrix(Workspace<S>& ws, detail::MatrixView<S> A) {
    const WorldKinematics<S>& kin = ws.kinematics;
    for (int i = 1; i <= ws.num_bodies(); ++i) ws.bodies.Ic[i] = cast<S>(ws.body(i).inertia);
    Inertia<S> whole{};
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const int parent = ws.body(i).parent;
        if (parent == 0) {
            whole += apply_inverse(kin.X[i], ws.bodies.Ic[i]);
        } else {
            ws.bodies.Ic[parent] += apply_inverse(kin.X_parent[i], ws.bodies.Ic[i]);
        }
    }
    const Vec3<S> center = (S(1) / whole.mass) * whole.first_moment;
    A.set_zero(6, ws.model().nv());
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Transform<S> X_G{kin.X[i].E, kin.X[i].r - center};
        if (has_constant_subspace(body.joint)) {
            detail::with_subspace(ws, i, [&](const auto& S_i) {
                for (int k = 0; k < S_i.dim(); ++k) {
                    A.add_column(body.v_index + k,
                                 apply_inverse(X_G, S_i.inertia_times(k, ws.bodies.Ic[i])));
                }
            });
        } else {
            for (int k = 0; k < body.nv; ++k) {
                const Motion<S> axis = kin.X[i] * kin.J[body.dof_index + k];
                A.add_column(body.v_index + k, apply_inverse(X_G, ws.bodies.Ic[i] * axis));
            }
        }
    }
}

template <class S>
void centroidal_momentum_matrix_dot(Workspace<S>& ws, detail::MatrixView<S> A_dot) {
    const WorldKinematics<S>& kin = ws.kinematics;
    composite_inertias(ws, kin);
    const Transform<S> X_G = X_centroid(ws);
    const Motion<S> v_G{{}, (S(1) / ws.subtrees.I[0].mass) * ws.subtrees.I_rate[0].first_moment};
    A_dot.set_zero(6, ws.model().nv());
    for_each_moving_freedom(ws, 0, [&](int column, int freedom, int i) {
        const Force<S> momentum = ws.subtrees.I[i] * kin.J[freedom];
        const Force<S> rate =
            ws.subtrees.I_rate[i] * kin.J[freedom] + ws.subtrees.I[i] * kin.J_dot[freedom];
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
Force<S> centroidal_momentum_dot(Workspace<S>& ws) {
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

}  // namespace kernel
}  // namespace plucker
