""" "Forward Dynamics with Spatial Vectors": the jumping lamp of Fig. 1, in three ways that must agree."""

from typing import Any

import numpy as np

import plucker


def show(what: str, numbers: Any) -> None:
    print(f"{what:<24}", *(f"{x:10.3f}" for x in numbers))


lamp = plucker.robots.lamp()
# Eq. 4: the base's x, y and angle, and the two joint angles. The lamp has just left the ground.
q = np.array([0.0, 0.1, 0.2, -0.6, 0.9])
v = np.array([0.5, 2.0, -0.4, 1.0, -2.0])
# Eq. 5: motors turn the joints; nothing drives the base.
Q = np.array([0.0, 0.0, 0.0, 0.10, -0.05])

# Section 2, step 1, eq. 9: C is the force of a motion without acceleration.
C = lamp.inverse_dynamics(q, v, np.zeros(lamp.nv))
# Step 2, eq. 11: column i of H is what a unit acceleration of coordinate i adds. All columns in one call.
H = (lamp.inverse_dynamics(q, v, np.eye(lamp.nv)) - C).T
# Step 3, eq. 6: solve H a = Q - C.
a = np.linalg.solve(H, Q - C)

# The same two steps in one call, with H from composite bodies; and without any matrix.
by_mass_matrix = lamp.forward_dynamics_by_mass_matrix(q, v, Q)
by_articulated_bodies = lamp.forward_dynamics(q, v, Q)

print(" " * 24, *(f"{name:>10}" for name in lamp.velocity_names))
show("C", C)
show("H column by column", a)
show("H by composite bodies", by_mass_matrix)
show("articulated bodies", by_articulated_bodies)
apart = max(np.linalg.norm(a - by_mass_matrix), np.linalg.norm(a - by_articulated_bodies))
print("they agree to 1e-10:", "yes" if apart < 1e-10 else "no")

# In flight the centre of mass only falls, whatever the joints do.
print(f"centre of mass accelerates with {lamp.com_acceleration(q, v, a)[1]:.2f} m/s^2 along y")
