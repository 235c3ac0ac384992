// Many states at once: how far a quadruped's legs could be pushed. 10,000 random postures, the torques that
// hold each of them, on all cores; one posture is spoilt on purpose.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

int main() {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Model robot = robots::quadruped();
    constexpr int kStates = 10000;

    Rows q(kStates, robot.nq());
    std::mt19937 generator(1);
    for (int n = 0; n < kStates; ++n) q.row(n) = random_configuration(robot, generator).transpose();
    q(4711, 8) = std::nan("");

    batch::Evaluator<double> evaluator(robot);  // threads: as many as there are cores
    Rows tau(kStates, robot.nv());
    std::vector<batch::Status> status(kStates);
    const long flagged = gravity_torque(evaluator, q, tau, status);

    double largest = 0;
    for (int n = 0; n < kStates; ++n) {
        if (status[n] == batch::Status::kOk) {
            largest = std::max(largest, tau.row(n).tail(12).cwiseAbs().maxCoeff());
        }
    }
    std::printf("%d postures, %ld flagged: posture 4711, %s\n", kStates, flagged,
                name_of(status[4711]));
    std::printf("largest torque at a leg's joint: %.2f N m\n", largest);
    const VectorX<double> alone = gravity_torque(robot, q.row(7).transpose());
    std::printf("posture 7 alone agrees to 1e-12: %s\n",
                (alone.transpose() - tau.row(7)).norm() < 1e-12 * alone.norm() ? "yes" : "no");
}
