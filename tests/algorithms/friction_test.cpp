// Friction in closed form: at both signs of the velocity, in every function that knows of it, and through mimicry.
#include <gtest/gtest.h>

#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

constexpr double kDamping = 0.25, kCoulomb = 0.75;

// The same robot with friction on every joint, or on none.
Model with_friction(const Model& model, double damping, double coulomb) {
    Description description = model.description();
    for (JointDescription& joint : description.joints) {
        joint.damping = damping;
        joint.friction = coulomb;
    }
    return Model(std::move(description));
}

// By hand: what a joint's friction asks of its motor.
double friction_by_hand(double v) {
    return kDamping * v + (v > 0 ? kCoulomb : v < 0 ? -kCoulomb : 0.0);
}

TEST(Friction, OpposesMotionEitherWay) {
    const Model model =
        Builder("wheel")
            .link("ground")
            .body("ground",
                  revolute("axle", {0, 0, 1}).with_damping(kDamping).with_friction(kCoulomb),
                  "wheel", MassProperties::cylinder(4, 0.5, 0.1))
            .build();
    const double inertia = 0.5 * 4 * 0.5 * 0.5;
    const VectorX<double> q = VectorX<double>::Zero(1), none = q;
    for (const double speed : {3.0, 1e-6, 0.0, -1e-6, -3.0}) {
        const VectorX<double> v = VectorX<double>::Constant(1, speed);
        const double expected = friction_by_hand(speed);
        EXPECT_DOUBLE_EQ(friction_torque(model, v)[0], expected);
        EXPECT_DOUBLE_EQ(inverse_dynamics(model, q, v, none)[0], expected);
        EXPECT_DOUBLE_EQ(bias_torque(model, q, v)[0], expected);
        // Left alone, it slows down.
        EXPECT_DOUBLE_EQ(forward_dynamics(model, q, v, none)[0], -expected / inertia);
        EXPECT_DOUBLE_EQ(forward_dynamics_by_mass_matrix(model, q, v, none)[0],
                         -expected / inertia);
        EXPECT_DOUBLE_EQ(
            hybrid_dynamics(model, q, v, given_accelerations(model, {}), none, none).a[0],
            -expected / inertia);
        EXPECT_DOUBLE_EQ(
            hybrid_dynamics(model, q, v, given_accelerations(model, {"axle"}), none, none).tau[0],
            expected);
        EXPECT_DOUBLE_EQ(mechanical_power(model, q, v, none), -expected * speed);
        EXPECT_LE(mechanical_power(model, q, v, none), 0);
    }
}

// Whatever the joint: friction is what the torque has more than without, and it never drives.
class FrictionOf : public testing::TestWithParam<std::string> {};

