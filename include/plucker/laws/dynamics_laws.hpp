// Laws of the equation of motion M a + C v + G = τ.
//
// What is solved with M inherits its condition number. So these laws do not compare accelerations, but the torques
// that they stand for: M a is off by no more than rounding, however far a is.
#pragma once

#include <array>

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/along_motion.hpp"
#include "plucker/laws/newton_euler_listing.hpp"
#include "plucker/laws/regularity.hpp"
#include "plucker/model/edit.hpp"

namespace plucker::laws {

// The values of a matrix, without derivatives.
template <class S>
MatrixX<double> values_of(const MatrixX<S>& m) {
    MatrixX<double> out(m.rows(), m.cols());
    for (long k = 0; k < m.size(); ++k) out(k) = static_cast<double>(value_of(m(k)));
    return out;
}

template <class S>
Regularity regularity_of_mass_matrix(const Model& model, const State<S>& s,
                                     const Report<S>& report) {
    return regularity_of(model, values_of(mass_matrix(model, s.q)), Sizes(model, s.q).mass_matrix(),
                         report.rounding());
}

namespace law {

inline constexpr const char* kPositive = "M is positive definite";
inline constexpr const char* kFactors = "M = LᵀDL with the tree's sparsity";

inline constexpr const char* kInverse = "M M⁻¹ = 1";
inline constexpr const char* kInverses = "M⁻¹ by articulated bodies = M⁻¹ by factors";
inline constexpr const char* kInverseTimes = "M⁻¹ x without forming M⁻¹";
inline constexpr const char* kForwardUndoes = "forward dynamics undoes inverse dynamics";
inline constexpr const char* kSolving = "articulated bodies = solving with M";
inline constexpr const char* kMultiplying = "articulated bodies = M⁻¹ (τ - bias)";
inline constexpr const char* kInverseUndoes = "inverse dynamics undoes forward dynamics";
// Where M is singular, none of these exists.
inline constexpr std::array kOfForwardDynamics{
    kInverse, kInverses, kInverseTimes, kForwardUndoes, kSolving, kMultiplying, kInverseUndoes};

inline constexpr const char* kFloatingBase = "floating-base dynamics leaves no force on the base";

}  // namespace law

template <class S>
void check_mass_matrix(const Model& model, const State<S>& s, Report<S>& report) {
    const MatrixX<S> M = mass_matrix(model, s.q);
    const Sizes sizes(model, s.q);
    const MatrixX<double> size = sizes.mass_matrix();
    report.equal("M is symmetric", M, transposed(M), size);
    report.equal("M x = M times x, without M", M * s.a, mass_matrix_times(model, s.q, s.a),
                 size * magnitudes(s.a));
    const VectorX<S> still = zeros<S>(model.nv());
    report.equal("M by composite bodies = M by unit accelerations", M,
                 mass_matrix_by_inverse_dynamics(with_gravity(model, {}), s.q, still), size);
    // In motion, the second way takes the torques of no acceleration from those of one.
    const VectorX<double> bias = sizes.torques(magnitudes(s.v), zeros<double>(model.nv()));
    const MatrixX<double> ones = filled<double>(1, model.nv(), 1);
    report.equal("M by composite bodies = M by unit accelerations, in motion", M,
                 mass_matrix_by_inverse_dynamics(model, s.q, s.v), size + bias * ones);
    report.equal("the base's place does not change M", M,
                 mass_matrix(model,
                             [&] {
                                 VectorX<S> moved = s.q;
                                 if (!model.has_floating_base()) return moved;
                                 moved[0] += S(1.0);
                                 moved[1] -= S(2.0);
                                 const Quaternion<S> turned =
                                     exponential(Vec3<S>{S(0.3), S(-0.2), S(0.5)}) *
                                     SphericalJoint::attitude(moved.data() + 3);
                                 SphericalJoint::store(turned, moved.data() + 3);
                                 return moved;
                             }()),
                 size);

    // M = LᵀDL with positive D.
    const Regularity regularity = regularity_of(model, values_of(M), size, report.rounding());
    if (!regularity.regular()) {
        if (!regularity.positive) report.is_true(law::kPositive, false);
        report.not_checked(std::array{law::kPositive, law::kFactors}, regularity.obstacle);
        return;
    }
    MatrixX<S> factors = M;
    Workspace<S> ws(model);
    bool positive = true;
    try {
        factor_mass_matrix(ws, factors);
    } catch (const Error&) {
        positive = false;
    }
    report.is_true(law::kPositive, positive);
    MatrixX<S> L = zeros<S>(model.nv(), model.nv());
    for (int r = 0; r < model.nv(); ++r) {
        L(r, r) = S(1);
        for (int c = model.coordinate_parent()[r]; c >= 0; c = model.coordinate_parent()[c]) {
            L(r, c) = factors(c, r);
        }
    }
    report.equal(law::kFactors, M, transposed(L) * scaled_rows(diagonal_of(factors), L), size);
}

template <class S>
void check_forward_dynamics(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const MatrixX<S> M = mass_matrix(model, s.q);
    const VectorX<S> tau = inverse_dynamics(model, s.q, s.v, s.a);
    const VectorX<S> bias = bias_torque(model, s.q, s.v);
    VectorX<S> listed = newton_euler_listing(model, s.q, s.v, s.a) + friction_torque(model, s.v);
    for (int k = 0; k < model.nv(); ++k) listed[k] += S(model.armature()[k]) * s.a[k];
    report.equal("inverse dynamics = the listing of the slides", tau, listed,
                 sizes.torques(v_size, magnitudes(s.a)));
    report.equal("M a + bias = inverse dynamics", M * s.a + bias, tau,
                 sizes.torques(v_size, magnitudes(s.a)));
    const Regularity regularity = regularity_of_mass_matrix(model, s, report);
    if (!regularity.regular()) {
        report.not_checked(law::kOfForwardDynamics, regularity.obstacle);
        return;
    }
    const MatrixX<S> Minv = inverse_mass_matrix(model, s.q);
    const MatrixX<double> M_size = sizes.mass_matrix();
    const MatrixX<double> Minv_size = magnitudes(Minv);
    // An error of M, taken through M⁻¹, is one of M⁻¹.
    const MatrixX<double> error_of_inverse = Minv_size * M_size * Minv_size;
    report.equal(law::kInverse, M * Minv, identity<S>(model.nv()), M_size * error_of_inverse);
    report.equal(law::kInverses, inverse_mass_matrix_by_articulated_bodies(model, s.q), Minv,
                 error_of_inverse);
    report.equal(law::kInverseTimes, inverse_mass_matrix_times(model, s.q, s.tau), Minv * s.tau,
                 error_of_inverse * magnitudes(s.tau));

    // Accelerations as the torques that they take.
    const auto same_motion = [&](const char* law, const VectorX<S>& left, const VectorX<S>& right) {
        report.equal(law, M * left, M * right,
                     sizes.torques(v_size, larger(magnitudes(left), magnitudes(right))));
    };
    same_motion(law::kForwardUndoes, forward_dynamics(model, s.q, s.v, tau), s.a);
    const VectorX<S> a = forward_dynamics(model, s.q, s.v, s.tau);
    const VectorX<double> torques = sizes.torques(v_size, magnitudes(a)) + magnitudes(s.tau);
    same_motion(law::kSolving, a, forward_dynamics_by_mass_matrix(model, s.q, s.v, s.tau));
    report.equal(law::kMultiplying, a, Minv * (s.tau - bias), error_of_inverse * torques);
    report.equal(law::kInverseUndoes, inverse_dynamics(model, s.q, s.v, a), s.tau, torques);
}

// Given accelerations of some joints and torques of the others, hybrid dynamics must leave these as they are, and
// inverse dynamics must find the same torques.
template <class S>
void check_hybrid_dynamics(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const VectorX<S> tau = inverse_dynamics(model, s.q, s.v, s.a);
    const bool regular = regularity_of_mass_matrix(model, s, report).regular();
    // Every joint, every second one, the others, or none has a given acceleration; all but the first need an inverse of M.
    struct Choice {
        int period, offset;
    };
    for (const auto [period, offset] :
         {Choice{1, 0}, Choice{2, 0}, Choice{2, 1}, Choice{model.num_bodies() + 1, 0}}) {
        if (period > 1 && !regular) break;
        std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
        VectorX<S> a = s.a;
        VectorX<S> torque = tau;
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            if (body.mimic) continue;
            const bool is_given = (i + offset) % period == 0;
            if (is_given) given[static_cast<std::size_t>(i)] = Given::kAcceleration;
            for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
                (is_given ? torque : a)[k] = S(0);
            }
        }
        const auto found = hybrid_dynamics(model, s.q, s.v, given, a, torque);
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            if (body.mimic) continue;
            const bool is_given = given[static_cast<std::size_t>(i)] == Given::kAcceleration;
            for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
                (is_given ? torque : a)[k] = (is_given ? found.tau : found.a)[k];
            }
        }
        const VectorX<double> size = sizes.torques(magnitudes(s.v), magnitudes(found.a));
        report.equal("hybrid dynamics completes a motion", found.a, a, magnitudes(found.a));
        report.equal("hybrid dynamics completes a motion",
                     inverse_dynamics(model, s.q, s.v, found.a), torque, size);
    }
    if (!model.has_floating_base()) return;
    const auto base_of = [](const auto& M) { return rows_of(columns_of(M, 0, 6), 0, 6); };
    const Regularity of_base = regularity_of(model, values_of(base_of(mass_matrix(model, s.q))),
                                             base_of(sizes.mass_matrix()), report.rounding());
    if (!of_base.regular()) {
        report.not_checked(std::array{law::kFloatingBase}, of_base.obstacle);
        return;
    }
    // In place: the joints' accelerations stay, the base's come to them, and its six torques are zero.
    VectorX<S> a = s.a;
    VectorX<S> torque = s.tau;
    Workspace<S> ws(model);
    floating_base_inverse_dynamics(ws, s.q, s.v, nullptr, a, torque);
    const VectorX<double> size = sizes.torques(magnitudes(s.v), magnitudes(a));
    const VectorX<S> none = zeros<S>(6);
    report.equal(law::kFloatingBase, rows_of(torque, 0, 6), none, rows_of(size, 0, 6));
    report.equal(law::kFloatingBase, inverse_dynamics(model, s.q, s.v, a), torque, size);
    const auto given = [&](const VectorX<S>& all) { return rows_of(all, 6, model.nv() - 6); };
    report.equal(law::kFloatingBase, given(a), given(s.a), magnitudes(given(s.a)));
}

