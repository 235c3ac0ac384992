"""Many states at once: how far a quadruped's legs could be pushed. 10,000 random postures, the torques that
hold each of them, on all cores; one posture is spoilt on purpose."""

import numpy as np

import plucker

robot = plucker.robots.quadruped()
STATES = 10_000
q = robot.random_configurations(STATES, seed=1)
q[4711, 8] = np.nan

status = np.empty(STATES, np.uint8)
tau = robot.gravity_torque(q, status=status)

good = status == plucker.Status.OK
print(f"{STATES} postures, {np.count_nonzero(~good)} flagged: posture 4711, {plucker.Status(status[4711])!s}")
print(f"largest torque at a leg's joint: {np.abs(tau[good, 6:]).max():.2f} N m")
alone = robot.gravity_torque(q[7])
agrees = np.linalg.norm(alone - tau[7]) < 1e-12 * np.linalg.norm(alone)
print("posture 7 alone agrees to 1e-12:", "yes" if agrees else "no")
