// Soliman and Ugurlu, supplement: Table IV, the Modified Newton–Euler algorithm. See docs/errata.md.
#include "plucker/algorithms/table.hpp"

#include "errata/listing.hpp"

namespace plucker::test::modified_newton_euler_errata {
namespace {

struct Printed {
    bool line_2_gravity = false;  // g along the world's axes, not the base's
    bool line_2_rate = false;     // J̇_0 = 0
    bool lines_8_and_9 = false;  // a joint's column is the next free one, whichever branch it is in
    bool line_10 = false;        // [0_6×6 I J̇], although J̇ has the base's columns already
    bool line_15 = false;        // inertia moved by the transform that goes the other way; also 19
    bool line_16_composite = false;  // I_fb after line 15 has added the children
    bool line_16_assigned = false;   // each child replaces the one before
    bool line_20_leaf = false;       // M_2 of a leaf is never set
    bool line_20_assigned = false;   // each child replaces the one before
};

struct CoriolisAndGravity {
    Mat C;
    Vec G;
};
CoriolisAndGravity run(const Model& model, const Listing& robot, const Printed& printed) {
    const int N = robot.N;
    const int width = 6 + N;  // of J_i and of all that is made from it: base first, then joints
    std::vector<Mat6> X(N + 1), I(N + 1);
    std::vector<Vec6> s(N + 1), v(N + 1), g(N + 1), f_g(N + 1);
    std::vector<Mat6X> J(N + 1), J_dot(N + 1), M_1(N + 1), M_2(N + 1);
    std::vector<int> depth(N + 1, 0);
    for (int i = 0; i <= N; ++i) I[i] = robot[i].I;
    Mat6 I_fb = I[0];
    Vec6 minus_g;
    minus_g << 0, 0, 0, -to_eigen(model.gravity());

    v[0] = robot.v_fb;  // 1
    // 2
    g[0] = printed.line_2_gravity ? minus_g : Vec6(motion_matrix(robot.X_base_world) * minus_g);
    J[0] = J_dot[0] = Mat6X::Zero(6, width);
    J[0].leftCols<6>().setIdentity();
    if (!printed.line_2_rate) J_dot[0].leftCols<6>() = cross(v[0]);
    for (int i = 1; i <= N; ++i) {  // 3
        const int parent = robot[i].parent;
        const auto [X_J, s_i] = jcalc(robot.position(i));  // 4
        s[i] = s_i;
        X[i] = X_J * robot[i].X_T;  // 5
        // 6 λ(i)X*_i = (ⁱX_λ(i))ᵀ
        v[i] = X[i] * v[parent] + s_i * robot.velocity(i);  // 7
        depth[i] = depth[parent] + 1;
        const int column = 6 + (printed.lines_8_and_9 ? depth[i] : i) - 1;
        J[i] = X[i] * J[parent];  // 8
        J[i].col(column) = s_i;
        J_dot[i] = X[i] * J_dot[parent];  // 9
        J_dot[i].col(column) = cross(v[i]) * s_i;
        g[i] = X[i] * g[parent];
        Mat6X I_J_dot = I[i] * J_dot[i];  // 10
        if (printed.line_10) {
            // Twelve columns and N are to be added to six and N; what stands out is cut off.
            I_J_dot.rightCols(N) = Mat6X(I_J_dot.leftCols(N));
            I_J_dot.leftCols<6>().setZero();
        }
        M_1[i] = cross_star(v[i]) * I[i] * J[i] + I_J_dot;
        f_g[i] = I[i] * g[i];
    }
    for (int i = 1; i <= N; ++i) {
        const bool leaf = robot[i].subtree_end == i + 1;
        M_2[i] = leaf && printed.line_20_leaf ? Mat6X::Zero(6, width) : M_1[i];
    }
    Vec6 f_fb_g = I_fb * g[0];                    // 12
    Mat6X from_children = Mat6X::Zero(6, width);  // line 16's last term
    Mat C_r(N, width);
    Vec G_r(N);
    for (int i = N; i >= 1; --i) {  // 13
        const int parent = robot[i].parent;
        const Mat6 X_star = X[i].transpose();
        const Mat6 X_parent_i = X[i].inverse();  // λ(i)X_i
        const Mat6 moved = printed.line_15 ? Mat6(X_parent_i.transpose() * I[i] * X_parent_i)
                                           : Mat6(X_star * I[i] * X[i]);
        if (parent == 0) {  // 14
            I_fb += moved;  // 15
            if (printed.line_16_assigned) from_children.setZero();
            from_children += X_star * M_2[i];  // 16
            f_fb_g += X_star * f_g[i];         // 17
        } else {                               // 18
            I[parent] += moved;                // 19
            M_2[parent] =
                (printed.line_20_assigned ? M_1[parent] : M_2[parent]) + X_star * M_2[i];  // 20
            f_g[parent] += X_star * f_g[i];                                                // 21
        }
        C_r.row(i - 1) = s[i].transpose() * M_2[i];  // 23
        G_r[i - 1] = s[i].dot(f_g[i]);
    }
    // 16, its first term. Printed within the loop; at the last child, I_fb is that of the whole robot.
    const Mat6 I_16 = printed.line_16_composite ? I_fb : robot[0].I;
    const Mat6X k_fb = cross_star(v[0]) * I_16 * J[0] + robot[0].I * J_dot[0] + from_children;
    CoriolisAndGravity out{Mat(width, width), Vec(width)};
    out.C << k_fb, C_r;    // 25
    out.G << f_fb_g, G_r;  // 26
    return out;
}

// Errors of C, of C v, of G, and of Ṁ = C + Cᵀ.
struct Errors {
    double C, C_v, G, rate_of_M;
};
Errors errors(const Example& robot, const Printed& printed) {
    const auto& [q, v] = robot.state;
    const auto [C, G] = run(robot.model, robot.listing, printed);
    const auto right = modified_newton_euler(robot.model, q, v);
    const Vec right_G = gravity_torque(robot.model, q);
    const Vec right_C_v = bias_torque(robot.model, q, v) - right_G;
    const Mat M_dot = rate_along(
        robot.model, q, v, [&](const Vec& moved) { return Mat(mass_matrix(robot.model, moved)); });
    return {error(C, right.C), error(C * v, right_C_v), error(G, right_G),
            error(C + C.transpose(), M_dot)};
}

const Example& tree() {  // the base has two children, and so has one of them
    static const Example robot({0, 1, 2, 1, 0, 5}, Base::kFloating);
    return robot;
}
const Example& two_legs() {  // the base has two children, no other body has
    static const Example robot({0, 1, 2, 0, 4, 5}, Base::kFloating);
    return robot;
}
const Example& chain() {
    static const Example robot({0, 1, 2}, Base::kFloating);
    return robot;
}

TEST(ModifiedNewtonEulerErrata, CorrectedTableAgreesWithTheLibrary) {
    for (const Example* robot : {&tree(), &two_legs(), &chain()}) {
        const Errors e = errors(*robot, {});
        for (double x : {e.C, e.C_v, e.G}) EXPECT_TRUE(is_right(x));
    }
}

TEST(ModifiedNewtonEulerErrata, CorrectedTableMakesMassMatrixRateSkew) {
    for (const Example* robot : {&tree(), &two_legs(), &chain()}) {
        EXPECT_TRUE(is_right_by_differences(errors(*robot, {}).rate_of_M));
    }
}

TEST(ModifiedNewtonEulerErrata, PrintedLine2NeedsGravityInTheBasesCoordinates) {
    EXPECT_TRUE(is_wrong_by(errors(tree(), {.line_2_gravity = true}).G, 1));
}

TEST(ModifiedNewtonEulerErrata, PrintedLine2MakesMassMatrixRateNotSkew) {
    const Errors e = errors(tree(), {.line_2_rate = true});
    EXPECT_TRUE(is_wrong_by(e.rate_of_M, 9.05));
    EXPECT_TRUE(is_wrong_by(e.C, 0.524));
    EXPECT_TRUE(is_right(e.C_v));  // because v × v = 0
}

TEST(ModifiedNewtonEulerErrata, PrintedLines8And9MixTheBranches) {
    EXPECT_TRUE(is_wrong_by(errors(two_legs(), {.lines_8_and_9 = true}).C_v, 0.157));
    EXPECT_TRUE(is_right(errors(chain(), {.lines_8_and_9 = true}).C_v));
}

TEST(ModifiedNewtonEulerErrata, PrintedLine10ShiftsTheRatesBySixColumns) {
    EXPECT_TRUE(is_wrong_by(errors(tree(), {.line_10 = true}).C_v, 0.683));
    EXPECT_TRUE(is_wrong_by(errors(chain(), {.line_10 = true}).C_v, 0.125));
}

TEST(ModifiedNewtonEulerErrata, PrintedLine16CountsTheChildrenTwice) {
    EXPECT_TRUE(is_wrong_by(errors(tree(), {.line_16_composite = true}).C_v, 0.715));
    EXPECT_TRUE(is_wrong_by(errors(chain(), {.line_16_composite = true}).C_v, 0.854));
}

TEST(ModifiedNewtonEulerErrata, PrintedLine16KeepsOnlyTheLastChild) {
    EXPECT_TRUE(is_wrong_by(errors(tree(), {.line_16_assigned = true}).C_v, 0.471));
    EXPECT_TRUE(is_wrong_by(errors(two_legs(), {.line_16_assigned = true}).C_v, 0.44));
    EXPECT_TRUE(is_right(errors(chain(), {.line_16_assigned = true}).C_v));
}

TEST(ModifiedNewtonEulerErrata, Lines15And19HaveNoEffectOnceLine16IsRight) {
    EXPECT_TRUE(is_right(errors(tree(), {.line_15 = true}).C));
    // Line 16 as printed is wrong with either direction of the transform.
    EXPECT_TRUE(
        is_wrong_by(errors(tree(), {.line_15 = true, .line_16_composite = true}).C_v, 1.03));
}

TEST(ModifiedNewtonEulerErrata, PrintedLine20ReadsLeavesThatAreNotSet) {
    EXPECT_TRUE(is_wrong_by(errors(tree(), {.line_20_leaf = true}).C_v, 0.426));
    EXPECT_TRUE(is_wrong_by(errors(chain(), {.line_20_leaf = true}).C_v, 0.227));
}

TEST(ModifiedNewtonEulerErrata, PrintedLine20KeepsOnlyTheLastChild) {
    EXPECT_TRUE(is_wrong_by(errors(tree(), {.line_20_assigned = true}).C_v, 0.0814));
    EXPECT_TRUE(is_right(errors(two_legs(), {.line_20_assigned = true}).C_v));
    EXPECT_TRUE(is_right(errors(chain(), {.line_20_assigned = true}).C_v));
}

TEST(ModifiedNewtonEulerErrata, PrintedTableFailsAsAWhole) {
    const Printed everything{true, true, true, true, true, true, true, true, true};
    EXPECT_TRUE(is_wrong_by(errors(tree(), everything).C_v, 0.742));
    EXPECT_TRUE(is_wrong_by(errors(chain(), everything).C_v, 0.594));
}

}  // namespace
}  // namespace plucker::test::modified_newton_euler_errata
