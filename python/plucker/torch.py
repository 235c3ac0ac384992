"""Dynamics as PyTorch operations with analytic derivatives (docs/derivatives.md)::

    import torch, plucker, plucker.torch as pt
    robot = plucker.robots.arm()
    q = torch.zeros(robot.nq, dtype=torch.float64, requires_grad=True)
    tau = pt.inverse_dynamics(robot, q, v, a)      # (…, nv), batches by leading dimensions
    tau.square().sum().backward()                  # q.grad

Tensors are on the CPU, in float64 or float32. The gradient by q is that of the numbers in q, as PyTorch has it; of a quaternion,
whose length does not matter, it is across the quaternion. `inverse_dynamics`, `forward_dynamics`, `frame_position` and
`center_of_mass` can be differentiated twice, with analytic second derivatives; the others once.
"""

from __future__ import annotations

from typing import Any, Callable, Literal, Sequence

import numpy as np
import torch

from ._plucker import Error, ExternalForces, Robot

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


def inverse_dynamics(robot: Robot, q: Tensor, v: Tensor, a: Tensor, external: ExternalForces | None = None) -> Tensor:
    """Torques (…, nv) for the motion (q, v, a); external forces are not tensors and get no gradient.

    >>> tau = pt.inverse_dynamics(robot, q, v, a)
    """

    def value(q: Array, v: Array, a: Array) -> Array:
        return robot.inverse_dynamics(q, v, a, external)

    def slopes(q: Array, v: Array, a: Array) -> Sequence[Array]:
        return robot.inverse_dynamics_derivatives(q, v, a, external)

    def curvature(arguments: Sequence[Array], along: Sequence[Array], multipliers: Array) -> Sequence[Array]:
        q, v, a = arguments
        return _from_hessians(robot.inverse_dynamics_hessians(q, v, a, multipliers, external), along)

    return _apply(robot, value, slopes, q, v, a, curvature=curvature)


def forward_dynamics(robot: Robot, q: Tensor, v: Tensor, tau: Tensor, external: ExternalForces | None = None) -> Tensor:
    """Accelerations (…, nv) under the torques tau; external forces are not tensors and get no gradient.

    >>> a = pt.forward_dynamics(robot, q, v, tau)
    """

    def value(q: Array, v: Array, tau: Array) -> Array:
        return robot.forward_dynamics(q, v, tau, external)

    def slopes(q: Array, v: Array, tau: Array) -> Sequence[Array]:
        return robot.forward_dynamics_derivatives(q, v, tau, external)

    def curvature(arguments: Sequence[Array], along: Sequence[Array], multipliers: Array) -> Sequence[Array]:
        q, v, tau = arguments
        return _from_hessians(robot.forward_dynamics_hessians(q, v, tau, multipliers, external), along)

    return _apply(robot, value, slopes, q, v, tau, curvature=curvature)


def integrate(robot: Robot, q: Tensor, dv: Tensor) -> Tensor:
    """The configuration (…, nq) that the step dv reaches from q.

    >>> q_next = pt.integrate(robot, q, 0.01 * v)
    """
    return _Integrate.apply(robot, *_together(robot, q, dv))  # type: ignore[no-any-return]


def frame_position(robot: Robot, q: Tensor, frame: str) -> Tensor:
    """The position (…, 3) of a frame's origin in the world.

    >>> pt.frame_position(robot, q, frame)[2].backward()
    """

    def value(q: Array) -> Array:
        return robot.frame_pose(q, frame)[..., 3]

    def slopes(q: Array) -> Sequence[Array]:
        return (robot.frame_jacobian(q, frame, reference="world_aligned")[..., 3:, :],)

    # J x is the velocity if x were that of the joints.
    def curvature(arguments: Sequence[Array], along: Sequence[Array], multipliers: Array) -> Sequence[Array]:
        (q,), (x,) = arguments, along
        by_q, _ = robot.frame_velocity_derivatives(q, x, frame, reference="world_aligned")
        return (_transposed_times(by_q[..., 3:, :], multipliers),)

    return _apply(robot, value, slopes, q, curvature=curvature)


def frame_velocity(robot: Robot, q: Tensor, v: Tensor, frame: str, reference: Reference = "body") -> Tensor:
    """The velocity (…, 6) of a frame, angular first.

    >>> velocity = pt.frame_velocity(robot, q, v, frame)
    """

    def value(q: Array, v: Array) -> Array:
        return robot.frame_velocity(q, v, frame, reference=reference)

    def slopes(q: Array, v: Array) -> Sequence[Array]:
        return tuple(robot.frame_velocity_derivatives(q, v, frame, reference=reference))

    return _apply(robot, value, slopes, q, v)


def center_of_mass(robot: Robot, q: Tensor) -> Tensor:
    """The robot's centre of mass (…, 3).

    >>> pt.center_of_mass(robot, q)[2].backward()
    """

    def slopes(q: Array) -> Sequence[Array]:
        return (robot.com_jacobian(q),)

    def curvature(arguments: Sequence[Array], along: Sequence[Array], multipliers: Array) -> Sequence[Array]:
        return (_transposed_times(robot.com_velocity_derivatives(*arguments, *along)[0], multipliers),)

    return _apply(robot, robot.center_of_mass, slopes, q, curvature=curvature)


