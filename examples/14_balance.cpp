// A linear regulator (LQR) that holds a humanoid's posture: its pelvis is held, all joints are driven. The linear model is the
// derivatives of forward dynamics; what the regulator promises to pay is compared with what it pays.
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {
using Matrix = MatrixX<double>;
// The P of the cost xᵀ P x for x' = A x + B u, cost xᵀ x + uᵀ u, by doubling the horizon.
Matrix cost_to_go(Matrix A, const Matrix& B) {
    const Matrix one = Matrix::Identity(A.rows(), A.cols());
    Matrix G = B * B.transpose(), P = one;
    for (int k = 0; k < 30; ++k) {
        const Matrix W = (one + G * P).inverse();
        P += A.transpose() * P * W * A;
        G += A * W * G * A.transpose();
        A = A * W * A;
    }
    return P;
}
}  // namespace

int main() {
    const Model robot = with_base(robots::humanoid(), Base::kFixed);
    const int n = robot.nv();
    const VectorX<double> posture = neutral_configuration(robot);
    const VectorX<double> hold = gravity_torque(robot, posture);

    // x = (how far q is from the posture, v), in steps of h: v' = v + h a, q' = q + h v'.
    // Torques count in hundreds of N m.
    constexpr double h = 0.002, unit = 100;
    const auto slope = forward_dynamics_derivatives(robot, posture, VectorX<double>::Zero(n), hold);
    Matrix A(2 * n, 2 * n), B(2 * n, n);
    const Matrix one = Matrix::Identity(n, n);
    const Matrix by_q = h * slope.da_dq, by_v = one + h * slope.da_dv,
                 by_tau = h * unit * slope.da_dtau;
    A << one + h * by_q, h * by_v, by_q, by_v;
    B << h * by_tau, by_tau;
    const Matrix P = cost_to_go(A, B);
    const Matrix K = (one + B.transpose() * P * B).ldlt().solve(B.transpose() * P * A);

    std::printf("  push        promised cost       paid\n");
    for (const double push : {0.1, 1.0, 8.0}) {
        VectorX<double> q = posture, v = push * VectorX<double>::Ones(n), x(2 * n);
        double promised = 0, paid = 0;
        for (int k = 0; k <= 2000; ++k) {
            x << difference(robot, posture, q), v;
            const VectorX<double> u = -K * x;
            if (k == 0) promised = x.dot(P * x);
            paid += x.squaredNorm() + u.squaredNorm();
            v += h * forward_dynamics(robot, q, v, (hold + unit * u).eval());
            q = integrate(robot, q, (h * v).eval());
        }
        std::printf("%6.1f rad/s  %10.3g %10.3g\n", push, promised, paid);
    }
}
