"""A linear regulator (LQR) that holds a humanoid's posture: its pelvis is held, all joints are driven. The linear model is the
derivatives of forward dynamics; what the regulator promises to pay is compared with what it pays."""

from typing import Any

import numpy as np

import plucker


def cost_to_go(A: Any, B: Any) -> Any:
    """The P of the cost xᵀ P x for x' = A x + B u, cost xᵀ x + uᵀ u, by doubling the horizon."""
    one = np.eye(len(A))
    G, P = B @ B.T, one.copy()
    for _ in range(30):
        W = np.linalg.inv(one + G @ P)
        P, G, A = P + A.T @ P @ W @ A, G + A @ W @ G @ A.T, A @ W @ A
    return P


robot = plucker.robots.humanoid().with_base("fixed")
n = robot.nv
posture = robot.neutral()
hold = robot.gravity_torque(posture)

# x = (how far q is from the posture, v), in steps of h: v' = v + h a, q' = q + h v'. Torques count in hundreds of N m.
h, unit = 0.002, 100
slope = robot.forward_dynamics_derivatives(posture, np.zeros(n), hold)
one = np.eye(n)
by_q, by_v, by_tau = h * slope.da_dq, one + h * slope.da_dv, h * unit * slope.da_dtau
A = np.block([[one + h * by_q, h * by_v], [by_q, by_v]])
B = np.vstack([h * by_tau, by_tau])
P = cost_to_go(A, B)
K = np.linalg.solve(one + B.T @ P @ B, B.T @ P @ A)

print("  push        promised cost       paid")
for push in (0.1, 1.0, 8.0):
    q, v = posture, push * np.ones(n)
    x = np.concatenate([robot.difference(posture, q), v])
    promised, paid = x @ P @ x, 0.0
    for _ in range(2001):
        x = np.concatenate([robot.difference(posture, q), v])
        u = -K @ x
        paid += x @ x + u @ u
        v = v + h * robot.forward_dynamics(q, v, hold + unit * u)
        q = robot.integrate(q, h * v)
    print(f"{push:6.1f} rad/s  {promised:10.3g} {paid:10.3g}")
