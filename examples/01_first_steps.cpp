#include <iomanip>
#include <iostream>
#include <plucker/plucker.hpp>

int main() {
    const plucker::Model robot = plucker::robots::double_pendulum();
    const Eigen::Vector2d q{0.5, -1.0}, v{0.3, 0.8}, a{1.0, 2.0};  // shoulder, elbow
    const Eigen::VectorXd tau = plucker::inverse_dynamics(robot, q, v, a);

    std::cout << std::fixed << std::setprecision(3) << robot.name() << ", " << robot.nv()
              << " degrees of freedom\n"
              << "torques for these accelerations: " << tau.transpose() << "\n"
              << "accelerations for these torques: "
              << plucker::forward_dynamics(robot, q, v, tau).transpose() << "\n"
              << "mass matrix:\n"
              << plucker::mass_matrix(robot, q) << "\n";
}
