// "Forward Dynamics with Spatial Vectors", §3.1: the particle, line by line, in the handout's own
// layout of spatial vectors (a motion is (ω; v), a force is (f; n)).
#include <gtest/gtest.h>

#include "plucker/plucker.hpp"

namespace plucker::test::particle {
namespace {

using Handout = handout::SpatialVector<double>;

// Sums of at most three products of numbers below 100: a few units in the last place.
constexpr double kTolerance = 1e-13;

void expect_near(const Handout& ours, const Handout& printed) {
    EXPECT_NEAR(norm(ours.line - printed.line), 0, kTolerance);
    EXPECT_NEAR(norm(ours.moment - printed.moment), 0, kTolerance);
}

class ParticleTest : public testing::Test {
protected:
    ParticleTest() { inverse_dynamics(ws_, q_, v_, a_, Q_); }

    // The handout counts from -1, the world, and we from 0. Its frames are our link frames; our body
    // frames, in which the workspace keeps its vectors, are turned so that each joint's axis is z.
    Transform<double> X_link_body(int i) const {
        return model_.frame(model_.frame_id(i)).X_frame_body;
    }
    template <class Vectors>
    Handout in_link_frame(int i, const Vectors& of_bodies) const {
        return handout::from(X_link_body(i) * of_bodies[static_cast<std::size_t>(i)]);
    }
    Handout joint_axis(int i) const {
        return handout::from(X_link_body(i) * ws_.joints.subspace[static_cast<std::size_t>(i - 1)]);
    }

    Model model_ = robots::particle();
    Workspace<double> ws_{model_};
    VectorX<double> Q_{2};
    const double m_ = 1, g_ = 9.81;
    const double q0_ = 0.7, q1_ = -1.9;
    const double v0_ = 0.3, v1_ = 2.1;
    const double a0_ = -1.3, a1_ = 0.4;
    const Eigen::Vector2d q_{q0_, q1_}, v_{v0_, v1_}, a_{a0_, a1_};
};

TEST_F(ParticleTest, HasTheCoordinatesOfEq17) {
    EXPECT_EQ(model_.velocity_names(), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(model_.nq(), 2);
    EXPECT_EQ(model_.gravity(), (Vec3<double>{0, -g_, 0}));
}

TEST_F(ParticleTest, HasTheJointAxesOfEq18) {
    expect_near(joint_axis(1), {{}, {1, 0, 0}});
    expect_near(joint_axis(2), {{}, {0, 1, 0}});
}

// Eq. 19 prints the matrices from child to parent; t* is the block below the diagonal.
TEST_F(ParticleTest, HasTheTransformsOfEq19) {
    const auto child_to_parent = [&](int i) {
        const Transform<double> X_link_parent = X_link_body(i) *
                                                ws_.joints.X[static_cast<std::size_t>(i)] *
                                                inverse(X_link_body(i - 1));
        return handout::from(inverse(X_link_parent));
    };
    EXPECT_EQ(child_to_parent(1).R, Mat3<double>::identity());
    EXPECT_EQ(skew(child_to_parent(1).t), (Mat3<double>{{0, 0, 0}, {0, 0, -q0_}, {0, q0_, 0}}));
    EXPECT_EQ(child_to_parent(2).R, Mat3<double>::identity());
    EXPECT_EQ(skew(child_to_parent(2).t), (Mat3<double>{{0, 0, q1_}, {0, 0, 0}, {-q1_, 0, 0}}));
}

TEST_F(ParticleTest, HasTheInertiasOfEq20) {
    EXPECT_EQ(model_.body(1).inertia, Inertia<double>{});
    const handout::SpatialInertia<double> I = handout::from(model_.body(2).inertia);
    EXPECT_EQ(I.top_right, m_ * Mat3<double>::identity());
    for (const Mat3<double>& block : {I.top_left, I.bottom_left, I.bottom_right}) {
        EXPECT_EQ(block, Mat3<double>{});
    }
}

TEST_F(ParticleTest, MovesWithTheVelocitiesOfEq24) {
    forward_kinematics(ws_, q_, v_);
    expect_near(handout::from(frame_velocity(ws_, model_.frame_id(0))), {});
    expect_near(handout::from(frame_velocity(ws_, model_.frame_id(1))), {{}, {v0_, 0, 0}});
    expect_near(handout::from(frame_velocity(ws_, model_.frame_id(2))), {{}, {v0_, v1_, 0}});
    expect_near(handout::from(frame_velocity(model_, q_, v_, "particle")), {{}, {v0_, v1_, 0}});
}

TEST_F(ParticleTest, MovesWithTheAccelerationsOfEq26) {
    // Nothing turns, so that the classical accelerations, which inverse dynamics carries, are the spatial ones.
    std::vector<Motion<double>> a;
    for (const auto& motion : ws_.bodies.turning) a.push_back({motion.alpha, motion.a});
    expect_near(in_link_frame(0, a), {{}, {0, g_, 0}});
    expect_near(in_link_frame(1, a), {{}, {a0_, g_, 0}});
    expect_near(in_link_frame(2, a), {{}, {a0_, a1_ + g_, 0}});
}

// The moments are r × f with r = (0, q1) and (q0, q1).
TEST_F(ParticleTest, TransmitsTheForcesOfEq28) {
    const Vec3<double> f{m_ * a0_, m_ * (a1_ + g_), 0};
    const Handout f1{f, {}};
    const Handout f0{f, {0, 0, -m_ * q1_ * a0_}};
    const Handout ground{f, {0, 0, -m_ * q1_ * a0_ + m_ * q0_ * (a1_ + g_)}};
    expect_near(in_link_frame(2, ws_.bodies.f), f1);
    expect_near(in_link_frame(1, ws_.bodies.f), f0);
    expect_near(in_link_frame(0, ws_.bodies.f), ground);
    const std::vector<Force<double>> forces = reaction_forces(model_, q_, v_, a_);
    expect_near(handout::from(forces[2]), f1);
    expect_near(handout::from(forces[1]), f0);
    expect_near(handout::from(forces[0]), ground);
}

TEST_F(ParticleTest, NeedsTheGeneralizedForcesOfEq30) {
    EXPECT_NEAR(Q_[0], m_ * a0_, kTolerance);
    EXPECT_NEAR(Q_[1], m_ * (a1_ + g_), kTolerance);
}

// Eq. 29 is printed with an ordinary transpose, which would pick the force's moment. Eq. 16 has the
// spatial transpose, and that gives eq. 30.
TEST_F(ParticleTest, NeedsTheSpatialTransposeInEq29) {
    for (int i = 1; i <= 2; ++i) {
        const Handout s = joint_axis(i);
        const Handout f = in_link_frame(i, ws_.bodies.f);
        EXPECT_NEAR(handout::spatial_transpose_times(s, f), Q_[i - 1], kTolerance);
        EXPECT_NEAR(dot(s.line, f.line) + dot(s.moment, f.moment), 0, kTolerance);
    }
}

TEST_F(ParticleTest, FallsFreelyWithoutForces) {
    const VectorX<double> a = forward_dynamics(model_, q_, v_, Eigen::Vector2d::Zero());
    EXPECT_NEAR(a[0], 0, kTolerance);
    EXPECT_NEAR(a[1], -g_, kTolerance);
}

}  // namespace
}  // namespace plucker::test::particle
