"""Robots and states of Pinocchio and MuJoCo. Neither Python module need be installed: what stands in for a model has those
attributes of theirs that are read, by the names that Pinocchio's bindings (3.x) and MuJoCo's give them, and no others. The
numbers are compared with the robot that it was made from. MuJoCo's XML is written by MuJoCo itself."""

from __future__ import annotations

import ctypes
import ctypes.util
import re
import sys
import types
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import Sample, assert_close

import plucker


class JointModel:
    """As in model.joints: of one type for all joints. What is a joint's own, such as its axis, has what extract() gives."""

    def __init__(self, kind: str, nq: int, idx_q: int, idx_v: int, **own: Any) -> None:
        self.nq, self.idx_q, self.idx_v = nq, idx_q, idx_v
        self.shortname = lambda: kind
        self.extract = lambda: SimpleNamespace(nq=nq, idx_q=idx_q, idx_v=idx_v, shortname=lambda: kind, **own)


def pinocchio_model(robot: plucker.Robot) -> Any:
    """A robot with revolute joints, as Pinocchio has it."""
    coordinates = robot.coordinates("pinocchio")
    floats = robot.has_floating_base
    names, parents, joints, placements, inertias = ["universe"], [0], [None], [None], [None]

    def se3(pose: Any) -> Any:
        return SimpleNamespace(rotation=pose[:, :3], translation=pose[:, 3])

    def add(name: str, parent: int, kind: str, placement: Any, link: str, **more: Any) -> None:
        mass = robot.inertia(link)
        names.append(name)
        parents.append(parent)
        joints.append(JointModel(kind, **more))
        placements.append(se3(placement))
        inertias.append(SimpleNamespace(mass=mass.mass, lever=mass.center, inertia=mass.about_center))

    root = next(link for link in robot.links if link not in {j.child for j in robot.joints})
    index = {root: 0}
    if floats:
        add("root_joint", 0, "JointModelFreeFlyer", plucker.pose(), root, nq=7, idx_q=0, idx_v=0)
        index[root] = 1
    v_names = coordinates.v_names
    ordered = sorted(robot.joints, key=lambda j: v_names.index(j.name))
    for j in ordered:
        axis = "XYZ"[int(np.argmax(j.axis))]
        kind = f"JointModelR{axis}" if j.axis.max() == 1 else "JointModelRevoluteUnaligned"
        q_at, v_at = coordinates.q_names.index(j.name), v_names.index(j.name)
        add(j.name, index[j.parent], kind, j.placement, j.child, nq=1, idx_q=q_at, idx_v=v_at, axis=j.axis)
        index[j.child] = len(names) - 1
    limits = np.full((4, coordinates.nq), np.inf)
    for j in ordered:
        limits[0, coordinates.q_names.index(j.name)], limits[1, coordinates.q_names.index(j.name)] = j.limits
    tool = robot.frame_names[-1]
    link = ordered[-1].child
    neutral = robot.neutral()
    pose = np.linalg.inv(np.vstack([robot.frame_pose(neutral, link), [0, 0, 0, 1]]))
    pose = pose @ np.vstack([robot.frame_pose(neutral, tool), [0, 0, 0, 1]])
    frame = SimpleNamespace(name="the tool", parentJoint=index[link], placement=se3(pose[:3]))
    return SimpleNamespace(
        name=robot.name, names=names, parents=parents, joints=joints, jointPlacements=placements, inertias=inertias,
        gravity=SimpleNamespace(linear=robot.gravity), frames=[frame], damping=np.zeros(coordinates.nv),
        nq=coordinates.nq, nv=coordinates.nv,
        lowerPositionLimit=limits[0], upperPositionLimit=limits[1], velocityLimit=limits[2], effortLimit=limits[3],
    )  # fmt: skip


@pytest.mark.parametrize("name", ["arm", "quadruped"])
def test_robot_from_pinocchio(name: str) -> None:
    s = Sample(plucker.robots.by_name(name).with_friction(False))
    model = pinocchio_model(s.robot)
    robot = plucker.from_pinocchio(model)
    assert robot.nv == s.robot.nv
    q, v = robot.from_pinocchio_order(*s.robot.to_pinocchio_order(s.q, s.v))
    their_tau = s.robot.coordinates("pinocchio").export_tau(s.q, s.robot.bias_torque(s.q, s.v))
    tau = robot.coordinates("pinocchio").export_tau(q, robot.bias_torque(q, v))
    assert_close(tau, their_tau)
    assert_close(robot.frame_pose(q, "the tool"), s.robot.frame_pose(s.q, s.robot.frame_names[-1]))
    assert_close(np.sort(robot.lower_limits), np.sort(s.robot.lower_limits))


