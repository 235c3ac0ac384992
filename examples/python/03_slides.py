"""Featherstone's "A Short Course on Spatial Vector Algebra", in numbers that a pencil can follow. The C++ library has a type for each
kind of vector and matrix; here six numbers and NumPy are enough to see what they do."""

from typing import Any

import numpy as np


def cross(p: Any) -> Any:
    """p x as a matrix."""
    return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])


def cross_motion(v: Any) -> Any:
    """v x as a matrix on motions. On forces, v x* is minus its transpose."""
    return np.block([[cross(v[:3]), np.zeros((3, 3))], [cross(v[3:]), cross(v[:3])]])


def transform(E: Any, r: Any) -> Any:
    """X from A to B, for motions: B is turned by E, and its origin is at r in A."""
    return np.block([[E, np.zeros((3, 3))], [-E @ cross(r), E]])


def point_mass(m: float, c: Any) -> Any:
    """The inertia about O of a mass at c: from motion (w; v_O) to momentum (h_O; p), with p = m (v_O + w x c)."""
    return m * np.block([[cross(c) @ cross(c).T, cross(c)], [cross(c).T, np.eye(3)]])


def show(what: str, six: Any) -> None:
    # Motions and forces alike: angular part, then linear part. Rounding dust is shown as zero.
    print(f"{what:<28}", *(f"{0.0 if abs(x) < 1e-12 else x:6.2f}" for x in six))


# Velocity: a body turns about the z axis through O with 2 rad/s and slides along it with 1 m/s.
v = np.array([0, 0, 2, 0, 0, 1])
# Force: 3 N along y, on a line through the point (0.5 0 0).
f = np.concatenate([np.cross([0.5, 0, 0], [0, 3, 0]), [0, 3, 0]])
show("velocity (w; v_O)", v)
show("force (n_O; f)", f)
print(f"power v.f = {v @ f:.2f} W")  # v @ v and v + f mean nothing, and nothing here says so

# Coordinate transform: frame B is turned from A by a quarter about z, its origin at (1 0 0) in A.
X_BA = transform(np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]), np.array([1, 0, 0]))
X_BA_force = np.linalg.inv(X_BA).T  # so that power is the same in both
show("velocity in B", X_BA @ v)
show("force in B", X_BA_force @ f)
print(f"power in B = {(X_BA @ v) @ (X_BA_force @ f):.2f} W")

# Inertia: two point masses of 2 kg, at (0.5 0 0) and (1.5 0 0), joined together.
I = point_mass(2, [0.5, 0, 0]) + point_mass(2, [1.5, 0, 0])
show("momentum I v", I @ v)
# Equation of motion f = I a + v x* I v: to turn steadily (a = 0) both must be pulled to the axis.
show("force when a = 0", -cross_motion(v).T @ I @ v)

# Constrained motion: a hinge allows S, turning about z. The body is at rest; f acts on it.
S = np.array([0, 0, 1, 0, 0, 0])
a = S * (S @ f) / (S @ I @ S)
show("acceleration on the hinge", a)
# The hinge answers with what is missing. It lies in T, five forces that do no work: S.T = 0.
k = int(np.argmax(np.abs(S)))
others = np.arange(6)
others[[0, k]] = others[[k, 0]]
T = [np.eye(6)[j] - S[j] / S[k] * np.eye(6)[k] for j in others[1:]]
show("constraint force", I @ a - f)
for column in T:
    show("  a column of T", column)
    assert S @ column == 0
