import numpy as np

import plucker

robot = plucker.robots.double_pendulum()
q, v, a = [0.5, -1.0], [0.3, 0.8], [1.0, 2.0]  # shoulder, elbow
tau = robot.inverse_dynamics(q, v, a)


def text(numbers: object) -> str:
    return np.array2string(np.asarray(numbers), formatter={"float": "{:.3f}".format}).replace("[", "").replace("]", "")


print(f"{robot.name}, {robot.nv} degrees of freedom")
print("torques for these accelerations:", text(tau))
print("accelerations for these torques:", text(robot.forward_dynamics(q, v, tau)))
print("mass matrix:")
for row in robot.mass_matrix(q):
    print(text(row))
