"""The types of the extension. Written by scripts/python_stubs from scripts/python_stubs.pyi and the table of algorithms."""

import os
from typing import Any, Callable, Iterable, Literal, Mapping, Sequence, final

import numpy as np
import numpy.typing as npt

_Array = npt.NDArray[Any]
_Reference = Literal["body", "world", "world_aligned"]
_Base = Literal["fixed", "floating"]
_Integrator = Literal["rk4", "adaptive", "symplectic"]
_Controller = Callable[[float, _Array, _Array], npt.ArrayLike | None]
_Event = Callable[[float, _Array, _Array], float]
_Convention = Literal["plucker", "file", "pinocchio", "mujoco"]

__version__: str
_status_names: dict[int, str]

class Error(ValueError): ...

def isa() -> str: ...
def algorithms() -> list[dict[str, Any]]: ...
def pose(position: npt.ArrayLike = ..., rpy: npt.ArrayLike = ...) -> _Array: ...
def _robot_named(name: str) -> Robot: ...
def _robot_names() -> list[str]: ...
def load(
    path: str | os.PathLike[str],
    *,
    base: _Base = "fixed",
    fixed_joints: Literal["merge", "keep"] = "merge",
    physics: Literal["strict", "lenient"] = "lenient",
    package_paths: Sequence[str] = ...,
    model: str = "",
) -> Robot: ...
def loads(
    text: str,
    *,
    file: str = "text",
    base: _Base = "fixed",
    fixed_joints: Literal["merge", "keep"] = "merge",
    physics: Literal["strict", "lenient"] = "lenient",
    package_paths: Sequence[str] = ...,
    model: str = "",
) -> Robot: ...
def cylindrical(name: str, axis: npt.ArrayLike) -> Joint: ...
def fixed(name: str) -> Joint: ...
def floating(name: str) -> Joint: ...
def helical(name: str, axis: npt.ArrayLike, pitch: float) -> Joint: ...
def planar(name: str, axis: npt.ArrayLike) -> Joint: ...
def prismatic(name: str, axis: npt.ArrayLike) -> Joint: ...
def revolute(name: str, axis: npt.ArrayLike) -> Joint: ...
def spherical(name: str) -> Joint: ...
def translation(name: str) -> Joint: ...
def universal(name: str, first: npt.ArrayLike, second: npt.ArrayLike) -> Joint: ...
def weld(
    name: str,
    frame_a: str,
    frame_b: str,
    placement_a: npt.ArrayLike = ...,
    placement_b: npt.ArrayLike = ...,
    axes: Sequence[bool] = ...,
) -> Constraint: ...
def connect(
    name: str, frame_a: str, frame_b: str, placement_a: npt.ArrayLike = ..., placement_b: npt.ArrayLike = ...
) -> Constraint: ...
def rod(
    name: str,
    frame_a: str,
    frame_b: str,
    length: float,
    placement_a: npt.ArrayLike = ...,
    placement_b: npt.ArrayLike = ...,
) -> Constraint: ...
def load_recording(path: str | os.PathLike[str], robot: Robot | None = None) -> Recording: ...
def gear(name: str, joint_a: str, joint_b: str, ratio: float, offset: float = 0.0) -> Constraint: ...

class MassProperties:
    def __init__(self, mass: float = 0.0, center: npt.ArrayLike = ..., about_center: npt.ArrayLike = ...) -> None: ...
    @staticmethod
    def point(mass: float, center: npt.ArrayLike = ...) -> MassProperties: ...
    @staticmethod
    def box(mass: float, size: npt.ArrayLike, center: npt.ArrayLike = ...) -> MassProperties: ...
    @staticmethod
    def sphere(mass: float, radius: float, center: npt.ArrayLike = ...) -> MassProperties: ...
    @staticmethod
    def cylinder(mass: float, radius: float, length: float, center: npt.ArrayLike = ...) -> MassProperties: ...
    @property
    def mass(self) -> float: ...
    @property
    def center(self) -> _Array: ...
    @property
    def about_center(self) -> _Array: ...

