// The equations of constraints against their definitions, by dual numbers, on robots with every kind of joint.
#include "plucker/constraints/rows.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/laws/along_motion.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::test {
namespace {

constexpr const char* kRobots[] = {"double_pendulum", "cart_pole",  "lamp",
                                   "exoskeleton",     "arm",        "quadruped",
                                   "humanoid",        "tree(14,3)", "tree(9,5)"};

Pose<double> some_pose(std::mt19937& generator) {
    std::normal_distribution<double> normal;
    const auto three = [&] {
        return Vec3<double>{normal(generator), normal(generator), normal(generator)};
    };
    const Vec3<double> position = three();
    return Pose<double>::roll_pitch_yaw(position, three());
}

// A robot with ties of every kind between its links at random, which are not met: the equations hold all the same.
Model tied(const std::string& name, unsigned seed) {
    std::mt19937 generator(seed);
    Description d = robots::by_name(name).description();
    const Model free(d);
    const auto some_link = [&] {
        return free.body_name(std::uniform_int_distribution<int>(0, free.num_bodies())(generator));
    };
    int count = 0;
    const auto tie = [&](ConstraintDescription c) {
        c.name = "tie" + std::to_string(count++);
        c.frame_a = some_link();
        do {
            c.frame_b = some_link();
        } while (c.frame_a == c.frame_b);
        c.placement_a = some_pose(generator);
        c.placement_b = some_pose(generator);
        if (c.kind == ConstraintKind::kDistance) c.distance = 0.5;
        d.constraints.push_back(c);
    };
    for (unsigned mask = 1; mask < 64; mask += 5) {  // every pattern of turns and moves
        ConstraintDescription c;
        for (unsigned k = 0; k < 6; ++k) c.axes[k] = (mask >> k & 1U) != 0;
        tie(c);
    }
    for (const unsigned turns : {1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
        ConstraintDescription c;
        for (unsigned k = 0; k < 6; ++k) c.axes[k] = k < 3 && (turns >> k & 1U) != 0;
        tie(c);
    }
    ConstraintDescription distance;
    distance.kind = ConstraintKind::kDistance;
    tie(distance);
    std::vector<std::string> single;
    for (int i = 1; i <= free.num_bodies(); ++i) {
        if (has_one_freedom(free.body(i).joint)) single.push_back(free.joint(i).name);
    }
    if (single.size() > 1) {
        ConstraintDescription c = gear("coupling", single.front(), single.back(), 0.7, 0.2);
        c.polynomial = {0.2, 0.7, -0.4, 0.3, 0.1};
        d.constraints.push_back(c);
        d.constraints.push_back(gear("hold", single.back(), "", 0, 0.3));
    }
    return Model(d);
}

template <class S>
struct Equations {
    VectorX<S> error;
    MatrixX<S> J;
};
template <class S>
Equations<S> equations(const Model& model, const VectorX<S>& q) {
    Workspace<S> ws(model);
    kernel::position_kinematics(ws, ws.passing_kinematics, q.data());
    const long m = model.num_constraint_rows();
    Equations<S> out{VectorX<S>(m), MatrixX<S>(m, model.nv())};
    for (const Constraint& c : model.constraints()) {
        kernel::constraint_rows(ws, ws.passing_kinematics, q.data(), c,
                                out.error.data() + c.first_row,
                                detail::MatrixView<S>{out.J.data() + c.first_row, m});
    }
    return out;
}

// At a velocity at random.
void expect_derivatives_of_errors(const Model& model, const VectorX<double>& q,
                                  std::mt19937& generator) {
    std::normal_distribution<double> normal;
    laws::State<double> s;
    s.q = q;
    s.v = s.a = s.tau = VectorX<double>::Zero(model.nv());
    for (double& x : s.v) x = normal(generator);
    const Equations<double> now = equations<double>(model, s.q);
    EXPECT_EQ(now.J, constraint_jacobian(model, s.q));
    EXPECT_EQ(now.error, constraint_errors(model, s.q));
    const auto moving = equations<Dual<double>>(model, laws::moving(model, s).q);
    const double size = 1 + now.J.norm() * s.v.norm();
    // ė = J v, at errors of any size.
    const VectorX<double> error_rate = laws::rate_of(moving.error);
    EXPECT_LE((now.J * s.v - error_rate).lpNorm<Eigen::Infinity>(), 1e-12 * size);
    // J̇ v
    const VectorX<double> bias = laws::rate_of(moving.J) * s.v;
    EXPECT_LE((constraint_bias(model, s.q, s.v) - bias).lpNorm<Eigen::Infinity>(),
              1e-12 * size * (1 + s.v.norm()));
}

class ConstraintRows : public testing::TestWithParam<const char*> {};

TEST_P(ConstraintRows, AreTheDerivativesOfTheirErrors) {
    std::mt19937 generator(7);
    for (unsigned seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(seed);
        const Model model = tied(GetParam(), seed);
        expect_derivatives_of_errors(model, random_configuration(model, generator), generator);
    }
}

// Turns that are small are found by series, and where these end, by sines.
TEST(ConstraintRows, AreTheDerivativesOfErrorsThatAreSmall) {
    std::mt19937 generator(11);
    for (const unsigned turns : {3U, 5U, 6U, 7U}) {
        ConstraintDescription c;
        c.name = "tie";
        c.frame_a = "body";
        c.frame_b = "world";
        for (unsigned k = 0; k < 6; ++k) c.axes[k] = k < 3 && (turns >> k & 1U) != 0;
        const Model model = Builder("body")
                                .base(Base::kFloating)
                                .link("body", MassProperties::box(1, {0.1, 0.2, 0.3}))
                                .constraint(c)
                                .build();
        for (const double angle : {0.0, 1e-6, 1e-3, 0.03, 0.09, 0.0999, 0.1001, 0.2}) {
            SCOPED_TRACE(testing::Message() << "turns " << turns << ", angle " << angle);
            VectorX<double> q = neutral_configuration(model);
            const Quaternion<double> turned = exponential(angle * Vec3<double>{0.6, -0.48, 0.64});
            SphericalJoint::store(turned, q.data() + 3);
            expect_derivatives_of_errors(model, q, generator);
        }
    }
}

// A joint that mimics another moves by its multiplier, on either side of a coupling.
TEST(CouplingRows, OfJointsThatMimicAreTheDerivativesOfTheirErrors) {
    const auto mass = MassProperties::box(1, {0.1, 0.2, 0.3}, {0.2, 0.1, 0});
    Builder robot("fingers");
    robot.link("palm")
        .body("palm", revolute("first", {0, 0, 1}), "a", mass)
        .body("a", prismatic("second", {1, 0, 0}), "b", mass)
        .body("b", revolute("third", {0, 1, 0}).mimicking("first", -2.5, 0.3), "c", mass);
    for (const auto& [one, other] : {std::pair{"second", "third"}, {"third", "second"}}) {
        ConstraintDescription c = gear(std::string("from ") + one, one, other, 0);
        c.polynomial = {0.2, 0.7, -0.4, 0.3, 0.1};
        robot.constraint(c);
    }
    std::mt19937 generator(8);
    const Model model = robot.build();
    expect_derivatives_of_errors(model, random_configuration(model, generator), generator);
}

INSTANTIATE_TEST_SUITE_P(Robots, ConstraintRows, testing::ValuesIn(kRobots));

// --- What the errors mean ---

// Two free bodies, of which the second is turned and moved as asked.
Model two_bodies(const std::array<bool, 6>& axes) {
    ConstraintDescription c = weld("tie", "body", "world");
    c.axes = axes;
    return Builder("body")
        .base(Base::kFloating)
        .link("body", MassProperties::sphere(1, 0.1))
        .constraint(c)
        .build();
}
VectorX<double> turned(const Vec3<double>& rotation, const Vec3<double>& position = {}) {
    const Quaternion<double> a = exponential(rotation);
    VectorX<double> q(7);
    q << position.x, position.y, position.z, a.x, a.y, a.z, a.w;
    return q;
}

TEST(ConstraintErrors, OfAllTurnsAreTheRotationVectorUpToHalfATurn) {
    const Model model = two_bodies({true, true, true, false, false, false});
    const Vec3<double> axis = 1 / std::sqrt(14.0) * Vec3<double>{1, -2, 3};
    for (const double angle : {0.0, 1e-9, 1e-5, 1e-3, 0.1, 1.0, 2.0, 3.0, 3.14159}) {
        const VectorX<double> e = constraint_errors(model, turned(angle * axis));
        EXPECT_LE((e - to_eigen(angle * axis)).norm(), 2e-15 * (1 + angle)) << angle;
    }
}

TEST(ConstraintErrors, OfAHingeDoNotKnowHowFarItHasTurned) {
    for (const int free : {0, 1, 2}) {
        std::array<bool, 6> axes{true, true, true, true, true, true};
        axes[static_cast<std::size_t>(free)] = false;
        const Model model = two_bodies(axes);
        const Vec3<double> axis{free == 0 ? 1.0 : 0.0, free == 1 ? 1.0 : 0.0,
                                free == 2 ? 1.0 : 0.0};
        for (const double angle : {0.0, 1.0, 3.1, 3.2, 5.0, 7.0}) {
            EXPECT_LE(constraint_errors(model, turned(angle * axis)).norm(), 1e-15) << angle;
        }
        // Upside down is as far as can be.
        const Vec3<double> flip{free == 0 ? 0.0 : std::numbers::pi,
                                free == 0 ? std::numbers::pi : 0.0, 0};
        EXPECT_NEAR(constraint_errors(model, turned(flip)).norm(), std::numbers::pi, 1e-9);
        // So it is where no digit says to which side it leans.
        VectorX<double> exactly(7);
        exactly << 0, 0, 0, (free == 0 ? 0 : 1), (free == 0 ? 1 : 0), 0, 0;
        EXPECT_NEAR(constraint_errors(model, exactly).norm(), std::numbers::pi, 1e-9);
        EXPECT_TRUE(constraint_jacobian(model, exactly).allFinite());
        // Leant over by 2 rad across its axis, that is the error, in the order of the axes.
        const Vec3<double> across{0, free == 0 ? 2.0 : 0.0, free == 0 ? 0.0 : 2.0};
        if (free == 2) continue;
        VectorX<double> expected = VectorX<double>::Zero(5);
        expected[free == 0 ? 0 : 1] = 2;
        EXPECT_LE((constraint_errors(model, turned(across)) - expected).norm(), 1e-14);
    }
}

TEST(ConstraintErrors, OfAUniversalJointAreZeroWhereverItsTwoAnglesAre) {
    const Model model = two_bodies({false, false, true, true, true, true});
    for (const double first : {0.0, 0.8, -2.0}) {
        for (const double second : {0.0, 0.5, 1.4}) {
            const Quaternion<double> a =
                exponential(Vec3<double>{first, 0, 0}) * exponential(Vec3<double>{0, second, 0});
            VectorX<double> q(7);
            q << 0, 0, 0, a.x, a.y, a.z, a.w;
            EXPECT_LE(constraint_errors(model, q).norm(), 1e-15);
        }
    }
    EXPECT_NEAR(constraint_errors(model, turned({0, 0, 0.01}))[0], std::sin(0.01), 1e-16);
}

TEST(ConstraintErrors, OfADistanceAreWhatItLacks) {
    const Model model = Builder("body")
                            .base(Base::kFloating)
                            .link("body", MassProperties::sphere(1, 0.1))
                            .constraint(rod("rod", "body", "world", 0.5))
                            .build();
    for (const double apart : {0.0, 1e-9, 0.5, 2.0}) {
        const VectorX<double> q = turned({0.3, 0.2, 0.1}, {0, apart, 0});
        EXPECT_NEAR(constraint_errors(model, q)[0], apart - 0.5, 1e-15) << apart;
        EXPECT_TRUE(constraint_jacobian(model, q).allFinite()) << apart;
    }
}

TEST(ConstraintErrors, OfMovesAreAlongTheAxesOfFrameB) {
    ConstraintDescription c = connect("tie", "body", "world");
    c.placement_b = Pose<double>::roll_pitch_yaw({1, 2, 3}, {0, 0, 0.5});
    const Model model = Builder("body")
                            .base(Base::kFloating)
                            .link("body", MassProperties::sphere(1, 0.1))
                            .constraint(c)
                            .build();
    const VectorX<double> e = constraint_errors(model, turned({0.3, 0.2, 0.1}, {2, 2, 3}));
    EXPECT_NEAR(e[0], std::cos(0.5), 1e-15);
    EXPECT_NEAR(e[1], -std::sin(0.5), 1e-15);
    EXPECT_NEAR(e[2], 0, 1e-15);
}

}  // namespace
}  // namespace plucker::test
