// "Forward Dynamics with Spatial Vectors": eqs 1–30 and Appendix A. See docs/errata.md.
//
// In the handout a motion is (ω; v) and a force is (f; n), line before moment; one transform and one
// cross product serve both; the first joint has number 0 and the world is frame -1. Arrays here are
// shifted by one: entry 0 is the world.
#include "errata/listing.hpp"
#include "plucker/algorithms/table.hpp"

namespace plucker::test::handout_errata {
namespace {

struct Printed {
    bool equation_29 = false;        // ŝᵀ for ŝˢ
    bool force_is_sum = false;       // Appendix A: f̂_i the "sum of spatial forces on link i"
    bool bias_without_push = false;  // eq. 9 with no external forces
};

// Eq. 39: the blocks of (Ī, h×; -h×, m 1), with the rows of force before those of moment.
Mat6 handout_inertia(const Mat6& I) {
    Mat6 out;
    out << I.bottomRows<3>(), I.topRows<3>();
    return out;
}
// Eq. 41: âˢ b̂.
double spatial_transpose_times(const Vec6& a, const Vec6& b) {
    return a.tail<3>().dot(b.head<3>()) + a.head<3>().dot(b.tail<3>());
}

// A serial chain: transforms iX̂_i-1, joint axes, inertias.
struct Chain {
    std::vector<Mat6> X;  // entry 0 is not used
    std::vector<Vec6> s;
    std::vector<Mat6> I;
    Vec6 a_world;
    int size() const { return static_cast<int>(X.size()) - 1; }
};

struct Forces {
    Vec Q;
    std::vector<Vec6> v, a, f;
};

// Eqs 13–16, with external forces in world coordinates.
Forces inverse_dynamics_of_handout(const Chain& chain, const Vec& velocity, const Vec& acceleration,
                                   const std::vector<Vec6>& f_x, const Printed& printed) {
    const int n = chain.size();
    Forces out{Vec(n), std::vector<Vec6>(n + 1, Vec6::Zero()),
               std::vector<Vec6>(n + 1, Vec6::Zero()), std::vector<Vec6>(n + 1, Vec6::Zero())};
    auto& [Q, v, a, f] = out;
    a[0] = chain.a_world;  // eq. 21
    Mat6 X_world = Mat6::Identity();
    for (int i = 1; i <= n; ++i) {
        X_world = chain.X[i] * X_world;  // iX̂_-1
        const Vec6 v_J = chain.s[i] * velocity[i - 1];
        v[i] = chain.X[i] * v[i - 1] + v_J;                                                   // 13
        a[i] = chain.X[i] * a[i - 1] + cross(v[i]) * v_J + chain.s[i] * acceleration[i - 1];  // 14
        f[i] = chain.I[i] * a[i] + cross(v[i]) * chain.I[i] * v[i];                           // 15
        if (!printed.force_is_sum) f[i] -= X_world * f_x[i];
    }
    for (int i = n; i >= 1; --i) {
        Q[i - 1] = printed.equation_29 ? chain.s[i].dot(f[i])
                                       : spatial_transpose_times(chain.s[i], f[i]);  // 16
        if (!printed.force_is_sum) f[i - 1] += chain.X[i].inverse() * f[i];          // 15
    }
    return out;
}

// --- The particle, eqs 17–30 -------------------------------------------------------------------------

// Eq. 36, the transform of a translation by t.
Mat6 translation_by(double x, double y) {
    Mat6 out = Mat6::Identity();
    out.bottomLeftCorner<3, 3>() = s(Vector3<double>(x, y, 0));  // eq. 37
    return out;
}

constexpr double kMass = 1.5, kGravity = 9.8;
constexpr double kQ0 = 0.3, kQ1 = -0.7, kQdd0 = 1.1, kQdd1 = 0.4;

Chain particle() {
    Chain out;
    out.X = {Mat6::Zero(), translation_by(kQ0, 0).inverse(),
             translation_by(0, kQ1).inverse()};            // 19
    out.s = {Vec6::Zero(), Vec6::Unit(3), Vec6::Unit(4)};  // 18
    out.I = {Mat6::Zero(), Mat6::Zero(), Mat6::Zero()};    // 20
    out.I[2].topRightCorner<3, 3>().diagonal().setConstant(kMass);
    out.a_world = kGravity * Vec6::Unit(4);  // 21
    return out;
}
Forces forces_on_particle(const Printed& printed) {
    const std::vector<Vec6> f_x(3, Vec6::Zero());  // 22
    return inverse_dynamics_of_handout(particle(), Eigen::Vector2d(0.2, 0.5),
                                       Eigen::Vector2d(kQdd0, kQdd1), f_x, printed);
}

TEST(HandoutErrata, ParticleIsAsPrinted) {
    const Forces found = forces_on_particle({});
    const double fx = kMass * kQdd0, fy = kMass * (kQdd1 + kGravity);
    Vec6 v, a, f1, f0, f_world;
    v << 0, 0, 0, 0.2, 0.5, 0;                                             // 24
    a << 0, 0, 0, kQdd0, kQdd1 + kGravity, 0;                              // 26
    f1 << fx, fy, 0, 0, 0, 0;                                              // 28
    f0 << fx, fy, 0, 0, 0, -kMass * kQ1 * kQdd0;                           // 28
    f_world << fx, fy, 0, 0, 0, f0[5] + kMass * kQ0 * (kQdd1 + kGravity);  // 28
    EXPECT_TRUE(is_right(error(found.v[2], v)));
    EXPECT_TRUE(is_right(error(found.a[2], a)));
    EXPECT_TRUE(is_right(error(found.f[2], f1)));
    EXPECT_TRUE(is_right(error(found.f[1], f0)));
    EXPECT_TRUE(is_right(error(found.f[0], f_world)));
    EXPECT_TRUE(is_right(error(found.Q, Eigen::Vector2d(fx, fy))));  // 30
}

TEST(HandoutErrata, Equation29NeedsTheSpatialTranspose) {
    // The ordinary transpose multiplies the slides with the moments, which are zero.
    EXPECT_EQ(forces_on_particle({.equation_29 = true}).Q, Eigen::Vector2d(0, 0));
}

// Eqs 31–38: the axis through r along s becomes the axis through R r + t along R s.
TEST(HandoutErrata, AppendixAMovesAxesAsPrinted) {
    Numbers numbers(20);
    using V3 = Vector3<double>;
    const V3 axis = to_eigen(numbers.vec3(1)), r = to_eigen(numbers.vec3(1));
    const V3 t = to_eigen(numbers.vec3(1));
    const Matrix3<double> R = to_eigen(Pose<double>::roll_pitch_yaw({}, numbers.vec3(3)).rotation);
    Vec6 before, after;
    before << axis, r.cross(axis);                   // 31
    after << R * axis, (R * r + t).cross(R * axis);  // 34, 35
    Mat6 X = Mat6::Zero();
    X << R, Matrix3<double>::Zero(), s(t) * R, R;  // 38
    EXPECT_TRUE(is_right(error(X * before, after)));
}

// --- A chain -----------------------------------------------------------------------------------------

class HandoutChainErrata : public testing::Test {
protected:
    Example robot_{{0, 1, 2}, Base::kFixed};
    Chain chain_ = chain_of(robot_);
    Vec acceleration_ = Numbers(8).vec(3);
    std::vector<Vec6> f_x_ = pushes();

