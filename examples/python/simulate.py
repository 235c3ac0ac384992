"""A robot that is pushed while it stands, and a hundred of them, each pushed differently: a plot.

usage: simulate.py [PICTURE]
"""

import sys

import matplotlib
import numpy as np

import plucker

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

dog = plucker.robots.quadruped()
q = dog.neutral()
for leg in ("front_left_", "front_right_", "hind_left_", "hind_right_"):
    q[dog.q_index(leg + "hip_flexion")] = 0.8
    q[dog.q_index(leg + "knee")] = -1.6
q[2] = 0.32
world = plucker.World.flat(friction=0.8)

# One of them: it stands, is pushed to the side for a fifth of a second, and stands again.
sim = dog.simulator(world, step=0.005)
sim.set_state(q)
sim.hold(q, 60, 2)
before = sim.run(1)
standing = sim.q
sim.push("trunk", (0, 60, 0))
pushed = sim.run(0.2)
sim.clear_pushes()
after = sim.run(1.8)
print(f"stands at {standing[2]:.2f} m, and again at {sim.q[2]:.2f} m")

# A hundred, pushed in as many ways: (100, 3).
angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
sizes = np.linspace(40, 200, 5)
forces = np.array([(f * np.cos(a), f * np.sin(a), 0) for f in sizes for a in angles])
many = dog.batch_simulator(len(forces), world, step=0.005)
many.set_states(standing)
many.hold(60, 2)
many.aim(q)
many.push("trunk", forces)
many.step(steps=40)
many.clear_pushes()
report = many.step(steps=300)
up = many.q[:, 2] > 0.2
stand = up.reshape(len(sizes), len(angles)).sum(axis=1)
fewer = bool(np.all(np.diff(stand) <= 0))
print(f"pushed with {sizes[0]:.0f} N, {stand[0]} of {len(angles)} stand; the harder, the fewer: {fewer}")
print(f"laws of contact met by all of them: {bool(report.converged.all())}")

figure = plt.figure(figsize=(10, 4), layout="constrained")
axes = figure.subplot_mosaic([["side", "pushes"], ["load", "pushes"]], width_ratios=[1.25, 1])
for recording, colour, label in [(before, "tab:blue", "alone"), (pushed, "tab:red", "pushed"), (after, "tab:blue", None)]:
    load = np.array([sum(c.force[2] for c in contacts) for contacts in recording.contacts])
    axes["side"].plot(recording.time, 100 * recording.q[:, 1], color=colour, label=label)
    axes["load"].plot(recording.time, load, color=colour)
axes["load"].axhline(9.81 * dog.total_mass, color="black", lw=0.8, ls=":", label="its weight")
axes["side"].set(ylabel="to the side [cm]", title="Pushed to the side with 60 N", xticklabels=[])
axes["load"].set(xlabel="time [s]", ylabel="on its feet [N]")
for choice, colour, label in [(up, "tab:blue", "stands"), (~up, "tab:red", "has fallen")]:
    axes["pushes"].scatter(forces[choice, 0], forces[choice, 1], c=colour, label=label, s=18)
axes["pushes"].set(xlabel="force along x [N]", ylabel="force along y [N]", title="A hundred that are pushed", aspect="equal")
for each in axes.values():
    each.legend(loc="upper right")
    each.grid(alpha=0.3)
axes["pushes"].legend(loc="upper left", bbox_to_anchor=(1, 1))
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "simulate.png", dpi=75)
