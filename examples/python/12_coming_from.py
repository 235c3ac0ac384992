"""A state that was logged with Pinocchio or MuJoCo, taken over; and results given back in their coordinates."""

from typing import Any

import numpy as np

import plucker
from plucker import MassProperties, revolute


def show(what: str, numbers: Any) -> None:
    print(f"{what:<30}", *(f"{0 if abs(x) < 0.005 else x:6.2f}" for x in numbers))


# A cart that floats, with a wheel that turns without limits and a mast; the wheel is declared first.
mast = revolute("mast", (1, 0, 0)).at((0, 0, 0.1)).with_limits(-1, 1)
robot = (
    plucker.Builder("rover")
    .base("floating")
    .link("cart", MassProperties.box(8, (0.6, 0.4, 0.2)))
    .body("cart", revolute("wheel", (0, 1, 0)).at((0.2, 0, -0.1)), "rim", MassProperties.cylinder(1, 0.1, 0.05))
    .body("cart", mast, "pole", MassProperties.box(1, (0.1, 0.1, 1), (0, 0, 0.5)))
    .build()
)
pinocchio, mujoco = robot.coordinates("pinocchio"), robot.coordinates("mujoco")
# Siblings stand in the order of their names in Pinocchio, and a wheel is (cos, sin) there.
print(*(name + "," for name in pinocchio.q_names), " in Pinocchio", sep="")

# The cart, turned by a quarter about z, drives along its own x at 2 m/s and turns at 1 rad/s.
qpos = [0, 0, 1, np.sqrt(0.5), 0, 0, np.sqrt(0.5), 0.3, 0.1]  # wxyz; then wheel, mast
qvel = [0, 2, 0, 0, 0, 1, 20, 0]  # along the world's axes; then about its own
q, v = robot.from_mujoco_state(qpos, qvel)
their_q, their_v = robot.to_pinocchio_order(q, v)
show("v here: angular, linear", v)
show("v in Pinocchio", their_v)
show("q in Pinocchio", their_q)

# No torque at all: what would mj_forward say?
a = robot.forward_dynamics(q, v, np.zeros(robot.nv))
show("acceleration here", a)
show("qacc in MuJoCo", mujoco.export_a(q, v, a))
# v' = T v, and because power is the same in both, M' = T M Tᵀ.
T = np.array([mujoco.export_v(q, column) for column in np.eye(robot.nv)]).T
show("diagonal of MuJoCo's M", np.diag(T @ robot.mass_matrix(q) @ T.T))
