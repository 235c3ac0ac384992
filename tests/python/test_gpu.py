"""Robots on a GPU: what is refused is tried everywhere, the rest where there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import plucker
from conftest import ROWS, robot_named
from plucker import _plucker
from plucker._device_arrays import DeviceArray, new, stream

needs_gpu = pytest.mark.skipif(_plucker._num_gpus() == 0, reason="this machine has no GPU")


@pytest.mark.skipif(_plucker._num_gpus() > 0, reason="this machine has a GPU")
def test_says_what_is_missing() -> None:
    with pytest.raises(plucker.Error, match="NVIDIA's driver is missing|no GPU"):
        robot_named("arm").gpu()


class Memory:
    """What stands for a GPU where there is none."""

    def __init__(self) -> None:
        self.blocks: dict[int, np.ndarray[Any, Any]] = {}
        self.next = 4096

    def _allocate(self, size: int) -> int:
        self.next += 4096 + size
        self.blocks[self.next] = np.zeros(size, np.uint8)
        return self.next

    def _release(self, address: int) -> None:
        del self.blocks[address]

    def _copy_in(self, to: int, numbers: np.ndarray[Any, Any]) -> None:
        self.blocks[to][:] = numbers.view(np.uint8)

    def _copy_out(self, to: np.ndarray[Any, Any], address: int) -> None:
        to.view(np.uint8)[:] = self.blocks[address]


def test_arrays_of_our_own_lie_as_they_say() -> None:
    memory: Any = Memory()
    numbers = np.arange(6.0).reshape(3, 2)
    array = DeviceArray.from_host(memory, numbers)
    interface = array.__cuda_array_interface__
    assert interface["shape"] == (3, 2)
    assert interface["strides"] == (8, 24)  # all states of an entry side by side
    assert interface["typestr"] == "<f8"
    np.testing.assert_array_equal(array.to_host(), numbers)
    with pytest.raises(TypeError, match="the numbers are int64"):
        DeviceArray.from_host(memory, np.arange(3))
    assert isinstance(new(array, (3, 2), (1, 3), "float32", memory), DeviceArray)
    assert stream(array) == 0
    del array
    assert not memory.blocks


# --- On a GPU ---


def arguments_of(row: dict[str, Any], robot: plucker.Robot, count: int) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(3)
    out = []
    for x in row["parameters"]:
        if x["option"]:
            continue
        out.append(
            robot.random_configurations(count, seed=5)
            if x["shape"] == "nq"
            else rng.standard_normal((count, robot.nv))
        )
    return out


@needs_gpu
@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "center_of_mass"])
def test_every_kind_of_array(name: str) -> None:
    robot = robot_named("arm")
    gpu = robot.gpu()
    row = next(r for r in ROWS if r["name"] == name)
    given = arguments_of(row, robot, 100)
    expected = getattr(robot, name)(*given)
    np.testing.assert_allclose(getattr(gpu, name)(*given), expected, rtol=1e-9, atol=1e-9)

    ours = getattr(gpu, name)(*[DeviceArray.from_host(gpu, x) for x in given])
    assert isinstance(ours, DeviceArray)
    np.testing.assert_allclose(ours.to_host(), expected, rtol=1e-9, atol=1e-9)

    for library in ("torch", "cupy"):
        module = pytest.importorskip(library)
        take = (lambda x: module.tensor(x, device="cuda")) if library == "torch" else module.asarray
        for planes in (False, True):
            there = [take(x) for x in given]
            if planes:
                there = [x.T.contiguous().T if library == "torch" else module.asfortranarray(x) for x in there]
            got = getattr(gpu, name)(*there)
            assert type(got) is type(there[0])
            host = got.cpu().numpy() if library == "torch" else got.get()
            np.testing.assert_allclose(host, expected, rtol=1e-9, atol=1e-9)
            # In place of a new one; and what became of each state.
            status = take(np.full(100, 7, np.uint8))
            again = getattr(gpu, name)(*there, out=got, status=status)
            assert again is got
            assert int(status.sum()) == 0
    assert gpu.synchronize() == 0


@needs_gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_external_forces_beside_arrays_of_the_gpu(dtype: str) -> None:
    robot = robot_named("arm")
    gpu = robot.gpu()
    row = next(r for r in ROWS if r["name"] == "inverse_dynamics")
    given = [x.astype(dtype) for x in arguments_of(row, robot, 100)]
    precision = 1e-3 if dtype == "float32" else 1e-9
    for force in (np.arange(6.0), np.random.default_rng(1).standard_normal((100, 6))):
        forces = plucker.ExternalForces(robot)
        forces.add("tool", force, "world_aligned")
        forces.add("link3", [1, 2, 3, 4, 5, 6], "body")
        expected = robot.inverse_dynamics(*given, forces)
        got = gpu.inverse_dynamics(*[DeviceArray.from_host(gpu, x) for x in given], forces)
        assert got.dtype == np.dtype(dtype)
        np.testing.assert_allclose(got.to_host(), expected, rtol=precision, atol=precision)


@needs_gpu
def test_what_is_wrong_on_a_gpu() -> None:
    torch = pytest.importorskip("torch")
    robot = robot_named("arm")
    gpu = robot.gpu()
    q = torch.zeros(3, 7, device="cuda", dtype=torch.float64)
    with pytest.raises(plucker.Error, match="q lies on the GPU and v does not"):
        gpu.coriolis_matrix(q, np.zeros((3, 7)))
    with pytest.raises(TypeError, match="its numbers are <f2|float16"):
        gpu.mass_matrix(q.half())
    with pytest.raises(TypeError, match="float64, like the others"):
        gpu.coriolis_matrix(q, q.float())
    with pytest.raises(plucker.Error, match=r"q has shape \(3, 6\), expected \(..., 7\)"):
        gpu.mass_matrix(q[:, :6])
    with pytest.raises(plucker.Error, match="shape"):
        gpu.mass_matrix(q, out=torch.zeros(3, 6, 7, device="cuda", dtype=torch.float64))
    q[1, 2] = float("nan")
    M = gpu.mass_matrix(q)
    assert gpu.synchronize() == 1
    assert bool(M[1].isnan().all()) and not bool(M[0].isnan().any())


@needs_gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_robots_that_move(dtype: str) -> None:
    robot = robot_named("arm")
    motion = robot.gpu().motion(50, step=1e-3, dtype=dtype)
    q = robot.random_configurations(50, seed=2)
    v = np.zeros((50, 7))
    motion.set_states(q, v)
    tau = robot.gravity_torque(q)
    motion.step(tau, steps=20)
    assert motion.synchronize() == 0
    q_end, v_end = motion.states()
    assert q_end.dtype == np.dtype(dtype)
    # Held against gravity, where it stands it stays.
    np.testing.assert_allclose(q_end, q, atol=1e-3)
    motion.step(steps=20)
    assert motion.time == pytest.approx(0.04)
    assert np.abs(motion.states()[1]).max() > 0.01
    torch = pytest.importorskip("torch")
    there = torch.as_tensor(motion.q, device="cuda")
    np.testing.assert_array_equal(there.cpu().numpy(), motion.states()[0])
    with pytest.raises(plucker.Error, match=r"tau has shape \(49, 7\), expected \(50, 7\)"):
        motion.step(tau[:49])
