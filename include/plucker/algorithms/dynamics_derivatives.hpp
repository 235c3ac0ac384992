// Derivatives of inverse and forward dynamics by q, v and a or τ.
//
// inverse_dynamics_derivatives: the torque of joint m is J_mᵀ F_m, with F_m the sum of f = I a + v ×* I v over subtree(m).
// With the derivatives of v and a (tangent_kinematics.hpp) those of a body's force are
//
//     ∂f/∂q_k = ψ_k ×* f + 2B ψ̇_k + I ψ̈_k
//     ∂f/∂v_k = 2B ψ_k + I (ψ̇_k + J̇_k)
//     ∂f/∂a_k = I ψ_k
//
// where 2B m = I (m × v) + m ×* I v + v ×* I m is the Coriolis matrix's own term (spatial/coriolis_terms.hpp). Everything is
// linear in I, B and f, so that subtrees are summed once. For freedom m on the way from freedom k to the root
//
//     ∂τ_m/∂q_k = J_mᵀ (ψ_k ×* F + 2B ψ̇_k + I ψ̈_k)        ∂τ_k/∂q_m = ψ̇_mᵀ (2Bᵀ J_k) + ψ̈_mᵀ (I J_k)
//     ∂τ_m/∂v_k = J_mᵀ (2B ψ_k + I (ψ̇_k + J̇_k))            ∂τ_k/∂v_m = ψ_mᵀ (2Bᵀ J_k) + (ψ̇_m + J̇_m)ᵀ (I J_k)
//     ∂τ_m/∂a_k = J_mᵀ I ψ_k = ∂τ_k/∂a_m
//
// all over subtree(k): for a step above it, subtree(k) turns as a whole, and torques inside of it do not notice. All other
// entries are zero. Rotors add to ∂/∂a, viscous friction to ∂/∂v; Coulomb's friction has slope zero. External forces that
// are given in the world's axes do not turn with their bodies (spatial/held_forces.hpp).
//
// Source: Singh, Russell and Wensing, Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra,
// 2022, Algorithm 1; first given, in other terms, by Carpentier and Mansard, Analytical Derivatives of Rigid Body Dynamics
// Algorithms, 2018. Departure: B has twelve numbers instead of 36.
//
// forward_dynamics_derivatives: inverse dynamics undoes forward dynamics, τ = ID(q, v, FD(q, v, τ)), so that
//
//     ∂a/∂q = -M⁻¹ ∂ID/∂q,    ∂a/∂v = -M⁻¹ ∂ID/∂v,    ∂a/∂τ = M⁻¹.
//
// Cost: O(n · depth), and O(n² · depth) for those of forward dynamics.
#pragma once

#include "plucker/algorithms/centroidal_momentum.hpp"
#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/algorithms/mass_matrix.hpp"
#include "plucker/algorithms/mass_matrix_factorization.hpp"
#include "plucker/algorithms/products_with_inverse.hpp"
#include "plucker/algorithms/tangent_kinematics.hpp"

namespace plucker {
namespace kernel {

// Of each body: its inertia, its B and the force that it takes, about the anchor; not summed over subtrees yet. Needs
// acceleration kinematics in which the ground accelerates upwards with gravity.
template <class S>
void equations_of_motion(Workspace<S>& ws, const WorldKinematics<S>& kin) {
    ws.subtrees.I[0] = {};
    ws.subtrees.B_christoffel[0] = {};
    ws.subtrees.f[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const Inertia<S> I = apply_inverse(kin.X[i], cast<S>(ws.body(i).inertia));
        ws.subtrees.I[i] = I;
        ws.subtrees.B_christoffel[i] = ChristoffelTerm<S>::of(I, kin.v[i]);
        ws.subtrees.f[i] =
            I * kin.a[i] + cross_force(kin.v[i], ws.subtrees.B_christoffel[i].momentum);
    }
}

// An external force about the anchor, in coordinates that may be turned (root_kinematics).
template <class S>
struct AnchoredForce {
    Force<S> force;
    Vec3<S> point;         // of one that is given along the world's axes: where it acts
    HeldForces<S> held{};  // what it lacks compared with one that turns with its body

