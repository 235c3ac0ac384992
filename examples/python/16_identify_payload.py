"""What does the arm carry? Its load from a log of its motion, with intervals."""

from typing import Any

import numpy as np

import plucker
from plucker import MassProperties


def noise(shape: tuple[int, ...]) -> Any:
    """Noise that every machine makes alike: digits of a sine, from -1 to 1."""
    x = 43758.5453 * np.sin(np.arange(shape[0] * shape[1], dtype=float))
    return (2 * (x - np.floor(x)) - 1).reshape(shape[::-1]).T


def unexplained(torques: Any) -> float:
    return float(np.sqrt((torques**2).mean(axis=0)).max())


# A motion that shows all there is to see, within the joints' limits.
arm = plucker.robots.arm()
motion = arm.excite(10, trials=50)
log = motion.log
print("condition number below 100:", "yes" if motion.condition_number < 100 else "no")

# The real arm carries a box of 2 kg. Torques are measured, with noise.
real = arm.with_payload("tool", MassProperties.box(2, (0.1, 0.06, 0.2), (0.01, -0.02, 0.1)))
tau = real.inverse_dynamics(log.q, log.v, log.a)
tau = tau + 0.05 * noise(tau.shape)

# We only guess that it carries something: a ball of 1 kg at the tool. How wrong that is, is not known either.
guess = arm.with_payload("tool", MassProperties.sphere(1, 0.05))
found = guess.identify(log.time, log.q, tau, log.v, log.a, prior=1, friction=False, links=["payload"])
for x in found.parameters:
    if x.prior > 0 and ".I" not in x.name:
        within = "a hundredth" if x.deviation < 0.01 else "more"
        print(f"{x.name:<10} {x.value:5.2f}, guessed {x.before:4.2f}; within {within}")

# The robot that was found is a robot like any other.
before, after = unexplained(tau - found.torques_before), unexplained(tau - found.torques_after)
print(f"unexplained torque: {before:.1f} N m before, {after:.2f} N m after")
