"""Dynamics as operations of PyTorch, with analytic derivatives (docs/derivatives.md)::

    import torch, plucker, plucker.torch as pt
    robot = plucker.robots.arm()
    q = torch.zeros(robot.nq, dtype=torch.float64, requires_grad=True)
    tau = pt.inverse_dynamics(robot, q, v, a)      # (…, nv), batches by leading dimensions
    tau.square().sum().backward()                  # q.grad

Tensors are on the CPU, in float64 or float32. The gradient by q is that of the numbers in q, as PyTorch has it; of a quaternion,
whose length does not matter, it is across the quaternion. `inverse_dynamics` can be differentiated twice where the
velocities are the rates of q's numbers.
"""

from __future__ import annotations

from typing import Any, Callable, Literal, Sequence

import numpy as np
import torch

from ._plucker import Robot

__all__ = [
    "inverse_dynamics",
    "forward_dynamics",
    "integrate",
    "frame_position",
    "frame_velocity",
    "center_of_mass",
    "com_velocity",
    "centroidal_momentum",
]

Tensor = torch.Tensor
Array = Any
Reference = Literal["body", "world", "world_aligned"]


def inverse_dynamics(robot: Robot, q: Tensor, v: Tensor, a: Tensor) -> Tensor:
    """Torques (…, nv) for the motion (q, v, a)."""
    return _InverseDynamics.apply(robot, *_together(robot, q, v, a))  # type: ignore[no-any-return]


def forward_dynamics(robot: Robot, q: Tensor, v: Tensor, tau: Tensor) -> Tensor:
    """Accelerations (…, nv) under the torques tau."""

    def slopes(q: Array, v: Array, tau: Array) -> Sequence[Array]:
        return tuple(robot.forward_dynamics_derivatives(q, v, tau))

    return _apply(robot, robot.forward_dynamics, slopes, q, v, tau)


def integrate(robot: Robot, q: Tensor, dv: Tensor) -> Tensor:
    """The configuration (…, nq) to which the step dv leads from q."""
    return _Integrate.apply(robot, *_together(robot, q, dv))  # type: ignore[no-any-return]


def frame_position(robot: Robot, q: Tensor, frame: str) -> Tensor:
    """The position (…, 3) of a frame's origin in the world."""

    def value(q: Array) -> Array:
        return robot.frame_pose(q, frame)[..., 3]

    def slopes(q: Array) -> Sequence[Array]:
        return (robot.frame_jacobian(q, frame, reference="world_aligned")[..., 3:, :],)

    return _apply(robot, value, slopes, q)


def frame_velocity(robot: Robot, q: Tensor, v: Tensor, frame: str, reference: Reference = "body") -> Tensor:
    """The velocity (…, 6) of a frame, angular first."""

    def value(q: Array, v: Array) -> Array:
        return robot.frame_velocity(q, v, frame, reference=reference)

    def slopes(q: Array, v: Array) -> Sequence[Array]:
        return tuple(robot.frame_velocity_derivatives(q, v, frame, reference=reference))

    return _apply(robot, value, slopes, q, v)


def center_of_mass(robot: Robot, q: Tensor) -> Tensor:
    """The robot's centre of mass (…, 3)."""
    return _apply(robot, robot.center_of_mass, lambda q: (robot.com_jacobian(q),), q)


def com_velocity(robot: Robot, q: Tensor, v: Tensor) -> Tensor:
    """The velocity (…, 3) of the robot's centre of mass."""

    def slopes(q: Array, v: Array) -> Sequence[Array]:
        return tuple(robot.com_velocity_derivatives(q, v))

    return _apply(robot, robot.com_velocity, slopes, q, v)


def centroidal_momentum(robot: Robot, q: Tensor, v: Tensor) -> Tensor:
    """The momentum (…, 6) about the centre of mass, angular first."""

    def slopes(q: Array, v: Array) -> Sequence[Array]:
        return tuple(robot.centroidal_momentum_derivatives(q, v))

    return _apply(robot, robot.centroidal_momentum, slopes, q, v)


# --- From the robot's functions to PyTorch's -------------------------------------------------------------


def _together(robot: Robot, q: Tensor, *vectors: Tensor) -> list[Tensor]:
    """The arguments with one shape of leading dimensions, so that each has a gradient of its own shape."""
    leading = torch.broadcast_shapes(q.shape[:-1], *(x.shape[:-1] for x in vectors))  # type: ignore[no-untyped-call]
    return [x.expand(*leading, x.shape[-1]) for x in (q, *vectors)]


def _array(x: Tensor) -> Array:
    return x.detach().numpy()


def _tensor(x: Array) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(x))


def _transposed_times(slope: Array, x: Array) -> Array:
    """slopeᵀ x for each state."""
    return np.einsum("...rc,...r->...c", slope, x)


def _times(slope: Array, x: Array) -> Array:
    return np.einsum("...rc,...c->...r", slope, x)


def _stretch(robot: Robot, q: Array) -> Array:
    """By how much a gradient along the tangent is to be stretched (…, nv): a quaternion of length s goes s / 2 for one radian."""
    out = np.ones((*q.shape[:-1], robot.nv), dtype=q.dtype)
    for joint in _joints_with_quaternions(robot):
        length2 = np.sum(q[..., joint.quaternion] ** 2, axis=-1, keepdims=True)
        out[..., joint.turns] = 4 / length2
    return out


