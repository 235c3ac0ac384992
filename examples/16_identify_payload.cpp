// What does the arm carry? Its load from a log of its motion, with intervals.
#include <cmath>
#include <cstdio>

#include <plucker/identify/excite.hpp>
#include <plucker/identify/identify.hpp>
#include <plucker/plucker.hpp>

using namespace plucker;

// Noise that every machine makes alike: digits of a sine, from -1 to 1.
double noise(long k) {
    const double x = 43758.5453 * std::sin(static_cast<double>(k));
    return 2 * (x - std::floor(x)) - 1;
}

int main() {
    // A motion that shows all there is to see, within the joints' limits.
    const Model arm = robots::arm();
    const Excitation motion = excite(arm, {.duration = 10, .trials = 50});
    std::printf("condition number below 100: %s\n", motion.condition_number < 100 ? "yes" : "no");

    // The real arm carries a box of 2 kg. Torques are measured, with noise.
    const Model real =
        with_payload(arm, "tool", MassProperties::box(2, {0.1, 0.06, 0.2}, {0.01, -0.02, 0.1}));
    MotionLog log = motion.log;
    log.tau = predict_torques(real, log);
    for (long k = 0; k < log.tau.size(); ++k) log.tau(k) += 0.05 * noise(k);

    // We only guess that it carries something: a ball of 1 kg at the tool. How wrong that is, is not known either.
    const Model guess = with_payload(arm, "tool", MassProperties::sphere(1, 0.05));
    const Identified found =
        identify(guess, log, {.prior = 1, .friction = false, .links = {"payload"}});
    for (const IdentifiedParameter& x : found.parameters) {
        if (x.prior == 0 || x.name.find(".I") != std::string::npos) continue;
        std::printf("%-10s %5.2f, guessed %4.2f; within %s\n", x.name.c_str(), x.value, x.before,
                    x.deviation < 0.01 ? "a hundredth" : "more");
    }

    // The robot that was found is a model like any other.
    const VectorX<double> before = root_mean_squares(log.tau - found.torques_before);
    const VectorX<double> after = root_mean_squares(log.tau - found.torques_after);
    std::printf("unexplained torque: %.1f N m before, %.2f N m after\n", before.maxCoeff(),
                after.maxCoeff());
}
