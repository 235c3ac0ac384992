#include "integrators.hpp"

#include <fmt/core.h>

#include <cmath>

#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "plucker/simulate/simulator.hpp"

namespace plucker::bench {
namespace {

using nlohmann::json;

// The humanoid, hung up by its pelvis: nothing rubs, nothing stops a joint.
Model hanging_humanoid() {
    Description d = with_friction(with_base(robots::humanoid(), Base::kFixed), false).description();
    for (LinkDescription& link : d.links) link.collisions.clear();
    for (JointDescription& joint : d.joints) joint.limits = {};
    return Model(d);
}

struct Start {
    VectorX<double> q, v;
};
// Everything hangs: the waist is bent by half a turn, and the arms turned back by as much. Legs and arms swing to and fro,
// and all joints a little.
Start gentle_start(const Model& model) {
    Start out{VectorX<double>::Zero(model.nq()), VectorX<double>::Zero(model.nv())};
    for (int k = 0; k < model.nv(); ++k) out.v[k] = 0.2 * std::sin(1.0 + k);
    out.q[model.q_index("waist_pitch")] = M_PI;
    for (const auto& [side, sign] : {std::pair{"left_", 1.0}, std::pair{"right_", -1.0}}) {
        const std::string shoulder = std::string(side) + "shoulder_pitch";
        out.q[model.q_index(shoulder)] = M_PI;
        out.v[model.v_index(shoulder)] = sign;
        out.v[model.v_index(std::string(side) + "hip_pitch")] = 1.5 * sign;
    }
    return out;
}

double energy(FreeMotion& m) { return m.kinetic_energy() + m.potential_energy(); }

// The course of the energy, and how much of it moved between kinetic and potential.
json energy_course(const Model& model, const Start& start, const FreeMotion::Options& options,
                   double duration) {
    FreeMotion motion(model, options);
    motion.set_state(start.q, start.v);
    const double initial = energy(motion);
    double least = motion.kinetic_energy(), most = least, drift = 0;
    std::vector<double> times, errors;
    constexpr int kPoints = 200;
    for (int k = 1; k <= kPoints; ++k) {
        double worst = 0;
        const double end = duration * k / kPoints;
        while (motion.time() < end - 0.5 * options.step) {
            if (options.integrator == Integrator::kAdaptive) {
                motion.advance_to(end);
            } else {
                motion.step();
            }
            least = std::min(least, motion.kinetic_energy());
            most = std::max(most, motion.kinetic_energy());
            worst = std::max(worst, std::abs(energy(motion) - initial));
        }
        drift = std::max(drift, worst);
        times.push_back(motion.time());
        errors.push_back(worst);
    }
    return {{"integrator", name_of(options.integrator)},
            {"step", options.step},
            {"tolerance", options.tolerance},
            {"time", times},
            {"error", errors},
            {"exchanged", most - least},
            {"drift", drift / (most - least)},
            {"steps", motion.num_steps()}};
}

double distance(const VectorX<double>& a, const VectorX<double>& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace

json show_integrators() {
    const Model model = hanging_humanoid();
    const Start start = gentle_start(model);
    json out;

    fmt::print("\nhanging humanoid, swinging gently: energy over 100 s\n");
    fmt::print("  {:<14}{:>10}{:>26}{:>22}\n", "", "step", "energy exchanged [J]",
               "error / exchanged");
    for (const FreeMotion::Options& options :
         {FreeMotion::Options{.integrator = Integrator::kRk4, .step = 1e-3},
          FreeMotion::Options{.integrator = Integrator::kAdaptive, .tolerance = 1e-9},
          FreeMotion::Options{.integrator = Integrator::kSymplectic, .step = 5e-3}}) {
        const json course = energy_course(model, start, options, 100);
        fmt::print("  {:<14}{:>10}{:>26.4f}{:>22.2e}\n", name_of(options.integrator),
                   options.integrator == Integrator::kAdaptive
                       ? fmt::format("{:.0e}", options.tolerance)
                       : fmt::format("{} ms", options.step * 1e3),
                   course["exchanged"].get<double>(), course["drift"].get<double>());
        out["energy"].push_back(course);
    }

    // Against the adaptive pair at a tolerance beyond all of these.
    constexpr double kDuration = 2;
    FreeMotion reference(model, {.integrator = Integrator::kAdaptive, .tolerance = 1e-13});
    reference.set_state(start.q, start.v);
    reference.advance_to(kDuration);
    fmt::print("\nthe same: angles after {} s, largest error [rad]\n", kDuration);
    const auto add = [&](const char* name, double step, double error, int evaluations) {
        fmt::print("  {:<14}{:>10.1e}{:>14.2e}{:>10} evaluations\n", name, step, error,
                   evaluations);
        out["error"].push_back(
            {{"integrator", name}, {"step", step}, {"error", error}, {"evaluations", evaluations}});
    };
    for (const double h : {2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4}) {
        Simulator euler(model, {}, {.step = h});
        euler.set_state(start.q, start.v);
        const long steps = std::lround(kDuration / h);
        for (long k = 0; k < steps; ++k) euler.step();
        add("euler", h, distance(euler.q(), reference.q()), static_cast<int>(steps));
        for (const Integrator integrator : {Integrator::kSymplectic, Integrator::kRk4}) {
            FreeMotion motion(model, {.integrator = integrator, .step = h});
            motion.set_state(start.q, start.v);
            for (long k = 0; k < steps; ++k) motion.step();
            add(name_of(integrator), h, distance(motion.q(), reference.q()),
                static_cast<int>(steps) * (integrator == Integrator::kRk4 ? 4 : 1));
        }
    }
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
        FreeMotion motion(model, {.integrator = Integrator::kAdaptive, .tolerance = tolerance});
        motion.set_state(start.q, start.v);
        motion.advance_to(kDuration);
        add("adaptive", kDuration / motion.num_steps(), distance(motion.q(), reference.q()),
            6 * (motion.num_steps() + motion.num_rejected()));
    }
    return out;
}

}  // namespace plucker::bench
