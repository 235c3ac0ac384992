// Analytic derivatives beside dual numbers, on every type of joint and every built-in robot.
#include <gtest/gtest.h>

#include <random>

#include "plucker/algorithms/differentiate.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

using Vector = VectorX<double>;
using Matrix = MatrixX<double>;
using D = Dual<double>;
using DVector = VectorX<D>;

DVector dual(const Vector& x) { return detail::as_dual<1>(x); }

// Entry by entry, relative to the largest of the matrix: what rounding of its sums can do.
void expect_close(const std::string& what, const Matrix& analytic, const Matrix& by_dual,
                  double tolerance = 1e-11) {
    ASSERT_EQ(analytic.rows(), by_dual.rows()) << what;
    ASSERT_EQ(analytic.cols(), by_dual.cols()) << what;
    const double scale = std::max(by_dual.cwiseAbs().maxCoeff(), 1e-9);
    const Matrix difference = (analytic - by_dual).cwiseAbs();
    long r = 0, c = 0;
    const double worst = difference.size() == 0 ? 0 : difference.maxCoeff(&r, &c);
    EXPECT_LE(worst, tolerance * scale)
        << what << " at (" << r << ", " << c << "): " << analytic(r, c) << " for " << by_dual(r, c);
}

// Forces on several frames, in every reference or in these.
template <class S>
ExternalForces<S> some_forces(const Model& model, const std::vector<ReferenceFrame>& references = {
                                                      ReferenceFrame::kBody, ReferenceFrame::kWorld,
                                                      ReferenceFrame::kWorldAligned}) {
    ExternalForces<S> out(model);
    int number = 0;
    for (const ReferenceFrame reference : references) {
        for (int i = 1; i <= model.num_bodies(); i += 2) {
            const auto x = [&] { return S(1.5 * std::sin(1.3 * ++number)); };
            out.add(model.body_frame(i), {{x(), x(), x()}, {x(), x(), x()}}, reference);
        }
    }
    return out;
}

struct Case {
    std::string name;
    Model model;
};
std::vector<Case> cases() {
    std::vector<Case> out;
    for (const std::string& name : test::joint_model_names())
        out.push_back({name, test::joint_model(name)});
    for (const char* name :
         {"particle", "pendulum", "double_pendulum", "cart_pole", "lamp", "exoskeleton", "arm",
          "quadruped", "humanoid", "chain(12)", "tree(20,1)", "tree(20,2)"})
        out.push_back({name, robots::by_name(name)});
    return out;
}

class Derivatives : public testing::TestWithParam<std::string> {
protected:
    Model model_ = [] {
        for (Case& x : cases())
            if (x.name == GetParam()) return x.model;
        throw Error("no such case");
    }();
    laws::State<double> s_ = [this] {
        std::mt19937 generator(7);
        return laws::random_state(model_, generator);
    }();
    Vector q_ = s_.q, v_ = s_.v, a_ = s_.a, tau_ = s_.tau;
    DVector dq_ = dual(q_), dv_ = dual(v_), da_ = dual(a_), dtau_ = dual(tau_);

    template <class F>
    Matrix by_q(const F& f) const {
        return differentiate_along_tangent(model_, q_, f);
    }
    bool regular() const {
        Workspace<double> ws(model_, OnFailure::kReport);
        Vector a(model_.nv());
        return forward_dynamics(ws, q_, v_, tau_, a) == Status::kOk;
    }
    bool has_mass() const { return model_.total_mass() > 0; }
};

TEST_P(Derivatives, OfInverseDynamics) {
    const auto plain = inverse_dynamics_derivatives(model_, q_, v_, a_);
    expect_close("by q", plain.dtau_dq,
                 by_q([&](const DVector& q) { return inverse_dynamics(model_, q, dv_, da_); }));
    expect_close("by v", plain.dtau_dv, differentiate(v_, [&](const DVector& v) {
                     return inverse_dynamics(model_, dq_, v, da_);
                 }));
    expect_close("by a", plain.dtau_da, mass_matrix(model_, q_));

    const auto forces = some_forces<double>(model_);
    const auto dual_forces = some_forces<D>(model_);
    const auto pushed = inverse_dynamics_derivatives(model_, q_, v_, a_, &forces);
    expect_close("by q, with forces", pushed.dtau_dq, by_q([&](const DVector& q) {
                     return inverse_dynamics(model_, q, dv_, da_, &dual_forces);
                 }));
    expect_close("by v, with forces", pushed.dtau_dv, plain.dtau_dv);
    expect_close("by a, with forces", pushed.dtau_da, plain.dtau_da);
}