class _Attitude:
    def __init__(self, quaternion: slice, turns: slice) -> None:
        self.quaternion, self.turns = quaternion, turns


def _joints_with_quaternions(robot: Robot) -> list[_Attitude]:
    """Of each quaternion x y z w in q, where it is, and the coordinates of v that turn it."""
    names, out = list(robot.configuration_names), []
    for k, name in enumerate(names):
        if not name.endswith(".quaternion.x"):
            continue
        turn = list(robot.velocity_names).index(name[: -len(".quaternion.x")] + ".angular.x")
        out.append(_Attitude(slice(k, k + 4), slice(turn, turn + 3)))
    return out


def _gradient_of_numbers(robot: Robot, q: Array, tangent: Array) -> Array:
    """The gradient by the numbers in q (…, nq) from that along the tangent (…, nv)."""
    return robot.configuration_rate(q, tangent * _stretch(robot, q))


class _Function(torch.autograd.Function):
    """value(q, …) whose slopes(q, …) are given, those by q along the tangent."""

    @staticmethod
    def forward(ctx: Any, robot: Robot, value: Any, slopes: Any, *arguments: Tensor) -> Tensor:  # type: ignore[override]
        ctx.robot, ctx.slopes = robot, slopes
        ctx.save_for_backward(*arguments)
        return _tensor(value(*(_array(x) for x in arguments)))

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, gradient: Tensor) -> Any:
        arguments = [_array(x) for x in ctx.saved_tensors]
        by = [_transposed_times(slope, _array(gradient)) for slope in ctx.slopes(*arguments)]
        by[0] = _gradient_of_numbers(ctx.robot, arguments[0], by[0])
        return (None, None, None, *(_tensor(x) for x in by))


def _apply(robot: Robot, value: Callable[..., Array], slopes: Callable[..., Any], *arguments: Tensor) -> Tensor:
    return _Function.apply(robot, value, slopes, *_together(robot, *arguments))  # type: ignore[no-any-return]


class _Integrate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Robot, q: Tensor, dv: Tensor) -> Tensor:  # type: ignore[override]
        ctx.robot = robot
        ctx.save_for_backward(q, dv)
        return _tensor(robot.integrate(_array(q), _array(dv)))

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, gradient: Tensor) -> Any:
        q, dv = (_array(x) for x in ctx.saved_tensors)
        robot = ctx.robot
        there = robot.integrate(q, dv)
        # Back from the numbers of the result to its tangent, the steps' derivatives, and to the numbers of q.
        unit = np.eye(robot.nv, dtype=q.dtype)
        numbers = robot.configuration_rate(there[..., None, :], unit)  # (…, nv, nq)
        tangent = _times(numbers, _array(gradient))
        by_q, by_dv = robot.integrate_derivatives(q, dv)
        back_q = _gradient_of_numbers(robot, q, _transposed_times(by_q, tangent))
        return None, _tensor(back_q), _tensor(_transposed_times(by_dv, tangent))


class _InverseDynamics(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Robot, q: Tensor, v: Tensor, a: Tensor) -> Tensor:  # type: ignore[override]
        ctx.robot = robot
        ctx.save_for_backward(q, v, a)
        return _tensor(robot.inverse_dynamics(*(_array(x) for x in (q, v, a))))

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:  # type: ignore[override]
        return None, *_InverseDynamicsGradient.apply(ctx.robot, *ctx.saved_tensors, gradient)


class _InverseDynamicsGradient(torch.autograd.Function):
    """λᵀ ∂τ/∂(q, v, a), which can be differentiated again."""

    @staticmethod
    def forward(ctx: Any, robot: Robot, q: Tensor, v: Tensor, a: Tensor, gradient: Tensor) -> Any:  # type: ignore[override]
        ctx.robot = robot
        ctx.save_for_backward(q, v, a, gradient)
        arguments = [_array(x) for x in (q, v, a)]
        slopes = robot.inverse_dynamics_derivatives(*arguments)
        by = [_transposed_times(slope, _array(gradient)) for slope in slopes]
        by[0] = _gradient_of_numbers(robot, arguments[0], by[0])
        return tuple(_tensor(x) for x in by)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, on_q: Tensor, on_v: Tensor, on_a: Tensor) -> Any:
        robot = ctx.robot
        if robot.configuration_names != robot.velocity_names:
            raise NotImplementedError(
                f"inverse_dynamics of '{robot.name}' can be differentiated once only: its velocities are not the rates of q; "
                "for second derivatives along the tangent call robot.inverse_dynamics_hessians"
            )
        q, v, a, gradient = (_array(x) for x in ctx.saved_tensors)
        u_q, u_v, u_a = (_array(x) for x in (on_q, on_v, on_a))
        qq, qv, vv, qa = robot.inverse_dynamics_hessians(q, v, a, gradient)
        by_q, by_v, by_a = robot.inverse_dynamics_derivatives(q, v, a)
        return (
            None,
            _tensor(_transposed_times(qq, u_q) + _times(qv, u_v) + _times(qa, u_a)),
            _tensor(_transposed_times(qv, u_q) + _transposed_times(vv, u_v)),
            _tensor(_transposed_times(qa, u_q)),
            _tensor(_times(by_q, u_q) + _times(by_v, u_v) + _times(by_a, u_a)),
        )
