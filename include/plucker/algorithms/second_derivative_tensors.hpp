// Second derivatives of inverse dynamics, of every torque: ∂²τ_p/∂x_m∂y_c in (q,q), (q,v), (v,v) and (q,a).
//
// What second_derivatives.hpp adds up for λᵀ τ, without the sums, since λ is a unit vector: l is J_p in subtree(p), and zero
// elsewhere. So L, P and R of a subtree in subtree(p) are its I J_p, 2Bᵀ J_p and rate of I along J_p; of one that subtree(p)
// is in, those of subtree(p). An entry is not zero only where p, m and c are on one way to the root. With m no farther from
// the root than c,
//
//     ∂²τ_p/∂q_m∂q_c = ψ̇_m · u_q + ψ̈_m · z + ψ_m · y_q        ∂²τ_p/∂v_m∂v_c = ψ_m · u_v
//     ∂²τ_p/∂q_m∂v_c = ψ̇_m · u_v + ψ_m · y_v                   ∂²τ_p/∂v_m∂q_c = ψ_m · u_q + (ψ̇_m + J̇_m) · z
//     ∂²τ_p/∂q_m∂a_c = ψ_m · y_a                               ∂²τ_p/∂a_m∂q_c = ψ_m · z
//
// where u, z and y are forces of the pair (p, c). If p carries c, a step along c changes F, B and I of subtree(c) alone:
//
//     u_x = 2B_xᵀ J_p      z = I_q J_p      y_x = -J_p ×* F_x if p carries m, too, since then the torque feels the step's turn
//
// with the slopes of subtree_slopes.hpp. Else c carries p, or is one of its own joint, and all that subtree(p) has turns with c:
//
//     u_q = ψ_c ×* P + V ψ̇_c      u_v = V ψ_c      z = ψ_c ×* L      V x = x ×* L - R x: 2Bᵀ J_p of (I, x)
//
// B's structure (spatial/coriolis_terms.hpp) leaves of each u the angular part alone. Within a joint whose freedoms move
// together, the axis of m turns with c by n = ψ_c × ψ_m, and forces that keep the world's axes add to y_q, as there.
//
// Source: Singh, Russell and Wensing, On Second-Order Derivatives of Rigid-Body Dynamics: Theory and Implementation, 2023,
// whose sums over subtrees these are. Departure: by torques instead of by steps, so that a torque's matrices are complete
// before those of the next; with the twelve numbers of B instead of 36, and vectors for pairs instead of matrices.
//
// Cost: O(n · depth²) operations, and 4 nv³ numbers, most of which are zero. Freedoms on a path are kept number by number, so
// that one vector instruction serves several of them.
#pragma once

#include <algorithm>
#include <limits>

#include "plucker/algorithms/second_derivatives.hpp"
#include "plucker/algorithms/subtree_slopes.hpp"

namespace plucker {
namespace kernel {

// The forces of a pair (p, c).
template <class S>
struct PairForces {
    Vec3<S> u_q, u_v;
    Force<S> z, y_q{}, y_v{}, y_a{};
    Force<S> held{};  // y_q's part that is felt by every torque
    Force<S> y_vv{};  // within a joint
};

// Of a joint whose freedoms move together, how the turn n of one's axis with another is felt by p: n · Q by (q, q), n · L by
// (v, v).
template <class S>
struct TurnOfAxes {
    Force<S> Q, L;

    // `N`, `P`, `L` of the joint's subtree or p's, whichever is smaller, and the body before the joint, which carries the axes:
    // ṅ = v × n, n̈ = a × n + v × ṅ.
    static TurnOfAxes of(const Force<S>& N, const Vec3<S>& P, const Force<S>& L, const Motion<S>& v,
                         const Motion<S>& a) {
        const Force<S> L_dot = cross_force(v, L);
        Force<S> Q = N - cross_force(a, L) + cross_force(v, L_dot);
        Q.angular -= cross(v.angular, P);
        return {Q, L};
    }
};

// The matrices of torque p: its entries along a path, from the root on.
template <class S>
class TorqueRow {
public:
    // Of freedom k of body i.
    TorqueRow(Workspace<S>& ws, const WorldKinematics<S>& kin, const Hessians<S>& H,
              bool some_are_held, int i, int k)
        : ws_(ws),
          kin_(kin),
          H_(H),
          some_are_held_(some_are_held),
          i_(i),
          p_(ws.body(i).dof_index + k) {
        const Motion<S>& J = kin.J[p_];
        L_ = ws.subtrees.I[i] * J;
        P_ = twice_transposed(ws.subtrees.B_christoffel[i], J).angular;
        if (some_are_held) N_ = transpose_times(ws.subtrees.held[i], J);
    }

