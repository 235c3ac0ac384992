"""Robots: building, editing, reading, writing, pickling, printing, laws."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROBOTS, Sample, assert_close, robot_named

import plucker

DATA = Path(__file__).parents[1] / "data"


def test_built_in_robots_are_the_librarys() -> None:
    for name in plucker.robots.names():
        if "(" not in name:
            assert getattr(plucker.robots, name)().name == name
    assert plucker.robots.chain(4).nv == 4
    assert plucker.robots.tree(5, 2).num_bodies == 5


def test_builder_makes_what_it_says() -> None:
    robot = (
        plucker.Builder("crane")
        .gravity((0, 0, -1.62))
        .link("ground")
        .body("ground", plucker.prismatic("slide", (1, 0, 0)).with_limits(-1, 2, 3, 4), "cart", plucker.MassProperties(3))
        .body(
            "cart",
            plucker.revolute("hinge", (0, 1, 0)).at((0, 0, 0.5)).with_damping(0.1).with_friction(0.2).with_armature(0.3),
            "boom",
            plucker.MassProperties.box(2, (1, 0.1, 0.1), (0.5, 0, 0)),
        )
        .frame("hook", "boom", plucker.pose((1, 0, 0), (0, np.pi / 2, 0)))
        .build()
    )
    assert (robot.nq, robot.nv, robot.num_bodies) == (2, 2, 2)
    assert robot.joint_names == ["slide", "hinge"] and robot.body_names == ["cart", "boom"]
    assert robot.frame_names == ["ground", "cart", "boom", "hook"]
    assert robot.total_mass == 5
    np.testing.assert_array_equal(robot.gravity, [0, 0, -1.62])
    np.testing.assert_array_equal(robot.lower_limits, [-1, -np.inf])
    np.testing.assert_array_equal(robot.upper_limits, [2, np.inf])
    np.testing.assert_array_equal(robot.velocity_limits, [3, np.inf])
    np.testing.assert_array_equal(robot.effort_limits, [4, np.inf])
    np.testing.assert_array_equal(robot.damping, [0, 0.1])
    np.testing.assert_array_equal(robot.friction, [0, 0.2])
    np.testing.assert_array_equal(robot.armature, [0, 0.3])
    pose = robot.frame_pose([0.25, 0], "hook")
    assert_close(pose, [[0, 0, 1, 1.25], [0, 1, 0, 0], [-1, 0, 0, 0.5]], 1e-15)
    assert robot.inertia("boom").center.tolist() == [0.5, 0, 0]
    hinge = robot.joints[1]
    assert (hinge.name, hinge.type, hinge.parent, hinge.child) == ("hinge", "revolute", "cart", "boom")
    assert hinge.placement[:, 3].tolist() == [0, 0, 0.5]


def test_every_joint_type_can_be_made() -> None:
    made = [
        plucker.fixed("j"), plucker.revolute("j", (0, 0, 1)), plucker.prismatic("j", (0, 0, 1)),
        plucker.helical("j", (0, 0, 1), 0.1), plucker.cylindrical("j", (0, 0, 1)),
        plucker.universal("j", (1, 0, 0), (0, 1, 0)), plucker.spherical("j"), plucker.planar("j", (0, 0, 1)),
        plucker.translation("j"), plucker.floating("j"),
    ]  # fmt: skip
    freedoms = [0, 1, 1, 1, 2, 2, 3, 3, 3, 6]
    for joint, nv in zip(made, freedoms, strict=True):
        mass = plucker.MassProperties.sphere(1, 0.1)
        robot = plucker.Builder("r").link("a").body("a", joint, "b", mass).build()
        assert robot.nv == nv
        assert not any(law.fails for law in robot.verify(samples=1))


def test_edits_make_new_robots(arm: plucker.Robot) -> None:
    locked = arm.lock_joints({"joint1": 0.5, "joint2": [0.1]})
    assert (locked.nv, arm.nv) == (5, 7)
    q = arm.neutral()
    q[:2] = 0.5, 0.1
    assert_close(locked.frame_pose(locked.neutral(), "tool"), arm.frame_pose(q, "tool"))
    floating = arm.with_base("floating")
    assert floating.has_floating_base and floating.nv == 13
    assert arm.with_gravity((0, 0, 0)).gravity_torque(q).tolist() == [0] * 7
    loaded = arm.with_payload("tool", plucker.MassProperties.point(2))
    assert loaded.total_mass == pytest.approx(arm.total_mass + 2)
    heavy = arm.with_mass("link7", plucker.MassProperties(9))
    assert heavy.inertia("link7").mass == 9
    both = arm.attach("tool", plucker.robots.pendulum(), (0, 0, 0.1), "hanging_")
    assert both.nv == 8 and any(name.startswith("hanging_") for name in both.joint_names)
    rubbing = plucker.robots.exoskeleton()
    assert rubbing.with_friction(False).damping.max() == 0


@pytest.mark.parametrize("name", ROBOTS)
def test_pickled_robots_compute_the_same_bits(name: str) -> None:
    s = Sample(robot_named(name))
    pickled = [pickle.loads(pickle.dumps(s.robot, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for copied in (*pickled, copy.deepcopy(s.robot)):
        assert copied.frame_names == s.robot.frame_names
        np.testing.assert_array_equal(copied.mass_matrix(s.q), s.robot.mass_matrix(s.q))
    assert pickle.loads(pickle.dumps(s.robot.compile())).is_compiled == s.robot.compile().is_compiled


def test_parts_and_results_pickle(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped)
    forces = plucker.ExternalForces(quadruped)
    forces.add("trunk", [1, 2, 3, 4, 5, 6], "world")
    again = pickle.loads(pickle.dumps(forces))
    tau = quadruped.inverse_dynamics(s.q, s.v, s.a, forces)
    np.testing.assert_array_equal(again.robot.inverse_dynamics(s.q, s.v, s.a, again), tau)
    results = pickle.loads(pickle.dumps(quadruped.jacobians(s.q)))
    assert type(results) is plucker.Jacobians
    np.testing.assert_array_equal(results.J, quadruped.jacobians(s.q).J)
    mass = plucker.MassProperties.box(1, (1, 2, 3))
    assert pickle.loads(pickle.dumps(mass)) == mass
    joint = pickle.loads(pickle.dumps(plucker.revolute("j", (0, 1, 0)).mimicking("other", 2, 3)))
    assert joint.mimic == ("other", 2, 3)


def attributes(x: Any) -> Any:
    """What an object says of itself, as deep as it goes."""
    if isinstance(x, (str, bytes, int, float, type(None))):
        return x
    if isinstance(x, np.ndarray):
        return x.tolist()
    if isinstance(x, (list, tuple)):
        return [attributes(y) for y in x]
    if isinstance(x, plucker.Robot):
        return str(x)
    names = [name for name, y in vars(type(x)).items() if isinstance(y, property) and not name.startswith("__")]
    assert names, type(x)
    return [(name, attributes(getattr(x, name))) for name in names]


def results() -> list[Any]:
    robot = plucker.robots.pendulum()
    excitation = robot.excite(3, trials=2)
    log = excitation.log
    ball = plucker.Builder("ball").base("floating").link("ball", plucker.MassProperties.sphere(1, 0.1))
    ball.collision("ball", plucker.Shape.sphere(0.1))
    simulator = ball.build().simulator(plucker.World.flat())
    simulator.set_state([0, 0, 0.1, 0, 0, 0, 1])
    many = ball.build().batch_simulator(2)
    odd = plucker.loads('<robot name="a"><link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
                        'iyy="1" iyz="0" izz="9"/></inertial></link></robot>', base="floating")  # fmt: skip
    found = robot.identify(log.time, log.q, log.tau, log.v, log.a)
    recording = simulator.run(0.02)
    return [
        excitation, found, robot.base_parameters(), robot.verify(samples=1)[0], recording, simulator.step(), many.step(),
        simulator.contacts[0], odd.findings[0], plucker.rod("r", "a", "b", 0.4), plucker.Shape.box((1, 2, 3), (0, 0, 1)),
        *robot.compile(["mass_matrix"]).compiled_functions,
    ]  # fmt: skip


def test_all_results_pickle() -> None:
    for result in results():
        again = pickle.loads(pickle.dumps(result))
        assert type(again) is type(result)
        np.testing.assert_equal(attributes(again), attributes(result))


def test_robots_print_as_trees(arm: plucker.Robot) -> None:
    lines = str(arm).splitlines()
    assert lines[0] == "arm: fixed base, nq 7, nv 7, 18 kg moving"
    assert lines[2] == "└─ link1  3.5 kg  joint1: revolute [-2.8, 2.8]"
    assert repr(arm) == "<plucker.Robot 'arm': nq 7, nv 7>"
    html = arm._repr_html_()
    assert html.startswith("<table") and html.count("<tr>") == 9
    evil = plucker.Builder("<b>").link("<script>").build()
    assert "<script>" not in evil._repr_html_()
    assert len(str(plucker.robots.chain(3000)).splitlines()) == 3002
    tree = plucker.Builder("tree").link("ground")
    for link, parent in [("a", "ground"), ("a1", "a"), ("a11", "a1"), ("a2", "a"), ("b", "ground"), ("b1", "b")]:
        tree.body(parent, plucker.fixed(f"to_{link}"), link, plucker.MassProperties())
    assert str(tree.build()).splitlines()[1:] == [
        "ground",
        "├─ a  to_a: fixed",
        "│  ├─ a1  to_a1: fixed",
        "│  │  └─ a11  to_a11: fixed",
        "│  └─ a2  to_a2: fixed",
        "└─ b  to_b: fixed",
        "   └─ b1  to_b1: fixed",
    ]
    for limits, shown in [((-1, 2), " [-1, 2]"), ((-1, np.inf), " [-1, inf]"), ((-np.inf, 2), " [-inf, 2]"), ((), "")]:
        joint = plucker.revolute("hinge", (0, 0, 1)).with_limits(*limits)
        flag = plucker.Builder("flag").link("pole").body("pole", joint, "cloth", plucker.MassProperties(1)).build()
        assert str(flag).splitlines()[2] == f"└─ cloth  1 kg  hinge: revolute{shown}"


def test_urdf_is_written_and_read(arm: plucker.Robot, tmp_path: Path) -> None:
    q = Sample(arm).q
    again = plucker.loads(arm.write_urdf())
    np.testing.assert_array_equal(again.mass_matrix(q), arm.mass_matrix(q))
    path = tmp_path / "arm.urdf"
    assert all(f.severity == "warning" for f in arm.write_urdf_file(path))
    assert plucker.load(str(path)).nv == plucker.load(path).nv == 7
    assert plucker.load(path, base="floating").nv == 13


def test_other_formats_are_read() -> None:
    mjcf = '<mujoco><worldbody><body name="b"><freejoint name="f"/><geom size="0.1"/></body></worldbody></mujoco>'
    assert plucker.loads(mjcf).nv == 6
    postures = plucker.loads(mjcf.replace("<body ", '<body pos="1 2 3" ')).postures
    assert list(postures) == ["file"] and postures["file"].tolist() == [1, 2, 3, 0, 0, 0, 1]
    assert plucker.robots.arm().postures == {}
    sdf = (
        '<sdf version="1.7"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"
    )
    assert plucker.loads(sdf).nv == 1


IMPOSSIBLE = {
    "not positive semidefinite": plucker.MassProperties(1, (0, 0, 0), -50 * np.eye(3)),
    "violates the triangle inequality": plucker.MassProperties(1, (0, 0, 0), (1, 1, 3)),
    "mass is zero but its rotational inertia is not": plucker.MassProperties(0, (0, 0, 0), (1, 1, 1)),
}


@pytest.mark.parametrize("why", IMPOSSIBLE)
def test_what_an_edit_makes_impossible_is_a_finding(why: str) -> None:
    inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    text = f'<robot name="r"><link name="a"><inertial><mass value="1"/>{inertia}</inertial></link></robot>'
    robot = plucker.loads(text, file="r.urdf", base="floating")
    assert not robot.findings
    for odd, link in [
        (robot.with_mass("a", IMPOSSIBLE[why]), "a"),
        (robot.with_payload("a", IMPOSSIBLE[why]), "payload"),
        (robot.with_mass("a", IMPOSSIBLE[why]).with_gravity((0, 0, 0)), "a"),
        (plucker.Builder("b").physics("lenient").link("c", IMPOSSIBLE[why]).build(), "c"),
    ]:
        finding = next(f for f in odd.findings if why in f.message)
        assert (finding.element, finding.file, finding.severity) == (f"link '{link}'", "", "warning")
    strict = plucker.loads(text, file="r.urdf", base="floating", physics="strict")
    with pytest.raises(plucker.Error, match=f"^with_mass: 'a': .*{why}"):
        strict.with_mass("a", IMPOSSIBLE[why])
    with pytest.raises(plucker.Error, match=f"^with_payload: 'payload': .*{why}"):
        strict.with_payload("a", IMPOSSIBLE[why])


@pytest.mark.parametrize("bad", [-1.0, np.nan])
def test_sizes_of_masses_are_not_negative(bad: float) -> None:
    for make in (
        lambda: plucker.MassProperties.sphere(1, bad),
        lambda: plucker.MassProperties.box(1, (bad, 2, 3)),
        lambda: plucker.MassProperties.cylinder(1, bad, 3),
        lambda: plucker.MassProperties.cylinder(1, 2, bad),
    ):
        with pytest.raises(plucker.Error, match=f"is {bad:g} m; it must not be negative"):
            make()


def test_findings_name_the_place() -> None:
    text = (
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>'
        '<inertia ixx="0.1" iyy="0.1" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    finding = next(f for f in plucker.loads(text, file="odd.urdf").findings if "triangle" in f.message)
    assert (finding.severity, finding.file, finding.line) == ("warning", "odd.urdf", 1)
    assert str(finding).startswith("odd.urdf:1: warning: link 'b'")
    with pytest.raises(plucker.Error, match="triangle"):
        plucker.loads(text, physics="strict")


def test_laws_hold(arm: plucker.Robot) -> None:
    laws = arm.verify(samples=2, seed=3)
    assert len(laws) > 40
    assert all(law.holds or law.not_checked for law in laws)


def test_evaluate_is_the_tools_contract(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped)
    states = [quadruped.state(s.q, s.v), quadruped.state(quadruped.neutral())]
    answers = quadruped.evaluate(states, quantities=["kinetic_energy"])
    assert answers["samples"][0]["kinetic_energy"] == pytest.approx(quadruped.kinetic_energy(s.q, s.v))
    text = quadruped.evaluate_json(json.dumps(states), quantities=["kinetic_energy"])
    assert json.loads(text) == answers
    with pytest.raises(plucker.Error, match="closest"):
        quadruped.evaluate(states, quantities=["kinetic_enrgy"])


def test_evaluate_takes_arrays(arm: plucker.Robot) -> None:
    q, v = arm.random_configurations(1, seed=2)[0], np.linspace(0, 1, 7)
    answer = arm.evaluate({"q": q, "v": v}, quantities=["kinetic_energy"])
    assert answer["kinetic_energy"] == pytest.approx(arm.kinetic_energy(q, v), rel=1e-14)
    by_name = {"joints": dict(zip(arm.joint_names, q))}  # numbers of NumPy's own
    assert arm.evaluate({"q": by_name, "v": v}, quantities=["kinetic_energy"]) == answer
    assert arm.evaluate({"q": q, "v": v}, ["kinetic_energy"]) == answer
    with pytest.raises(plucker.Error, match="evaluate: a number of the states is nan or infinite; all must be finite"):
        arm.evaluate({"q": np.full(arm.nq, np.nan)})
    with pytest.raises(TypeError, match="evaluate: a state has object; expected numbers, lists and arrays by name"):
        arm.evaluate({"q": object()})


def test_external_forces_take_their_share(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (6,))
    frame = quadruped.frame_names[-1]
    wrench = np.random.default_rng(1).uniform(-1, 1, (6, 6))
    for reference in ("body", "world", "world_aligned"):
        forces = plucker.ExternalForces(quadruped)
        forces.add(frame, wrench, reference)
        tau = quadruped.inverse_dynamics(s.q, s.v, s.a, forces)
        J = quadruped.frame_jacobian(s.q, frame, reference)
        share = np.einsum("nij,ni->nj", J, wrench)
        assert_close(quadruped.inverse_dynamics(s.q, s.v, s.a) - tau, share, 1e-10)
        one = plucker.ExternalForces(quadruped)
        one.add(frame, wrench[2], reference)
        assert_close(quadruped.inverse_dynamics(s.q[2], s.v[2], s.a[2], external=one), tau[2], 1e-12)
        forces.clear()
        assert len(forces) == 0
        np.testing.assert_array_equal(
            quadruped.inverse_dynamics(s.q, s.v, s.a, forces), quadruped.inverse_dynamics(s.q, s.v, s.a)
        )


def test_forces_broadcast_like_all_else(arm: plucker.Robot) -> None:
    s = Sample(arm, (4, 1))
    forces = plucker.ExternalForces(arm)
    forces.add("tool", np.ones((3, 6)), "body")
    forces.add("link3", np.ones(6), "world")
    assert arm.inverse_dynamics(s.q, s.v, s.a, forces).shape == (4, 3, 7)
    assert arm.inverse_dynamics(s.q[0, 0], s.v[0, 0], s.a[0, 0], forces).shape == (3, 7)
    forces.add("tool", np.ones((5, 6)), "body")
    with pytest.raises(plucker.Error, match="external forces have shapes"):
        arm.inverse_dynamics(s.q, s.v, s.a, forces)


def test_random_configurations_are_the_seeds(arm: plucker.Robot) -> None:
    a, b = (arm.random_configurations(50, seed=7) for _ in range(2))
    np.testing.assert_array_equal(a, b)
    assert (a >= arm.lower_limits).all() and (a <= arm.upper_limits).all()
    assert (a != arm.random_configurations(50, seed=8)).any()


def test_the_base_is_known_by_both_names() -> None:
    ball = "<body name='ball'><freejoint name='root'/><geom size='.1'/><body><joint name='hinge'/><geom size='.1'/></body></body>"
    robot = plucker.loads(f"<mujoco><worldbody>{ball}</worldbody></mujoco>")
    assert robot.joint_names == ["root", "hinge"]
    assert robot.configuration_names[0] == "root.position.x"
    assert robot.q_index("root") == robot.q_index("base") == robot.v_index("base") == 0
    state = robot.state(robot.neutral(), np.ones(7))
    assert set(state["v"]) == {"root", "joints"}
    common = {key: {"base" if x == "root" else x: y for x, y in part.items()} for key, part in state.items()}
    assert robot.evaluate(common, ["kinetic_energy"]) == robot.evaluate(state, ["kinetic_energy"])
