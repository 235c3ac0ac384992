// Which parameters a motion can tell apart: by structure and by numbers alike.
#include "plucker/identify/base_parameters.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

class Base : public testing::TestWithParam<std::string> {
protected:
    Model model_ = GetParam().starts_with("joint_") ? joint_model(GetParam().substr(6))
                                                    : robots::by_name(GetParam());
};

TEST_P(Base, HasOneSizeByStructureAndByNumbers) {
    const long n = num_dynamic_parameters(model_);
    const MatrixX<double> unseen = unobservable_parameters(model_);
    for (const unsigned seed : {1U, 5U})
        EXPECT_EQ(n - unseen.cols(), numerical_rank_of_regressor(model_, seed)) << "seed " << seed;
    EXPECT_EQ(base_parameters(model_).size(), n - unseen.cols());
}

TEST_P(Base, MakesTheTorques) {
    const BaseParameters base = base_parameters(model_);
    const MatrixX<double> unseen = unobservable_parameters(model_);
    const VectorX<double> pi = dynamic_parameters(model_);
    std::mt19937 generator(7);
    for (int k = 0; k < 3; ++k) {
        const laws::State<double> s = laws::random_state(model_, generator);
        const MatrixX<double> Y = torque_regressor(model_, s.q, s.v, s.a);
        const double size = Y.cwiseAbs().maxCoeff();
        if (unseen.cols() > 0) {
            EXPECT_LE((Y * unseen).cwiseAbs().maxCoeff(),
                      1e-11 * size * unseen.cwiseAbs().maxCoeff());
        }
        MatrixX<double> Y_base(Y.rows(), base.size());
        for (int c = 0; c < base.size(); ++c)
            Y_base.col(c) = Y.col(base.columns[static_cast<std::size_t>(c)]);
        const VectorX<double> tau = inverse_dynamics(model_, s.q, s.v, s.a);
        EXPECT_LE((Y_base * (base.combination * pi) - tau).cwiseAbs().maxCoeff(),
                  1e-9 * (1 + tau.cwiseAbs().maxCoeff()));
    }
}

std::vector<std::string> all_models() {
    std::vector<std::string> out{
        "particle",    "pendulum", "double_pendulum", "cart_pole", "lamp",
        "exoskeleton", "arm",      "quadruped",       "humanoid",  "chain(6)"};
    for (int seed = 1; seed <= 8; ++seed) out.push_back("tree(8," + std::to_string(seed) + ")");
    for (const std::string& name : joint_model_names()) out.push_back("joint_" + name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(Every, Base, testing::ValuesIn(all_models()), [](const auto& test) {
    std::string out;
    for (const char c : test.param)
        out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return out;
});

// Known by hand: of the upper rod's mass nothing shows; the lower one's acts as a point at the elbow, one metre down.
TEST(BaseParametersOfADoublePendulum, AreThoseOfTheTextbook) {
    const BaseParameters base = base_parameters(robots::by_name("double_pendulum"));
    EXPECT_EQ(base.names,
              (std::vector<std::string>{
                  "upper.mx", "upper.mz - lower.m", "upper.Iyy + lower.m + shoulder.armature",
                  "lower.mx", "lower.mz", "lower.Iyy", "elbow.armature", "shoulder.damping",
                  "elbow.damping", "shoulder.friction", "elbow.friction"}));
}

// Across gravity a pendulum swings as a wheel turns: only its inertia shows.
TEST(BaseParameters, WithoutGravityAreFewer) {
    const Model pendulum = robots::by_name("pendulum");
    EXPECT_EQ(base_parameters(pendulum).size(), 5);
    EXPECT_EQ(base_parameters(with_gravity(pendulum, {})).size(), 3);
    EXPECT_EQ(base_parameters(with_gravity(pendulum, {0, 1, 0})).size(), 3);  // along the axis
}

// A robot of millimetres has as many as one of metres.
TEST(BaseParameters, DoNotDependOnSize) {
    const Model arm = robots::by_name("arm");
    Description d = arm.description();
    for (JointDescription& joint : d.joints)
        joint.placement.position = 1e-3 * joint.placement.position;
    EXPECT_EQ(base_parameters(Model(d)).size(), base_parameters(arm).size());
}

}  // namespace
}  // namespace plucker::test
