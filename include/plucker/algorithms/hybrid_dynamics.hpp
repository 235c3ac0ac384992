// Hybrid dynamics: some joints have given accelerations, the others given torques; find the rest.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §9.2, in its articulated-body form: the same
// three passes as forward dynamics, except that a joint with given acceleration is, to what lies above
// it, a rigid connection that moves as told. Inverse dynamics (all given), forward dynamics (none given)
// and floating-base inverse dynamics (all but the base given) are special cases. Cost: O(n).
//
// A model with mimic joints is solved through its mass matrix instead (see forward_dynamics.hpp).
#pragma once

#include <span>
#include <vector>

#include "plucker/algorithms/forward_dynamics.hpp"

namespace plucker {

// What is given of a joint. A list of these has one entry a body, and an unused entry 0.
enum class Given : unsigned char { kTorque, kAcceleration };

// The list in which the named joints have given accelerations. A joint that mimics another has none of its own.
std::vector<Given> given_accelerations(const Model& model, const std::vector<std::string>& joints);

namespace detail {

// The first joint in the list that cannot have a given acceleration: one that mimics another; 0: none.
int first_given_mimic(const Model& model, std::span<const Given> given);
Error given_mimic(const char* function, const Model& model, int joint);

}  // namespace detail

namespace kernel {

template <class S>
void hybrid_dynamics_by_mass_matrix(Workspace<S>& ws, const S* q, const S* v, const Given* given,
                                    MaybeForces<S> external, S* a, S* tau) {
    const int n = ws.model().nv();
    const detail::MatrixView<S> M{ws.M.data(), n};
    S* rhs = ws.coordinates.data();
    inverse_dynamics(ws, q, v, ws.zero.data(), external, rhs);
    mass_matrix(ws, q, M);
    for (int k = 0; k < n; ++k) rhs[k] = tau[k] - rhs[k];
    // Rows of given coordinates become a_k = a_k, and their columns move to the right-hand side.
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        if (given[i] == Given::kTorque) continue;
        for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
            for (int r = 0; r < n; ++r) {
                rhs[r] -= M(r, k) * a[k];
                M(r, k) = M(k, r) = S(0);
            }
            M(k, k) = S(1);
        }
    }
    // Only now, when no later column can change them:
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        if (given[i] == Given::kTorque) continue;
        for (int k = body.v_index; k < body.v_index + body.nv; ++k) rhs[k] = a[k];
    }
    factor_mass_matrix(ws, M);
    solve_with_factor<S>(ws, M, rhs);
    for (int k = 0; k < n; ++k) a[k] = rhs[k];
    inverse_dynamics(ws, q, v, a, external, tau);
}

