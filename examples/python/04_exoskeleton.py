"""The walking exoskeleton of Soliman and Ugurlu: feet, centre of mass, C and G, floating-base dynamics."""

from typing import Any

import numpy as np

import plucker


def show(what: str, numbers: Any) -> None:
    print(f"{what:<38}", *(f"{0.0 if abs(x) < 0.005 else x:6.2f}" for x in numbers))


robot = plucker.robots.exoskeleton()
# The pelvis is upright and at rest; the left leg is nearly straight, the right one swings forward.
q, v = robot.neutral(), np.zeros(robot.nv)
for joint, position, velocity in [
    ("left_hip_flexion", -0.1, 0.2),
    ("left_knee", 0.2, -0.1),
    ("right_hip_flexion", -0.4, -1.5),
    ("right_knee", 0.7, 0.8),
]:
    q[robot.q_index(joint)] = position
    v[robot.v_index(joint)] = velocity

# Jacobians and their rates: velocity is J v, acceleration J a + J_dot v. Rows: angular, linear.
for foot in ("left_foot", "right_foot"):
    print(foot)
    show("  position [m]", robot.frame_pose(q, foot)[:, 3])
    show("  J v [rad/s, m/s]", robot.frame_jacobian(q, foot, "world_aligned") @ v)
    show("  J_dot v [rad/s^2, m/s^2]", robot.frame_jacobian_dot(q, v, foot, "world_aligned") @ v)
print(f"centre of mass of {robot.total_mass:.1f} kg")
show("  position [m]", robot.center_of_mass(q))
show("  J v [m/s]", robot.com_jacobian(q) @ v)
show("  J_dot v [m/s^2]", robot.com_jacobian_dot(q, v) @ v)

# Modified Newton-Euler: the Coriolis matrix and the gravity torque, separately.
C, G = robot.modified_newton_euler(q, v)
print("torques of the right leg [N m]: hip adduction, hip flexion, knee, ankle")
show("  C v", (C @ v)[-4:])
show("  G", G[-4:])

# In the air nothing holds the base: given the joints' accelerations, it moves as it must.
flight = robot.floating_base_inverse_dynamics(q, v, np.zeros(robot.nv))
print("in flight, joints at constant speed")
show("  base acceleration (angular, linear)", flight.a[:6])
show("  torques of the right leg", flight.tau[-4:])
