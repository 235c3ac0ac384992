"""Robots and states of Pinocchio and MuJoCo. Neither Python module need be installed: pinocchio_stand_in has models as Pinocchio's
bindings show them. The numbers are compared with the robot that it was made from. MuJoCo's XML is written by MuJoCo itself."""

from __future__ import annotations

import ctypes
import ctypes.util
import enum
import re
import sys
import types
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import Sample, assert_close
from pinocchio_stand_in import SE3, UNLIMITED, Frame, Inertia, JointModel, Model, joint, older

import plucker

MASS = plucker.MassProperties(2, (0.1, -0.2, 0.3), (0.5, 0.6, 0.7))


def inertia_of(mass: plucker.MassProperties) -> Inertia:
    return Inertia(mass.mass, mass.center, mass.about_center)


def se3(pose: Any) -> SE3:
    return SE3(pose[:, :3], pose[:, 3])


def pinocchio_model(robot: plucker.Robot) -> Model:
    """A robot with revolute joints, as Pinocchio has it."""
    model = Model(robot.name, robot.gravity)
    root = next(link for link in robot.links if link not in {j.child for j in robot.joints})
    index = {root: 0}
    if robot.has_floating_base:
        index[root] = model.addJoint(0, joint("FreeFlyer"), SE3(), "root_joint", inertia_of(robot.inertia(root)))
    v_names = robot.coordinates("pinocchio").v_names
    ordered = sorted(robot.joints, key=lambda j: v_names.index(j.name))
    for j in ordered:
        kind = f"R{'XYZ'[int(np.argmax(j.axis))]}" if j.axis.max() == 1 else "RevoluteUnaligned"
        index[j.child] = model.addJoint(
            index[j.parent], joint(kind, j.axis), se3(j.placement), j.name, inertia_of(robot.inertia(j.child)),
            lowerPositionLimit=j.limits[0], upperPositionLimit=j.limits[1], velocityLimit=j.velocity_limit,
            effortLimit=j.effort_limit, armature=j.armature, damping=j.damping, friction=j.friction,
        )  # fmt: skip
    link = ordered[-1].child
    model.frames.append(Frame("the tool", index[link], se3(relative(robot, link, robot.frame_names[-1]))))
    return model


def relative(robot: plucker.Robot, link: str, frame: str) -> Any:
    a, b = (np.vstack([robot.frame_pose(robot.neutral(), name), [0, 0, 0, 1]]) for name in (link, frame))
    return (np.linalg.inv(a) @ b)[:3]


def one_joint(made: JointModel, placement: SE3 | None = None, **limits: Any) -> Model:
    """A model with one joint, "j"."""
    model = Model("one")
    model.addJoint(0, made, placement or SE3(), "j", inertia_of(MASS), **limits)
    return model


@pytest.mark.parametrize("name", ["arm", "quadruped"])
def test_robot_from_pinocchio(name: str) -> None:
    s = Sample(plucker.robots.by_name(name))
    robot = plucker.from_pinocchio(pinocchio_model(s.robot))
    assert robot.nv == s.robot.nv
    assert robot.has_floating_base == s.robot.has_floating_base
    q, v = robot.from_pinocchio_order(*s.robot.to_pinocchio_order(s.q, s.v))
    their_tau = s.robot.coordinates("pinocchio").export_tau(s.q, s.robot.bias_torque(s.q, s.v))
    tau = robot.coordinates("pinocchio").export_tau(q, robot.bias_torque(q, v))
    assert_close(tau, their_tau)
    assert_close(robot.frame_pose(q, "the tool"), s.robot.frame_pose(s.q, s.robot.frame_names[-1]))
    of_joints, expected = ({j.name: j for j in r.joints} for r in (robot, s.robot))
    for name, j in expected.items():
        assert of_joints[name].limits == j.limits
        for what in ("velocity_limit", "effort_limit", "armature", "damping", "friction"):
            assert getattr(of_joints[name], what) == getattr(j, what), (name, what)


def test_model_without_a_name_from_pinocchio() -> None:
    model = one_joint(joint("RX"))
    model.name = ""
    assert plucker.from_pinocchio(model).nv == 1


@pytest.mark.parametrize("kind", ["Composite", "SphericalZYX", "Ellipsoid"])
def test_joints_that_have_no_counterpart_are_named(kind: str) -> None:
    with pytest.raises(plucker.Error, match=f"joint 'j' is a JointModel{kind}"):
        plucker.from_pinocchio(one_joint(joint(kind)))


