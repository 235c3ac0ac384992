// Soliman and Ugurlu, supplement: Table III, the Newton–Euler algorithm of a floating base. See
// docs/errata.md.
#include <optional>

#include "errata/listing.hpp"
#include "plucker/algorithms/table.hpp"

namespace plucker::test::newton_euler_errata {
namespace {

struct Printed {
    bool line_2 = false;               // g along the world's axes, not the base's
    std::optional<Vec6> line_11 = {};  // a_fb, given from somewhere, in place of a_0
    bool line_11_external = false;     // without the external force on the base
    bool line_14 = false;  // a leg's inertia moved by the transform that goes the other way
    bool line_17 = false;  // the same, within a leg
    std::optional<Vec6> line_20 = {};  // a_fb, given from somewhere, not computed
};

struct Motions {
    Vec6 a_fb;
    Vec tau;
    Vec6 force_on_base;  // I_fb a_fb + f_fb: what would have to push the base
};

// q̈ of the joints, and external forces λ_e,i in the coordinates of body i, 0 for the base.
Motions run(const Model& model, const Listing& robot, const Vec& acceleration,
            const std::vector<Vec6>& lambda_e, const Printed& printed) {
    const int N = robot.N;
    std::vector<Mat6> X(N + 1), I(N + 1);
    std::vector<Vec6> s(N + 1), v(N + 1), a(N + 1), f(N + 1);
    for (int i = 0; i <= N; ++i) I[i] = robot[i].I;
    Mat6 I_fb = I[0];
    Vec6 minus_g;
    minus_g << 0, 0, 0, -to_eigen(model.gravity());

    v[0] = robot.v_fb;                                                                    // 1
    a[0] = printed.line_2 ? minus_g : Vec6(motion_matrix(robot.X_base_world) * minus_g);  // 2
    for (int i = 1; i <= N; ++i) {                                                        // 3
        const int parent = robot[i].parent;
        const auto [X_J, s_i] = jcalc(robot.position(i));  // 4
        s[i] = s_i;
        X[i] = X_J * robot[i].X_T;  // 5
        // 6 λ(i)X*_i = (ⁱX_λ(i))ᵀ
        const Vec6 v_J = s_i * robot.velocity(i);
        v[i] = X[i] * v[parent] + v_J;                                            // 7
        a[i] = X[i] * a[parent] + s_i * acceleration[i - 1] + cross(v[i]) * v_J;  // 8
        f[i] = I[i] * a[i] + cross_star(v[i]) * I[i] * v[i] - lambda_e[i];        // 9
    }
    Vec6 f_fb = I_fb * printed.line_11.value_or(a[0]) + cross_star(v[0]) * I_fb * v[0];  // 11
    if (!printed.line_11_external) f_fb -= lambda_e[0];
    for (int i = N; i >= 1; --i) {  // 12
        const int parent = robot[i].parent;
        const Mat6 right = X[i].transpose() * I[i] * X[i];
        const Mat6 X_parent_i = X[i].inverse();  // λ(i)X_i
        const Mat6 wrong = X_parent_i.transpose() * I[i] * X_parent_i;
        if (parent == 0) {                                 // 13
            I_fb += printed.line_14 ? wrong : right;       // 14
            f_fb += X[i].transpose() * f[i];               // 15
        } else {                                           // 16
            I[parent] += printed.line_17 ? wrong : right;  // 17
            f[parent] += X[i].transpose() * f[i];          // 18
        }
    }
    const Vec6 a_fb = printed.line_20.value_or(-I_fb.inverse() * f_fb);
    Vec tau(N);
    a[0] = a_fb;                                    // 20
    for (int i = 1; i <= N; ++i) {                  // 21
        a[i] = X[i] * a[robot[i].parent];           // 22–26
        tau[i - 1] = s[i].dot(I[i] * a[i] + f[i]);  // 27
    }
    return {a_fb, tau, I_fb * a_fb + f_fb};
}

// A base with two legs, the first of which branches; all of it is pushed.
class NewtonEulerErrata : public testing::Test {
protected:
    Example robot_{{0, 1, 2, 1, 0, 5}, Base::kFloating};
    Vec acceleration_ = Numbers(6).vec(robot_.listing.N);
    std::vector<Vec6> lambda_e_ = pushes();
    ExternalForces<double> external_ = as_external(lambda_e_);

    std::vector<Vec6> pushes() const {
        Numbers numbers(7);
        std::vector<Vec6> out;
        for (int i = 0; i <= robot_.listing.N; ++i) out.emplace_back(numbers.vec(6, 10));
        return out;
    }
    // The library takes forces in the coordinates of named frames; the listing in those of the bodies.
    ExternalForces<double> as_external(const std::vector<Vec6>& lambda_e) const {
        ExternalForces<double> out(robot_.model);
        for (int i = 0; i <= robot_.listing.N; ++i) {
            const FrameId frame = robot_.model.body_frame(i + 1);
            const Transform<double>& X = robot_.model.frame(frame).X_frame_body;
            out.add(frame, X * to_force(lambda_e[i]), ReferenceFrame::kBody);
        }
        return out;
    }

