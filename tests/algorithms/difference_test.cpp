// difference for quaternions of any length and for headings a whole turn apart.
#include <gtest/gtest.h>

#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

// From large turns to the smallest, where the logarithm changes its formula.
TEST(Difference, DoesNotMindTheLengthOfQuaternions) {
    for (const char* name : {"spherical", "floating_revolute"}) {
        const Model model = test::joint_model(name);
        std::mt19937 generator(7);
        for (const double size : {1.0, 1e-1, 2.1e-3, 1.9e-3, 1e-3, 1e-6, 1e-12}) {
            const VectorX<double> q0 = random_configuration(model, generator);
            const VectorX<double> step = size * VectorX<double>::LinSpaced(model.nv(), -0.7, 0.8);
            VectorX<double> q1 = integrate(model, q0, step);
            for (const double length : {1.0, 0.99, 1.5, 1e-3, 1e6}) {
                VectorX<double> from = q0, to = q1;
                for (const int body : model.bodies_with_quaternion()) {
                    const int at = model.body(body).q_index + model.body(body).nq - 4;
                    from.segment(at, 4) *= length;
                    to.segment(at, 4) *= -1.1 * length;  // the same attitude
                }
                EXPECT_LE((difference(model, from, to) - step).cwiseAbs().maxCoeff(),
                          1e-14 * (1 + 10 * size))
                    << name << " " << size << " " << length;
            }
        }
    }
}

TEST(Difference, OfPlanarJointsTakesTheShortWay) {
    const Model model = test::joint_model("planar");
    const int at = model.q_index("middle");
    std::mt19937 generator(9);
    const double kTurn = 2 * 3.14159265358979323846;
    for (int k = 0; k < 20; ++k) {
        const VectorX<double> q0 = random_configuration(model, generator);
        const VectorX<double> q1 = random_configuration(model, generator);
        for (const int turns : {-3, -1, 0, 1, 2}) {
            VectorX<double> turned = q1;
            turned[at + 2] += turns * kTurn;
            const VectorX<double> dv = difference(model, q0, turned);
            EXPECT_LE(std::abs(dv[model.v_index("middle")]), kTurn / 2 + 1e-12);
            EXPECT_LE(dv.cwiseAbs().maxCoeff(), 20);
            VectorX<double> back = integrate(model, q0, dv);
            back[at + 2] = q1[at + 2] + std::remainder(back[at + 2] - q1[at + 2], kTurn);
            EXPECT_LE((back - q1).cwiseAbs().maxCoeff(), 1e-13);
        }
    }
    // A whole turn apart is no difference at all.
    const VectorX<double> q = random_configuration(model, generator);
    VectorX<double> turned = q;
    turned[at + 2] += kTurn;
    EXPECT_LE(difference(model, q, turned).cwiseAbs().maxCoeff(), 1e-14);
}

// Limits on one side only, at the end of the usual range, and beyond it.
TEST(RandomConfiguration, IsFiniteAndWithinLimits) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    for (const auto& [lower, upper] :
         {std::pair{1.0, kNone}, {-kNone, -1.0}, {5.0, kNone}, {-kNone, -5.0}, {0.3, 0.3}}) {
        const Model model =
            Builder("slide")
                .link("ground")
                .body("ground", prismatic("rail", {0, 0, 1}).with_limits({lower, upper}), "cart",
                      MassProperties::point(1))
                .build();
        std::mt19937 generator(1);
        const double q = random_configuration(model, generator)[0];
        EXPECT_TRUE(std::isfinite(q) && q >= lower && q <= upper)
            << lower << " to " << upper << ": " << q;
    }
}

}  // namespace
}  // namespace plucker
