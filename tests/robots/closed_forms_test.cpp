// Robots whose equations of motion stand in textbooks.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

using Eigen::Vector2d;
using std::cos;
using std::sin;

constexpr double kGravity = 9.81;

// Ten or so products of numbers of the order of ten: a hundred units in the last place.
constexpr double kTolerance = 1e-12;

void expect_near(const MatrixX<double>& ours, const MatrixX<double>& expected) {
    ASSERT_EQ(ours.rows(), expected.rows());
    ASSERT_EQ(ours.cols(), expected.cols());
    EXPECT_LE((ours - expected).cwiseAbs().maxCoeff(), kTolerance) << "ours:\n"
                                                                   << ours << "\nexpected:\n"
                                                                   << expected;
}
MatrixX<double> matrix(double xx, double xy, double yx, double yy) {
    return Eigen::Matrix2d{{xx, xy}, {yx, yy}};
}

// τ = m l² q̈ + m g l sin q, with m = l = 1.
TEST(Pendulum, NeedsInertiaAndGravityTorque) {
    const Model model = robots::pendulum();
    for (const double q : {-2.5, 0.0, 0.3, 3.0}) {
        SCOPED_TRACE(q);
        const Eigen::Matrix<double, 1, 1> angle(q), rate(1.7), acceleration(-0.6);
        EXPECT_NEAR(inverse_dynamics(model, angle, rate, acceleration)[0], -0.6 + kGravity * sin(q),
                    kTolerance);
        EXPECT_NEAR(mass_matrix(model, angle)(0, 0), 1, kTolerance);
        EXPECT_NEAR(kinetic_energy(model, angle, rate), 0.5 * 1.7 * 1.7, kTolerance);
        EXPECT_NEAR(potential_energy(model, angle), -kGravity * cos(q), kTolerance);
        EXPECT_NEAR(
            norm(frame_pose(model, angle, "tip").position - Vec3<double>{-sin(q), 0, -cos(q)}), 0,
            kTolerance);
    }
}

// The rod pulls with m g cos q + m l q̇² along itself.
TEST(Pendulum, PullsOnItsHinge) {
    const Eigen::Matrix<double, 1, 1> q(0.4), v(2.0), a(0.0);
    const Force<double> f = reaction_forces(robots::pendulum(), q, v, a)[1];
    EXPECT_NEAR(f.linear.z, kGravity * cos(0.4) + 4.0, kTolerance);
}

// Spong, Hutchinson and Vidyasagar, Robot Modeling and Control, the planar elbow: here with point
// masses m1 = m2 = 1 at l1 = l2 = 1 and angles from the vertical.
TEST(DoublePendulum, HasTheTextbookMatrices) {
    const Model model = robots::double_pendulum();
    for (const Vector2d& q : {Vector2d(0, 0), Vector2d(0.4, -1.3), Vector2d(-2.8, 2.2)}) {
        SCOPED_TRACE(q.transpose());
        const Vector2d v(1.1, -0.7), a(0.5, 2.0);
        const double c2 = cos(q[1]), h = -sin(q[1]);
        const MatrixX<double> M = matrix(3 + 2 * c2, 1 + c2, 1 + c2, 1);
        const MatrixX<double> C = matrix(h * v[1], h * (v[0] + v[1]), -h * v[0], 0);
        const double lower = kGravity * sin(q[0] + q[1]);
        const Vector2d G(2 * kGravity * sin(q[0]) + lower, lower);
        expect_near(mass_matrix(model, q), M);
        expect_near(coriolis_matrix(model, q, v), C);
        expect_near(gravity_torque(model, q), G);
        expect_near(inverse_dynamics(model, q, v, a), M * a + C * v + G);
        expect_near(forward_dynamics(model, q, v, Vector2d(1, -2)),
                    M.inverse() * (Vector2d(1, -2) - C * v - G));
    }
}

// (mc + mp) ẍ + mp l (θ̈ cos θ - θ̇² sin θ) = F,   mp l ẍ cos θ + mp l² θ̈ - mp g l sin θ = τ,
// with the angle from upright.
TEST(CartPole, HasTheTextbookMatrices) {
    const Model model = robots::cart_pole();
    constexpr double kCart = 1, kPole = 0.1, kLength = 0.5;
    for (const Vector2d& q : {Vector2d(0, 0), Vector2d(1.5, 0.2), Vector2d(-0.5, 3.0)}) {
        SCOPED_TRACE(q.transpose());
        const Vector2d v(-0.8, 1.9);
        const double c = cos(q[1]), s = sin(q[1]), ml = kPole * kLength;
        const MatrixX<double> M = matrix(kCart + kPole, ml * c, ml * c, ml * kLength);
        expect_near(mass_matrix(model, q), M);
        expect_near(coriolis_matrix(model, q, v), matrix(0, -ml * v[1] * s, 0, 0));
        expect_near(gravity_torque(model, q), Vector2d(0, -ml * kGravity * s));
    }
}

TEST(CartPole, FallsTheWayItLeans) {
    const Vector2d zero = Vector2d::Zero();
    const Model model = robots::cart_pole();
    EXPECT_GT(forward_dynamics(model, Vector2d(0, 0.01), zero, zero)[1], 0);
    EXPECT_LT(forward_dynamics(model, Vector2d(0, -0.01), zero, zero)[1], 0);
}

class LampTest : public testing::Test {
protected:
    // A moving link of the lamp, from its description: where its joint is on the link before it, and
    // its mass, centre and inertia in the plane.
    struct Part {
        double joint_y, mass, center_x, center_y, inertia;
    };
    // The Jacobian of its centre (x, y) and angle, from p = (x, y) + Σ R(θ₀ + … + θ_k) d_k by hand.
    struct Planar {
        Eigen::Matrix<double, 3, 5> J;
        double mass, inertia;
    };

