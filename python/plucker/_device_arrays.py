"""Arrays in a GPU's memory: of torch, of CuPy, or Plucker's own for callers that use neither."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._plucker import Gpu


class DeviceArray:
    """An array in a GPU's memory: the type of results if the arguments are neither torch nor CuPy arrays.

    Whatever knows __cuda_array_interface__ takes it without a copy; to_host() copies it.

    >>> gpu.mass_matrix(plucker.DeviceArray.from_host(gpu, Q)).shape  # doctest: +SKIP
    (100000, 36, 36)
    """

    def __init__(self, gpu: Gpu, shape: tuple[int, ...], steps: tuple[int, ...], dtype: str) -> None:
        self._gpu = gpu
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self._steps = steps
        last = sum((length - 1) * step for length, step in zip(shape, steps))
        self._numbers = 0 if 0 in shape else last + 1
        self._address = gpu._allocate(max(self._numbers, 1) * self.dtype.itemsize)

    def __del__(self) -> None:
        if hasattr(self, "_address"):
            self._gpu._release(self._address)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._address, False),
            "strides": tuple(step * self.dtype.itemsize for step in self._steps),
            "version": 3,
            "stream": None,
        }

    def to_host(self) -> np.ndarray[Any, Any]:
        """The numbers as a NumPy array.

        >>> M = gpu.mass_matrix(plucker.DeviceArray.from_host(gpu, Q)).to_host()  # doctest: +SKIP
        """
        flat = np.empty(max(self._numbers, 1), self.dtype)
        self._gpu._copy_out(flat, self._address)
        strides = tuple(step * self.dtype.itemsize for step in self._steps)
        return np.lib.stride_tricks.as_strided(flat, self.shape, strides).copy()

    @classmethod
    def from_host(cls, gpu: Gpu, numbers: Any) -> DeviceArray:
        """A copy of an array of float32 or float64, with all states of an entry side by side.

        >>> Q_there = plucker.DeviceArray.from_host(gpu, Q)  # doctest: +SKIP
        """
        array = np.asarray(numbers)
        if array.dtype not in (np.dtype("float32"), np.dtype("float64")):
            raise TypeError(f"from_host: the numbers are {array.dtype}; they must be float32 or float64")
        order = np.asfortranarray(array)
        steps = tuple(stride // order.itemsize for stride in order.strides)
        out = cls(gpu, order.shape, steps, order.dtype.name)
        gpu._copy_in(out._address, order.ravel(order="K"))
        return out


def _library(like: Any) -> str:
    return type(like).__module__.partition(".")[0]


def new(like: Any, shape: tuple[int, ...], steps: tuple[int, ...], dtype: str, gpu: Gpu) -> Any:
    """An array of the library that `like` is of; steps are strides in numbers."""
    library = _library(like)
    if library == "torch":
        torch = sys.modules["torch"]
        return torch.empty_strided(shape, steps, dtype=getattr(torch, dtype), device=like.device)
    if library == "cupy":
        cupy = sys.modules["cupy"]
        size = np.dtype(dtype).itemsize
        last = sum((length - 1) * step for length, step in zip(shape, steps))
        with cupy.cuda.Device(like.device.id):
            memory = cupy.cuda.alloc(max(0 if 0 in shape else last + 1, 1) * size)
        return cupy.ndarray(shape, dtype, memory, tuple(step * size for step in steps))
    return DeviceArray(gpu, shape, steps, dtype)


def stream(like: Any) -> int:
    """On which `like`'s library works at the moment; 0: the device's own."""
    library = _library(like)
    if library == "torch":
        return int(sys.modules["torch"].cuda.current_stream(like.device).cuda_stream)
    if library == "cupy":
        return int(sys.modules["cupy"].cuda.get_current_stream().ptr)
    return 0