// In and out: a and tau of every joint; the one that is given is read, the other is written.
template <class S>
void hybrid_dynamics(Workspace<S>& ws, const S* q, const S* v, const Given* given,
                     MaybeForces<S> external, S* a, S* tau) {
    const Model& model = ws.model();
    if (model.has_mimic_joints()) {
        hybrid_dynamics_by_mass_matrix(ws, q, v, given, external, a, tau);
        return;
    }
    detail::joint_transforms(ws, q);
    detail::subspace_rates(ws, v);

    // Pass 1, outward: as in forward dynamics; a given acceleration joins c_i.
    ws.v[0] = {};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        const Inertia<S> I = cast<S>(body.inertia);
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const S* v_q = v + body.v_index;
            const auto v_J = S_i * v_q;
            ws.v[i] = ws.X[i] * ws.v[body.parent] + v_J;
            ws.c[i] = detail::add_bias(cross(ws.v[i], v_J), S_i, v_q);
            if (given[i] == Given::kAcceleration) ws.c[i] = ws.c[i] + S_i * (a + body.v_index);
        });
        ws.IA[i] = ArticulatedInertia<S>(I);
        ws.p[i] = cross_force(ws.v[i], I * ws.v[i]);
    }
    detail::subtract_external_forces(ws, external, ws.p);

    // Pass 2, inward: I^a = I^A across a joint with given acceleration.
    ws.pivots = {};
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        S* u = ws.u.data() + body.dof_index;
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            const auto hand_on = [&](const auto& Ia, const Force<S>& p) {
                if (body.parent == 0) return;
                ws.IA[body.parent] += apply_inverse(ws.X[i], Ia);
                ws.p[body.parent] += apply_inverse(ws.X[i], p + Ia * ws.c[i]);
            };
            if (given[i] == Given::kAcceleration) {
                hand_on(ws.IA[i], ws.p[i]);
            } else {
                detail::factor_joint_inertia(ws, i, S_i, ws.IA[i]);
                for (int k = 0; k < S_i.dim(); ++k) {
                    const int c = body.v_index + k;
                    u[k] = tau[c] - detail::friction_at(ws, v, c) - S_i.transpose_times(k, ws.p[i]);
                }
                detail::solve_joint_inertia(ws, i, S_i, u);
                const Force<S> p = ws.p[i] + detail::U_times(ws, i, S_i, u);
                detail::with_transmitted_inertia(ws, i, S_i, ws.IA[i],
                                                 [&](const auto& Ia) { hand_on(Ia, p); });
            }
        });
    }

    // Pass 3, outward: the missing accelerations and torques.
    ws.a[0] = {{}, -cast<S>(ws.gravity())};
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        S* qdd = a + body.v_index;
        const Motion<S> moved = ws.X[i] * ws.a[body.parent] + ws.c[i];
        detail::with_subspace(ws, i, [&](const auto& S_i) {
            if (given[i] == Given::kAcceleration) {
                ws.a[i] = moved;
                const Force<S> f = ws.IA[i] * moved + ws.p[i];
                for (int k = 0; k < S_i.dim(); ++k) {
                    const int c = body.v_index + k;
                    tau[c] = S_i.transpose_times(k, f) + S(ws.armature(c)) * qdd[k] +
                             detail::friction_at(ws, v, c);
                }
                return;
            }
            for (int k = 0; k < S_i.dim(); ++k) qdd[k] = dot(moved, ws.U[body.dof_index + k]);
            detail::solve_joint_inertia(ws, i, S_i, qdd);
            for (int k = 0; k < S_i.dim(); ++k) qdd[k] = ws.u[body.dof_index + k] - qdd[k];
            ws.a[i] = moved + S_i * qdd;
        });
    }
}

// In double: compiled in the library, for each instruction set (src/algorithms/compiled.cpp).
void hybrid_dynamics(Workspace<double>& ws, const double* q, const double* v, const Given* given,
                     MaybeForces<double> external, double* a, double* tau);

}  // namespace kernel

// a and tau are read where they are given, and written where they are not.
template <class S>
Status hybrid_dynamics(Workspace<S>& ws, ConstVector<S> q, ConstVector<S> v,
                       std::span<const Given> given, MaybeForces<S> external, MutableVector<S> a,
                       MutableVector<S> tau) {
    detail::Door<S> door("hybrid_dynamics", ws);
    door.out("a", a);
    door.out("tau", tau);
    const S* q_in = door.q(q);
    const S* v_in = door.in("v", v);
    if (static_cast<int>(given.size()) != ws.num_bodies() + 1) {
        door.fail(Status::kMisuse, [&] {
            return wrong_size("hybrid_dynamics", "given", static_cast<long>(given.size()),
                              ws.num_bodies() + 1, "one entry a body, and entry 0");
        });
    } else if (const int joint = detail::first_given_mimic(ws.model(), given); joint != 0) {
        door.fail(Status::kMisuse,
                  [&] { return detail::given_mimic("hybrid_dynamics", ws.model(), joint); });
    }
    door.forces(external);
    if (!door.opens()) return door.status();
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        if (body.mimic) continue;
        const bool acceleration = given[static_cast<std::size_t>(i)] == Given::kAcceleration;
        door.read(acceleration ? "a" : "tau", (acceleration ? a : tau).data(), body.v_index,
                  body.nv);
    }
    if (!door.opens()) return door.status();
    kernel::hybrid_dynamics(ws, q_in, v_in, given.data(), external, a.data(), tau.data());
    return door.regular();
}

template <class S>
struct AccelerationAndTorque {
    VectorX<S> a, tau;
};
template <class Q, class V, class A, class T>
auto hybrid_dynamics(const Model& model, const Eigen::MatrixBase<Q>& q,
                     const Eigen::MatrixBase<V>& v, const std::vector<Given>& given,
                     const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<T>& tau,
                     const ExternalForces<detail::ScalarOf<Q>>* external = nullptr) {
    using S = detail::ScalarOf<Q>;
    Workspace<S> ws(model);
    AccelerationAndTorque<S> out{a, tau};
    hybrid_dynamics(ws, q.derived(), v.derived(), given, external, out.a, out.tau);
    return out;
}

}  // namespace plucker
