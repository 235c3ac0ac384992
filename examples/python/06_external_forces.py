"""Somebody pushes a foot of an exoskeleton that is held in the air by its pelvis, without moving it."""

from typing import Any

import numpy as np

import plucker


def show(what: str, a: Any, unit: str) -> None:
    x, y, z = (0.0 if abs(number) < 1e-9 else number for number in a)
    print(f"{what:<36} {x:8.2f} {y:8.2f} {z:8.2f} {unit}")


robot = plucker.robots.exoskeleton()
q = robot.neutral()
q[robot.q_index("left_hip_flexion")] = -0.3
q[robot.q_index("left_knee")] = 0.8
rest = np.zeros(robot.nv)

# 50 N backwards and 20 N up, at the centre of the sole, along the world's axes.
push = np.array([-50, 0, 20])
wrench = [0, 0, 0, *push]
pushed = plucker.ExternalForces(robot)
pushed.add("left_foot", wrench, "world_aligned")
# The same force in world coordinates, where its moment is about the world's origin.
sole = robot.frame_pose(q, "left_foot")[:, 3]
pushed_in_world = plucker.ExternalForces(robot)
pushed_in_world.add("left_foot", [*np.cross(sole, push), *push], "world")

alone = robot.inverse_dynamics(q, rest, rest)
tau = robot.inverse_dynamics(q, rest, rest, pushed)
same = robot.inverse_dynamics(q, rest, rest, pushed_in_world)
print("both ways agree:", "yes" if np.allclose(tau, same, atol=1e-10) else "no")
for joint in ("left_hip_flexion", "left_knee", "left_ankle"):
    k = robot.v_index(joint)
    print(f"{joint:<17} {alone[k]:6.2f} N m alone, {tau[k]:6.2f} N m when pushed")
# The push takes its share Jᵀ f from the torques, and that is all it does.
share = robot.frame_jacobian(q, "left_foot", "world_aligned").T @ wrench
print("alone - pushed = Jᵀ f:", "yes" if np.allclose(alone - tau, share, atol=1e-10) else "no")

# What the joints transmit: forces[i] on body i, in its link's frame; forces[0] on the whole robot.
forces = robot.reaction_forces(q, rest, rest, pushed)
knee = forces[robot.body_index("left_shank")]
show("the knee's bearing: force", knee[3:], "N")
show("the knee: moment (y is its torque)", knee[:3], "N m")
show("who holds the robot: force", forces[0, 3:], "N")
show("its weight and the push", robot.total_mass * robot.gravity + push, "N")