def test_joints_that_have_no_counterpart_are_named(arm: plucker.Robot) -> None:
    model = pinocchio_model(arm)
    model.joints[3].shortname = lambda: "JointModelComposite"
    with pytest.raises(plucker.Error, match="joint 'joint3' is a JointModelComposite"):
        plucker.from_pinocchio(model)


def test_other_coordinates_than_a_files_are_told(arm: plucker.Robot) -> None:
    mass = arm.inertia("link1")
    fork = plucker.Builder("fork").link("base")
    for name in ("a", "b"):
        fork.body("base", plucker.revolute(name, (0, 0, 1)).with_limits(-1, 1), f"{name}_link", mass)
    model = pinocchio_model(fork.build())
    model.lowerPositionLimit[:], model.upperPositionLimit[:] = -np.inf, np.inf
    assert plucker.from_pinocchio(model).coordinates("pinocchio").nq == 2  # angles, though without limits
    model.names[1:3] = "b", "a"
    with pytest.warns(UserWarning, match="the model has nq 2 and joints in the order b, a; .* have 2 and a, b"):
        plucker.from_pinocchio(model)


def test_joints_that_follow_others_from_pinocchio(arm: plucker.Robot) -> None:
    """As Pinocchio has them since 3.7: without coordinates, and with a subspace that is scaled."""
    follower = plucker.revolute("joint2", arm.joints[1].axis).at(arm.joints[1].placement).mimicking("joint1", -0.5, 0.2)
    builder = plucker.Builder("pair").link("base").body("base", arm.joints[0], "link1", arm.inertia("link1"))
    s = Sample(builder.body("link1", follower, "link2", arm.inertia("link2")).build())
    model = pinocchio_model(arm)
    for name in ("names", "parents", "joints", "jointPlacements", "inertias"):
        setattr(model, name, getattr(model, name)[:3])
    subspace = -0.5 * np.concatenate([np.zeros(3), arm.joints[1].axis])
    more = {"createData": lambda: SimpleNamespace(S=subspace[:, None]), "scaling": -0.5, "offset": 0.2, "nvExtended": 1}
    model.joints[2] = JointModel("JointModelMimic", 0, 0, 0, **more)
    model.nq, model.nv, model.frames = 1, 1, []
    model.mimicking_joints, model.mimicked_joints = [2], [1]
    robot = plucker.from_pinocchio(model)
    assert robot.nv == 1
    assert_close(robot.bias_torque(s.q, s.v), s.robot.bias_torque(s.q, s.v))
    assert_close(robot.coordinates("pinocchio", mimic_joints="left_out").export_q(s.q), s.q)
    more["scaling"] = 0.0
    model.joints[2] = JointModel("JointModelMimic", 0, 0, 0, **more)
    with np.errstate(invalid="ignore", divide="ignore"):
        with pytest.raises(plucker.Error, match="joint 'joint2' follows 'joint1' in a way that has no counterpart"):
            plucker.from_pinocchio(model)


MUJOCO_XML = """<mujoco model="dog"><compiler angle="degree" autolimits="true"/><option gravity="0 0 -3.7"/>
<default><geom density="700"/><joint damping="0.25" armature="0.01"/></default>
<worldbody><body name="trunk" pos="0 0 1"><freejoint name="root"/><geom type="box" size="0.3 0.15 0.1"/>
  <body name="leg" pos="0.2 0.1 0" euler="0 20 0"><joint name="hip" axis="0 1 0" range="-40 60"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.04"/>
    <body name="foot" pos="0 0 -0.3"><joint name="ball" type="ball"/><geom size="0.05"/></body></body></body></worldbody>
</mujoco>"""


