// The 4 × 4 pseudo-inertia, and steps from one to another.
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

TEST(PseudoInertia, IsThatOfABodyWhereItIsPositiveDefinite) {
    for (int number = 0; number < 8; ++number) {
        const Matrix4 P = pseudo_inertia(numbers_of(odd_mass(number)));
        EXPECT_TRUE(is_body(P));
        EXPECT_FALSE(is_body(-P));
        EXPECT_NEAR(log_determinant(P), std::log(P.determinant()), 1e-9);
    }
    EXPECT_FALSE(is_body(pseudo_inertia(numbers_of(MassProperties::point(1)))));
}

// A step is P + U M Uᵀ with an upper U, P = U Uᵀ; its bodies end where 1 + M is none.
TEST(OwnDirections, LeadFromBodiesToBodies) {
    std::mt19937 generator(4);
    std::normal_distribution<double> any;
    for (int number = 0; number < 8; ++number) {
        const Vector10 pi = numbers_of(odd_mass(number));
        const Matrix4 P = pseudo_inertia(pi);
        const Matrix10 J = own_directions(P);
        for (int k = 0; k < 20; ++k) {
            Vector10 m;
            for (double& x : m) x = any(generator);
            Matrix4 M;
            M << m[0], m[4], m[5], m[6],  //
                m[4], m[1], m[7], m[8],   //
                m[5], m[7], m[2], m[9],   //
                m[6], m[8], m[9], m[3];
            const Matrix4 dP = pseudo_inertia(J * m);
            // tr(P⁻¹ dP) = tr M, and so of all powers, whatever U is.
            const Matrix4 A = P.inverse() * dP;
            EXPECT_NEAR(A.trace(), M.trace(), 1e-8);
            EXPECT_NEAR((A * A).trace(), (M * M).trace(), 1e-8);
            EXPECT_NEAR((A * A * A).trace(), (M * M * M).trace(), 1e-7);
            const double part = part_within_bodies(m);
            EXPECT_LE(part, 1);
            EXPECT_TRUE(is_body(P + part * dP));
            if (part < 1) EXPECT_FALSE(is_body(P + 1.2 * part * dP));
        }
    }
    for (int k = 0; k < 10; ++k) EXPECT_EQ(is_on_diagonal(k), k < 4);
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
