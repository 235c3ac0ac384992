"""What C++ has, Python has: the headers are read, and what is missing there must be in a list, with the reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Iterator

import pytest

import plucker

INCLUDE = Path(__file__).parents[2] / "include" / "plucker"

# What stands for a function here, under another name or as a part of something.
ELSEWHERE = {
    "check_log": "Robot.identify",
    "check_mass": "MassProperties",
    "convention_named": "Robot.coordinates",
    "convention_names": "Robot.coordinates",
    "cutoff_for": "Robot.identify",
    "dynamic_parameter_names": "Robot.parameter_names",
    "find_errors": "Builder.build",
    "find_suspicions": "Robot.findings",
    "has_errors": "Robot.findings",
    "inertia_from": "Robot.with_dynamic_parameters",
    "joint_of_type": "revolute",
    "leaves_out_constraints": "algorithms",
    "link_parameters": "Robot.dynamic_parameters",
    "low_pass": "Robot.identify",
    "mass_properties": "Robot.with_dynamic_parameters",
    "name_of": "Status",
    "num_dynamic_parameters": "Robot.num_parameters",
    "num_inertial_parameters": "Robot.num_parameters",
    "narrowed": "Robot.random_configurations",
    "numerical_rank_of_regressor": "Robot.base_parameters",
    "predict_torques": "Identified.torques_after",
    "prepare_log": "Robot.identify",
    "require_links_that_move": "Robot.identify",
    "root_mean_squares": "Identified.joints",
    "to_string": "Finding",
    "unobservable_parameters": "Robot.base_parameters",
    "why_no_body": "Robot.findings",
    "without_friction": "Robot.with_friction",
}
# Headers that are for programs in C++, and why.
CPP_ALONE = {
    "algorithms/algorithm.hpp": "rows of the table, which is plucker.algorithms()",
    "algorithms/arranged.hpp": "memory for the arguments of a row",
    "algorithms/hybrid_dynamics.hpp": "lists of joints, which hybrid_dynamics takes by their names",
    "algorithms/sentence.hpp": "words for documentation",
    "model/error.hpp": "checks of arguments",
}


def declarations(text: str) -> Iterator[tuple[str, str, str]]:
    """(namespaces, class, declaration) of all that stands in a namespace or in the public part of a class."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    text = re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.MULTILINE)
    scopes: list[tuple[str, str]] = []  # a kind and a name
    public = [True]  # of each scope, and of what is around them all
    buffer = ""
    for letter in text:
        if letter not in "{};":
            buffer += letter
            continue
        *access, words = re.split(r"\b(public|private|protected)\s*:", " ".join(buffer.split()))
        words, buffer = words.strip(), ""
        if access:
            public[-1] = access[-1] == "public"
        if letter == "}":
            scopes.pop()
            public.pop()
            continue
        if all(public) and all(kind != "body" for kind, _ in scopes):
            yield "::".join(name for kind, name in scopes if kind == "namespace"), dict(scopes).get("class", ""), words
        if letter == "{":
            namespace = re.fullmatch(r"(?:inline )?namespace ?([\w:]*)", words)
            owner = re.match(r"(?:template ?<.*> ?)?(class|struct) (\w+)", words)
            scopes.append(("namespace", namespace[1]) if namespace else ("class", owner[2]) if owner else ("body", ""))
            public.append(not owner or owner[1] == "struct")


def name_of(declaration: str) -> str:
    """Of a function that is declared; else nothing."""
    found = re.search(r"(?<![\w:.])([a-z]\w*) ?\(", declaration)
    is_function = found and not re.match(r"(using|struct|class|enum|static_assert|template|typedef|extern)\b", declaration)
    return found[1] if found and is_function else ""


def functions_of(header: Path) -> set[str]:
    all_of_it = declarations(header.read_text(encoding="utf-8"))
    names = {name_of(words) for namespaces, owner, words in all_of_it if namespaces == "plucker" and not owner}
    return names - {""}


def in_python() -> set[str]:
    owners = [plucker, plucker.Robot, plucker.robots, plucker.cluster]
    owners += [x for x in vars(plucker._plucker).values() if isinstance(x, type)]
    return {name for owner in owners for name in dir(owner) if not name.startswith("_")}


def stands(path: str) -> bool:
    thing = plucker
    for name in path.split("."):
        if not hasattr(thing, name):
            return False
        thing = getattr(thing, name)
    return True


# Those of what a robot computes; files, pages, code and contact geometry have interfaces of their own.
HEADERS = [x for folder in ("algorithms", "constraints", "identify", "model") for x in sorted((INCLUDE / folder).glob("*.hpp"))]


@pytest.mark.parametrize("header", HEADERS, ids=lambda x: str(x.relative_to(INCLUDE)))
def test_functions_of_the_library_are_there(header: Path) -> None:
    if str(header.relative_to(INCLUDE)) in CPP_ALONE:
        return
    missing = functions_of(header) - in_python()
    assert {name for name in missing if not stands(ELSEWHERE.get(name, name))} == set()


def test_coordinates_have_all_that_they_have_in_cpp() -> None:
    text = (INCLUDE / "model" / "conventions.hpp").read_text(encoding="utf-8")
    names = {name_of(words) for _, owner, words in declarations(text) if owner == "Coordinates"} - {""}
    assert {"export_matrix", "import_a", "velocity_map"} <= names
    assert {name for name in names if not hasattr(plucker.Coordinates, name)} == set()


def test_lists_have_no_more_than_they_need() -> None:
    declared = {name for header in HEADERS for name in functions_of(header)}
    assert set(ELSEWHERE) <= declared - in_python()
    assert set(CPP_ALONE) <= {str(header.relative_to(INCLUDE)) for header in HEADERS}


def test_headers_are_understood() -> None:
    assert {"constraint_force", "project_velocity", "delassus_matrix"} <= functions_of(
        INCLUDE / "constraints" / "constrained_dynamics.hpp"
    )
    assert {"lock_joints", "attach"} <= functions_of(INCLUDE / "model" / "edit.hpp")
