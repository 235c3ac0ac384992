"""Shapes, strides, dtypes, out= and status=: by hand, and at random."""

from __future__ import annotations

from typing import Any

import hypothesis
import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from conftest import ROWS, Sample, applies, core_shape, robot_named, row_id

import plucker

SETTINGS = hypothesis.settings(max_examples=60, deadline=None, derandomize=True)


def relaid(array: np.ndarray, draw: st.DrawFn) -> np.ndarray:
    """The same numbers, laid out in memory in another way."""
    kind = draw(st.sampled_from(["plain", "fortran", "reversed", "sliced", "swapped bytes", "unaligned", "read only"]))
    if kind == "fortran":
        return np.asfortranarray(array)
    if kind == "reversed":
        return np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    if kind == "sliced":
        wide = np.full((*array.shape[:-1], 2 * array.shape[-1] + 3), np.nan, array.dtype)
        wide[..., 1 : 1 + 2 * array.shape[-1] : 2] = array
        return wide[..., 1 : 1 + 2 * array.shape[-1] : 2]
    if kind == "swapped bytes":
        return array.astype(array.dtype.newbyteorder())
    if kind == "unaligned":
        raw = np.zeros(array.nbytes + 1, np.uint8)
        moved = raw[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    copy = array.copy()
    copy.setflags(write=kind != "read only")
    return copy


@st.composite
def calls(draw: st.DrawFn) -> tuple[dict[str, Any], Sample, list[Any], tuple[int, ...], type]:
    """A row, and arguments whose leading dimensions broadcast."""
    robot = robot_named(draw(st.sampled_from(["arm", "quadruped"])))
    row = draw(st.sampled_from([row for row in ROWS if applies(row, robot)]))
    vectors = [x for x in row["parameters"] if not x["option"]]
    shapes = draw(arrays.mutually_broadcastable_shapes(num_shapes=len(vectors), max_dims=3, max_side=4, min_side=0))
    dtype = draw(st.sampled_from([np.float64, np.float32]))
    full = Sample(robot, shapes.result_shape, seed=draw(st.integers(1, 5)))
    arguments, k = [], 0
    for x, value in zip(row["parameters"], full.arguments(row)):
        if not x["option"]:
            shape = shapes.input_shapes[k]
            k += 1
            one = Sample(robot, shape, seed=k).arguments(row)[row["parameters"].index(x)]
            value = relaid(one.astype(dtype), draw)
        arguments.append(value)
    return row, full, arguments, shapes.result_shape, dtype


def results_of(row: dict[str, Any], value: Any) -> tuple[Any, ...]:
    return tuple(value) if row["result_type"] else (value,)


@SETTINGS
@hypothesis.given(calls())
def test_any_layout_gives_what_dense_arrays_give(call: Any) -> None:
    row, s, arguments, shape, dtype = call
    function = getattr(s.robot, row["name"])
    results = results_of(row, function(*arguments))
    vectors = [not x["option"] for x in row["parameters"] if not x["optional"]]
    dense = [
        np.ascontiguousarray(np.broadcast_to(x, (*shape, x.shape[-1])), dtype=dtype) if is_vector else x
        for x, is_vector in zip(arguments, vectors)
    ]
    expected = results_of(row, function(*dense))
    for result, value, x in zip(results, expected, row["results"]):
        assert result.shape == (*shape, *core_shape(s.robot, x["shape"]))
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, value)  # to the last bit


@SETTINGS
@hypothesis.given(calls(), st.data())
def test_out_is_written_whatever_its_layout(call: Any, data: st.DataObject) -> None:
    row, s, arguments, shape, dtype = call
    function = getattr(s.robot, row["name"])
    expected = results_of(row, function(*arguments))
    out = []
    for x in row["results"]:
        whole = (*shape, *core_shape(s.robot, x["shape"]))
        order = data.draw(st.permutations(range(len(whole))))
        out.append(np.full([whole[k] for k in order], np.nan, dtype).transpose(np.argsort(order)))
    returned = results_of(row, function(*arguments, out=tuple(out) if row["result_type"] else out[0]))
    for given, result, value in zip(out, returned, expected):
        assert result is given
        np.testing.assert_array_equal(result, value)