    void add() {
        const int end = ws_.body(i_).subtree_end;
        ws_.path.end[0] = 0;
        for (int j = 1; j < end; ++j) {
            if (j < i_ && ws_.body(j).subtree_end <= i_) continue;  // not on the way to i
            extend_by(j);
            const auto& body = ws_.body(j);
            for (int c = body.dof_index; c < body.dof_index + body.nv; ++c) {
                if (carries(j, c)) {
                    PairForces<S> x = below(j, c);
                    add_pair(j, c, x, first_carried());
                } else {
                    PairForces<S> x = above(c);
                    add_pair(j, c, x, kNone);
                }
            }
        }
    }

private:
    static constexpr int kNone = std::numeric_limits<int>::max();
    // The freedoms m of a pair, as p and c see them.
    enum Others { kNotCarried, kCarried, kOfItsJoint };

    Workspace<S>& ws_;
    const WorldKinematics<S>& kin_;
    const Hessians<S>& H_;
    bool some_are_held_;
    int i_, p_;
    Force<S> L_, N_{};
    Vec3<S> P_;

    bool carries(int j, int c) const {
        return j > i_ || (j == i_ && c > p_ && !has_constant_subspace(ws_.body(j).joint));
    }
    // On the path.
    int first_carried() const {
        const auto& body = ws_.body(i_);
        const int of_joint = has_constant_subspace(body.joint) ? body.nv : p_ - body.dof_index + 1;
        return ws_.path.end[body.level - 1] + of_joint;
    }
    void extend_by(int j) const {
        const auto& body = ws_.body(j);
        PathScratch<S>& path = ws_.path;
        int at = path.end[body.level - 1];
        for (int k = 0; k < body.nv; ++k, ++at) {
            const int d = body.dof_index + k;
            path.coordinate[at] = body.v_index + k;
            PathBlock<S>& block = ws_.tangent.path[at / PathBlock<S>::kSize];
            const int lane = at % PathBlock<S>::kSize;
            block.psi.set(lane, kin_.J[d]);
            block.psi_dot.set(lane, ws_.tangent.psi_dot[d]);
            block.psi_ddot.set(lane, ws_.tangent.psi_ddot[d]);
            block.turned.set(lane, ws_.tangent.psi_dot[d] + kin_.J_dot[d]);
        }
        path.end[body.level] = at;
    }

    PairForces<S> below(int j, int c) const {
        const SubtreeSlopes<S>& by = ws_.tangent.slopes[c];
        const Vec3<S>& h = by.I_by_q.first_moment;
        const Motion<S>& J = kin_.J[p_];
        PairForces<S> x{
            twice_transposed(by.B_by_q, J).angular,
            twice_transposed(by.B_by_v, J).angular,
            {by.I_by_q.rotational * J.angular + cross(h, J.linear), cross(J.angular, h)},
            -cross_force(J, by.F_by_q),
            -cross_force(J, by.F_by_v),
            -cross_force(J, by.F_by_a)};
        if (some_are_held_) x.held = points_back(j, c);
        return x;
    }
    PairForces<S> above(int c) const {
        const Motion<S>&psi = kin_.J[c], &psi_dot = ws_.tangent.psi_dot[c];
        const Inertia<S>& R = ws_.tangent.slopes[p_].I_by_q;
        const auto along = [&](const Motion<S>& step) {
            return cross_force(step, L_).angular - R.rotational * step.angular -
                   cross(R.first_moment, step.linear);
        };
        PairForces<S> x{cross(psi.angular, P_) + along(psi_dot), along(psi), cross_force(psi, L_)};
        if (some_are_held_)
            x.held =
                points_back(i_, c) + transpose_times(ws_.subtrees.held[i_], cross(psi, kin_.J[p_]));
        return x;
    }
    Force<S> points_back(int j, int c) const {
        return {transpose_times(ws_.tangent.points[j].slope(kin_.J[c]), kin_.J[p_].angular), {}};
    }

    // Freedom c of body j: with all before it on the path, and with those of its own joint that move together with it, or
    // itself alone.
    void add_pair(int j, int c, PairForces<S>& x, int first_carried) const {
        const auto& body = ws_.body(j);
        const int column = body.v_index + c - body.dof_index;
        const bool together = has_constant_subspace(body.joint);
        const int joint = ws_.path.end[body.level - 1];
        const int before = together ? joint : joint + c - body.dof_index;
        const int split = std::min(before, first_carried);
        if (some_are_held_) {
            add_along<kCarried>({x.u_q, x.u_v, x.z, x.held}, column, 0, split);
            x.y_q += x.held;
        } else {
            add_along<kNotCarried>(x, column, 0, split);
        }
        add_along<kCarried>(x, column, split, before);
        if (together && body.nv > 1) {
            // n = ψ_c × ψ_m, and n · Q = -ψ_m · (ψ_c ×* Q).
            const TurnOfAxes<S> turn = turn_of_axes(j);
            x.y_q -= cross_force(kin_.J[c], turn.Q);
            x.y_vv = -cross_force(kin_.J[c], turn.L);
            add_along<kOfItsJoint>(x, column, joint, joint + body.nv);
        } else {
            add_itself(x, c, column);
        }
    }
    TurnOfAxes<S> turn_of_axes(int j) const {
        const int before = ws_.body(j).parent;
        const Motion<S>&v = kin_.v[before], &a = kin_.a[before];
        if (j <= i_) return TurnOfAxes<S>::of(N_, P_, L_, v, a);
        const Motion<S>& J = kin_.J[p_];
        Force<S> N = -cross_force(J, ws_.subtrees.f[j]);
        if (some_are_held_) N += transpose_times(ws_.subtrees.held[j], J);
        return TurnOfAxes<S>::of(N, twice_transposed(ws_.subtrees.B_christoffel[j], J).angular,
                                 ws_.subtrees.I[j] * J, v, a);
    }

