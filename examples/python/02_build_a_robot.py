"""Writes down a small crane: a turning post, a boom that tilts, and a jib that slides out of the boom."""

import plucker
from plucker import MassProperties, fixed, prismatic, revolute


def crane() -> plucker.Builder:
    # Each body() is a link and the joint that carries it: parent, joint, name, mass. The joint's place is
    # given in the parent link; the link's own frame sits at the joint.
    return (
        plucker.Builder("crane")
        .link("ground")
        .body("ground", revolute("slew", (0, 0, 1)), "post", MassProperties.cylinder(400, 0.2, 3, (0, 0, 1.5)))
        .body(
            "post",
            revolute("luff", (0, -1, 0)).at((0, 0, 3)).with_damping(50),
            "boom",
            MassProperties.box(150, (5, 0.3, 0.3), (2.5, 0, 0)),
        )
        .body(
            "boom",
            prismatic("reach", (1, 0, 0)).at((5, 0, 0)).with_limits(0, 4),
            "jib",
            MassProperties.box(60, (4, 0.2, 0.2), (-2, 0, 0)),
        )
        .frame("hook", "jib", (0, 0, -0.3))
    )


robot = crane().build()
print(f"{robot.name}: {robot.total_mass:.0f} kg")
for i, (joint, body) in enumerate(zip(robot.joints, robot.body_names), start=1):
    print(f"  joint {i}, {joint.name:<5} {joint.type:<9} carries {body}")

# Coordinates are looked up by the joint's name, not counted by hand.
q = robot.neutral()
q[robot.q_index("luff")] = 0.5
q[robot.q_index("reach")] = 2.0
hook = robot.frame_pose(q, "hook")[:, 3]
tau = robot.gravity_torque(q)
print(f"hook at x = {hook[0]:.3f} m, z = {hook[2]:.3f} m")
print(f"to hold it still: luff {tau[robot.v_index('luff')]:.1f} N m, reach {tau[robot.v_index('reach')]:.1f} N")

# Mistakes are refused, with the value, the place, and what would be right.
for parent, mass in [("jibb", 20), ("jib", -20)]:
    try:
        crane().body(parent, fixed("bolt"), "load", MassProperties.point(mass)).build()
    except plucker.Error as error:
        print("refused:", error)
