"""Closed loops and other ties beyond the tree."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any, Callable

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
    with pytest.raises(plucker.Error, match=r"close_loops: q has shape \(2,\), expected \(..., 3\)"):
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


# --- Every function, at one state and at many ---

Call = Callable[[plucker.Robot, Any, Any, Any], Any]
# What those of the library's header take of q, v and tau, and what else.
FUNCTIONS: dict[str, tuple[str, Call]] = {
    "constraint_errors": ("q", lambda r, q, v, tau: r.constraint_errors(q)),
    "constraint_jacobian": ("q", lambda r, q, v, tau: r.constraint_jacobian(q)),
    "constraint_bias": ("q v", lambda r, q, v, tau: r.constraint_bias(q, v)),
    "delassus_matrix": ("q", lambda r, q, v, tau: r.delassus_matrix(q)),
    "inverse_inertia_of_frames": ("q", lambda r, q, v, tau: r.inverse_inertia_of_frames(q, ["coupler", "rocker"], "world")),
    "close_loops": ("q", lambda r, q, v, tau: r.close_loops(q, held=["crank_joint"])),
    "project_configuration": ("q", lambda r, q, v, tau: r.project_configuration(q)),
    "project_velocity": ("q v", lambda r, q, v, tau: r.project_velocity(q, v)),
    "constraint_impulse": ("q v", lambda r, q, v, tau: r.constraint_impulse(q, 0.5, v)),
    "constraint_force": ("q tau", lambda r, q, v, tau: r.constraint_force(q, "loop", tau, "world_aligned")),
    "constrained_forward_dynamics": ("q v tau", lambda r, q, v, tau: r.constrained_forward_dynamics(q, v, tau)),
    "constrained_forward_dynamics_derivatives": (
        "q v tau",
        lambda r, q, v, tau: r.constrained_forward_dynamics_derivatives(q, v, tau),
    ),
}
each = pytest.mark.parametrize("name", FUNCTIONS)


def results(found: Any) -> tuple[Any, ...]:
    return tuple(found.values()) if isinstance(found, dict) else found if isinstance(found, tuple) else (found,)


def near_closed(robot: plucker.Robot, count: int) -> np.ndarray:
    return np.array([robot.close_loops([angle, -0.3, -2.0], held=["crank_joint"]) for angle in np.linspace(-0.6, 0.2, count)])


def test_all_constraint_functions_are_tried() -> None:
    header = (Path(__file__).parents[2] / "include" / "plucker" / "constraints" / "constrained_dynamics.hpp").read_text()
    declared = set(re.findall(r"^[\w<>:]+ (\w+)\(\s*(?:const Model& model|Workspace<double>& ws),", header, re.MULTILINE))
    assert declared | {"close_loops"} == set(FUNCTIONS)


@each
def test_many_states_are_as_many_single_ones(name: str) -> None:
    robot = four_bar()
    call = FUNCTIONS[name][1]
    rng = np.random.default_rng(3)
    q = (near_closed(robot, 6) + 1e-4 * rng.standard_normal((6, 3))).reshape(2, 3, 3)
    v, tau = rng.standard_normal((2, 3, 3)), rng.standard_normal(3)  # one tau for all
    many = results(call(robot, q, v, tau))
    for k in np.ndindex(2, 3):
        for all_of_them, one in zip(many, results(call(robot, q[k], v[k], tau))):
            np.testing.assert_array_equal(all_of_them[k], one)
    none = results(call(robot, q[:0], v[:0], tau))
    assert [x.shape for x in none] == [(0, *x.shape[1:]) for x in many]


@each
def test_shapes_that_do_not_fit_are_refused(name: str) -> None:
    robot = four_bar()
    takes, call = FUNCTIONS[name]
    zero = np.zeros(3)
    for k, argument in enumerate(("q", "v", "tau")):
        if argument not in takes:
            continue
        arguments = [zero, zero, zero]
        arguments[k] = np.zeros(5)
        called = "multipliers" if name == "constraint_force" and argument == "tau" else argument
        with pytest.raises(plucker.Error, match=rf"{name}: {called} has shape \(5,\), expected \(..., 3\)"):
            call(robot, *arguments)
        if argument != "q":
            arguments[k] = np.zeros((3, 3))
            with pytest.raises(plucker.Error, match=r"do not fit together: \(2,\) and \(3,\)"):
                call(robot, np.zeros((2, 3)), *arguments[1:])


@each
def test_an_invalid_state_is_told_and_leaves_the_others_alone(name: str) -> None:
    robot = four_bar()
    call = FUNCTIONS[name][1]
    q, v, tau = near_closed(robot, 3), np.ones((3, 3)), np.ones(3)
    good = results(call(robot, q, v, tau))
    bad = q.copy()
    bad[1, 2] = np.nan
    with pytest.raises(plucker.Error, match=r"q\w*\[2\] \(joint 'rocker_joint'\) is nan"):
        call(robot, bad[1], v[1], tau)
    if name == "close_loops":
        with pytest.raises(plucker.Error, match=r"close_loops: state 1 of 3: q_guess\[2\]"):
            call(robot, bad, v, tau)
        return
    for found, expected in zip(results(call(robot, bad, v, tau)), good):
        assert np.isnan(found[1]).all()
        np.testing.assert_array_equal(found[[0, 2]], expected[[0, 2]])
    assert robot.last_status.tolist() == [plucker.Status.OK, plucker.Status.NON_FINITE_INPUT, plucker.Status.OK]


def test_what_they_say_fits_together() -> None:
    robot = four_bar()
    rng = np.random.default_rng(5)
    q = near_closed(robot, 4)
    v = robot.project_velocity(q, rng.standard_normal((4, 3)))
    tau = rng.standard_normal((4, 3))
    jacobian = robot.constraint_jacobian(q)
    assert_close(np.einsum("nij,nj->ni", jacobian, v), np.zeros((4, 3)), 1e-12)
    a, force = robot.constrained_forward_dynamics(q, v, tau)
    # M a + c = τ + Jᵀ λ and J a + J̇ v = 0
    assert_close(robot.inverse_dynamics(q, v, a), tau + np.einsum("nji,nj->ni", jacobian, force), 1e-9)
    assert_close(np.einsum("nij,nj->ni", jacobian, a) + robot.constraint_bias(q, v), np.zeros((4, 3)), 1e-9)
    inverse = robot.inverse_mass_matrix(q)
    assert_close(robot.delassus_matrix(q), jacobian @ inverse @ np.swapaxes(jacobian, 1, 2), 1e-10)
    tips = np.concatenate([robot.frame_jacobian(q, x) for x in ("coupler", "rocker")], axis=1)
    assert_close(
        robot.inverse_inertia_of_frames(q, ["coupler", "rocker"]), tips @ inverse @ np.swapaxes(tips, 1, 2), 1e-9
    )
    moving = rng.standard_normal((4, 3))
    after, _ = robot.constraint_impulse(q, 1.0, moving)
    assert_close(robot.kinetic_energy(q, after), robot.kinetic_energy(q, moving), 1e-10)
    assert np.abs(robot.constraint_errors(robot.project_configuration(q + 1e-5))).max() < 1e-12
    # The loop's force as an external one on both of its sides moves the open tree as the loop does.
    for k in range(4):
        on_rocker = plucker.ExternalForces(robot)
        pull = robot.constraint_force(q[k], "loop", force[k], "world")
        on_rocker.add("coupler", pull, "world")
        on_rocker.add("rocker", -pull, "world")
        assert_close(robot.forward_dynamics(q[k], v[k], tau[k], on_rocker), a[k], 1e-9)


def test_external_forces_of_each_state() -> None:
    robot = four_bar()
    q, zero = near_closed(robot, 3), np.zeros(3)
    forces = plucker.ExternalForces(robot)
    pushes = np.random.default_rng(2).standard_normal((3, 6))
    forces.add("coupler", pushes, "world_aligned")
    many, _ = robot.constrained_forward_dynamics(q, zero, zero, forces)
    slopes = robot.constrained_forward_dynamics_derivatives(q, zero, zero, forces)
    for k in range(3):
        one = plucker.ExternalForces(robot)
        one.add("coupler", pushes[k], "world_aligned")
        np.testing.assert_array_equal(many[k], robot.constrained_forward_dynamics(q[k], zero, zero, external=one)[0])
        single = robot.constrained_forward_dynamics_derivatives(q[k], zero, zero, one)
        np.testing.assert_array_equal(slopes["da_dq"][k], single["da_dq"])
    with pytest.raises(TypeError, match="external"):
        robot.constrained_forward_dynamics(q, zero, zero, [1])


def test_constraints_that_are_none_are_refused() -> None:
    robot = four_bar()
    q = near_closed(robot, 2)
    with pytest.raises(plucker.Error, match="there is no constraint 7; robot 'four_bar' has 1"):
        robot.constraint_force(q, 7, np.zeros(3))
    with pytest.raises(plucker.Error, match="unknown constraint 'lop'; closest: 'loop'"):
        robot.constraint_force(q, "lop", np.zeros(3))
    with pytest.raises(TypeError, match="constraint"):
        robot.constraint_force(q, 0.5, np.zeros(3))
    with pytest.raises(plucker.Error, match="restitution is 2"):
        robot.constraint_impulse(q, 2.0, np.zeros(3))
    linkage = plucker.load(DATA / "mjcf" / "linkage.xml")
    at = np.stack([linkage.neutral()] * 2)
    with pytest.raises(plucker.Error, match="'cam' couples joints"):
        linkage.constraint_force(at, "cam", np.zeros(linkage.num_constraint_rows))
