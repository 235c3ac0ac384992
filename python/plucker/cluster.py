"""Batches over several machines: the same arrays, and the same bits as on one.

Over Dask's workers, from one program (`client` is a distributed.Client)::

    tau = plucker.cluster.over_dask(client, robot, "inverse_dynamics", q, v, a)

Over MPI's ranks, in a program that all of them run; every rank gets the whole result::

    tau = plucker.cluster.over_mpi(robot, "inverse_dynamics", q, v, a)

A state's bits depend only on the instruction set, so machines with different ones are rejected; set PLUCKER_ISA to
one that all of them have.
"""

from __future__ import annotations

import difflib
from typing import Any, Callable, Sequence

import numpy as np

from ._plucker import Error, ExternalForces, Robot, isa

__all__ = ["over_dask", "over_mpi"]

Part = tuple[str, Any]  # the instruction set, and the results


def over_dask(client: Any, robot: Robot, function: str, *arguments: Any, parts: int = 0, **options: Any) -> Any:
    """Computes a batch on the workers of a distributed.Client; returns the same as robot.function(*arguments).

    The first dimension is split into parts, by default four per worker. If a worker dies, another one computes its part.

    >>> M = plucker.cluster.over_dask(client, robot, 'mass_matrix', Q)  # doctest: +SKIP
    """
    call = _Call(robot, function, arguments, options)
    parts = parts or 4 * max(1, len(client.scheduler_info()["workers"]))
    futures = [client.submit(_compute, robot, function, *call.cut(piece), pure=False) for piece in _pieces(call.count, parts)]
    return _joined(function, client.gather(futures))


def over_mpi(robot: Robot, function: str, *arguments: Any, communicator: Any = None, **options: Any) -> Any:
    """Computes a batch on the ranks of an mpi4py communicator, all of which call this with the same arguments.

    The first dimension is split into one part per rank. Every rank returns the same as robot.function(*arguments).
    MPI ends the whole program when a rank dies.

    >>> M = plucker.cluster.over_mpi(robot, 'mass_matrix', Q)  # doctest: +SKIP
    """
    if communicator is None:
        from mpi4py import MPI

        communicator = MPI.COMM_WORLD
    call = _Call(robot, function, arguments, options)
    piece = _pieces(call.count, communicator.Get_size())[communicator.Get_rank()]
    own = _compute(robot, function, *call.cut(piece))
    return _joined(function, communicator.allgather(own))


class _Entries(list[tuple[str, Any, Any]]):
    """External forces on their way: they belong to the robot that computes, wherever that is."""

    def of(self, robot: Robot) -> ExternalForces:
        out = ExternalForces(robot)
        for frame, force, expressed_in in self:
            out.add(frame, force, expressed_in)
        return out


class _Call:
    """What to compute, and how it is cut into parts along the first dimension."""

    def __init__(self, robot: Robot, function: str, arguments: Sequence[Any], options: dict[str, Any]) -> None:
        if not hasattr(robot, function):
            closest = difflib.get_close_matches(function, dir(robot), cutoff=0)
            raise Error(f"unknown function '{function}'; closest: " + ", ".join(f"'{name}'" for name in closest))
        for name in ("out", "status"):
            if options.get(name) is not None:
                raise Error(f"{function}: {name}= cannot be written to from other machines")
        self._arguments = [_as_array(x) for x in arguments]
        self._options = {name: _as_array(x) for name, x in options.items()}
        shapes: list[tuple[int, ...]] = []
        self._each(lambda x: shapes.append(x.shape[:-1]))
        try:
            leading = np.broadcast_shapes(*shapes)
            self.count, self._dimensions = leading[0] if leading else 0, len(leading) + 1
            _compute(robot, function, *self.cut(slice(0, 0)))
        except (ValueError, TypeError):  # what is wrong is told at once, and of the whole
            getattr(robot, function)(*arguments, **options)
            raise
        if not leading:
            raise Error(f"{function}: one state is not worth several machines; give arrays with a leading dimension")

    def cut(self, piece: slice) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a part: of every array that has the first dimension; what is repeated along it is sent whole."""

        def part(x: Any) -> Any:
            has_all = x.ndim == self._dimensions and len(x) == self.count
            return np.ascontiguousarray(x[piece]) if has_all else x

        return self._each(part)

    def _each(self, act: Callable[[Any], Any]) -> tuple[list[Any], dict[str, Any]]:
        """Acts on every array, those of external forces too."""

        def on(x: Any) -> Any:
            if isinstance(x, ExternalForces):
                return _Entries((frame, act(force), expressed_in) for frame, force, expressed_in in x.entries)
            return act(x) if isinstance(x, np.ndarray) else x

        return [on(x) for x in self._arguments], {name: on(x) for name, x in self._options.items()}


def _as_array(x: Any) -> Any:
    """Lists of numbers are arrays; names, and lists of them, are not."""
    if x is None or isinstance(x, (str, ExternalForces, np.ndarray)):
        return x
    array = np.asarray(x)
    return array if array.ndim > 0 and array.dtype.kind in "fiub" else x


def _pieces(count: int, parts: int) -> list[slice]:
    ends = [count * k // parts for k in range(parts + 1)]
    return [slice(begin, end) for begin, end in zip(ends, ends[1:])]


def _compute(robot: Robot, function: str, arguments: Sequence[Any], options: dict[str, Any]) -> Part:
    def own(x: Any) -> Any:
        return x.of(robot) if isinstance(x, _Entries) else x

    given = {name: own(x) for name, x in options.items()}
    return isa(), getattr(robot, function)(*map(own, arguments), **given)


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