def real_mujoco() -> Any:
    """MuJoCo's own library, as far as its Python module is asked for it: Debian has the one and not the other."""
    found = ctypes.util.find_library("mujoco")
    if found is None:
        pytest.skip("MuJoCo is not installed")
    library = ctypes.CDLL(found)
    library.mj_loadXML.restype = ctypes.c_void_p
    library.mj_saveLastXML.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    said = ctypes.create_string_buffer(1000)

    def load(path: Path) -> Any:
        model = library.mj_loadXML(str(path).encode(), None, said, len(said))
        assert model, said.value
        nq, nv = (ctypes.c_int * 2).from_address(model)  # with these an mjModel begins
        return SimpleNamespace(address=model, nq=nq, nv=nv)

    def mj_saveLastXML(filename: str, m: Any) -> None:  # noqa: N802
        assert library.mj_saveLastXML(filename.encode(), m.address, said, len(said)), said.value

    return SimpleNamespace(load=load, mj_saveLastXML=mj_saveLastXML)


def test_robot_from_mujoco_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mujoco = real_mujoco()
    monkeypatch.setitem(sys.modules, "mujoco", mujoco)
    (tmp_path / "dog.xml").write_text(MUJOCO_XML, encoding="utf-8")
    model = mujoco.load(tmp_path / "dog.xml")
    assert (model.nq, model.nv) == (12, 10)
    robot, s = plucker.from_mujoco(model), Sample(plucker.loads(MUJOCO_XML))
    assert robot.joint_names == s.robot.joint_names
    # It writes six digits of each number.
    assert_close(robot.mass_matrix(s.q), s.robot.mass_matrix(s.q), 1e-5)
    assert_close(robot.inverse_dynamics(s.q, s.v, s.a), s.robot.inverse_dynamics(s.q, s.v, s.a), 1e-5)
    assert_close(robot.upper_limits, s.robot.upper_limits, 1e-5)


def test_robot_from_mujoco(monkeypatch: pytest.MonkeyPatch) -> None:
    xml = '<mujoco model="m"><worldbody><body name="b"><joint name="j"/><geom size="0.1"/></body></worldbody></mujoco>'

    def save(path: str, model: object) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(xml)

    monkeypatch.setitem(sys.modules, "mujoco", types.SimpleNamespace(mj_saveLastXML=save))
    robot = plucker.from_mujoco(SimpleNamespace(nq=1, nv=1))
    assert robot.joint_names == ["j"]
    with pytest.raises(plucker.Error, match="nq 7 and nv 6, but .* with 1 and 1"):
        plucker.from_mujoco(SimpleNamespace(nq=7, nv=6))
    xml = xml.replace('size="0.1"', 'type="mesh" mesh="hull"').replace(
        "<worldbody>", '<asset><mesh name="hull" file="hull.stl"/></asset><worldbody>'
    )
    with pytest.raises(plucker.Error, match="mesh 'hull'.*lie beside the one that the model was loaded from: plucker.load that"):
        plucker.from_mujoco(SimpleNamespace(nq=1, nv=1))


OTHER_JOINTS = [
    (plucker.helical("j", (0, 0, 1), 0.3), "JointModelHZ", {"pitch": 0.3}),
    (plucker.helical("j", (0, 0.6, 0.8), 0.3), "JointModelHelicalUnaligned", {"axis": (0, 0.6, 0.8), "pitch": 0.3}),
    (plucker.prismatic("j", (0, 0.6, 0.8)), "JointModelPrismaticUnaligned", {"axis": (0, 0.6, 0.8)}),
    (plucker.revolute("j", (0, 0.6, 0.8)), "JointModelRevoluteUnaligned", {"axis": (0, 0.6, 0.8)}),
    (plucker.revolute("j", (0, 0, 1)), "JointModelRUBZ", {}),
    (
        plucker.revolute("j", (0, 0.6, 0.8)),
        "JointModelRevoluteUnboundedUnaligned",  # whose axis cannot be asked for
        {"createData": lambda: SimpleNamespace(S=np.array([[0, 0, 0, 0, 0.6, 0.8]]).T)},
    ),
    (plucker.universal("j", (1, 0, 0), (0, 1, 0)), "JointModelUniversal", {"axis1": (1, 0, 0), "axis2": (0, 1, 0)}),
]


