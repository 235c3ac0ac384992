"""Batches over several machines: the same arrays, and the same bits as on one.

Over Dask's workers, from one program (`client` is a distributed.Client)::

    tau = plucker.cluster.over_dask(client, robot, "inverse_dynamics", q, v, a)

Over MPI's ranks, in a program that all of them run, and that all get the whole result of::

    tau = plucker.cluster.over_mpi(robot, "inverse_dynamics", q, v, a)

A state's bits depend on the instruction set alone, so that machines that have different ones are refused; set PLUCKER_ISA to
what all of them have.
"""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import numpy as np

from ._plucker import Error, ExternalForces, Robot, isa

__all__ = ["over_dask", "over_mpi"]

Part = tuple[str, Any]  # the instruction set, and the results


def over_dask(client: Any, robot: Robot, function: str, *arguments: Any, parts: int = 0, **options: Any) -> Any:
    """A batch over the workers of a distributed.Client; it returns what robot.function(*arguments) does.

    The first dimension is cut into parts, four a worker unless said otherwise. The part of a worker that dies is computed
    by another one.
    """
    count = _count(function, arguments, options)
    parts = parts or 4 * max(1, len(client.scheduler_info()["workers"]))
    futures = [
        client.submit(_compute, robot, function, _cut(arguments, count, piece), options, pure=False)
        for piece in _pieces(count, parts)
    ]
    return _joined(function, client.gather(futures))


def over_mpi(robot: Robot, function: str, *arguments: Any, communicator: Any = None, **options: Any) -> Any:
    """A batch over the ranks of an mpi4py communicator, all of which call this with the same arguments.

    The first dimension is cut into as many parts as there are ranks. Every rank returns what robot.function(*arguments)
    does. MPI ends the whole program when a rank dies.
    """
    if communicator is None:
        from mpi4py import MPI

        communicator = MPI.COMM_WORLD
    count = _count(function, arguments, options)
    piece = _pieces(count, communicator.Get_size())[communicator.Get_rank()]
    own = _compute(robot, function, _cut(arguments, count, piece), options)
    return _joined(function, communicator.allgather(own))


def _count(function: str, arguments: Sequence[Any], options: dict[str, Any]) -> int:
    """The length of the first dimension, along which the batch is cut."""
    for name in ("out", "status"):
        if options.get(name) is not None:
            raise Error(f"{function}: {name}= cannot be written to from other machines")
    if any(isinstance(x, ExternalForces) for x in (*arguments, *options.values())):
        raise Error(f"{function}: external forces are not cut into parts; compute these states on one machine")
    shapes = [x.shape[:-1] for x in arguments if isinstance(x, np.ndarray)]
    leading = np.broadcast_shapes(*shapes)
    if not leading:
        raise Error(f"{function}: one state is not worth several machines; give arrays with a leading dimension")
    return int(leading[0])


def _pieces(count: int, parts: int) -> list[slice]:
    ends = [count * k // parts for k in range(parts + 1)]
    return [slice(begin, end) for begin, end in zip(ends, ends[1:])]


def _cut(arguments: Iterable[Any], count: int, piece: slice) -> list[Any]:
    """The part of every array that has the first dimension; what is repeated along it is sent whole."""
    deepest = max(x.ndim for x in arguments if isinstance(x, np.ndarray))
    return [
        np.ascontiguousarray(x[piece]) if isinstance(x, np.ndarray) and x.ndim == deepest and len(x) == count else x
        for x in arguments
    ]


def _compute(robot: Robot, function: str, arguments: Sequence[Any], options: dict[str, Any]) -> Part:
    result = getattr(robot, function)(*arguments, **options)
    return isa(), result


def _joined(function: str, parts: Sequence[Part]) -> Any:
    sets = {name for name, _ in parts}
    if len(sets) > 1:
        raise Error(
            f"{function}: the machines have different instruction sets ({', '.join(sorted(sets))}), and would round in "
            "different ways; set PLUCKER_ISA to one that all of them have"
        )
    results = [result for _, result in parts]
    if not isinstance(results[0], tuple):
        return np.concatenate(results)
    named: Any = type(results[0])
    return named(np.concatenate(column) for column in zip(*results))
