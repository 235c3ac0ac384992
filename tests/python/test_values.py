"""Every row of the table, singly against the values that the C++ tool gives, and batched against single calls."""

from __future__ import annotations

import functools
import pickle
import re
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
from conftest import ROBOTS, ROWS, Sample, applies, assert_close, core_shape, robot_named, row_id

import plucker

# Rows whose values eval gives under another name.
FRAME_QUANTITIES = {
    "frame_velocity": "velocity",
    "frame_acceleration": "acceleration",
    "frame_classical_acceleration": "classical_acceleration",
    "frame_jacobian": "jacobian",
    "frame_jacobian_dot": "jacobian_dot",
}


def answer(s: Sample) -> dict[str, Any]:
    state = s.robot.state(s.q, s.v, s.a, s.tau)
    return s.robot.evaluate(state, order="plucker", frames=[s.frame])


# What eval has no quantity for, from what it has.
def _times(matrix: str) -> Callable[[Sample, dict[str, Any]], list[Any]]:
    return lambda s, x: [np.asarray(x[matrix]) @ s.tau]


def _hybrid(s: Sample, x: dict[str, Any]) -> list[Any]:
    a, tau = s.robot.hybrid_dynamics(s.q, s.v, s.given, s.a, s.tau)
    for joint in s.robot.joint_names:
        k = s.robot.v_index(joint)
        if joint in s.given:
            assert a[k] == s.a[k]
        elif not any(j.name == joint and j.mimic for j in s.robot.joints):
            assert tau[k] == s.tau[k]
    return [a, s.robot.evaluate(s.robot.state(s.q, s.v, a), order="plucker")["inverse_dynamics"]]


def _bodies(s: Sample) -> list[str]:
    return s.robot.body_names


def _jacobians(s: Sample, _: dict[str, Any]) -> list[Any]:
    frames = s.robot.evaluate(s.robot.state(s.q, s.v), order="plucker")["frames"]
    # A body's own frame is its link's, but for a constant turn.
    neutral = s.robot.neutral()
    turns = [
        s.robot.frame_pose(neutral, b)[:, :3].T @ pose[:, :3]
        for b, pose in zip(_bodies(s), s.robot.jacobians(neutral).poses)
    ]
    poses = [
        np.column_stack([np.asarray(frames[b]["rotation"]) @ turn, frames[b]["position"]])
        for b, turn in zip(_bodies(s), turns)
    ]
    J = np.zeros((6, s.robot.nv))
    J_dot = np.zeros((6, s.robot.nv))
    for body in _bodies(s):  # a joint's column is that of any frame beyond it
        ours = np.asarray(frames[body]["jacobian_world"])
        theirs = np.any(ours != 0, axis=0)
        J[:, theirs] = ours[:, theirs]
        J_dot[:, theirs] = np.asarray(frames[body]["jacobian_dot_world"])[:, theirs]
    return [poses, J, J_dot]


def _ground(s: Sample, x: dict[str, Any]) -> Any:
    """What holds the robot changes its momentum, together with gravity; about the world's origin."""
    moment, force = np.split(np.asarray(x["centroidal_momentum_dot"]), 2)
    force = force - x["total_mass"] * s.robot.gravity
    return [*(moment + np.cross(x["center_of_mass"], force)), *force]


def _operational(s: Sample, x: dict[str, Any]) -> Any:
    J = np.asarray(x["frames"][s.frame]["jacobian_body"])
    return J @ np.asarray(x["inverse_mass_matrix"]) @ J.T


def _asked(s: Sample, name: str) -> Any:
    """A quantity that eval gives by its name only."""
    state = s.robot.state(s.q, s.v, s.a, s.tau)
    return s.robot.evaluate(state, quantities=[name], order="plucker", frames=[s.frame])[name]


def _of_frame(name: str) -> Callable[[Sample, dict[str, Any]], list[Any]]:
    return lambda s, x: list(_asked(s, name)[s.frame]["body"].values())