def test_other_coordinates_than_a_files_are_told() -> None:
    def fork(kind: str, *names: str) -> Model:
        model = Model("fork")
        for name in names:
            model.addJoint(0, joint(kind), SE3(), name, inertia_of(MASS))
        return model

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Angles, though without limits.
        assert plucker.from_pinocchio(fork("RZ", "a", "b")).coordinates("pinocchio").nq == 2
        assert plucker.from_pinocchio(fork("Spherical", "a", "b")).nq == 8
    for kind, nq in (("RZ", 2), ("RUBZ", 4), ("PZ", 2), ("Spherical", 8), ("FreeFlyer", 14)):
        with pytest.warns(UserWarning, match=f"the model has nq {nq} and joints in the order b, a; .* have {nq} and a, b"):
            plucker.from_pinocchio(fork(kind, "b", "a"))


def test_joints_that_follow_others_from_pinocchio(arm: plucker.Robot) -> None:
    """As Pinocchio has them since 3.5: without coordinates, and with a subspace that is scaled."""
    follower = plucker.revolute("joint2", arm.joints[1].axis).at(arm.joints[1].placement).mimicking("joint1", -0.5, 0.2)
    builder = plucker.Builder("pair").link("base").body("base", arm.joints[0], "link1", arm.inertia("link1"))
    s = Sample(builder.body("link1", follower, "link2", arm.inertia("link2")).build())

    def model(scaling: float, kind: str = "RevoluteUnaligned") -> Model:
        made = Model("pair")
        one, two = arm.joints[:2]
        first = joint("RevoluteUnaligned", one.axis)
        made.addJoint(0, first, se3(one.placement), "joint1", inertia_of(arm.inertia("link1")), armature=one.armature,
                      friction=one.friction, damping=one.damping)  # fmt: skip
        second = joint("Mimic", two.axis, kind, scaling=scaling, offset=0.2)
        made.addJoint(1, second, se3(two.placement), "joint2", inertia_of(arm.inertia("link2")), mimics=1)
        return made

    robot = plucker.from_pinocchio(model(-0.5))
    assert robot.nv == 1
    assert robot.joints[1].mimic == ("joint1", -0.5, 0.2)
    assert_close(robot.bias_torque(s.q, s.v), s.robot.bias_torque(s.q, s.v))
    assert_close(robot.coordinates("pinocchio", mimic_joints="left_out").export_q(s.q), s.q)
    slide = plucker.from_pinocchio(model(-0.5, "PrismaticUnaligned")).joints[1]
    assert slide.type == "prismatic"
    assert_close(slide.axis, arm.joints[1].axis)
    for made in (model(0.0), model(-0.5, "HelicalUnaligned"), model(-0.5, "Spherical")):
        with pytest.raises(plucker.Error, match="joint 'joint2' follows 'joint1' in a way that has no counterpart"):
            plucker.from_pinocchio(made)


AT = plucker.pose((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))


def test_free_flyers_from_pinocchio() -> None:
    """One that stands alone at the world's origin is a floating base. Readers of MJCF put a free joint where its body stands."""
    assert plucker.from_pinocchio(one_joint(joint("FreeFlyer"))).has_floating_base
    s = Sample(plucker.from_pinocchio(one_joint(joint("FreeFlyer"), se3(AT))))
    assert not s.robot.has_floating_base
    their_q = s.robot.to_pinocchio_order(s.q, s.v)[0]
    joint_to_body = np.vstack([plucker.from_pinocchio(one_joint(joint("FreeFlyer"))).frame_pose(their_q, "j_body"), [0, 0, 0, 1]])
    assert_close(s.robot.frame_pose(s.q, "j_body"), AT @ joint_to_body)
    for what in ("armature", "damping", "friction"):  # which a floating base has not
        held = plucker.from_pinocchio(one_joint(joint("FreeFlyer"), **{what: 0.3}))
        assert not held.has_floating_base
        assert_close(getattr(held, what), np.full(6, 0.3))
    rotor = plucker.from_pinocchio(one_joint(joint("FreeFlyer"), armature=0.3))
    assert_close(rotor.armature, np.full(6, 0.3))
    assert not rotor.has_floating_base
    for parent in (0, 1):
        model = one_joint(joint("FreeFlyer"))
        model.addJoint(parent, joint("FreeFlyer"), se3(AT), "k", inertia_of(MASS))
        robot = plucker.from_pinocchio(model)
        assert robot.has_floating_base == (parent == 1)
        assert robot.nv == 12
        assert {j.type for j in robot.joints} == {"floating"}
        assert_close(robot.joints[-1].placement, AT)


