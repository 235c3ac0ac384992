// The equations of the constraints beyond the tree: their errors e(q), the Jacobian J with ė = J v, and J̇ v.
//
// Every row between two frames is one spatial force f, about the anchor: a unit of the row pushes with f on body a and with
// -f on body b. By virtual work, with v_a and v_b the bodies' velocities there,
//
//     ė = f · (v_a - v_b),    ë = f · (a_a - a_b) + ḟ · (v_a - v_b).
//
// With the frames' origins p and axes R, and components in the axes of frame b:
//
//     moving along d     e = d · (p_a - p_b)              f = (p_a × d; d): d moves with b
//     distance           e = |p_a - p_b| - l              the same with d along p_a - p_b
//     turning, all       e = φ = log(R_bᵀ R_a)            f = (R_b J_l⁻ᵀ(φ) d; 0)
//     turning, two       e = the smallest turn that takes the free axis of b to that of a, across it
//     turning, one       e = -i_b · j_a, the sine of the angle by which a universal joint's two axes are not perpendicular
//
// so that errors are metres and radians, and J is the exact derivative at any error, not only at zero. The orientation's
// error is smooth up to half a turn. ḟ comes from dual numbers: the same lines, run with poses that move.
//
// A coupling is e = a - Σ c_k b^k in the joints' coordinates, with two torques in place of a force.
//
// Sources: Featherstone, Rigid Body Dynamics Algorithms, ch. 8; for J_l⁻¹, Sola et al., A micro Lie theory, eq. 146.
// Cost: O(depth) a row.
#pragma once

