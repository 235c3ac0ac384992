// "Algorithm 1 - Pseudo code of the algorithm to directly compute the inverse of the joint space inertia
// matrix", and the note that replaces its line 14. See docs/errata.md.
#include "errata/listing.hpp"
#include "plucker/algorithms/table.hpp"

namespace plucker::test::minv_errata {
namespace {

struct Printed {
    bool line_14 = false;         // U_i M_inv alone crosses the joint, not F_i
    bool rows_of_P = false;       // lines 22–26: P_i[i, i:] for P_i[:, i:]
    bool columns_from_i = false;  // lines 22–26: columns i: only, and nothing below the diagonal
    double memory_before_line_1 = 0;  // what F and M_inv hold before they are first read
};

struct Inverse {
    Mat M_inv;
    std::vector<Mat6X> F, P;
};

Inverse run(const Listing& robot, const Printed& printed) {
    const int N_B = robot.N;
    std::vector<Mat6> X(N_B + 1), I_A(N_B + 1);
    std::vector<Vec6> S(N_B + 1), U(N_B + 1);
    std::vector<double> D(N_B + 1);
    Inverse out{Mat::Constant(N_B, N_B, printed.memory_before_line_1),
                std::vector<Mat6X>(N_B + 1, Mat6X::Constant(6, N_B, printed.memory_before_line_1)),
                std::vector<Mat6X>(N_B + 1, Mat6X::Zero(6, N_B))};
    auto& [M_inv, F, P] = out;

    // 1 First forward pass:
    for (int i = 1; i <= N_B; ++i) {                       // 2
        const auto [X_J, S_i] = jcalc(robot.position(i));  // 3
        S[i] = S_i;
        X[i] = X_J * robot[i].X_T;  // 4
        I_A[i] = robot[i].I;        // 5
    }

    // 7 Backward pass:
    for (int i = N_B; i >= 1; --i) {  // 8
        const int parent = robot[i].parent;
        const Mat6 X_star = X[i].transpose();                              // λ(i)X*_i
        const auto subtree = Eigen::seq(i - 1, robot[i].subtree_end - 2);  // columns count from 0
        U[i] = I_A[i] * S[i];                                              // 9
        D[i] = S[i].dot(U[i]);                                             // 10
        M_inv(i - 1, i - 1) = 1 / D[i];                                    // 11
        M_inv(i - 1, subtree) -= 1 / D[i] * S[i].transpose() * F[i](Eigen::all, subtree);  // 12
        if (parent != 0) {                                                                 // 13
            if (printed.line_14) {
                F[parent](Eigen::all, subtree) += X_star * U[i] * M_inv(i - 1, subtree);  // 14
            } else {
                const Mat6X F_a = F[i](Eigen::all, subtree) + U[i] * M_inv(i - 1, subtree);
                F[parent](Eigen::all, subtree) += X_star * F_a;
            }
            const Mat6 I_a = I_A[i] - U[i] * (1 / D[i]) * U[i].transpose();  // 15
            I_A[parent] += X_star * I_a * X[i];                              // 16
        }
    }

    // 19 Second forward pass:
    for (int i = 1; i <= N_B; ++i) {  // 20
        const int parent = robot[i].parent;
        const auto columns = Eigen::seq(printed.columns_from_i ? i - 1 : 0, N_B - 1);
        // The rows of P that are read and written: all six, or the one numbered i.
        Mat6 rows = Mat6::Identity();
        if (printed.rows_of_P) {
            rows.setZero();
            rows(i - 1, i - 1) = 1;
        }
        if (parent != 0) {  // 21
            M_inv(i - 1, columns) -=
                1 / D[i] * U[i].transpose() * X[i] * rows * P[parent](Eigen::all, columns);  // 22
        }
        P[i](Eigen::all, columns) = rows * S[i] * M_inv(i - 1, columns);                       // 24
        if (parent != 0) {                                                                     // 25
            P[i](Eigen::all, columns) += rows * X[i] * rows * P[parent](Eigen::all, columns);  // 26
        }
    }
    return out;
}

double error_of_inverse(const Example& robot, const Printed& printed) {
    return error(run(robot.listing, printed).M_inv,
                 mass_matrix(robot.model, robot.state.q).inverse());
}

// Three in a row; the same with branches; and depths of one and two only.
const std::vector<int> kThreeInARow{0, 1, 2};
const std::vector<int> kBranched{0, 1, 2, 1, 4, 0, 6};
const std::vector<int> kTwoInARow{0, 1};
const std::vector<int> kWideAndShallow{0, 1, 1, 1, 0, 5, 0};

TEST(MinvErrata, CorrectedListingInvertsTheMassMatrix) {
    for (const auto& parents : {kThreeInARow, kBranched, kTwoInARow, kWideAndShallow}) {
        EXPECT_TRUE(is_right(error_of_inverse(Example(parents, Base::kFixed), {})));
    }
}

TEST(MinvErrata, PrintedLine14LosesTheForceOfTheSubtree) {
    EXPECT_TRUE(is_wrong_by(
        error_of_inverse(Example(kThreeInARow, Base::kFixed), {.line_14 = true}), 0.155));
    EXPECT_TRUE(
        is_wrong_by(error_of_inverse(Example(kBranched, Base::kFixed), {.line_14 = true}), 0.0308));
}

TEST(MinvErrata, PrintedLine14IsRightWhereNoThreeBodiesAreInARow) {
    EXPECT_TRUE(is_right(error_of_inverse(Example(kTwoInARow, Base::kFixed), {.line_14 = true})));
    EXPECT_TRUE(
        is_right(error_of_inverse(Example(kWideAndShallow, Base::kFixed), {.line_14 = true})));
}

TEST(MinvErrata, MemoryMustBeZeroBeforeLine1) {
    const Example robot(kThreeInARow, Base::kFixed);
    EXPECT_TRUE(is_wrong_by(error_of_inverse(robot, {.memory_before_line_1 = 1}), 1.18));
}

TEST(MinvErrata, ColumnsFromIOnLeaveTheLowerTriangleUnfinished) {
    const Example robot(kBranched, Base::kFixed);
    const Mat right = mass_matrix(robot.model, robot.state.q).inverse();
    const Mat printed = run(robot.listing, {.columns_from_i = true}).M_inv;
    EXPECT_TRUE(is_wrong_by(error(printed, right), 0.123));
    // The upper triangle is right: mirrored, it is the inverse.
    EXPECT_TRUE(is_right(error(printed.selfadjointView<Eigen::Upper>(), right)));
}

TEST(MinvErrata, RowIOfPIsNotTheWholeOfP) {
    const Example robot(kThreeInARow, Base::kFixed);
    EXPECT_TRUE(is_wrong_by(error_of_inverse(robot, {.rows_of_P = true}), 0.248));
}

// "P_i τ = a_i": at rest and without gravity, P_i maps torques to the acceleration of body i.
TEST(MinvErrata, OnlyAllColumnsOfPGiveTheAcceleration) {
    const Example robot(kThreeInARow, Base::kFixed);
    const Vec tau = Numbers(3).vec(robot.model.nv());
    const Vec acceleration = mass_matrix(robot.model, robot.state.q).inverse() * tau;
    std::vector<Vec6> a(4, Vec6::Zero());
    for (int i = 1; i <= 3; ++i) {
        const auto [X_J, S] = jcalc(robot.listing.position(i));
        a[i] = X_J * robot.listing[i].X_T * a[robot.listing[i].parent] + S * acceleration[i - 1];
        EXPECT_TRUE(is_right(error(run(robot.listing, {}).P[i] * tau, a[i])));
    }
    EXPECT_TRUE(
        is_wrong_by(error(run(robot.listing, {.columns_from_i = true}).P[3] * tau, a[3]), 0.647));
}

}  // namespace
}  // namespace plucker::test::minv_errata
