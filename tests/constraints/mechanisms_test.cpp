// Closed loops whose motion is known.
#include "mechanisms.hpp"

#include <gtest/gtest.h>

#include <array>

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/robots/robots.hpp"
#include "support/count_allocations.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

using Cut = FourBar::Cut;

class FourBarClosed : public testing::TestWithParam<WayToClose> {
protected:
    FourBar bar;
    Model model = bar.model(GetParam().cut, GetParam().axes);
    VectorX<double> torque(double tau) const {
        VectorX<double> out = VectorX<double>::Zero(model.nv());
        out[0] = tau;
        return out;
    }
    KnownMotion known(double theta, double omega, double tau) const {
        return known_motion([&](const auto& t) { return bar.configuration(GetParam().cut, t); },
                            theta, omega, bar.crank_acceleration_at(theta, omega, tau));
    }
};

TEST_P(FourBarClosed, MovesAsLagrangeSays) {
    Workspace<double> ws(model);
    VectorX<double> a(model.nv()), lambda(model.num_constraint_rows());
    for (double theta = 0.2; theta < 6.2; theta += 0.37) {
        const KnownMotion at = known(theta, 3.0, 5.0);
        EXPECT_LE(constraint_errors(model, at.q).lpNorm<Eigen::Infinity>(), 1e-14) << theta;
        EXPECT_LE((constraint_jacobian(model, at.q) * at.v).lpNorm<Eigen::Infinity>(), 1e-13);
        const ConstraintReport report =
            constrained_forward_dynamics(ws, at.q, at.v, torque(5.0), nullptr, a, lambda);
        EXPECT_LE((a - at.a).lpNorm<Eigen::Infinity>(), 1e-10 * (1 + at.a.norm())) << theta;
        EXPECT_LE(report.residual, 1e-10);
        EXPECT_LE(report.iterations, 10);
        EXPECT_LE(lambda.lpNorm<Eigen::Infinity>(), 1e4)
            << "forces that nothing decides stay small";
    }
}

// Along the motion that the loop leaves there is a derivative whichever way it is closed: from one crank angle to the next.
TEST_P(FourBarClosed, HasDerivativesAlongItsMotion) {
    constexpr double kOmega = 3, kStep = 1e-5;
    for (double theta = 0.2; theta < 6.2; theta += 0.9) {
        const KnownMotion at = known(theta, kOmega, 5.0);
        const KnownMotion before = known(theta - kStep, kOmega, 5.0);
        const KnownMotion after = known(theta + kStep, kOmega, 5.0);
        const auto slope = constrained_forward_dynamics_derivatives(model, at.q, at.v, torque(5.0));
        const VectorX<double> found =
            slope.da_dq * at.v / kOmega + slope.da_dv * (after.v - before.v) / (2 * kStep);
        const VectorX<double> expected = (after.a - before.a) / (2 * kStep);
        // The difference quotient is right to its step's square, and to rounding through the step.
        EXPECT_LE((found - expected).norm(), 1e-7 * (1 + expected.norm())) << theta;
        const VectorX<double> more = constrained_forward_dynamics(model, at.q, at.v, torque(6.0)).a;
        EXPECT_LE((slope.da_dtau.col(0) - (more - at.a)).norm(), 1e-9 * (1 + more.norm()));
    }
}

TEST_P(FourBarClosed, ForcesDoNoWork) {
    const KnownMotion at = known(1.1, 2.0, -3.0);
    const auto found = constrained_forward_dynamics(model, at.q, at.v, torque(-3.0));
    const VectorX<double> work = constraint_jacobian(model, at.q) * at.v;
    EXPECT_NEAR(found.lambda.dot(work), 0, 1e-12 * found.lambda.norm());
    // What is put in by the torque goes into the energy: vᵀ (M a + c) = vᵀ τ.
    const VectorX<double> taken = inverse_dynamics(model, at.q, at.v, found.a);
    EXPECT_NEAR(at.v.dot(taken), at.v[0] * -3.0, 1e-11);
    // M a + c = τ + Jᵀ λ
    const VectorX<double> pushed =
        torque(-3.0) + constraint_jacobian(model, at.q).transpose() * found.lambda;
    EXPECT_LE((taken - pushed).lpNorm<Eigen::Infinity>(), 1e-11);
}

TEST_P(FourBarClosed, IsClosedFromARoughGuess) {
    const KnownMotion at = known(0.8, 0, 0);
    VectorX<double> guess = at.q;
    for (long k = 1; k < guess.size(); ++k) guess[k] += k % 2 == 0 ? 0.5 : -0.4;
    const ClosedLoops found = close_loops(model, guess, {.held = {"crank_joint"}});
    ASSERT_TRUE(found.closed) << found.message;
    EXPECT_LE((found.q - at.q).lpNorm<Eigen::Infinity>(), 1e-11);
}

TEST_P(FourBarClosed, LosesItsDriftAtOnce) {
    KnownMotion at = known(0.8, 2.0, 0);
    VectorX<double> q = at.q, v = at.v;
    q.array() += 1e-4;
    v.array() += 1e-3;
    Workspace<double> ws(model);
    const ConstraintReport positions = project_configuration(ws, q);
    EXPECT_LE(positions.residual, 1e-13);
    EXPECT_LE(positions.iterations, 4) << "Newton's method doubles the digits";
    EXPECT_LE((q - at.q).lpNorm<Eigen::Infinity>(), 1e-3);
    EXPECT_LE(project_velocity(ws, q, v).residual, 1e-13);
    EXPECT_LE((constraint_jacobian(model, q) * v).lpNorm<Eigen::Infinity>(), 1e-13);
    // What is allowed already stays.
    const VectorX<double> before = v;
    project_velocity(ws, q, v);
    EXPECT_LE((v - before).lpNorm<Eigen::Infinity>(), 1e-13);
}

