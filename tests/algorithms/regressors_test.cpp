// Regressors with other parameters than the robot's own, and the parameters themselves. That Y π of the robot's own gives
// what the other algorithms say is a law (laws/regressor_laws.hpp).
#include <gtest/gtest.h>

#include <random>

#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

// Bodies at random, none of whose numbers is zero: a column too many or too few would show.
VectorX<double> random_parameters(const Model& model, std::mt19937& generator) {
    std::uniform_real_distribution<double> unit(-1, 1);
    VectorX<double> out(num_dynamic_parameters(model));
    for (long k = 0; k < num_inertial_parameters(model); k += kLinkParameters) {
        Inertia<double> sum;
        for (int point = 0; point < 6; ++point) {
            sum += Inertia<double>::point_mass(0.3,
                                               {unit(generator), unit(generator), unit(generator)});
        }
        const auto numbers = link_parameters(sum);
        std::copy(numbers.begin(), numbers.end(), out.data() + k);
    }
    out.tail(3 * model.nv()).setZero();
    for (int constant = 0; constant < 3; ++constant) {
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            if (body.mimic || (model.has_floating_base() && i == 1)) continue;
            out.segment(num_inertial_parameters(model) + constant * model.nv() + body.v_index,
                        body.nv)
                .setConstant(1 + unit(generator));
        }
    }
    return out;
}

// Links that are welded to others, away from them, have numbers of their own; and a joint at rest has no dry friction.
TEST(RegressorsOfWeldedLinks, HoldInMotionAndAtRest) {
    const Model model =
        Builder("welded")
            .link("ground")
            .body("ground", revolute("a", {0, 1, 0}).with_damping(0.3).with_friction(0.7), "arm",
                  odd_mass(1))
            .body("arm", fixed("weld").at(odd_placement(2)), "tool", odd_mass(2))
            .body("tool", revolute("b", {1, 0, 0}).at(odd_placement(3)).with_friction(0.4), "hand",
                  odd_mass(3))
            .build();
    ASSERT_EQ(model.num_bodies(), 2);
    const VectorX<double> pi = dynamic_parameters(model);
    const Eigen::Vector2d q(0.4, -0.7), a(1.5, -2);
    for (const Eigen::Vector2d& v : {Eigen::Vector2d(0, 0), Eigen::Vector2d(0.8, 0),
                                     Eigen::Vector2d(0, -1.2), Eigen::Vector2d(-0.8, 1.2)}) {
        const VectorX<double> tau = inverse_dynamics(model, q, v, a);
        EXPECT_LE((torque_regressor(model, q, v, a) * pi - tau).norm(), 1e-13 * tau.norm());
        const VectorX<double> bias = gravity_torque(model, q) + friction_torque(model, v) -
                                     coriolis_transpose_times_v(model, q, v);
        EXPECT_LE((momentum_bias_regressor(model, q, v) * pi - bias).norm(), 1e-13 * bias.norm());
    }
}

class Regressors : public testing::TestWithParam<std::string> {
protected:
    Model model_ = GetParam().starts_with("joint_") ? joint_model(GetParam().substr(6))
                                                    : robots::by_name(GetParam());
};

TEST_P(Regressors, HoldForEveryParameter) {
    std::mt19937 generator(11);
    const laws::State<double> s = laws::random_state(model_, generator);
    const VectorX<double> parameters = random_parameters(model_, generator);
    const Model other = with_dynamic_parameters(model_, parameters);
    EXPECT_LE((dynamic_parameters(other) - parameters).cwiseAbs().maxCoeff(), 1e-13);
    const auto expect_near = [](const VectorX<double>& left, const VectorX<double>& right) {
        ASSERT_EQ(left.size(), right.size());
        EXPECT_LE((left - right).cwiseAbs().maxCoeff(), 1e-11 * (1 + right.cwiseAbs().maxCoeff()));
    };
    expect_near(torque_regressor(model_, s.q, s.v, s.a) * parameters,
                inverse_dynamics(other, s.q, s.v, s.a));
    expect_near(static_regressor(model_, s.q) * parameters, gravity_torque(other, s.q));
    expect_near(momentum_regressor(model_, s.q, s.v) * parameters, mass_matrix(other, s.q) * s.v);
    expect_near(momentum_bias_regressor(model_, s.q, s.v) * parameters,
                gravity_torque(other, s.q) + friction_torque(other, s.v) -
                    coriolis_transpose_times_v(other, s.q, s.v));
    VectorX<double> energies(2);
    energies << kinetic_energy(other, s.q, s.v), potential_energy(other, s.q);
    expect_near(energy_regressor(model_, s.q, s.v) * parameters, energies);
}

