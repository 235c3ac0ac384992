#!/usr/bin/env python3
"""Draws the figures of docs/simulation.md from what plucker_bench_simulate --output FILE wrote.

    bench/simulate/plot.py FILE [FOLDER]     FOLDER: docs/images, unless given
"""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"Plucker": "#c0392b", "MuJoCo": "#2471a3", "MuJoCo, elliptic cones": "#5dade2",
           "DART": "#239b56", "Bullet": "#b7950b"}
MARKERS = {"euler": "o", "symplectic": "s", "rk4": "^", "adaptive": "d"}


def of_engines(entries):
    """Those with a colour of their own, in its order."""
    by_name = {entry["engine"]: entry for entry in entries}
    return [(name, by_name[name], colour) for name, colour in COLOURS.items() if name in by_name]


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / name, metadata={"Date": None})
    plt.close(figure)
    print(folder / name)


def draw_speed(scenes, folder):
    figure, axes = plt.subplots(1, len(scenes), figsize=(3.1 * len(scenes), 3.2))
    for axis, scene in zip(axes, scenes):
        engines = of_engines(scene["engines"])
        rates = [entry["steps_a_second"] for _, entry, _ in engines]
        names = [name.replace(", ", ",\n") for name, _, _ in engines]
        axis.barh(names, rates, color=[colour for _, _, colour in engines])
        for y, rate in enumerate(rates):
            axis.text(rate, y, f" {rate / 1000:.0f} k", va="center", fontsize=8)
        axis.set_xlim(0, 1.2 * max(rates))
        axis.invert_yaxis()
        axis.set_title(scene["scene"], fontsize=9)
        axis.set_xticks([])
        axis.tick_params(labelsize=8)
    save(figure, folder, "simulation_speed.svg")


def draw_creep(runs, folder):
    figure, axes = plt.subplots(1, len(runs), figsize=(4.6 * len(runs), 3.4))
    for axis, run in zip(axes, runs):
        for name, entry, colour in of_engines(run["engines"]):
            moved = [max(1e3 * x, 1e-13) for x in entry["moved"]]
            axis.semilogy(entry["time"][1:], moved[1:], color=colour, label=name)
        axis.set_title(run["title"], fontsize=9)
        axis.set_xlabel("time [s]")
        axis.set_ylabel("moved [mm]")
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=7)
    save(figure, folder, "simulation_creep.svg")


def draw_slide(run, folder):
    figure, (where, height) = plt.subplots(1, 2, figsize=(9.2, 3.4))
    for name, entry, colour in of_engines(run["engines"]):
        where.plot(entry["time"], entry["x"], color=colour, label=name)
        height.plot(entry["time"], [1e3 * x for x in entry["height"]], color=colour)
    where.axhline(run["expected"], color="black", lw=0.7, ls="--", label="v² / 2μg")
    where.set_ylabel("way [m]")
    height.set_ylabel("height above the ground [mm]")
    height.axhline(1e3 * run["step"] * run["friction"] * run["speed"], color="black", lw=0.7,
                   ls="--", label="h μ v at the start")
    for axis in (where, height):
        axis.set_xlabel("time [s]")
        axis.set_xlim(0, 0.8)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    save(figure, folder, "simulation_slide.svg")


def draw_integrators(figures, folder):
    figure, (error, energy) = plt.subplots(1, 2, figsize=(9.2, 3.8))
    for name, marker in MARKERS.items():
        points = [p for p in figures["error"] if p["integrator"] == name]
        error.loglog([1e3 * p["step"] for p in points], [p["error"] for p in points],
                     marker=marker, ms=4, label=name)
    error.set_xlabel("step [ms]; of adaptive, the mean")
    error.set_ylabel("largest error of an angle after 2 s [rad]")
    for course in figures["energy"]:
        kind = (f"tolerance {course['tolerance']:.0e}" if course["integrator"] == "adaptive"
                else f"{1e3 * course['step']:g} ms")
        energy.semilogy(course["time"], [x / course["exchanged"] for x in course["error"]],
                        label=f"{course['integrator']}, {kind}")
    energy.set_xlabel("time [s]")
    energy.set_ylabel("error of the energy / energy exchanged")
    for axis in (error, energy):
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    save(figure, folder, "simulation_integrators.svg")


def main():
    figures = json.loads(pathlib.Path(sys.argv[1]).read_text())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "docs/images")
    if "speed" in figures:
        draw_speed(figures["speed"], folder)
    if "creep" in figures:
        draw_creep(figures["creep"], folder)
    if "slide" in figures:
        draw_slide(figures["slide"][0], folder)
    if "integrators" in figures:
        draw_integrators(figures["integrators"], folder)


if __name__ == "__main__":
    main()
