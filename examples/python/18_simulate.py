"""A robot that stands, is pushed, and stands again. Nothing is tuned, and every step says how exact it is."""

import plucker

dog = plucker.robots.quadruped()
q = dog.neutral()
for leg in ("front_left_", "front_right_", "hind_left_", "hind_right_"):
    q[dog.q_index(leg + "hip_flexion")] = 0.8
    q[dog.q_index(leg + "knee")] = -1.6
q[2] = 0.32  # a little above the ground

simulator = dog.simulator(plucker.World.flat(friction=0.8), step=0.005)
simulator.set_state(q)
simulator.hold(q, 60, 2)  # springs and dampers at the joints, implicit: any gains are stable

worst = 0.0
print("  time   height   forward  feet down  on them")
for k in range(801):
    if k % 100 == 0:
        down = sum(contact.mode != "open" for contact in simulator.contacts)
        load = sum(contact.force[2] for contact in simulator.contacts)
        print(f"{simulator.time:4.1f} s  {simulator.q[2]:5.3f} m  {simulator.q[0]:6.3f} m  {down:9d}  {load:5.0f} N")
    # From 1.5 s on, a tenth of a second of 100 N.
    simulator.clear_pushes()
    if 300 <= k < 320:
        simulator.push("trunk", (100, 0, 0))
    worst = max(worst, simulator.step().certificate)
exact = "yes" if worst < 1e-9 else "no"
print(f"weight {9.81 * dog.total_mass:.0f} N; laws of contact met to 1e-9 m/s in every step: {exact}")
