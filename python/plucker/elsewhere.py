"""Robots of other libraries, read through their Python modules."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from . import _plucker as plucker

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def from_mujoco(model: Any) -> plucker.Robot:
    """A robot from a mujoco.MjModel that was compiled from XML, with the XML that MuJoCo keeps of it.

    MuJoCo keeps that of the model which it loaded last: an Error says so where that is another one. It writes numbers with six
    digits; a file that is at hand is better read with load. Take states over with Robot.from_mujoco_state and to_mujoco_state.
    """
    import mujoco

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        mujoco.mj_saveLastXML(str(path), model)
        robot = plucker.load(path)
    coordinates = robot.coordinates("mujoco")
    if (coordinates.nq, coordinates.nv) != (model.nq, model.nv):
        raise plucker.Error(
            f"from_mujoco: the model has nq {model.nq} and nv {model.nv}, but the XML that MuJoCo keeps is that of a robot "
            f"with {coordinates.nq} and {coordinates.nv}: it keeps that of the last one. Load this model again, or plucker.load "
            "its file"
        )
    return robot


def from_pinocchio(model: Any) -> plucker.Robot:
    """A robot from a pinocchio.Model: its joints, inertias, limits, friction and frames.

    A free-flyer as the first joint becomes a floating base. Bodies are named after their joints. Of joints that are
    composed of others, and of those that this library lacks, an Error says which. Take states over with
    Robot.from_pinocchio_order and to_pinocchio_order.
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
    return builder.build()


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
    elif short in ("RevoluteUnaligned", "RevoluteUnboundedUnaligned"):
        made = plucker.revolute(name, _own(joint).axis)
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
    else:
        raise plucker.Error(f"from_pinocchio: joint '{name}' is a {kind}, which has no counterpart")
    made = made.at(_pose(model.jointPlacements[i]))
    made = made.with_armature(_first(model, "armature", joint)).with_damping(_first(model, "damping", joint))
    made = made.with_friction(_first(model, "friction", joint))
    if joint.nq != 1:  # (cos, sin) and quaternions have no limits
        return made
    lower, upper = model.lowerPositionLimit[joint.idx_q], model.upperPositionLimit[joint.idx_q]
    return made.with_limits(lower, upper, model.velocityLimit[joint.idx_v], model.effortLimit[joint.idx_v])


def _own(joint: Any) -> Any:
    """The joint of its own type: what stands in model.joints is of a type for all, which has no axis."""
    return joint.extract() if hasattr(joint, "extract") else joint


def _first(model: Any, name: str, joint: Any) -> float:
    """What a joint has on its first freedom; older versions of Pinocchio lack some of these."""
    values = getattr(model, name, None)
    return 0.0 if values is None else float(values[joint.idx_v])
