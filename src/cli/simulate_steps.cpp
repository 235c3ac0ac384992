#include "simulate_steps.hpp"

#include <algorithm>
#include <cmath>

#include "plucker/simulate/free_motion.hpp"
#include "progress.hpp"

namespace plucker::cli {
namespace {

// Says once that the adaptive integrator's steps are so short that the motion would take hours.
class ShortSteps {
public:
    explicit ShortSteps(double asked) : asked_(asked) {}
    // Called after any number of steps.
    void look_at(const FreeMotion& motion, const Progress& progress) {
        constexpr int kWindow = 20000;
        constexpr double kMostASecond = 1e6;
        if (said_ || motion.num_steps() - steps_ < kWindow) return;
        const double each = (motion.time() - time_) / (motion.num_steps() - steps_);
        steps_ = motion.num_steps();
        time_ = motion.time();
        if (each * kMostASecond > 1 || each > 0.5 * asked_) return;
        said_ = true;
        progress.clear();
        complain(
            "warning: at {:.3g} s the steps that the tolerance needs are {:.1e} s long, {:.1e} of "
            "them a second; for stiff dampers or springs use --integrator euler, which is implicit "
            "in them, otherwise a looser --tolerance\n",
            time_, each, 1 / each);
    }

private:
    double asked_;  // the longest step
    int steps_ = 0;
    double time_ = 0;
    bool said_ = false;
};

// Watches where joints go that nothing stops.
class LimitWatch {
public:
    explicit LimitWatch(const Model& model) {
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            if (body.mimic || body.nv != 1) continue;
            const JointLimits& limits = model.joint(i).limits;
            for (const auto& [limit, side] : {std::pair(limits.lower, -1.0), {limits.upper, 1.0}}) {
                if (std::isfinite(limit))
                    ends_.push_back({body.q_index, side, {model.joint(i).name, limit, 0, 0}});
            }
        }
    }
    void look_at(double time, const VectorX<double>& q) {
        constexpr double kRounding = 1e-9;
        for (End& end : ends_) {
            const double beyond = end.side * (q[end.q_index] - end.passed.limit);
            if (!(beyond > std::max(kRounding, end.passed.most))) continue;
            if (end.passed.most == 0) end.passed.first_time = time;
            end.passed.most = beyond;
        }
    }
    std::vector<PassedLimit> passed() const {
        std::vector<PassedLimit> out;
        for (const End& end : ends_) {
            if (end.passed.most > 0) out.push_back(end.passed);
        }
        return out;
    }

private:
    struct End {
        int q_index;
        double side;
        PassedLimit passed;
    };
    std::vector<End> ends_;
};

long number_of_steps(const SimulateOptions& o) {
    return std::lround(std::ceil(o.duration / o.step - 1e-9));
}

}  // namespace

void simulate_with_contact(const Model& model, const SimulateOptions& o, const World& world,
                           const Beginning& start, const Motors& motors,
                           const std::vector<Push>& pushes, Recorder& recorder, Summary& summary) {
    SimulatorOptions options;
    options.step = o.step;
    options.ignore_overlaps = true;
    Simulator simulator(model, world, options);
    simulator.set_state(start.q, start.v, start.time);
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
    const long steps = number_of_steps(o);
    for (long k = 1; k <= steps; ++k) {
        const double time = simulator.time();
        apply_pushes(pushes, time, simulator.forces());
        motors.set(time, tau);
        const StepReport report = simulator.step(tau);
        ++summary.steps;
        summary.worst = std::max(summary.worst, report.solver.certificate.worst());
        summary.deepest = std::max(summary.deepest, report.deepest);
        summary.beyond_limits = std::max(summary.beyond_limits, report.beyond_limits);
        summary.seconds = static_cast<double>(k) * o.step;
        if (!report.solver.converged && summary.unconverged++ == 0)
            summary.first_unconverged = time;
        if (k % o.every == 0 || k == steps) record(report.solver.certificate.worst());
        progress.show(simulator.time() - start.time);
    }
    progress.clear();
}

void simulate_freely(const Model& model, const SimulateOptions& o, const Beginning& start,
                     const Motors& motors, const std::vector<Push>& pushes, Recorder& recorder,
                     Summary& summary) {
    FreeMotion motion(model, {*integrator_named(o.integrator), o.step, o.tolerance});
    motion.set_state(start.q, start.v, start.time);
    LimitWatch limits(model);
    limits.look_at(start.time, start.q);
    Progress progress(o.duration);
    ShortSteps short_steps(o.step);
    motion.control([&](double time, const VectorX<double>& q_now, const VectorX<double>& v_now,
                       VectorX<double>& tau) {
        motors.set(model, time, q_now, v_now, tau);
        // One of o.step may take millions of the adaptive integrator's.
        progress.show(motion.time() - start.time);
        short_steps.look_at(motion, progress);
    });
    const auto record = [&] {
        VectorX<double> tau(model.nv());
        motors.set(model, motion.time(), motion.q(), motion.v(), tau);
        recorder.add(motion.time(), motion.q(), motion.v(), tau, {}, {}, pushes, {});
    };
    record();
    const long steps = number_of_steps(o);
    for (long k = 1; k <= steps; ++k) {
        apply_pushes(pushes, motion.time(), motion.forces());
        motion.advance_to(start.time + std::min(o.duration, static_cast<double>(k) * o.step));
        limits.look_at(motion.time(), motion.q());
        if (k % o.every == 0 || k == steps) record();
    }
    summary.steps = motion.num_steps();
    summary.seconds = o.duration;
    summary.passed = limits.passed();
    progress.clear();
}

}  // namespace plucker::cli