    static AnchoredForce of(const Workspace<S>& ws, const WorldKinematics<S>& kin,
                            const typename ExternalForces<S>::Entry& entry) {
        const Transform<S> X = detail::X_frame_anchor(ws, kin, entry.frame);
        switch (entry.expressed_in) {
            case ReferenceFrame::kWorld: {
                const Force<S> force = apply_inverse(kin.X[0], entry.force);
                return {force, X.r, HeldForces<S>::in_world(force)};
            }
            case ReferenceFrame::kWorldAligned: {
                const Force<S> force =
                    apply_inverse(Transform<S>::rotation(kin.X[0].E), entry.force);
                return {apply_inverse(Transform<S>::translation(X.r), force), X.r,
                        HeldForces<S>::at_point(X.r, force)};
            }
            case ReferenceFrame::kBody:
                break;
        }
        return {apply_inverse(X, entry.force), X.r};
    }
};

// Takes the external forces from those on the bodies. Returns whether some of them do not turn with their bodies; then
// ws.subtrees.held has what these lack.
template <class S>
bool subtract_external_forces(Workspace<S>& ws, const WorldKinematics<S>& kin,
                              MaybeForces<S> external) {
    if (external == nullptr) return false;
    const bool some_are_held = external->need_poses();
    if (some_are_held) {
        for (int i = 0; i <= ws.num_bodies(); ++i) ws.subtrees.held[i] = {};
    }
    for (const auto& entry : external->entries()) {
        const auto x = AnchoredForce<S>::of(ws, kin, entry);
        ws.subtrees.f[entry.body] -= x.force;
        if (entry.expressed_in != ReferenceFrame::kBody) ws.subtrees.held[entry.body] += x.held;
    }
    return some_are_held;
}

template <class S>
void add_subtree_to_parent(Workspace<S>& ws, int i) {
    const int parent = ws.body(i).parent;
    ws.subtrees.I[parent] += ws.subtrees.I[i];
    ws.subtrees.B_christoffel[parent] += ws.subtrees.B_christoffel[i];
    ws.subtrees.f[parent] += ws.subtrees.f[i];
}

// What a step along a freedom changes of the force on its subtree, which is summed already.
template <class S>
struct ForceSlopes {
    Force<S> by_a;  // I ψ
    Force<S> by_v;  // 2B ψ + I (ψ̇ + J̇)
    Force<S> by_q;  // 2B ψ̇ + I ψ̈, without the turn
    Force<S> turn;  // ψ ×* F

    static ForceSlopes of(const Workspace<S>& ws, const WorldKinematics<S>& kin, int i, int d) {
        const Inertia<S>& I = ws.subtrees.I[i];
        const ChristoffelTerm<S>& B = ws.subtrees.B_christoffel[i];
        const Motion<S>& psi = kin.J[d];
        const Motion<S>& psi_dot = ws.tangent.psi_dot[d];
        return {I * psi, twice(B, psi) + I * (psi_dot + kin.J_dot[d]),
                twice(B, psi_dot) + I * ws.tangent.psi_ddot[d], cross_force(psi, ws.subtrees.f[i])};
    }
};

// Needs velocity kinematics at this v.
template <class S>
void torque_derivatives(Workspace<S>& ws, WorldKinematics<S>& kin, const S* v, const S* a,
                        MaybeForces<S> external, detail::MatrixView<S> dq, detail::MatrixView<S> dv,
                        detail::MatrixView<S> da) {
    const int n = ws.model().nv();
    acceleration_kinematics(ws, kin, v, a, acceleration_of_ground(ws, kin));
    tangent_kinematics(ws, kin, v, a);
    equations_of_motion(ws, kin);
    const bool some_are_held = subtract_external_forces(ws, kin, external);

    dq.set_zero(n, n);
    dv.set_zero(n, n);
    da.set_zero(n, n);
    for (int k = 0; k < n; ++k) {
        dv(k, k) = S(ws.damping(k));
        da(k, k) = S(ws.armature(k));
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k) {
            const int d = body.dof_index + k;
            const int column = body.v_index + k;
            ForceSlopes<S> slope = ForceSlopes<S>::of(ws, kin, i, d);
            const Force<S> back = twice_transposed(ws.subtrees.B_christoffel[i], kin.J[d]);
            Force<S> held_back{};
            if (some_are_held) {
                slope.by_q += ws.subtrees.held[i] * kin.J[d];
                held_back = transpose_times(ws.subtrees.held[i], kin.J[d]);
            }
            for (int l = 0; l < body.nv; ++l) {
                const Motion<S>& J = kin.J[body.dof_index + l];
                // Where the axis turns along with the force, its torque does not notice the turn.
                const Force<S> by_q =
                    turns_along(body, k, l) ? slope.by_q : slope.by_q + slope.turn;
                dq(body.v_index + l, column) += dot(J, by_q);
                dv(body.v_index + l, column) += dot(J, slope.by_v);
                da(body.v_index + l, column) += dot(J, slope.by_a);
            }
            const Force<S> by_q = slope.by_q + slope.turn;
            for (int j = body.parent; j != 0; j = ws.body(j).parent) {
                const auto& above = ws.body(j);
                for (int l = 0; l < above.nv; ++l) {
                    const int m = above.dof_index + l;
                    const int row = above.v_index + l;
                    const Motion<S>& J = kin.J[m];
                    const Motion<S>& psi_dot = ws.tangent.psi_dot[m];
                    const S inertia = dot(J, slope.by_a);
                    da(row, column) += inertia;
                    da(column, row) += inertia;
                    dv(row, column) += dot(J, slope.by_v);
                    dv(column, row) += dot(J, back) + dot(psi_dot + kin.J_dot[m], slope.by_a);
                    dq(row, column) += dot(J, by_q);
                    dq(column, row) += dot(psi_dot, back) + dot(ws.tangent.psi_ddot[m], slope.by_a);
                    if (some_are_held) dq(column, row) += dot(J, held_back);
                }
            }
        }
        add_subtree_to_parent(ws, i);
        if (some_are_held) ws.subtrees.held[body.parent] += ws.subtrees.held[i];
    }
}

template <class S>
void inverse_dynamics_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* a,
                                  MaybeForces<S> external, detail::MatrixView<S> dq,
                                  detail::MatrixView<S> dv, detail::MatrixView<S> da) {
    WorldKinematics<S>& kin = ws.passing_kinematics;
    root_kinematics(ws, kin, q);
    velocity_kinematics(ws, kin, v);
    torque_derivatives(ws, kin, v, a, external, dq, dv, da);
}