def test_limits_from_pinocchio() -> None:
    """Joints that are made without limits have the largest number. A continuous joint's are of (cos, sin), but it has a speed."""
    unlimited = (-np.inf, np.inf)
    for kind in ("PX", "HX"):
        only = plucker.from_pinocchio(one_joint(joint(kind, pitch=0.1) if kind == "HX" else joint(kind))).joints[0]
        assert (only.limits, only.velocity_limit, only.effort_limit) == (unlimited, np.inf, np.inf)
    limits = {"lowerPositionLimit": -1.01, "upperPositionLimit": 1.01, "velocityLimit": 5, "effortLimit": 7}
    for kind in ("RUBX", "Spherical"):
        only = plucker.from_pinocchio(one_joint(joint(kind), **limits)).joints[0]
        assert (only.limits, only.velocity_limit, only.effort_limit) == (unlimited, 5, 7)
    hinge = plucker.from_pinocchio(one_joint(joint("RX"), **limits)).joints[0]
    assert (hinge.limits, hinge.velocity_limit, hinge.effort_limit) == ((-1.01, 1.01), 5, 7)


SEVERAL = {
    "Universal": joint("Universal", axis1=(1, 0, 0), axis2=(0, 1, 0)),
    "Translation": joint("Translation"), "Planar": joint("Planar"), "FreeFlyer": joint("FreeFlyer"),
}  # fmt: skip


@pytest.mark.parametrize("kind", SEVERAL)
def test_limits_of_several_coordinates_from_pinocchio(kind: str) -> None:
    plain = {"Universal": 2, "Translation": 3, "Planar": 2, "FreeFlyer": 3}[kind]
    made, upper = SEVERAL[kind], np.full(SEVERAL[kind].nq, 1.01)
    upper[:plain] = UNLIMITED
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plucker.from_pinocchio(one_joint(made, se3(AT), upperPositionLimit=upper))
    upper[plain - 1] = 4
    with pytest.warns(UserWarning, match="the limits of position of joint 'j' are left out: it has several coordinates"):
        plucker.from_pinocchio(one_joint(made, se3(AT), upperPositionLimit=upper))


@pytest.mark.parametrize("what", ["armature", "damping", "friction", "velocityLimit", "effortLimit"])
def test_freedoms_that_differ_are_told(what: str) -> None:
    robot = plucker.from_pinocchio(one_joint(joint("Spherical"), **{what: 0.5}))
    ours = {"velocityLimit": "velocity_limits", "effortLimit": "effort_limits"}.get(what, what)
    assert_close(getattr(robot, ours), np.full(3, 0.5))
    with pytest.raises(plucker.Error, match=f"joint 'j' has {what} 0.5, 1, 0.5; here its freedoms have the same"):
        plucker.from_pinocchio(one_joint(joint("Spherical"), **{what: (0.5, 1, 0.5)}))


def test_frames_from_pinocchio() -> None:
    """Two frames may have one name there, such as a link and its fixed joint; and a link may have that of another's joint."""
    model = one_joint(joint("RX"))
    model.addJoint(1, joint("RX"), SE3(translation=(0, 0, 1)), "k", inertia_of(MASS))
    for name, parent, at in (("tool", 2, 0.5), ("tool", 2, 0.5), ("k", 1, 0.3), ("j_body", 1, 0), ("post", 0, 2)):
        model.frames.append(Frame(name, parent, SE3(translation=(0, 0, at))))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = plucker.from_pinocchio(model)
    assert robot.frame_names == ["universe", "j_body", "k_body", "tool", "k", "post"]
    heights = [robot.frame_pose(np.zeros(2), name)[2, 3] for name in robot.frame_names]
    assert_close(heights, [0, 0, 1, 1.5, 0.3, 2])
    for name, parent in (("tool", 1), ("k_body", 2)):
        model.frames.append(Frame(name, parent, SE3(translation=(0, 0, 0.7))))
        with pytest.warns(UserWarning, match=f"the frame '{name}' on '{'jk'[parent - 1]}_body' is left out: another place has"):
            assert len(plucker.from_pinocchio(model).frame_names) == 6
        model.frames[len(model.frames) - 1] = Frame("universe", 0, SE3())


