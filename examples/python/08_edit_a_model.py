"""New robots from old ones: attach a gripper to an arm, lock joints, put it all on a floating base."""

import plucker
from plucker import MassProperties, prismatic


def show(what: str, robot: plucker.Robot) -> None:
    print(f"{what:<26} nq {robot.nq:2d}, nv {robot.nv:2d}, {robot.total_mass:5.2f} kg moving")


# Two fingers that open together: the right one follows the left.
finger = MassProperties.box(0.05, (0.02, 0.01, 0.06), (0, 0, 0.03))
gripper = (
    plucker.Builder("gripper")
    .link("palm", MassProperties.box(0.5, (0.06, 0.16, 0.06), (0, 0, 0.03)))
    .body("palm", prismatic("left", (0, 1, 0)).at((0, 0, 0.06)).with_limits(0, 0.04), "left_finger", finger)
    .body("palm", prismatic("right", (0, -1, 0)).at((0, 0, 0.06)).mimicking("left"), "right_finger", finger)
    .frame("grasp", "palm", (0, 0, 0.11))
    .build()
)

arm = plucker.robots.arm()
show("arm", arm)
# The palm is fixed to the frame "tool"; the gripper's names get a prefix.
equipped = arm.attach("tool", gripper, prefix="gripper_")
show("arm with gripper", equipped)
# A locked joint is a fixed one: its links merge, and every link remains as a frame.
locked = equipped.lock_joints({"joint1": 0, "joint3": 0, "joint5": 0, "joint7": 0})
show("four joints locked", locked)
# The pedestal stood on the ground and was part of the world; now it moves too.
show("adrift in space", locked.with_base("floating").with_gravity((0, 0, 0)))

# The models are independent, and agree where they should: the same posture, the same grasp.
q, q_locked = equipped.neutral(), locked.neutral()
for joint, angle in {"joint2": 0.6, "joint4": -0.9, "joint6": 1.2}.items():
    q[equipped.q_index(joint)] = angle
    q_locked[locked.q_index(joint)] = angle
x, _, z = equipped.frame_pose(q, "gripper_grasp")[:, 3]
x_locked, _, z_locked = locked.frame_pose(q_locked, "gripper_grasp")[:, 3]
print(f"grasp at x = {x:.3f} m, z = {z:.3f} m; with locked joints x = {x_locked:.3f} m, z = {z_locked:.3f} m")
