// The table: how bodies and frames stand and move.
#pragma once

#include "plucker/algorithms/function.hpp"
#include "plucker/algorithms/jacobian.hpp"

namespace plucker {
namespace table {

// Forward kinematics fills the workspace, for the functions that read it. It has as many rows as levels.
struct PositionKinematics {
    static constexpr Algorithm kAlgorithm{
        .name = "forward_kinematics",
        .says = "stores poses and joint axes in the workspace",
        .source = "Featherstone, Short Course; Supplement, eqs 1–2",
        .inputs = {q},
        .outputs = {},
        .fills_kinematics = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::position_kinematics(ws, ws.kinematics, x.in(0));
    }
};
struct VelocityKinematics {
    static constexpr Algorithm kAlgorithm{
        .name = "forward_kinematics",
        .says = "stores poses, joint axes, velocities and the axes' rates in the workspace",
        .source = "Featherstone, Short Course; Supplement, eqs 1–2",
        .inputs = {q, v},
        .outputs = {},
        .fills_kinematics = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::position_kinematics(ws, ws.kinematics, x.in(0));
        kernel::velocity_kinematics(ws, ws.kinematics, x.in(1));
    }
};
struct AccelerationKinematics {
    static constexpr Algorithm kAlgorithm{
        .name = "forward_kinematics",
        .says =
            "stores poses, joint axes, velocities, the axes' rates and accelerations in the "
            "workspace",
        .source = "Featherstone, Short Course; Supplement, eqs 1–2",
        .inputs = {q, v, a},
        .outputs = {},
        .fills_kinematics = true,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::position_kinematics(ws, ws.kinematics, x.in(0));
        kernel::velocity_kinematics(ws, ws.kinematics, x.in(1));
        kernel::acceleration_kinematics(ws, ws.kinematics, x.in(1), x.in(2));
    }
};

struct Jacobians {
    static constexpr Algorithm kAlgorithm{
        .name = "jacobians",
        .says =
            "the poses of all bodies and all joint axes in the world: columns of every frame's "
            "Jacobian",
        .source = "Supplement, eqs 3–5 and Table I",
        .inputs = {q},
        .outputs = {{"poses", Kind::kBodyPoses}, {"J", Kind::kJacobian}},
        .is_hot = true};
    template <class S>
    struct Result {
        MatrixX<S> poses;
        Matrix6X<S> J;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::world_kinematics(ws, ws.passing_kinematics, x.in(0));
        kernel::give_body_poses(ws, x.outputs[0]);
        kernel::give_joint_axes(ws, ws.passing_kinematics.J, x.outputs[1]);
    }
};
struct JacobiansDot {
    static constexpr Algorithm kAlgorithm{
        .name = "jacobians_dot",
        .says = "the poses of all bodies, and all joint axes in the world with their rates",
        .source = "Supplement, eq. 6 and Table I, corrected",
        .inputs = {q, v},
        .outputs = {{"poses", Kind::kBodyPoses},
                    {"J", Kind::kJacobian},
                    {"J_dot", Kind::kJacobianRate}},
        .is_hot = true};
    template <class S>
    struct Result {
        MatrixX<S> poses;
        Matrix6X<S> J, J_dot;
    };
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::world_kinematics(ws, ws.passing_kinematics, x.in(0));
        kernel::velocity_kinematics(ws, ws.passing_kinematics, x.in(1));
        kernel::give_body_poses(ws, x.outputs[0]);
        kernel::give_joint_axes(ws, ws.passing_kinematics.J, x.outputs[1]);
        kernel::give_joint_axes(ws, ws.passing_kinematics.J_dot, x.outputs[2]);
    }
};

struct FramePose {
    static constexpr Algorithm kAlgorithm{.name = "frame_pose",
                                          .says = "the pose of a frame in the world: [R p]",
                                          .source = "Supplement, eq. 1",
                                          .inputs = {frame},
                                          .outputs = {{"pose", Kind::kPose}},
                                          .kinematics = Kinematics::kPosition,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::frame_pose(ws, x.frame));
    }
};