def test_older_versions_of_pinocchio(arm: plucker.Robot) -> None:
    """What version 2.7 does not show is told."""
    model = one_joint(joint("PY"), damping=0.5)
    model.frames.append(Frame("tool", 1, SE3(translation=(0, 0, 1))))
    robot = plucker.from_pinocchio(older(model))
    assert_close(robot.joints[0].axis, (0, 1, 0))
    assert (robot.joints[0].damping, robot.joints[0].armature) == (0.5, 0)
    assert_close(robot.frame_pose(np.zeros(1), "tool")[:, 3], (0, 0, 1))
    for kind in ("RevoluteUnaligned", "RevoluteUnboundedUnaligned"):
        with pytest.raises(plucker.Error, match="the axis of joint 'j' is not among what Pinocchio shows before its version 3.0"):
            plucker.from_pinocchio(older(one_joint(joint(kind, (0, 0.6, 0.8)))))


MUJOCO_XML = """<mujoco model="dog"><compiler angle="degree" autolimits="true"/><option gravity="0 0 -3.7"/>
<default><geom density="700"/><joint damping="0.25" armature="0.01"/></default>
<worldbody><body name="trunk" pos="0 0 1"><freejoint name="root"/><geom type="box" size="0.3 0.15 0.1"/>
  <body name="leg" pos="0.2 0.1 0" euler="0 20 0"><joint name="hip" axis="0 1 0" range="-40 60"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.04"/>
    <body name="foot" pos="0 0 -0.3"><joint name="ball" type="ball"/><geom size="0.05"/></body></body></body></worldbody>
</mujoco>"""


class FatalError(Exception):
    """mujoco.FatalError."""


class MjtObj(enum.IntEnum):
    mjOBJ_BODY = 1  # noqa: N815
    mjOBJ_JOINT = 3  # noqa: N815


def real_mujoco() -> Any:
    """MuJoCo's own library, as far as its Python module is asked for it: Debian has the one and not the other."""
    found = ctypes.util.find_library("mujoco")
    if found is None:
        pytest.skip("MuJoCo is not installed")
    library = ctypes.CDLL(found)
    library.mj_loadXML.restype = ctypes.c_void_p
    library.mj_saveLastXML.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    library.mj_id2name.restype, library.mj_id2name.argtypes = ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    library.mj_getTotalmass.restype, library.mj_getTotalmass.argtypes = ctypes.c_double, [ctypes.c_void_p]
    said = ctypes.create_string_buffer(1000)

    def load(path: Path, xml: str) -> Any:
        path.write_text(xml, encoding="utf-8")
        model = library.mj_loadXML(str(path).encode(), None, said, len(said))
        assert model, said.value
        nq, nv, _, _, nbody, njnt = (ctypes.c_int * 6).from_address(model)  # with these an mjModel begins
        return SimpleNamespace(address=model, nq=nq, nv=nv, nbody=nbody, njnt=njnt)

    def mj_saveLastXML(filename: str, m: Any) -> None:  # noqa: N802
        if not library.mj_saveLastXML(filename.encode(), m.address, said, len(said)):
            raise FatalError(said.value.decode())

    def mj_id2name(m: Any, type: int, id: int) -> str | None:
        name = library.mj_id2name(m.address, type, id)
        return None if name is None else name.decode()

    def mj_getTotalmass(m: Any) -> float:  # noqa: N802
        return float(library.mj_getTotalmass(m.address))

    return SimpleNamespace(
        load=load, mj_saveLastXML=mj_saveLastXML, mj_id2name=mj_id2name, mj_getTotalmass=mj_getTotalmass, mjtObj=MjtObj,
        FatalError=FatalError,
    )  # fmt: skip


