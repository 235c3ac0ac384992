"""Threads, processes, interrupts and memory: a module that is used for days."""

from __future__ import annotations

import concurrent.futures
import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import weakref
from typing import Callable

import numpy as np
import pytest
from conftest import Sample

import plucker
from plucker import _plucker

# A sanitizer keeps what was freed.
not_sanitized = pytest.mark.skipif("PLUCKER_SANITIZED" in os.environ, reason="memory is watched by the sanitizer")


def test_one_robot_serves_many_threads(quadruped: plucker.Robot) -> None:
    many = [Sample(quadruped, (2000,), seed=k) for k in range(6)]
    expected = [quadruped.forward_dynamics(s.q, s.v, s.tau) for s in many]
    singly = [quadruped.mass_matrix(s.q[0]) for s in many]

    def work(k: int) -> bool:
        s = many[k]
        ok = True
        for _ in range(5):
            ok &= np.array_equal(quadruped.forward_dynamics(s.q, s.v, s.tau), expected[k])
            ok &= all(np.array_equal(quadruped.mass_matrix(s.q[0]), singly[k]) for _ in range(50))
        return ok

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_batches_let_other_threads_run(quadruped: plucker.Robot) -> None:
    s = Sample(quadruped, (1000,))
    stop = threading.Event()
    counted = 0

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.0001)

    shared = np.broadcast_to(s.q, (60, *s.q.shape))
    thread = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)  # the interpreter takes turns only where a call lets it
    try:
        thread.start()
        for _ in range(1000):
            before = counted
            quadruped.mass_matrix(shared, threads=1)
            if counted > before:
                break
        assert counted > before
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()


def _energy_in_child(robot: plucker.Robot, s: Sample) -> float:
    return float(np.sum(robot.kinetic_energy(s.q, s.v)))


def test_forked_processes_compute(quadruped: plucker.Robot) -> None:
    """The threads of an evaluator do not come along; new ones are started."""
    s = Sample(quadruped, (5000,))
    expected = _energy_in_child(quadruped, s)  # so that there are threads
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.starmap(_energy_in_child, [(quadruped, s)] * 2, chunksize=1) == [expected] * 2
    child = os.fork()
    if child == 0:  # the very robot, not a pickled one
        os._exit(0 if _energy_in_child(quadruped, s) == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_forked_process_ends_with_robots_alive() -> None:
    program = (
        "import os, numpy as np, plucker\n"
        "robot = plucker.robots.arm()\n"
        "robot.mass_matrix(np.zeros((9999, 7)), threads=2)\n"
        "child = os.fork()\n"
        "if child: os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", program]) == 0


def test_python_ends_while_a_thread_computes() -> None:
    program = (
        "import threading, time, numpy as np, plucker\n"
        "robot = plucker.robots.arm()\n"
        "q = np.zeros((100000, 7))\n"
        "def work():\n"
        "    while True: robot.mass_matrix(q)\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.2)\n"
    )
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", program]) == 0


def test_interrupt_stops_a_long_batch(quadruped: plucker.Robot) -> None:
    q = np.broadcast_to(quadruped.neutral(), (100_000_000, quadruped.nq))
    energy = np.zeros(len(q))
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        quadruped.potential_energy(q, out=energy, threads=1)
    assert energy[0] != 0
    assert energy[-1] == 0  # it stopped on the way
    timer.join()
    assert quadruped.potential_energy(q[:5]).shape == (5,)


LONG_CALLS: dict[str, Callable[[plucker.Robot], object]] = {
    "random_configurations": lambda r: r.random_configurations(10_000_000),
    "verify": lambda r: r.verify(samples=10_000_000),
    "excite": lambda r: r.excite(10, trials=100_000_000),
    "identify": lambda r: r.identify(np.arange(2e5) / 100, *([np.random.default_rng(1).normal(size=(200_000, r.nv))] * 4)),
}


@pytest.mark.parametrize("name", LONG_CALLS)
def test_interrupt_stops_other_long_calls(name: str, arm: plucker.Robot) -> None:
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        LONG_CALLS[name](arm)
    assert time.monotonic() - begin < 30
    timer.join()


@not_sanitized
def test_single_calls_keep_memory_bounded(arm: plucker.Robot) -> None:
    s = Sample(arm)
    bad = s.v[:3]

    def calls(n: int) -> None:
        for _ in range(n):
            arm.inverse_dynamics(s.q, s.v, s.a)
            arm.jacobians(s.q)
            arm.kinetic_energy(s.q, v=s.v)
            arm.frame_pose(s.q.astype(np.float32), "tool")
            try:
                arm.inverse_dynamics(s.q, bad, s.a)
            except plucker.Error:
                pass

    calls(2000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    calls(5000)
    gc.collect()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    calls(193_000)  # a million in all
    assert grown < 100_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kilobytes


@not_sanitized
def test_batches_and_robots_are_let_go() -> None:
    def make(k: int) -> None:
        robot = plucker.robots.arm().with_gravity((0, 0, -float(k)))
        s = Sample(robot, (64,))
        robot.forward_dynamics_by_mass_matrix(s.q, s.v, s.tau)
        robot.inverse_dynamics(s.q.astype(np.float32), s.v[:, ::-1], s.a, out=np.empty((64, 14))[:, ::2])

    for k in range(20):
        make(k)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for k in range(150):
        make(k)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
    assert threading.active_count() < 20


def test_arguments_keep_their_reference_counts(arm: plucker.Robot) -> None:
    s = Sample(arm, (10,))
    status = np.zeros(10, np.uint8)
    out = np.zeros((10, 7))
    objects = [s.q, s.v, s.a, status, out, arm]
    before = [sys.getrefcount(x) for x in objects]
    for _ in range(100):
        arm.inverse_dynamics(s.q, s.v, s.a, out=out, status=status)
        arm.inverse_dynamics(s.q[0], s.v[0], s.a[0], out=out[0])
    arm.mass_matrix(s.q)  # last_status is another one now
    assert [sys.getrefcount(x) for x in objects] == before


def test_results_live_on_without_the_robot() -> None:
    robot = plucker.robots.arm()
    q = robot.neutral()
    one, many = robot.mass_matrix(q), robot.mass_matrix(np.tile(q, (9, 1)))
    expected = one.copy()
    gone = weakref.ref(robot) if hasattr(robot, "__weakref__") else None
    del robot
    gc.collect()
    assert gone is None or gone() is None
    np.testing.assert_array_equal(one, expected)
    assert np.allclose(many[3], expected)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have other linkers")
def test_shows_other_extensions_nothing_but_its_beginning() -> None:
    # What it showed, the linker could put in the place of another library's, or take that for ours.
    symbols = subprocess.run(
        ["nm", "--dynamic", "--defined-only", _plucker.__file__], capture_output=True, text=True, check=True
    ).stdout
    assert [line.split()[-1] for line in symbols.splitlines()] == ["PyInit__plucker"]
