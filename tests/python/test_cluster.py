"""Batches over two processes give the bits of one; a worker that dies in between is made up for."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Iterator

import numpy as np
import pytest
from conftest import Sample

import plucker

pytestmark = pytest.mark.skipif("PLUCKER_SANITIZED" in os.environ, reason="nothing here is compiled")

MPI_PROGRAM = """
import numpy as np, plucker
from mpi4py import MPI
robot = plucker.robots.arm()
q = robot.random_configurations(1001, seed=3)
whole = robot.jacobians(q)
parts = plucker.cluster.over_mpi(robot, "jacobians", q)
assert MPI.COMM_WORLD.Get_size() == 2
assert type(parts) is plucker.Jacobians
assert all(np.array_equal(a, b) for a, b in zip(parts, whole))
v = np.ones(7)
assert np.array_equal(plucker.cluster.over_mpi(robot, "bias_torque", q, v), robot.bias_torque(q, v))
forces = plucker.ExternalForces(robot)
forces.add("tool", np.linspace(0, 9, 6 * 1001).reshape(1001, 6), "world")
assert np.array_equal(plucker.cluster.over_mpi(robot, "inverse_dynamics", q, v, v, forces), robot.inverse_dynamics(q, v, v, forces))
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 60}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as made:
        yield made


def test_dask_gives_the_same_bits(client: Any, quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (501,))
    whole = quadruped.forward_dynamics(s.q, s.v[0], s.tau)
    parts = plucker.cluster.over_dask(client, quadruped, "forward_dynamics", s.q, s.v[0], s.tau)
    np.testing.assert_array_equal(parts, whole)
    named = plucker.cluster.over_dask(client, quadruped, "jacobians", s.q, parts=3)
    assert type(named) is plucker.Jacobians
    np.testing.assert_array_equal(named.J, quadruped.jacobians(s.q).J)


def test_dask_takes_what_one_machine_takes(client: Any, quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (3, 40))
    forces = plucker.ExternalForces(quadruped)
    forces.add("trunk", [0, 0, 0, 1, 2, 3], "world_aligned")  # for all states
    forces.add("front_left_foot", np.random.default_rng(1).normal(size=(3, 1, 6)), "body")
    forces.add("hind_left_foot", np.random.default_rng(2).normal(size=(40, 6)), "world")
    whole = quadruped.inverse_dynamics(s.q, s.v[:1], s.a, forces)
    np.testing.assert_array_equal(
        plucker.cluster.over_dask(client, quadruped, "inverse_dynamics", s.q, s.v[:1], s.a, forces), whole
    )
    by_name = {"q": s.q.tolist(), "v": s.v[:1], "a": s.a, "external": forces}
    np.testing.assert_array_equal(plucker.cluster.over_dask(client, quadruped, "inverse_dynamics", **by_name), whole)
    none = plucker.ExternalForces(quadruped)
    np.testing.assert_array_equal(
        plucker.cluster.over_dask(client, quadruped, "inverse_dynamics", s.q, s.v, s.a, none, parts=2),
        quadruped.inverse_dynamics(s.q, s.v, s.a),
    )
    com = plucker.cluster.over_dask(client, quadruped, "frame_pose", s.q, "trunk")
    np.testing.assert_array_equal(com, quadruped.frame_pose(s.q, "trunk"))


@pytest.mark.parametrize("over", [1, 2])
def test_dask_sends_vectors_whole_that_are_as_long_as_the_batch(
    client: Any, quadruped: plucker.Robot, over: int
) -> None:
    """As many states as coordinates: one vector for all of them has the length of the first dimension, and is not it."""
    for count in (quadruped.nv, quadruped.nq):
        s = Sample(quadruped, (count, 3)[:over])
        q, v, tau = s.q[0], s.v[0], s.tau[0]
        if over == 2:
            q, v, tau = q[0], v[0], tau[0]
        for arguments in ((s.q, v, tau), (q, s.v, tau), (q, v, s.tau)):
            np.testing.assert_array_equal(
                plucker.cluster.over_dask(client, quadruped, "forward_dynamics", *arguments, parts=4),
                quadruped.forward_dynamics(*arguments),
            )


def test_dask_does_the_work_of_a_worker_that_dies(client: Any, quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (40_000,))
    pids = [int(pid) for pid in client.run(os.getpid).values()]
    whole = quadruped.inverse_mass_matrix(s.q)
    killed: list[float] = []

    def kill() -> None:
        os.kill(pids[0], signal.SIGKILL)
        killed.append(time.monotonic())

    killer = threading.Timer(0.1, kill)
    killer.start()
    parts = plucker.cluster.over_dask(client, quadruped, "inverse_mass_matrix", s.q, parts=40)
    finished = time.monotonic()
    killer.join()
    assert killed[0] < finished  # in between
    np.testing.assert_array_equal(parts, whole)


def test_mpi_gives_the_same_bits_on_every_rank() -> None:
    pytest.importorskip("mpi4py")
    mpiexec = shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    command = [mpiexec, "-n", "2", "--oversubscribe", "--allow-run-as-root", sys.executable, "-c", MPI_PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_cut_is_refused(arm: plucker.Robot) -> None:
    s = Sample(arm, (4,))
    with pytest.raises(plucker.Error, match="one state is not worth"):
        plucker.cluster.over_mpi(arm, "mass_matrix", s.q[0], communicator=object())
    with pytest.raises(plucker.Error, match="out= cannot be written"):
        plucker.cluster.over_mpi(arm, "mass_matrix", s.q, communicator=object(), out=np.zeros((4, 7, 7)))


def test_mistakes_are_told_as_on_one_machine_before_anything_is_sent(arm: plucker.Robot) -> None:
    s = Sample(arm, (4,))
    mistakes = {
        "unknown function 'inverse_dynamic'; closest: 'inverse_dynamics', ": ("inverse_dynamic", s.q),
        "inverse_dynamics: v has shape (4, 6), expected (..., 7)": ("inverse_dynamics", s.q, s.v[:, :6], s.a),
        "inverse_dynamics: the leading dimensions do not fit together: q (4,), v (3,)": (
            "inverse_dynamics", s.q, s.v[:3], s.a,
        ),
        "frame_pose: unknown frame 'tol'; closest: 'tool'": ("frame_pose", s.q, "tol"),
    }  # fmt: skip
    for message, call in mistakes.items():
        with pytest.raises(plucker.Error, match="^" + re.escape(message)):
            plucker.cluster.over_mpi(arm, *call, communicator=object())


def test_machines_that_round_differently_are_refused() -> None:
    parts = [("avx2", np.zeros(1)), ("avx512", np.zeros(1))]
    with pytest.raises(plucker.Error, match="different instruction sets"):
        plucker.cluster._joined("mass_matrix", parts)