TEST_P(FourBarClosed, TakesAnImpactAsItsRestitutionSays) {
    const KnownMotion at = known(0.8, 0, 0);
    VectorX<double> before(model.nv());
    for (long k = 0; k < before.size(); ++k) before[k] = 0.4 + 0.7 * static_cast<double>(k);
    const MatrixX<double> J = constraint_jacobian(model, at.q), M = mass_matrix(model, at.q);
    Workspace<double> ws(model);
    VectorX<double> impulse(model.num_constraint_rows());
    for (const double e : {0.0, 0.5, 1.0}) {
        VectorX<double> v = before;
        EXPECT_LE(constraint_impulse(ws, at.q, e, v, impulse).residual, 1e-12);
        EXPECT_LE((J * v + e * J * before).lpNorm<Eigen::Infinity>(), 1e-12);
        EXPECT_LE((M * (v - before) - J.transpose() * impulse).lpNorm<Eigen::Infinity>(), 1e-12);
        const double lost = before.dot(M * before) - v.dot(M * v);
        if (e == 1.0)
            EXPECT_NEAR(lost, 0, 1e-11);
        else
            EXPECT_GT(lost, 0.01);
    }
    EXPECT_EQ(message([&] { constraint_impulse(ws, at.q, 1.5, before, impulse); }),
              "constraint_impulse: restitution is 1.5; it must be from 0 to 1");
}

INSTANTIATE_TEST_SUITE_P(Ways, FourBarClosed, testing::ValuesIn(kWaysToClose));

// Of robots without constraints they are those of forward dynamics, which are found in another way.
TEST(ConstrainedDerivatives, OfFreeRobotsAreThoseOfForwardDynamics) {
    std::mt19937 generator(3);
    for (const char* name : {"arm", "quadruped", "tree(9,5)"}) {
        const Model model = robots::by_name(name);
        const auto s = laws::random_state(model, generator);
        ExternalForces<double> forces(model);
        forces.add(model.body_frame(model.num_bodies()), {{1, -2, 3}, {4, 5, -6}},
                   ReferenceFrame::kWorldAligned);
        const auto found =
            constrained_forward_dynamics_derivatives(model, s.q, s.v, s.tau, &forces);
        const auto expected = forward_dynamics_derivatives(model, s.q, s.v, s.tau, &forces);
        const auto equal = [&](const auto& x, const auto& y) {
            EXPECT_LE((x - y).norm(), 1e-10 * y.norm()) << name;
        };
        equal(found.da_dq, expected.da_dq);
        equal(found.da_dv, expected.da_dv);
        equal(found.da_dtau, expected.da_dtau);
        EXPECT_EQ(found.dlambda_dq.rows(), 0);
    }
}

// Beside differences, and beside what the rows themselves say: J a + J̇ v stays zero, whatever moves.
TEST(ConstrainedDerivatives, AreThoseOfTheAccelerationsAndForces) {
    std::mt19937 generator(4);
    for (const char* name : {"quadruped", "humanoid", "tree(9,5)"}) {
        Description description = robots::by_name(name).description();
        const Model free(description);
        ConstraintDescription point = connect("point", free.body_name(2), "world");
        point.placement_a = Pose<double>::roll_pitch_yaw({0.1, 0, -0.2}, {});
        point.placement_b = Pose<double>::roll_pitch_yaw({0.3, 0.2, 0.1}, {0.4, 0.5, 0.6});
        description.constraints.push_back(point);
        description.constraints.push_back(rod("rod", free.body_name(free.num_bodies()),
                                              free.body_name(free.num_bodies() / 2), 0.5));
        const Model model(description);
        const auto s = laws::random_state(model, generator);
        const auto slope = constrained_forward_dynamics_derivatives(model, s.q, s.v, s.tau);
        const auto differs = [&](const auto& at, const MatrixX<double>& of_a,
                                 const MatrixX<double>& of_lambda) {
            constexpr double kStep = 1e-6;
            for (int k = 0; k < model.nv(); ++k) {
                const VectorX<double> step = kStep * VectorX<double>::Unit(model.nv(), k);
                const auto ahead = at(step), behind = at(VectorX<double>(-step));
                // The quotient is right to some 1e-9 of what is subtracted.
                EXPECT_LE(((ahead.a - behind.a) / (2 * kStep) - of_a.col(k)).norm(),
                          2e-7 * (1 + of_a.norm() + ahead.a.norm()))
                    << name << " " << k;
                EXPECT_LE(((ahead.lambda - behind.lambda) / (2 * kStep) - of_lambda.col(k)).norm(),
                          2e-7 * (1 + of_lambda.norm() + ahead.lambda.norm()))
                    << name << " " << k;
            }
        };
        differs(
            [&](const VectorX<double>& dq) {
                return constrained_forward_dynamics(model, integrate(model, s.q, dq), s.v, s.tau);
            },
            slope.da_dq, slope.dlambda_dq);
        differs(
            [&](const VectorX<double>& dv) {
                return constrained_forward_dynamics(model, s.q, s.v + dv, s.tau);
            },
            slope.da_dv, slope.dlambda_dv);
        differs(
            [&](const VectorX<double>& dtau) {
                return constrained_forward_dynamics(model, s.q, s.v, s.tau + dtau);
            },
            slope.da_dtau, slope.dlambda_dtau);
        const MatrixX<double> J = constraint_jacobian(model, s.q);
        EXPECT_LE((J * slope.da_dtau).norm(), 1e-9 * J.norm() * slope.da_dtau.norm()) << name;
        EXPECT_LE((slope.da_dtau - slope.da_dtau.transpose()).norm(), 1e-9 * slope.da_dtau.norm());
    }
}

