"""Where an arm's tool can be, and how well it moves there: 200,000 postures in one call each, as a picture.

usage: reachability.py [PICTURE]
"""

import sys

import matplotlib
import numpy as np

import plucker

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

arm = plucker.robots.arm()
q = arm.random_configurations(200_000, seed=1)
tool = arm.frame_pose(q, "tool")[..., 3]
J = arm.frame_jacobian(q, "tool", "world_aligned")[:, 3:]
# The product of the semi-axes of the ellipsoid of velocities that joint speeds of size one can give.
manipulability = np.sqrt(np.linalg.det(J @ J.transpose(0, 2, 1)).clip(min=0))

radius, height = np.hypot(tool[:, 0], tool[:, 1]), tool[:, 2]
figure, (left, right) = plt.subplots(1, 2, figsize=(8.5, 4.8), layout="constrained", sharex=True, sharey=True)
_, _, _, counts = left.hist2d(radius, height, bins=160, cmap="Blues", cmin=1)
figure.colorbar(counts, ax=left, label="postures")
cells = right.hexbin(radius, height, manipulability, gridsize=90, reduce_C_function=np.max, cmap="viridis")
figure.colorbar(cells, ax=right, label="largest manipulability")
left.set(title="Where the tool can be", ylabel="height [m]")
right.set(title="How well it moves there")
for axes in (left, right):
    axes.set(xlabel="distance from the axis of joint1 [m]", aspect="equal")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "reachability.png", dpi=75)

print(f"{len(q)} postures; the tool reaches {radius.max():.2f} m from the axis, and {height.max():.2f} m high")