    Motions run_with(const Printed& printed) const {
        return run(robot_.model, robot_.listing, acceleration_, lambda_e_, printed);
    }
    auto right() const {
        Vec a = Vec::Zero(robot_.model.nv());
        a.tail(robot_.listing.N) = acceleration_;
        return floating_base_inverse_dynamics(robot_.model, robot_.state.q, robot_.state.v,
                                              &external_, a);
    }
    Vec6 right_a_fb() const { return right().a.head<6>(); }
    Vec right_tau() const { return right().tau.tail(robot_.listing.N); }
    double error_of_a_fb(const Printed& printed) const {
        return error(run_with(printed).a_fb, right_a_fb());
    }
    double error_of_tau(const Printed& printed) const {
        return error(run_with(printed).tau, right_tau());
    }
};

TEST_F(NewtonEulerErrata, CorrectedTableAgreesWithTheLibrary) {
    EXPECT_TRUE(is_right(error_of_a_fb({})));
    EXPECT_TRUE(is_right(error_of_tau({})));
}

TEST_F(NewtonEulerErrata, CorrectedTableLeavesTheBaseFree) {
    // The inverse dynamics of the whole robot, with the base's acceleration given: no force on the base.
    const Motions found = run_with({});
    Vec a(robot_.model.nv());
    a << found.a_fb, acceleration_;
    const Vec tau = inverse_dynamics(robot_.model, robot_.state.q, robot_.state.v, a, &external_);
    EXPECT_LT(tau.head<6>().norm(), 1e-11);
    EXPECT_TRUE(is_right(error(found.tau, tau.tail(robot_.listing.N))));
}

TEST_F(NewtonEulerErrata, PrintedLine2NeedsGravityInTheBasesCoordinates) {
    EXPECT_TRUE(is_wrong_by(error_of_a_fb({.line_2 = true}), 0.92));
    // A free body falls, whichever way it is turned: gravity moves the base and strains no joint.
    EXPECT_TRUE(is_right(error_of_tau({.line_2 = true})));
}

TEST_F(NewtonEulerErrata, PrintedLine11CountsTheUnknownAcceleration) {
    // Zero: the base has no weight. The right one: it is counted again when line 20 solves for it.
    EXPECT_TRUE(is_wrong_by(error_of_a_fb({.line_11 = Vec6::Zero()}), 0.142));
    EXPECT_TRUE(is_wrong_by(error_of_a_fb({.line_11 = right_a_fb()}), 0.271));
    EXPECT_TRUE(is_wrong_by(error_of_tau({.line_11 = Vec6::Zero()}), 0.0569));
    EXPECT_TRUE(is_wrong_by(error_of_tau({.line_11 = right_a_fb()}), 0.121));
}

TEST_F(NewtonEulerErrata, PrintedLine11IsWrongEvenIfTheAccelerationIsKnown) {
    // With a_fb given in lines 11 and 20 the torques are right, for they do not read f_fb ...
    const Motions found = run_with({.line_11 = right_a_fb(), .line_20 = right_a_fb()});
    EXPECT_TRUE(is_right(error(found.tau, right_tau())));
    // ... but f_fb is not what pushes the base: nothing does.
    EXPECT_GT(found.force_on_base.norm(), 10);
    EXPECT_LT(run_with({.line_20 = right_a_fb()}).force_on_base.norm(), 1e-11);
}

TEST_F(NewtonEulerErrata, PrintedLine11LosesThePushOnTheBase) {
    EXPECT_TRUE(is_wrong_by(error_of_a_fb({.line_11_external = true}), 0.388));
    EXPECT_TRUE(is_wrong_by(error_of_tau({.line_11_external = true}), 0.0839));
}

TEST_F(NewtonEulerErrata, PrintedLines14And17MoveInertiaTheWrongWay) {
    EXPECT_TRUE(is_wrong_by(error_of_a_fb({.line_14 = true}), 0.817));
    EXPECT_TRUE(is_wrong_by(error_of_tau({.line_14 = true}), 0.196));
    EXPECT_TRUE(is_wrong_by(error_of_a_fb({.line_17 = true}), 0.181));
    EXPECT_TRUE(is_wrong_by(error_of_tau({.line_17 = true}), 0.257));
}

TEST_F(NewtonEulerErrata, PrintedLine20HasNoAccelerationToTake) {
    // Nothing assigns a_fb before; with zero, or with line 2's a_0, the base would have to be held.
    Vec6 minus_g;
    minus_g << 0, 0, 0, -to_eigen(robot_.model.gravity());
    minus_g = motion_matrix(robot_.listing.X_base_world) * minus_g;
    EXPECT_TRUE(is_wrong_by(error_of_tau({.line_20 = Vec6::Zero()}), 0.474));
    EXPECT_TRUE(is_wrong_by(error_of_tau({.line_20 = minus_g}), 0.816));
    EXPECT_GT(run_with({.line_20 = Vec6::Zero()}).force_on_base.norm(), 10);
}

TEST_F(NewtonEulerErrata, PrintedTableFailsAsAWhole) {
    const Printed everything{.line_2 = true,
                             .line_11 = Vec6::Zero(),
                             .line_11_external = true,
                             .line_14 = true,
                             .line_17 = true,
                             .line_20 = Vec6::Zero()};
    EXPECT_TRUE(is_wrong_by(error_of_tau(everything), 0.645));
}

// Eq. 11, C v + G = ID(q̈ = 0): true of the inverse dynamics whose base does not accelerate, not of
// Table III, whose base is free.
TEST_F(NewtonEulerErrata, Equation11DoesNotHoldForTableIII) {
    const auto& [q, v] = robot_.state;
    const auto [C, G] = modified_newton_euler(robot_.model, q, v);
    const int N = robot_.listing.N;
    const Vec right = (C * v + G).tail(N);
    const std::vector<Vec6> none(N + 1, Vec6::Zero());
    const auto torques = [&](const Printed& printed) {
        return run(robot_.model, robot_.listing, Vec::Zero(N), none, printed).tau;
    };
    EXPECT_TRUE(is_wrong_by(error(torques({}), right), 0.967));
    EXPECT_TRUE(is_right(error(torques({.line_20 = Vec6::Zero()}), right)));
}

}  // namespace
}  // namespace plucker::test::newton_euler_errata