// a = M⁻¹ (τ - bias), in the same coordinates as the derivatives that follow, so that nothing is computed twice by code that
// is made from this. Leaves velocity kinematics, and M's factors in `M`.
template <class S>
void solve_forward_dynamics(Workspace<S>& ws, const S* q, const S* v, const S* tau,
                            MaybeForces<S> external, detail::MatrixView<S> M, S* a) {
    WorldKinematics<S>& kin = ws.passing_kinematics;
    root_kinematics(ws, kin, q);
    mass_matrix_from_kinematics(ws, kin, M);
    add_armature(ws, M);
    factor_mass_matrix(ws, M);
    velocity_kinematics(ws, kin, v);
    acceleration_kinematics(ws, kin, v, ws.coordinates.zero.data(),
                            acceleration_of_ground(ws, kin));
    equations_of_motion(ws, kin);
    subtract_external_forces(ws, kin, external);
    for (int k = 0; k < ws.model().nv(); ++k) a[k] = tau[k] - detail::friction_at(ws, v, k);
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        for (int k = 0; k < body.nv; ++k)
            a[body.v_index + k] -= dot(kin.J[body.dof_index + k], ws.subtrees.f[i]);
        ws.subtrees.f[body.parent] += ws.subtrees.f[i];
    }
    solve_with_factor<S>(ws, M, a);
}

template <class S>
void negate(detail::MatrixView<S> A, int n) {
    for (int c = 0; c < n; ++c) {
        for (int r = 0; r < n; ++r) A(r, c) = -A(r, c);
    }
}

// --- A base that floats. Of the columns of its six coordinates nine need no M⁻¹. ---
//
// Where it is makes no difference. If it is turned by δ, the robot turns along, and gravity, as seen from the base, turns
// the other way: all joints accelerate as before, and the base falls in another direction, ∂a/∂δ = g × δ. If it drifts, so
// does all the rest, and its spatial acceleration is less by ω × δ (Galilei). Whatever is tied to the world breaks this:
// friction or a rotor of the base, external forces in the world's axes.
template <class S>
bool has_free_base(const Workspace<S>& ws, MaybeForces<S> external) {
    const Model& model = ws.model();
    if (model.num_bodies() == 0 || model.body(1).joint != JointType::kFloating ||
        model.body(1).subtree_end != model.num_bodies() + 1)
        return false;
    for (std::size_t k = 0; k < 6; ++k) {
        if (model.damping()[k] != 0 || model.armature()[k] != 0) return false;
    }
    return external == nullptr || !external->need_poses();
}
// The columns of ∂a/∂q and ∂a/∂v that are so, with gravity and the angular velocity in the base's axes. Of ∂a/∂v the first three
// are left.
template <class S>
void free_base_columns(int n, const Vec3<S>& g, const Vec3<S>& w, detail::MatrixView<S> dq,
                       detail::MatrixView<S> dv) {
    for (int c = 0; c < 6; ++c) {
        for (int r = 0; r < n; ++r) {
            dq(r, c) = S(0);
            if (c >= 3) dv(r, c) = S(0);
        }
    }
    // Times the unit vectors.
    const auto set_cross = [](const detail::MatrixView<S>& A, int c, const Vec3<S>& x) {
        A(4, c) = x.z;
        A(5, c) = -x.y;
        A(3, c + 1) = -x.z;
        A(5, c + 1) = x.x;
        A(3, c + 2) = x.y;
        A(4, c + 2) = -x.x;
    };
    set_cross(dq, 0, g);
    set_cross(dv, 3, -w);
}