// Beside dual numbers, with those forces or none.
void expect_derivatives_of_forward_dynamics(const Model& model, const laws::State<double>& s,
                                            MaybeForces<double> forces,
                                            MaybeForces<D> dual_forces) {
    const auto x = forward_dynamics_derivatives(model, s.q, s.v, s.tau, forces);
    const Matrix M = mass_matrix(model, s.q);
    const DVector q = dual(s.q), v = dual(s.v), tau = dual(s.tau);
    expect_close("by q", M * x.da_dq,
                 M * differentiate_along_tangent(model, s.q,
                                                 [&](const DVector& moved) {
                                                     return forward_dynamics(model, moved, v, tau,
                                                                             dual_forces);
                                                 }),
                 1e-9);
    expect_close("by v", M * x.da_dv,
                 M * differentiate(s.v,
                                   [&](const DVector& faster) {
                                       return forward_dynamics(model, q, faster, tau, dual_forces);
                                   }),
                 1e-9);
    expect_close("by tau", M * x.da_dtau, Matrix::Identity(model.nv(), model.nv()), 1e-9);
}

TEST_P(Derivatives, OfForwardDynamics) {
    if (!regular()) return;
    const auto forces = some_forces<double>(model_);
    const auto dual_forces = some_forces<D>(model_);
    expect_derivatives_of_forward_dynamics(model_, s_, &forces, &dual_forces);
}
// Then a base that floats has columns that need no M⁻¹.
TEST_P(Derivatives, OfForwardDynamicsWithNothingTiedToTheWorld) {
    if (!regular()) return;
    expect_derivatives_of_forward_dynamics(model_, s_, nullptr, nullptr);
    const auto forces = some_forces<double>(model_, {ReferenceFrame::kBody});
    const auto dual_forces = some_forces<D>(model_, {ReferenceFrame::kBody});
    expect_derivatives_of_forward_dynamics(model_, s_, &forces, &dual_forces);
}

// A first joint that floats is a free base unless it has rotors or friction, or the ground carries something else.
TEST(DerivativesOfForwardDynamics, WithAFirstJointThatFloats) {
    const JointDescription plain = floating("first").at(test::odd_placement(1));
    for (const JointDescription& first :
         {plain, plain.with_damping(0.7), plain.with_armature(0.9), plain.with_friction(0.4)}) {
        for (const bool is_alone : {true, false}) {
            Builder builder("floats");
            builder.gravity({1.0, -2.0, -9.0})
                .link("ground", test::odd_mass(0))
                .body("ground", first, "trunk", test::odd_mass(1))
                .body("trunk", revolute("hip", {0, 0.6, 0.8}).at(test::odd_placement(2)), "leg",
                      test::odd_mass(2))
                .body("trunk", spherical("neck").at(test::odd_placement(3)), "head",
                      test::odd_mass(3));
            if (!is_alone)
                builder.body("ground", revolute("door", {0, 0, 1}), "door", test::odd_mass(4));
            const Model model = builder.build();
            std::mt19937 generator(9);
            SCOPED_TRACE(std::to_string(first.damping) + " " + std::to_string(first.armature));
            expect_derivatives_of_forward_dynamics(model, laws::random_state(model, generator),
                                                   nullptr, nullptr);
        }
    }
}

TEST_P(Derivatives, OfSecondOrder) {
    const auto forces = some_forces<double>(model_);
    const auto dual_forces = some_forces<D>(model_);
    const auto H = inverse_dynamics_hessians(model_, q_, v_, a_, tau_, &forces);
    const auto gradients = [&](const DVector& q, const DVector& v, const DVector& a) {
        const auto x = inverse_dynamics_derivatives(model_, q, v, a, &dual_forces);
        DVector out(3 * model_.nv());
        out << x.dtau_dq.transpose() * dtau_, x.dtau_dv.transpose() * dtau_,
            x.dtau_da.transpose() * dtau_;
        return out;
    };
    const long n = model_.nv();
    const Matrix along_q = by_q([&](const DVector& q) { return gradients(q, dv_, da_); });
    const Matrix along_v =
        differentiate(v_, [&](const DVector& v) { return gradients(dq_, v, da_); });
    const double tolerance = 1e-10;
    expect_close("qq", H.qq, along_q.topRows(n), tolerance);
    expect_close("qv by v", H.qv, along_v.topRows(n), tolerance);
    expect_close("qv by q", H.qv.transpose(), along_q.middleRows(n, n), tolerance);
    expect_close("vv", H.vv, along_v.middleRows(n, n), tolerance);
    expect_close("qa", H.qa.transpose(), along_q.bottomRows(n), tolerance);

    const auto all = inverse_dynamics_second_derivatives(model_, q_, v_, a_, &forces);
    const auto contracted = [&](const Matrix& tensor) {
        Matrix out = Matrix::Zero(n, n);
        for (long k = 0; k < n; ++k) out += tau_[k] * tensor.middleCols(k * n, n);
        return out;
    };
    expect_close("all qq", contracted(all.qq), H.qq, tolerance);
    expect_close("all qv", contracted(all.qv), H.qv, tolerance);
    expect_close("all vv", contracted(all.vv), H.vv, tolerance);
    expect_close("all qa", contracted(all.qa), H.qa, tolerance);
}