def test_robot_from_mujoco_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mujoco = real_mujoco()
    monkeypatch.setitem(sys.modules, "mujoco", mujoco)
    model = mujoco.load(tmp_path / "dog.xml", MUJOCO_XML)
    assert (model.nq, model.nv) == (12, 10)
    robot, s = plucker.from_mujoco(model), Sample(plucker.loads(MUJOCO_XML))
    assert robot.joint_names == s.robot.joint_names
    # It writes six digits of each number.
    assert_close(robot.mass_matrix(s.q), s.robot.mass_matrix(s.q), 1e-5)
    assert_close(robot.inverse_dynamics(s.q, s.v, s.a), s.robot.inverse_dynamics(s.q, s.v, s.a), 1e-5)
    assert_close(robot.upper_limits, s.robot.upper_limits, 1e-5)


@pytest.mark.parametrize(
    "was, becomes, refusal",
    [
        ('name="hip"', 'name="hop"', "has 'hip', but .* with no such body or joint"),
        ('name="leg"', 'name="arm"', "has 'leg', but .* with no such body or joint"),
        # A geom more: to MuJoCo it is another model, into which it puts no numbers of the first one.
        ('<geom size="0.05"/>', '<geom size="0.05"/><geom size="0.02"/>', r"a mass of [\d.]+ kg, but .* with [\d.]+ kg"),
    ],
)
def test_xml_of_another_model_is_refused(
    was: str, becomes: str, refusal: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mujoco = real_mujoco()
    monkeypatch.setitem(sys.modules, "mujoco", mujoco)
    model = mujoco.load(tmp_path / "dog.xml", MUJOCO_XML)
    assert was in MUJOCO_XML
    mujoco.load(tmp_path / "other.xml", MUJOCO_XML.replace(was, becomes))
    with pytest.raises(plucker.Error, match=refusal):
        plucker.from_mujoco(model)
    # The library of this test is the one that reads MJCF here: it forgets what it read.
    with pytest.raises(plucker.Error, match=r"gives no XML: No XML model loaded\. .* of a MjSpec, plucker\.loads\(spec\.to_xml\(\)\)"):
        plucker.from_mujoco(model)


def test_what_is_no_model_is_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match=r"from_pinocchio: model is str; expected pinocchio.Model. A file is read by plucker.load"):
        plucker.from_pinocchio("arm.urdf")
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(plucker.Error, match="from_mujoco needs the package mujoco, which is not installed; plucker.load reads MJCF"):
        plucker.from_mujoco("arm.xml")
    monkeypatch.setitem(sys.modules, "mujoco", types.SimpleNamespace())
    with pytest.raises(TypeError, match=r"from_mujoco: model is str; expected mujoco.MjModel. A file is read by plucker.load"):
        plucker.from_mujoco("arm.xml")


def test_robot_from_mujoco(monkeypatch: pytest.MonkeyPatch) -> None:
    xml = '<mujoco model="m"><worldbody><body name="b"><joint/><geom size="0.1"/></body></worldbody></mujoco>'

    def save(filename: str, m: object) -> None:
        Path(filename).write_text(xml, encoding="utf-8")

    def model(**sizes: int) -> Any:
        return SimpleNamespace(**{"nq": 1, "nv": 1, "nbody": 2, "njnt": 1, **sizes})

    mass = plucker.loads(xml).inertia("b").mass
    monkeypatch.setitem(sys.modules, "mujoco", types.SimpleNamespace(
        mj_saveLastXML=save, mj_id2name=lambda m, type, id: {MjtObj.mjOBJ_BODY: "b"}.get(type), mj_getTotalmass=lambda m: mass,
        mjtObj=MjtObj, FatalError=FatalError))  # fmt: skip
    assert plucker.from_mujoco(model()).nv == 1  # its joint has no name
    with pytest.raises(plucker.Error, match="nq 7 and nv 6, but .* with 1 and 1"):
        plucker.from_mujoco(model(nq=7, nv=6))
    xml = xml.replace('size="0.1"', 'type="mesh" mesh="hull"').replace(
        "<worldbody>", '<asset><mesh name="hull" file="hull.stl"/></asset><worldbody>'
    )
    with pytest.raises(plucker.Error, match="mesh 'hull'.*lie beside the one that the model was loaded from: plucker.load that"):
        plucker.from_mujoco(model())