// -M⁻¹ A with fewer operations than products_with_inverse.hpp, but one after another: for numbers that are no numbers of the
// processor, and for programs.
//
// Column c has entries in the rows of the limb that c belongs to, and of what this hangs on. The limb is eliminated with M's
// factors, which leaves a right-hand side x on the way p from the limb to the root. Of all that is not the limb's, M⁻¹ x is then
// as if there were no limb: x has as many entries as p is long, six on a floating base, where solving would take as many as
// each row is deep. Back in the limb, row by row from the root, what is known last comes last.
template <class S>
class LimbSolver {
public:
    LimbSolver(Workspace<S>& ws, detail::MatrixView<const S> LD, detail::MatrixView<const S> Minv)
        : parent_(ws.model().coordinate_parent().data()),
          n_(ws.model().nv()),
          LD_(LD),
          Minv_(Minv),
          x_(ws.coordinates.any.data()) {}

    // Makes a column -M⁻¹ times what it was.
    void solve_column(int c, S* column) const {
        for (int r = 0; r < n_; ++r) {
            x_[r] = -column[r];
            column[r] = S(0);
        }
        int begin = head_of(c), end = end_of(begin);
        const int own_begin = begin, own_end = end;
        for (int i = end - 1; i >= begin; --i) eliminate(i);
        while (parent_[begin] >= 0) {
            const int p = parent_[begin];
            const int wider_begin = head_of(p), wider_end = end_of(wider_begin);
            for (int r = wider_begin; r < wider_end; ++r) {
                if (r < begin || r >= end) column[r] = sum_to<kInverse>(r, p, S(0), x_);
            }
            for (int i = p; i >= wider_begin; i = parent_[i]) eliminate(i);
            begin = wider_begin;
            end = wider_end;
        }
        for (int r = own_begin; r < own_end; ++r)
            column[r] = sum_to<kFactor>(r, parent_[r], x_[r] * (S(1) / LD_(r, r)), column);
    }

private:
    enum Matrix { kInverse, kFactor };

    const int* parent_;
    int n_;
    detail::MatrixView<const S> LD_, Minv_;
    S* x_;

    // The first coordinate on the way to the root such that the next one has other coordinates hanging on it.
    int head_of(int c) const {
        while (parent_[c] == c - 1 && c > 0 && end_of(c) == end_of(c - 1)) --c;
        return c;
    }
    // Of those that hang on a coordinate, and itself: they stand side by side.
    int end_of(int c) const {
        int end = c + 1;
        while (end < n_ && parent_[end] >= c) ++end;
        return end;
    }
    void eliminate(int i) const {
        for (int j = parent_[i]; j >= 0; j = parent_[j]) x_[j] -= LD_(j, i) * x_[i];
    }
    // What stands in row r and the columns from the root to p, times y, added to or, of the factor, taken from a number.
    template <Matrix matrix>
    S sum_to(int r, int p, const S& from, const S* y) const {
        if (p < 0) return from;
        const S sum = sum_to<matrix>(r, parent_[p], from, y);
        return matrix == kInverse ? sum + Minv_(p, r) * y[p] : sum - LD_(p, r) * y[p];
    }
};

template <class S>
void forward_dynamics_derivatives(Workspace<S>& ws, const S* q, const S* v, const S* tau,
                                  MaybeForces<S> external, detail::MatrixView<S> dq,
                                  detail::MatrixView<S> dv, detail::MatrixView<S> dtau) {
    S* a = ws.coordinates.any.data();
    solve_forward_dynamics(ws, q, v, tau, external, dtau, a);
    torque_derivatives(ws, ws.passing_kinematics, v, a, external, dq, dv, dtau);
    const bool free_base = has_free_base(ws, external);
    if (free_base) {
        const WorldKinematics<S>& kin = ws.passing_kinematics;
        free_base_columns<S>(ws.model().nv(), -kin.a[0].linear, kin.v[1].angular, dq, dv);
    }
    factor_mass_matrix(ws, dtau);
    // Many at once, in the processor's vectors, of which there are none of long double.
    if constexpr (std::is_floating_point_v<S> && sizeof(S) <= sizeof(double)) {
        invert_factors(ws, dtau);
        multiply_by_minus_inverse<S>(ws, dtau, free_base, dq, dv);
    } else {
        const int n = ws.model().nv();
        const detail::MatrixView<S> factors{ws.squares.first.data(), n};
        for (int c = 0; c < n; ++c) {
            for (int r = 0; r <= c; ++r) factors(r, c) = dtau(r, c);
        }
        invert_factors(ws, dtau);
        const LimbSolver<S> solver(ws, factors, dtau);
        for (int c = 0; c < n; ++c) {
            if (!free_base || c >= 6) solver.solve_column(c, &dq(0, c));
            if (!free_base || c < 3 || c >= 6) solver.solve_column(c, &dv(0, c));
        }
    }
}

}  // namespace kernel
}  // namespace plucker
