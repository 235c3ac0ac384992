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


def from_mujoco(model: Any) -> plucker.Robot:
    """A robot from a mujoco.MjModel that was compiled from XML, with the XML that MuJoCo keeps of it.

    MuJoCo keeps that of the model which it loaded last, and none of a MjSpec: an Error says so where that is one with other joints,
    bodies or another mass. It writes numbers with six digits, and names of meshes beside a file that it does not name: a file that
    is at hand is better read with load, and of a MjSpec there is loads(spec.to_xml()). Take states over with
    Robot.from_mujoco_state and to_mujoco_state.
    """
    import mujoco

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

    A free-flyer as the first joint becomes a floating base. Bodies are named after their joints. Of joints that are
    composed of others, and of those that this library lacks, an Error says which. Take states over with
    Robot.from_pinocchio_order and to_pinocchio_order, which have the coordinates that Pinocchio's readers of files give a robot;
    a warning says where those of this model are others. Joints that mimic others have none in Pinocchio: there take
    Robot.coordinates("pinocchio", mimic_joints="left_out").
    """
    names = list(model.names)
    kinds = ["", *(model.joints[i].shortname() for i in range(1, len(names)))]
    floats = len(names) > 1 and kinds[1] == "JointModelFreeFlyer" and model.parents[1] == 0
    world = "" if floats else names[0]
    links = [world if i == 0 else f"{names[i]}_body" for i in range(len(names))]
    if "JointModelFreeFlyer" in kinds[2 if floats else 1 :]:
        raise plucker.Error("from_pinocchio: a free-flyer that is not the first joint cannot be a floating base")
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
    taken = set(links)
    for frame in model.frames:
        parent = getattr(frame, "parentJoint", None)
        parent = frame.parent if parent is None else parent
        if frame.name in taken or frame.name in names or not links[parent]:
            continue  # Pinocchio has frames for joints too
        taken.add(frame.name)
        builder.frame(frame.name, links[parent], _pose(frame.placement))
    robot = builder.build()
    _compare_coordinates(robot, model)
    return robot


def _compare_coordinates(robot: plucker.Robot, model: Any) -> None:
    coordinates = robot.coordinates("pinocchio", mimic_joints="left_out")
    single = [j for j in model.joints[1:] if j.nq == 1]
    theirs = [model.names[i] for i in range(1, len(model.names)) if model.joints[i].nq == 1]
    theirs = [name for _, name in sorted(zip((j.idx_v for j in single), theirs))]
    ours = [name for name in coordinates.v_names if name in set(theirs)]
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
    short = kind.replace("JointModel", "").replace("RUB", "R")
    if short in ("RX", "RY", "RZ"):
        made = plucker.revolute(name, _AXES[short[1]])
    elif short in ("PX", "PY", "PZ"):
        made = plucker.prismatic(name, _AXES[short[1]])
    elif short in ("HX", "HY", "HZ"):
        made = plucker.helical(name, _AXES[short[1]], _own(joint).pitch)
    elif short == "RevoluteUnaligned":
        made = plucker.revolute(name, _own(joint).axis)
    elif short == "RevoluteUnboundedUnaligned":
        # Its axis is not among what Python sees; its subspace is: the linear part first.
        made = plucker.revolute(name, np.ravel(_own(joint).createData().S)[3:6])
    elif short == "PrismaticUnaligned":
        made = plucker.prismatic(name, _own(joint).axis)
    elif short == "HelicalUnaligned":
        made = plucker.helical(name, _own(joint).axis, _own(joint).pitch)
    elif short == "Universal":
        made = plucker.universal(name, _own(joint).axis1, _own(joint).axis2)
    elif short == "Spherical":
        made = plucker.spherical(name)
    elif short == "Translation":
        made = plucker.translation(name)
    elif short == "Planar":
        made = plucker.planar(name, _AXES["Z"])
    elif short == "Mimic":
        return _mimic(model, i).at(_pose(model.jointPlacements[i]))
    else:
        raise plucker.Error(f"from_pinocchio: joint '{name}' is a {kind}, which has no counterpart")
    made = made.at(_pose(model.jointPlacements[i]))
    made = made.with_armature(_first(model, "armature", joint)).with_damping(_first(model, "damping", joint))
    made = made.with_friction(_first(model, "friction", joint))
    if joint.nq != 1:  # (cos, sin) and quaternions have no limits
        return made
    lower, upper = model.lowerPositionLimit[joint.idx_q], model.upperPositionLimit[joint.idx_q]
    if short.startswith("R"):  # an angle: without limits it would be taken for a continuous joint's (cos, sin)
        lower, upper = max(lower, -sys.float_info.max), min(upper, sys.float_info.max)
    return made.with_limits(lower, upper, model.velocityLimit[joint.idx_v], model.effortLimit[joint.idx_v])


def _mimic(model: Any, i: int) -> plucker.Joint:
    """A joint that follows another. What it does by itself is not among what Python sees; its subspace, which is scaled, is."""
    own = _own(model.joints[i])
    linear, angular = np.split(np.ravel(own.createData().S) / own.scaling, 2)
    followed = model.names[list(model.mimicked_joints)[list(model.mimicking_joints).index(i)]]
    turns, slides = np.any(angular), np.any(linear)
    if own.scaling == 0 or own.nvExtended != 1 or turns == slides:
        raise plucker.Error(f"from_pinocchio: joint '{model.names[i]}' follows '{followed}' in a way that has no counterpart")
    made = plucker.revolute(model.names[i], angular) if turns else plucker.prismatic(model.names[i], linear)
    return made.mimicking(followed, own.scaling, own.offset)


def _own(joint: Any) -> Any:
    """The joint of its own type: what stands in model.joints is of a type for all, which has no axis."""
    return joint.extract() if hasattr(joint, "extract") else joint


def _first(model: Any, name: str, joint: Any) -> float:
    """What a joint has on its first freedom; older versions of Pinocchio lack some of these."""
    values = getattr(model, name, None)
    return 0.0 if values is None else float(values[joint.idx_v])
