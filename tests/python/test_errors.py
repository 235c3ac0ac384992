"""What can be got wrong is said: what was given, what is expected, what comes close."""

from __future__ import annotations

import gc
import pickle
from typing import Any, Callable

import numpy as np
import pytest
from conftest import ROWS, Sample, robot_named, row_id
from hypothesis import given, settings
from hypothesis import strategies as st

import plucker
from plucker import _plucker

Call = Callable[[plucker.Robot, Sample], Any]

ERRORS: dict[str, Call] = {
    "inverse_dynamics: v has shape (6,), expected (..., 7): the last dimension is nv": lambda r, s: r.inverse_dynamics(
        s.q, s.v[:6], s.a
    ),
    "mass_matrix: q has shape (), expected (..., 7): the last dimension is nq": lambda r, s: r.mass_matrix(1.0),
    "inverse_dynamics: the leading dimensions do not fit together: q (2,), v (3,), a ()": lambda r, s: r.inverse_dynamics(
        np.zeros((2, 7)), np.zeros((3, 7)), s.a
    ),
    "frame_pose: unknown frame 'tol'; closest: 'tool', 'pedestal', 'link1'": lambda r, s: r.frame_pose(s.q, "tol"),
    "frame_jacobian: reference is 'wold'; it must be 'body', 'world' or 'world_aligned'": lambda r, s: r.frame_jacobian(
        s.q, "tool", "wold"
    ),
    "mass_matrix: q[2] (joint 'joint3') is nan; it must be finite": lambda r, s: r.mass_matrix(
        [0, 0, np.nan, 0, 0, 0, 0]
    ),
    "com_velocity: v[0] (joint 'joint1') is inf; it must be finite": lambda r, s: r.com_velocity(
        s.q, [np.inf, 0, 0, 0, 0, 0, 0]
    ),
    "mass_matrix: out has shape (7,), expected (7, 7)": lambda r, s: r.mass_matrix(s.q, out=np.zeros(7)),
    "mass_matrix: out has shape (2, 7, 7), expected (3, 7, 7)": lambda r, s: r.mass_matrix(
        np.zeros((3, 7)), out=np.zeros((2, 7, 7))
    ),
    "mass_matrix: out is read-only; give an array that can be written": lambda r, s: r.mass_matrix(
        s.q, out=np.broadcast_to(np.zeros((7, 7)), (7, 7))
    ),
    "mass_matrix: status has shape (2,), expected (3,), one entry per state": lambda r, s: r.mass_matrix(
        np.zeros((3, 7)), status=np.zeros(2, np.uint8)
    ),
    "mass_matrix: threads is -1; it must be from 1 to 1024, or 0 for as many as there are cores": lambda r, s: r.mass_matrix(
        np.zeros((3, 7)), threads=-1
    ),
    "center_of_mass: root: unknown body 'link'; closest: 'link1', 'link2', 'link3'": lambda r, s: r.center_of_mass(
        s.q, "link"
    ),
    "center_of_mass: there is no body 99; bodies are 1 to 7, and 0 stands for the whole robot": lambda r, s: r.center_of_mass(
        s.q, 99
    ),
    "hybrid_dynamics: given: unknown joint 'joint'; closest: 'joint1', 'joint2', 'joint3'": lambda r, s: r.hybrid_dynamics(
        s.q, s.v, ["joint"], s.a, s.tau
    ),
    "unknown link 'link'; closest: 'link1', 'link2', 'link3'": lambda r, s: r.inertia("link"),
    "unknown joint 'join1'; closest: 'joint1', 'joint2', 'joint3'": lambda r, s: r.q_index("join1"),
    "unknown robot 'amr'; closest: 'arm', 'lamp', 'particle'": lambda r, s: plucker.robots.by_name("amr"),
    "attach: both robots have a link 'pedestal'; give the names of the part a prefix": lambda r, s: r.attach("tool", r),
    "with_base: base is 'floats'; it must be 'fixed' or 'floating'": lambda r, s: r.with_base("floats"),
    "with_gravity: gravity has shape (2,), expected (3,): x, y, z": lambda r, s: r.with_gravity([0, 1]),
    "random_configurations: n is -1; it must not be negative": lambda r, s: r.random_configurations(-1),
    "verify: samples is 0; it must be at least 1": lambda r, s: r.verify(samples=0),
    "ExternalForces.add: force has shape (3,), expected (..., 6): moment, then force": lambda r, s: plucker.ExternalForces(
        r
    ).add("tool", [1, 2, 3], "body"),
    "mass_matrix: the result would have shape (144115188075855872, 7, 7), which is more than an array can have; compute it in "
    "pieces": lambda r, s: r.mass_matrix(np.broadcast_to(s.q, (2**57, 7))),
    "frame_pose: frame is '\\udc80'; it must be a text of whole characters, none of them zero": lambda r, s: r.frame_pose(
        s.q, "\udc80"
    ),
    "frame_pose: frame is 'to\\x00ol'; it must be a text of whole characters, none of them zero": lambda r, s: r.frame_pose(
        s.q, "to\0ol"
    ),
    "pickle: these bytes were not written by this version of plucker": lambda r, s: r.__class__.__new__(
        r.__class__
    ).__setstate__(b"nonsense"),
}
TYPE_ERRORS: dict[str, Call] = {
    "inverse_dynamics: a is missing; it takes q, v, a, [external] and, by name, out, threads, status": lambda r, s: r.inverse_dynamics(
        s.q, s.v
    ),
    "mass_matrix: there is no argument 'qq'; it takes q and, by name, out, threads, status": lambda r, s: r.mass_matrix(
        qq=s.q
    ),
    "mass_matrix: 'q' was given twice; it takes q and, by name, out, threads, status": lambda r, s: r.mass_matrix(
        s.q, q=s.q
    ),
    "mass_matrix: 2 arguments without a name were given; it takes q and, by name, out, threads, status": lambda r, s: r.mass_matrix(
        s.q, s.q
    ),
    "mass_matrix: q is an array of complex128; expected numbers in float64 or float32": lambda r, s: r.mass_matrix(
        s.q.astype(complex)
    ),
    "mass_matrix: q is an array of float128; expected numbers in float64 or float32": lambda r, s: r.mass_matrix(
        s.q.astype(np.longdouble)
    ),
    "mass_matrix: q is NoneType; expected numbers in float64 or float32": lambda r, s: r.mass_matrix(None),
    "mass_matrix: q is str; expected numbers in float64 or float32": lambda r, s: r.mass_matrix("q"),
    "mass_matrix: q is list; expected numbers in float64 or float32; it makes an array of object": lambda r, s: r.mass_matrix(
        [None] * 7
    ),
    "mass_matrix: out is an array of float32; expected an array of float64, like the arguments": lambda r, s: r.mass_matrix(
        s.q, out=np.zeros((7, 7), np.float32)
    ),
    "mass_matrix: out is list; expected an array": lambda r, s: r.mass_matrix(s.q, out=[]),
    "jacobians: out is an array of float64; expected a tuple of 2 arrays": lambda r, s: r.jacobians(
        s.q, out=np.zeros(3)
    ),
    "mass_matrix: threads is float; expected a whole number": lambda r, s: r.mass_matrix(np.zeros((3, 7)), threads=1.5),
    "mass_matrix: threads is str; expected a whole number": lambda r, s: r.mass_matrix(s.q, threads="2"),
    "mass_matrix: status is list; expected an array of uint8": lambda r, s: r.mass_matrix(np.zeros((3, 7)), status=[]),
    "frame_pose: frame is int; expected the name of a frame": lambda r, s: r.frame_pose(s.q, 3),
    "inverse_dynamics: external is list; expected plucker.ExternalForces, or None": lambda r, s: r.inverse_dynamics(
        s.q, s.v, s.a, []
    ),
    "hybrid_dynamics: given is str; expected a list of joint names": lambda r, s: r.hybrid_dynamics(
        s.q, s.v, "joint1", s.a, s.tau
    ),
}


