// Laws of velocities, Jacobians and momenta.
#pragma once

#include <array>

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/along_motion.hpp"
#include "plucker/laws/sizes.hpp"

namespace plucker::laws {

inline constexpr std::array kReferenceFrames{ReferenceFrame::kBody, ReferenceFrame::kWorld,
                                             ReferenceFrame::kWorldAligned};

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
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const VectorX<double> a_size = magnitudes(s.a);
    Workspace<S> ws(model);
    Workspace<Moving> ws_next(model);
    forward_kinematics(ws, s.q, s.v, s.a);
    forward_kinematics(ws_next, next.q, next.v);
    for (const FrameId frame : some_frames(model)) {
        for (const auto reference : kReferenceFrames) {
            MatrixX<S> J(6, model.nv());
            MatrixX<S> J_dot(6, model.nv());
            MatrixX<Moving> J_next(6, model.nv());
            frame_jacobian(ws, frame, reference, J);
            frame_jacobian_dot(ws, frame, reference, J_dot);
            frame_jacobian(ws_next, frame, reference, J_next);
            const Vector6<S> velocity = to_eigen(frame_velocity(ws, frame, reference));
            // Along the world's axes but moving with the frame, the rate of the velocity is classical.
            const Vector6<S> acceleration =
                to_eigen(reference == ReferenceFrame::kWorldAligned
                             ? frame_classical_acceleration(ws, frame, reference)
                             : frame_acceleration(ws, frame, reference));
            const MatrixX<double> J_size = sizes.jacobian(frame, reference);
            const MatrixX<double> J_dot_size = sizes.jacobian_rate(frame, reference, v_size);
            const VectorX<double> velocity_size = J_size * v_size;
            const VectorX<double> acceleration_size = J_size * a_size + J_dot_size * v_size;
            report.equal("J v = velocity", J * s.v, velocity, velocity_size);
            report.equal("J̇ is the rate of J", J_dot, rate_of(J_next), J_dot_size);
            report.equal("J̇ v + J a = acceleration", J_dot * s.v + J * s.a, acceleration,
                         acceleration_size);
            report.equal("acceleration is the rate of velocity", acceleration,
                         rate_of(to_eigen(frame_velocity(ws_next, frame, reference))),
                         acceleration_size);
        }
        // The pose's own rate: ṗ, and Ṙ = ω× R.
        const Motion<S> v = frame_velocity(ws, frame, ReferenceFrame::kWorldAligned);
        const VectorX<double> size = sizes.jacobian(frame, ReferenceFrame::kWorldAligned) * v_size;
        const Pose<Moving> pose = frame_pose(ws_next, frame);
        report.equal("velocity is the rate of the pose", rate_of(to_eigen(pose.position)),
                     to_eigen(v.linear), rows_of(size, 3, 3));
        report.equal("velocity is the rate of the pose", rate_of(to_eigen(pose.rotation)),
                     to_eigen(skew(v.angular) * frame_pose(ws, frame).rotation),
                     filled<double>(3, 3, size[0]));
    }
}

// All bodies' poses and axes at once. The axes of a body are what its Jacobian has more than that of the body before it.
template <class S>
void check_all_jacobians(const Model& model, const State<S>& s, Report<S>& report) {
    const Sizes sizes(model, s.q);
    const auto all = jacobians_dot(model, s.q, s.v);
    const auto axes = jacobians(model, s.q);
    Workspace<S> ws(model);
    forward_kinematics(ws, s.q, s.v);
    const long n = model.nv();
    MatrixX<S> J = zeros<S>(6, n), J_dot = J, of_frame = J;
    MatrixX<double> J_size = zeros<double>(6, n), J_dot_size = J_size;
    const auto add = [&](int body, double sign) {
        if (body == 0) return;
        const FrameId frame = model.body_frame(body);
        frame_jacobian(ws, frame, ReferenceFrame::kWorld, of_frame);
        J += S(sign) * of_frame;
        frame_jacobian_dot(ws, frame, ReferenceFrame::kWorld, of_frame);
        J_dot += S(sign) * of_frame;
        J_size += sizes.jacobian(frame, ReferenceFrame::kWorld);
        J_dot_size += sizes.jacobian_rate(frame, ReferenceFrame::kWorld, magnitudes(s.v));
    };
    for (int i = 1; i <= model.num_bodies(); ++i) {
        add(i, 1);
        add(model.body(i).parent, -1);
        MatrixX<S> body(3, 4);  // row by row
        for (int k = 0; k < 12; ++k) body(k / 4, k % 4) = axes.poses(i - 1, k);
        const Frame& frame = model.frame(model.body_frame(i));
        const Pose<S> pose = frame_pose(ws, model.body_frame(i));
        const Pose<S> on_body = to_pose(cast<S>(frame.X_frame_body));
        const MatrixX<S> R = columns_of(body, 0, 3);
        const MatrixX<S> p = columns_of(body, 3, 1) + R * to_eigen(on_body.position);
        const double size = sizes.anchor() + length(pose.position) + length(on_body.position);
        report.equal("all poses are those of the frames", p, to_eigen(pose.position),
                     filled<double>(3, size));
        report.equal("all poses are those of the frames", R * to_eigen(on_body.rotation),
                     to_eigen(pose.rotation), filled<double>(3, 3, 1));
    }
    report.equal("all axes are those of the frames' Jacobians", axes.J, J, J_size);
    report.equal("all axes are those of the frames' Jacobians", all.J, J, J_size);
    report.equal("their rates are those of the Jacobians' rates", all.J_dot, J_dot, J_dot_size);
}