OBLIQUE = (0, 0.6, 0.8)
OTHER_JOINTS = [
    (plucker.helical("j", (0, 0, 1), 0.3), joint("HZ", pitch=0.3)),
    (plucker.helical("j", OBLIQUE, 0.3), joint("HelicalUnaligned", OBLIQUE, pitch=0.3)),
    (plucker.prismatic("j", (1, 0, 0)), joint("PX")),
    (plucker.prismatic("j", OBLIQUE), joint("PrismaticUnaligned", OBLIQUE)),
    (plucker.revolute("j", (0, 1, 0)), joint("RY")),
    (plucker.revolute("j", OBLIQUE), joint("RevoluteUnaligned", OBLIQUE)),
    (plucker.revolute("j", (0, 0, 1)), joint("RUBZ")),
    (plucker.revolute("j", OBLIQUE), joint("RevoluteUnboundedUnaligned", OBLIQUE)),  # whose axis cannot be asked for
    (plucker.universal("j", (1, 0, 0), (0, 1, 0)), joint("Universal", axis1=(1, 0, 0), axis2=(0, 1, 0))),
    (plucker.spherical("j"), joint("Spherical")),
    (plucker.translation("j"), joint("Translation")),
    (plucker.planar("j", (0, 0, 1)), joint("Planar")),
    (plucker.floating("j"), joint("FreeFlyer")),
]


@pytest.mark.parametrize("expected, made", OTHER_JOINTS, ids=lambda x: x.shortname() if isinstance(x, JointModel) else "")
def test_other_joints_from_pinocchio(expected: plucker.Joint, made: JointModel) -> None:
    built = plucker.Builder("one").link("base").body("base", expected.at(AT), "body", MASS)
    s = Sample(built.build())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = plucker.from_pinocchio(one_joint(made, se3(AT)))
    assert_close(robot.bias_torque(s.q, s.v), s.robot.bias_torque(s.q, s.v))
    assert robot.coordinates("pinocchio").nq == made.nq


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
    # As many states in another arrangement are others: they are put together as NumPy does it, or refused.
    n = int(np.prod(shape))
    for other in {(n,), (n, 1), (1, n), shape[::-1]} - {shape}:
        v, a = s.v.reshape(*other, -1), s.a.reshape(*other, -1)
        try:
            both = np.broadcast_shapes(shape, other)
        except ValueError:
            with pytest.raises(plucker.Error, match="do not fit together"):
                c.export_v(s.q, v)
            with pytest.raises(plucker.Error, match="do not fit together"):
                c.import_a(s.q, s.v, a)
            continue
        all_q, all_v = (np.broadcast_to(x, (*both, x.shape[-1])) for x in (s.q, v))
        np.testing.assert_array_equal(c.export_v(s.q, v), c.export_v(np.array(all_q), np.array(all_v)))


@pytest.mark.parametrize("convention", ["plucker", "file", "pinocchio", "mujoco"])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
def test_matrices_go_there(convention: Any, shape: tuple[int, ...], quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, shape)
    c = quadruped.coordinates(convention)
    assert c.convention == convention
    T, rate = c.velocity_map(s.q), c.velocity_map_rate(s.q, s.v)
    assert T.shape == rate.shape == (*shape, c.nv, quadruped.nv)
    assert c.only_permutes == (convention != "mujoco")
    assert_close((T @ s.v[..., None])[..., 0], c.export_v(s.q, s.v))
    assert_close((T @ s.a[..., None] + rate @ s.v[..., None])[..., 0], c.export_a(s.q, s.v, s.a))
    M, J = quadruped.mass_matrix(s.q), quadruped.frame_jacobian(s.q, s.frame)
    assert_close(c.export_matrix(s.q, M), T @ M @ np.swapaxes(T, -1, -2))
    assert_close(c.export_jacobian(s.q, J), J @ np.swapaxes(T, -1, -2))
    assert_close(c.export_jacobian(s.q, J[..., :2, :]), (J @ np.swapaxes(T, -1, -2))[..., :2, :])
    n = quadruped.nv
    with pytest.raises(plucker.Error, match=rf"export_matrix: M has shape .*, expected \(..., {n}, {n}\): the last dimension is nv"):
        c.export_matrix(s.q, M[..., 1:])
    with pytest.raises(plucker.Error, match=rf"export_jacobian: J has shape \({n},\), expected \(..., rows, {n}\)"):
        c.export_jacobian(s.q, np.zeros(n))
    differs = [name for k, name in enumerate(c.v_names) if c.v_differs(k)]
    assert differs == (["base.linear.x", "base.linear.y", "base.linear.z"] if convention == "mujoco" else [])
    with pytest.raises(IndexError):
        c.v_differs(c.nv)


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