#include "plucker/algorithms/forward_kinematics.hpp"
#include "plucker/scalar/dual.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker {
namespace detail {

// The smallest turn of a unit vector z to a = (a_x, a_y, a_z): e = g (-a_y, a_x) with g = θ/sin θ, and dg/d(cos θ).
template <class S>
struct SwingRatios {
    S g, g_rate;
};
template <class S>
SwingRatios<S> swing_ratios(const Vec3<S>& a) {
    using std::atan2;
    using std::sqrt;
    const S s2 = a.x * a.x + a.y * a.y;
    const auto is_small = s2 < select(a.z > S(0), S(0.01), S(0));
    // asin(s)/s = Σ c_n s²ⁿ with c_n = c_{n-1} (2n-1)²/(2n (2n+1)); its derivative by cos θ is -cos θ Σ 2n c_n s²ⁿ⁻².
    S series(0), series_rate(0);
    constexpr int kTerms = 8;
    double c[kTerms + 1] = {1};
    for (int n = 1; n <= kTerms; ++n)
        c[n] = c[n - 1] * (2 * n - 1) * (2 * n - 1) / (2.0 * n * (2 * n + 1));
    for (int n = kTerms; n >= 1; --n) {
        series = (series + S(c[n])) * s2;
        series_rate = series_rate * s2 + S(2 * n * c[n]);
    }
    const S safe = select(is_small, S(1), s2);
    const S s = sqrt(safe);
    const S g = atan2(s, a.z) / s;
    return {select(is_small, S(1) + series, g),
            select(is_small, -a.z * series_rate, (a.z * g - S(1)) / safe)};
}

// The rows of a constraint between frames A and B (frame ← anchor): errors and forces.
template <class S>
void tie(const Constraint& c, const Transform<S>& A, const Transform<S>& B, S* error,
         Force<S>* force) {
    const Vec3<S> apart = A.r - B.r;
    if (c.kind == ConstraintKind::kDistance) {
        // Where the points coincide there is no direction: a force along x is as good as any.
        using std::sqrt;
        const S length2 = squared_norm(apart);
        const auto is_apart = length2 > S(0);
        const S length = sqrt(select(is_apart, length2, S(1)));
        const Vec3<S> d{select(is_apart, apart.x / length, S(1)), apart.y / length,
                        apart.z / length};
        error[0] = select(is_apart, length, S(0)) - S(c.distance);
        force[0] = force_at_point(d, A.r);
        return;
    }
    int row = 0;
    const auto turn = [&](const S& e, const Vec3<S>& axis_in_b) {
        error[row] = e;
        force[row++] = {transpose_times(B.E, axis_in_b), {}};
    };
    constexpr int kNext[] = {1, 2, 0};
    const int turns = int(c.axes[0]) + int(c.axes[1]) + int(c.axes[2]);
    // Axes of b in b, and of both in the world.
    const Vec3<S> unit[] = {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
    const Vec3<S> axes_a[] = {A.E.x, A.E.y, A.E.z}, axes_b[] = {B.E.x, B.E.y, B.E.z};
    if (turns == 3) {
        const Vec3<S> phi = logarithm(attitude_of(A.E * transpose(B.E)));
        const S e[] = {phi.x, phi.y, phi.z};
        for (int k = 0; k < 3; ++k) turn(e[k], differentiate_turning(-phi, unit[k]));
    } else if (turns == 2) {
        const int z = !c.axes[0] ? 0 : (!c.axes[1] ? 1 : 2);  // the free axis
        const int x = kNext[z], y = kNext[x];
        Vec3<S> a{dot(axes_b[x], axes_a[z]), dot(axes_b[y], axes_a[z]), dot(axes_b[z], axes_a[z])};
        // Turned right round there is no smallest turn: take the one about y, so that it is an error all the same.
        const S aside2 = a.x * a.x + a.y * a.y;
        a.x = select(aside2 < select(a.z < S(0), S(1e-24), S(0)), S(1e-12), a.x);
        const auto [g, g_rate] = swing_ratios(a);
        // ȧ = ω × a in ė_x = -ȧ_y g - a_y ġ and ė_y = ȧ_x g + a_x ġ, with ġ = g' ȧ_z.
        const auto about = [&](const S& wx, const S& wy, const S& wz) {
            return wx * unit[x] + wy * unit[y] + wz * unit[z];
        };
        const S cross_term = a.x * a.y * g_rate;
        for (int k = 0; k < 3; ++k) {
            if (k == x) turn(-a.y * g, about(a.z * g - a.y * a.y * g_rate, cross_term, -a.x * g));
            if (k == y) turn(a.x * g, about(cross_term, a.z * g - a.x * a.x * g_rate, -a.y * g));
        }
    } else if (turns == 1) {
        const int z = c.axes[0] ? 0 : (c.axes[1] ? 1 : 2);
        const int i = kNext[z], j = kNext[i];
        error[row] = -dot(axes_b[i], axes_a[j]);
        force[row++] = {cross(axes_b[i], axes_a[j]), {}};
    }
    for (int k = 0; k < 3; ++k) {
        if (!c.axes[static_cast<std::size_t>(3 + k)]) continue;
        error[row] = dot(axes_b[k], apart);
        force[row++] = force_at_point(axes_b[k], A.r);
    }
}

// A frame that moves with a body's velocity v, as dual numbers: axes turn by ω ×, the origin moves with the body.
template <class S>
Transform<Dual<S>> moving_frame(const Transform<S>& X, const Motion<S>& v) {
    const auto dual = [](const Vec3<S>& value, const Vec3<S>& rate) {
        return Vec3<Dual<S>>{Dual<S>(value.x, rate.x), Dual<S>(value.y, rate.y),
                             Dual<S>(value.z, rate.z)};
    };
    const auto axis = [&](const Vec3<S>& e) { return dual(e, cross(v.angular, e)); };
    return {{axis(X.E.x), axis(X.E.y), axis(X.E.z)}, dual(X.r, point_velocity(v, X.r))};
}

template <class S>
Transform<S> constraint_frame_a(const WorldKinematics<S>& kin, const Constraint& c) {
    return cast<S>(c.X_a_body) * kin.X[c.body_a];
}
template <class S>
Transform<S> constraint_frame_b(const WorldKinematics<S>& kin, const Constraint& c) {
    return cast<S>(c.X_b_body) * kin.X[c.body_b];
}

template <class S>
S coordinate_at(const JointCoordinate& joint, const S* x) {
    return S(joint.multiplier) * x[joint.q_index] + S(joint.offset);
}

// J̇ v summed along the way from a body to the root: its spatial acceleration if no coordinate accelerates.
template <class S>
Motion<S> bias_acceleration(const Workspace<S>& ws, const WorldKinematics<S>& kin, const S* v,
                            int body) {
    Motion<S> sum{};
    for (int i = body; i != 0; i = ws.body(i).parent) {
        const auto& b = ws.body(i);
        for (int k = 0; k < b.nv; ++k) sum += v[b.v_index + k] * kin.J_dot[b.dof_index + k];
    }
    return sum;
}

}  // namespace detail

namespace kernel {

// The most rows that one constraint has.
inline constexpr int kMostConstraintRows = 6;

// One constraint: its errors, and its rows as forces or torques. Needs position_kinematics.
template <class S>
void constraint_forces(const WorldKinematics<S>& kin, const S* q, const Constraint& c, S* error,
                       ConstraintRow<S>* rows) {
    if (c.kind == ConstraintKind::kCoupling) {
        // Σ c_k b^k and its derivative, by Horner's scheme.
        S value(0), slope(0);
        const S b = c.has_b ? detail::coordinate_at(c.b, q) : S(0);
        for (int k = 4; k >= 0; --k) {
            slope = slope * b + value;
            value = value * b + S(c.polynomial[static_cast<std::size_t>(k)]);
        }
        error[0] = detail::coordinate_at(c.a, q) - value;
        rows[0] = {};
        rows[0].v_a = c.a.v_index;
        rows[0].torque_a = S(c.a.multiplier);
        if (c.has_b) {
            rows[0].v_b = c.b.v_index;
            rows[0].torque_b = -slope * S(c.b.multiplier);
        }
        return;
    }
    Force<S> force[kMostConstraintRows];
    detail::tie(c, detail::constraint_frame_a(kin, c), detail::constraint_frame_b(kin, c), error,
                force);
    for (int r = 0; r < c.num_rows; ++r) {
        rows[r] = {};
        rows[r].body_a = c.body_a;
        rows[r].body_b = c.body_b;
        rows[r].force = force[r];
    }
}

// Rows as a matrix J of count × nv, which is written whole. Needs position_kinematics.
template <class S>
void jacobian_of_rows(const Workspace<S>& ws, const WorldKinematics<S>& kin,
                      const ConstraintRow<S>* rows, int count, detail::MatrixView<S> J) {
    J.set_zero(count, ws.model().nv());
    for (int r = 0; r < count; ++r) {
        const ConstraintRow<S>& row = rows[r];
        const auto add = [&](int i, const Force<S>& f) {
            const auto& body = ws.body(i);
            for (int k = 0; k < body.nv; ++k)
                J(r, body.v_index + k) += dot(f, kin.J[body.dof_index + k]);
        };
        // Up from both bodies to where their ways meet; beyond, the two forces cancel.
        int a = row.body_a, b = row.body_b;
        while (a != b) {
            if (a > b) {
                add(a, row.force);
                a = ws.body(a).parent;
            } else {
                add(b, -row.force);
                b = ws.body(b).parent;
            }
        }
        if (row.v_a >= 0) J(r, row.v_a) += row.torque_a;
        if (row.v_b >= 0) J(r, row.v_b) += row.torque_b;
    }
}

// One constraint: errors (num_rows) and J (num_rows × nv, written whole; ė = J v). Needs position_kinematics in `kin`.
template <class S>
void constraint_rows(Workspace<S>& ws, const WorldKinematics<S>& kin, const S* q,
                     const Constraint& c, S* error, detail::MatrixView<S> J) {
    ConstraintRow<S> rows[kMostConstraintRows];
    constraint_forces(kin, q, c, error, rows);
    jacobian_of_rows(ws, kin, rows, c.num_rows, J);
}

// One constraint: J̇ v (num_rows). Needs velocity_kinematics in `kin`, with the same v.
template <class S>
void constraint_bias(const Workspace<S>& ws, const WorldKinematics<S>& kin, const S* q, const S* v,
                     const Constraint& c, S* bias) {
    if (c.kind == ConstraintKind::kCoupling) {
        S curvature(0);
        const S b = c.has_b ? detail::coordinate_at(c.b, q) : S(0);
        for (int k = 4; k >= 2; --k)
            curvature = curvature * b + S(k * (k - 1) * c.polynomial[static_cast<std::size_t>(k)]);
        const S rate = c.has_b ? S(c.b.multiplier) * v[c.b.v_index] : S(0);
        bias[0] = -curvature * rate * rate;
        return;
    }
    // f · (a_a - a_b) + ḟ · (v_a - v_b)
    Dual<S> error[kMostConstraintRows];
    Force<Dual<S>> force[kMostConstraintRows];
    detail::tie(c, detail::moving_frame(detail::constraint_frame_a(kin, c), kin.v[c.body_a]),
                detail::moving_frame(detail::constraint_frame_b(kin, c), kin.v[c.body_b]), error,
                force);
    const Motion<S> v_ab = kin.v[c.body_a] - kin.v[c.body_b];
    const Motion<S> a_ab = detail::bias_acceleration(ws, kin, v, c.body_a) -
                           detail::bias_acceleration(ws, kin, v, c.body_b);
    for (int r = 0; r < c.num_rows; ++r) {
        const auto part = [&](auto&& of) {
            const Force<Dual<S>>& f = force[r];
            return Force<S>{{of(f.angular.x), of(f.angular.y), of(f.angular.z)},
                            {of(f.linear.x), of(f.linear.y), of(f.linear.z)}};
        };
        bias[r] = dot(part([](const Dual<S>& x) { return x.value; }), a_ab) +
                  dot(part([](const Dual<S>& x) { return x.derivative; }), v_ab);
    }
}

// All constraints of the model: errors, and rows as forces in ws.constraints.rows. Needs position_kinematics.
template <class S>
void all_constraint_forces(Workspace<S>& ws, const WorldKinematics<S>& kin, const S* q, S* error) {
    for (const Constraint& c : ws.model().constraints()) {
        constraint_forces(kin, q, c, error + c.first_row, ws.constraints.rows.data() + c.first_row);
    }
}

}  // namespace kernel
}  // namespace plucker