def _tensors(s: Sample, _: dict[str, Any] = {}) -> list[Any]:
    # eval's first index is the torque, which stands last here.
    tensors = _asked(s, "inverse_dynamics_second_derivatives")
    return [np.moveaxis(tensors[name], 0, -1) for name in ("qq", "qv", "vv", "qa")]


def _forward_hessians(s: Sample, _: dict[str, Any]) -> list[Any]:
    a_q, a_v, M_inv = s.robot.forward_dynamics_derivatives(s.q, s.v, s.tau)
    a = s.robot.forward_dynamics(s.q, s.v, s.tau)
    qq, qv, vv, qa = s.robot.inverse_dynamics_hessians(s.q, s.v, a, M_inv @ s.tau)
    return [-(qq + qa @ a_q + (qa @ a_q).T), -(qv + qa @ a_v), -vv, -qa @ M_inv]


def _steps(s: Sample, _: dict[str, Any]) -> list[Any]:
    by_q0, by_q1 = s.robot.difference_derivatives(s.q, s.robot.integrate(s.q, s.v))
    return [-np.linalg.solve(by_q1, by_q0), np.linalg.inv(by_q1)]


def _differences(s: Sample, _: dict[str, Any]) -> list[Any]:
    by_q, by_dv = s.robot.integrate_derivatives(s.q, s.robot.difference(s.q, s.other_q))
    return [-np.linalg.solve(by_dv, by_q), np.linalg.inv(by_dv)]


def _rate(s: Sample, _: dict[str, Any]) -> list[Any]:
    h = 1e-3  # of fourth order: the error is that of h⁴ and of rounding over h
    there = {k: s.robot.integrate(s.q, k * h * s.v) for k in (-2, -1, 1, 2)}
    return [(8 * (there[1] - there[-1]) - (there[2] - there[-2])) / (12 * h)]


DERIVED: dict[str, Callable[[Sample, dict[str, Any]], list[Any]]] = {
    "forward_dynamics_by_mass_matrix": lambda s, x: [x["forward_dynamics"]],
    "hybrid_dynamics": _hybrid,
    "mass_matrix_by_inverse_dynamics": lambda s, x: [x["mass_matrix"]],
    "mass_matrix_times": _times("mass_matrix"),
    "inverse_mass_matrix_by_articulated_bodies": lambda s, x: [x["inverse_mass_matrix"]],
    "inverse_mass_matrix_times": _times("inverse_mass_matrix"),
    "inverse_operational_inertia": lambda s, x: [_operational(s, x)],
    "operational_inertia": lambda s, x: [np.linalg.inv(_operational(s, x))],
    "jacobians": lambda s, x: _jacobians(s, x)[:2],
    "jacobians_dot": _jacobians,
    "integrate": lambda s, x: [s.robot.integrate(s.q, s.robot.difference(s.q, s.robot.integrate(s.q, s.v)))],
    "difference": lambda s, x: [s.robot.difference(s.q, s.robot.integrate(s.q, s.robot.difference(s.q, s.other_q)))],
    "normalize_configuration": lambda s, x: [s.q],
    "inverse_dynamics_hessians": lambda s, x: [t @ s.tau for t in _tensors(s)],
    "inverse_dynamics_second_derivatives": _tensors,
    "forward_dynamics_hessians": _forward_hessians,
    "frame_velocity_derivatives": _of_frame("frame_velocity_derivatives"),
    "frame_acceleration_derivatives": _of_frame("frame_acceleration_derivatives"),
    "frame_classical_acceleration_derivatives": _of_frame("frame_classical_acceleration_derivatives"),
    "integrate_derivatives": _steps,
    "difference_derivatives": _differences,
    "configuration_rate": _rate,
    "christoffel_symbols": lambda s, x: [np.moveaxis(x["christoffel_symbols"], 0, -1)],
    "reaction_forces": lambda s, x: [[_ground(s, x), *map(x["reaction_forces"].get, s.robot.joint_names)]],
    "frame_pose": lambda s, x: [
        np.column_stack([x["frames"][s.frame]["rotation"], x["frames"][s.frame]["position"]])
    ],
}