namespace law {

inline constexpr const char* kCenter = "centre of mass = mean of the bodies' centres";
inline constexpr const char* kCenterVelocity = "J_com v = velocity of the centre of mass";
inline constexpr const char* kCenterJacobianRate = "J̇_com is the rate of J_com";
inline constexpr const char* kCenterAcceleration = "J̇_com v + J_com a = its acceleration";
inline constexpr const char* kCenterRate = "velocity is the rate of the centre of mass";
inline constexpr const char* kCenterVelocityRate = "acceleration is the rate of its velocity";
inline constexpr const char* kWeight = "G = -J_comᵀ m g";
inline constexpr const char* kMomentum = "A_G v = centroidal momentum";
inline constexpr const char* kMomentumMatrixRate = "Ȧ_G is the rate of A_G";
inline constexpr const char* kMomentumRate = "Ȧ_G v + A_G a = rate of momentum";
inline constexpr const char* kMomentumDerivative = "the rate of momentum is its derivative";
inline constexpr const char* kNewtonEuler = "rate of momentum = ground force + weight";
// Without mass there is no centre of mass.
inline constexpr std::array kOfCenterOfMass{kCenter,
                                            kCenterVelocity,
                                            kCenterJacobianRate,
                                            kCenterAcceleration,
                                            kCenterRate,
                                            kCenterVelocityRate,
                                            kWeight};
inline constexpr std::array kOfMomentum{kMomentum, kMomentumMatrixRate, kMomentumRate,
                                        kMomentumDerivative, kNewtonEuler};
inline constexpr const char* kNoMass = "nothing that moves has mass";

}  // namespace law

// The whole robot, and the subtrees of a few bodies, as far as they have mass.
inline std::vector<int> some_subtrees(const Model& model) {
    const int n = model.num_bodies();
    std::vector<int> out{0};
    for (const int body : {1, (n + 1) / 2, n}) {
        if (model.body(body).subtree_mass > 0) out.push_back(body);
    }
    return out;
}

// The centre of mass of a subtree, from where its bodies are.
template <class S>
Vec3<S> mean_of_centers(const Workspace<S>& ws, int root) {
    Vec3<S> moment{};
    S mass = S(0);
    const int end = root == 0 ? ws.num_bodies() + 1 : ws.body(root).subtree_end;
    for (int i = std::max(root, 1); i < end; ++i) {
        const Inertia<S> I = cast<S>(ws.model().body(i).inertia);
        const Transform<S>& X = ws.kinematics.X[static_cast<std::size_t>(i)];
        moment += transpose_times(X.E, I.first_moment) + I.mass * X.r;
        mass += I.mass;
    }
    return ws.kinematics.anchor + (S(1) / mass) * moment;
}