def com_velocity(robot: Robot, q: Tensor, v: Tensor) -> Tensor:
    """The velocity (…, 3) of the robot's centre of mass.

    >>> velocity = pt.com_velocity(robot, q, v)
    """

    def slopes(q: Array, v: Array) -> Sequence[Array]:
        return tuple(robot.com_velocity_derivatives(q, v))

    return _apply(robot, robot.com_velocity, slopes, q, v)


def centroidal_momentum(robot: Robot, q: Tensor, v: Tensor) -> Tensor:
    """The momentum (…, 6) about the centre of mass, angular first.

    >>> h = pt.centroidal_momentum(robot, q, v)
    """

    def slopes(q: Array, v: Array) -> Sequence[Array]:
        return tuple(robot.centroidal_momentum_derivatives(q, v))

    return _apply(robot, robot.centroidal_momentum, slopes, q, v)


# --- Along the tangent, and by the numbers in q --------------------------------------------------------------


class _Turning:
    """A joint whose velocities are not the rates of its coordinates: it turns, and moves along axes that turn."""

    def __init__(self, robot: Robot, joint: str) -> None:
        configuration, velocity = list(robot.configuration_names), list(robot.velocity_names)

        def indices(of: str) -> list[tuple[int, int]]:
            """Which of x, y, z there are, and where in v."""
            names = [f"{joint}.{of}.{axis}" for axis in "xyz"]
            return [(axis, velocity.index(name)) for axis, name in enumerate(names) if name in velocity]

        self.turns, self.moves = indices("angular"), indices("linear")
        first = f"{joint}.quaternion.x"
        self.quaternion: slice | None = None
        if first in configuration:
            at = configuration.index(first)
            self.quaternion = slice(at, at + 4)

    @staticmethod
    def vector(x: Array, indices: list[tuple[int, int]]) -> Array:
        """(…, 3): those entries of x, (…, nv), and zeros."""
        out = np.zeros((*x.shape[:-1], 3), dtype=x.dtype)
        for axis, k in indices:
            out[..., axis] = x[..., k]
        return out


def _turning(robot: Robot) -> list[_Turning]:
    end = ".angular.z"
    return [_Turning(robot, name[: -len(end)]) for name in robot.velocity_names if name.endswith(end)]


class _Numbers:
    """What the numbers in q are to the tangent at q. With T v their rates (configuration_rate), in which quaternions have unit
    length, the gradient by the numbers is T D times that along the tangent."""

    def __init__(self, robot: Robot, q: Array) -> None:
        self.robot, self.q = robot, q
        self.joints = _turning(robot)
        self.D = np.ones((*q.shape[:-1], robot.nv), dtype=q.dtype)
        for joint in self.joints:
            if joint.quaternion is None:
                continue
            # For one radian T goes 1 / 2, and a quaternion of length s goes s / 2.
            length = np.linalg.norm(q[..., joint.quaternion], axis=-1)
            for _, k in joint.turns:
                self.D[..., k] = 4 / length

    def gradient(self, tangent: Array) -> Array:
        """By the numbers (…, nq), from that along the tangent (…, nv)."""
        return self.robot.configuration_rate(self.q, tangent * self.D)

    def tangent(self, numbers: Array) -> Array:
        """Tᵀ times a vector of numbers."""
        T = self.robot.configuration_rate(self.q[..., None, :], np.eye(self.robot.nv, dtype=self.q.dtype))
        return _times(T, numbers)

    def gradient_of_gradient(self, on: Array, first: Array, second: Array) -> Array:
        """The gradient by q of on · gradient(first), where first itself changes along the tangent so that w · first, with
        w = D Tᵀ on held, has the gradient `second` there.

        T turns with q: along a turn e, the rate T y of a position changes by T (e × y), that of a quaternion q by half as
        much, less (e · y) q / 4. And D shrinks as a quaternion grows.
        """
        z, y = self.tangent(on), self.D * first
        turned = second.copy()
        out = np.zeros_like(self.q)
        for joint in self.joints:
            y_turn, z_turn = (joint.vector(x, joint.turns) for x in (y, z))
            change = np.cross(*(joint.vector(x, joint.moves) for x in (y, z)))
            if joint.quaternion is not None:
                q = self.q[..., joint.quaternion]
                length = np.linalg.norm(q, axis=-1, keepdims=True)
                along_q = np.sum(on[..., joint.quaternion] * q, axis=-1, keepdims=True) / length
                change += np.cross(y_turn, z_turn) / 2 - along_q * y_turn / 4
                out[..., joint.quaternion] -= np.sum(y_turn * z_turn, axis=-1, keepdims=True) * q / length**2
            for axis, k in joint.turns:
                turned[..., k] += change[..., axis]
        return out + self.gradient(turned)


# --- From the robot's functions to PyTorch's -------------------------------------------------------------