def expected(row: dict[str, Any], s: Sample) -> list[Any]:
    name, values = row["name"], answer(s)
    if name in DERIVED:
        return DERIVED[name](s, values)
    if name in FRAME_QUANTITIES:
        return [values["frames"][s.frame][FRAME_QUANTITIES[name] + "_body"]]
    value = values[name] if name in values else _asked(s, name)
    return [value[x["name"]] for x in row["results"]] if isinstance(value, dict) else [value]


@pytest.mark.parametrize("robot_name", ROBOTS)
@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_single_call_gives_what_the_tool_gives(row: dict[str, Any], robot_name: str) -> None:
    s = Sample(robot_named(robot_name))
    if not applies(row, s.robot):
        with pytest.raises(plucker.Error):
            s.call(row)
        return
    for result, x, value in zip(s.call(row), row["results"], expected(row, s), strict=True):
        assert result.shape == core_shape(s.robot, x["shape"])
        assert result.dtype == np.float64
        # Accelerations inherit the condition number of the mass matrix; Λ⁻¹ is inverted here, and worse.
        assert_close(result, value, 1e-6 if row["name"] == "operational_inertia" else 1e-9)


@pytest.mark.parametrize("name", ["frame_velocity", "frame_jacobian"])
@pytest.mark.parametrize("reference", ["body", "world", "world_aligned"])
def test_reference_frames(name: str, reference: str, quadruped: plucker.Robot) -> None:
    s = Sample(quadruped)
    row = next(row for row in ROWS if row["name"] == name)
    values = answer(s)["frames"][s.frame][f"{FRAME_QUANTITIES[name]}_{reference}"]
    assert_close(s.call(row, reference=reference)[0], values)


@pytest.mark.parametrize("robot_name", ROBOTS)
@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_batch_gives_what_single_calls_give(row: dict[str, Any], robot_name: str) -> None:
    many = Sample(robot_named(robot_name), (3, 7), seed=5)
    if row["needs_floating_base"] and not many.robot.has_floating_base:
        with pytest.raises(plucker.Error, match="fixed base"):
            many.call(row)
        return
    results = many.call(row)
    if not applies(row, many.robot):
        assert (many.robot.last_status == plucker.Status.SINGULAR_MASS_MATRIX).all()
        return
    assert (many.robot.last_status == plucker.Status.OK).all()
    for index in [(0, 0), (1, 3), (2, 6)]:
        one = Sample(many.robot)
        one.q, one.v, one.a = many.q[index], many.v[index], many.a[index]
        one.tau, one.other_q = many.tau[index], many.other_q[index]
        for result, single in zip(results, one.call(row), strict=True):
            assert result.shape == (3, 7, *single.shape)
            assert_close(result[index], single, 1e-8)


def test_float32_is_what_all_arguments_are(arm: plucker.Robot) -> None:
    """External forces, each of them, among the arguments."""
    s = Sample(arm, (3,))
    for first in (np.float32, np.float64):
        for second in (np.float32, np.float64):
            for own in (np.float32, np.float64):
                forces = plucker.ExternalForces(arm)
                forces.add("tool", np.ones(6, first), "world")
                forces.add("link3", np.ones((3, 6), second), "body")
                tau = arm.inverse_dynamics(s.q.astype(own), s.v.astype(own), s.a.astype(own), forces)
                assert tau.dtype == (np.float32 if {first, second, own} == {np.float32} else np.float64)


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_float32_follows_the_arguments(row: dict[str, Any], quadruped: plucker.Robot) -> None:
    for shape in [(), (5,)]:
        s = Sample(quadruped, shape)
        in_double = s.call(row)
        for name in ("q", "v", "a", "tau", "other_q"):
            setattr(s, name, getattr(s, name).astype(np.float32))
        for single, double in zip(s.call(row), in_double, strict=True):
            assert single.dtype == np.float32
            assert single.shape == double.shape
            assert_close(single, double, 2e-3)


def test_another_root(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped)
    link = quadruped.body_names[3]
    by_name = quadruped.center_of_mass(s.q, root=link)
    assert (by_name == quadruped.center_of_mass(s.q, 4)).all()
    assert (by_name != quadruped.center_of_mass(s.q)).any()
    assert (quadruped.center_of_mass(s.q, None) == quadruped.center_of_mass(s.q, 0)).all()


