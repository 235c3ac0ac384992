#!/usr/bin/env python3
"""Draws docs/images from what the benchmarks print.

usage: bench/plot.py PEERS.json SCALING.json

PEERS.json is what `plucker_bench_peers --json` prints, SCALING.json what `plucker_bench_scaling` prints.
"""

import json
import math
import pathlib
import sys

IMAGES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "images"
INK, FAINT, FONT = "#24292f", "#d0d7de", "font-family='sans-serif'"
SHORT_NAMES = {
    "mass_matrix": "M", "inverse_mass_matrix": "M⁻¹",
    "inverse_mass_matrix_by_articulated_bodies": "M⁻¹ direct", "coriolis_matrix": "C",
    "inverse_dynamics_derivatives": "∂ inverse dynamics", "forward_dynamics_derivatives": "∂ forward dynamics",
    "inverse_dynamics_hessians": "λᵀ∂² inverse dynamics"}
COLOURS = ["#8c959f", "#0969da", "#1a7f37", "#bf8700", "#8250df", "#cf222e"]


class Picture:
    """An SVG picture, filled piece by piece."""

    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = [f"<rect width='{width}' height='{height}' fill='white'/>"]
        self.text(20, 28, title, size=17, bold=True)

    def text(self, x, y, words, size=12, anchor="start", bold=False, colour=INK):
        weight = "bold" if bold else "normal"
        self.parts.append(
            f"<text x='{x:.1f}' y='{y:.1f}' {FONT} font-size='{size}' font-weight='{weight}' "
            f"text-anchor='{anchor}' fill='{colour}'>{words}</text>")

    def bar(self, x, y, width, height, colour):
        self.parts.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' "
                          f"fill='{colour}'/>")

    def line(self, points, colour, width=2, dashes=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f"<polyline points='{path}' fill='none' stroke='{colour}' "
                          f"stroke-width='{width}' stroke-dasharray='{dashes}'/>")

    def save(self, name):
        IMAGES.mkdir(parents=True, exist_ok=True)
        (IMAGES / name).write_text(
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{self.width}' height='{self.height}' "
            f"viewBox='0 0 {self.width} {self.height}'>\n" + "\n".join(self.parts) + "\n</svg>\n")


def draw_states_per_second(peers, algorithm, title, name):
    """How many states a second one core computes: each library a bar, each robot a group."""
    labels = {"mujoco": "MuJoCo", "pinocchio": "Pinocchio", "plucker": "Plucker, single call",
              "batch f64": "Plucker, batch in double", "batch f32": "Plucker, batch in float"}
    groups = []
    for robot in peers["robots"]:
        cells = robot["algorithms"][algorithm]
        groups.append((f"{robot['robot']}, {robot['nv']} freedoms",
                       [(label, 1e3 / cells[key]["minimum_ns"])
                        for key, label in labels.items() if key in cells]))
    picture = Picture(760, 60 + sum(34 + 24 * len(bars) for _, bars in groups), title)
    y = 58
    for heading, bars in groups:
        picture.text(20, y, heading, size=13, bold=True)
        y += 10
        longest = max(rate for _, rate in bars)
        for label, rate in bars:
            colour = COLOURS[list(labels.values()).index(label)]
            picture.text(190, y + 14, label, anchor="end")
            picture.bar(200, y + 2, 440 * rate / longest, 17, colour)
            picture.text(206 + 440 * rate / longest, y + 15, f"{rate:.2f} million")
            y += 24
        y += 24
    picture.save(name)


def draw_scaling(scaling, algorithms, title, name):
    """Time a call against bodies, both axes logarithmic: a slope of one is linear growth."""
    series = [(f"{algorithm}, {family}", scaling[family][algorithm])
              for algorithm in algorithms for family in ("chain", "tree")]
    picture = Picture(760, 460, title)
    left, right, top, bottom = 80, 520, 50, 410
    x_range = (1, math.log10(max(n for _, points in series for n, _ in points)))
    times = [t for _, points in series for _, t in points]
    y_range = (math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))))

    def place(n, t):
        return (left + (right - left) * (math.log10(n) - x_range[0]) / (x_range[1] - x_range[0]),
                bottom - (bottom - top) * (math.log10(t) - y_range[0]) / (y_range[1] - y_range[0]))

    for power in range(y_range[0], y_range[1] + 1):
        y = place(10, 10**power)[1]
        picture.line([(left, y), (right, y)], FAINT, 1)
        words = f"{10**power} ns" if power < 3 else f"{10**(power - 3)} µs" if power < 6 else f"{10**(power - 6)} ms"
        picture.text(left - 8, y + 4, words, anchor="end")
    for power in range(1, math.floor(x_range[1]) + 1):
        x = place(10**power, 10**y_range[0])[0]
        picture.line([(x, top), (x, bottom)], FAINT, 1)
        picture.text(x, bottom + 18, f"{10**power}", anchor="middle")
    picture.text((left + right) / 2, bottom + 38, "bodies", anchor="middle")
    for k, (label, points) in enumerate(series):
        colour = COLOURS[1 + k // 2]
        dashes = "" if k % 2 == 0 else "5 4"
        picture.line([place(n, t) for n, t in points], colour, 2, dashes)
        y = top + 14 + 20 * k
        picture.line([(right + 16, y), (right + 46, y)], colour, 2, dashes)
        algorithm, family = label.split(", ")
        picture.text(right + 52, y + 4, f"{SHORT_NAMES.get(algorithm, algorithm.replace('_', ' '))}, {family}")
    picture.save(name)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    peers, scaling = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
    draw_states_per_second(peers, "inverse_dynamics",
                           "Inverse dynamics: states a second on one core", "inverse_dynamics.svg")
    draw_states_per_second(peers, "forward_dynamics",
                           "Forward dynamics: states a second on one core", "forward_dynamics.svg")
    draw_scaling(scaling, ["inverse_dynamics", "forward_dynamics"],
                 "Inverse and forward dynamics: time a call grows with the bodies", "scaling.svg")
    draw_scaling(scaling, ["mass_matrix", "inverse_mass_matrix",
                           "inverse_mass_matrix_by_articulated_bodies", "coriolis_matrix"],
                 "Matrices: with the bodies times the depth", "scaling_matrices.svg")
    draw_scaling(scaling, ["inverse_dynamics_derivatives", "forward_dynamics_derivatives",
                           "torque_regressor", "inverse_dynamics_hessians"],
                 "Derivatives and regressor: time a call grows with the bodies", "scaling_derivatives.svg")


if __name__ == "__main__":
    main()