TEST(SliderCrank, MovesAsLagrangeSays) {
    const SliderCrank mechanism;
    const Model model = mechanism.model();
    EXPECT_EQ(model.num_constraint_rows(), 5);
    for (double theta = 0.1; theta < 6.3; theta += 0.41) {
        const double tau = 2.0, omega = -4.0;
        const KnownMotion at =
            known_motion([&](const auto& t) { return mechanism.configuration(t); }, theta, omega,
                         mechanism.crank_acceleration_at(theta, omega, tau));
        EXPECT_LE(constraint_errors(model, at.q).lpNorm<Eigen::Infinity>(), 1e-14) << theta;
        VectorX<double> torque = VectorX<double>::Zero(3);
        torque[0] = tau;
        const auto found = constrained_forward_dynamics(model, at.q, at.v, torque);
        EXPECT_LE((found.a - at.a).lpNorm<Eigen::Infinity>(), 1e-10 * (1 + at.a.norm())) << theta;
    }
}

// The rod of a slider-crank as two ball joints and no mass: the same as a distance between crank and slider.
TEST(Rod, KeepsItsLengthAndPullsAlongIt) {
    const Model model =
        Builder("pump")
            .link("ground")
            .body("ground", revolute("wheel", {0, 1, 0}), "crank", MassProperties::sphere(1, 0.2))
            .body("ground", prismatic("slide", {1, 0, 0}), "piston", MassProperties::sphere(2, 0.1))
            .constraint([] {
                ConstraintDescription c = rod("rod", "crank", "piston", 1.3);
                c.placement_a = Pose<double>::translation(0.3, 0, 0);
                return c;
            }())
            .build();
    const double theta = 0.7;
    VectorX<double> q(2);
    q << theta, 0.3 * std::cos(theta) + std::sqrt(1.69 - 0.09 * std::pow(std::sin(theta), 2));
    EXPECT_NEAR(constraint_errors(model, q)[0], 0, 1e-15);
    Workspace<double> ws(model);
    VectorX<double> v(2), a(2), lambda(1);
    v << 1.0, 0.0;
    project_velocity(ws, q, v);
    constrained_forward_dynamics(ws, q, v, VectorX<double>::Zero(2), nullptr, a, lambda);
    const Force<double> f = constraint_force(ws, q, 0, lambda, ReferenceFrame::kWorldAligned);
    // On the piston, which slides freely: its mass times its acceleration, the other way.
    EXPECT_NEAR(f.linear.x, -2 * a[1], 1e-12);
    // Along the rod, and no couple at its end.
    EXPECT_NEAR(f.linear.z / f.linear.x, 0.3 * std::sin(theta) / (q[1] - 0.3 * std::cos(theta)),
                1e-12);
    EXPECT_LE(norm(f.angular), 1e-13);
}

TEST(Gear, TurnsBothAsOneWouldWithTheSumOfTheirInertias) {
    const auto wheel = [](double inertia) {
        return MassProperties{1, {}, inertia * SymMat3<double>::identity()};
    };
    const Model model = Builder("gears")
                            .link("ground")
                            .body("ground", revolute("small", {0, 0, 1}), "pinion", wheel(0.1))
                            .body("ground", revolute("large", {0, 0, 1}), "gear", wheel(2))
                            .constraint(gear("mesh", "small", "large", -3, 0.5))
                            .build();
    VectorX<double> q(2), v(2), tau(2);
    q << 0.5 - 3 * 0.2, 0.2;
    v << -3, 1;
    tau << 0.7, 0;
    EXPECT_NEAR(constraint_errors(model, q)[0], 0, 1e-16);
    const auto found = constrained_forward_dynamics(model, q, v, tau);
    // As felt at the large wheel: (2 + 9 · 0.1) α = -3 · 0.7
    EXPECT_NEAR(found.a[1], -2.1 / 2.9, 1e-14);
    EXPECT_NEAR(found.a[0], 3 * 2.1 / 2.9, 1e-14);
    // The torque on the small wheel: 0.1 a - 0.7.
    EXPECT_NEAR(found.lambda[0], 0.1 * found.a[0] - 0.7, 1e-14);
    Workspace<double> ws(model);
    EXPECT_EQ(message([&] { constraint_force(ws, q, 0, found.lambda, ReferenceFrame::kBody); }),
              "constraint_force: constraint 'mesh' couples joints: its torque on the first is "
              "lambda[0]");
}

