"""What the tests of the Python module share: robots, and arguments for any row of the table."""

from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pytest

import plucker

ROWS = plucker.algorithms()
ROBOTS = ["arm", "quadruped", "exoskeleton", "tree(12,3)", "pendulum"]
_made: dict[str, plucker.Robot] = {}

# Shells let what they start in the background ignore interrupts, and Python then does too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def robot_named(name: str) -> plucker.Robot:
    return _made.setdefault(name, plucker.robots.by_name(name))


def core_shape(robot: plucker.Robot, words: str) -> tuple[int, ...]:
    """From "nv, nv" to numbers."""
    names = {"nq": robot.nq, "nv": robot.nv, "num_bodies": robot.num_bodies, "num_parameters": robot.num_parameters}
    return tuple(eval(words + ",", {}, names)) if words else ()  # noqa: S307


def applies(row: dict[str, Any], robot: plucker.Robot) -> bool:
    if row["needs_floating_base"] and not robot.has_floating_base:
        return False
    return not row["needs_free_frame"] or robot.nv >= 6


class Sample:
    """States at random, and the arguments of any row at them."""

    def __init__(self, robot: plucker.Robot, shape: tuple[int, ...] = (), seed: int = 1) -> None:
        generator = np.random.default_rng(seed)
        count = int(np.prod(shape, dtype=int))
        self.robot = robot
        self.q = robot.random_configurations(count, seed=seed).reshape(*shape, robot.nq)
        self.v, self.a, self.tau = (generator.uniform(-1, 1, (*shape, robot.nv)) for _ in range(3))
        self.other_q = robot.random_configurations(count, seed=seed + 1).reshape(*shape, robot.nq)
        self.frame = robot.frame_names[-1]
        self.given = robot.joint_names[::2] if not any(j.mimic for j in robot.joints) else []

    def arguments(self, row: dict[str, Any]) -> list[Any]:
        """The required ones."""
        vectors = {"q": self.q, "q0": self.q, "q1": self.other_q, "v": self.v, "dv": self.v, "B": self.tau,
                   "a": self.a, "tau": self.tau, "multipliers": self.tau}
        options = {"frame": self.frame, "given": self.given}
        return [{**vectors, **options}[x["name"]] for x in row["parameters"] if not x["optional"]]

    def call(self, row: dict[str, Any], **options: Any) -> tuple[Any, ...]:
        """The results, as a tuple even if there is one."""
        result = getattr(self.robot, row["name"])(*self.arguments(row), **options)
        return tuple(result) if row["result_type"] else (result,)


def assert_close(actual: Any, expected: Any, precision: float = 1e-10) -> None:
    expected = np.asarray(expected, dtype=float)
    scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(np.asarray(actual, dtype=float), expected, rtol=0, atol=precision * scale)


def row_id(row: dict[str, Any]) -> str:
    return str(row["name"])


@pytest.fixture
def arm() -> plucker.Robot:
    return robot_named("arm")


@pytest.fixture
def quadruped() -> plucker.Robot:
    return robot_named("quadruped")