template <class S>
void check_coriolis(const Model& model, const State<S>& s, Report<S>& report) {
    const int n = model.nv();
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const VectorX<double> nothing = zeros<double>(n);
    const MatrixX<double> C_size = sizes.coriolis_matrix(v_size);
    const VectorX<double> bias_size = sizes.torques(v_size, nothing);
    const auto [C, G] = modified_newton_euler(model, s.q, s.v);
    const MatrixX<S> christoffel = coriolis_matrix(model, s.q, s.v);
    const VectorX<S> bias = bias_torque(model, s.q, s.v);
    const VectorX<S> friction = friction_torque(model, s.v);
    report.equal("C v + G = bias (Modified Newton–Euler)", C * s.v + G + friction, bias, bias_size);
    report.equal("C v + G = bias (Christoffel)", christoffel * s.v + G + friction, bias, bias_size);
    report.equal("G = gravity torque", G, gravity_torque(model, s.q), sizes.gravity_torques());
    const MatrixX<S> M_dot = rate_of(mass_matrix(model, moving(model, s).q));
    const auto skew = [&](const char* law, const MatrixX<S>& Coriolis) {
        const MatrixX<S> N = M_dot - S(2) * Coriolis;
        report.equal(law, N, -transposed(N), C_size);
    };
    skew("Ṁ - 2C is skew-symmetric (Modified Newton–Euler)", C);
    skew("Ṁ - 2C is skew-symmetric (Christoffel)", christoffel);
    const VectorX<S> product = coriolis_transpose_times_v(model, s.q, s.v);
    const VectorX<double> product_size = transposed(C_size) * v_size;
    report.equal("Cᵀ v", product, transposed(C) * s.v, product_size);
    report.equal("Cᵀ v", product, transposed(christoffel) * s.v, product_size);
    if (n > 64) return;  // nv³ numbers
    const MatrixX<S> symbols = christoffel_symbols(model, s.q);
    MatrixX<S> sum = zeros<S>(n, n);
    for (int k = 0; k < n; ++k) sum += columns_of(symbols, k * n, n) * s.v[k];
    report.equal("C = Σ Γ v", sum, christoffel, C_size);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        if (!has_coordinate_velocity(model.body(i).joint)) return;
    }
    // Where velocities are the rates of coordinates, the last two indices commute.
    for (int k = 0; k < n; ++k) {
        MatrixX<S> swapped(n, n);
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) swapped(i, j) = symbols(i, j * n + k);
        }
        report.equal("Γ_ijk = Γ_ikj", columns_of(symbols, k * n, n), swapped,
                     sizes.coriolis_matrix(columns_of(identity<double>(n), k, 1)));
    }
}

}  // namespace plucker::laws
