"""Every law of mechanics that the library's own tests check, on your robot."""

import plucker
from plucker import MassProperties, helical, spherical, universal

# A flying base with a ball joint, a screw and rotors: what textbooks leave out.
sling = universal("sling", (1, 0, 0), (0, 1, 0)).with_damping(0.1)
robot = (
    plucker.Builder("drone")
    .base("floating")
    .link("hull", MassProperties.box(3, (0.4, 0.4, 0.1)))
    .body("hull", spherical("gimbal").at((0, 0, -0.1)), "camera", MassProperties.sphere(0.4, 0.05, (0.02, 0, -0.03)))
    .body("hull", helical("winch", (0, 0, 1), 0.01).with_armature(0.02), "drum", MassProperties.cylinder(0.6, 0.04, 0.1))
    .body("drum", sling, "load", MassProperties.point(1.5, (0, 0, -0.8)))
    .build()
)

STATES = 20
laws = robot.verify(samples=STATES, seed=1)
for law in laws:
    if law.fails:
        print(f"fails: {law.law}, residual {law.value:.1e}, tolerance {law.tolerance:.1e}")
held = sum(law.holds for law in laws)
print(f"{robot.name}: {held} of {len(laws)} laws hold at {STATES} random states")
