"""Computed torque on an arm whose load the controller does not know, and the error that this leaves: a plot.

usage: computed_torque.py [PICTURE]
"""

import sys

import matplotlib
import numpy as np
import numpy.typing as npt

import plucker

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

arm = plucker.robots.arm()
q0 = np.array([0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0])
goal = np.array([0.5, 0.4, -0.3, -1.2, 0.6, 1.0, 0.0])
Array = npt.NDArray[np.float64]
STEP, w = 1e-3, 8.0
time = np.arange(0, 1.5, STEP)


def follow(robot: plucker.Robot) -> tuple[Array, Array]:
    """The path of a robot that is controlled by the arm's equations: its error and torques."""
    q, v = q0.copy(), np.zeros(robot.nv)
    errors, torques = [], []
    for _ in time:
        error = arm.difference(q, goal)
        tau = arm.inverse_dynamics(q, v, w * w * error - 2 * w * v)
        v += STEP * robot.forward_dynamics(q, v, tau)
        q = robot.integrate(q, STEP * v)
        errors.append(error)
        torques.append(tau)
    return np.array(errors), np.array(torques)


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
for load, colour in [(0.0, "tab:blue"), (1.0, "tab:orange"), (2.0, "tab:red")]:
    robot = arm.with_payload("tool", plucker.MassProperties.point(load)) if load else arm
    errors, torques = follow(robot)
    size = np.linalg.norm(errors, axis=1)
    left.semilogy(time, size, color=colour, label=f"{load:.0f} kg at the tool")
    right.plot(time, torques[:, 1], color=colour)
    print(f"{load:.0f} kg that the controller does not know: the error ends at {size[-1]:.3f} rad")
begin = np.linalg.norm(arm.difference(q0, goal))
left.semilogy(time, begin * (1 + w * time) * np.exp(-w * time), "k:", label="critically damped, the ideal")
left.set(xlabel="time [s]", ylabel="error [rad]", title="Computed torque: what an unknown load leaves")
left.legend()
right.set(xlabel="time [s]", ylabel="torque of joint2 [N m]", title="What the controller asks for")
for axes in (left, right):
    axes.grid(alpha=0.3)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "computed_torque.png", dpi=75)