TEST_P(FrictionOf, IsWhatTheTorqueHasMore) {
    const Model smooth = with_friction(joint_model(GetParam()), 0, 0);
    const Model rough = with_friction(joint_model(GetParam()), kDamping, kCoulomb);
    std::mt19937 generator(4);
    for (int sample = 0; sample < 4; ++sample) {
        const laws::State<double> s = laws::random_state(smooth, generator);
        const VectorX<double> friction = friction_torque(rough, s.v);
        const VectorX<double> tau = inverse_dynamics(smooth, s.q, s.v, s.a);
        const VectorX<double> size =
            laws::Sizes(rough, s.q).torques(laws::magnitudes(s.v), laws::magnitudes(s.a));
        laws::Report<double> report(smooth.nv());
        report.equal("inverse dynamics", inverse_dynamics(rough, s.q, s.v, s.a),
                     (tau + friction).eval(), size);
        // What friction takes, the motors add: the same motion.
        const VectorX<double> a = forward_dynamics(rough, s.q, s.v, (s.tau + friction).eval());
        report.equal(
            "forward dynamics", inverse_dynamics(smooth, s.q, s.v, a), s.tau,
            (size + laws::Sizes(rough, s.q).torques(laws::magnitudes(s.v), laws::magnitudes(a)))
                .eval());
        for (const laws::Residual& r : std::move(report).take()) {
            EXPECT_TRUE(r.holds()) << r.law << ' ' << r.value;
        }
        for (int k = 0; k < rough.nv(); ++k) EXPECT_GE(friction[k] * s.v[k], 0) << "joint " << k;
        const VectorX<double> none = VectorX<double>::Zero(rough.nv());
        EXPECT_LT(mechanical_power(rough, s.q, s.v, none), 0);
        // It depends on its own joint's velocity alone, and turns around with it.
        EXPECT_EQ(friction_torque(rough, (-s.v).eval()), -friction);
        if (rough.has_mimic_joints() || rough.has_floating_base()) continue;
        for (int k = 0; k < rough.nv(); ++k) {
            EXPECT_DOUBLE_EQ(friction[k], friction_by_hand(s.v[k])) << "joint " << k;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EveryJoint, FrictionOf, testing::ValuesIn(joint_model_names()));

// A floating base has none of its own.
TEST(Friction, LeavesTheBaseAlone) {
    const Model model = with_friction(joint_model("floating_revolute"), kDamping, kCoulomb);
    const VectorX<double> v = VectorX<double>::Constant(model.nv(), -2);
    const VectorX<double> friction = friction_torque(model, v);
    EXPECT_EQ(friction.head(6), VectorX<double>::Zero(6));
    for (int k = 6; k < model.nv(); ++k) EXPECT_DOUBLE_EQ(friction[k], friction_by_hand(-2));
}

// A follower turns m times as fast: its friction is felt |m| times, its damping and its rotor m² times.
TEST(MimicJoint, ReflectsFrictionDampingAndRotorOfEitherSign) {
    for (const double m : {-2.0, -0.5, 0.5, 3.0}) {
        const auto gears = [&](double armature, double damping, double coulomb) {
            const auto driver = revolute("driver", {0, 0, 1});
            const auto follower = revolute("follower", {0, 0, 1}).at(1, 0, 0);
            return Builder("gears")
                .link("ground")
                .body("ground",
                      driver.with_armature(2 * armature)
                          .with_damping(2 * damping)
                          .with_friction(2 * coulomb),
                      "first", MassProperties::cylinder(4, 0.5, 0.1))
                .body("ground",
                      follower.mimicking("driver", m, 0.3)
                          .with_armature(armature)
                          .with_damping(damping)
                          .with_friction(coulomb),
                      "second", MassProperties::cylinder(4, 0.5, 0.1))
                .build();
        };
        const Model model = gears(0.125, kDamping, kCoulomb);
        const VectorX<double> q = VectorX<double>::Constant(1, 0.4);
        const double inertia = 0.5 + 0.5 * m * m + (2 + m * m) * 0.125;
        EXPECT_NEAR(mass_matrix(model, q)(0, 0), inertia, 1e-14) << m;
        for (const double speed : {1.5, -1.5}) {
            const VectorX<double> v = VectorX<double>::Constant(1, speed);
            const VectorX<double> a = VectorX<double>::Constant(1, 0.7);
            const double friction = (2 + m * m) * kDamping * speed +
                                    (2 + std::abs(m)) * kCoulomb * (speed > 0 ? 1 : -1);
            EXPECT_NEAR(friction_torque(model, v)[0], friction, 1e-14) << m;
            EXPECT_NEAR(inverse_dynamics(model, q, v, a)[0], inertia * 0.7 + friction, 1e-13) << m;
            EXPECT_NEAR(forward_dynamics(model, q, v, (0 * v).eval())[0], -friction / inertia,
                        1e-13)
                << m;
            EXPECT_LT(mechanical_power(model, q, v, (0 * v).eval()), 0) << m;
        }
    }
}

}  // namespace
}  // namespace plucker::test
