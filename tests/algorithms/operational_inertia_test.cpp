// The inertia at a frame, where it is known in closed form, and where there is none. The laws have the rest.
#include <gtest/gtest.h>

#include <random>

#include "plucker/model/builder.hpp"
#include "plucker/plucker.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// Of a free body it is the body's own inertia.
TEST(OperationalInertia, OfAFreeBodyIsItsInertia) {
    const MassProperties box = MassProperties::box(2, {0.1, 0.2, 0.3}, {0.4, -0.1, 0.2});
    const Model model = Builder("box").base(Base::kFloating).link("box", box).build();
    const VectorX<double> q = neutral_configuration(model);
    const Matrix6<double> Lambda = operational_inertia(model, q, "box", ReferenceFrame::kBody);
    const Matrix6<double> inertia = to_eigen(box.inertia());
    // The inverse of an inverse: some condition numbers of the inertia, which is some hundred.
    EXPECT_LE((Lambda - inertia).cwiseAbs().maxCoeff(), 1e-12);
}

// A force along a slide feels the mass, and any other force feels nothing that gives way.
TEST(OperationalInertia, OfASlideGivesWayInOneDirection) {
    const Model model =
        Builder("slide")
            .link("ground")
            .body("ground", prismatic("slide", {0, 1, 0}), "load", MassProperties::sphere(4, 0.1))
            .build();
    const VectorX<double> q = VectorX<double>::Zero(1);
    Matrix6<double> expected = Matrix6<double>::Zero();
    expected(4, 4) = 0.25;
    EXPECT_LE((inverse_operational_inertia(model, q, "load") - expected).cwiseAbs().maxCoeff(),
              1e-15);
    EXPECT_EQ(message([&] { (void)operational_inertia(model, q, "load"); }),
              "operational_inertia: the frame cannot be moved in all six ways from this "
              "configuration, so that J M⁻¹ Jᵀ has no inverse");
}

// Seven joints move the arm's last body in all ways, but not when it is stretched out.
TEST(OperationalInertia, EndsAtASingularConfiguration) {
    const Model arm = robots::arm();
    Workspace<double> ws(arm, OnFailure::kReport);
    Matrix6<double> Lambda;
    const FrameId last = arm.body_frame(arm.num_bodies());
    VectorX<double> q = VectorX<double>::LinSpaced(7, 0.3, 1.2);
    EXPECT_EQ(operational_inertia(ws, q, last, ReferenceFrame::kWorld, Lambda), Status::kOk);
    EXPECT_GT(Lambda.diagonal().minCoeff(), 0);
    q.setZero();
    EXPECT_EQ(operational_inertia(ws, q, last, ReferenceFrame::kWorld, Lambda),
              Status::kSingularMassMatrix);
    EXPECT_TRUE(Lambda.array().isNaN().all());
    // Five joints do not move a frame in six directions, whatever rounding leaves of the sixth.
    const Model five = lock_joints(arm, {{"joint3", {0.4}}, {"joint6", {0.7}}});
    Workspace<double> few(five, OnFailure::kReport);
    std::mt19937 generator(4);
    for (int k = 0; k < 50; ++k) {
        const VectorX<double> at = random_configuration(five, generator);
        EXPECT_EQ(operational_inertia(few, at, five.body_frame(5), ReferenceFrame::kWorld, Lambda),
                  Status::kSingularMassMatrix)
            << k;
    }
}

}  // namespace
}  // namespace plucker::test