def test_every_body_is_a_root_by_its_name_and_by_its_number(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (3,))
    for number, name in enumerate(quadruped.body_names, start=1):
        for whole in (number, np.int32(number), np.uint8(number)):
            for q in (s.q, s.q[0]):
                assert (quadruped.center_of_mass(q, whole) == quadruped.center_of_mass(q, name)).all()
    for number in (-1, len(quadruped.body_names) + 1):
        with pytest.raises(plucker.Error, match=f"there is no body {number}"):
            quadruped.center_of_mass(s.q, number)


def test_compiled_robot_computes_the_same(arm: plucker.Robot) -> None:
    s = Sample(arm)
    compiled = arm.compile()
    assert_close(compiled.mass_matrix(s.q), arm.mass_matrix(s.q), 1e-13)
    assert_close(compiled.inverse_dynamics(s.q, s.v, s.a), arm.inverse_dynamics(s.q, s.v, s.a), 1e-13)
    with pytest.raises(plucker.Error, match="unknown"):
        arm.compile(["mas_matrix"])


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_robots_compiled_for_a_frame_compute_the_same(row: dict[str, Any]) -> None:
    s = Sample(robot_named("quadruped"))
    fast = Sample(compiled_for_frames())
    for reference in ["body", "world", "world_aligned"]:
        options = {"reference": reference} if "reference" in [x["name"] for x in row["parameters"]] else {}
        for ours, theirs in zip(fast.call(row, **options), s.call(row, **options), strict=True):
            assert_close(ours, theirs, 1e-9)


@pytest.mark.skipif(plucker.isa() == "generic", reason="nothing is compiled without AVX2")
def test_compiled_robots_say_what_became_of_each_function(arm: plucker.Robot) -> None:
    assert arm.compiled_functions == []
    fast = arm.compile(["mass_matrix", "inverse_dynamics"], parameters=["gravity"])
    assert [f.name for f in fast.compiled_functions] == ["mass_matrix", "inverse_dynamics"]
    for f in fast.compiled_functions:
        assert f.compiled and f.operations < f.asked and f.bytes > f.steps > 0 and f.milliseconds > 0
    assert repr(fast.compiled_functions[0]).startswith("<CompiledFunction 'mass_matrix': ")
    # Those that share its code share what is said of it; those made from it otherwise have none.
    other = fast.with_parameters({"gravity": (0, 0, -1)})
    assert [f.bytes for f in other.compiled_functions] == [f.bytes for f in fast.compiled_functions]
    assert [f.name for f in pickle.loads(pickle.dumps(fast)).compiled_functions] == ["mass_matrix", "inverse_dynamics"]
    assert fast.with_base("floating").compiled_functions == []
    # One that is too long for a program keeps its loops.
    long = plucker.robots.chain(150).compile(["forward_dynamics"]).compiled_functions[0]
    assert not long.compiled and long.bytes == 0 and "not compiled" in repr(long)


@functools.cache
def compiled_for_frames() -> plucker.Robot:
    robot = robot_named("quadruped")
    return robot.compile(frames=[robot.frame_names[-1]])


LOAD = plucker.MassProperties(2.0, (0.1, 0.0, 0.05), np.diag([0.03, 0.02, 0.04]))


