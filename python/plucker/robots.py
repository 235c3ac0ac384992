"""Built-in robots, defined in code.

>>> plucker.robots.arm().nv
7
"""

from ._plucker import Robot, _robot_named, _robot_names as names

__all__ = [
    "arm", "by_name", "cart_pole", "chain", "double_pendulum", "exoskeleton", "humanoid", "lamp", "names",
    "particle", "pendulum", "quadruped", "tree",
]


def by_name(name: str) -> Robot:
    """The robot with that name: "arm", and with arguments "chain(10)", "tree(20,1)".

    >>> plucker.robots.by_name('chain(10)').nv
    10
    """
    return _robot_named(name)


def particle() -> Robot:
    """The free particle of the handout: two massless slides, and gravity along -y.

    >>> plucker.robots.particle().nv
    2
    """
    return _robot_named("particle")


def pendulum() -> Robot:
    """A point mass on a massless rod.

    >>> plucker.robots.pendulum().nv
    1
    """
    return _robot_named("pendulum")


def double_pendulum() -> Robot:
    """Two rods, one below the other.

    >>> plucker.robots.double_pendulum().nv
    2
    """
    return _robot_named("double_pendulum")


def cart_pole() -> Robot:
    """A pole on a cart that slides along x.

    >>> plucker.robots.cart_pole().nv
    2
    """
    return _robot_named("cart_pole")


def lamp() -> Robot:
    """The planar jumping lamp of the handout: five freedoms, gravity along -y.

    >>> plucker.robots.lamp().nv
    5
    """
    return _robot_named("lamp")


def exoskeleton() -> Robot:
    """A self-balancing exoskeleton: a floating base and two legs of four joints.

    >>> plucker.robots.exoskeleton().nv
    14
    """
    return _robot_named("exoskeleton")


def arm() -> Robot:
    """A seven-joint arm, fixed base.

    >>> plucker.robots.arm().nv
    7
    """
    return _robot_named("arm")


def quadruped() -> Robot:
    """A floating base and four legs of three joints.

    >>> plucker.robots.quadruped().nv
    18
    """
    return _robot_named("quadruped")


def humanoid() -> Robot:
    """A floating base and thirty joints.

    >>> plucker.robots.humanoid().nv
    36
    """
    return _robot_named("humanoid")


def chain(n: int) -> Robot:
    """n revolute joints in a row, about y and z in turn.

    >>> plucker.robots.chain(10).nv
    10
    """
    return _robot_named(f"chain({n})")


def tree(n: int, seed: int) -> Robot:
    """A random tree of n bodies with every kind of joint; the same seed gives the same robot.

    >>> plucker.robots.tree(20, seed=1).num_bodies
    20
    """
    return _robot_named(f"tree({n},{seed})")
