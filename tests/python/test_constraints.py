"""Closed loops and other ties beyond the tree."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import assert_close

import plucker

DATA = Path(__file__).parents[1] / "data"


def four_bar() -> plucker.Robot:
    y = (0, 1, 0)
    bar = plucker.MassProperties.box(1, (0.5, 0.05, 0.05), (0.25, 0, 0))
    return (
        plucker.Builder("four_bar")
        .link("ground")
        .body("ground", plucker.revolute("crank_joint", y), "crank", bar)
        .body("crank", plucker.revolute("coupler_joint", y).at((0.5, 0, 0)), "coupler", bar)
        .body("ground", plucker.revolute("rocker_joint", y).at((1.2, 0, 0)), "rocker", bar)
        .constraint(plucker.connect("loop", "coupler", "rocker", (1.0, 0, 0), (0.8, 0, 0)))
        .build()
    )


def test_a_loop_is_closed_and_moves_as_one() -> None:
    robot = four_bar()
    assert robot.num_constraint_rows == 3
    q = robot.close_loops([-0.4, -0.3, -2.0], held=["crank_joint"])
    assert q[0] == -0.4
    assert_close(robot.constraint_errors(q), np.zeros(3), 1e-12)
    jacobian = robot.constraint_jacobian(q)
    assert jacobian.shape == (3, 3)
    tau = np.array([0.3, 0, 0])
    a, force = robot.constrained_forward_dynamics(q, np.zeros(3), tau)
    assert_close(jacobian @ a, np.zeros(3), 1e-9)
    slope = robot.constrained_forward_dynamics_derivatives(q, np.zeros(3), tau)
    assert slope["da_dq"].shape == slope["dlambda_dv"].shape == (3, 3)
    more, more_force = robot.constrained_forward_dynamics(q, np.zeros(3), 2 * tau)
    assert_close(slope["da_dtau"] @ tau, more - a, 1e-9)
    assert_close(slope["dlambda_dtau"] @ tau, more_force - force, 1e-9)
    # M a + c = τ + Jᵀ λ
    assert_close(robot.inverse_dynamics(q, np.zeros(3), a), tau + jacobian.T @ force, 1e-9)


def test_a_loop_that_cannot_be_closed_is_named() -> None:
    with pytest.raises(plucker.Error, match="constraint 'loop' cannot be closed: 'coupler' and 'rocker' stay"):
        (
            plucker.Builder("short")
            .link("ground")
            .body("ground", plucker.revolute("a", (0, 1, 0)), "coupler", plucker.MassProperties.sphere(1, 0.1))
            .body("ground", plucker.revolute("b", (0, 1, 0)).at((3, 0, 0)), "rocker", plucker.MassProperties.sphere(1, 0.1))
            .constraint(plucker.connect("loop", "coupler", "rocker", (1, 0, 0), (1, 0, 0)))
            .build()
            .close_loops([0, 0])
        )
    with pytest.raises(plucker.Error, match=r"close_loops: q has size 2, expected 3 \(nq\)"):
        four_bar().close_loops([0, 0])


def test_constraints_are_listed_and_pickled() -> None:
    robot = four_bar()
    loop = pickle.loads(pickle.dumps(robot)).constraints[0]
    assert (loop.name, loop.kind, loop.frame_a, loop.frame_b) == ("loop", "frames", "coupler", "rocker")
    assert loop.axes == (False, False, False, True, True, True)
    assert loop.placement_a[:, 3].tolist() == [1, 0, 0]
    assert repr(loop) == "<plucker.Constraint 'loop': frames>"
    gear = plucker.gear("mesh", "crank_joint", "rocker_joint", 2.0, offset=0.5)
    assert (gear.kind, gear.joint_a, gear.joint_b) == ("coupling", "crank_joint", "rocker_joint")
    assert gear.polynomial.tolist() == [0.5, 2, 0, 0, 0]
    assert plucker.rod("bar", "a", "b", 0.7).distance == 0.7
    assert plucker.weld("w", "a", "b", axes=[True, True, False, True, True, True]).axes[2] is False


def test_files_bring_them() -> None:
    names = [c.name for c in plucker.load(DATA / "mjcf" / "linkage.xml").constraints]
    assert sorted(names) == ["brake", "cam", "glue", "loop", "string"]
