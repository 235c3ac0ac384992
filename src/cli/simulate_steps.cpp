#include "simulate_steps.hpp"

#include <algorithm>
#include <cmath>

#include "plucker/simulate/free_motion.hpp"
#include "progress.hpp"

namespace plucker::cli {

void simulate_with_contact(const Model& model, const SimulateOptions& o, const World& world,
                           const Beginning& start, const Motors& motors,
                           const std::vector<Push>& pushes, Recorder& recorder, Summary& summary) {
    SimulatorOptions options;
    options.step = o.step;
    options.ignore_overlaps = true;
    Simulator simulator(model, world, options);
    simulator.set_state(start.q, start.v);
    for (const auto& [a, b] : simulator.overlaps()) {
        complain(
            "note: links '{}' and '{}' overlap where the robot begins: they are let through each "
            "other\n",
            a, b);
    }
    if (motors.hold) simulator.hold(motors.q, motors.kp, motors.kd);
    VectorX<double> tau(model.nv());
    motors.set(simulator.time(), tau);
    const auto record = [&](std::optional<double> residual) {
        recorder.add(simulator.time(), simulator.q(), simulator.v(),
                     tau + simulator.holding_torque(), simulator.contacts(), simulator.shapes(),
                     pushes, residual);
    };
    record({});
    Progress progress(o.duration);
    const long steps = std::lround(std::ceil(o.duration / o.step - 1e-9));
    for (long k = 1; k <= steps; ++k) {
        const double time = simulator.time();
        apply_pushes(pushes, time, simulator.forces());
        motors.set(time, tau);
        const StepReport report = simulator.step(tau);
        ++summary.steps;
        summary.worst = std::max(summary.worst, report.solver.certificate.worst());
        summary.deepest = std::max(summary.deepest, report.deepest);
        if (!report.solver.converged && summary.unconverged++ == 0)
            summary.first_unconverged = time;
        if (k % o.every == 0 || k == steps) record(report.solver.certificate.worst());
        progress.show(simulator.time());
    }
    progress.clear();
}

void simulate_freely(const Model& model, const SimulateOptions& o, const Beginning& start,
                     const Motors& motors, const std::vector<Push>& pushes, Recorder& recorder,
                     Summary& summary) {
    FreeMotion motion(model, {*integrator_named(o.integrator), o.step, o.tolerance});
    motion.set_state(start.q, start.v);
    motion.control([&](double time, const VectorX<double>& q_now, const VectorX<double>& v_now,
                       VectorX<double>& tau) { motors.set(model, time, q_now, v_now, tau); });
    const auto record = [&] {
        VectorX<double> tau(model.nv());
        motors.set(model, motion.time(), motion.q(), motion.v(), tau);
        recorder.add(motion.time(), motion.q(), motion.v(), tau, {}, {}, pushes, {});
    };
    record();
    Progress progress(o.duration);
    const long steps = std::lround(std::ceil(o.duration / o.step - 1e-9));
    for (long k = 1; k <= steps; ++k) {
        apply_pushes(pushes, motion.time(), motion.forces());
        motion.advance_to(std::min(o.duration, static_cast<double>(k) * o.step));
        if (k % o.every == 0 || k == steps) record();
        progress.show(motion.time());
    }
    summary.steps = motion.num_steps();
    progress.clear();
}

}  // namespace plucker::cli
