"""What Python adds to a call: one state, and a batch, beside the same calls from C++ in the same process.

usage: ninja -C build/run plucker_bench_python && ./run python bench/python/bench.py [ROBOT...]
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from pathlib import Path
from typing import Callable

import numpy as np
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
ROUNDS = 41


class Cpp:
    """The calls of cpp_calls.cpp."""

    def __init__(self, robot: str) -> None:
        self.library = ctypes.CDLL(str(Path(plucker.__file__).parents[1] / "plucker_bench_python.so"))
        self.library.bench_open.restype = ctypes.c_void_p
        for function in (self.library.bench_single, self.library.bench_batch):
            function.restype = ctypes.c_double
            function.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
        self.robot = self.library.bench_open(robot.encode())

    def time(self, function: str, name: str, vectors: list[np.ndarray], out: np.ndarray, count: int) -> float:
        pointers = (ctypes.c_void_p * len(vectors))(*(x.ctypes.data for x in vectors))
        row = self.library.bench_row(name.encode())
        return float(getattr(self.library, function)(self.robot, row, pointers, out.ctypes.data, count))


def time_python(call: Callable[[], object], count: int) -> float:
    """Nanoseconds a call. The loop is that of timeit, without its collector's pause."""
    repeated = range(count)
    start = time.perf_counter_ns()
    for _ in repeated:
        call()
    return (time.perf_counter_ns() - start) / count


def in_turn(*measures: Callable[[], float]) -> list[float]:
    """The median of each, measured one after another again and again: what disturbs one disturbs all."""
    rounds = [[measure() for measure in measures] for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*rounds)]


def bench(name: str) -> None:
    robot, cpp = plucker.robots.by_name(name), Cpp(name)
    q = robot.random_configurations(STATES, seed=1)
    v, a = np.random.default_rng(1).uniform(-1, 1, (2, STATES, robot.nv))
    frame = (robot.body_names[-1],)
    print(f"\n{name}: nv {robot.nv}, {plucker.isa()}")
    print(f"{'':<22}{'one state [ns a call]':^36}   {'100,000 states [ns a state]':^48}")
    print(f"{'':<22}{'C++':>9}{'Python':>9}{'more':>9}{'empty':>9}   {'C++':>9}{'Python':>9}{'more':>9}{'new array':>12}{'C++ loop':>12}")
    for function, letters in FUNCTIONS.items():
        many = [{"q": q, "v": v, "a": a}[letter] for letter in letters]
        one = [x[0].copy() for x in many]
        method = getattr(robot, function)
        extra = frame if "frame" in function else ()
        out_one, out_many = np.array(method(*one, *extra)), method(*many, *extra)
        if extra:
            call, method_many = (lambda: method(*one, frame[0])), (lambda **k: method(*many, frame[0], **k))
        else:
            call, method_many = (lambda: method(*one)), (lambda **k: method(*many, **k))
        nothing = lambda *arguments: None  # noqa: E731
        empty = (lambda: nothing(*one, *extra))
        cpp_one, python_one, empty_one = in_turn(
            lambda: cpp.time("bench_single", function, one, out_one, 500),
            lambda: time_python(call, 500),
            lambda: time_python(empty, 500),
        )
        cpp_many, python_many, new_many = in_turn(
            lambda: cpp.time("bench_batch", function, many, out_many, STATES),
            lambda: time_python(lambda: method_many(out=out_many), 1) / STATES,
            lambda: time_python(method_many, 1) / STATES,
        )
        print(
            f"{function:<22}{cpp_one:>9.0f}{python_one:>9.0f}{python_one - empty_one - cpp_one:>9.0f}{empty_one:>9.0f}"
            f"   {cpp_many:>9.1f}{python_many:>9.1f}{100 * (python_many / cpp_many - 1):>8.1f} %{new_many:>12.1f}{cpp_one:>12.0f}"
        )


if __name__ == "__main__":
    for robot_name in sys.argv[1:] or ["arm", "quadruped", "humanoid"]:
        bench(robot_name)
