"""A controller at 1 kHz: computed torque on a seven-joint arm, and the arm itself, simulated."""

import numpy as np

import plucker

arm = plucker.robots.arm()
q = np.array([0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0])
goal = np.array([0.5, 0.4, -0.3, -1.2, 0.6, 1.0, 0.0])
v = np.zeros(arm.nv)
begin = np.linalg.norm(arm.difference(q, goal))

# The error is to vanish like that of a critically damped spring with frequency w.
STEP, w = 1e-3, 8
print("  time    error    ideal  largest torque")
for k in range(1001):
    # The controller: the acceleration we want, and the torques that cause it.
    error = arm.difference(q, goal)
    tau = arm.inverse_dynamics(q, v, w * w * error - 2 * w * v)
    if k % 200 == 0:
        t = k * STEP
        ideal = begin * (1 + w * t) * np.exp(-w * t)
        print(f"{t:4.1f} s  {np.linalg.norm(error):7.3f}  {ideal:7.3f}  {np.abs(tau).max():10.1f} N m")
    # The robot: what the torques do to it in a millisecond.
    v += STEP * arm.forward_dynamics(q, v, tau)
    q = arm.integrate(q, STEP * v)