// A cam: the follower rises with the square of the angle.
TEST(Gear, FollowsAPolynomialWithItsCurvature) {
    ConstraintDescription cam = gear("cam", "follower", "wheel", 0);
    cam.polynomial = {0.1, 0, 0.5, 0, 0};
    const Model model =
        Builder("cam")
            .gravity({0, 0, 0})
            .link("ground")
            .body("ground", revolute("wheel", {0, 0, 1}), "disk", MassProperties::sphere(1, 0.3))
            .body("ground", prismatic("follower", {0, 0, 1}), "pin", MassProperties::sphere(1, 0.1))
            .constraint(cam)
            .build();
    VectorX<double> q(2), v(2);
    q << 0.6, 0.1 + 0.18;
    v << 2.0, 1.2;
    EXPECT_NEAR(constraint_errors(model, q)[0], 0, 1e-16);
    EXPECT_NEAR(constraint_bias(model, q, v)[0], -1.0 * 4.0, 1e-15);
    const auto found = constrained_forward_dynamics(model, q, v, VectorX<double>::Zero(2));
    EXPECT_NEAR(found.a[1], 0.6 * found.a[0] + 4.0, 1e-13);
}

TEST(ConstrainedForwardDynamics, AllocatesNothing) {
    const FourBar bar;
    const Model model = bar.model(Cut::kAtRockerEnd, kHeldHinge);
    Workspace<double> ws(model);
    VectorX<double> q = bar.configuration(Cut::kAtRockerEnd, 0.5), v = VectorX<double>::Ones(3);
    VectorX<double> tau = VectorX<double>::Zero(3), a(3), lambda(5);
    const long before = allocations;
    constrained_forward_dynamics(ws, q, v, tau, nullptr, a, lambda);
    project_configuration(ws, q);
    project_velocity(ws, q, v);
    EXPECT_EQ(allocations - before, 0);
}

TEST(ConstrainedForwardDynamics, ReportsASingularMassMatrix) {
    const Model model =
        Builder("massless")
            .link("ground")
            .body("ground", revolute("a", {0, 1, 0}), "rod")
            .body("ground", revolute("b", {0, 1, 0}), "ball", MassProperties::sphere(1, 0.1))
            .constraint(gear("gear", "a", "b", 1))
            .build();
    Workspace<double> ws(model, OnFailure::kReport);
    VectorX<double> zero = VectorX<double>::Zero(2), a(2), lambda(1);
    EXPECT_EQ(constrained_forward_dynamics(ws, zero, zero, zero, nullptr, a, lambda).status,
              Status::kSingularMassMatrix);
    EXPECT_TRUE(a.array().isNaN().all());
    EXPECT_TRUE(lambda.array().isNaN().all());
    zero[0] = std::nan("");
    EXPECT_EQ(constrained_forward_dynamics(ws, zero, zero, zero, nullptr, a, lambda).status,
              Status::kNonFiniteInput);
}

TEST(ConstrainedForwardDynamics, SaysWhatIsWrongWithItsArguments) {
    const Model model = FourBar().model(Cut::kAtRockerEnd);
    Workspace<double> ws(model);
    VectorX<double> three = VectorX<double>::Zero(3), four = VectorX<double>::Zero(4);
    EXPECT_EQ(message([&] {
                  constrained_forward_dynamics(ws, three, three, three, nullptr, four, three);
              }),
              "constrained_forward_dynamics: a has size 4, expected 3 (nv)");
    EXPECT_EQ(message([&] {
                  constrained_forward_dynamics(ws, three, three, three, nullptr, three, four);
              }),
              "constrained_forward_dynamics: lambda has size 4, expected 3 (num_constraint_rows)");
}

// A parallelogram stretched out in a line may fold either way: J loses a rank, and nothing blows up.
TEST(ConstrainedForwardDynamics, PassesAChangePoint) {
    FourBar bar;
    bar.ground = bar.coupler.length = 1.5;
    bar.crank.length = bar.rocker.length = 0.6;
    for (const Axes& axes : {kHeldInPlane, kHeldHinge}) {
        const Model model = bar.model(Cut::kAtRockerEnd, axes);
        const VectorX<double> q = VectorX<double>::Zero(3);
        EXPECT_LE(constraint_errors(model, q).norm(), 1e-15);
        const VectorX<double> tau = Eigen::Vector3d(1, 0, 0);
        const auto found = constrained_forward_dynamics(model, q, VectorX<double>::Zero(3), tau);
        EXPECT_LE(found.report.residual, 1e-10);
        EXPECT_LE(found.lambda.norm(), 100);
        EXPECT_GT(found.a.norm(), 0.1);
        EXPECT_LE(found.a.norm(), 100);
    }
}

// The same loop twice, and once more elsewhere along the pin: forces are shared, and the motion is the same.
TEST(ConstrainedForwardDynamics, TakesAConstraintTwice) {
    const FourBar bar;
    const Model once = bar.model(Cut::kAtRockerEnd, kHeldHinge);
    Description d = once.description();
    for (const char* name : {"again", "elsewhere"}) {
        d.constraints.push_back(d.constraints[0]);
        d.constraints.back().name = name;
    }
    d.constraints.back().placement_a.position.z += 0.3;
    d.constraints.back().placement_b.position.z += 0.3;
    const Model thrice(d);
    const VectorX<double> q = bar.configuration(Cut::kAtRockerEnd, 1.2);
    VectorX<double> v = VectorX<double>::Ones(3);
    Workspace<double> ws(once);
    project_velocity(ws, q, v);
    const VectorX<double> tau = Eigen::Vector3d(4, 0, 0);
    const auto a = constrained_forward_dynamics(once, q, v, tau);
    const auto b = constrained_forward_dynamics(thrice, q, v, tau);
    EXPECT_LE((a.a - b.a).norm(), 1e-9 * a.a.norm());
    EXPECT_LE(b.lambda.norm(), a.lambda.norm()) << "shared";
}