@pytest.mark.parametrize("message", ERRORS)
def test_errors_say_what_is_wrong(message: str, arm: plucker.Robot) -> None:
    with pytest.raises(plucker.Error) as caught:
        ERRORS[message](arm, Sample(arm))
    assert str(caught.value) == message
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("message", TYPE_ERRORS)
def test_wrong_types_are_type_errors(message: str, arm: plucker.Robot) -> None:
    with pytest.raises(TypeError) as caught:
        TYPE_ERRORS[message](arm, Sample(arm))
    assert str(caught.value) == message


def test_rows_of_different_lengths_are_told(arm: plucker.Robot) -> None:
    with pytest.raises(TypeError, match="mass_matrix: q is list; expected an array of numbers: .*inhomogeneous"):
        arm.mass_matrix([[1], [2, 3]])


def test_whole_numbers_of_numpy_are_whole_numbers(arm: plucker.Robot) -> None:
    s = Sample(arm, (3,))
    np.testing.assert_array_equal(arm.mass_matrix(s.q, threads=np.int64(2)), arm.mass_matrix(s.q))
    np.testing.assert_array_equal(arm.center_of_mass(s.q, np.int32(3)), arm.center_of_mass(s.q, 3))


def test_singular_mass_matrix_is_told(arm: plucker.Robot) -> None:
    massless = plucker.Builder("ghost").link("a").body("a", plucker.revolute("hinge", (0, 0, 1)), "b").build()
    with pytest.raises(plucker.Error, match="singular at joint 'hinge'"):
        massless.inverse_mass_matrix([0.0])
    assert np.isnan(massless.inverse_mass_matrix(np.zeros((4, 1)))).all()
    assert (massless.last_status == plucker.Status.SINGULAR_MASS_MATRIX).all()


