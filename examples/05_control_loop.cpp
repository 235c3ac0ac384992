// A controller at 1 kHz: computed torque on a seven-joint arm, and the arm itself, simulated. All memory
// is made before the loop; nothing in the loop allocates.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

int main() {
    const Model arm = robots::arm();
    Workspace<double> ws(arm);  // one per thread
    VectorX<double> q(arm.nq()), goal(arm.nq());
    q << 0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0;
    goal << 0.5, 0.4, -0.3, -1.2, 0.6, 1.0, 0.0;
    VectorX<double> v = VectorX<double>::Zero(arm.nv());
    VectorX<double> a(arm.nv()), tau(arm.nv()), error(arm.nv()), step(arm.nv());
    const double begin = difference(arm, q, goal).norm();

    // The error is to vanish like that of a critically damped spring with frequency w.
    constexpr double kStep = 1e-3;
    constexpr double w = 8;
    std::printf("  time    error    ideal  largest torque\n");
    try {
        for (int k = 0; k <= 1000; ++k) {
            // The controller: the acceleration we want, and the torques that cause it.
            difference(ws, q, goal, error);
            a = w * w * error - 2 * w * v;
            inverse_dynamics(ws, q, v, a, tau);
            if (k % 200 == 0) {
                const double t = k * kStep;
                std::printf("%4.1f s  %7.3f  %7.3f  %10.1f N m\n", t, error.norm(),
                            begin * (1 + w * t) * std::exp(-w * t), tau.cwiseAbs().maxCoeff());
            }
            // The robot: what the torques do to it in a millisecond.
            forward_dynamics(ws, q, v, tau, a);
            v += kStep * a;
            step = kStep * v;
            integrate(ws, q, step, q);
        }
    } catch (const Error& problem) {
        // Nothing here can be wrong but a size or a singular robot. A real loop stops the motors.
        std::printf("stopped: %s\n", problem.what());
        return 1;
    }
}