// Ten seconds in steps of a millisecond, by Runge and Kutta, with the drift taken out after each.
TEST(ConstrainedForwardDynamics, KeepsEnergyAndStaysClosed) {
    const FourBar bar;
    const Model model = bar.model(Cut::kAtRockerEnd, kHeldHinge);
    Workspace<double> ws(model);
    VectorX<double> q = bar.configuration(Cut::kAtRockerEnd, 0.5);
    VectorX<double> v = 3 * VectorX<double>::Ones(3), lambda(5), tau = VectorX<double>::Zero(3);
    project_velocity(ws, q, v);
    const auto energy = [&] { return kinetic_energy(model, q, v) + potential_energy(model, q); };
    const auto acceleration = [&](const VectorX<double>& at, const VectorX<double>& with) {
        VectorX<double> a(3);
        constrained_forward_dynamics(ws, at, with, tau, nullptr, a, lambda);
        return a;
    };
    const double before = energy(), h = 1e-3;
    double worst = 0;
    for (int step = 0; step < 10000; ++step) {
        const VectorX<double> a1 = acceleration(q, v), v2 = v + h / 2 * a1;
        const VectorX<double> a2 = acceleration(q + h / 2 * v, v2), v3 = v + h / 2 * a2;
        const VectorX<double> a3 = acceleration(q + h / 2 * v2, v3), v4 = v + h * a3;
        const VectorX<double> a4 = acceleration(q + h * v3, v4);
        q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        worst = std::max(worst, project_configuration(ws, q).residual);
        project_velocity(ws, q, v);
    }
    EXPECT_LE(worst, 1e-13);
    EXPECT_NEAR(energy(), before, 1e-8 * std::abs(before));
}

// A point on a hinge's axis does not move: what ties it to the world holds nothing, however the axis lies and whatever
// rounding leaves of its equations.
TEST(ConstrainedForwardDynamics, IsNotDisturbedByRowsThatHoldNothing) {
    for (const Vec3<double>& axis :
         {Vec3<double>{0.3, -0.7, 0.4}, {-0.2, 0.5, 0.9}, {0.1, 0.2, 0.3}, {0.6, 0.1, -0.8}}) {
        const Vec3<double> on_axis = 0.37 * axis;
        Builder b("door");
        b.link("wall").body("wall", revolute("hinge", axis).at(tilted()), "door",
                            MassProperties::box(3, {0.4, 0.1, 0.9}, {0.3, 0.2, -0.1}));
        const Model free = b.build();
        ConstraintDescription pin = connect("pin", "door", "world");
        pin.placement_a.position = on_axis;
        pin.placement_b.position = tilted() * on_axis;
        const Model pinned = b.constraint(pin).build();
        const VectorX<double> q = VectorX<double>::Constant(1, 0.7);
        const VectorX<double> v = VectorX<double>::Constant(1, 2.0);
        const VectorX<double> tau = VectorX<double>::Constant(1, 0.3);
        const auto found = constrained_forward_dynamics(pinned, q, v, tau);
        EXPECT_NEAR(found.a[0], forward_dynamics(free, q, v, tau)[0], 1e-12);
        EXPECT_LE(found.lambda.lpNorm<Eigen::Infinity>(), 1e4);
    }
}

// What cannot be met is told by how much. A handle that is tied to the world, on a door that turns: nothing can take away
// its acceleration to the hinge.
// However nearly a row is across all that can move, it holds what little it meets.
TEST(ConstrainedForwardDynamics, HoldsByRowsThatAreNearlyAcross) {
    for (const double tilt : {0.1, 1e-3, 1e-5, 1e-7}) {
        ConstraintDescription rail = weld("rail", "bead", "world");
        rail.axes = {false, false, false, false, false, true};
        rail.placement_b = Pose<double>::roll_pitch_yaw({}, {0, tilt, 0});
        const Model model = Builder("wire")
                                .link("ground")
                                .body("ground", prismatic("wire", {1, 0, 0}), "bead",
                                      MassProperties::sphere(2, 0.1))
                                .constraint(rail)
                                .build();
        Workspace<double> ws(model);
        const VectorX<double> still = VectorX<double>::Zero(1), tau = VectorX<double>::Ones(1);
        VectorX<double> a(1), lambda(1);
        constrained_forward_dynamics(ws, still, still, tau, nullptr, a, lambda);
        EXPECT_NEAR(a[0], 0, 1e-6) << tilt;
        EXPECT_NEAR(std::abs(lambda[0]) * std::sin(tilt), 1, 1e-6) << tilt;
    }
}

TEST(ConstrainedForwardDynamics, TellsWhatIsNotMet) {
    const Model model = Builder("door")
                            .link("wall")
                            .body("wall", revolute("hinge", {0, 0, 1}), "door",
                                  MassProperties::box(3, {0.8, 0.1, 2}, {0.4, 0, 0}))
                            .constraint([] {
                                ConstraintDescription c = connect("chain", "door", "world");
                                c.placement_a.position = c.placement_b.position = {0.7, 0, 0};
                                return c;
                            }())
                            .build();
    const VectorX<double> zero = VectorX<double>::Zero(1), two = VectorX<double>::Constant(1, 2.0);
    EXPECT_LE(constrained_forward_dynamics(model, zero, zero, zero).report.residual, 1e-12);
    EXPECT_NEAR(constrained_forward_dynamics(model, zero, two, zero).report.residual, 4 * 0.7,
                1e-12);
}

