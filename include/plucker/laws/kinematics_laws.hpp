// Laws of velocities, Jacobians and momenta.
#pragma once

#include "plucker/algorithms/centroidal_momentum.hpp"
#include "plucker/algorithms/gravity_torque.hpp"
#include "plucker/algorithms/jacobian.hpp"
#include "plucker/algorithms/reaction_forces.hpp"
#include "plucker/laws/along_motion.hpp"

namespace plucker::laws {

// A few frames, spread over the robot, the last one included.
inline std::vector<FrameId> some_frames(const Model& model) {
    constexpr int kMost = 6;
    const int n = static_cast<int>(model.frames().size());
    std::vector<FrameId> out;
    for (int k = 0; k < std::min(n, kMost); ++k) {
        out.push_back(model.frame_id(n - 1 - k * n / std::min(n, kMost)));
    }
    return out;
}

// The robot's weight, summed up in S: the model's own sum is rounded to double.
template <class S>
Vec3<S> weight_of(const Model& model) {
    S mass = S(0);
    for (const Body<double>& body : model.bodies()) mass += S(body.inertia.mass);
    return mass * cast<S>(model.gravity());
}

template <class S>
void check_frames(const Model& model, const State<S>& s, Report<S>& report) {
    using Moving = Dual<S>;
    const State<Moving> next = moving(model, s);
    Workspace<S> ws(model);
    Workspace<Moving> ws_next(model);
    forward_kinematics(ws, s.q, s.v, s.a);
    forward_kinematics(ws_next, next.q, next.v);
    for (const FrameId frame : some_frames(model)) {
        for (const auto reference :
             {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned}) {
            Matrix6X<S> J(6, model.nv());
            Matrix6X<S> J_dot(6, model.nv());
            Matrix6X<Moving> J_next(6, model.nv());
            frame_jacobian(ws, frame, reference, J);
            frame_jacobian_rate(ws, frame, reference, J_dot);
            frame_jacobian(ws_next, frame, reference, J_next);
            const Vector6<S> velocity = to_eigen(frame_velocity(ws, frame, reference));
            // Along the world's axes but moving with the frame, the rate of the velocity is classical.
            const Vector6<S> acceleration =
                to_eigen(reference == ReferenceFrame::kWorldAligned
                             ? frame_classical_acceleration(ws, frame, reference)
                             : frame_acceleration(ws, frame, reference));
            const double speeds = max_magnitude(J) * max_magnitude(s.v);
            const double scale = speeds * max_magnitude(s.v) +
                                 max_magnitude(J) * max_magnitude(s.a) +
                                 max_magnitude(J_dot) * max_magnitude(s.v);
            report.equal("J v = velocity", (J * s.v).eval(), velocity, speeds);
            report.equal("J̇ is the rate of J", J_dot, rate_of(J_next), speeds);
            report.equal("J̇ v + J a = acceleration", (J_dot * s.v + J * s.a).eval(), acceleration,
                         scale);
            report.equal("acceleration is the rate of velocity", acceleration,
                         rate_of(to_eigen(frame_velocity(ws_next, frame, reference))), scale);
        }
        // The pose's own rate: ṗ, and Ṙ = ω× R.
        const Motion<S> v = frame_velocity(ws, frame, ReferenceFrame::kWorldAligned);
        const Pose<Moving> pose = frame_pose(ws_next, frame);
        report.equal("velocity is the rate of the pose", rate_of(to_eigen(pose.position)),
                     to_eigen(v.linear));
        report.equal("velocity is the rate of the pose", rate_of(to_eigen(pose.rotation)),
                     to_eigen(skew(v.angular) * frame_pose(ws, frame).rotation));
    }
}

template <class S>
void check_center_of_mass(const Model& model, const State<S>& s, Report<S>& report) {
    const State<Dual<S>> next = moving(model, s);
    // The whole robot, and the subtree of the middle body if it has mass.
    const int middle = (model.num_bodies() + 1) / 2;
    double mass = 0;
    for (int i = middle; i < model.body(middle).subtree_end; ++i)
        mass += model.body(i).inertia.mass;
    for (const int root : {0, mass > 0 ? middle : 0}) {
        const MatrixX<S> J = com_jacobian(model, s.q, root);
        const MatrixX<S> J_dot = com_jacobian_rate(model, s.q, s.v, root);
        const Vector3<S> velocity = com_velocity(model, s.q, s.v, root);
        const Vector3<S> acceleration = com_acceleration(model, s.q, s.v, s.a, root);
        const double speeds = max_magnitude(J) * max_magnitude(s.v);
        const double scale = speeds * max_magnitude(s.v) + max_magnitude(J) * max_magnitude(s.a) +
                             max_magnitude(J_dot) * max_magnitude(s.v);
        report.equal("J_com v = velocity of the centre of mass", (J * s.v).eval(), velocity,
                     speeds);
        report.equal("J̇_com is the rate of J_com", J_dot,
                     rate_of(com_jacobian(model, next.q, root)), speeds);
        report.equal("J̇_com v + J_com a = its acceleration", (J_dot * s.v + J * s.a).eval(),
                     acceleration, scale);
        report.equal("velocity is the rate of the centre of mass", velocity,
                     rate_of(center_of_mass(model, next.q, root)), speeds);
        report.equal("acceleration is the rate of its velocity", acceleration,
                     rate_of(com_velocity(model, next.q, next.v, root)), scale);
    }
    const VectorX<S> weight = to_eigen(weight_of<S>(model));
    report.equal("G = -J_comᵀ m g", gravity_torque(model, s.q),
                 (-com_jacobian(model, s.q).transpose() * weight).eval(), max_magnitude(weight));
}

template <class S>
void check_momentum(const Model& model, const State<S>& s, Report<S>& report) {
    const State<Dual<S>> next = moving(model, s);
    const MatrixX<S> A = centroidal_momentum_matrix(model, s.q);
    const MatrixX<S> A_dot = centroidal_momentum_matrix_rate(model, s.q, s.v);
    const Vector6<S> h = to_eigen(centroidal_momentum(model, s.q, s.v));
    const Force<S> h_dot = centroidal_momentum_rate(model, s.q, s.v, s.a);
    const double size = max_magnitude(A) * max_magnitude(s.v);
    const double scale = size * max_magnitude(s.v) + max_magnitude(A) * max_magnitude(s.a) +
                         max_magnitude(A_dot) * max_magnitude(s.v);
    report.equal("A_G v = centroidal momentum", (A * s.v).eval(), h, size);
    report.equal("Ȧ_G is the rate of A_G", A_dot,
                 rate_of(centroidal_momentum_matrix(model, next.q)), size);
    report.equal("Ȧ_G v + A_G a = rate of momentum", (A_dot * s.v + A * s.a).eval(),
                 to_eigen(h_dot), scale);
    report.equal("the rate of momentum is its derivative", to_eigen(h_dot),
                 rate_of(to_eigen(centroidal_momentum(model, next.q, next.v))), scale);

    // Newton and Euler for the whole robot: only the ground and gravity change its momentum.
    const auto forces = reaction_forces(model, s.q, s.v, s.a);
    const Vec3<S> com = to_vec3(center_of_mass(model, s.q));
    const Force<S> ground = Transform<S>::translation(com) * forces[0];
    const Force<S> weight{{}, weight_of<S>(model)};
    report.equal("rate of momentum = ground force + weight", to_eigen(h_dot),
                 to_eigen(ground + weight), scale + max_magnitude(to_eigen(forces[0])));
}

}  // namespace plucker::laws
