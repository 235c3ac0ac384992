"""A motion that costs little torque: the arm takes its tool to a point, and PyTorch finds the way.

The unknowns are the joints' accelerations at 40 instants; the torques that they take are one batch of inverse dynamics, whose
gradient is analytic (plucker.torch). Compared with the straight way in joint space to the same posture.

usage: trajectory.py [PICTURE]
"""

import sys

import matplotlib
import numpy as np
import torch

import plucker
import plucker.torch as pt

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

arm = plucker.robots.arm()
STEPS, H = 40, 1.0 / 40
begin = torch.tensor([0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0], dtype=torch.float64)
goal = torch.tensor([0.45, -0.35, 0.35], dtype=torch.float64)


def motion(a: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """q and v after each step, from rest."""
    v = H * torch.cumsum(a, 0)
    return begin + H * torch.cumsum(v, 0), v


def costs(a: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The torques, and how far the end is from the goal, at rest."""
    q, v = motion(a)
    tau = pt.inverse_dynamics(arm, q, v, a)
    miss = torch.cat([pt.frame_position(arm, q[-1], "tool") - goal, 0.1 * v[-1]])
    return tau, miss


a = torch.zeros(STEPS, arm.nv, dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.LBFGS([a], max_iter=100, history_size=50, line_search_fn="strong_wolfe", tolerance_change=1e-14)


def closure() -> float:
    optimizer.zero_grad()
    tau, miss = costs(a)
    loss = tau.square().mean() + weight * miss.square().sum()
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())


# At first torques count most, in the end where the motion leads.
for weight in (1e2, 1e4, 1e6):
    optimizer.step(closure)
tau, miss = costs(a.detach())
q, v = motion(a.detach())

# The straight way: a polynomial of fifth degree from the same start to the same end.
s = np.linspace(0, 1, STEPS + 1)[1:, None]
way = (q[-1] - begin).numpy()
straight = arm.inverse_dynamics(
    begin.numpy() + (10 * s**3 - 15 * s**4 + 6 * s**5) * way, (30 * s**2 - 60 * s**3 + 30 * s**4) * way,
    (60 * s - 180 * s**2 + 120 * s**3) * way,
)

figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained", sharey=True)
for axis, torques, title in zip(axes, (straight, tau.numpy()), ("straight in joint space", "found")):
    for joint in range(4):
        axis.plot(s, torques[:, joint], label=f"joint{joint + 1}")
    axis.set(xlabel="time [s]", title=f"{title}: {np.sqrt(np.mean(torques**2)):.1f} N m in the mean")
    axis.grid(alpha=0.3)
axes[0].set_ylabel("torque [N m]")
axes[0].legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "trajectory.png", dpi=75)

better = float(tau.square().mean()) < 0.9 * np.mean(straight**2)
print("the tool arrives, to 1 mm:", "yes" if float(np.linalg.norm(miss)) < 1e-3 else "no")
print("torques are smaller than on the straight way, by a tenth or more:", "yes" if better else "no")