// Whether something is good enough is the caller's word.
TEST(Projection, GoesNoFurtherThanItsTolerance) {
    const FourBar bar;
    const Model model = bar.model(Cut::kAtRockerEnd, kHeldHinge);
    VectorX<double> off = bar.configuration(Cut::kAtRockerEnd, 0.8);
    off.array() += 1e-3;
    const double error = constraint_errors(model, off).lpNorm<Eigen::Infinity>();
    Workspace<double> ws(model);
    for (const double tolerance : {1e-1, 1e-4, 1e-8, 1e-13}) {
        VectorX<double> q = off;
        const ConstraintReport report = project_configuration(ws, q, tolerance);
        EXPECT_LE(report.residual, tolerance);
        EXPECT_EQ(report.iterations == 0, error <= tolerance);
        EXPECT_EQ(q == off, error <= tolerance);
        // And not one step more than it takes.
        if (report.iterations > 0) {
            VectorX<double> rough = off;
            EXPECT_LT(project_configuration(ws, rough, 10 * error).iterations, report.iterations);
        }
    }
    for (const double tolerance : {1e-2, 1e-5, 1e-9, 1e-12}) {
        for (int iterations = 1; iterations < 6; ++iterations) {
            const ClosedLoops found = close_loops(
                model, off, {.tolerance = tolerance, .iterations = iterations, .tries = 1});
            EXPECT_EQ(found.closed, found.residual <= tolerance) << tolerance;
            EXPECT_EQ(found.message.empty(), found.closed);
        }
    }
}

// What cannot be met is left as near as it came, and the report tells how near that is.
TEST(Projection, EndsWhereNothingShrinksAnyMore) {
    const auto door = [](double distance) {
        return Builder("door")
            .link("wall")
            .body("wall", revolute("hinge", {0, 0, 1}), "door",
                  MassProperties::box(3, {0.8, 0.1, 2}, {0.4, 0, 0}))
            .frame("handle", "door", Pose<double>::translation(0.7, 0, 0))
            .frame("hook", "wall", Pose<double>::translation(2, 0, 0))
            .constraint(rod("chain", "handle", "hook", distance))
            .build();
    };
    for (const double distance : {0.5, 1.2, 4.0}) {  // from 1.3 to 2.7 m can be met
        const Model model = door(distance);
        Workspace<double> ws(model);
        for (const double angle : {0.1, 0.4, -1.0, 2.5}) {
            VectorX<double> q = VectorX<double>::Constant(1, angle);
            const ConstraintReport report = project_configuration(ws, q);
            EXPECT_LE(report.iterations, 15) << distance << " " << angle;
            EXPECT_EQ(report.residual, constraint_errors(model, q).lpNorm<Eigen::Infinity>())
                << distance << " " << angle;
            EXPECT_GE(report.residual, 0.1 - 1e-12);
        }
    }
}

// About any point, in any axes, it is one force: on a robot far from the world's origin, too.
TEST(ConstraintForce, IsTheSameInEveryReference) {
    const Model model =
        Builder("closed")
            .base(Base::kFloating)
            .link("hull", MassProperties::box(4, {0.4, 0.3, 0.2}))
            .body("hull", revolute("a", {0, 1, 0}).at(0.3, 0, 0), "left",
                  MassProperties::sphere(1, 0.1))
            .body("hull", revolute("b", {0, 0, 1}).at(-0.3, 0.1, 0), "right",
                  MassProperties::sphere(2, 0.1))
            .frame("grip", "left", Pose<double>::roll_pitch_yaw({0.2, 0.1, 0}, {0.3, 0.4, 0.5}))
            .constraint(rod("rod", "grip", "right", 0.5))
            .build();
    VectorX<double> q = neutral_configuration(model), v = VectorX<double>::Constant(8, 0.3);
    q.head(3) << 5, -7, 2;
    q.segment(3, 4) = Eigen::Vector4d(0.1, 0.2, -0.3, 0.8).normalized();
    q.tail(2) << 0.6, -0.4;
    Workspace<double> ws(model);
    VectorX<double> a(8), lambda(1), tau = VectorX<double>::LinSpaced(8, -1, 2);
    constrained_forward_dynamics(ws, q, v, tau, nullptr, a, lambda);
    ASSERT_GT(std::abs(lambda[0]), 1e-3);
    const Pose<double> grip = frame_pose(model, q, "grip");
    const auto force = [&](ReferenceFrame in) { return constraint_force(ws, q, 0, lambda, in); };
    const Force<double> aligned = force(ReferenceFrame::kWorldAligned);
    EXPECT_NEAR(norm(aligned.linear), std::abs(lambda[0]), 1e-12);
    EXPECT_LE(norm(aligned.angular), 1e-12) << "a rod has no couple";
    const Force<double> world = force(ReferenceFrame::kWorld), body = force(ReferenceFrame::kBody);
    EXPECT_LE(norm(world.linear - aligned.linear), 1e-12);
    EXPECT_LE(norm(world.angular - cross(grip.position, aligned.linear)), 1e-11);
    EXPECT_LE(norm(grip.rotation * body.linear - aligned.linear), 1e-12);
    EXPECT_LE(norm(body.angular), 1e-12);
}

