"""Stands in for Pinocchio's Python module, which need not be installed: models as its bindings show them in versions 3 and 4, with
those attributes that from_pinocchio may ask for and no others, of the same types, and with the same limits. What the real
ones do not take, such as a numpy integer as an index, these do not take either."""

from __future__ import annotations

import sys
from typing import Any, Callable, Iterator

import numpy as np

UNLIMITED = sys.float_info.max  # of joints that are made without limits


class StdVec:
    """A std::vector: less than a list."""

    def __init__(self, elements: Any = ()) -> None:
        self._elements = list(elements)

    def __len__(self) -> int:
        return len(self._elements)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._elements)

    def __contains__(self, x: Any) -> bool:
        return x in self._elements

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            if at.step is not None:
                raise IndexError("slice step size not supported.")
            return StdVec(self._elements[at])
        return self._elements[self._index(at)]

    def __setitem__(self, at: Any, x: Any) -> None:
        self._elements[self._index(at)] = x

    def append(self, x: Any) -> None:
        self._elements.append(x)

    @staticmethod
    def _index(at: Any) -> int:
        if type(at) is not int:
            raise TypeError("Invalid index type")
        return at


def _view(numbers: Any) -> Any:
    """As a matrix of Eigen becomes an array: column by column."""
    return np.array(numbers, dtype=float, order="F")


class SE3:
    def __init__(self, rotation: Any = ((1, 0, 0), (0, 1, 0), (0, 0, 1)), translation: Any = (0, 0, 0)) -> None:
        self._rotation, self._translation = _view(rotation), _view(translation)

    rotation = property(lambda self: self._rotation)
    translation = property(lambda self: self._translation)


class Inertia:
    def __init__(self, mass: float, lever: Any, inertia: Any) -> None:
        self._mass, self._lever, self._inertia = float(mass), _view(lever), inertia

    mass = property(lambda self: self._mass)
    lever = property(lambda self: self._lever)
    inertia = property(lambda self: np.array(self._inertia, dtype=float))  # a copy


class Motion:
    def __init__(self, linear: Any) -> None:
        self._linear = _view(linear)

    linear = property(lambda self: self._linear)
    angular = property(lambda self: np.zeros(3))


class Frame:
    def __init__(self, name: str, parent: int, placement: SE3) -> None:
        self.name, self.parentJoint, self.placement = name, parent, placement

    @property
    def parent(self) -> int:
        raise DeprecationWarning("Use Frame.parentJoint instead")  # and version 4 has none


class JointData:
    """Of any type. A matrix of one column becomes an array with one dimension."""

    def __init__(self, columns: Any) -> None:
        self._columns = np.atleast_2d(np.array(columns, dtype=float))

    @property
    def S(self) -> Any:  # noqa: N802
        return self._columns[0].copy() if len(self._columns) == 1 else np.asfortranarray(self._columns.T)


class JointDataMimic:
    @property
    def S(self) -> Any:  # noqa: N802
        raise TypeError("No to_python (by-value) converter found for C++ type: Eigen::Matrix<double, 6, -1, 0, 6, 6>")


# nq and nv of each type; a subspace where it does not depend on the joint.
_X, _Y, _Z = np.eye(3)
_SIZES = {
    "RX": (1, 1), "RY": (1, 1), "RZ": (1, 1), "RevoluteUnaligned": (1, 1),
    "RUBX": (2, 1), "RUBY": (2, 1), "RUBZ": (2, 1), "RevoluteUnboundedUnaligned": (2, 1),
    "PX": (1, 1), "PY": (1, 1), "PZ": (1, 1), "PrismaticUnaligned": (1, 1),
    "HX": (1, 1), "HY": (1, 1), "HZ": (1, 1), "HelicalUnaligned": (1, 1),
    "Universal": (2, 2), "Spherical": (4, 3), "SphericalZYX": (3, 3), "Translation": (3, 3), "Planar": (4, 3),
    "FreeFlyer": (7, 6), "Composite": (3, 3), "Ellipsoid": (3, 3), "Mimic": (0, 0),
}  # fmt: skip


class Own:
    """A joint of its own type, as extract() gives it: JointModelRX, JointModelHelicalUnaligned, …"""

    def __init__(self, joint: JointModel, shown: dict[str, Any]) -> None:
        self._joint = joint
        for name, value in shown.items():
            setattr(self, name, value if isinstance(value, float) else _view(value))

    nq = property(lambda self: self._joint.nq)
    nv = property(lambda self: self._joint.nv)
    idx_q = property(lambda self: self._joint.idx_q)
    idx_v = property(lambda self: self._joint.idx_v)
    nvExtended = property(lambda self: self._joint.nvExtended)  # noqa: N815

    def shortname(self) -> str:
        return self._joint.shortname()

    def createData(self) -> Any:  # noqa: N802
        return JointDataMimic() if self.shortname() == "JointModelMimic" else self._joint.createData()