def test_out_that_repeats_a_place_has_what_was_written_last(arm: plucker.Robot) -> None:
    """As NumPy's own functions do: one row of memory that is the row of every state, and one number that is all of a row."""
    s = Sample(arm, (5,))
    tau = arm.gravity_torque(s.q)
    row, number = np.zeros(7), np.zeros(5)
    states = np.lib.stride_tricks.as_strided(row, (5, 7), (0, row.itemsize))
    assert arm.gravity_torque(s.q, out=states) is states
    np.testing.assert_array_equal(row, tau[-1])
    entries = np.lib.stride_tricks.as_strided(number, (5, 7), (number.itemsize, 0))
    arm.gravity_torque(s.q, out=entries)
    np.testing.assert_array_equal(number, tau[:, -1])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_out_has_the_numbers_of_this_machine(arm: plucker.Robot, dtype: type) -> None:
    """Neither those of another precision nor those of another byte order, and what is refused stays as it was."""
    s = Sample(arm, (5,))
    q = s.q.astype(dtype)
    own = np.dtype(dtype)
    other = np.dtype(np.float32 if dtype is np.float64 else np.float64)
    for wrong in (own.newbyteorder(), other, other.newbyteorder(), np.dtype(np.int64), np.dtype(complex)):
        for argument in (q, q[0]):
            out = np.full((*argument.shape, 7), 3, wrong)
            with pytest.raises(TypeError, match=f"an array of {own.name}, like the arguments"):
                arm.mass_matrix(argument, out=out)
            assert (out == 3).all()
    out = np.zeros((5, 7, 7), own)
    assert arm.mass_matrix(q, out=out) is out


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_whole_numbers_and_lists_are_taken(row: dict[str, Any], arm: plucker.Robot) -> None:
    s = Sample(arm)
    if not applies(row, arm):
        return
    arguments = [np.ones(x.shape, int).tolist() if isinstance(x, np.ndarray) else x for x in s.arguments(row)]
    result = getattr(arm, row["name"])(*arguments)
    for x in results_of(row, result):
        assert x.dtype == np.float64


def test_missing_dimension_is_repeated(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (4, 5))
    tau = quadruped.inverse_dynamics(s.q, s.v[0], s.a[0, 0])
    again = quadruped.inverse_dynamics(s.q, np.broadcast_to(s.v[0], s.v.shape), np.broadcast_to(s.a[0, 0], s.a.shape))
    np.testing.assert_array_equal(tau, again)


def test_output_may_be_the_input(arm: plucker.Robot) -> None:
    s = Sample(arm, (1000,))
    expected = arm.inverse_dynamics(s.q, s.v, s.a)
    assert arm.inverse_dynamics(s.q, s.v, s.a, out=s.a) is s.a
    np.testing.assert_array_equal(s.a, expected)


@pytest.mark.parametrize("place", [slice(None, None, -1), slice(1, 20001), slice(0, 40000, 2)])
def test_output_that_overlaps_an_input_is_right(arm: plucker.Robot, place: slice) -> None:
    memory = np.tile(Sample(arm, (100,)).a, (400, 1))
    n = 20000 if place.step != -1 else 40000
    s = Sample(arm, (1,))
    a, out = memory[:n], memory[place]
    expected = arm.inverse_dynamics(s.q, s.v, a.copy())
    arm.inverse_dynamics(s.q, s.v, a, out=out)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("shape", [(), (100,)])
def test_output_that_is_read_may_be_another_argument(arm: plucker.Robot, shape: tuple[int, ...]) -> None:
    s = Sample(arm, shape)
    expected = arm.mass_matrix_times(s.q, s.tau)
    q = s.q.copy()
    np.testing.assert_array_equal(arm.mass_matrix_times(q, s.tau, out=q), expected)
    found = arm.hybrid_dynamics(s.q, s.v, s.given, s.a, s.tau)
    a, tau = s.a.copy(), s.tau.copy()
    arm.hybrid_dynamics(s.q, s.v, s.given, a, tau, out=(tau, a))
    np.testing.assert_array_equal(tau, found.a)
    np.testing.assert_array_equal(a, found.tau)