// What forces add does not depend on v and a, and is the difference of two runs.
TEST_P(Derivatives, OfSecondOrderWithoutForces) {
    const auto forces = some_forces<double>(model_);
    const auto pushed = inverse_dynamics_hessians(model_, q_, v_, a_, tau_, &forces);
    const auto plain = inverse_dynamics_hessians(model_, q_, v_, a_, tau_);
    const Vector still = Vector::Zero(model_.nv());
    const auto pushed_at_rest = inverse_dynamics_hessians(model_, q_, still, still, tau_, &forces);
    const auto at_rest = inverse_dynamics_hessians(model_, q_, still, still, tau_);
    expect_close("qq", pushed.qq - plain.qq, pushed_at_rest.qq - at_rest.qq, 1e-9);
    expect_close("qv", pushed.qv, plain.qv);
    expect_close("vv", pushed.vv, plain.vv);
    expect_close("qa", pushed.qa, plain.qa);
}

TEST_P(Derivatives, OfForwardDynamicsOfSecondOrder) {
    if (!regular()) return;
    const auto forces = some_forces<double>(model_);
    const auto dual_forces = some_forces<D>(model_);
    const long n = model_.nv();
    const Vector mu = inverse_dynamics(model_, q_, v_, a_);
    const DVector dmu = dual(mu);
    const auto H = forward_dynamics_hessians(model_, q_, v_, tau_, mu, &forces);
    const auto gradients = [&](const DVector& q, const DVector& v, const DVector& tau) {
        const auto x = forward_dynamics_derivatives(model_, q, v, tau, &dual_forces);
        DVector out(3 * n);
        out << x.da_dq.transpose() * dmu, x.da_dv.transpose() * dmu, x.da_dtau.transpose() * dmu;
        return out;
    };
    const Matrix along_q = by_q([&](const DVector& q) { return gradients(q, dv_, dtau_); });
    const Matrix along_v =
        differentiate(v_, [&](const DVector& v) { return gradients(dq_, v, dtau_); });
    const Matrix along_tau =
        differentiate(tau_, [&](const DVector& tau) { return gradients(dq_, dv_, tau); });
    const double tolerance = 1e-7;  // twice solved with M, whose condition is 1e4 for some
    expect_close("qq", H.qq, along_q.topRows(n), tolerance);
    expect_close("qv", H.qv, along_v.topRows(n), tolerance);
    expect_close("vv", H.vv, along_v.middleRows(n, n), tolerance);
    expect_close("qtau", H.qtau, along_tau.topRows(n), tolerance);
}

