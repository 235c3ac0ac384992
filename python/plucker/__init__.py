"""Rigid-body dynamics of robots, for one state or a batch, depending on the shape of the arrays.

>>> import numpy as np, plucker
>>> robot = plucker.robots.humanoid()
>>> robot.mass_matrix(robot.neutral()).shape
(36, 36)
>>> robot.mass_matrix(robot.random_configurations(1000, seed=1)).shape
(1000, 36, 36)

In the examples of all that follows, `robot` is this one, and q, v, a, tau are a state of it; `arm` is plucker.robots.arm(), and `sim`,
`many` and `motion` are arm.simulator(), arm.batch_simulator(4) and arm.free_motion().
"""

from . import _plucker, _refusals

_refusals.take_over(_plucker)

from ._plucker import *
from ._plucker import __version__ as __version__
from ._device_arrays import DeviceArray as DeviceArray
from ._page import Page as Page
from ._status import Status as Status
from . import cluster as cluster, robots as robots
from .elsewhere import from_mujoco as from_mujoco, from_pinocchio as from_pinocchio