    std::vector<Part> parts() const {
        std::vector<Part> out;
        for (const char* joint : {"theta_base", "theta_1", "theta_2"}) {
            const int i = model_.joint_index(joint);
            for (const LinkDescription& link : model_.description().links) {
                if (link.name != model_.joint(i).child) continue;
                out.push_back({model_.joint(i).placement.position.y, link.mass.mass,
                               link.mass.center.x, link.mass.center.y, link.mass.about_center.zz});
            }
        }
        return out;
    }
    std::vector<Planar> planar_bodies(const VectorX<double>& q) const {
        std::vector<Planar> out;
        const std::vector<Part> all = parts();
        for (std::size_t last = 0; last < all.size(); ++last) {
            Planar body{Eigen::Matrix<double, 3, 5>::Zero(), all[last].mass, all[last].inertia};
            body.J(0, 0) = body.J(1, 1) = 1;
            double angle = 0;
            for (std::size_t k = 0; k <= last; ++k) {
                angle += q[2 + static_cast<long>(k)];
                const double dx = k == last ? all[k].center_x : 0;
                const double dy = k == last ? all[k].center_y : all[k + 1].joint_y;
                // d/dθ R(θ) d = R(θ) (-d_y, d_x), for each of the angles up to this one.
                for (long j = 2; j <= 2 + static_cast<long>(k); ++j) {
                    body.J(0, j) += -sin(angle) * dx - cos(angle) * dy;
                    body.J(1, j) += cos(angle) * dx - sin(angle) * dy;
                }
                body.J(2, 2 + static_cast<long>(k)) = 1;
            }
            out.push_back(body);
        }
        return out;
    }

    Model model_ = robots::lamp();
    const Eigen::Vector<double, 5> q_{0.3, -0.2, 0.5, -1.1, 0.8};
    const Eigen::Vector<double, 5> v_{0.4, 1.0, -0.9, 2.0, -1.5};
};

TEST_F(LampTest, HasTheCoordinatesOfEq4) {
    EXPECT_EQ(model_.velocity_names(),
              (std::vector<std::string>{"x_base", "y_base", "theta_base", "theta_1", "theta_2"}));
    EXPECT_EQ(model_.nq(), 5);
}

// M = Σ m J_cᵀ J_c + I J_θᵀ J_θ and G = Σ m g ∂y_c/∂q, with Jacobians by plane geometry.
TEST_F(LampTest, HasTheMassMatrixAndGravityOfPlaneGeometry) {
    MatrixX<double> M = MatrixX<double>::Zero(5, 5);
    VectorX<double> G = VectorX<double>::Zero(5);
    for (const Planar& body : planar_bodies(q_)) {
        M += body.J.transpose() * Eigen::Vector3d(body.mass, body.mass, body.inertia).asDiagonal() *
             body.J;
        G += body.mass * kGravity * body.J.row(1).transpose();
    }
    expect_near(mass_matrix(model_, q_), M);
    expect_near(gravity_torque(model_, q_), G);
}

TEST_F(LampTest, WeighsTheSameAlongXAndY) {
    const MatrixX<double> M = mass_matrix(model_, q_);
    EXPECT_NEAR(M(0, 0), model_.total_mass(), kTolerance);
    EXPECT_NEAR(M(1, 1), model_.total_mass(), kTolerance);
    EXPECT_NEAR(M(0, 1), 0, kTolerance);
    EXPECT_NEAR(gravity_torque(model_, q_)[1], model_.total_mass() * kGravity, kTolerance);
}

TEST_F(LampTest, DoesNotFeelWhereItStands) {
    VectorX<double> elsewhere = q_;
    elsewhere.head(2) += Vector2d(3, -5);
    expect_near(mass_matrix(model_, elsewhere), mass_matrix(model_, q_));
    expect_near(bias_torque(model_, elsewhere, v_), bias_torque(model_, q_, v_));
}

// Without gravity no torque changes when the lamp and its velocity are turned as a whole; the forces on
// the base turn along.
TEST_F(LampTest, DoesNotFeelHowItIsTurnedWithoutGravity) {
    const Model floating = with_gravity(model_, {0, 0, 0});
    const Eigen::Matrix2d R = Eigen::Rotation2Dd(0.7).toRotationMatrix();
    VectorX<double> turned_q = q_, turned_v = v_;
    turned_q[2] += 0.7;
    turned_v.head(2) = R * v_.head(2);
    VectorX<double> expected = bias_torque(floating, q_, v_);
    expected.head(2) = (R * expected.head(2)).eval();
    expect_near(bias_torque(floating, turned_q, turned_v), expected);
}

TEST_F(LampTest, MovesInItsPlane) {
    const Motion<double> v = frame_velocity(model_, q_, v_, "bulb", ReferenceFrame::kWorld);
    EXPECT_EQ(v.linear.z, 0);
    EXPECT_EQ(v.angular.x, 0);
    EXPECT_EQ(v.angular.y, 0);
    EXPECT_NEAR(v.angular.z, v_.tail(3).sum(), kTolerance);
}

// In the air nothing but gravity moves the centre of mass, whatever the joint torques.
TEST_F(LampTest, JumpsOnAParabola) {
    const Eigen::Vector<double, 5> tau{0, 0, 0, 1.3, -0.4};
    const VectorX<double> a = forward_dynamics(model_, q_, v_, tau);
    EXPECT_LE((com_acceleration(model_, q_, v_, a) - Eigen::Vector3d(0, -kGravity, 0)).norm(),
              kTolerance);
}

}  // namespace
}  // namespace plucker::test