TEST_P(Derivatives, OfFrames) {
    const FrameId frame = model_.body_frame(model_.num_bodies());
    for (const ReferenceFrame reference :
         {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned}) {
        const auto velocity = [&](const DVector& q, const DVector& v) {
            return to_eigen(frame_velocity(model_, q, v, frame, reference));
        };
        const auto acceleration = [&](const DVector& q, const DVector& v, const DVector& a) {
            return to_eigen(frame_acceleration(model_, q, v, a, frame, reference));
        };
        const auto dv = frame_velocity_derivatives(model_, q_, v_, frame, reference);
        expect_close("velocity by q", dv.dvelocity_dq,
                     by_q([&](const DVector& q) { return velocity(q, dv_); }));
        expect_close("velocity by v", dv.dvelocity_dv,
                     differentiate(v_, [&](const DVector& v) { return velocity(dq_, v); }));
        const auto da = frame_acceleration_derivatives(model_, q_, v_, a_, frame, reference);
        expect_close("acceleration by q", da.dacceleration_dq,
                     by_q([&](const DVector& q) { return acceleration(q, dv_, da_); }));
        expect_close(
            "acceleration by v", da.dacceleration_dv,
            differentiate(v_, [&](const DVector& v) { return acceleration(dq_, v, da_); }));
        expect_close(
            "acceleration by a", da.dacceleration_da,
            differentiate(a_, [&](const DVector& a) { return acceleration(dq_, dv_, a); }));
        const auto classical = [&](const DVector& q, const DVector& v, const DVector& a) {
            return to_eigen(frame_classical_acceleration(model_, q, v, a, frame, reference));
        };
        const auto dc =
            frame_classical_acceleration_derivatives(model_, q_, v_, a_, frame, reference);
        expect_close("classical by q", dc.dacceleration_dq,
                     by_q([&](const DVector& q) { return classical(q, dv_, da_); }));
        expect_close("classical by v", dc.dacceleration_dv,
                     differentiate(v_, [&](const DVector& v) { return classical(dq_, v, da_); }));
        expect_close("classical by a", dc.dacceleration_da,
                     differentiate(a_, [&](const DVector& a) { return classical(dq_, dv_, a); }));
    }
}

TEST_P(Derivatives, OfCentreOfMassAndMomentum) {
    if (!has_mass()) return;
    const auto com_v = [&](const DVector& q, const DVector& v) {
        return com_velocity(model_, q, v);
    };
    const auto dv = com_velocity_derivatives(model_, q_, v_);
    expect_close("com velocity by q", dv.dvelocity_dq,
                 by_q([&](const DVector& q) { return com_v(q, dv_); }));
    expect_close("com velocity by v", dv.dvelocity_dv, com_jacobian(model_, q_));
    const auto com_a = [&](const DVector& q, const DVector& v, const DVector& a) {
        return com_acceleration(model_, q, v, a);
    };
    const auto da = com_acceleration_derivatives(model_, q_, v_, a_);
    expect_close("com acceleration by q", da.dacceleration_dq,
                 by_q([&](const DVector& q) { return com_a(q, dv_, da_); }));
    expect_close("com acceleration by v", da.dacceleration_dv,
                 differentiate(v_, [&](const DVector& v) { return com_a(dq_, v, da_); }));
    expect_close("com acceleration by a", da.dacceleration_da, com_jacobian(model_, q_));

    const auto h = [&](const DVector& q, const DVector& v) {
        return to_eigen(centroidal_momentum(model_, q, v));
    };
    const auto dh = centroidal_momentum_derivatives(model_, q_, v_);
    expect_close("momentum by q", dh.dmomentum_dq,
                 by_q([&](const DVector& q) { return h(q, dv_); }));
    expect_close("momentum by v", dh.dmomentum_dv, centroidal_momentum_matrix(model_, q_));
    const auto h_dot = [&](const DVector& q, const DVector& v, const DVector& a) {
        return to_eigen(centroidal_momentum_dot(model_, q, v, a));
    };
    const auto dh_dot = centroidal_momentum_dot_derivatives(model_, q_, v_, a_);
    expect_close("rate by q", dh_dot.drate_dq,
                 by_q([&](const DVector& q) { return h_dot(q, dv_, da_); }));
    expect_close("rate by v", dh_dot.drate_dv,
                 differentiate(v_, [&](const DVector& v) { return h_dot(dq_, v, da_); }));
    expect_close("rate by a", dh_dot.drate_da, centroidal_momentum_matrix(model_, q_));
}

TEST_P(Derivatives, OfTheGroundsForceAndEnergy) {
    const auto forces = some_forces<double>(model_);
    const auto dual_forces = some_forces<D>(model_);
    const auto ground = [&](const DVector& q, const DVector& v, const DVector& a) {
        return to_eigen(reaction_forces(model_, q, v, a, &dual_forces)[0]);
    };
    const auto df = ground_force_derivatives(model_, q_, v_, a_, &forces);
    expect_close("force by q", df.dforce_dq,
                 by_q([&](const DVector& q) { return ground(q, dv_, da_); }));
    expect_close("force by v", df.dforce_dv,
                 differentiate(v_, [&](const DVector& v) { return ground(dq_, v, da_); }));
    expect_close("force by a", df.dforce_da,
                 differentiate(a_, [&](const DVector& a) { return ground(dq_, dv_, a); }));

    const auto dT = kinetic_energy_gradient(model_, q_, v_);
    expect_close("energy by q", dT.dq.transpose(),
                 by_q([&](const DVector& q) { return kinetic_energy(model_, q, dv_); }));
    expect_close("energy by v", dT.dv.transpose(), differentiate(v_, [&](const DVector& v) {
                     return kinetic_energy(model_, dq_, v);
                 }));
    expect_close("potential energy by q", gravity_torque(model_, q_).transpose(),
                 by_q([&](const DVector& q) { return potential_energy(model_, q); }));
}

