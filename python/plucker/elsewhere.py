"""Robots of other libraries, read through their Python modules."""

from __future__ import annotations

import math
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from . import _plucker as plucker

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}

# Of joints with several coordinates: how many, the first ones, are neither of a (cos, sin) nor of a quaternion.
_PLAIN_COORDINATES = {"Universal": 2, "Translation": 3, "Planar": 2, "FreeFlyer": 3}


def from_mujoco(model: Any) -> plucker.Robot:
    """A robot from a mujoco.MjModel that was compiled from XML, with the XML that MuJoCo keeps of it.

    MuJoCo keeps that of the model which it loaded last, and none of a MjSpec: an Error says so where that is one with other joints,
    bodies or another mass. It writes numbers with six digits, and names of meshes beside a file that it does not name: a file that
    is at hand is better read with load, and of a MjSpec there is loads(spec.to_xml()). Take states over with
    Robot.from_mujoco_state and to_mujoco_state.

    >>> robot = plucker.from_mujoco(mujoco.MjModel.from_xml_path('robot.xml'))  # doctest: +SKIP
    """
    try:
        import mujoco
    except ModuleNotFoundError as error:
        raise plucker.Error("from_mujoco needs the package mujoco, which is not installed; plucker.load reads MJCF without it") from error
    if not hasattr(model, "nq"):
        raise TypeError(f"from_mujoco: model is {type(model).__name__}; expected mujoco.MjModel. A file is read by plucker.load")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        try:
            mujoco.mj_saveLastXML(str(path), model)
        except mujoco.FatalError as error:
            raise plucker.Error(
                f"from_mujoco: MuJoCo gives no XML: {error}. It keeps that of the model which it loaded last from a file or a text. "
                "Load this model again, or plucker.load its file; of a MjSpec, plucker.loads(spec.to_xml())"
            ) from error
        try:
            robot = plucker.load(path)
        except plucker.Error as error:
            raise plucker.Error(
                f"from_mujoco: the XML that MuJoCo keeps of the model cannot be read: {error}. Files that it names lie beside the "
                "one that the model was loaded from: plucker.load that one"
            ) from error
    _compare_with_xml(robot, model, mujoco)
    return robot


def _compare_with_xml(robot: plucker.Robot, model: Any, mujoco: Any) -> None:
    """What MuJoCo wrote is the model that it loaded last. It puts the numbers of this one into it, where it takes it for the same,
    but the names are the last one's, and masses that come from shapes."""
    coordinates = robot.coordinates("mujoco")
    bodies = {mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, i) for i in range(1, model.nbody)}
    joints = {mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, i) for i in range(model.njnt)}
    unknown = sorted((bodies - {None} - set(robot.links)) | (joints - {None} - set(robot.joint_names)))
    mass, found = mujoco.mj_getTotalmass(model), sum(link.mass for link in robot.links.values())
    if (coordinates.nq, coordinates.nv) != (model.nq, model.nv):
        has, but = f"nq {model.nq} and nv {model.nv}", f"{coordinates.nq} and {coordinates.nv}"
    elif unknown:
        has, but = f"'{unknown[0]}'", "no such body or joint"
    elif not math.isclose(mass, found, rel_tol=1e-4):  # six digits of each length
        has, but = f"a mass of {mass:.6g} kg", f"{found:.6g} kg"
    else:
        return
    raise plucker.Error(
        f"from_mujoco: the model has {has}, but the XML that MuJoCo keeps is that of a robot with {but}: it keeps that of the last "
        "one, as it was loaded. Load this model again, or plucker.load its file"
    )


