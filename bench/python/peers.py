"""The same functions in other libraries' Python modules, where these are installed."""

from __future__ import annotations

import importlib.util
from typing import Any, Callable

import plucker

Calls = dict[str, Callable[..., Any]]


class Pinocchio:
    """With (q, v, a) as that library has them; any numbers take as long."""

    name = "Pinocchio"

    @staticmethod
    def is_installed() -> bool:
        return importlib.util.find_spec("pinocchio") is not None

    @staticmethod
    def calls(robot: plucker.Robot) -> Calls:
        import pinocchio

        base = [pinocchio.JointModelFreeFlyer()] if robot.has_floating_base else []
        model = pinocchio.buildModelFromXML(robot.write_urdf(), *base)
        data = model.createData()
        return {
            "gravity_torque": lambda q: pinocchio.computeGeneralizedGravity(model, data, q),
            "inverse_dynamics": lambda q, v, a: pinocchio.rnea(model, data, q, v, a),
            "forward_dynamics": lambda q, v, tau: pinocchio.aba(model, data, q, v, tau),
            "mass_matrix": lambda q: pinocchio.crba(model, data, q),
            "inverse_mass_matrix": lambda q: pinocchio.computeMinverse(model, data, q),
            "kinetic_energy": lambda q, v: pinocchio.computeKineticEnergy(model, data, q, v),
            "center_of_mass": lambda q: pinocchio.centerOfMass(model, data, q),
        }


class Mujoco:
    """What MuJoCo computes on the way to an answer cannot be left out: mj_forward has M too."""

    name = "MuJoCo"

    @staticmethod
    def is_installed() -> bool:
        return importlib.util.find_spec("mujoco") is not None

    @staticmethod
    def calls(robot: plucker.Robot) -> Calls:
        import mujoco

        model = mujoco.MjModel.from_xml_string(robot.write_urdf())
        data = mujoco.MjData(model)

        def inverse_dynamics(*_: Any) -> Any:
            mujoco.mj_inverse(model, data)
            return data.qfrc_inverse

        def forward_dynamics(*_: Any) -> Any:
            mujoco.mj_forward(model, data)
            return data.qacc

        return {"inverse_dynamics": inverse_dynamics, "forward_dynamics": forward_dynamics}


PEERS = [Pinocchio, Mujoco]
