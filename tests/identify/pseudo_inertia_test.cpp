// The 4 × 4 pseudo-inertia and its factors without constraints.
#include "pseudo_inertia.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

Vector10 numbers_of(const MassProperties& mass) {
    const auto x = link_parameters(mass.inertia());
    return Eigen::Map<const Vector10>(x.data());
}

TEST(PseudoInertia, IsTheSecondMomentOfPoints) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    Inertia<double> sum;
    Matrix4 expected = Matrix4::Zero();
    for (int k = 0; k < 7; ++k) {
        const double m = 1 + unit(generator);
        const Vec3<double> p{unit(generator), unit(generator), unit(generator)};
        sum += Inertia<double>::point_mass(m, p);
        const Eigen::Vector4d x(p.x, p.y, p.z, 1);
        expected += m * x * x.transpose();
    }
    const auto x = link_parameters(sum);
    const Vector10 numbers = Eigen::Map<const Vector10>(x.data());
    EXPECT_LE((pseudo_inertia(numbers) - expected).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LE((parameters_of(expected) - numbers).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(LogCholesky, IsUndone) {
    for (int number = 0; number < 8; ++number) {
        const Matrix4 P = pseudo_inertia(numbers_of(odd_mass(number)));
        EXPECT_LE((from_log_cholesky(log_cholesky(P)) - P).cwiseAbs().maxCoeff(), 1e-13 * P.norm());
    }
    EXPECT_NE(message([] {
                  log_cholesky(pseudo_inertia(numbers_of(MassProperties::point(1))));
              }).find("no body"),
              std::string::npos);
}

TEST(LogCholesky, HasTheSlopeOfItsDifferences) {
    const Vector10 theta = log_cholesky(pseudo_inertia(numbers_of(odd_mass(2))));
    const Matrix10 J = parameters_by_log_cholesky(theta);
    for (int k = 0; k < 10; ++k) {
        const Vector10 step = 1e-5 * Vector10::Unit(k);
        const Vector10 difference = (parameters_of(from_log_cholesky(theta + step)) -
                                     parameters_of(from_log_cholesky(theta - step))) /
                                    2e-5;
        EXPECT_LE((J.col(k) - difference).cwiseAbs().maxCoeff(), 1e-8 * (1 + J.col(k).norm())) << k;
    }
}

TEST(Divergence, IsZeroAtHomeAndKnowsNoUnits) {
    const Matrix4 P = pseudo_inertia(numbers_of(odd_mass(1))),
                  P0 = pseudo_inertia(numbers_of(odd_mass(4)));
    EXPECT_NEAR(divergence(P0, P0), 0, 1e-12);
    EXPECT_GT(divergence(P, P0), 0.01);
    // Seen from another frame, and in other units, it is the same.
    Matrix4 T = Matrix4::Identity();
    T.topLeftCorner<3, 3>() << 10, 1, 0, -1, 10, 2, 0, 3, 10;
    T.topRightCorner<3, 1>() << 0.5, -0.2, 0.7;
    EXPECT_NEAR(divergence(T * P * T.transpose(), T * P0 * T.transpose()), divergence(P, P0), 1e-9);
    // A mass that is 1 % more is off by ½ tr(0.01² 1) = 2 · 0.01².
    EXPECT_NEAR(divergence(1.01 * P, P), 2e-4, 2e-6);
}

}  // namespace
}  // namespace plucker::test