def _together(robot: Robot, q: Tensor, *vectors: Tensor) -> list[Tensor]:
    """The arguments with one shape of leading dimensions, so that each has a gradient of its own shape."""
    given = (q, *vectors)
    for x in given:
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"plucker.torch: {type(x).__name__} is given; expected tensors, as torch.as_tensor makes them")
        if x.dim() == 0:
            raise Error("plucker.torch: a tensor has shape (); expected (..., n), a number for each coordinate")
    try:
        leading = torch.broadcast_shapes(*(x.shape[:-1] for x in given))  # type: ignore[no-untyped-call]
    except RuntimeError as mismatch:
        shapes = ", ".join(str(tuple(x.shape[:-1])) for x in given)
        raise Error(f"plucker.torch: the leading dimensions do not fit together: {shapes}") from mismatch
    return [x.expand(*leading, x.shape[-1]) for x in given]


def _array(x: Tensor) -> Array:
    return x.detach().numpy()


def _tensor(x: Array) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(x))


def _transposed_times(slope: Array, x: Array) -> Array:
    """slopeᵀ x for each state."""
    return np.einsum("...rc,...r->...c", slope, x)


def _times(slope: Array, x: Array) -> Array:
    return np.einsum("...rc,...c->...r", slope, x)


def _from_hessians(hessians: Sequence[Array], along: Sequence[Array]) -> Sequence[Array]:
    """The gradients of λᵀ Σ ∂f/∂x · along, from λᵀ ∂²f: by (q, q), (q, v), (v, v), and q with the third argument."""
    qq, qv, vv, q_third = hessians
    x, y, z = along
    return (
        _transposed_times(qq, x) + _times(qv, y) + _times(q_third, z),
        _transposed_times(qv, x) + _transposed_times(vv, y),
        _transposed_times(q_third, x),
    )


class _Operation:
    """value(q, …); slopes(q, …) by each argument, that by q along the tangent; and, where second derivatives are there,
    curvature(arguments, along, λ): the gradients by the arguments of λᵀ Σ slope · along."""

    def __init__(self, robot: Robot, value: Any, slopes: Any, curvature: Any) -> None:
        self.robot, self.value, self.slopes, self.curvature = robot, value, slopes, curvature


class _Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, operation: _Operation, *arguments: Tensor) -> Tensor:  # type: ignore[override]
        ctx.operation = operation
        ctx.save_for_backward(*arguments)
        return _tensor(operation.value(*(_array(x) for x in arguments)))

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:  # type: ignore[override]
        return None, *_Gradient.apply(ctx.operation, gradient, *ctx.saved_tensors)


class _Gradient(torch.autograd.Function):
    """λᵀ slopes by each argument, which can be differentiated again where there is curvature."""

    @staticmethod
    def forward(ctx: Any, operation: _Operation, multipliers: Tensor, *arguments: Tensor) -> Any:  # type: ignore[override]
        ctx.operation = operation
        ctx.save_for_backward(multipliers, *arguments)
        arrays = [_array(x) for x in arguments]
        by = [_transposed_times(slope, _array(multipliers)) for slope in operation.slopes(*arrays)]
        by[0] = _Numbers(operation.robot, arrays[0]).gradient(by[0])
        return tuple(_tensor(x) for x in by)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, *on: Tensor) -> Any:
        operation = ctx.operation
        if operation.curvature is None:
            raise NotImplementedError(
                "this operation of plucker.torch can be differentiated once only; twice can inverse_dynamics, "
                "forward_dynamics, frame_position and center_of_mass"
            )
        multipliers, *arguments = (_array(x) for x in ctx.saved_tensors)
        numbers = _Numbers(operation.robot, arguments[0])
        along = [_array(x) for x in on]
        on_q = along[0]
        along[0] = numbers.D * numbers.tangent(on_q)
        slopes = operation.slopes(*arguments)
        by = list(operation.curvature(arguments, along, multipliers))
        by[0] = numbers.gradient_of_gradient(on_q, _transposed_times(slopes[0], multipliers), by[0])
        by_multipliers = sum(_times(slope, x) for slope, x in zip(slopes, along))
        return None, _tensor(by_multipliers), *(_tensor(x) for x in by)


def _apply(
    robot: Robot,
    value: Callable[..., Array],
    slopes: Callable[..., Any],
    *arguments: Tensor,
    curvature: Callable[..., Any] | None = None,
) -> Tensor:
    operation = _Operation(robot, value, slopes, curvature)
    return _Function.apply(operation, *_together(robot, *arguments))  # type: ignore[no-any-return]


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
        # Back from the numbers of the result to its tangent, the steps' derivatives, and to the numbers of q.
        tangent = _Numbers(robot, robot.integrate(q, dv)).tangent(_array(gradient))
        by_q, by_dv = robot.integrate_derivatives(q, dv)
        back_q = _Numbers(robot, q).gradient(_transposed_times(by_q, tangent))
        return None, _tensor(back_q), _tensor(_transposed_times(by_dv, tangent))