struct FrameVelocity {
    static constexpr Algorithm kAlgorithm{
        .name = "frame_velocity",
        .says = "the velocity (ω; v) of a frame, in a reference frame",
        .source = "Supplement, eq. 2",
        .inputs = {frame, reference},
        .outputs = {{"velocity", Kind::kMotion}},
        .kinematics = Kinematics::kVelocity,
        .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::frame_velocity(ws, x.frame, x.reference));
    }
};

struct FrameAcceleration {
    static constexpr Algorithm kAlgorithm{.name = "frame_acceleration",
                                          .says =
                                              "the spatial acceleration of a frame: the rate of "
                                              "the velocity field, not of a point's velocity",
                                          .source = "Featherstone, Short Course: acceleration",
                                          .inputs = {frame, reference},
                                          .outputs = {{"acceleration", Kind::kMotion}},
                                          .kinematics = Kinematics::kAcceleration,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::frame_acceleration(ws, x.frame, x.reference));
    }
};

struct FrameClassicalAcceleration {
    static constexpr Algorithm kAlgorithm{.name = "frame_classical_acceleration",
                                          .says =
                                              "the angular and classical acceleration of a frame: "
                                              "what an accelerometer measures, apart from gravity",
                                          .source = "Featherstone, Short Course: acceleration",
                                          .inputs = {frame, reference},
                                          .outputs = {{"acceleration", Kind::kMotion}},
                                          .kinematics = Kinematics::kAcceleration,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        x.give(kernel::frame_classical_acceleration(ws, x.frame, x.reference));
    }
};

struct FrameJacobian {
    static constexpr Algorithm kAlgorithm{.name = "frame_jacobian",
                                          .says = "J with J v = velocity of the frame",
                                          .source = "Supplement, eqs 3–5 and Table I",
                                          .inputs = {frame, reference},
                                          .outputs = {{"J", Kind::kJacobian}},
                                          .kinematics = Kinematics::kPosition,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::frame_jacobian(ws, ws.kinematics, x.frame, x.reference, x.matrix(0));
    }
};

struct FrameJacobianDot {
    static constexpr Algorithm kAlgorithm{.name = "frame_jacobian_dot",
                                          .says = "the rate of frame_jacobian",
                                          .source = "Supplement, eq. 6 and Table I, corrected",
                                          .inputs = {frame, reference},
                                          .outputs = {{"J_dot", Kind::kJacobianRate}},
                                          .kinematics = Kinematics::kVelocity,
                                          .is_hot = true};
    template <class S>
    static void run(Workspace<S>& ws, Operands<S>& x) {
        kernel::frame_jacobian_dot(ws, x.frame, x.reference, x.matrix(0));
    }
};

}  // namespace table

struct ForwardKinematics : Function<table::PositionKinematics>,
                           Function<table::VelocityKinematics>,
                           Function<table::AccelerationKinematics> {
    using Function<table::PositionKinematics>::operator();
    using Function<table::VelocityKinematics>::operator();
    using Function<table::AccelerationKinematics>::operator();
};
// forward_kinematics(workspace, q), (workspace, q, v), (workspace, q, v, a).
inline constexpr ForwardKinematics forward_kinematics;

// What a function that reads the workspace's kinematics needs first.
template <class S, class... States>
void fill_kinematics(Workspace<S>& ws, const States&... states) {
    forward_kinematics(ws, states...);
}

inline constexpr Function<table::Jacobians> jacobians;
inline constexpr Function<table::JacobiansDot> jacobians_dot;
inline constexpr Function<table::FramePose> frame_pose;
inline constexpr Function<table::FrameVelocity> frame_velocity;
inline constexpr Function<table::FrameAcceleration> frame_acceleration;
inline constexpr Function<table::FrameClassicalAcceleration> frame_classical_acceleration;
inline constexpr Function<table::FrameJacobian> frame_jacobian;
inline constexpr Function<table::FrameJacobianDot> frame_jacobian_dot;

}  // namespace plucker