    void add_itself(const PairForces<S>& x, int c, int column) const {
        const Motion<S>&psi = kin_.J[c], &psi_dot = ws_.tangent.psi_dot[c];
        H_.qq(column, column) +=
            dot(psi_dot.angular, x.u_q) + dot(ws_.tangent.psi_ddot[c], x.z) + dot(psi, x.y_q);
        H_.vv(column, column) += dot(psi.angular, x.u_v);
        H_.qv(column, column) += dot(psi_dot.angular, x.u_v) + dot(psi, x.y_v);
        H_.qa(column, column) += dot(psi, x.y_a);
    }
    // Freedoms first to last - 1 on the path, block by block.
    template <Others others>
    void add_along(const PairForces<S>& x, int column, int first, int last) const {
        constexpr int kSize = PathBlock<S>::kSize;
        while (first < last) {
            const PathBlock<S>& block = ws_.tangent.path[first / kSize];
            const int begin = first % kSize, end = std::min(kSize, begin + last - first);
            const int* row = ws_.path.coordinate.data() + first - begin;
            first += end - begin;
            S qq[kSize], qv[kSize], vq[kSize], vv[kSize], qa[kSize], aq[kSize];
            for (int k = 0; k < kSize; ++k) {
                const Motion<S> psi = block.psi[k], psi_dot = block.psi_dot[k];
                qq[k] = dot(psi_dot.angular, x.u_q) + dot(block.psi_ddot[k], x.z);
                qv[k] = dot(psi_dot.angular, x.u_v);
                vv[k] = dot(psi.angular, x.u_v);
                if constexpr (others != kNotCarried) {
                    qq[k] += dot(psi, x.y_q);
                    qv[k] += dot(psi, x.y_v);
                    qa[k] = dot(psi, x.y_a);
                }
                if constexpr (others == kOfItsJoint) {
                    vv[k] += dot(psi, x.y_vv);
                } else {
                    vq[k] = dot(psi.angular, x.u_q) + dot(block.turned[k], x.z);
                    aq[k] = dot(psi, x.z);
                }
            }
            const auto add = [&](const S* values, const detail::MatrixView<S>& to) {
                S* const out = &to(0, column);
                for (int k = begin; k < end; ++k) out[row[k]] += values[k];
            };
            const auto add_across = [&](const S* values, const detail::MatrixView<S>& to) {
                S* const out = &to(column, 0);
                for (int k = begin; k < end; ++k) out[row[k] * to.stride] += values[k];
            };
            add(qq, H_.qq);
            add(vv, H_.vv);
            add(qv, H_.qv);
            if constexpr (others != kNotCarried) add(qa, H_.qa);
            if constexpr (others == kOfItsJoint)
                continue;  // the other order is an entry of its own
            add_across(qq, H_.qq);
            add_across(vv, H_.vv);
            add_across(vq, H_.qv);
            add_across(aq, H_.qa);
        }
    }
};

// The matrices of each torque, side by side. Where `take_block` is given, each comes to the same place, and is taken away
// before the next.
template <class S>
void inverse_dynamics_second_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a,
                                         MaybeForces<S> external, const Hessians<S>& H,
                                         void (*take_block)(void* taker, int k), void* taker) {
    const int n = ws.model().nv();
    const WorldKinematics<S>& kin = ws.passing_kinematics;
    prepare_second_derivatives(ws, q, v, a);
    const bool some_are_held = sums_and_slopes(ws, kin, external);
    for (int r = 0; r < n; ++r) {
        const int first = take_block != nullptr ? 0 : r * n;
        const auto block = [&](const detail::MatrixView<S>& x) {
            return detail::MatrixView<S>{x.data + first * x.stride, x.stride};
        };
        const Hessians<S> of_torque{block(H.qq), block(H.qv), block(H.vv), block(H.qa)};
        of_torque.set_zero(n);
        // Several freedoms have one coordinate where joints mimic each other.
        for (int i = 1; i <= ws.num_bodies(); ++i) {
            const int k = r - ws.body(i).v_index;
            if (k < 0 || k >= ws.body(i).nv) continue;
            TorqueRow<S>(ws, kin, of_torque, some_are_held, i, k).add();
        }
        if (take_block != nullptr) take_block(taker, r);
    }
}

}  // namespace kernel
}  // namespace plucker
