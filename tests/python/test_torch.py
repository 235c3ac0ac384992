"""Operations of PyTorch: values, gradients by PyTorch's own checks, of first and second order."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest
import torch
from conftest import Sample, robot_named

import plucker
import plucker.torch as pt

ROBOTS = ["arm", "quadruped", "exoskeleton", "tree(12,3)"]
Tensor = torch.Tensor


def tensors(s: Sample, names: str) -> list[Tensor]:
    of = {"q": s.q, "v": s.v, "a": s.a, "t": s.tau}
    return [torch.tensor(of[name], requires_grad=True) for name in names]


# Each with the letters of its arguments, and the method that gives its values.
OPERATIONS: dict[str, tuple[str, Callable[..., Tensor], Callable[..., Any]]] = {
    "inverse_dynamics": ("qva", pt.inverse_dynamics, lambda r, *x: r.inverse_dynamics(*x)),
    "forward_dynamics": ("qvt", pt.forward_dynamics, lambda r, *x: r.forward_dynamics(*x)),
    "integrate": ("qv", pt.integrate, lambda r, *x: r.integrate(*x)),
    "frame_position": (
        "q",
        lambda r, q: pt.frame_position(r, q, r.frame_names[-1]),
        lambda r, q: r.frame_pose(q, r.frame_names[-1])[..., 3],
    ),
    "frame_velocity": (
        "qv",
        lambda r, q, v: pt.frame_velocity(r, q, v, r.frame_names[-1], "world_aligned"),
        lambda r, q, v: r.frame_velocity(q, v, r.frame_names[-1], reference="world_aligned"),
    ),
    "center_of_mass": ("q", pt.center_of_mass, lambda r, q: r.center_of_mass(q)),
    "com_velocity": ("qv", pt.com_velocity, lambda r, *x: r.com_velocity(*x)),
    "centroidal_momentum": ("qv", pt.centroidal_momentum, lambda r, *x: r.centroidal_momentum(*x)),
}


def test_every_operation_is_here() -> None:
    assert sorted(OPERATIONS) == sorted(pt.__all__)


@pytest.mark.parametrize("robot_name", ROBOTS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_values_and_gradients(name: str, robot_name: str) -> None:
    letters, operation, method = OPERATIONS[name]
    for shape in [(), (2,)]:
        s = Sample(robot_named(robot_name), shape, seed=3)
        arguments = tensors(s, letters)
        values = operation(s.robot, *arguments)
        assert np.array_equal(values.detach().numpy(), method(s.robot, *(x.detach().numpy() for x in arguments)))
        assert torch.autograd.gradcheck(
            lambda *x: operation(s.robot, *x), arguments, eps=1e-6, atol=1e-5, rtol=1e-5, nondet_tol=0
        )


def all_joints() -> plucker.Robot:
    """A spherical and a planar joint on a floating base, with quaternions in two places of q."""
    mass = plucker.MassProperties(1.5, (0.1, -0.2, 0.3), np.diag([0.3, 0.4, 0.5]))
    return (
        plucker.Builder("all")
        .base("floating")
        .link("trunk", mass)
        .body("trunk", plucker.spherical("ball").at((0.1, 0.2, 0.3)), "arm", mass)
        .body("arm", plucker.planar("table", (0, 0, 1)).at((0.3, 0, 0.1)), "sled", mass)
        .body("sled", plucker.revolute("hinge", (1, 0, 0)).at((0, 0.1, 0.2)), "flap", mass)
        .build()
    )


TWICE = ["inverse_dynamics", "forward_dynamics", "frame_position", "center_of_mass"]


@pytest.mark.parametrize("robot_name", ["arm", "quadruped", "all joints"])
@pytest.mark.parametrize("name", TWICE)
def test_twice(name: str, robot_name: str) -> None:
    robot = all_joints() if robot_name == "all joints" else robot_named(robot_name)
    letters, operation, _ = OPERATIONS[name]
    s = Sample(robot, (1,), seed=4)
    s.q = s.q * (1 if robot_name == "arm" else 1.2)  # the length of a quaternion does not matter
    # gradgradcheck draws weights of its own. Accelerations of light hands lose some digits in its differences.
    torch.manual_seed(4)
    tolerance = 2e-4 if name == "forward_dynamics" else 2e-5
    assert torch.autograd.gradgradcheck(
        lambda *x: operation(robot, *x), tensors(s, letters), eps=1e-6, atol=tolerance, rtol=tolerance
    )


def test_forces_are_differentiated_along() -> None:
    s = Sample(all_joints(), (), seed=5)
    forces = plucker.ExternalForces(s.robot)
    forces.add("flap", [1, 2, 3, 4, 5, 6], "world_aligned")
    forces.add("arm", [1, -2, 3, -4, 5, -6], "world")
    for letters, operation in [("qva", pt.inverse_dynamics), ("qvt", pt.forward_dynamics)]:
        arguments = tensors(s, letters)

        def pushed(*x: Tensor) -> Tensor:
            return operation(s.robot, *x, external=forces)

        assert torch.autograd.gradcheck(pushed, arguments, eps=1e-6, atol=1e-5, rtol=1e-5)
        assert torch.autograd.gradgradcheck(pushed, arguments, eps=1e-6, atol=2e-5, rtol=2e-5)


@pytest.mark.parametrize("name", sorted(set(OPERATIONS) - set(TWICE) - {"integrate"}))
def test_others_are_differentiated_once(name: str) -> None:
    letters, operation, _ = OPERATIONS[name]
    s = Sample(robot_named("quadruped"))
    arguments = tensors(s, letters)
    (gradient,) = torch.autograd.grad(operation(s.robot, *arguments).sum(), arguments[0], create_graph=True)
    with pytest.raises(NotImplementedError, match="once only"):
        gradient.sum().backward()


def test_gradients_have_the_shapes_of_their_arguments() -> None:
    robot = robot_named("arm")
    one, many = Sample(robot), Sample(robot, (3, 2))
    q = torch.tensor(one.q, requires_grad=True)
    v, a = torch.tensor(many.v), torch.tensor(many.a)
    pt.inverse_dynamics(robot, q, v, a).sum().backward()
    assert q.grad is not None and q.grad.shape == q.shape
    slopes = robot.inverse_dynamics_derivatives(one.q, many.v, many.a)[0]
    np.testing.assert_allclose(q.grad, slopes.sum(axis=(0, 1, 2)), rtol=1e-12)


def test_float32() -> None:
    s = Sample(robot_named("arm"))
    q, v, a = (torch.tensor(x, dtype=torch.float32, requires_grad=True) for x in (s.q, s.v, s.a))
    tau = pt.inverse_dynamics(s.robot, q, v, a)
    tau.sum().backward()
    assert tau.dtype == torch.float32 and q.grad is not None and q.grad.dtype == torch.float32


def test_mistakes_are_told() -> None:
    robot = robot_named("arm")
    zero = torch.zeros(robot.nv, dtype=torch.float64)
    array: Any = np.zeros(robot.nq)
    with pytest.raises(TypeError, match="ndarray is given; expected tensors"):
        pt.inverse_dynamics(robot, array, zero, zero)
    with pytest.raises(plucker.Error, match=r"has shape \(\); expected \(..., n\)"):
        pt.inverse_dynamics(robot, zero, zero[0], zero)
    with pytest.raises(plucker.Error, match=r"do not fit together: \(3,\), \(4,\), \(\)"):
        pt.inverse_dynamics(robot, zero.expand(3, -1), zero.expand(4, -1), zero)
    with pytest.raises(plucker.Error, match="do not fit together"):
        pt.integrate(robot, zero.expand(3, -1), zero.expand(2, -1))