@pytest.mark.parametrize("joint, kind, own", OTHER_JOINTS, ids=lambda x: x if isinstance(x, str) else "")
def test_other_joints_from_pinocchio(joint: plucker.Joint, kind: str, own: dict[str, Any], arm: plucker.Robot) -> None:
    model = pinocchio_model(arm)
    nv = 2 if kind == "JointModelUniversal" else 1
    for name in ("names", "parents", "joints", "jointPlacements", "inertias"):
        setattr(model, name, getattr(model, name)[:2])
    model.nq, model.nv = (2 if "RUB" in kind or "Unbounded" in kind else nv), nv
    model.joints[1] = JointModel(kind, model.nq, 0, 0, **own)
    model.names[1], model.frames = "j", []
    mass = model.inertias[1]
    expected = plucker.Builder("one").link("base").body(
        "base", joint.at(model.jointPlacements[1].translation), "body",
        plucker.MassProperties(mass.mass, mass.lever, mass.inertia),
    )  # fmt: skip
    model.jointPlacements[1].rotation = np.eye(3)
    s = Sample(expected.build())
    assert_close(plucker.from_pinocchio(model).bias_torque(s.q, s.v), s.robot.bias_torque(s.q, s.v))


@pytest.mark.parametrize("convention", ["plucker", "file", "pinocchio", "mujoco"])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
def test_states_go_there_and_back(convention: Any, shape: tuple[int, ...], quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, shape)
    c = quadruped.coordinates(convention)
    q = c.export_q(s.q)
    assert q.shape == (*shape, c.nq)
    assert_close(c.import_q(q), s.q)
    assert_close(c.import_v(s.q, c.export_v(s.q, s.v)), s.v)
    assert_close(c.import_a(s.q, s.v, c.export_a(s.q, s.v, s.a)), s.a)
    assert_close(c.import_tau(s.q, c.export_tau(s.q, s.tau)), s.tau)
    if shape == ():
        return
    np.testing.assert_array_equal(c.export_v(s.q, s.v)[0], c.export_v(s.q[0], s.v[0]))
    with pytest.raises(plucker.Error, match="do not fit together"):
        c.export_v(s.q, s.v[:1].repeat(9, axis=0))
    # As many states in another arrangement are others.
    n = int(np.prod(shape))
    for other in {(n,), (n, 1), (1, n), shape[::-1]} - {shape}:
        with pytest.raises(plucker.Error, match="do not fit together"):
            c.export_v(s.q, s.v.reshape(*other, -1))
        with pytest.raises(plucker.Error, match="do not fit together"):
            c.import_a(s.q, s.v, s.a.reshape(*other, -1))


def test_pairs_are_those_of_the_coordinates(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped)
    qpos, qvel = quadruped.to_mujoco_state(s.q, s.v)
    np.testing.assert_array_equal(qpos[3:7], s.q[[6, 3, 4, 5]])  # w first
    R = quadruped.frame_pose(s.q, "trunk")[:, :3]
    assert_close(qvel[:3], R @ s.v[3:6])
    assert_close(qvel[3:6], s.v[:3])
    q, v = quadruped.from_mujoco_state(qpos, qvel)
    assert_close(q, s.q)
    assert_close(v, s.v)
    their_q, their_v = quadruped.to_pinocchio_order(s.q, s.v)
    assert_close(their_v[:6], s.v[[3, 4, 5, 0, 1, 2]])
    assert_close(quadruped.from_pinocchio_order(their_q, their_v)[1], s.v)


def calls_of_the_page() -> list[str]:
    page = (Path(__file__).parents[2] / "docs" / "coming_from.md").read_text(encoding="utf-8")
    table = page[page.index("## Python") :]
    return re.findall(r"^\| `((?:robot|plucker)\..*?)` \|", table, flags=re.MULTILINE)


@pytest.mark.parametrize("call", calls_of_the_page())
def test_calls_of_the_page_run(call: str, arm: plucker.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = Sample(arm)
    monkeypatch.chdir(tmp_path)
    arm.write_urdf_file("arm.urdf")
    names = {"robot": arm, "q": s.q, "q1": s.other_q, "v": s.v, "a": s.a, "tau": s.tau, "dt": 0.01, "frame": "tool",
             "joint": "joint2", "plucker": plucker}  # fmt: skip
    assert eval(call, names) is not None  # noqa: S307


def test_the_page_has_calls() -> None:
    assert len(calls_of_the_page()) > 10