std::vector<std::string> all_models() {
    std::vector<std::string> out{"pendulum", "cart_pole", "lamp",     "exoskeleton",
                                 "arm",      "quadruped", "humanoid", "tree(20,1)"};
    for (const std::string& name : joint_model_names()) out.push_back("joint_" + name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(Every, Regressors, testing::ValuesIn(all_models()), [](const auto& test) {
    std::string out;
    for (const char c : test.param)
        out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return out;
});

TEST(DynamicParameters, AreNamedInTheirOrder) {
    const Model model =
        Builder("crane")
            .link("ground")
            .body("ground", revolute("hinge", {0, 1, 0}).with_damping(0.5), "jib",
                  MassProperties::point(2, {1, 0, 0}))
            .body("jib", fixed("bolt").at(1, 0, 0), "hook", MassProperties::point(3, {0, 0, -1}))
            .build();
    const std::vector<std::string> names = dynamic_parameter_names(model);
    const VectorX<double> parameters = dynamic_parameters(model);
    ASSERT_EQ(names.size(), 23U);
    ASSERT_EQ(parameters.size(), 23);
    EXPECT_EQ(names[0], "jib.m");
    EXPECT_EQ(names[1], "jib.mx");
    EXPECT_EQ(names[10], "hook.m");
    EXPECT_EQ(names[13], "hook.mz");
    EXPECT_EQ(names[14], "hook.Ixx");
    EXPECT_EQ(names[19], "hook.Izz");
    EXPECT_EQ(names[20], "hinge.armature");
    EXPECT_EQ(names[21], "hinge.damping");
    EXPECT_EQ(names[22], "hinge.friction");
    EXPECT_EQ(parameters[0], 2);
    EXPECT_EQ(parameters[1], 2);
    EXPECT_EQ(parameters[13], -3);  // in the hook's own frame
    EXPECT_EQ(parameters[14], 3);
    EXPECT_EQ(parameters[19], 0);
    EXPECT_EQ(parameters[21], 0.5);
    // By hand: the jib at 1 m, the hook at 1 m and 1 m below, level.
    const MatrixX<double> Y = static_regressor(model, VectorX<double>::Zero(1));
    EXPECT_NEAR((Y * parameters)[0], -9.81 * 5, 1e-12);
    EXPECT_NEAR(Y(0, 10), -9.81, 1e-12);  // a kilogram more at the hook's origin
}

// Of joints that follow others, too, whose constants count for the joint that they follow.
TEST(DynamicParameters, AreReadAsTheyWereSet) {
    for (const char* name : {"mimic", "dissipative", "floating_mimic", "spherical"}) {
        const Model model = test::joint_model(name);
        VectorX<double> numbers = dynamic_parameters(model);
        const int base = model.has_floating_base() ? 6 : 0;
        for (int kind = 0; kind < 3; ++kind) {  // rotors, damping, friction
            const int first = num_inertial_parameters(model) + kind * model.nv();
            for (int k = base; k < model.nv(); ++k)
                numbers[first + k] = 0.1 + kind + model.joint_of_coordinate(k);
        }
        const Model changed = with_dynamic_parameters(model, numbers);
        EXPECT_EQ(dynamic_parameters(changed).tail(3 * model.nv()), numbers.tail(3 * model.nv()))
            << name;
    }
}

// None of what a joint has beside its links is a number, too.
TEST(DynamicParameters, OfJointsMayBeZero) {
    for (const char* name : {"mimic", "dissipative", "floating_mimic", "spherical"}) {
        const Model model = test::joint_model(name);
        VectorX<double> numbers = dynamic_parameters(model);
        numbers.tail(3 * model.nv()).setZero();
        EXPECT_EQ(dynamic_parameters(with_dynamic_parameters(model, numbers)), numbers) << name;
    }
}

TEST(DynamicParameters, ThatNoRobotHasAreRefused) {
    const Model model = robots::by_name("quadruped");
    const VectorX<double> own = dynamic_parameters(model);
    EXPECT_EQ(
        message([&] { with_dynamic_parameters(model, own.head(3)); }),
        "with_dynamic_parameters: parameters has size 3, expected 184 (num_dynamic_parameters)");
    VectorX<double> changed = own;
    changed[0] = -1;
    EXPECT_NE(message([&] { with_dynamic_parameters(model, changed); }).find("mass is -1 kg"),
              std::string::npos);
    // As base parameters are, where those that are left out count as zero.
    changed = own;
    changed.head(kLinkParameters).setZero();
    changed[1] = 0.5;
    EXPECT_NE(message([&] {
                  with_dynamic_parameters(model, changed);
              }).find("mass is 0 kg, but its first moment is (0.5 "),
              std::string::npos);
    changed = own;
    changed[num_inertial_parameters(model) + 2] = 1;
    EXPECT_NE(
        message([&] { with_dynamic_parameters(model, changed); }).find("for two of its freedoms"),
        std::string::npos);
    changed = own;
    changed.segment(num_inertial_parameters(model), 6).setConstant(1);
    EXPECT_NE(message([&] { with_dynamic_parameters(model, changed); }).find("nothing holds it"),
              std::string::npos);
    changed = own;
    changed[num_inertial_parameters(model) + 7] = -0.5;
    EXPECT_NE(
        message([&] { with_dynamic_parameters(model, changed); }).find("must not be negative"),
        std::string::npos);
}

}  // namespace
}  // namespace plucker::test
