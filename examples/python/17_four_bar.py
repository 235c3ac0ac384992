"""A closed loop: a four-bar linkage, cut open into a tree and tied together again by a constraint."""

import numpy as np

import plucker


def bar(length: float) -> plucker.MassProperties:
    return plucker.MassProperties.box(2 * length, (length, 0.04, 0.04), (length / 2, 0, 0))


# The tree: crank and coupler on one side, the rocker on the other. The pin is a hinge about y: turning about y stays free. In
# the plane two of the five other axes would do; redundant ones do no harm.
y = (0, 1, 0)
robot = (
    plucker.Builder("four_bar")
    .link("ground")
    .body("ground", plucker.revolute("crank_joint", y), "crank", bar(0.3))
    .body("crank", plucker.revolute("coupler_joint", y).at((0.3, 0, 0)), "coupler", bar(0.9))
    .body("ground", plucker.revolute("rocker_joint", y).at((0.8, 0, 0)), "rocker", bar(0.6))
    .constraint(
        plucker.weld("pin", "coupler", "rocker", (0.9, 0, 0), (0.6, 0, 0), axes=[True, False, True, True, True, True])
    )
    .build()
)
print(f"{robot.nv} joints, {robot.num_constraint_rows} equations")

# From a rough guess, with the crank where it is to be: upright.
q = robot.close_loops([-1.57, 1.3, -1.0], held=["crank_joint"])
print("closed at {:.3f} {:.3f} {:.3f}".format(*q))

# The crank turns at 2 rad/s; the others follow.
jacobian = robot.constraint_jacobian(q)
others = np.linalg.lstsq(jacobian[:, 1:], -2 * jacobian[:, 0], rcond=None)[0]
v = np.array([2, *others])
print("velocities {:.3f} {:.3f} {:.3f}".format(*v))

# A torque at the crank: what moves, and what the pin has to hold. The last three equations are along the rocker's axes.
a, force = robot.constrained_forward_dynamics(q, v, [3, 0, 0])
print("accelerations {:.2f} {:.2f} {:.2f}".format(*a))
pushed = robot.frame_pose(q, "rocker")[:, :3] @ force[2:]
print(f"the pin pushes the coupler with {pushed[0]:.2f} N along x, {pushed[2]:.2f} N along z")
print(f"and does work at {abs(force @ jacobian @ v):.1f} W")
