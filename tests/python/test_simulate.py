"""Simulation: what is known in closed form, the same bits on every way there, files, threads and mistakes."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conftest import assert_close

import plucker

G = 9.81
Array = npt.NDArray[Any]
# The tool, where it was built beside the module.
TOOL = Path(plucker.__file__).parents[2] / "plucker"


def block(size: tuple[float, float, float] = (0.4, 0.4, 0.1)) -> plucker.Robot:
    return (
        plucker.Builder("block")
        .base("floating")
        .link("block", plucker.MassProperties.box(2, size))
        .collision("block", plucker.Shape.box(size))
        .build()
    )


def ball(radius: float = 0.1) -> plucker.Robot:
    return (
        plucker.Builder("ball")
        .base("floating")
        .link("ball", plucker.MassProperties.sphere(1, radius))
        .collision("ball", plucker.Shape.sphere(radius))
        .build()
    )


def above(robot: plucker.Robot, height: float) -> Array:
    q = robot.neutral()
    q[2] = height
    return q


def crouching(dog: plucker.Robot) -> Array:
    q = above(dog, 0.32)
    for leg in ("front_left_", "front_right_", "hind_left_", "hind_right_"):
        q[dog.q_index(leg + "hip_flexion")] = 0.8
        q[dog.q_index(leg + "knee")] = -1.6
    return q


# --- Physics --------------------------------------------------------------------------------------


def test_block_slides_and_stops_as_coulomb_says() -> None:
    robot, mu, speed, step = block(), 0.5, 2.0, 1e-3
    sim = robot.simulator(plucker.World.flat(friction=mu), step=step)
    along_x = robot.velocity_names.index("base.linear.x")
    sim.set_state(above(robot, 0.05), speed * np.eye(robot.nv)[along_x])
    recording = sim.run(0.6)
    k = np.arange(601)
    # The velocity of a step is that at its end.
    velocity = np.maximum(0, speed - k * step * mu * G)
    assert_close(recording.v[:, along_x], velocity, 1e-9)
    assert_close(recording.q[:, 0], step * np.cumsum(np.r_[0, velocity[1:]]), 1e-9)
    assert_close(recording.time, k * step, 1e-12)
    assert np.max(recording.residual[1:]) < 1e-9
    sliding, standing = recording.contacts[100], recording.contacts[-1]
    assert {c.mode for c in sliding} == {"slide"} and {c.mode for c in standing} == {"stick"}
    assert_close(sum(c.force for c in sliding), [-mu * 2 * G, 0, 2 * G], 1e-9)
    assert_close(sum(c.force for c in standing), [0, 0, 2 * G], 1e-9)
    assert all((c.link, c.other, c.friction) == ("block", "", mu) for c in sliding + standing)
    assert_close(sliding[0].normal, [0, 0, 1], 1e-12)
    assert_close(recording.kinetic_energy, velocity**2, 1e-9)
    assert_close(recording.energy, recording.kinetic_energy + recording.potential_energy, 1e-15)


def test_quadruped_stands_and_does_not_creep(quadruped: plucker.Robot) -> None:
    q = crouching(quadruped)
    sim = quadruped.simulator(plucker.World.flat(friction=0.8), step=0.005)
    sim.set_state(q)
    sim.hold(q, 60, 2)
    sim.run(6, every=1000)
    before = sim.q
    report = sim.step()
    for _ in range(200):
        report = sim.step()
    assert_close(sim.q, before, 1e-6)
    assert report.converged and report.certificate < 1e-9 and report.deepest < 1e-6
    assert report.certificate == max(report.primal, report.dual, report.complementarity)
    assert report.by == "newton" and report.iterations >= 1
    contacts = [c for c in sim.contacts if c.mode != "open"]
    assert len(contacts) == 4 and {c.mode for c in contacts} == {"stick"}
    assert_close(sum(c.force for c in contacts), [0, 0, quadruped.total_mass * G], 1e-5)
    assert np.max(np.abs(sim.holding_torque[6:])) > 1
    assert_close(sim.holding_torque[:6], np.zeros(6))


def test_ball_bounces_to_where_it_was() -> None:
    robot = ball()
    sim = robot.simulator(plucker.World.flat(restitution=1), step=1e-3)
    sim.set_state(above(robot, 0.6))
    heights = sim.run(0.32 * 2 + 0.01).q[:, 2]
    assert heights.min() < 0.11
    assert abs(heights[len(heights) // 2 :].max() - 0.6) < 5e-3


def test_worlds_of_boxes_planes_and_terrain() -> None:
    robot = ball()

    def rests_at(world: plucker.World, x: float = 0) -> float:
        sim = robot.simulator(world, step=2e-3)
        q = above(robot, 0.5)
        q[0] = x
        sim.set_state(q)
        sim.run(1)
        assert sim.contacts[0].other == ""
        return float(sim.q[2])

    table = plucker.World.flat().add(plucker.Shape.box((1, 1, 0.3), (5, 0, 0.15)))
    assert_close(rests_at(table), 0.1, 1e-6)
    assert_close(rests_at(table, 5), 0.4, 1e-6)
    assert_close(rests_at(plucker.World().add(plucker.Shape.plane((0, 0, 1), (0, 0, 0.2)))), 0.3, 1e-6)
    # A step across x: heights[i, j] belongs to x = i spacing.
    heights = np.zeros((11, 6))
    heights[6:] = 0.2
    terrain = plucker.World().height_field(heights, (1.0, 2.0), origin=(-5, -5, 0))
    assert terrain.num_height_fields == 1
    assert_close(rests_at(terrain, -2), 0.1, 1e-6)
    assert_close(rests_at(terrain, 3), 0.3, 1e-6)


def test_surfaces_of_shapes_and_of_the_world() -> None:
    ice = plucker.Surface(friction=0.1, restitution=0.2)
    world = plucker.World(ice).add(plucker.Shape.plane(name="floor"))
    assert world.surface == ice and world.shapes[0].surface is None and world.shapes[0].kind == "plane"
    world.surface = plucker.Surface(friction=0.3)
    assert "friction=0.3" in repr(world)
    assert pickle.loads(pickle.dumps(ice)) == ice
    assert repr(ice) == "Surface(friction=0.1, torsional=0.0, restitution=0.2)"
    assert plucker.Shape.sphere(1, surface=ice).surface == ice


def test_held_prescribed_and_freed(arm: plucker.Robot) -> None:
    goal = np.array([0.3, 0.5, -0.2, -0.9, 0.4, 0.8, 0.1])
    sim = arm.simulator(step=1e-3)
    sim.hold(goal, 1e9, 1e7)
    sim.run(1, every=1000)
    assert_close(sim.q, goal, 1e-4)
    sim.aim(0.5 * goal)
    sim.run(1, every=1000)
    assert_close(sim.q, 0.5 * goal, 1e-4)
    sim.release()
    sim.prescribe(arm.joint_names[0], 0.7)
    sim.step()
    assert_close(sim.v[0], 0.7, 1e-12)
    sim.free(arm.joint_names[0])
    sim.step()
    assert abs(sim.v[0] - 0.7) > 1e-6


def test_links_that_overlap_are_refused_or_let_through() -> None:
    mass, shape, x = plucker.MassProperties.sphere(1, 0.1), plucker.Shape.sphere(0.1), (1, 0, 0)
    robot = (
        plucker.Builder("three")
        .link("ground")
        .body("ground", plucker.prismatic("a", x), "first", mass)
        .body("first", plucker.prismatic("b", x), "middle", mass)
        .body("middle", plucker.prismatic("c", x).at((0.05, 0, 0)), "last", mass)
        .collision("first", shape)
        .collision("last", shape)
        .build()
    )
    with pytest.raises(plucker.Error, match="link 'first' is inside link 'last'"):
        robot.simulator().set_state(np.zeros(3))
    sim = robot.simulator(ignore_overlaps=True)
    sim.set_state(np.zeros(3))
    sim.step()
    assert sim.overlaps == [("first", "last")] and sim.contacts == []



def overlapping_arm() -> plucker.Robot:
    """Its second link is inside its base, which is fixed."""
    shape, mass = plucker.Shape.sphere(0.1), plucker.MassProperties.sphere(1, 0.1)
    return (
        plucker.Builder("r")
        .link("base")
        .body("base", plucker.revolute("a", (0, 1, 0)).with_limits(-0.25, 0.5).at((0, 0, 0.05)), "first", mass)
        .body("first", plucker.revolute("b", (0, 1, 0)).at((0, 0, 0.03)), "second", mass)
        .collision("base", shape)
        .collision("second", shape)
        .build()
    )


def test_links_are_let_through_the_base_that_they_overlap() -> None:
    robot = overlapping_arm()
    with pytest.raises(plucker.Error, match="link 'second' is inside link 'base'; move them apart.*ignore_overlaps"):
        robot.simulator().set_state(np.zeros(2))
    sim = robot.simulator(plucker.World.flat(), ignore_overlaps=True)
    with pytest.raises(plucker.Error, match="link 'second' is inside the world's 'ground'"):
        sim.set_state(np.zeros(2))
    sim = robot.simulator(ignore_overlaps=True)
    sim.set_state(np.zeros(2))
    sim.step()
    assert sim.overlaps == [("second", "base")] and sim.contacts == []


def test_states_beyond_limits_are_refused_or_taken_back() -> None:
    robot = overlapping_arm()
    sim, many = robot.simulator(ignore_overlaps=True), robot.batch_simulator(2, ignore_overlaps=True)
    said = "joint 'a' at 2 rad, which is 1.5 rad beyond its limit of 0.5 rad; begin within .*joint_limits"
    with pytest.raises(plucker.Error, match=said):
        sim.set_state([2, 0])
    with pytest.raises(plucker.Error, match="robot 0: the robot starts with " + said):
        many.set_states([2, 0])
    sim.set_state([0.5078125, 0])
    many.set_states([0.5078125, 0])
    report = sim.step()
    assert report.beyond_limits == 0.0078125 == pickle.loads(pickle.dumps(report)).beyond_limits
    assert many.step().beyond_limits.tolist() == [0.0078125] * 2
    robot.simulator(joint_limits=False, ignore_overlaps=True).set_state([2, 0])


def test_velocities_that_break_a_loop_are_refused() -> None:
    mass = plucker.MassProperties.sphere(1, 0.1)
    robot = (
        plucker.Builder("geared")
        .link("base")
        .body("base", plucker.revolute("a", (0, 1, 0)), "first", mass)
        .body("base", plucker.revolute("b", (0, 1, 0)), "second", mass)
        .constraint(plucker.gear("mesh", "a", "b", -1))
        .build()
    )
    said = r"a velocity that violates constraint 'mesh' by 1 \(m/s or rad/s\); project_velocity"
    for begins in (robot.simulator().set_state, robot.free_motion().set_state, robot.batch_simulator(2).set_states):
        with pytest.raises(plucker.Error, match=said):
            begins([0.5, -0.5], [1, 0])
        begins([0.5, -0.5], [1, -1])


def test_recordings_are_named_for_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    plucker.robots.pendulum().write_urdf_file("m/p.urdf")
    recording = plucker.load("m/p.urdf").simulator().run(0.01)
    for name, begins in (("run.jsonl", "{"), ("run.CSV", "#"), ("run.HTML", "<"), ("run.htm", "<")):
        recording.save("out/" + name)
        assert Path("out/" + name).read_text()[0] == begins
    for name in ("run.tsv", "run.xyz"):
        with pytest.raises(plucker.Error, match=name + ": a recording is JSON lines in a file that ends in .jsonl"):
            recording.save(name)
    # The robot is where it was, seen from there.
    monkeypatch.chdir("out")
    assert plucker.load_recording("run.jsonl").q.shape == recording.q.shape
    (tmp_path / "m/p.urdf").unlink()
    with pytest.raises(plucker.Error, match="run.jsonl is of the robot 'm/p.urdf', and there is no .*; give the robot"):
        plucker.load_recording("run.jsonl")


def test_pushes_act_until_they_are_cleared() -> None:
    robot = ball().with_gravity((0, 0, 0))
    sim = robot.simulator(step=1e-3)
    sim.push("ball", (3, 0, 0))
    recording = sim.run(1)
    assert_close(recording.q[-1, 0], 1.5, 2e-3)
    sim.clear_pushes()
    before = sim.v
    sim.step()
    assert_close(sim.v, before, 1e-12)


# --- The same on every way ------------------------------------------------------------------------


def test_run_is_a_loop_of_steps(quadruped: plucker.Robot) -> None:
    q = crouching(quadruped)

    def controller(t: float, q_now: Array, v_now: Array) -> Array:
        tau = -0.5 * v_now + math.sin(9 * t)
        tau[:6] = 0
        return tau

    def begin() -> plucker.Simulator:
        sim = quadruped.simulator(plucker.World.flat(), step=0.004)
        sim.set_state(q)
        sim.hold(q, 50, 1)
        return sim

    one, other = begin(), begin()
    recording = one.run(0.4, controller, every=7)
    for _ in range(100):
        other.step(controller(other.time, other.q, other.v))
    assert np.array_equal(one.q, other.q) and np.array_equal(one.v, other.v)
    # The first instant, each seventh step, and the last.
    assert_close(recording.time, 0.004 * np.r_[0:100:7, 100], 1e-12)
    assert len(recording) == 16 and np.isnan(recording.residual[0])
    assert np.array_equal(recording.q[-1], one.q) and recording.energy[-1] == one.kinetic_energy + one.potential_energy
    # What acted: the controller's torque, at the beginning and in each step, and the springs'.
    again = begin()
    assert_close(recording.tau[0], controller(0, again.q, again.v) + again.holding_torque, 1e-12)
    for _ in range(7):
        tau = controller(again.time, again.q, again.v)
        again.step(tau)
    assert_close(recording.tau[1], tau + again.holding_torque, 1e-12)
    assert np.abs(again.holding_torque).max() > 0.1


@pytest.mark.skipif(not TOOL.is_file(), reason="the tool was not built beside the module")
def test_the_tool_records_the_same(tmp_path: Path, quadruped: plucker.Robot) -> None:
    theirs = tmp_path / "tool.jsonl"
    command = [str(TOOL), "simulate", "builtin:quadruped", "--ground", "mu=0.7", "--hold", "kp=40,kd=1", "--step", "0.005",
               "--duration", "1", "--every", "4", "--output", str(theirs)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    tool = plucker.load_recording(theirs)
    sim = quadruped.simulator(plucker.World.flat(friction=0.7), step=0.005)
    sim.set_state(tool.q[0], tool.v[0])
    sim.hold(tool.q[0], 40, 1)
    ours = tmp_path / "module.jsonl"
    sim.run(1, every=4).save(ours)
    assert ours.read_text() == theirs.read_text()


def test_recordings_are_saved_and_loaded(tmp_path: Path, quadruped: plucker.Robot) -> None:
    sim = quadruped.simulator(plucker.World.flat(friction=0.6), step=0.005)
    sim.set_state(crouching(quadruped))
    sim.push("trunk", (5, 0, 0))
    recording = sim.run(0.3, every=5)
    for name in ("run.jsonl", "run.csv"):
        recording.save(tmp_path / name)
        read = plucker.load_recording(tmp_path / name)
        assert read.robot.name == "quadruped" and not read.was_cut_off
        energies = () if name == "run.csv" else ("kinetic_energy", "potential_energy", "residual")
        for what in ("time", "q", "v", *energies):
            np.testing.assert_allclose(getattr(read, what), getattr(recording, what), rtol=0, atol=1e-12, err_msg=what)
    read = plucker.load_recording(tmp_path / "run.jsonl")
    assert [len(x) for x in read.contacts] == [len(x) for x in recording.contacts]
    assert np.array_equal(read.contacts[-1][0].force, recording.contacts[-1][0].force)
    first, *rest = map(json.loads, (tmp_path / "run.jsonl").read_text().splitlines())
    assert first["model"] == "builtin:quadruped" and first["ground"]["friction"] == 0.6 and first["step"] == 0.005
    assert len(rest) == len(recording) == 13
    assert rest[3]["pushes"][0]["link"] == "trunk" and rest[3]["pushes"][0]["force"] == [5, 0, 0]
    assert repr(read) == "<plucker.Recording of 'quadruped': 13 instants, 0.0 to 0.3 s>"

    built = block().simulator().run(0.01)
    built.save(tmp_path / "built.jsonl")
    with pytest.raises(plucker.Error, match="does not say which file its robot is from; give the robot"):
        plucker.load_recording(tmp_path / "built.jsonl")
    assert np.array_equal(plucker.load_recording(tmp_path / "built.jsonl", built.robot).q, built.q)
    built.save(tmp_path / "named.jsonl", model="block.urdf")
    assert json.loads((tmp_path / "named.jsonl").read_text().splitlines()[0])["model"] == "block.urdf"


def test_a_world_is_recorded_and_shown(tmp_path: Path, quadruped: plucker.Robot) -> None:
    world = plucker.World.flat().add(plucker.Shape.box((1, 1, 0.1), (2, 0, 0.05), name="stair"))
    world.height_field(np.zeros((4, 5)), spacing=0.1, origin=(3, -5, 0))
    sim = quadruped.simulator(world, step=0.005)
    sim.set_state(crouching(quadruped))
    recording = sim.run(0.05)
    recording.save(tmp_path / "run.jsonl")
    first = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])
    assert first["ground"]["friction"] == 1
    assert [shape["name"] for shape in first["world"]["shapes"]] == ["stair"]
    assert first["world"]["terrain"][0]["points"] == [4, 5]
    for shown in (recording, plucker.load_recording(tmp_path / "run.jsonl"), pickle.loads(pickle.dumps(recording))):
        assert '"box":[1.0,1.0,0.1]' in shown.view().html and '"terrain":[{"origin":[3.0,-5.0,0.0]' in shown.view().html
    recording.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text().startswith("<!DOCTYPE html>")


def test_what_is_no_world_is_said_to_be_none(quadruped: plucker.Robot) -> None:
    with pytest.raises(TypeError, match=r"simulator: world is int; expected plucker.World, or None"):
        quadruped.simulator(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"batch_simulator: world is str; expected plucker.World, or None"):
        quadruped.batch_simulator(2, [plucker.World.flat(), "flat"])  # type: ignore[list-item]


def test_simulators_say_what_they_are(quadruped: plucker.Robot) -> None:
    sim = quadruped.simulator(step=0.005)
    sim.step()
    assert repr(sim) == "<plucker.Simulator of 'quadruped', at 0.005000 s>"
    assert repr(quadruped.free_motion()) == "<plucker.FreeMotion of 'quadruped', at 0.000000 s>"
    assert repr(quadruped.batch_simulator(3)) == "<plucker.BatchSimulator of 3 times 'quadruped'>"


def test_many_are_as_one(quadruped: plucker.Robot) -> None:
    count, steps = 11, 60
    generator = np.random.default_rng(3)
    q = np.tile(crouching(quadruped), (count, 1))
    q[:, 7:] += generator.uniform(-0.1, 0.1, (count, quadruped.nq - 7))
    v = generator.uniform(-0.2, 0.2, (count, quadruped.nv))
    tau = generator.uniform(-1, 1, (count, quadruped.nv))
    tau[:, :6] = 0
    force = generator.uniform(-20, 20, (count, 3))
    worlds = [plucker.World.flat(friction=0.2 + 0.1 * k) for k in range(count)]
    for world in (worlds[4], worlds):
        many = quadruped.batch_simulator(count, world, step=0.004, threads=2)
        many.set_states(q, v)
        many.hold(40, 1)
        many.push("trunk", force)
        report = many.step(tau, steps)
        assert len(many) == len(report) == count and report.converged.all() and (report.status == 0).all()
        for k in range(count):
            one = quadruped.simulator(world[k] if isinstance(world, list) else world, step=0.004)
            one.set_state(q[k], v[k])
            one.hold(one.q, 40, 1)
            one.push("trunk", force[k])
            for _ in range(steps):
                last = one.step(tau[k])
            # In lanes numbers are rounded differently.
            assert np.allclose(one.q, many.q[k], rtol=0, atol=1e-9)
            assert np.allclose(one.v, many.v[k], rtol=0, atol=1e-8)
            assert abs(last.certificate - report.certificate[k]) < 1e-8
            assert abs(last.deepest - report.deepest[k]) < 1e-9 and report.iterations[k] >= 0
            assert last.by == report.by[k] and one.time == many.time[k]
            own = many.contacts(k)
            assert [c.link for c in one.contacts] == [c.link for c in own]
            for a, b in zip(one.contacts, own):
                assert np.allclose(a.force, b.force, rtol=1e-6, atol=1e-6)
        assert any(many.contacts(k) for k in range(count))


def test_some_begin_anew(arm: plucker.Robot) -> None:
    many = arm.batch_simulator(20)
    many.step(steps=5)
    moved = many.q
    mask = np.arange(20) % 3 == 0
    begin = 0.1 * np.eye(7)[0]
    many.reset(mask, begin)
    assert np.array_equal(many.q[~mask], moved[~mask]) and np.all(many.q[mask] == begin)
    assert np.all(many.v[mask] == 0) and np.all((many.time == 0) == mask)
    spoilt = np.zeros((20, 7))
    spoilt[4, 2] = np.nan
    before = many.q
    report = many.step(spoilt)
    assert plucker.Status(report.status[4]) == plucker.Status.NON_FINITE_INPUT
    assert np.array_equal(many.q[4], before[4]) and (np.delete(report.status, 4) == 0).all()


# --- Without contact ------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["rk4", "adaptive", "symplectic"])
def test_free_motion_keeps_energy(integrator: Any) -> None:
    robot = plucker.robots.double_pendulum()
    motion = robot.free_motion(integrator, step=1e-3)
    motion.set_state([1.0, 0.5], [0.1, 0.0])
    begin = motion.kinetic_energy + motion.potential_energy
    motion.advance_to(2.0)
    assert motion.time == 2.0 and motion.num_steps > 10
    assert abs(motion.kinetic_energy + motion.potential_energy - begin) < 1e-4
    reference = robot.free_motion("adaptive", tolerance=1e-12)
    reference.set_state([1.0, 0.5], [0.1, 0.0])
    reference.advance_to(2.0)
    assert_close(motion.q, reference.q, 1e-4)


def test_events_are_found_between_steps() -> None:
    robot = plucker.robots.particle()
    motion = robot.free_motion("adaptive")
    g = float(np.linalg.norm(robot.gravity))
    motion.set_state([0, 1], [1, 0])
    assert motion.advance_to(5, event=lambda t, q, v: q[1])
    assert_close(motion.time, math.sqrt(2 / g), 1e-9)
    q, v = motion.state_at(motion.time)
    assert_close(q, [motion.time, 0], 1e-8)
    assert not motion.advance_to(motion.time + 0.1, event=lambda t, q, v: 1.0)
    with pytest.raises(plucker.Error, match="events are located by the adaptive integrator"):
        robot.free_motion().advance_to(1, event=lambda t, q, v: 1.0)
    motion.set_state([0, 0], time=3)
    for event in (None, lambda t, q, v: 1.0):
        with pytest.raises(plucker.Error, match="advance_to: 2 s is before the motion's time, 3 s"):
            motion.advance_to(2, event=event)


def test_free_motion_is_controlled_and_pushed(arm: plucker.Robot) -> None:
    motion = arm.free_motion(step=1e-3)
    q = np.array([0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0])
    motion.set_state(q)
    motion.control(lambda t, q, v: arm.inverse_dynamics(q, v, np.zeros(7)))
    motion.advance_to(0.05)
    assert_close(motion.q, q, 1e-9)
    motion.push("tool", (0, 30, 0))
    motion.advance_to(0.1)
    assert np.max(np.abs(motion.q - q)) > 1e-4

    def broken(t: float, q: Array, v: Array) -> Array:
        raise ZeroDivisionError("in the controller")

    motion.control(broken)
    before = motion.q
    with pytest.raises(ZeroDivisionError, match="in the controller"):
        motion.step()
    assert np.array_equal(motion.q, before)
    motion.control(lambda t, q, v: motion.step())
    with pytest.raises(plucker.Error, match="step: the simulator is at work"):
        motion.step()
    motion.control(None)
    motion.step()


# --- Threads and processes ------------------------------------------------------------------------


def test_others_run_while_many_step(quadruped: plucker.Robot) -> None:
    many = quadruped.batch_simulator(64, plucker.World.flat(), step=0.002, threads=1)
    many.set_states(crouching(quadruped))
    refused: list[str] = []
    asking, stop = threading.Event(), threading.Event()

    def ask() -> None:
        while not stop.is_set():
            try:
                many.q
            except plucker.Error as error:
                refused.append(str(error))
            asking.set()
            time.sleep(0.0001)

    thread = threading.Thread(target=ask)
    thread.start()
    asking.wait()
    # Only who runs while a step is under way is refused; how long a step takes is the machine's affair.
    for _ in range(1000):
        if refused:
            break
        many.step(steps=80)
    stop.set()
    thread.join()
    assert refused and refused[0].startswith("q: the simulator is at work")
    assert many.q.shape == (64, quadruped.nq)


@pytest.mark.parametrize("way", ["run", "controller", "many", "free"])
def test_interrupt_stops_a_long_simulation(arm: plucker.Robot, way: str) -> None:
    acts = {
        "run": lambda: arm.simulator().run(1e4, every=10**9),
        "controller": lambda: arm.simulator().run(1e4, lambda t, q, v: None, every=10**9),
        "many": lambda: arm.batch_simulator(10, threads=1).step(steps=10**8),
        "free": lambda: arm.free_motion().advance_to(1e6),
    }
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        acts[way]()
    assert time.monotonic() - begin < 5
    timer.join()


def test_a_forked_process_makes_its_own(arm: plucker.Robot) -> None:
    many = arm.batch_simulator(40, threads=2)
    many.step()
    child = os.fork()
    if child == 0:
        try:
            many.step()
            os._exit(1)
        except plucker.Error as error:
            del many  # does not wait for threads that are not there
            own = arm.batch_simulator(40, threads=2)
            own.step()
            os._exit(0 if "before this process was forked" in str(error) else 2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# --- Mistakes -------------------------------------------------------------------------------------


def test_mistakes_are_named(arm: plucker.Robot, quadruped: plucker.Robot) -> None:
    sim = arm.simulator()
    many = arm.batch_simulator(3)
    q = np.zeros(7)
    mistakes: list[tuple[Any, str]] = [
        (lambda: plucker.Surface(friction=-1), r"Surface: friction is -1; it must be zero or positive"),
        (lambda: plucker.World.flat(restitution=2), r"restitution is 2; above 1 an impact would add energy"),
        (lambda: plucker.Shape.sphere(0), r"Shape: radius is 0; it must be positive, such as 0.1"),
        (lambda: plucker.World().height_field([1, 2]), r"heights has shape \(2,\), expected \(points along x"),
        (lambda: plucker.World().height_field([[1, 2]] * 2, 0), r"spacing is 0; it must be positive"),
        (lambda: plucker.World().height_field([[1, 2]], 1, name="hill"), r"height field 'hill': it has 1 × 2 points"),
        (lambda: plucker.World().height_field([[1, 2], [3, np.nan]]), r"'terrain': its height at point \(1, 1\) is nan"),
        (lambda: plucker.World().height_field([[1, np.inf], [3, 4]]), r"'terrain': its height at point \(0, 1\) is inf"),
        (lambda: arm.simulator(step=0), "step"),
        (lambda: sim.set_state(q[:3]), r"set_state: q has size 3, expected 7 \(nq\)"),
        (lambda: sim.set_state([q, q]), "set_state: q has 2 dimensions; one state is taken at a time"),
        (lambda: sim.set_state(q + np.inf), r"set_state: q\[0\] \(joint 'joint1'\) is inf; it must be finite"),
        (lambda: sim.step(q[:2]), r"step: tau has size 2, expected 7 \(nv\)"),
        (lambda: sim.step(q + np.nan), "step: the torque of 'joint1' is nan at 0"),
        (lambda: sim.hold(q, -1, 0), "hold: the gains of 'joint1' are -1"),
        (lambda: sim.hold(q, [1, 2], 0), r"hold: kp has size 2, expected 7 \(or one number for all\)"),
        (lambda: sim.prescribe("joint", 1), "closest: 'joint1'"),
        (lambda: sim.push("tol", (0, 0, 1)), "push: unknown frame 'tol'; closest: 'tool'"),
        (lambda: sim.push("tool", (0, 1)), r"push: force has size 2, expected 3 \(or 6, the moment first\)"),
        (lambda: sim.push("tool", (0, 1, np.nan)), "push: the force is not finite"),
        (lambda: sim.run(-1), "run: duration is -1; it must be positive, such as 10"),
        (lambda: sim.run(1, every=0), "run: every is 0; it must be 1 or more"),
        (lambda: sim.run(1, lambda t, q, v: v[:4]), r"run: what the controller returned has size 4, expected 7"),
        (lambda: arm.batch_simulator(0), "count is 0; it must be 1 or more"),
        (lambda: arm.batch_simulator(3, [plucker.World()] * 2), "world has size 2, expected 3"),
        (lambda: many.set_states(np.zeros((2, 7))), r"q has shape \(2, 7\), expected \(3, 7\), one row per robot, or \(7,\)"),
        (lambda: many.reset([True], q), "reset: mask has size 1, expected 3"),
        (lambda: many.step(steps=0), "step: steps is 0; it must be 1 or more"),
        (lambda: many.contacts(3), "there is no robot 3: they are numbered from 0 to 2"),
        (lambda: arm.free_motion("euler"), "integrator is 'euler'; it must be 'rk4', 'adaptive' or 'symplectic'"),
        (lambda: arm.free_motion(step=-1), "a step of -1"),
    ]
    for mistake, says in mistakes:
        with pytest.raises(plucker.Error, match=says):
            mistake()
    for wrong in (lambda: sim.run(1, 3), lambda: many.reset([0, 2, 1], q), lambda: sim.set_state("zero")):
        with pytest.raises(TypeError):
            wrong()
    assert sim.time == 0 and np.array_equal(sim.q, q)
    deep = quadruped.simulator(plucker.World.flat())
    with pytest.raises(plucker.Error, match="inside"):
        deep.set_state(above(quadruped, -1))
