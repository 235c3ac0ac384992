// What calls by value return: the sizes that do not depend on the robot are known to the compiler.
#include <gtest/gtest.h>

#include <type_traits>

#include "plucker/plucker.hpp"

namespace plucker {
namespace {

template <Kind K>
using ValueOf = detail::ValueOf<double, K>;

static_assert(std::is_same_v<ValueOf<Kind::kTorque>, Eigen::VectorXd>);
static_assert(std::is_same_v<ValueOf<Kind::kMassMatrix>, Eigen::MatrixXd>);
static_assert(std::is_same_v<ValueOf<Kind::kColumns>, Eigen::MatrixXd>);
static_assert(std::is_same_v<ValueOf<Kind::kRegressor>, Eigen::MatrixXd>);
static_assert(std::is_same_v<ValueOf<Kind::kBodyPoses>, Eigen::MatrixXd>);
static_assert(std::is_same_v<ValueOf<Kind::kJacobian>, Matrix6X<double>>);
static_assert(std::is_same_v<ValueOf<Kind::kPointJacobianRate>, Matrix3X<double>>);
static_assert(std::is_same_v<ValueOf<Kind::kFrameInertia>, Matrix6<double>>);
static_assert(std::is_same_v<ValueOf<Kind::kJointForces>, std::vector<Force<double>>>);
static_assert(std::is_same_v<ValueOf<Kind::kPose>, Pose<double>>);

TEST(Values, HaveTheShapesOfTheirKinds) {
    const Model model = robots::arm();
    const Eigen::VectorXd q = neutral_configuration(model);
    const auto J = frame_jacobian(model, q, "tool");
    static_assert(std::is_same_v<decltype(J), const Matrix6X<double>>);
    EXPECT_EQ(J.rows(), 6);
    EXPECT_EQ(J.cols(), model.nv());
    const auto M = mass_matrix(model, q);
    static_assert(std::is_same_v<decltype(M), const Eigen::MatrixXd>);
    EXPECT_EQ(M.rows(), model.nv());
    EXPECT_EQ(M.cols(), model.nv());
}

}  // namespace
}  // namespace plucker
