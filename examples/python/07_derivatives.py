"""How do the torques change with the joints' angles? For the dynamics there is a function. Its answer is checked in a way of its own:
each angle enters the torques by its sine and cosine, twice at most, and such a function's slope needs no step size to choose."""

from typing import Any

import numpy as np

import plucker

arm = plucker.robots.arm()
q, v, a = np.full(arm.nq, 0.3), np.full(arm.nv, 0.5), np.full(arm.nv, -1.0)


def torques(q: Any) -> Any:
    return arm.inverse_dynamics(q, v, a)


# Analytic: all three matrices, in about the time of five inverse dynamics.
analytic = arm.inverse_dynamics_derivatives(q, v, a).dtau_dq

# Without a step: c0 + c1 cos q + s1 sin q + c2 cos 2q + s2 sin 2q is known, and its slope with it, from five angles that divide a
# turn. What is asked at q itself has no weight. Dual numbers, in C++, do this for any function.
turn = 2 * np.pi / 5 * np.arange(1, 5)
weights = -((-1.0) ** np.arange(1, 5)) / (2 * np.sin(turn / 2))
turned = q + turn[:, None, None] * np.eye(arm.nq)  # (4, nq, nq): each joint by itself
without_h = np.einsum("k,kjr->rj", weights, torques(turned))

# Differences, the old way: h must be chosen, and digits are lost whichever it is.
h = 1e-6
k = arm.q_index("joint4")
step = h * np.eye(arm.nq)[k]
with_h = (torques(q + step) - torques(q - step)) / (2 * h)

print("d tau / d q of joint4   analytic    without h       with h")
for r, name in enumerate(arm.velocity_names):
    print(f"  {name:<12} {analytic[r, k]:17.4f} {without_h[r, k]:12.4f} {with_h[r]:12.4f}")
apart = np.abs(analytic - without_h).max()
print("analytic and without h agree to 1e-12:", "yes" if apart < 1e-12 else "no")