@final
class Joint:
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def parent(self) -> str: ...
    @property
    def child(self) -> str: ...
    @property
    def placement(self) -> _Array: ...
    @property
    def axis(self) -> _Array: ...
    @property
    def second_axis(self) -> _Array: ...
    @property
    def pitch(self) -> float: ...
    @property
    def armature(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def friction(self) -> float: ...
    @property
    def limits(self) -> tuple[float, float]: ...
    @property
    def velocity_limit(self) -> float: ...
    @property
    def effort_limit(self) -> float: ...
    @property
    def mimic(self) -> tuple[str, float, float] | None: ...
    def at(self, placement: npt.ArrayLike) -> Joint: ...
    def with_armature(self, armature: float) -> Joint: ...
    def with_damping(self, damping: float) -> Joint: ...
    def with_friction(self, friction: float) -> Joint: ...
    def with_limits(
        self, lower: float = ..., upper: float = ..., velocity: float = ..., effort: float = ...
    ) -> Joint: ...
    def mimicking(self, joint: str, multiplier: float = 1.0, offset: float = 0.0) -> Joint: ...

@final
class Finding:
    @property
    def severity(self) -> Literal["note", "warning", "error"]: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def element(self) -> str: ...
    @property
    def message(self) -> str: ...

@final
class Residual:
    @property
    def law(self) -> str: ...
    @property
    def value(self) -> float: ...
    @property
    def tolerance(self) -> float: ...
    @property
    def not_checked(self) -> str: ...
    @property
    def holds(self) -> bool: ...
    @property
    def fails(self) -> bool: ...

@final
class MotionLog:
    @property
    def time(self) -> _Array: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def a(self) -> _Array: ...
    @property
    def tau(self) -> _Array: ...

@final
class Excitation:
    @property
    def log(self) -> MotionLog: ...
    @property
    def condition_number(self) -> float: ...
    @property
    def first_condition_number(self) -> float: ...

@final
class BaseParameters:
    @property
    def columns(self) -> list[int]: ...
    @property
    def combination(self) -> _Array: ...
    @property
    def names(self) -> list[str]: ...

@final
class IdentifiedParameter:
    @property
    def name(self) -> str: ...
    @property
    def before(self) -> float: ...
    @property
    def value(self) -> float: ...
    @property
    def deviation(self) -> float: ...
    @property
    def prior(self) -> float: ...
    @property
    def is_told_by_data(self) -> bool: ...

@final
class IdentifiedJoint:
    @property
    def name(self) -> str: ...
    @property
    def torque(self) -> float: ...
    @property
    def before(self) -> float: ...
    @property
    def after(self) -> float: ...

@final
class Identified:
    @property
    def robot(self) -> Robot: ...
    @property
    def parameters(self) -> list[IdentifiedParameter]: ...
    @property
    def combinations(self) -> list[IdentifiedParameter]: ...
    @property
    def joints(self) -> list[IdentifiedJoint]: ...
    @property
    def condition_number(self) -> float: ...
    @property
    def num_told(self) -> int: ...
    @property
    def remarks(self) -> list[str]: ...
    @property
    def log(self) -> MotionLog: ...
    @property
    def torques_before(self) -> _Array: ...
    @property
    def torques_after(self) -> _Array: ...

class Constraint:
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def frame_a(self) -> str: ...
    @property
    def frame_b(self) -> str: ...
    @property
    def placement_a(self) -> _Array: ...
    @property
    def placement_b(self) -> _Array: ...
    @property
    def axes(self) -> tuple[bool, bool, bool, bool, bool, bool]: ...
    @property
    def distance(self) -> float: ...
    @property
    def joint_a(self) -> str: ...
    @property
    def joint_b(self) -> str: ...
    @property
    def polynomial(self) -> _Array: ...

class Builder:
    def __init__(self, name: str) -> None: ...
    def gravity(self, gravity: npt.ArrayLike) -> Builder: ...
    def base(self, base: _Base) -> Builder: ...
    def fixed_joints(self, choice: Literal["merge", "keep"]) -> Builder: ...
    def physics(self, choice: Literal["strict", "lenient"]) -> Builder: ...
    def link(self, name: str, mass: MassProperties = ...) -> Builder: ...
    def joint(self, joint: Joint, parent: str, child: str) -> Builder: ...
    def body(self, parent: str, joint: Joint, name: str, mass: MassProperties = ...) -> Builder: ...
    def frame(self, name: str, link: str, placement: npt.ArrayLike = ...) -> Builder: ...
    def constraint(self, constraint: Constraint) -> Builder: ...
    def collision(self, link: str, shape: Shape) -> Builder: ...
    def build(self) -> Robot: ...

class ExternalForces:
    def __init__(self, robot: Robot) -> None: ...
    def add(self, frame: str, force: npt.ArrayLike, expressed_in: _Reference) -> None: ...
    def clear(self) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def __len__(self) -> int: ...

class Surface:
    def __init__(self, friction: float = 1.0, torsional: float = 0.0, restitution: float = 0.0) -> None: ...
    @property
    def friction(self) -> float: ...
    @property
    def torsional(self) -> float: ...
    @property
    def restitution(self) -> float: ...

@final
class Shape:
    @staticmethod
    def box(
        size: npt.ArrayLike, placement: npt.ArrayLike = ..., surface: Surface | None = None, name: str = ""
    ) -> Shape: ...
    @staticmethod
    def sphere(
        radius: float, placement: npt.ArrayLike = ..., surface: Surface | None = None, name: str = ""
    ) -> Shape: ...
    @staticmethod
    def cylinder(
        radius: float, length: float, placement: npt.ArrayLike = ..., surface: Surface | None = None, name: str = ""
    ) -> Shape: ...
    @staticmethod
    def capsule(
        radius: float, length: float, placement: npt.ArrayLike = ..., surface: Surface | None = None, name: str = ""
    ) -> Shape: ...
    @staticmethod
    def ellipsoid(
        radii: npt.ArrayLike, placement: npt.ArrayLike = ..., surface: Surface | None = None, name: str = ""
    ) -> Shape: ...
    @staticmethod
    def plane(
        normal: npt.ArrayLike = ..., placement: npt.ArrayLike = ..., surface: Surface | None = None, name: str = ""
    ) -> Shape: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def placement(self) -> _Array: ...
    @property
    def surface(self) -> Surface | None: ...

class World:
    def __init__(self, surface: Surface = ...) -> None: ...
    @staticmethod
    def flat(
        friction: float = 1.0, restitution: float = 0.0, torsional: float = 0.0, up: npt.ArrayLike = ...
    ) -> World: ...
    def add(self, shape: Shape) -> World: ...
    def height_field(
        self,
        heights: npt.ArrayLike,
        spacing: npt.ArrayLike = 1.0,
        origin: npt.ArrayLike = ...,
        surface: Surface | None = None,
        name: str = "terrain",
    ) -> World: ...
    @property
    def shapes(self) -> list[Shape]: ...
    @property
    def num_height_fields(self) -> int: ...
    @property
    def surface(self) -> Surface: ...
    @surface.setter
    def surface(self, surface: Surface) -> None: ...

@final
class Contact:
    @property
    def link(self) -> str: ...
    @property
    def other(self) -> str: ...
    @property
    def position(self) -> _Array: ...
    @property
    def normal(self) -> _Array: ...
    @property
    def force(self) -> _Array: ...
    @property
    def mode(self) -> Literal["open", "stick", "slide"]: ...
    @property
    def friction(self) -> float | None: ...

@final
class Recording:
    @property
    def robot(self) -> Robot: ...
    @property
    def time(self) -> _Array: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def tau(self) -> _Array: ...
    @property
    def kinetic_energy(self) -> _Array: ...
    @property
    def potential_energy(self) -> _Array: ...
    @property
    def energy(self) -> _Array: ...
    @property
    def residual(self) -> _Array: ...
    @property
    def contacts(self) -> list[list[Contact]]: ...
    @property
    def was_cut_off(self) -> bool: ...
    def save(self, path: str | os.PathLike[str], model: str | None = None) -> None: ...
    def __len__(self) -> int: ...

@final
class StepReport:
    @property
    def certificate(self) -> float: ...
    @property
    def primal(self) -> float: ...
    @property
    def dual(self) -> float: ...
    @property
    def complementarity(self) -> float: ...
    @property
    def converged(self) -> bool: ...
    @property
    def by(self) -> str: ...
    @property
    def iterations(self) -> int: ...
    @property
    def deepest(self) -> float: ...

@final
class Simulator:
    @property
    def robot(self) -> Robot: ...
    @property
    def time(self) -> float: ...
    @property
    def step_length(self) -> float: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def kinetic_energy(self) -> float: ...
    @property
    def potential_energy(self) -> float: ...
    @property
    def contacts(self) -> list[Contact]: ...
    @property
    def holding_torque(self) -> _Array: ...
    @property
    def overlaps(self) -> list[tuple[str, str]]: ...
    def set_state(self, q: npt.ArrayLike, v: npt.ArrayLike | None = None, time: float = 0.0) -> None: ...
    def step(self, tau: npt.ArrayLike | None = None) -> StepReport: ...
    def run(self, duration: float, controller: _Controller | None = None, every: int = 1) -> Recording: ...
    def hold(self, q: npt.ArrayLike, kp: npt.ArrayLike, kd: npt.ArrayLike) -> None: ...
    def aim(self, q: npt.ArrayLike, v: npt.ArrayLike | None = None) -> None: ...
    def release(self) -> None: ...
    def prescribe(self, joint: str, velocity: npt.ArrayLike) -> None: ...
    def free(self, joint: str) -> None: ...
    def push(self, link: str, force: npt.ArrayLike) -> None: ...
    def clear_pushes(self) -> None: ...

@final
class BatchReport:
    @property
    def status(self) -> npt.NDArray[np.uint8]: ...
    @property
    def certificate(self) -> _Array: ...
    @property
    def converged(self) -> npt.NDArray[np.bool_]: ...
    @property
    def iterations(self) -> npt.NDArray[np.int32]: ...
    @property
    def by(self) -> list[str]: ...
    @property
    def deepest(self) -> _Array: ...
    def __len__(self) -> int: ...

@final
class BatchSimulator:
    @property
    def robot(self) -> Robot: ...
    @property
    def threads(self) -> int: ...
    @property
    def time(self) -> _Array: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    def contacts(self, robot: int) -> list[Contact]: ...
    def set_states(self, q: npt.ArrayLike, v: npt.ArrayLike | None = None) -> None: ...
    def reset(self, mask: npt.ArrayLike, q: npt.ArrayLike, v: npt.ArrayLike | None = None) -> None: ...
    def step(self, tau: npt.ArrayLike | None = None, steps: int = 1) -> BatchReport: ...
    def hold(self, kp: npt.ArrayLike, kd: npt.ArrayLike) -> None: ...
    def aim(self, q: npt.ArrayLike, v: npt.ArrayLike | None = None) -> None: ...
    def release(self) -> None: ...
    def push(self, link: str, force: npt.ArrayLike) -> None: ...
    def clear_pushes(self) -> None: ...
    def __len__(self) -> int: ...

@final
class FreeMotion:
    @property
    def robot(self) -> Robot: ...
    @property
    def time(self) -> float: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    @property
    def kinetic_energy(self) -> float: ...
    @property
    def potential_energy(self) -> float: ...
    @property
    def num_steps(self) -> int: ...
    @property
    def num_rejected(self) -> int: ...
    def set_state(self, q: npt.ArrayLike, v: npt.ArrayLike | None = None, time: float = 0.0) -> None: ...
    def control(self, controller: _Controller | None) -> None: ...
    def push(self, link: str, force: npt.ArrayLike) -> None: ...
    def clear_pushes(self) -> None: ...
    def step(self) -> None: ...
    def advance_to(self, time: float, event: _Event | None = None) -> bool: ...
    def state_at(self, time: float) -> tuple[_Array, _Array]: ...

@final
class Coordinates:
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def q_names(self) -> list[str]: ...
    @property
    def v_names(self) -> list[str]: ...
    @property
    def velocity_order(self) -> list[int]: ...
    def export_q(self, q: npt.ArrayLike) -> _Array: ...
    def export_v(self, q: npt.ArrayLike, v: npt.ArrayLike) -> _Array: ...
    def export_a(self, q: npt.ArrayLike, v: npt.ArrayLike, a: npt.ArrayLike) -> _Array: ...
    def export_tau(self, q: npt.ArrayLike, tau: npt.ArrayLike) -> _Array: ...
    def import_q(self, theirs: npt.ArrayLike) -> _Array: ...
    def import_v(self, q: npt.ArrayLike, theirs: npt.ArrayLike) -> _Array: ...
    def import_a(self, q: npt.ArrayLike, v: npt.ArrayLike, theirs: npt.ArrayLike) -> _Array: ...
    def import_tau(self, q: npt.ArrayLike, theirs: npt.ArrayLike) -> _Array: ...

@final
class HybridDynamics(tuple[_Array, _Array]):
    @property
    def a(self) -> _Array: ...
    @property
    def tau(self) -> _Array: ...

@final
class FloatingBaseInverseDynamics(tuple[_Array, _Array]):
    @property
    def a(self) -> _Array: ...
    @property
    def tau(self) -> _Array: ...

@final
class ModifiedNewtonEuler(tuple[_Array, _Array]):
    @property
    def C(self) -> _Array: ...
    @property
    def G(self) -> _Array: ...

@final
class Jacobians(tuple[_Array, _Array]):
    @property
    def poses(self) -> _Array: ...
    @property
    def J(self) -> _Array: ...

@final
class JacobiansDot(tuple[_Array, _Array, _Array]):
    @property
    def poses(self) -> _Array: ...
    @property
    def J(self) -> _Array: ...
    @property
    def J_dot(self) -> _Array: ...

@final
class InverseDynamicsDerivatives(tuple[_Array, _Array, _Array]):
    @property
    def dtau_dq(self) -> _Array: ...
    @property
    def dtau_dv(self) -> _Array: ...
    @property
    def dtau_da(self) -> _Array: ...

@final
class ForwardDynamicsDerivatives(tuple[_Array, _Array, _Array]):
    @property
    def da_dq(self) -> _Array: ...
    @property
    def da_dv(self) -> _Array: ...
    @property
    def da_dtau(self) -> _Array: ...

@final
class InverseDynamicsHessians(tuple[_Array, _Array, _Array, _Array]):
    @property
    def qq(self) -> _Array: ...
    @property
    def qv(self) -> _Array: ...
    @property
    def vv(self) -> _Array: ...
    @property
    def qa(self) -> _Array: ...

@final
class InverseDynamicsSecondDerivatives(tuple[_Array, _Array, _Array, _Array]):
    @property
    def qq(self) -> _Array: ...
    @property
    def qv(self) -> _Array: ...
    @property
    def vv(self) -> _Array: ...
    @property
    def qa(self) -> _Array: ...

@final
class ForwardDynamicsHessians(tuple[_Array, _Array, _Array, _Array]):
    @property
    def qq(self) -> _Array: ...
    @property
    def qv(self) -> _Array: ...
    @property
    def vv(self) -> _Array: ...
    @property
    def qtau(self) -> _Array: ...

@final
class FrameVelocityDerivatives(tuple[_Array, _Array]):
    @property
    def dvelocity_dq(self) -> _Array: ...
    @property
    def dvelocity_dv(self) -> _Array: ...

@final
class FrameAccelerationDerivatives(tuple[_Array, _Array, _Array]):
    @property
    def dacceleration_dq(self) -> _Array: ...
    @property
    def dacceleration_dv(self) -> _Array: ...
    @property
    def dacceleration_da(self) -> _Array: ...

@final
class FrameClassicalAccelerationDerivatives(tuple[_Array, _Array, _Array]):
    @property
    def dacceleration_dq(self) -> _Array: ...
    @property
    def dacceleration_dv(self) -> _Array: ...
    @property
    def dacceleration_da(self) -> _Array: ...

@final
class ComVelocityDerivatives(tuple[_Array, _Array]):
    @property
    def dvelocity_dq(self) -> _Array: ...
    @property
    def dvelocity_dv(self) -> _Array: ...

@final
class ComAccelerationDerivatives(tuple[_Array, _Array, _Array]):
    @property
    def dacceleration_dq(self) -> _Array: ...
    @property
    def dacceleration_dv(self) -> _Array: ...
    @property
    def dacceleration_da(self) -> _Array: ...

@final
class CentroidalMomentumDerivatives(tuple[_Array, _Array]):
    @property
    def dmomentum_dq(self) -> _Array: ...
    @property
    def dmomentum_dv(self) -> _Array: ...

@final
class CentroidalMomentumDotDerivatives(tuple[_Array, _Array, _Array]):
    @property
    def drate_dq(self) -> _Array: ...
    @property
    def drate_dv(self) -> _Array: ...
    @property
    def drate_da(self) -> _Array: ...

@final
class GroundForceDerivatives(tuple[_Array, _Array, _Array]):
    @property
    def dforce_dq(self) -> _Array: ...
    @property
    def dforce_dv(self) -> _Array: ...
    @property
    def dforce_da(self) -> _Array: ...

@final
class KineticEnergyGradient(tuple[_Array, _Array]):
    @property
    def dq(self) -> _Array: ...
    @property
    def dv(self) -> _Array: ...

@final
class IntegrateDerivatives(tuple[_Array, _Array]):
    @property
    def by_q(self) -> _Array: ...
    @property
    def by_dv(self) -> _Array: ...

@final
class DifferenceDerivatives(tuple[_Array, _Array]):
    @property
    def by_q0(self) -> _Array: ...
    @property
    def by_q1(self) -> _Array: ...

class Robot:
    @property
    def name(self) -> str: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def num_bodies(self) -> int: ...
    @property
    def num_parameters(self) -> int: ...
    @property
    def dynamic_parameters(self) -> _Array: ...
    @property
    def gravity(self) -> _Array: ...
    @property
    def total_mass(self) -> float: ...
    @property
    def has_floating_base(self) -> bool: ...
    @property
    def is_compiled(self) -> bool: ...
    @property
    def last_status(self) -> npt.NDArray[np.uint8] | None: ...
    @property
    def findings(self) -> list[Finding]: ...
    @property
    def parameter_names(self) -> list[str]: ...
    @property
    def body_names(self) -> list[str]: ...
    @property
    def joint_names(self) -> list[str]: ...
    @property
    def frame_names(self) -> list[str]: ...
    @property
    def configuration_names(self) -> list[str]: ...
    @property
    def velocity_names(self) -> list[str]: ...
    def q_index(self, joint: str) -> int: ...
    def v_index(self, joint: str) -> int: ...
    def body_index(self, link: str) -> int: ...
    @property
    def joints(self) -> list[Joint]: ...
    @property
    def links(self) -> dict[str, MassProperties]: ...
    def inertia(self, link: str) -> MassProperties: ...
    def body_of_frame(self, frame: str) -> int: ...
    @property
    def constraints(self) -> list[Constraint]: ...
    @property
    def num_constraint_rows(self) -> int: ...
    def constraint_errors(self, q: npt.ArrayLike) -> _Array: ...
    def constraint_jacobian(self, q: npt.ArrayLike) -> _Array: ...
    def close_loops(self, q: npt.ArrayLike, held: Sequence[str] = ...) -> _Array: ...
    def constrained_forward_dynamics(
        self, q: npt.ArrayLike, v: npt.ArrayLike, tau: npt.ArrayLike
    ) -> tuple[_Array, _Array]: ...
    def simulator(
        self,
        world: World | None = None,
        step: float = 0.001,
        *,
        joint_limits: bool = True,
        joint_friction: bool = True,
        compliance: float = 0.0,
        ignore_overlaps: bool = False,
    ) -> Simulator: ...
    def batch_simulator(
        self,
        count: int,
        world: World | Sequence[World] | None = None,
        step: float = 0.001,
        *,
        threads: int = 0,
        joint_limits: bool = True,
        joint_friction: bool = True,
        compliance: float = 0.0,
    ) -> BatchSimulator: ...
    def free_motion(
        self, integrator: _Integrator = "rk4", step: float = 0.001, *, tolerance: float = 1e-9
    ) -> FreeMotion: ...
    def _repr_html_(self) -> str: ...
    @property
    def lower_limits(self) -> _Array: ...
    @property
    def upper_limits(self) -> _Array: ...
    @property
    def velocity_limits(self) -> _Array: ...
    @property
    def effort_limits(self) -> _Array: ...
    @property
    def armature(self) -> _Array: ...
    @property
    def damping(self) -> _Array: ...
    @property
    def friction(self) -> _Array: ...
    def lock_joints(self, values: Mapping[str, npt.ArrayLike]) -> Robot: ...
    def attach(self, frame: str, part: Robot, placement: npt.ArrayLike = ..., prefix: str = "") -> Robot: ...
    def with_base(self, base: _Base) -> Robot: ...
    def with_gravity(self, gravity: npt.ArrayLike) -> Robot: ...
    def with_friction(self, on: bool) -> Robot: ...
    def with_mass(self, link: str, mass: MassProperties) -> Robot: ...
    def with_dynamic_parameters(self, parameters: npt.ArrayLike) -> Robot: ...
    def with_payload(self, frame: str, load: MassProperties, name: str = "payload") -> Robot: ...
    def base_parameters(self) -> BaseParameters: ...
    def excite(
        self,
        duration: float = 10.0,
        *,
        rate: float = 100.0,
        harmonics: int = 5,
        trials: int = 400,
        margin: float = 0.1,
        reach: float = 1.0,
        velocity: float = 1.5,
        seed: int = 1,
    ) -> Excitation: ...
    def identify(
        self,
        time: npt.ArrayLike,
        q: npt.ArrayLike,
        tau: npt.ArrayLike,
        v: npt.ArrayLike | None = None,
        a: npt.ArrayLike | None = None,
        *,
        cutoff: float = 0.0,
        prior: float = 0.3,
        friction: bool = True,
        rotors: bool = False,
        links: Sequence[str] = ...,
    ) -> Identified: ...
    def compile(
        self, functions: Sequence[str] = ..., *, parameters: Sequence[str] = ..., frames: Sequence[str] = ...
    ) -> Robot: ...
    @property
    def compiled_parameters(self) -> dict[str, _Array]: ...
    def with_parameters(self, values: Mapping[str, npt.ArrayLike | MassProperties]) -> Robot: ...
    def neutral(self) -> _Array: ...
    def random_configurations(self, n: int, seed: int = 1) -> _Array: ...
    def verify(self, samples: int = 10, seed: int = 1) -> list[Residual]: ...
    def evaluate_json(
        self,
        states: str,
        *,
        quantities: Sequence[str] = ...,
        frames: Sequence[str] = ...,
        order: _Convention = "file",
    ) -> str: ...
    def evaluate(
        self,
        states: Any,
        *,
        quantities: Sequence[str] = ...,
        frames: Sequence[str] = ...,
        order: _Convention = "file",
    ) -> dict[str, Any]: ...
    def state(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike | None = None,
        a: npt.ArrayLike | None = None,
        tau: npt.ArrayLike | None = None,
    ) -> dict[str, Any]: ...
    def write_urdf(self) -> str: ...
    def write_urdf_file(self, path: str | os.PathLike[str]) -> list[Finding]: ...
    def coordinates(
        self, convention: _Convention, mimic_joints: Literal["independent", "left_out"] = "independent"
    ) -> Coordinates: ...
    def to_pinocchio_order(self, q: npt.ArrayLike, v: npt.ArrayLike) -> tuple[_Array, _Array]: ...
    def from_pinocchio_order(self, q: npt.ArrayLike, v: npt.ArrayLike) -> tuple[_Array, _Array]: ...
    def to_mujoco_state(self, q: npt.ArrayLike, v: npt.ArrayLike) -> tuple[_Array, _Array]: ...
    def from_mujoco_state(self, qpos: npt.ArrayLike, qvel: npt.ArrayLike) -> tuple[_Array, _Array]: ...

    def inverse_dynamics(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def bias_torque(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def gravity_torque(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def friction_torque(
        self,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def forward_dynamics(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        tau: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def forward_dynamics_by_mass_matrix(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        tau: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def hybrid_dynamics(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        given: Iterable[str],
        a: npt.ArrayLike,
        tau: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> HybridDynamics: ...
    def floating_base_inverse_dynamics(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> FloatingBaseInverseDynamics: ...
    def reaction_forces(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def mass_matrix(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def mass_matrix_by_inverse_dynamics(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def mass_matrix_times(
        self,
        q: npt.ArrayLike,
        B: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def inverse_mass_matrix(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def inverse_mass_matrix_by_articulated_bodies(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def inverse_mass_matrix_times(
        self,
        q: npt.ArrayLike,
        B: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def coriolis_matrix(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def coriolis_transpose_times_v(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def modified_newton_euler(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> ModifiedNewtonEuler: ...
    def christoffel_symbols(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def operational_inertia(
        self,
        q: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def inverse_operational_inertia(
        self,
        q: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def jacobians(
        self,
        q: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> Jacobians: ...
    def jacobians_dot(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> JacobiansDot: ...
    def frame_pose(
        self,
        q: npt.ArrayLike,
        frame: str,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def frame_velocity(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def frame_acceleration(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def frame_classical_acceleration(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def frame_jacobian(
        self,
        q: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def frame_jacobian_dot(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def center_of_mass(
        self,
        q: npt.ArrayLike,
        root: str | int | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def com_velocity(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        root: str | int | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def com_acceleration(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        root: str | int | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def com_jacobian(
        self,
        q: npt.ArrayLike,
        root: str | int | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def com_jacobian_dot(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        root: str | int | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def centroidal_momentum(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def centroidal_momentum_dot(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def centroidal_momentum_matrix(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def centroidal_momentum_matrix_dot(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def kinetic_energy(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> Any: ...
    def potential_energy(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> Any: ...
    def mechanical_power(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        tau: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> Any: ...
    def torque_regressor(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def static_regressor(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def momentum_regressor(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def momentum_bias_regressor(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def energy_regressor(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def integrate(
        self,
        q: npt.ArrayLike,
        dv: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def difference(
        self,
        q0: npt.ArrayLike,
        q1: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def normalize_configuration(
        self,
        q: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
    def inverse_dynamics_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> InverseDynamicsDerivatives: ...
    def forward_dynamics_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        tau: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> ForwardDynamicsDerivatives: ...
    def inverse_dynamics_hessians(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        multipliers: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> InverseDynamicsHessians: ...
    def inverse_dynamics_second_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> InverseDynamicsSecondDerivatives: ...
    def forward_dynamics_hessians(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        tau: npt.ArrayLike,
        multipliers: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> ForwardDynamicsHessians: ...
    def frame_velocity_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> FrameVelocityDerivatives: ...
    def frame_acceleration_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> FrameAccelerationDerivatives: ...
    def frame_classical_acceleration_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        frame: str,
        reference: _Reference = "body",
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> FrameClassicalAccelerationDerivatives: ...
    def com_velocity_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> ComVelocityDerivatives: ...
    def com_acceleration_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> ComAccelerationDerivatives: ...
    def centroidal_momentum_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> CentroidalMomentumDerivatives: ...
    def centroidal_momentum_dot_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> CentroidalMomentumDotDerivatives: ...
    def ground_force_derivatives(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        a: npt.ArrayLike,
        external: ExternalForces | None = None,
        *,
        out: tuple[_Array | None, _Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> GroundForceDerivatives: ...
    def kinetic_energy_gradient(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> KineticEnergyGradient: ...
    def integrate_derivatives(
        self,
        q: npt.ArrayLike,
        dv: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> IntegrateDerivatives: ...
    def difference_derivatives(
        self,
        q0: npt.ArrayLike,
        q1: npt.ArrayLike,
        *,
        out: tuple[_Array | None, _Array | None] | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> DifferenceDerivatives: ...
    def configuration_rate(
        self,
        q: npt.ArrayLike,
        v: npt.ArrayLike,
        *,
        out: _Array | None = None,
        threads: int = 0,
        status: npt.NDArray[np.uint8] | None = None,
    ) -> _Array: ...