class JointModel:
    """As in model.joints: of one type for all joints, which has neither axis nor pitch.

    `shown`: what the joint's own type shows. `axis`: what it has, shown or not. `follows`: the joint of its own kind that a
    mimic joint is made of."""

    def __init__(self, kind: str, axis: Any, follows: str, shown: dict[str, Any]) -> None:
        self._kind, self._shown, self._follows = kind, shown, follows
        self._nq, self._nv = _SIZES[kind]
        self._axis = np.array({"X": _X, "Y": _Y, "Z": _Z}.get((follows or kind)[-1], (0, 0, 0)) if axis is None else axis, float)
        self._idx_q, self._idx_v = -1, -1

    nq = property(lambda self: self._nq)
    nv = property(lambda self: self._nv)
    idx_q = property(lambda self: self._idx_q)
    idx_v = property(lambda self: self._idx_v)
    nvExtended = property(lambda self: _SIZES[self._follows or self._kind][1])  # noqa: N815

    def shortname(self) -> str:
        return f"JointModel{self._kind}"

    def extract(self) -> Own:
        return Own(self, self._shown)

    def createData(self) -> JointData:  # noqa: N802
        kind, still = self._follows or self._kind, np.zeros(3)
        scaling, pitch = (self._shown.get(what, 1.0) for what in ("scaling", "pitch"))
        if kind.startswith("H"):
            return JointData(np.concatenate([pitch * self._axis, self._axis]) * scaling)
        if kind.startswith("P") and kind != "Planar":
            return JointData(np.concatenate([self._axis, still]) * scaling)
        if kind.startswith("R"):
            return JointData(np.concatenate([still, self._axis]) * scaling)
        return JointData(np.eye(6)[: self.nvExtended] * scaling)  # of no interest


def joint(kind: str, axis: Any = None, follows: str = "", **shown: Any) -> JointModel:
    """With what the bindings show of its type, and no more."""
    if kind in ("RevoluteUnaligned", "PrismaticUnaligned", "HelicalUnaligned"):
        shown["axis"] = axis
    return JointModel(kind, axis, follows, shown)


class Model:
    """A model that is empty but for the universe, which has a joint too: one about x, without coordinates."""

    def __init__(self, name: str = "", gravity: Any = (0, 0, -9.81)) -> None:
        self.name, self.gravity = name, Motion(gravity)
        self._names, self._parents = StdVec(["universe"]), StdVec([0])
        self._joints, self._inertias = StdVec([joint("RX")]), StdVec([Inertia(0, (0, 0, 0), np.zeros((3, 3)))])
        self.jointPlacements, self.frames = StdVec([SE3()]), StdVec([Frame("universe", 0, SE3())])
        self.mimicking_joints, self.mimicked_joints = StdVec(), StdVec()
        self._nq = self._nv = 0
        self.lowerPositionLimit, self.upperPositionLimit = np.zeros(0), np.zeros(0)
        self.velocityLimit, self.effortLimit = np.zeros(0), np.zeros(0)
        self.armature, self.friction, self.damping = np.zeros(0), np.zeros(0), np.zeros(0)

    nq = property(lambda self: self._nq)
    nv = property(lambda self: self._nv)
    names = property(lambda self: self._names)
    parents = property(lambda self: self._parents)
    joints = property(lambda self: self._joints)
    inertias = property(lambda self: self._inertias)

    def addJoint(  # noqa: N802
        self, parent: int, joint: JointModel, placement: SE3, name: str, inertia: Inertia, mimics: int | None = None, **limits: Any
    ) -> int:
        """`limits`: what stands in the vectors of these names, of all coordinates or freedoms. With the frame that readers add."""
        joint._idx_q, joint._idx_v = self._nq, self._nv
        if mimics is not None:  # it has those of the joint that it follows
            joint._idx_q, joint._idx_v = self._joints[mimics].idx_q, self._joints[mimics].idx_v
            self.mimicking_joints.append(len(self._names))
            self.mimicked_joints.append(mimics)
        self._nq, self._nv = self._nq + joint.nq, self._nv + joint.nv
        otherwise = {"lowerPositionLimit": -UNLIMITED, "upperPositionLimit": UNLIMITED, "velocityLimit": UNLIMITED,
                     "effortLimit": UNLIMITED, "armature": 0.0, "friction": 0.0, "damping": 0.0}  # fmt: skip
        for vector, without in otherwise.items():
            size = joint.nq if "Position" in vector else joint.nv
            more = np.broadcast_to(np.asarray(limits.pop(vector, without), dtype=float), size)
            setattr(self, vector, np.concatenate([getattr(self, vector), more]))
        assert not limits, limits
        for vec, x in ((self._names, name), (self._parents, parent), (self._joints, joint), (self._inertias, inertia)):
            vec.append(x)
        self.jointPlacements.append(placement)
        self.frames.append(Frame(name, len(self._names) - 1, SE3()))
        return len(self._names) - 1


def older(model: Model) -> Model:
    """As version 2.7 shows it: joints only of the type for all, without data; frames with a parent; no armature."""

    class OldJoint:
        def __init__(self, joint: JointModel) -> None:
            self.shortname: Callable[[], str] = joint.shortname
            self.nq, self.nv, self.idx_q, self.idx_v = joint.nq, joint.nv, joint.idx_q, joint.idx_v

    class OldFrame:
        def __init__(self, frame: Frame) -> None:
            self.name, self.parent, self.placement = frame.name, frame.parentJoint, frame.placement

    model._joints = StdVec(OldJoint(joint) for joint in model.joints)
    model.frames = StdVec(OldFrame(frame) for frame in model.frames)
    del model.armature, model.mimicking_joints, model.mimicked_joints
    return model
