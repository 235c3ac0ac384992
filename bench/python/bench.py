"""What Python adds to a call: one state, a few, and a large batch, beside the same calls from C++ in the same process.

usage: ninja -C build/run plucker_bench_python && ./run python bench/python/bench.py [--threads N] [--processor-time]
       [--least] [ROBOT...]
"""

from __future__ import annotations

import argparse
import ctypes
import time
from functools import partial
from pathlib import Path
from typing import Callable

import numpy as np
from peers import PEERS

import plucker

FUNCTIONS = {
    "gravity_torque": "q",
    "inverse_dynamics": "qva",
    "forward_dynamics": "qva",
    "mass_matrix": "q",
    "inverse_mass_matrix": "q",
    "kinetic_energy": "qv",
    "center_of_mass": "q",
    "frame_jacobian": "q",
}
STATES = 100_000
FEW = 16  # what Python adds to a batch does not grow with it, and drowns in a large one's time
CALLS = 500
ROUNDS = 21


class Cpp:
    """The calls of cpp_calls.cpp."""

    def __init__(self, robot: str, threads: int) -> None:
        self.library = ctypes.CDLL(str(Path(plucker.__file__).parents[1] / "plucker_bench_python.so"))
        self.library.bench_open.restype = ctypes.c_void_p
        for function in (self.library.bench_single, self.library.bench_batch):
            function.restype = None
            function.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
        self.robot = self.library.bench_open(robot.encode(), threads)

    def call(self, function: str, name: str, vectors: list[np.ndarray], out: np.ndarray, count: int) -> Callable[[], None]:
        pointers = (ctypes.c_void_p * len(vectors))(*(x.ctypes.data for x in vectors))
        row = self.library.bench_row(name.encode())
        return partial(getattr(self.library, function), self.robot, row, pointers, out.ctypes.data, count)


class Stopwatch:
    """By the wall, or by the processor's time where others use the machine too."""

    def __init__(self, by_processor: bool) -> None:
        self.now = time.process_time_ns if by_processor else time.perf_counter_ns

    def __call__(self, call: Callable[[], object], times: int, parts: int = 1) -> float:
        """Nanoseconds a part of a call."""
        repeated = range(times)
        start = self.now()
        for _ in repeated:
            call()
        return (self.now() - start) / times / parts


def in_turn(*measures: Callable[[], float]) -> np.ndarray:
    """Each measured one after another, again and again: what disturbs one disturbs all. A row a round."""
    return np.array([[measure() for measure in measures] for _ in range(ROUNDS)])


def empty_call(*arguments: object) -> None:
    """What a call costs that does nothing: of the loop, not of the module."""


def summary(rounds: np.ndarray, least: bool) -> np.ndarray:
    return np.min(rounds, axis=0) if least else np.median(rounds, axis=0)


def bench(name: str, threads: int, stopwatch: Stopwatch, least: bool) -> None:
    robot, cpp = plucker.robots.by_name(name), Cpp(name, threads)
    q = robot.random_configurations(STATES, seed=1)
    v, a = np.random.default_rng(1).uniform(-1, 1, (2, STATES, robot.nv))
    peers = {peer.name: peer.calls(robot) for peer in PEERS if peer.is_installed()}
    print(f"\n{name}: nv {robot.nv}, {plucker.isa()}, {threads or 'all'} threads")
    print(f"{'':<20}{'one state [ns per call]':^{36 + 11 * len(peers)}}", end="")
    print(f"{f'{FEW} states [ns per call]':^30}{'100,000 states [ns per state]':^42}")
    print(f"{'':<20}" + "".join(f"{x:>9}" for x in ("C++", "Python", "more", "empty")), end="")
    print("".join(f"{x:>11}" for x in peers), end="")
    print("".join(f"{x:>10}" for x in ("C++", "Python", "more") * 2), end="")
    print(f"{'new array':>12}")
    for function, letters in FUNCTIONS.items():
        many = [{"q": q, "v": v, "a": a}[letter] for letter in letters]
        one = [x[0].copy() for x in many]
        options = {"frame": robot.body_names[-1]} if "frame" in function else {}
        method = partial(getattr(robot, function), **options)
        few = [x[:FEW].copy() for x in many]
        out_one, out_few, out_many = np.array(method(*one)), method(*few), method(*many)
        single = in_turn(
            partial(stopwatch, cpp.call("bench_single", function, one, out_one, CALLS), 1, CALLS),
            partial(stopwatch, partial(method, *one), CALLS),
            partial(stopwatch, partial(empty_call, *one), CALLS),
            *(
                partial(stopwatch, partial(calls[function], *one), CALLS) if function in calls else lambda: np.nan
                for calls in peers.values()
            ),
        )
        small = in_turn(
            partial(stopwatch, cpp.call("bench_batch", function, few, out_few, FEW), CALLS),
            partial(stopwatch, partial(method, *few, out=out_few, threads=threads), CALLS),
        )
        batch = in_turn(
            partial(stopwatch, cpp.call("bench_batch", function, many, out_many, STATES), 1, STATES),
            partial(stopwatch, partial(method, *many, out=out_many, threads=threads), 1, STATES),
            partial(stopwatch, partial(method, *many, threads=threads), 1, STATES),
        )
        times = summary(single, least)
        more = times[1] - times[2] - times[0] if least else np.median(single[:, 1] - single[:, 2] - single[:, 0])
        print(f"{function:<20}{times[0]:>9.0f}{times[1]:>9.0f}{more:>9.0f}{times[2]:>9.0f}", end="")
        print("".join(f"{x:>11.0f}" for x in times[3:]), end="")
        times = summary(small, least)
        more = times[1] - times[0] if least else np.median(small[:, 1] - small[:, 0])
        print(f"{times[0]:>10.0f}{times[1]:>10.0f}{more:>10.0f}", end="")
        times = summary(batch, least)
        more = 100 * (times[1] / times[0] - 1 if least else np.median(batch[:, 1] / batch[:, 0] - 1))
        print(f"{times[0]:>10.1f}{times[1]:>10.1f}{more:>8.1f} %{times[2]:>12.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--processor-time", action="store_true", help="for a machine that others use too")
    parser.add_argument("--least", action="store_true", help="the least of all rounds, not their median: also for such a machine")
    parser.add_argument("robots", nargs="*", default=["arm", "quadruped", "humanoid"])
    options = parser.parse_args()
    for robot_name in options.robots:
        bench(robot_name, options.threads, Stopwatch(options.processor_time), options.least)