def from_pinocchio(model: Any) -> plucker.Robot:
    """A robot from a pinocchio.Model: its joints, inertias, limits, friction and frames.

    A free-flyer that begins at the world's origin and carries all else becomes a floating base, which has no limits and leaves
    frames of the world out; any other one becomes a floating joint. Bodies are named after their joints. Of joints that are
    composed of others, and of those that this library lacks, an Error says which, and of joints whose freedoms differ in rotor,
    friction or limits. Axes that are not x, y or z need Pinocchio 3. Take states over with Robot.from_pinocchio_order and
    to_pinocchio_order, which have the coordinates that Pinocchio's readers of files give a robot; a warning says where those of this
    model are others. Joints that mimic others have none in Pinocchio: there take
    Robot.coordinates("pinocchio", mimic_joints="left_out").

    >>> robot = plucker.from_pinocchio(pinocchio.buildModelFromUrdf('robot.urdf'))  # doctest: +SKIP
    """
    if not hasattr(model, "joints") or not hasattr(model, "names"):
        raise TypeError(f"from_pinocchio: model is {type(model).__name__}; expected pinocchio.Model. A file is read by plucker.load")
    names = list(model.names)
    kinds = ["", *(model.joints[i].shortname().replace("JointModel", "") for i in range(1, len(names)))]
    floats = _has_floating_base(model, kinds)
    world = "" if floats else names[0]
    links = [world if i == 0 else f"{names[i]}_body" for i in range(len(names))]
    builder = plucker.Builder(model.name).gravity(model.gravity.linear).base("floating" if floats else "fixed")
    builder.physics("lenient")
    if not floats:
        builder.link(world)
    for i in range(1, len(names)):
        mass = _mass(model.inertias[i])
        if floats and i == 1:
            builder.link(links[i], mass)
        else:
            builder.body(links[model.parents[i]], _joint(model, i, kinds[i]), links[i], mass)
    _add_frames(builder, model, names, links)
    robot = builder.build()
    _compare_coordinates(robot, model, names[2:] if floats else names[1:])
    return robot


def _has_floating_base(model: Any, kinds: list[str]) -> bool:
    """A floating base stands alone in the world, from whose origin its coordinates count, and has neither rotor nor friction."""
    return (
        kinds[1:2] == ["FreeFlyer"]
        and list(model.parents)[1:].count(0) == 1
        and np.array_equal(_pose(model.jointPlacements[1]), plucker.pose())
        and not any(np.any(_of_joint(model, what, 1)) for what in ("armature", "damping", "friction"))
    )


def _add_frames(builder: plucker.Builder, model: Any, names: list[str], links: list[str]) -> None:
    known = {link: (link, plucker.pose()) for link in links}
    for frame in model.frames:
        parent = getattr(frame, "parentJoint", None)
        parent = frame.parent if parent is None else parent
        link, pose = links[parent], _pose(frame.placement)
        if not link or (frame.name == names[parent] and np.array_equal(pose, plucker.pose())):
            continue  # Pinocchio has frames for joints too
        if frame.name not in known:
            known[frame.name] = link, pose
            builder.frame(frame.name, link, pose)
        elif known[frame.name][0] != link or not np.array_equal(known[frame.name][1], pose):
            warnings.warn(
                f"from_pinocchio: the frame '{frame.name}' on '{link}' is left out: another place has its name", stacklevel=3
            )


def _compare_coordinates(robot: plucker.Robot, model: Any, names: list[str]) -> None:
    """`names`: of the joints, without that of a floating base, which comes first in both."""
    coordinates = robot.coordinates("pinocchio", mimic_joints="left_out")
    first = len(model.names) - len(names)
    joints = [(model.joints[first + k], name) for k, name in enumerate(names)]
    theirs = [name for _, name in sorted((joint.idx_v, name) for joint, name in joints if joint.nv > 0)]
    ours: list[str] = []
    for name in coordinates.v_names[6 if robot.has_floating_base else 0 :]:
        while name and name not in theirs:  # one of several coordinates: "wrist.angular.x"
            name = name.rpartition(".")[0]
        ours += [name] if ours[-1:] != [name] else []
    if (coordinates.nq, coordinates.nv) == (model.nq, model.nv) and ours == theirs:
        return
    warnings.warn(
        f"from_pinocchio: the model has nq {model.nq} and joints in the order {', '.join(theirs)}; to_pinocchio_order and its "
        f"kin have {coordinates.nq} and {', '.join(ours)}",
        stacklevel=3,
    )


def _pose(placement: Any) -> Any:
    return np.column_stack([placement.rotation, placement.translation])


def _mass(inertia: Any) -> plucker.MassProperties:
    about_center = np.asarray(inertia.inertia)
    return plucker.MassProperties(inertia.mass, inertia.lever, (about_center + about_center.T) / 2)


