"""A robot as a program: code made for one robot, in milliseconds, and the same calls as before."""

import numpy as np

import plucker

# A humanoid's numbers do not change from call to call: what they make needless is left out once.
plain = plucker.robots.humanoid()
robot = plain.compile(["inverse_dynamics", "forward_dynamics", "mass_matrix"])
for f in robot.compiled_functions:
    print(f"{f.name:<17} {f.asked:5d} operations asked for, {f.operations:4d} left")

# Nothing changes for the caller. Frames and forces of the one robot fit the other.
q = robot.random_configurations(1, seed=1)[0]
v, tau = np.linspace(-1, 1, robot.nv), np.linspace(2, -2, robot.nv)
a = robot.forward_dynamics(q, v, tau)
back = robot.inverse_dynamics(q, v, a)
print("torques come back:", "yes" if np.linalg.norm(back - tau) < 1e-9 * np.linalg.norm(tau) else "no")
apart = np.linalg.norm(a - plain.forward_dynamics(q, v, tau)) / np.linalg.norm(a)
print("as without compiling, but for rounding:", "yes" if apart < 1e-11 else "no")
