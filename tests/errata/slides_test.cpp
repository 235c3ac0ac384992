// Featherstone, "A Short Course on Spatial Vector Algebra": the formulas of the slides, transcribed. All
// are right; gravity is left to the reader. See docs/errata.md.
#include "errata/listing.hpp"
#include "plucker/algorithms/table.hpp"

namespace plucker::test::slides_errata {
namespace {

using V3 = Vector3<double>;
using M3 = Matrix3<double>;

// A frame B in A: E takes A's coordinates to B's, r is B's origin in A.
struct Frames {
    M3 E;
    V3 r;

    explicit Frames(Numbers& numbers)
        : E(to_eigen(Pose<double>::roll_pitch_yaw({}, numbers.vec3(3)).rotation).transpose()),
          r(to_eigen(numbers.vec3(1))) {}

    // "Coordinate Transforms"
    Mat6 X() const {
        Mat6 rotation = Mat6::Zero(), shift = Mat6::Identity();
        rotation.topLeftCorner<3, 3>() = rotation.bottomRightCorner<3, 3>() = E;
        shift.bottomLeftCorner<3, 3>() = s(r).transpose();
        return rotation * shift;
    }
    Mat6 X_star() const { return X().inverse().transpose(); }
};

// "Rigid Body Inertia"
Mat6 spatial_inertia(const MassProperties& body) {
    const double m = body.mass;
    const M3 c = s(to_eigen(body.center));
    Mat6 out;
    out << M3(to_eigen(body.about_center)) - m * c * c, m * c, m * c.transpose(),
        m * M3::Identity();
    return out;
}

TEST(Slides, VelocityAndForceShiftBetweenPoints) {
    // v_O = v_P + OP × ω and n_O = n_P + OP × f: the transform from P's frame to O's, at r = PO.
    Numbers numbers(12);
    Frames at(numbers);
    at.E.setIdentity();
    const V3 OP = -at.r;
    const Vec6 v_P = numbers.vec(6), f_P = numbers.vec(6);
    Vec6 v_O = v_P, f_O = f_P;
    v_O.tail<3>() += OP.cross(v_P.head<3>());
    f_O.head<3>() += OP.cross(f_P.tail<3>());
    EXPECT_TRUE(is_right(error(at.X() * v_P, v_O)));
    EXPECT_TRUE(is_right(error(at.X_star() * f_P, f_O)));
}

TEST(Slides, TransformsAreTheLibrarysAndKeepPower) {
    Numbers numbers(13);
    const Frames at(numbers);
    const Transform<double> X{to_mat3(at.E), to_vec3(at.r)};
    const Vec6 v = numbers.vec(6), f = numbers.vec(6);
    EXPECT_TRUE(is_right(error(at.X(), motion_matrix(X))));
    EXPECT_TRUE(is_right(error(at.X_star(), force_matrix(X))));
    EXPECT_NEAR((at.X() * v).dot(at.X_star() * f), v.dot(f), 1e-12);
}

// "Spatial Cross Products"
Vec6 cross_of_slide(const Vec6& v, const Vec6& m) {
    const V3 omega = v.head<3>(), v_O = v.tail<3>();
    Vec6 out;
    out << omega.cross(V3(m.head<3>())), omega.cross(V3(m.tail<3>())) + v_O.cross(V3(m.head<3>()));
    return out;
}
Vec6 cross_star_of_slide(const Vec6& v, const Vec6& f) {
    const V3 omega = v.head<3>(), v_O = v.tail<3>();
    Vec6 out;
    out << omega.cross(V3(f.head<3>())) + v_O.cross(V3(f.tail<3>())), omega.cross(V3(f.tail<3>()));
    return out;
}

TEST(Slides, CrossProductsAreRatesInAMovingBody) {
    // One free body. What is fixed in it has the rate v × m, or v ×* f, in the world's coordinates; what
    // is fixed in the world has the componentwise rate -v × m in the body's.
    const Model model = robot_of({}, Base::kFloating);
    const State state = some_state(model);
    const Vec &q = state.q, &v_body = state.v;
    const auto X = [&](const Vec& at) {
        return motion_matrix(FloatingJoint::transform<double>(model.body(1), at.data(), nullptr));
    };
    Numbers numbers(14);
    const Vec6 m = numbers.vec(6), f = numbers.vec(6);
    const Vec6 v_world = X(q).inverse() * v_body;
    const auto rate = [&](auto&& value) { return rate_along(model, q, v_body, value); };
    EXPECT_TRUE(
        is_right_by_differences(error(rate([&](const Vec& at) { return Mat(X(at).inverse() * m); }),
                                      cross_of_slide(v_world, X(q).inverse() * m))));
    EXPECT_TRUE(is_right_by_differences(
        error(rate([&](const Vec& at) { return Mat(X(at).transpose() * f); }),
              cross_star_of_slide(v_world, X(q).transpose() * f))));
    EXPECT_TRUE(is_right_by_differences(error(rate([&](const Vec& at) { return Mat(X(at) * m); }),
                                              -cross_of_slide(v_body, X(q) * m))));
}

TEST(Slides, AccelerationFormulaAndInertiaAgreeWithNewtonAndEuler) {
    // f = I a + v ×* I v, with v̇_O = r̈ - ω × ṙ, against force and moment about the centre of mass.
    Numbers numbers(15);
    const MassProperties body = some_mass(numbers);
    const V3 c = to_eigen(body.center), omega = to_eigen(numbers.vec3(1)),
             omega_d = to_eigen(numbers.vec3(1)), r_d = to_eigen(numbers.vec3(1)),
             r_dd = to_eigen(numbers.vec3(1));  // of the body-fixed point at O
    Vec6 v, a;
    v << omega, r_d;
    a << omega_d, r_dd - omega.cross(r_d);
    const Mat6 I = spatial_inertia(body);
    const Vec6 f = I * a + cross_star(v) * I * v;
    const V3 c_dd = r_dd + omega_d.cross(c) + omega.cross(omega.cross(c));
    const M3 I_C = to_eigen(body.about_center);
    Vec6 right;
    right << I_C * omega_d + omega.cross(I_C * omega) + c.cross(body.mass * c_dd), body.mass * c_dd;
    EXPECT_TRUE(is_right(error(f, right)));
}

TEST(Slides, InertiaMovesWithTheTransformThatGoesBack) {
    // I_B = (ᴬX_B)ᵀ I_A ᴬX_B keeps kinetic energy; Tables III and IV of the supplement use ᴮX_A.
    Numbers numbers(16);
    const Frames at(numbers);
    const Mat6 I_A = spatial_inertia(some_mass(numbers));
    const Mat6 X_AB = at.X().inverse();
    const Mat6 I_B = X_AB.transpose() * I_A * X_AB;
    const Vec6 v = numbers.vec(6);
    EXPECT_NEAR((at.X() * v).dot(I_B * at.X() * v), v.dot(I_A * v), 1e-12);
}

TEST(Slides, ConstrainedBodyAccelerates) {
    // a = S (Sᵀ I S)⁻¹ Sᵀ f, and the constraint force does no work.
    Numbers numbers(17);
    const Mat6 I = spatial_inertia(some_mass(numbers));
    Mat6X S(6, 2);
    S << numbers.vec(6), numbers.vec(6);
    const Vec6 f = numbers.vec(6);
    const Vec6 a = S * (S.transpose() * I * S).inverse() * S.transpose() * f;
    const Vec6 f_c = I * a - f;
    EXPECT_LT((S.transpose() * f_c).norm(), 1e-12);
}

// "The Recursive Newton–Euler Algorithm", in world coordinates as on the slide.
Vec recursive_newton_euler(const Example& robot, const Vec& acceleration, const Vec6& a_0,
                           const Vec6& f_ee) {
    const int n = robot.listing.N;
    Mat6 X = Mat6::Identity();  // body ← world
    std::vector<Vec6> s_world(n + 1), f(n + 2);
    Vec6 v = Vec6::Zero(), a = a_0;
    for (int i = 1; i <= n; ++i) {
        const auto [X_J, s_i] = jcalc(robot.listing.position(i));
        X = X_J * robot.listing[i].X_T * X;
        s_world[i] = X.inverse() * s_i;
        const Mat6 I = X.transpose() * robot.listing[i].I * X;
        v += s_world[i] * robot.listing.velocity(i);
        a += cross(v) * s_world[i] * robot.listing.velocity(i) + s_world[i] * acceleration[i - 1];
        f[i] = I * a + cross_star(v) * I * v;
    }
    f[n + 1] = f_ee;
    Vec tau(n);
    for (int i = n; i >= 1; --i) {
        f[i] += f[i + 1];
        tau[i - 1] = s_world[i].dot(f[i]);
    }
    return tau;
}

TEST(Slides, RecursiveNewtonEulerNeedsGravityInTheFirstAcceleration) {
    const Example robot({0, 1, 2}, Base::kFixed);
    const Vec acceleration = Numbers(18).vec(3);
    const Vec6 f_ee = Numbers(19).vec(6, 5);  // what the last link puts on its surroundings
    ExternalForces<double> reaction(robot.model);
    reaction.add(robot.model.body_frame(3), to_force(-f_ee), ReferenceFrame::kWorld);
    const Vec right =
        inverse_dynamics(robot.model, robot.state.q, robot.state.v, acceleration, &reaction);
    Vec6 minus_g;
    minus_g << 0, 0, 0, -to_eigen(robot.model.gravity());
    EXPECT_TRUE(is_right(error(recursive_newton_euler(robot, acceleration, minus_g, f_ee), right)));
    EXPECT_TRUE(is_wrong_by(
        error(recursive_newton_euler(robot, acceleration, Vec6::Zero(), f_ee), right), 0.779));
}

}  // namespace
}  // namespace plucker::test::slides_errata
