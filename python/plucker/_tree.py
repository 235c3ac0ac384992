"""A robot as a drawing: its tree of links, in text and in HTML."""

from __future__ import annotations

import html as markup
from typing import Iterator, NamedTuple

from ._plucker import Joint, Robot


class Line(NamedTuple):
    branch: str  # the lines that lead to it
    link: str
    mass: float
    joint: Joint | None  # None: the root


def lines(robot: Robot) -> Iterator[Line]:
    """The links, parents first. A stack instead of recursion: chains are long."""
    masses = {name: link.mass for name, link in robot.links.items()}
    below: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    children = {joint.child for joint in robot.joints}
    for root in masses:
        if root in children:
            continue
        yield Line("", root, masses[root], None)
        stack = [(joint, "") for joint in reversed(below.get(root, []))]
        while stack:
            joint, indent = stack.pop()
            is_last = joint is below[joint.parent][-1]
            yield Line(indent + ("└─ " if is_last else "├─ "), joint.child, masses[joint.child], joint)
            deeper = indent + ("   " if is_last else "│  ")
            if len(deeper) > 120:  # lines would only run off the screen
                deeper = "… "
            stack += [(child, deeper) for child in reversed(below.get(joint.child, []))]


def mass_text(mass: float) -> str:
    return f"{mass:.4g} kg" if mass else ""


def joint_text(joint: Joint) -> str:
    lower, upper = joint.limits
    limited = lower > float("-inf") or upper < float("inf")
    return f"{joint.name}: {joint.type}" + (f" [{lower:.4g}, {upper:.4g}]" if limited else "")


def title(robot: Robot) -> str:
    base = "floating base" if robot.has_floating_base else "fixed base"
    return f"{robot.name}: {base}, nq {robot.nq}, nv {robot.nv}, {robot.total_mass:.4g} kg moving"


def text(robot: Robot) -> str:
    out = [title(robot)]
    for branch, link, mass, joint in lines(robot):
        words = [branch + link, mass_text(mass), joint_text(joint) if joint else ""]
        out.append("  ".join(word for word in words if word))
    return "\n".join(out)


def html(robot: Robot) -> str:
    rows = []
    for branch, link, mass, joint in lines(robot):
        cells = [branch + link, mass_text(mass), joint_text(joint) if joint else ""]
        rows.append("<tr>" + "".join(f"<td>{markup.escape(cell)}</td>" for cell in cells) + "</tr>")
    style = "font-family: monospace; white-space: pre; text-align: left"
    return (
        f"<table style='{style}'><caption>{markup.escape(title(robot))}</caption>"
        f"<tr><th>link</th><th>mass</th><th>joint</th></tr>{''.join(rows)}</table>"
    )