def test_spoilt_states_are_flagged_and_leave_the_others(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (50,))
    good = quadruped.gravity_torque(s.q)
    s.q[7, 9] = np.nan
    s.q[8, 3:7] = 0
    status = np.full(50, 99, np.uint8)
    tau = quadruped.gravity_torque(s.q, status=status)
    assert status[7] == plucker.Status.NON_FINITE_INPUT
    assert status[8] == plucker.Status.NO_ATTITUDE
    assert np.isnan(tau[7:9]).all()
    rest = np.delete(np.arange(50), [7, 8])
    assert (status[rest] == plucker.Status.OK).all()
    np.testing.assert_array_equal(tau[rest], good[rest])
    assert quadruped.last_status is status


@pytest.mark.parametrize("step", [1, 2, 3, -1, -2])
def test_status_may_lie_anywhere(quadruped: plucker.Robot, step: int) -> None:
    """Between numbers that are not its own, and backwards."""
    s = Sample(quadruped, (50,))
    s.q[7, 9] = np.nan
    s.q[48, 3:7] = 0
    memory = np.full(50 * abs(step), 99, np.uint8)
    status = memory[::step]
    quadruped.gravity_torque(s.q, status=status)
    expected = np.zeros(50, np.uint8)
    expected[7], expected[48] = plucker.Status.NON_FINITE_INPUT, plucker.Status.NO_ATTITUDE
    np.testing.assert_array_equal(status, expected)
    status[:] = 99
    assert (memory == 99).all()


def test_one_state_with_a_status_is_flagged_too(arm: plucker.Robot) -> None:
    s, status = Sample(arm), np.zeros((), np.uint8)
    good = arm.kinetic_energy(s.q, s.v, status=status)
    assert isinstance(good, float) and status == plucker.Status.OK
    s.v[2] = np.inf
    assert np.isnan(arm.kinetic_energy(s.q, s.v, status=status))
    assert status == plucker.Status.NON_FINITE_INPUT


def test_status_names_are_the_librarys() -> None:
    names = plucker._plucker._status_names
    assert len(names) == len(plucker.Status)
    for status in plucker.Status:
        assert names[status].replace(" ", "_").replace("-", "_").lower() == status.name.lower()


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_no_states_give_no_results(arm: plucker.Robot, shape: tuple[int, ...]) -> None:
    assert arm.mass_matrix(np.zeros((*shape, arm.nq))).shape == (*shape, 7, 7)


def test_bits_do_not_depend_on_threads_or_neighbours(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (20000,))
    results = [quadruped.forward_dynamics(s.q, s.v, s.tau, threads=n) for n in (1, 2, 0)]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
    np.testing.assert_array_equal(results[0][1234:1239], quadruped.forward_dynamics(*(x[1234:1239] for x in (s.q, s.v, s.tau))))


def test_robot_that_cannot_move() -> None:
    stone = plucker.loads('<robot name="stone"><link name="stone"/></robot>')
    assert stone.nv == 0
    assert stone.mass_matrix(stone.neutral()).shape == (0, 0)
    assert stone.gravity_torque(np.zeros((5, 0))).shape == (5, 0)
    assert stone.frame_pose(np.zeros((5, 0)), "stone").shape == (5, 3, 4)


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_functions_of_a_robot_that_cannot_move(row: dict[str, Any]) -> None:
    """Results of many states have no numbers then, and are none to be counted by."""
    stone = plucker.loads('<robot name="stone"><link name="stone"/></robot>')
    if not applies(row, stone) or row["needs_mass"]:
        return
    results = Sample(stone, (5,)).call(row)
    assert [x.shape for x in results] == [(5, *core_shape(stone, x["shape"])) for x in row["results"]]
