"""Parameters from measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import plucker


def test_regressor_times_parameters_is_inverse_dynamics() -> None:
    robot = plucker.robots.humanoid()
    rng = np.random.default_rng(1)
    q = robot.random_configurations(20, seed=2)
    v, a = rng.normal(size=(2, 20, robot.nv))
    Y = robot.torque_regressor(q, v, a)
    assert Y.shape == (20, robot.nv, robot.num_parameters)
    assert len(robot.parameter_names) == robot.num_parameters
    np.testing.assert_allclose(Y @ robot.dynamic_parameters, robot.inverse_dynamics(q, v, a), atol=1e-9)


def test_parameters_go_to_and_fro() -> None:
    robot = plucker.robots.arm()
    parameters = robot.dynamic_parameters
    parameters[0] = 7
    assert robot.with_dynamic_parameters(parameters).inertia("link1").mass == 7
    with pytest.raises(plucker.Error, match="parameters has size 3"):
        robot.with_dynamic_parameters(parameters[:3])


def test_base_parameters_make_the_torques() -> None:
    robot = plucker.robots.arm()
    base = robot.base_parameters()
    assert len(base.names) == len(base.columns) == base.combination.shape[0]
    q, v = robot.neutral() + 0.3, np.ones(robot.nv)
    Y = robot.torque_regressor(q, v, v)
    beta = base.combination @ robot.dynamic_parameters
    np.testing.assert_allclose(Y[:, base.columns] @ beta, robot.inverse_dynamics(q, v, v), atol=1e-9)


def test_identify_finds_what_was_changed() -> None:
    robot = plucker.robots.arm()
    log = robot.excite(6, trials=10).log
    assert log.q.shape == (601, robot.nq)
    real = robot.with_mass("link7", plucker.MassProperties.sphere(2.5, 0.06, (0.02, 0, 0.05)))
    tau = real.inverse_dynamics(log.q, log.v, log.a)
    found = robot.identify(log.time, log.q, tau, log.v, log.a, prior=1)
    np.testing.assert_allclose(found.robot.inverse_dynamics(log.q, log.v, log.a), tau, atol=1e-3)
    assert all(joint.after < 1e-2 * joint.torque for joint in found.joints)
    told = {x.name: x for x in found.combinations}["link7.mx"]
    assert told.is_told_by_data
    assert told.value == pytest.approx(0.05, abs=1e-3)


def test_identify_says_what_is_wrong() -> None:
    robot = plucker.robots.arm()
    log = robot.excite(3, trials=1).log
    with pytest.raises(plucker.Error, match="nothing moves"):
        robot.identify(log.time, 0 * log.q, log.tau)
    with pytest.raises(plucker.Error, match="dimensions; expected 2"):
        robot.identify(log.time, log.q[0], log.tau)
    with pytest.raises(plucker.Error, match="unknown link that moves 'pedestal'"):
        robot.identify(log.time, log.q, log.tau, links=["pedestal"])


def first_order(x: Any, corner: float, step: float, start: Any) -> Any:
    """x behind a filter of first order, ẏ = corner (x - y), by the trapezoidal rule."""
    c = corner * step / 2
    y = np.empty_like(x)
    y[0] = start
    for k in range(1, len(x)):
        y[k] = ((1 - c) * y[k - 1] + c * (x[k - 1] + x[k])) / (1 + c)
    return y


def test_torques_behind_a_filter_need_no_accelerations() -> None:
    """τ_f = (ω (P - P_f) + W_f) π, as docs/identification.md has it."""
    robot = plucker.robots.arm().with_friction(False)
    corner, rate = 12.0, 2000.0
    log = robot.excite(6, rate=rate, trials=1, velocity=1.0).log
    P, W = robot.momentum_regressor(log.q, log.v), robot.momentum_bias_regressor(log.q, log.v)
    P_filtered = first_order(P, corner, 1 / rate, P[0])
    W_filtered = first_order(W, corner, 1 / rate, 0)
    tau_filtered = first_order(log.tau, corner, 1 / rate, 0)
    told = (corner * (P - P_filtered) + W_filtered) @ robot.dynamic_parameters
    scale = np.abs(tau_filtered).max()
    np.testing.assert_allclose(told, tau_filtered, atol=1e-5 * scale)
    # Without the derivative's part the torques of accelerations are missing.
    assert np.abs(W_filtered @ robot.dynamic_parameters - tau_filtered).max() > 1e-2 * scale


def test_what_is_found_is_shown_in_a_line() -> None:
    robot = plucker.robots.pendulum()
    motion = robot.excite(3, trials=1)
    assert repr(motion).startswith("<plucker.Excitation: 301 samples, condition number ")
    assert repr(motion.log) == "<plucker.MotionLog: 301 samples>"
    assert repr(robot.base_parameters()) == f"<plucker.BaseParameters: 5 of {robot.num_parameters} parameters>"
    found = robot.identify(motion.log.time, motion.log.q, motion.log.tau)
    assert repr(found).startswith("<plucker.Identified of 'pendulum': the data tell ")
    assert repr(found.joints[0]).startswith("<IdentifiedJoint 'hinge': ")
