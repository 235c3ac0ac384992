"""Inverse kinematics by Newton's method, in two lines a step. The error is a motion: what takes the tool to its goal in one unit
of time. The Jacobian's columns are what each joint does about that."""

from typing import Any

import numpy as np

import plucker


def from_to(tool: Any, goal: Any) -> Any:
    """From where the tool stands to the goal, along the world's axes: the turn, and the way."""
    R = goal[:, :3] @ tool[:, :3].T
    twice_sine = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    angle = np.arctan2(np.linalg.norm(twice_sine), np.trace(R) - 1)
    turn = twice_sine * (angle / np.linalg.norm(twice_sine))
    return np.concatenate([turn, goal[:, 3] - tool[:, 3]])


arm = plucker.robots.arm()
q = np.array([0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0])
goal = arm.frame_pose(np.array([0.4, 0.5, -0.2, -1.1, 0.3, 0.9, 0.1]), "tool")
for k in range(6):
    error = from_to(arm.frame_pose(q, "tool"), goal)
    way, turn = np.linalg.norm(error[3:]), np.linalg.norm(error[:3])
    print(f"step {k}: the tool is {way:9.1e} m and {turn:9.1e} rad off")
    # The step: the smallest one that does away with the error.
    J = arm.frame_jacobian(q, "tool", reference="world_aligned")
    q = arm.integrate(q, np.linalg.lstsq(J, error, rcond=None)[0])
