// Laws of energy, power and work.
#pragma once

#include "plucker/algorithms/energy.hpp"
#include "plucker/algorithms/forward_dynamics.hpp"
#include "plucker/algorithms/gravity_torque.hpp"
#include "plucker/algorithms/inverse_mass_matrix.hpp"
#include "plucker/laws/kinematics_laws.hpp"

namespace plucker::laws {

template <class S>
S total_energy(const Model& model, const VectorX<S>& q, const VectorX<S>& v) {
    return kinetic_energy(model, q, v) + potential_energy(model, q);
}

template <class S>
void check_energy(const Model& model, const State<S>& s, Report<S>& report) {
    const S kinetic = kinetic_energy(model, s.q, s.v);
    report.equal("½ vᵀ M v = kinetic energy", S(S(0.5) * s.v.dot(mass_matrix(model, s.q) * s.v)),
                 kinetic);

    // Power balance, with forces from outside in all three sorts of coordinates.
    ExternalForces<S> external(model);
    const Force<S> push{{S(0.3), S(-0.2), S(0.5)}, {S(2), S(-1), S(3)}};
    const auto frames = some_frames(model);
    for (std::size_t k = 0; k < frames.size(); ++k) {
        external.add(frames[k], push, static_cast<ReferenceFrame>(k % 3));
    }
    const VectorX<S> tau = inverse_dynamics(model, s.q, s.v, s.a, &external);
    const State<Dual<S>> next = moving(model, s);
    const Dual<S> energy = total_energy(model, next.q, next.v);
    report.equal("rate of energy = power of torques and forces", energy.derivative,
                 mechanical_power(model, s.q, s.v, tau, &external),
                 max_magnitude(tau) * max_magnitude(s.v) +
                     static_cast<double>(magnitude(kinetic)) * max_magnitude(s.v));

    // External forces enter as Jᵀ f, in all three sorts of coordinates.
    for (const FrameId frame : frames) {
        for (const auto reference :
             {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned}) {
            external.clear();
            external.add(frame, push, reference);
            const MatrixX<S> J = frame_jacobian(model, s.q, model.frame(frame).name, reference);
            const VectorX<S> with = inverse_dynamics(model, s.q, s.v, s.a, &external);
            const VectorX<S> without = inverse_dynamics(model, s.q, s.v, s.a);
            report.equal("an external force f takes Jᵀ f from the torques", with,
                         (without - J.transpose() * to_eigen(push)).eval());
        }
    }
    external.clear();
    external.add(frames.front(), push, ReferenceFrame::kWorldAligned);
    const VectorX<S> pushed = inverse_dynamics(model, s.q, s.v, s.a, &external);
    report.equal("forward dynamics undoes inverse dynamics under external forces",
                 forward_dynamics(model, s.q, s.v, pushed, &external), s.a,
                 max_magnitude(inverse_mass_matrix(model, s.q)) *
                     (max_magnitude(pushed) + max_magnitude(bias_torque(model, s.q, s.v))));
}

// Left alone, without friction, a robot keeps its energy, and one that floats its momentum.
template <class S>
void check_free_motion(const Model& model, const State<S>& s, Report<S>& report) {
    State<S> free = s;
    free.tau = friction_torque(model, s.v);
    free.a = forward_dynamics(model, free.q, free.v, free.tau);
    const Dual<S> energy = [&] {
        const State<Dual<S>> next = moving(model, free);
        return total_energy(model, next.q, next.v);
    }();
    const double scale = max_magnitude(mass_matrix(model, s.q)) *
                             (max_magnitude(free.a) + max_magnitude(s.v) * max_magnitude(s.v)) *
                             max_magnitude(s.v) +
                         max_magnitude(gravity_torque(model, s.q)) * max_magnitude(s.v);
    report.equal("energy is conserved in free motion", energy.derivative, S(0), scale);
    if (!model.has_floating_base()) return;
    const Force<S> rate = centroidal_momentum_rate(model, free.q, free.v, free.a);
    const Force<S> weight{{}, weight_of<S>(model)};
    const MatrixX<S> A = centroidal_momentum_matrix(model, s.q);
    report.equal(
        "only gravity changes a free robot's momentum", to_eigen(rate), to_eigen(weight),
        max_magnitude(A) * (max_magnitude(free.a) + max_magnitude(s.v) * max_magnitude(s.v)));
}

// The force across a joint works only through the joint's own torque: the rest is a constraint force.
template <class S>
void check_constraint_forces(const Model& model, const State<S>& s, Report<S>& report) {
    Workspace<S> ws(model);
    VectorX<S> tau(model.nv());
    forward_kinematics(ws, s.q, s.v);
    kernel::inverse_dynamics_with_forces<S>(ws, s.q.data(), s.v.data(), s.a.data(), nullptr,
                                            tau.data());
    S work_of_joints = S(0);
    double scale = 0;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Motion<S>& v_i = ws.kinematics.v[i];
        const Motion<S> v_J = ws.kinematics.X[i] * (v_i - ws.kinematics.v[model.body(i).parent]);
        work_of_joints += dot(v_J, ws.f[i]);
        scale = std::max(scale, max_magnitude(to_eigen(ws.kinematics.X[i] * v_i)) *
                                    max_magnitude(to_eigen(ws.f[i])));
    }
    VectorX<S> rotor_and_friction = friction_torque(model, s.v);
    for (int k = 0; k < model.nv(); ++k) rotor_and_friction[k] += S(model.armature()[k]) * s.a[k];
    report.equal("constraint forces do no work", work_of_joints,
                 S((tau - rotor_and_friction).dot(s.v)), scale * model.num_bodies());
}

}  // namespace plucker::laws
