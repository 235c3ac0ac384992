// Laws of energy, power and work.
#pragma once

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/dynamics_laws.hpp"
#include "plucker/laws/kinematics_laws.hpp"

namespace plucker::laws {

template <class S>
S total_energy(const Model& model, const VectorX<S>& q, const VectorX<S>& v) {
    return kinetic_energy(model, q, v) + potential_energy(model, q);
}

// A force on a frame, and the size of what it asks of the joints.
template <class S>
struct Push {
    FrameId frame;
    ReferenceFrame expressed_in;
    Force<S> force;
    VectorX<double> torques;
};

// On a few frames, in all three sorts of coordinates. As large as the forces of the robot's own motion: the mass,
// once around in six seconds at its radius of gyration.
template <class S>
std::vector<Push<S>> some_pushes(const Model& model, const Sizes& sizes) {
    const double mass = sizes.mass() > 0 ? sizes.mass() : 1;
    const double radius = sizes.gyration() > 0 ? sizes.gyration() : 1;
    const Vec3<S> angular = S(mass * radius * radius) * Vec3<S>{S(0.3), S(-0.2), S(0.5)};
    const Vec3<S> linear = S(mass * radius) * Vec3<S>{S(2), S(-1), S(3)};
    std::vector<Push<S>> out;
    for (const FrameId frame : some_frames(model)) {
        for (const ReferenceFrame reference : kReferenceFrames) {
            out.push_back({frame,
                           reference,
                           {angular, linear},
                           sizes.torques_of(frame, {length(angular), length(linear)}, reference)});
        }
    }
    return out;
}

namespace law {

inline constexpr const char* kHeight = "potential energy = -m g · centre of mass";
inline constexpr const char* kPushed =
    "forward dynamics undoes inverse dynamics under external forces";
inline constexpr const char* kEnergy = "energy is conserved in free motion";
inline constexpr const char* kFreeMomentum = "only gravity changes a free robot's momentum";

}  // namespace law

template <class S>
void check_energy(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const VectorX<double> torques = sizes.torques(v_size, magnitudes(s.a));
    const S kinetic = kinetic_energy(model, s.q, s.v);
    report.equal("½ vᵀ M v = kinetic energy",
                 S(S(0.5) * sum_of_products(s.v, mass_matrix(model, s.q) * s.v)), kinetic,
                 sum_of_products(v_size, sizes.mass_matrix() * v_size));
    if (model.total_mass() > 0) {
        const Vec3<S> weight = weight_of<S>(model);
        report.equal(law::kHeight, potential_energy(model, s.q),
                     S(-dot(weight, to_vec3(center_of_mass(model, s.q)))),
                     length(weight) * (sizes.anchor() + sizes.centroid()));
    } else {
        report.not_checked(std::array{law::kHeight}, law::kNoMass);
    }

    // External forces enter as Jᵀ f.
    const std::vector<Push<S>> pushes = some_pushes<S>(model, sizes);
    const VectorX<S> tau = inverse_dynamics(model, s.q, s.v, s.a);
    ExternalForces<S> external(model);
    VectorX<double> pushed_size = torques;
    for (const Push<S>& push : pushes) {
        external.clear();
        external.add(push.frame, push.force, push.expressed_in);
        const MatrixX<S> J =
            frame_jacobian(model, s.q, model.frame(push.frame).name, push.expressed_in);
        report.equal("an external force f takes Jᵀ f from the torques",
                     inverse_dynamics(model, s.q, s.v, s.a, &external),
                     tau - transposed(J) * to_eigen(push.force), torques + push.torques);
        report.equal("power of an external force = f · J v",
                     mechanical_power(model, s.q, s.v, s.tau, &external),
                     S(mechanical_power(model, s.q, s.v, s.tau) +
                       sum_of_products(transposed(J) * to_eigen(push.force), s.v)),
                     sum_of_products(v_size, magnitudes(s.tau) + torques + push.torques));
        pushed_size += push.torques;
    }
    external.clear();
    for (const Push<S>& push : pushes) external.add(push.frame, push.force, push.expressed_in);
    const VectorX<S> pushed = inverse_dynamics(model, s.q, s.v, s.a, &external);
    const State<Dual<S>> next = moving(model, s);
    const Dual<S> energy = total_energy(model, next.q, next.v);
    report.equal("rate of energy = power of torques and forces", energy.derivative,
                 mechanical_power(model, s.q, s.v, pushed, &external),
                 sum_of_products(v_size, pushed_size));
    if (const Regularity M = regularity_of_mass_matrix(model, s, report); !M.regular()) {
        report.not_checked(std::array{law::kPushed}, M.obstacle);
        return;
    }
    const VectorX<S> a = forward_dynamics(model, s.q, s.v, pushed, &external);
    pushed_size += sizes.torques(v_size, magnitudes(a));
    report.equal(law::kPushed, inverse_dynamics(model, s.q, s.v, a, &external), pushed,
                 pushed_size);
}

// Left alone, without friction, a robot keeps its energy, and one that floats its momentum.
template <class S>
void check_free_motion(const Model& model, const State<S>& s, Report<S>& report) {
    if (const Regularity M = regularity_of_mass_matrix(model, s, report); !M.regular()) {
        report.not_checked(std::array{law::kEnergy}, M.obstacle);
        if (model.has_floating_base())
            report.not_checked(std::array{law::kFreeMomentum}, M.obstacle);
        return;
    }
    State<S> free = s;
    free.tau = friction_torque(model, s.v);
    free.a = forward_dynamics(model, free.q, free.v, free.tau);
    const Dual<S> energy = [&] {
        const State<Dual<S>> next = moving(model, free);
        return total_energy(model, next.q, next.v);
    }();
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const VectorX<double> a_size = magnitudes(free.a);
    report.equal(law::kEnergy, energy.derivative, S(0),
                 sum_of_products(v_size, sizes.torques(v_size, a_size)));
    if (!model.has_floating_base()) return;
    const Force<S> rate = centroidal_momentum_dot(model, free.q, free.v, free.a);
    const Force<S> weight{{}, weight_of<S>(model)};
    const ForceSize size = sizes.forces(v_size, a_size)[0];
    report.equal(law::kFreeMomentum, to_eigen(rate), to_eigen(weight),
                 six_of({size.angular + sizes.centroid() * size.linear, size.linear}));
}

// The force across a joint works only through the joint's own torque: the rest is a constraint force.
template <class S>
void check_constraint_forces(const Model& model, const State<S>& s, Report<S>& report) {
    Workspace<S> ws(model);
    VectorX<S> tau(model.nv());
    forward_kinematics(ws, s.q, s.v);
    kernel::inverse_dynamics_with_forces<S>(ws, s.q.data(), s.v.data(), s.a.data(), nullptr,
                                            tau.data());
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const VectorX<double> a_size = magnitudes(s.a);
    const std::vector<MotionSize> velocities = sizes.velocities(v_size);
    const std::vector<ForceSize> forces = sizes.forces(v_size, a_size);
    S work_of_joints = S(0);
    double scale = sum_of_products(v_size, sizes.torques(v_size, a_size));
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Motion<S>& v_i = ws.kinematics.v[i];
        const Motion<S> v_J = ws.kinematics.X[i] * (v_i - ws.kinematics.v[model.body(i).parent]);
        work_of_joints += dot(v_J, ws.bodies.f[i]);
        const auto at = static_cast<std::size_t>(i);
        scale +=
            velocities[at].angular * forces[at].angular + velocities[at].linear * forces[at].linear;
    }
    VectorX<S> rotor_and_friction = friction_torque(model, s.v);
    for (int k = 0; k < model.nv(); ++k) rotor_and_friction[k] += S(model.armature()[k]) * s.a[k];
    report.equal("constraint forces do no work", work_of_joints,
                 S(sum_of_products(tau - rotor_and_friction, s.v)), scale);
}

}  // namespace plucker::laws