TEST_P(Derivatives, OfStepsBetweenConfigurations) {
    const Vector there = integrate(model_, q_, v_);
    const DVector dthere = dual(there);
    const auto seen_from_there = [&](const DVector& q, const DVector& v) {
        return difference(model_, dthere, integrate(model_, q, v));
    };
    const auto step = integrate_derivatives(model_, q_, v_);
    expect_close("integrate by q", step.by_q,
                 by_q([&](const DVector& q) { return seen_from_there(q, dv_); }));
    expect_close("integrate by dv", step.by_dv,
                 differentiate(v_, [&](const DVector& v) { return seen_from_there(dq_, v); }));
    const auto apart = difference_derivatives(model_, q_, there);
    expect_close("difference by q0", apart.by_q0,
                 by_q([&](const DVector& q) { return difference(model_, q, dthere); }));
    expect_close("difference by q1", apart.by_q1,
                 differentiate_along_tangent(
                     model_, there, [&](const DVector& q) { return difference(model_, dq_, q); }));
    // As numbers, q ⊕ ε v is q + ε q̇.
    DVector along = DVector::Constant(model_.nv(), D(0));
    for (long k = 0; k < along.size(); ++k) along[k].derivative = v_[k];
    const DVector moved = integrate(model_, dq_, along);
    expect_close("rate of q", configuration_rate(model_, q_, v_), laws::rate_of(moved));
    // The chain rule through a step and back again.
    expect_close("there and back", apart.by_q1 * step.by_dv,
                 Matrix::Identity(model_.nv(), model_.nv()));
    expect_close("moved along", apart.by_q1 * step.by_q, -apart.by_q0);
}

std::vector<std::string> case_names() {
    std::vector<std::string> out;
    for (const Case& x : cases()) out.push_back(x.name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(All, Derivatives, testing::ValuesIn(case_names()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
});

// A matrix is one long vector, column by column, however many directions are taken at once.
template <int N>
void expect_entries_of_matrices() {
    const Model model = robots::exoskeleton();
    std::mt19937 generator(11);
    const Vector q = random_configuration(model, generator), v = Vector::LinSpaced(14, -1, 2);
    using DualN = Dual<double, N>;
    const FrameId foot = model.frame_id("left_foot");
    const auto jacobian_at = [&](const VectorX<DualN>& at) {
        return MatrixX<DualN>(frame_jacobian(model, at, foot, ReferenceFrame::kWorld));
    };
    const Matrix whole = differentiate_along_tangent<N>(model, q, jacobian_at);
    const Matrix by_entry = [&] {
        Matrix out(6 * 14, 14);
        for (long c = 0; c < 14; ++c) {
            for (long r = 0; r < 6; ++r)
                out.row(6 * c + r) = differentiate_along_tangent<N>(
                    model, q, [&](const VectorX<DualN>& at) { return jacobian_at(at)(r, c); });
        }
        return out;
    }();
    EXPECT_EQ(whole, by_entry);
    EXPECT_GT(whole.cwiseAbs().maxCoeff(), 0.1);
    const Vector x = Vector::LinSpaced(3, 1, 3);
    const Matrix products = differentiate<N>(x, [](const VectorX<DualN>& y) {
        MatrixX<DualN> out(2, 3);
        for (long k = 0; k < 3; ++k) {
            out(0, k) = y[k] * y[0];
            out(1, k) = y[k];
        }
        return out;
    });
    Matrix expected(6, 3);
    expected << 2, 0, 0, 1, 0, 0, 2, 1, 0, 0, 1, 0, 3, 0, 1, 0, 0, 1;
    EXPECT_EQ(products, expected);
}
TEST(Differentiate, TakesAMatrixColumnByColumn) {
    expect_entries_of_matrices<1>();
    expect_entries_of_matrices<2>();
    expect_entries_of_matrices<3>();
    expect_entries_of_matrices<16>();
}

}  // namespace
}  // namespace plucker