def _joint(model: Any, i: int, kind: str) -> plucker.Joint:
    name, joint = model.names[i], model.joints[i]
    short = kind.replace("RUB", "R")
    if short in ("RX", "RY", "RZ"):
        made = plucker.revolute(name, _AXES[short[1]])
    elif short in ("PX", "PY", "PZ"):
        made = plucker.prismatic(name, _AXES[short[1]])
    elif short in ("HX", "HY", "HZ"):
        made = plucker.helical(name, _AXES[short[1]], _shown(joint, "extract", name).pitch)
    elif short == "RevoluteUnaligned":
        made = plucker.revolute(name, _shown(joint, "extract", name).axis)
    elif short == "RevoluteUnboundedUnaligned":
        made = plucker.revolute(name, _subspace(joint, name)[3:6])  # its axis is not among what Python sees
    elif short == "PrismaticUnaligned":
        made = plucker.prismatic(name, _shown(joint, "extract", name).axis)
    elif short == "HelicalUnaligned":
        own = _shown(joint, "extract", name)
        made = plucker.helical(name, own.axis, own.pitch)
    elif short == "Universal":
        own = _shown(joint, "extract", name)
        made = plucker.universal(name, own.axis1, own.axis2)
    elif short == "Spherical":
        made = plucker.spherical(name)
    elif short == "Translation":
        made = plucker.translation(name)
    elif short == "Planar":
        made = plucker.planar(name, _AXES["Z"])
    elif short == "FreeFlyer":
        made = plucker.floating(name)
    elif short == "Mimic":
        return _mimic(model, i).at(_pose(model.jointPlacements[i]))
    else:
        raise plucker.Error(f"from_pinocchio: joint '{name}' is a JointModel{kind}, which has no counterpart")
    made = made.at(_pose(model.jointPlacements[i]))
    made = made.with_armature(_alike(model, "armature", i)).with_damping(_alike(model, "damping", i))
    made = made.with_friction(_alike(model, "friction", i))
    velocity, effort = (_or_infinite(_alike(model, what, i)) for what in ("velocityLimit", "effortLimit"))
    at = joint.idx_q
    lower, upper = model.lowerPositionLimit, model.upperPositionLimit
    if joint.nq != 1:
        plain = slice(at, at + _PLAIN_COORDINATES.get(short, 0))
        if not all(map(math.isinf, map(_or_infinite, (*lower[plain], *upper[plain])))):
            warnings.warn(
                f"from_pinocchio: the limits of position of joint '{name}' are left out: it has several coordinates", stacklevel=3
            )
        return made.with_limits(velocity=velocity, effort=effort)
    if short.startswith("R"):  # an angle: without limits it would be taken for a continuous joint's (cos, sin)
        angle = sys.float_info.max
        return made.with_limits(max(lower[at], -angle), min(upper[at], angle), velocity, effort)
    return made.with_limits(_or_infinite(lower[at]), _or_infinite(upper[at]), velocity, effort)


def _mimic(model: Any, i: int) -> plucker.Joint:
    """A joint that follows another. What it does by itself is not among what Python sees; its subspace, which is scaled, is."""
    name, joint = model.names[i], model.joints[i]
    own = _shown(joint, "extract", name)
    followed = model.names[list(model.mimicked_joints)[list(model.mimicking_joints).index(i)]]
    subspace = _subspace(joint, name)
    turns, slides = np.any(subspace[3:]), np.any(subspace[:3])
    if own.nvExtended != 1 or turns == slides:  # neither: it stands still
        raise plucker.Error(f"from_pinocchio: joint '{name}' follows '{followed}' in a way that has no counterpart")
    axis = (subspace[3:] if turns else subspace[:3]) / own.scaling
    made = plucker.revolute(name, axis) if turns else plucker.prismatic(name, axis)
    return made.mimicking(followed, own.scaling, own.offset)


def _subspace(joint: Any, name: str) -> Any:
    """The linear part first. It is asked of the type for all: a mimic joint's own has one that cannot become an array."""
    return np.ravel(_shown(joint, "createData", name).S)


def _shown(joint: Any, what: str, name: str) -> Any:
    """What stands in model.joints is of a type for all, which has no axis: that has the joint of its own type, or its data."""
    if not hasattr(joint, what):
        raise plucker.Error(f"from_pinocchio: the axis of joint '{name}' is not among what Pinocchio shows before its version 3.0")
    return getattr(joint, what)()


def _of_joint(model: Any, what: str, i: int) -> Any:
    """A number for each freedom of a joint; older versions of Pinocchio lack some of these."""
    values, joint = getattr(model, what, None), model.joints[i]
    return np.zeros(joint.nv) if values is None else values[joint.idx_v : joint.idx_v + joint.nv]


def _alike(model: Any, what: str, i: int) -> float:
    values = _of_joint(model, what, i)
    if np.any(values != values[0]):
        numbers = ", ".join(f"{x:g}" for x in values)
        raise plucker.Error(f"from_pinocchio: joint '{model.names[i]}' has {what} {numbers}; here its freedoms have the same")
    return float(values[0])


def _or_infinite(limit: float) -> float:
    """Pinocchio's joints are made with the largest number where they have no limit."""
    return math.copysign(math.inf, limit) if abs(limit) >= sys.float_info.max else float(limit)
