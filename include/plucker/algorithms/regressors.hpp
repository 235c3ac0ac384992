// Regressors: torques, momenta and energies as linear functions of the dynamic parameters π (model/dynamic_parameters.hpp).
//
//     torque_regressor          Y π = τ(q, v, a) of inverse_dynamics, without external forces
//     static_regressor          Y π = G(q)
//     momentum_regressor        Y π = M(q) v
//     momentum_bias_regressor   Y π = τ - d(M v)/dt = G + friction - Cᵀ v, which needs no acceleration
//     energy_regressor          Y π = (kinetic, potential) energy
//
// Source: Atkeson, An and Hollerbach, Estimation of Inertial Parameters of Manipulator Loads and Links, 1986. The force that
// moves a link is Newton–Euler's (inverse_dynamics.hpp), read as a function of the link's ten numbers:
//
//     n = Ī α + ω × Ī ω + h × a,      f = m a + Ω h.
//
// Departure: its ten columns are not carried down the tree, 60 numbers per step. Instead each axis s = (s_ω; s_v) on the way to
// the root is seen from the link, where the power of those columns along it has few terms:
//
//     m: s_v · a      h: a × s_ω + Ωᵀ s_v      Ī: the symmetric part, off the diagonal twice, of s_ω αᵀ + (s_ω × ω) ωᵀ
//
// Momentum is the same with v for a, ω× for Ω, ω for α and no ω, because I v is to v what I a is to a. For Cᵀ v = Σ J̇ᵀ I v
// (coriolis_matrix.hpp) the axes' rates take the axes' place.
//
// Cost: O(n · depth). Axes on a path are kept number by number, so that one vector instruction serves several of them.
#pragma once

#include "plucker/algorithms/centroidal_momentum.hpp"
#include "plucker/algorithms/inverse_dynamics.hpp"

namespace plucker {
namespace kernel {

// How a link moves, in its own coordinates, as its ten numbers feel it.
template <class S>
struct FeltMotion {
    Vec3<S> w, alpha, a;
    Mat3<S> Omega;