// Of two constraints, one of which can be met, the other is named, whichever comes first.
TEST(CloseLoops, NamesTheOneThatFails) {
    for (const bool bad_is_first : {true, false}) {
        Builder b("slides");
        b.link("rail");
        for (const char* name : {"a", "b"}) {
            b.body("rail", prismatic(std::string(name) + "_slide", {1, 0, 0}), name,
                   MassProperties::sphere(1, 0.1));
        }
        ConstraintDescription bad = connect("bad", "a", "world"),
                              good = connect("good", "b", "world");
        bad.placement_b.position = {0.2, 0.5, 0};
        good.placement_b.position = {0.7, 0, 0};
        b.constraint(bad_is_first ? bad : good).constraint(bad_is_first ? good : bad);
        const ClosedLoops found = close_loops(b.build(), VectorX<double>::Zero(2));
        EXPECT_FALSE(found.closed);
        EXPECT_EQ(found.constraint, "bad");
        EXPECT_NE(found.message.find("'bad' cannot be closed: 'a' and 'world' stay 0.5 m"),
                  std::string::npos)
            << found.message;
    }
}

// What cannot be met may be a place, an attitude, or both; each is told by itself.
TEST(CloseLoops, TellsHowFarAndHowTurned) {
    // As many turns as moves are prevented, more, and fewer.
    for (const Axes& axes : {kHeldAll, Axes{true, true, true, true, true, false},
                             Axes{false, true, true, true, true, true}}) {
        for (const double turn : {0.0, 0.5}) {
            for (const double away : {0.0, 0.25}) {
                if (turn == 0 && away == 0) continue;
                ConstraintDescription tie = weld("tie", "cart", "world");
                tie.axes = axes;
                tie.placement_b = Pose<double>::roll_pitch_yaw({0.1, away, 0}, {0, 0, turn});
                const Model model = Builder("slide")
                                        .link("rail")
                                        .body("rail", prismatic("slide", {1, 0, 0}), "cart",
                                              MassProperties::sphere(1, 0.1))
                                        .constraint(tie)
                                        .build();
                const ClosedLoops found = close_loops(model, VectorX<double>::Constant(1, 0.1));
                EXPECT_FALSE(found.closed);
                const std::string told = std::string(away == 0 ? "0" : "0.25") + " m and " +
                                         (turn == 0 ? "0" : "0.5") + " rad";
                EXPECT_NE(found.message.find("'cart' and 'world' stay " + told), std::string::npos)
                    << found.message;
            }
        }
    }
}

// Near where an arm is stretched, a step of Newton's method may lead far away from a point that it hardly reaches, or does not. It is
// not taken.
TEST(ProjectConfiguration, LeadsNowhereWorse) {
    for (double distance = 1.9; distance < 2.6; distance += 0.1) {
        ConstraintDescription pin = connect("pin", "tip", "world");
        pin.placement_b = Pose<double>::translation(distance, 0, 0);
        const Model model = Builder("stretched")
                                .link("ground")
                                .body("ground", revolute("shoulder", {0, 0, 1}), "upper",
                                      MassProperties::box(1, {1, 0.1, 0.1}, {0.5, 0, 0}))
                                .body("upper", revolute("elbow", {0, 0, 1}).at(1, 0, 0), "lower",
                                      MassProperties::box(1, {1, 0.1, 0.1}, {0.5, 0, 0}))
                                .frame("tip", "lower", Pose<double>::translation(1, 0, 0))
                                .constraint(pin)
                                .build();
        for (const double bent : {0.003, 0.03, 0.3}) {
            VectorX<double> q(2);
            q << bent, -2 * bent;
            const double before = constraint_errors(model, q).lpNorm<Eigen::Infinity>();
            Workspace<double> ws(model);
            const ConstraintReport report = project_configuration(ws, q);
            const double after = constraint_errors(model, q).lpNorm<Eigen::Infinity>();
            EXPECT_LE(after, before) << distance << " " << bent;
            EXPECT_NEAR(report.residual, after, 1e-14);
        }
    }
}

// A link without mass on a slide with a rotor, pinned to an arm: held as by a heavy one, where joints mimic others, too.
TEST(Constraints, HoldWhatHasARotorAlone) {
    for (const bool mimics : {false, true}) {
        SCOPED_TRACE(mimics);
        JointDescription second = revolute("second", {0, 0, 1}).at(0, 1, 0);
        if (mimics) second = second.mimicking("first", -1, 0);
        const Model model =
            Builder("pinned")
                .link("ground")
                .body("ground", revolute("first", {0, 0, 1}), "arm", MassProperties::sphere(1, 0.1))
                .body("ground", second, "other", MassProperties::sphere(1, 0.1))
                .body("ground", prismatic("slide", {1, 0, 0}).with_armature(0.5), "slider", {})
                .frame("pin", "arm", Pose<double>::translation(0.4, 0, 0))
                .constraint(rod("rod", "pin", "slider", 1))
                .build();
        VectorX<double> q = VectorX<double>::Zero(model.nq()),
                        v = VectorX<double>::Ones(model.nv());
        q[0] = 0.5;
        q[model.nq() - 1] = 1.3;
        q = close_loops(model, q).q;
        Workspace<double> ws(model);
        project_velocity(ws, q, v);
        EXPECT_LE((constraint_jacobian(model, q) * v).norm(), 1e-12);
        const ConstrainedAccelerations found =
            constrained_forward_dynamics(model, q, v, VectorX<double>::Constant(model.nv(), 2.0));
        EXPECT_LE(found.report.residual, 1e-11);
        EXPECT_GT(std::abs(found.lambda[0]), 0.1);
    }
}