def test_parameters_of_compiled_robots(arm: plucker.Robot) -> None:
    fast = arm.compile(parameters=["gravity", "mass:link5", "payload:tool"], frames=["tool"])
    assert fast.is_compiled
    assert list(fast.compiled_parameters) == ["gravity", "mass:link5", "payload:tool"]
    np.testing.assert_array_equal(fast.compiled_parameters["gravity"], arm.gravity)
    np.testing.assert_array_equal(fast.compiled_parameters["payload:tool"], np.zeros(10))
    heavy = plucker.MassProperties.sphere(3.0, 0.1, (0.0, 0.02, 0.1))
    loaded = fast.with_parameters({"gravity": (0.5, 0.0, -1.6), "payload:tool": LOAD, "mass:link5": heavy})
    expected = arm.with_mass("link5", heavy).with_payload("tool", LOAD).with_gravity((0.5, 0.0, -1.6))
    one, many = Sample(arm), Sample(arm, (5,))
    forces, same_forces = plucker.ExternalForces(loaded), plucker.ExternalForces(expected)
    for x in (forces, same_forces):
        x.add("link3", [1, 2, 3, 4, 5, 6], "world")
    # Singly by the code, batched, in float32, of a frame, and with forces.
    for s in (one, many):
        assert_close(loaded.inverse_dynamics(s.q, s.v, s.a), expected.inverse_dynamics(s.q, s.v, s.a), 1e-12)
        assert_close(loaded.forward_dynamics(s.q, s.v, s.tau), expected.forward_dynamics(s.q, s.v, s.tau), 1e-9)
        assert_close(loaded.frame_jacobian(s.q, "tool", "world"), expected.frame_jacobian(s.q, "tool", "world"), 1e-12)
        assert_close(loaded.center_of_mass(s.q), expected.center_of_mass(s.q), 1e-12)
        assert_close(
            loaded.inverse_dynamics(s.q, s.v, s.a, forces), expected.inverse_dynamics(s.q, s.v, s.a, same_forces), 1e-12
        )
    assert loaded.total_mass == pytest.approx(expected.total_mass)
    np.testing.assert_allclose(loaded.gravity, [0.5, 0.0, -1.6])
    # The robot that it came from is as it was, and can be gone back to.
    back = loaded.with_parameters(arm.compile(parameters=list(fast.compiled_parameters)).compiled_parameters)
    for same in (fast, back):
        assert_close(same.inverse_dynamics(one.q, one.v, one.a), arm.inverse_dynamics(one.q, one.v, one.a), 1e-12)
    copy = pickle.loads(pickle.dumps(loaded))
    assert list(copy.compiled_parameters) == list(fast.compiled_parameters)
    np.testing.assert_array_equal(
        copy.inverse_dynamics(one.q, one.v, one.a), loaded.inverse_dynamics(one.q, one.v, one.a)
    )


PARAMETER_ERRORS = {
    "with_parameters: unknown parameter 'payload:tol'; closest: 'payload:tool'": {"payload:tol": LOAD},
    "with_parameters: 'payload:tool' has shape (3,), expected (10,), or MassProperties": {"payload:tool": [1, 2, 3]},
    "with_parameters: 'gravity' has shape (2,), expected (3,)": {"gravity": [1, 2]},
    "robot 'arm': gravity is not finite": {"gravity": [0, 0, np.nan]},
}


@pytest.mark.parametrize("message", PARAMETER_ERRORS)
def test_wrong_parameters_are_told(message: str, arm: plucker.Robot) -> None:
    fast = arm.compile(["inverse_dynamics"], parameters=["payload:tool", "gravity"])
    with pytest.raises(plucker.Error) as caught:
        fast.with_parameters(PARAMETER_ERRORS[message])  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_parameters_must_be_left_open_first(arm: plucker.Robot) -> None:
    with pytest.raises(plucker.Error, match="compiled without any"):
        arm.compile(["inverse_dynamics"]).with_parameters({"gravity": (0, 0, 1)})
    with pytest.raises(plucker.Error, match="no workspace can move a frame"):
        arm.compile(parameters=["frame:tool"])
    with pytest.raises(plucker.Error, match="takes a frame"):
        arm.compile(["frame_jacobian"])
    with pytest.raises(plucker.Error, match="mass"):
        arm.compile(["inverse_dynamics"], parameters=["payload:tool"]).with_parameters({"payload:tool": -np.ones(10)})


def test_every_function_has_a_law() -> None:
    """A row of the table that no law of include/plucker/laws calls would not be tried on a user's robot."""
    folder = Path(__file__).parents[2] / "include" / "plucker" / "laws"
    laws = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.hpp")))
    without = [row["name"] for row in ROWS if not re.search(rf"\b{row['name']}\(", laws)]
    assert without == []