    // For the force: of the body's motion, seen from a link at X on it.
    static FeltMotion of_force(const Transform<S>& X, const TurningMotion<S>& body) {
        const Vec3<S> w = X.E * body.w, alpha = X.E * body.alpha;
        const Mat3<S> Omega = turning_acceleration(body.w, body.alpha);
        return {w, alpha, X.E * add_times(body.a, Omega, X.r), turning_acceleration(w, alpha)};
    }
    // For the momentum: of the link's velocity.
    static FeltMotion of_momentum(const Motion<S>& v) {
        return {{}, v.angular, v.linear, skew(v.angular)};
    }
};

// What the ten numbers of a link that moves so give along an axis: calls put(number, value).
template <class S, class Put>
PLUCKER_ALWAYS_INLINE void regressor_along(const FeltMotion<S>& motion, const Motion<S>& axis,
                                           const Put& put) {
    const auto& [w, alpha, a, Omega] = motion;
    const auto& [s_w, s_v] = axis;
    put(0, dot(s_v, a));
    const Vec3<S> h = cross(a, s_w) + transpose_times(Omega, s_v);
    put(1, h.x);
    put(2, h.y);
    put(3, h.z);
    const Vec3<S> u = cross(s_w, w);
    put(4, s_w.x * alpha.x + u.x * w.x);
    put(5, s_w.x * alpha.y + s_w.y * alpha.x + u.x * w.y + u.y * w.x);
    put(6, s_w.x * alpha.z + s_w.z * alpha.x + u.x * w.z + u.z * w.x);
    put(7, s_w.y * alpha.y + u.y * w.y);
    put(8, s_w.y * alpha.z + s_w.z * alpha.y + u.y * w.z + u.z * w.y);
    put(9, s_w.z * alpha.z + u.z * w.z);
}

// Appends the axes, or their rates, of body i to those on its way from the root. Bodies are visited depth first: what stands
// before is the parent's path.
template <class S>
PLUCKER_ALWAYS_INLINE void extend_path(PathScratch<S>& path, const Body<ParameterOf<S>>& body,
                                       const Array<Motion<S>>& axes) {
    const std::size_t length = path.coordinate.size();
    auto p = static_cast<std::size_t>(path.end[body.level - 1]);
    for (int k = 0; k < body.nv; ++k, ++p) {
        const Motion<S>& axis = axes[body.dof_index + k];
        path.coordinate[p] = body.v_index + k;
        path.axes[p] = axis.angular.x;
        path.axes[p + length] = axis.angular.y;
        path.axes[p + 2 * length] = axis.angular.z;
        path.axes[p + 3 * length] = axis.linear.x;
        path.axes[p + 4 * length] = axis.linear.y;
        path.axes[p + 5 * length] = axis.linear.z;
    }
    path.end[body.level] = static_cast<int>(p);
}

// The ten columns of a link at X from the anchor, along the n axes of its path: adds `factor` times them to Y. Of plain
// numbers in blocks, whose length the compiler knows: they become vectors.
template <class S>
PLUCKER_ALWAYS_INLINE void add_link_columns(const PathScratch<S>& path, int n,
                                            const Transform<S>& X, const FeltMotion<S>& motion,
                                            const S& factor, detail::MatrixView<S> Y) {
    constexpr int kBlock = PathScratch<S>::kBlock;
    const std::size_t length = path.coordinate.size();
    for (int first = 0; first < n; first += kBlock) {
        const S* x = path.axes.data() + first;
        S columns[kLinkParameters][kBlock];
        for (int p = 0; p < kBlock; ++p, ++x) {
            const Motion<S> axis = X * Motion<S>{{x[0], x[length], x[2 * length]},
                                                 {x[3 * length], x[4 * length], x[5 * length]}};
            regressor_along(motion, axis,
                            [&](int c, const S& value) { columns[c][p] = factor * value; });
        }
        const int* row = path.coordinate.data() + first;
        const int count = std::min(kBlock, n - first);
        for (int c = 0; c < kLinkParameters; ++c) {
            for (int p = 0; p < count; ++p) Y(row[p], c) += columns[c][p];
        }
    }
}

// Adds to Y the columns of all links, each with the motion felt(body, ᴸX_body, ᴸX_anchor), along the axes `axes`. Needs
// position_kinematics.
template <class S, class Felt>
PLUCKER_ALWAYS_INLINE void add_columns_of_links(Workspace<S>& ws, const Array<Motion<S>>& axes,
                                                const S& factor, const Felt& felt,
                                                detail::MatrixView<S> Y) {
    const auto links = ws.model().moving_links();
    const auto frames = ws.model().frames();
    PathScratch<S>& path = ws.path;
    path.end[0] = 0;
    int i = 0;
    for (const FrameId link : links) {
        const int body = frames[static_cast<std::size_t>(link.index())].body;
        while (i < body) extend_path(path, ws.body(++i), axes);
        const Transform<S> X_link_body = cast<S>(ws.X_frame_body(link));
        const Transform<S> X = X_link_body * ws.passing_kinematics.X[i];
        add_link_columns(path, path.end[ws.body(i).level], X, felt(i, X_link_body, X), factor, Y);
        Y.data += kLinkParameters * Y.stride;
    }
}

template <class S>
detail::MatrixView<S> columns_of_joints(const Workspace<S>& ws, detail::MatrixView<S> Y) {
    return {&Y(0, num_inertial_parameters(ws.model())), Y.stride};
}
template <class S>
void add_friction_columns(const Workspace<S>& ws, const S* v, detail::MatrixView<S> Y) {
    const int nv = ws.model().nv();
    for (int k = 0; k < nv; ++k) {
        columns_of_joints(ws, Y)(k, nv + k) = v[k];
        columns_of_joints(ws, Y)(k, 2 * nv + k) = sign(v[k]);
    }
}

template <class S>
void torque_regressor(Workspace<S>& ws, const S* q, const S* v, const S* a,
                      detail::MatrixView<S> Y) {
    const auto at = [](int i) { return i; };
    position_kinematics(ws, ws.passing_kinematics, q);
    detail::subspace_rates(ws, v);
    ws.bodies.turning[0] = {{}, {}, -cast<S>(ws.gravity())};
    for (int i = 1; i <= ws.num_bodies(); ++i) carry_turning(ws, i, at, q, v, a);
    Y.set_zero(ws.model().nv(), num_dynamic_parameters(ws.model()));
    add_columns_of_links(
        ws, ws.passing_kinematics.J, S(1),
        [&](int i, const Transform<S>& X_link_body, const Transform<S>&) {
            return FeltMotion<S>::of_force(X_link_body, ws.bodies.turning[i]);
        },
        Y);
    // τ = … + armature a + damping v + friction sign(v)
    for (int k = 0; k < ws.model().nv(); ++k) columns_of_joints(ws, Y)(k, k) = a[k];
    add_friction_columns(ws, v, Y);
}

// The force that holds a link still is that of an acceleration -g. Needs position_kinematics; adds to Y.
template <class S>
void add_static_columns(Workspace<S>& ws, detail::MatrixView<S> Y) {
    add_columns_of_links(
        ws, ws.passing_kinematics.J, S(1),
        [&](int, const Transform<S>&, const Transform<S>& X) {
            return FeltMotion<S>{{}, {}, X.E * -cast<S>(ws.gravity()), {}};
        },
        Y);
}
template <class S>
void static_regressor(Workspace<S>& ws, const S* q, detail::MatrixView<S> Y) {
    position_kinematics(ws, ws.passing_kinematics, q);
    Y.set_zero(ws.model().nv(), num_dynamic_parameters(ws.model()));
    add_static_columns(ws, Y);
}

// Σ axesᵀ I v. Needs velocity_kinematics; adds to Y.
template <class S>
void add_momentum_columns(Workspace<S>& ws, const Array<Motion<S>>& axes, const S& factor,
                          detail::MatrixView<S> Y) {
    add_columns_of_links(
        ws, axes, factor,
        [&](int i, const Transform<S>&, const Transform<S>& X) {
            return FeltMotion<S>::of_momentum(X * ws.passing_kinematics.v[i]);
        },
        Y);
}
// M v = Σ Jᵀ I v + armature v.
template <class S>
void momentum_regressor(Workspace<S>& ws, const S* q, const S* v, detail::MatrixView<S> Y) {
    position_kinematics(ws, ws.passing_kinematics, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    Y.set_zero(ws.model().nv(), num_dynamic_parameters(ws.model()));
    add_momentum_columns(ws, ws.passing_kinematics.J, S(1), Y);
    for (int k = 0; k < ws.model().nv(); ++k) columns_of_joints(ws, Y)(k, k) = v[k];
}
// d(M v)/dt = M a + C v + Cᵀ v, so τ - d(M v)/dt = G + friction - Σ J̇ᵀ I v.
template <class S>
void momentum_bias_regressor(Workspace<S>& ws, const S* q, const S* v, detail::MatrixView<S> Y) {
    position_kinematics(ws, ws.passing_kinematics, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    Y.set_zero(ws.model().nv(), num_dynamic_parameters(ws.model()));
    add_static_columns(ws, Y);
    add_momentum_columns(ws, ws.passing_kinematics.J_dot, S(-1), Y);
    add_friction_columns(ws, v, Y);
}

// Kinetic energy is half the momentum along the velocity itself; potential energy -g · (m p + R h) of a link at p.
template <class S>
void energy_regressor(Workspace<S>& ws, const S* q, const S* v, detail::MatrixView<S> Y) {
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    position_kinematics(ws, ws.passing_kinematics, q);
    velocity_kinematics(ws, ws.passing_kinematics, v);
    Y.set_zero(2, num_dynamic_parameters(ws.model()));
    const Vec3<S> g = cast<S>(ws.gravity());
    int first = 0;
    for (const FrameId link : ws.model().moving_links()) {
        const int i = ws.model().frame(link).body;
        const Transform<S> X = cast<S>(ws.X_frame_body(link)) * kin.X[i];
        const Motion<S> v_link = X * kin.v[i];
        regressor_along(FeltMotion<S>::of_momentum(v_link), v_link,
                        [&](int c, const S& x) { Y(0, first + c) = S(0.5) * x; });
        const Vec3<S> weight = X.E * -g;
        Y(1, first) = -dot(g, X.r + kin.anchor);
        Y(1, first + 1) = weight.x;
        Y(1, first + 2) = weight.y;
        Y(1, first + 3) = weight.z;
        first += kLinkParameters;
    }
    for (int k = 0; k < ws.model().nv(); ++k) Y(0, first + k) = S(0.5) * v[k] * v[k];
}

}  // namespace kernel
}  // namespace plucker