template <class S>
void check_center_of_mass(const Model& model, const State<S>& s, Report<S>& report) {
    if (!(model.total_mass() > 0)) {
        report.not_checked(law::kOfCenterOfMass, law::kNoMass);
        return;
    }
    const State<Dual<S>> next = moving(model, s);
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    Workspace<S> ws(model);
    forward_kinematics(ws, s.q);
    for (const int root : some_subtrees(model)) {
        const MatrixX<S> J = com_jacobian(model, s.q, root);
        const MatrixX<S> J_dot = com_jacobian_dot(model, s.q, s.v, root);
        const Vector3<S> velocity = com_velocity(model, s.q, s.v, root);
        const Vector3<S> acceleration = com_acceleration(model, s.q, s.v, s.a, root);
        const double mass = sizes.mass(root);
        const MatrixX<double> J_size = rows_of(sizes.momentum_matrix(root), 3, 3) / mass;
        const MatrixX<double> J_dot_size =
            rows_of(sizes.momentum_matrix_rate(v_size, root), 3, 3) / mass;
        const VectorX<double> velocity_size = J_size * v_size;
        const VectorX<double> acceleration_size = J_size * magnitudes(s.a) + J_dot_size * v_size;
        report.equal(law::kCenter, center_of_mass(model, s.q, root),
                     to_eigen(mean_of_centers(ws, root)),
                     filled<double>(3, sizes.anchor() + sizes.centroid(root)));
        report.equal(law::kCenterVelocity, J * s.v, velocity, velocity_size);
        report.equal(law::kCenterJacobianRate, J_dot, rate_of(com_jacobian(model, next.q, root)),
                     J_dot_size);
        report.equal(law::kCenterAcceleration, J_dot * s.v + J * s.a, acceleration,
                     acceleration_size);
        report.equal(law::kCenterRate, velocity, rate_of(center_of_mass(model, next.q, root)),
                     velocity_size);
        report.equal(law::kCenterVelocityRate, acceleration,
                     rate_of(com_velocity(model, next.q, next.v, root)), acceleration_size);
    }
    const VectorX<S> weight = to_eigen(weight_of<S>(model));
    report.equal(law::kWeight, gravity_torque(model, s.q),
                 -transposed(com_jacobian(model, s.q)) * weight, sizes.gravity_torques());
}

template <class S>
void check_momentum(const Model& model, const State<S>& s, Report<S>& report) {
    if (!(model.total_mass() > 0)) {
        report.not_checked(law::kOfMomentum, law::kNoMass);
        return;
    }
    const State<Dual<S>> next = moving(model, s);
    const MatrixX<S> A = centroidal_momentum_matrix(model, s.q);
    const MatrixX<S> A_dot = centroidal_momentum_matrix_dot(model, s.q, s.v);
    const Vector6<S> h = to_eigen(centroidal_momentum(model, s.q, s.v));
    const Force<S> h_dot = centroidal_momentum_dot(model, s.q, s.v, s.a);

    // About the centre of mass, which moves.
    const Sizes sizes(model, s.q);
    const VectorX<double> v_size = magnitudes(s.v);
    const double c = sizes.centroid();
    MatrixX<double> A_size = sizes.momentum_matrix();
    MatrixX<double> A_dot_size = sizes.momentum_matrix_rate(v_size);
    const double c_dot = (A_size * v_size)[3] / sizes.mass();
    const auto add_moments = [](double distance, const MatrixX<double>& of, MatrixX<double>& to) {
        for (long k = 0; k < of.cols(); ++k) {
            for (int r = 0; r < 3; ++r) to(r, k) += distance * of(r + 3, k);
        }
    };
    add_moments(c, A_dot_size, A_dot_size);
    add_moments(c_dot, A_size, A_dot_size);
    add_moments(c, A_size, A_size);
    const VectorX<double> h_size = A_size * v_size;
    const VectorX<double> h_dot_size = A_dot_size * v_size + A_size * magnitudes(s.a);
    report.equal(law::kMomentum, A * s.v, h, h_size);
    report.equal(law::kMomentumMatrixRate, A_dot,
                 rate_of(centroidal_momentum_matrix(model, next.q)), A_dot_size);
    report.equal(law::kMomentumRate, A_dot * s.v + A * s.a, to_eigen(h_dot), h_dot_size);
    report.equal(law::kMomentumDerivative, to_eigen(h_dot),
                 rate_of(to_eigen(centroidal_momentum(model, next.q, next.v))), h_dot_size);

    // Newton and Euler for the whole robot: only the ground and gravity change its momentum.
    const auto forces = reaction_forces(model, s.q, s.v, s.a);
    const Vec3<S> com = to_vec3(center_of_mass(model, s.q));
    const Force<S> ground = Transform<S>::translation(com) * forces[0];
    const Force<S> weight{{}, weight_of<S>(model)};
    // The ground's force comes about the world's origin, and goes to the centre of mass.
    const ForceSize ground_size = sizes.forces(v_size, magnitudes(s.a))[0];
    report.equal(law::kNewtonEuler, to_eigen(h_dot), to_eigen(ground + weight),
                 six_of({ground_size.angular + (2 * sizes.anchor() + c) * ground_size.linear,
                         ground_size.linear}));
}

}  // namespace plucker::laws