def test_forces_of_another_robot_are_refused(arm: plucker.Robot, quadruped: plucker.Robot) -> None:
    s = Sample(arm)
    forces = plucker.ExternalForces(quadruped)
    forces.add("trunk", np.zeros(6), "body")
    with pytest.raises(plucker.Error, match=r"another robot \('quadruped'\)"):
        arm.inverse_dynamics(s.q, s.v, s.a, forces)


def test_files_are_refused_with_the_place(tmp_path: Any) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text('<robot name="arm">\n  <link name="a"/>\n  <link name="a"/>\n</robot>')
    with pytest.raises(plucker.Error, match=r"arm.urdf:3: error: .*two links are named 'a'"):
        plucker.load(path)
    with pytest.raises(plucker.Error, match="no such file"):
        plucker.load(tmp_path / "none.urdf")


class Nothing(plucker.Robot):
    def __init__(self) -> None:
        pass


class OwnError(Exception):
    pass


class Raises:
    def __array__(self, *_: Any) -> Any:
        raise OwnError


def test_errors_of_the_callers_own_pass_through(arm: plucker.Robot) -> None:
    with pytest.raises(OwnError):
        arm.mass_matrix(Raises())  # type: ignore[arg-type]


JUNK: list[Any] = [
    None, object(), "text", b"bytes", {}, [], [[]], (), 1, -1, 2**100, 1.5, float("nan"), 1j, True, np.zeros(()),
    np.zeros(0), np.zeros((0, 0)), np.zeros((2, 3, 4, 5)), np.zeros(7, "datetime64[s]"), np.zeros(7, object),
    np.zeros(7, [("x", float)]), np.array(["a"]), np.zeros((1,) * 32), Raises(), range(7), iter([1]), int, plucker,
    np.lib.stride_tricks.as_strided(np.zeros(1), (10**12, 7), (0, 0)),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_no_argument_ends_the_interpreter(row: dict[str, Any], arm: plucker.Robot) -> None:
    """Whatever stands in the place of any argument, Python goes on."""
    s = Sample(arm)
    function = getattr(arm, row["name"])
    arguments = s.arguments(row)
    for junk in JUNK:
        for k in range(len(row["parameters"]) + 1):
            changed = [*arguments[:k], junk, *arguments[k + 1 :]]
            try:
                function(*changed)
            except (ValueError, TypeError, MemoryError, OwnError):
                pass
        for name in ("out", "threads", "status", "reference", "root", "external", "nonsense"):
            try:
                function(*arguments, **{name: junk})
            except (ValueError, TypeError, MemoryError, OwnError):
                pass


def any_array() -> st.SearchStrategy[Any]:
    """Of any type and few dimensions, empty ones too, with strides that a slice or a transposition makes."""
    dtypes = st.sampled_from(["f8", "f4", ">f8", "f2", "i4", "u1", "?", "c16", "O", "U3", "M8[s]", "f8,i4"])
    shapes = st.lists(st.sampled_from([0, 1, 2, 3, 6, 7, 49]), max_size=4)

    def made(dtype: str, shape: list[int], step: int, transposed: bool) -> Any:
        array = np.zeros(shape, dtype)[..., ::step] if shape else np.zeros(shape, dtype)
        return array.T if transposed else array

    return st.builds(made, dtypes, shapes, st.sampled_from([1, -1, 2]), st.booleans())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(data=st.data())
def test_no_arrays_end_the_interpreter(data: st.DataObject) -> None:
    """Any function, with arguments of which some are as they should be."""
    row = data.draw(st.sampled_from(ROWS))
    s = Sample(robot_named("arm"), data.draw(st.sampled_from([(), (0,), (3,), (2, 2)])))
    strange = st.one_of(any_array(), st.sampled_from(JUNK[:-1]))
    arguments = [data.draw(st.one_of(st.just(x), strange)) for x in s.arguments(row)]
    options = data.draw(st.dictionaries(st.sampled_from(["out", "threads", "status", "external", "reference"]), strange))
    try:
        getattr(s.robot, row["name"])(*arguments, **options)
    except (ValueError, TypeError, MemoryError, OwnError):
        pass
    assert s.robot.mass_matrix(s.robot.neutral()).shape == (7, 7)


def test_robot_that_was_never_made() -> None:
    with pytest.raises(TypeError):
        Nothing().mass_matrix(np.zeros(7))
    with pytest.raises(TypeError):
        plucker.Robot.mass_matrix(3, np.zeros(7))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        plucker.Robot()


CLASSES = [x for x in vars(_plucker).values() if isinstance(x, type) and x.__base__ is plucker.Robot.__base__]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_objects_that_were_never_made_are_refused(kind: type) -> None:
    """Whatever is asked of them."""
    arguments: list[tuple[Any, ...]] = [(), (1,), ("a",), (np.zeros(7),), (np.zeros(7),) * 3, ("a", [0] * 6, "world")]
    for name in dir(kind):
        if name in ("__new__", "__init__", "__class__", "__init_subclass__", "__subclasshook__"):
            continue
        for given in arguments:
            unmade = kind.__new__(kind)
            try:
                asked = getattr(unmade, name)
                if callable(asked):
                    asked(*given)
                    asked(unmade, *given)
            except (TypeError, ValueError, AttributeError, RuntimeError, NotImplementedError):
                pass
    with pytest.raises(TypeError, match="was never made: its class was not called"):
        _plucker.Robot.nq.fget(_plucker.Robot.__new__(_plucker.Robot))  # type: ignore[attr-defined]


def test_base_of_the_classes_makes_nothing() -> None:
    base: Any = plucker.Robot.__base__
    derived = type("Derived", (base,), {})
    for kind in (base, derived):
        with pytest.raises(TypeError, match="no pybind11-registered base types"):
            kind()


def test_objects_keep_their_class(arm: plucker.Robot) -> None:
    assert arm.__class__ is plucker.Robot
    with pytest.raises(AttributeError):
        arm.__class__ = plucker.Builder  # type: ignore[assignment]


def test_broken_pickles_are_refused(arm: plucker.Robot) -> None:
    whole = arm.__getstate__()  # type: ignore[operator]
    for cut in [*range(0, len(whole), 37), len(whole) - 1]:
        with pytest.raises(plucker.Error, match="pickle"):
            arm.__class__.__new__(arm.__class__).__setstate__(whole[:cut])  # type: ignore[attr-defined]
    generator = np.random.default_rng(1)
    for _ in range(300):
        spoilt = bytearray(whole)
        spoilt[generator.integers(9, len(whole))] ^= 1 << generator.integers(8)
        try:
            arm.__class__.__new__(arm.__class__).__setstate__(bytes(spoilt))  # type: ignore[attr-defined]
        except plucker.Error:
            pass
    gc.collect()
    assert pickle.loads(pickle.dumps(arm)).nv == 7


untyped: Any = plucker  # what mypy would refuse


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: untyped.load("x", bas="floating"), "load: there is no argument 'bas'; closest: 'base'; it takes path and, by name, base,"),
        (lambda: untyped.load(), "load: path is missing; it takes path"),
        (lambda: untyped.load("x", "y"), "load: 2 arguments without a name were given; it takes path"),
        (lambda: untyped.load(3), "load: path is int; expected a path"),
        (lambda: untyped.robots.arm().compile("inverse_dynamics"), "compile: functions is str; expected a list of texts"),
        (lambda: untyped.robots.arm().compile(["mass_matrix", 3]), r"compile: functions\[1\] is int; expected a text"),
        (lambda: untyped.robots.arm().with_mass("link3", 2.0), "with_mass: mass is float; expected plucker.MassProperties"),
        (lambda: untyped.robots.arm().lock_joints(["joint3"]), "lock_joints: values is list; expected a dictionary"),
        (lambda: untyped.robots.arm().random_configurations(3, seed=-1), "random_configurations: seed is -1, which is out of range"),
        (lambda: untyped.robots.arm().random_configurations(3, n=2), "random_configurations: n is given twice"),
        (lambda: untyped.World.flat(mu=1), r"flat: there is no argument 'mu'; it takes \[friction\],"),
        (lambda: untyped.Surface("rough"), "Surface: friction is str; expected a number"),
        (lambda: untyped.Shape.box(), "box: size is missing; it takes size,"),
    ],
)
def test_arguments_that_a_function_does_not_take_are_named(call: Callable[[], object], said: str) -> None:
    with pytest.raises(TypeError, match=f"^{said}") as refused:
        call()
    assert "pybind11" not in str(refused.value) and "\n" not in str(refused.value)


def test_functions_keep_their_names() -> None:
    for function in (plucker.load, plucker.Robot.neutral, plucker.World.flat):
        assert pickle.loads(pickle.dumps(function)) is function
        assert function.__doc__ and function.__module__ == "plucker._plucker"
