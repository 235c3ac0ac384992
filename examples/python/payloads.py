"""How sure are the torques, if the load is not known: a Monte-Carlo over payloads, as a force at the tool.

A load of mass m, held at the tool with its centre somewhere about it, is to the arm a force from outside as long as it
moves slowly. 2,000 loads at 50 steps of a path go through one call, by broadcasting.

usage: payloads.py [PICTURE]
"""

import sys

import matplotlib
import numpy as np

import plucker

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

arm = plucker.robots.arm()
generator = np.random.default_rng(1)
LOADS, STEPS = 2_000, 50
mass = generator.normal(2.0, 0.3, LOADS)
centre = generator.normal((0, 0, 0.05), 0.02, (LOADS, 3))  # in the tool's frame

# A slow path between two postures.
begin = np.array([0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0])
way = arm.difference(begin, np.array([0.5, 1.2, -0.3, -1.6, 0.6, 1.4, 0.0]))
along = np.linspace(0, 1, STEPS)
q = arm.integrate(begin, along[:, None] * way)  # (STEPS, nq)

# The weight of each load at each step, along the world's axes at the tool: (STEPS, LOADS, 6).
weight = mass[:, None] * arm.gravity
R = arm.frame_pose(q, "tool")[:, None, :, :3]
arms = (R @ centre[None, :, :, None])[..., 0]
wrench = np.concatenate([np.cross(arms, weight), np.broadcast_to(weight, arms.shape)], axis=-1)
forces = plucker.ExternalForces(arm)
forces.add("tool", wrench, "world_aligned")

rest = np.zeros(arm.nv)
tau = arm.inverse_dynamics(q[:, None], rest, rest, forces)  # (STEPS, LOADS, nv)

figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
for axis, joint in zip(axes, ("joint2", "joint4")):
    torque = tau[..., arm.v_index(joint)]
    for low, high, shade in [(0.5, 99.5, 0.2), (16, 84, 0.45)]:
        band = np.percentile(torque, [low, high], axis=1)
        axis.fill_between(along, *band, color="tab:blue", alpha=shade, lw=0, label=f"{high - low:.0f} % of the loads")
    axis.plot(along, np.median(torque, axis=1), "k", label="median")
    axis.plot(along, arm.gravity_torque(q)[:, arm.v_index(joint)], "k:", label="without a load")
    axis.set(xlabel="along the path", ylabel="torque [N m]", title=joint)
    axis.grid(alpha=0.3)
axes[0].legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "payloads.png", dpi=75)

torque = np.abs(tau[..., arm.v_index("joint2")])
print(f"{torque.size} states; joint2 needs at most {torque.max():.1f} N m, {np.median(torque, axis=1).max():.1f} N m in the median")