// A joint that is held stays as it was in all its coordinates, however many it has.
TEST(CloseLoops, HoldsAllCoordinatesOfAJoint) {
    for (const JointDescription& joint :
         {planar("joint", {0, 0, 1}), cylindrical("joint", {0, 0, 1}), spherical("joint"),
          floating("joint")}) {
        ConstraintDescription tie = weld("tie", "body", "world");
        tie.placement_b = Pose<double>::roll_pitch_yaw({0.3, -0.2, 0.4}, {0.5, -0.6, 0.7});
        const Model model = Builder("one")
                                .link("ground")
                                .body("ground", joint, "body", MassProperties::sphere(1, 0.1))
                                .constraint(tie)
                                .build();
        const VectorX<double> guess = neutral_configuration(model);
        const ClosedLoops held = close_loops(model, guess, {.held = {"joint"}});
        EXPECT_FALSE(held.closed);
        EXPECT_EQ(held.q, guess) << name_of(joint.type);
        EXPECT_NE(close_loops(model, guess).q, guess) << name_of(joint.type);
    }
}

// A slide that stands where a polynomial of the hinge's angle puts it.
Model cam(const std::array<double, 5>& polynomial) {
    ConstraintDescription tie = gear("cubic", "slide", "hinge", 0);
    tie.polynomial = polynomial;
    const MassProperties mass = MassProperties::sphere(1, 0.1);
    return Builder("cam")
        .link("ground")
        .body("ground", prismatic("slide", {1, 0, 0}), "follower", mass)
        .body("ground", revolute("hinge", {0, 0, 1}), "cam", mass)
        .constraint(tie)
        .build();
}

// A guess may lie where every small step leads away: then it is looked farther off, as often as is allowed, and every step counts.
TEST(CloseLoops, LooksFartherOffThanTheGuess) {
    // The slide stands at 3, which the cubic reaches beyond a valley alone: at the guess it is 2, and falls to both sides.
    const Model model = cam({0, -15, 0, 125, 0});
    VectorX<double> guess(2);
    guess[model.q_index("slide")] = 3;
    guess[model.q_index("hinge")] = -0.2;
    EXPECT_FALSE(close_loops(model, guess, {.held = {"slide"}, .tries = 1}).closed);
    const ClosedLoops found = close_loops(model, guess, {.held = {"slide"}, .tries = 50});
    EXPECT_TRUE(found.closed);
    EXPECT_EQ(found.q[model.q_index("slide")], 3);
    EXPECT_GT(found.q[model.q_index("hinge")], 0.2);
    // Where nothing may move, each try takes the same steps.
    const auto steps = [&](int tries) {
        return close_loops(model, guess, {.held = {"slide", "hinge"}, .tries = tries}).iterations;
    };
    EXPECT_GT(steps(1), 0);
    EXPECT_EQ(steps(5), 5 * steps(1));
}

// A step that leads to worse is not taken: the next one is shorter, from the same place and along the slope there.
TEST(CloseLoops, TriesAShorterStepFromTheSamePlace) {
    // x³ - x = 2 from near its valley, where the slope is small and Newton's step thirty times too long.
    const Model model = cam({0, -1, 0, 1, 0});
    VectorX<double> guess(2);
    guess[model.q_index("slide")] = 2;
    guess[model.q_index("hinge")] = 0.6;
    const double newton = (2 - (0.216 - 0.6)) / (3 * 0.36 - 1);
    // Each time a tenfold damping, from a thousandth of the slope; a hundredfold is the first with which it gets better.
    for (int n = 1; n <= 6; ++n) {
        const ClosedLoops found =
            close_loops(model, guess, {.held = {"slide"}, .iterations = n, .tries = 1});
        EXPECT_NEAR(found.q[model.q_index("hinge")], 0.6 + (n < 6 ? 0 : newton / (1 + 100)), 1e-12)
            << n;
    }
}

// With its crank turned away, coupler and rocker together are a metre too short.
TEST(CloseLoops, SaysWhichConstraintCannotBeClosed) {
    FourBar bar;
    bar.coupler.length = 0.3;
    const Model model = bar.model(Cut::kAtRockerEnd, kHeldPoint);
    VectorX<double> guess(3);
    guess << 3.14159265358979, 0.3, 2.9;
    const ClosedLoops found = close_loops(model, guess, {.held = {"crank_joint"}});
    EXPECT_FALSE(found.closed);
    EXPECT_NEAR(found.residual, 1, 1e-3) << "the best that there is, as a vector of three";
    EXPECT_EQ(found.constraint, "loop");
    EXPECT_EQ(found.message.substr(0, 71),
              "constraint 'loop' cannot be closed: 'coupler' and 'rocker' stay 1 m and");
    EXPECT_NE(found.message.find("hold fewer joints"), std::string::npos) << found.message;
    EXPECT_EQ(found.q[0], guess[0]) << "it is held in every try";
    EXPECT_TRUE(close_loops(model, guess).closed) << "if the crank may turn, it closes";
    // However far each try comes, the best of them counts.
    const double first = close_loops(model, guess, {.iterations = 1, .tries = 1}).residual;
    for (const int tries : {2, 3, 5, 8}) {
        const ClosedLoops best = close_loops(model, guess, {.iterations = 1, .tries = tries});
        EXPECT_LE(best.residual, first) << tries;
        EXPECT_NEAR(constraint_errors(model, best.q).lpNorm<Eigen::Infinity>(), best.residual,
                    1e-14);
    }
    EXPECT_EQ(message([&] { close_loops(model, guess, {.held = {"crank"}}); }),
              "unknown joint 'crank'; closest: 'crank_joint', 'rocker_joint', 'coupler_joint'");
}

}  // namespace
}  // namespace plucker::test