    static Chain chain_of(const Example& robot) {
        Chain out{{Mat6::Zero()}, {Vec6::Zero()}, {Mat6::Zero()}, Vec6::Zero()};
        for (int i = 1; i <= robot.listing.N; ++i) {
            const auto [X_J, s_i] = jcalc(robot.listing.position(i));
            out.X.emplace_back(X_J * robot.listing[i].X_T);
            out.s.push_back(s_i);
            out.I.push_back(handout_inertia(robot.listing[i].I));
        }
        out.a_world.tail<3>() = -to_eigen(robot.model.gravity());
        return out;
    }
    static std::vector<Vec6> pushes() {
        Numbers numbers(9);
        std::vector<Vec6> out(1, Vec6::Zero());
        for (int i = 1; i <= 3; ++i) out.emplace_back(numbers.vec(6, 5));
        return out;
    }
    ExternalForces<double> external() const {
        ExternalForces<double> out(robot_.model);
        for (int i = 1; i <= 3; ++i) {
            Vec6 moment_first;
            moment_first << f_x_[i].tail<3>(), f_x_[i].head<3>();
            out.add(robot_.model.body_frame(i), to_force(moment_first), ReferenceFrame::kWorld);
        }
        return out;
    }
    Vec Q(const Vec& acceleration, const std::vector<Vec6>& f_x, const Printed& printed) const {
        return inverse_dynamics_of_handout(chain_, robot_.state.v, acceleration, f_x, printed).Q;
    }
    // Section 2: C by eq. 9, H by eq. 11, then eq. 6.
    Vec forward_dynamics_of_handout(const Vec& torque, const Printed& printed) const {
        const std::vector<Vec6> none(4, Vec6::Zero());
        const Vec C = Q(Vec::Zero(3), printed.bias_without_push ? none : f_x_, {});
        Mat H(3, 3);
        for (int i = 0; i < 3; ++i) {
            H.col(i) = Q(Vec::Unit(3, i), printed.bias_without_push ? none : f_x_, {}) - C;
        }
        return H.inverse() * (torque - C);
    }
};

TEST_F(HandoutChainErrata, Equations13To16AgreeWithTheLibrary) {
    const auto& [q, v] = robot_.state;
    const ExternalForces<double> forces = external();
    const Vec right = inverse_dynamics(robot_.model, q, v, acceleration_, &forces);
    EXPECT_TRUE(is_right(error(Q(acceleration_, f_x_, {}), right)));
    EXPECT_TRUE(is_wrong_by(error(Q(acceleration_, f_x_, {.equation_29 = true}), right), 4.83));
}

TEST_F(HandoutChainErrata, ForceAcrossTheJointIsNotTheSumOfForcesOnTheLink) {
    const std::vector<Vec6> none(4, Vec6::Zero());
    const Vec right = inverse_dynamics(robot_.model, robot_.state.q, robot_.state.v, acceleration_);
    EXPECT_TRUE(is_right(error(Q(acceleration_, none, {}), right)));
    EXPECT_TRUE(is_wrong_by(error(Q(acceleration_, none, {.force_is_sum = true}), right), 1.97));
    // On the last link nothing else acts, and the two are the same.
    EXPECT_NEAR(Q(acceleration_, none, {.force_is_sum = true})[2], right[2], 1e-11);
}

TEST_F(HandoutChainErrata, BiasOfEquation9HoldsTheExternalForces) {
    const Vec torque = Numbers(10).vec(3);
    const ExternalForces<double> forces = external();
    const Vec right =
        forward_dynamics(robot_.model, robot_.state.q, robot_.state.v, torque, &forces);
    EXPECT_TRUE(is_right(error(forward_dynamics_of_handout(torque, {}), right)));
    EXPECT_TRUE(is_wrong_by(
        error(forward_dynamics_of_handout(torque, {.bias_without_push = true}), right), 0.69));
}

// --- One body, eqs 2 and 3 ---------------------------------------------------------------------------

// Eq. 2 along the body's axes, for the point at `offset` from the body's frame.
Vec6 newton_euler_of_equation_2(const MassProperties& body, const Motion<double>& v,
                                const Motion<double>& a, const Vec3<double>& offset) {
    const Vector3<double> x_dd = to_eigen(classical_point_acceleration(a, v, offset));
    const Vector3<double> omega = to_eigen(v.angular);
    const Matrix3<double> I = to_eigen(body.about_center);
    Vec6 out;
    out << body.mass * x_dd, I * to_eigen(a.angular) + omega.cross(I * omega);
    return out;
}

TEST(HandoutErrata, Equation2HoldsOnlyAtTheCenterOfMass) {
    Numbers numbers(11);
    const MassProperties body = some_mass(numbers);
    const Motion<double> v = to_motion(numbers.vec(6)), a = to_motion(numbers.vec(6));
    // The force and its moment about the centre of mass, without gravity.
    const Force<double> f =
        Transform<double>::translation(body.center) * equation_of_motion(body.inertia(), a, v);
    Vec6 right;
    right << to_eigen(f.linear), to_eigen(f.angular);
    EXPECT_TRUE(is_right(error(newton_euler_of_equation_2(body, v, a, body.center), right)));
    EXPECT_TRUE(is_wrong_by(error(newton_euler_of_equation_2(body, v, a, {}), right), 0.416));
}

}  // namespace
}  // namespace plucker::test::handout_errata
