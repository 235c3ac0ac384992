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

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
for recording, colour, label in [(before, "tab:blue", "alone"), (pushed, "tab:red", "pushed"), (after, "tab:blue", None)]:
    load = np.array([sum(c.force[2] for c in contacts) for contacts in recording.contacts])
    left.plot(recording.time, recording.q[:, 1], color=colour, label=label)
    left.plot(recording.time, load / 1000, color=colour, alpha=0.4)
left.set(xlabel="time [s]", ylabel="to the side [m]; pale: load [kN]", title="Pushed to the side with 60 N")
left.legend()
for choice, colour, label in [(up, "tab:blue", "stands"), (~up, "tab:red", "has fallen")]:
    right.scatter(forces[choice, 0], forces[choice, 1], c=colour, label=label, s=14)
right.set(xlabel="force along x [N]", ylabel="force along y [N]", title="A hundred that are pushed", aspect="equal")
right.legend(bbox_to_anchor=(1, 1), loc="upper left")
left.grid(alpha=0.3)
right.grid(alpha=0.3)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "simulate.png", dpi=75)
