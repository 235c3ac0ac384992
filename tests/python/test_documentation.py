"""What is said of the module is there, and runs."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import inspect
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest
from conftest import ROWS, Sample, row_id

import plucker

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "plucker"
RESULTS = {row["result_type"] for row in ROWS}
CLASSES = [x for name, x in vars(plucker._plucker).items() if inspect.isclass(x) and name not in {"Error", *RESULTS}]


def public(thing: Any) -> Iterator[str]:
    return (name for name in vars(thing) if not name.startswith("_"))


def run_examples(text: str, name: str) -> int:
    robot = plucker.robots.humanoid()
    s = Sample(robot)
    names = {
        "plucker": plucker, "np": np, "robot": robot, "q": robot.neutral(), "v": s.v, "a": s.a, "tau": s.tau,
        "frame": robot.frame_names[-1], "joints": robot.joint_names[1:3],
    }  # fmt: skip
    examples = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    failed, tried = doctest.DocTestRunner(verbose=False).run(examples)
    assert failed == 0
    return tried


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_every_function_is_documented_and_its_example_runs(row: dict[str, Any]) -> None:
    method = getattr(plucker.Robot, row["name"])
    text = method.__doc__
    assert row["says"] in text and row["source"] in text
    for x in row["parameters"]:
        assert f"{x['name']}: " in text
    assert run_examples(text, row["name"]) == 1
    signature = inspect.signature(method)
    names = [x["name"] for x in row["parameters"]]
    assert list(signature.parameters) == ["self", *names, "out", "threads", "status"]


def test_all_that_is_public_is_documented() -> None:
    for name in public(plucker):
        assert inspect.getdoc(getattr(plucker, name)), name
    for owner in CLASSES:
        assert inspect.getdoc(owner)
        for name in public(owner):
            assert inspect.getdoc(inspect.getattr_static(owner, name)), f"{owner.__name__}.{name}"


def test_examples_in_docstrings_run() -> None:
    tried = run_examples(plucker.__doc__ or "", "plucker")
    for name in public(plucker):
        tried += run_examples(getattr(plucker, name).__doc__ or "", name)
    for owner in CLASSES:
        for name in public(owner):
            if name not in {row["name"] for row in ROWS}:
                tried += run_examples(inspect.getattr_static(owner, name).__doc__ or "", name)
    assert tried > 20


def stub_generator() -> Any:
    loader = SourceFileLoader("python_stubs", str(ROOT / "scripts" / "python_stubs"))
    spec = importlib.util.spec_from_loader("python_stubs", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_stubs_are_those_of_the_table() -> None:
    written = (PACKAGE / "_plucker.pyi").read_text(encoding="utf-8")
    assert written == stub_generator().stubs(), "./run python scripts/python_stubs > python/plucker/_plucker.pyi"


def test_stubs_name_all_that_is_public() -> None:
    tree = ast.parse((PACKAGE / "_plucker.pyi").read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    stated = {x.name: x for x in tree.body if isinstance(x, kinds) and not x.name.startswith("_")}
    assert set(stated) == set(public(plucker._plucker))
    for owner in CLASSES:
        stub = stated[owner.__name__]
        assert isinstance(stub, ast.ClassDef)
        names = {x.name for x in stub.body if isinstance(x, kinds) and not x.name.startswith("_")}
        assert names == set(public(owner)), owner.__name__


def test_types_are_strict() -> None:
    """mypy --strict on the package and the examples."""
    paths = [PACKAGE, *sorted((ROOT / "examples" / "python").glob("*.py"))]
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"),
               "--cache-dir", str(ROOT / "build" / "mypy"), *map(str, paths)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"MYPYPATH": str(ROOT / "python")})
    assert done.returncode == 0, done.stdout + done.stderr
