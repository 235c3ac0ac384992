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


def run_examples(text: str, name: str, **others: Any) -> int:
    robot, arm = plucker.robots.humanoid(), plucker.robots.arm()
    s = Sample(robot)
    names = {
        "plucker": plucker, "np": np, "robot": robot, "q": robot.neutral(), "v": s.v, "a": s.a, "tau": s.tau,
        "frame": robot.frame_names[-1], "joints": robot.joint_names[1:3],
        "arm": arm, "sim": arm.simulator(), "many": arm.batch_simulator(4), "motion": arm.free_motion(), **others,
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


def documented_by_hand() -> Iterator[tuple[str, Any]]:
    """All that is public but what the table of algorithms makes, and torch, which is imported by itself."""
    rows = {row["name"] for row in ROWS}
    for name in public(plucker):
        thing = getattr(plucker, name)
        if name in RESULTS or name == "torch":
            continue
        yield name, thing
        inside = public(thing) if inspect.isclass(thing) else getattr(thing, "__all__", ()) if inspect.ismodule(thing) else ()
        for inner in inside:
            if inner not in rows and thing is not plucker.Status:
                yield f"{name}.{inner}", inspect.getattr_static(thing, inner)


def needs_an_example(name: str, thing: Any) -> bool:
    """Functions, methods and classes; and what a robot says of itself, unless it is a number."""
    if isinstance(thing, property):
        return name.startswith("Robot.") and not isinstance(thing.__get__(plucker.robots.arm()), (int, float))
    return callable(thing) or isinstance(thing, classmethod)


def test_every_function_and_class_has_an_example() -> None:
    names = {name: inspect.getdoc(x) or "" for name, x in documented_by_hand() if needs_an_example(name, x)}
    assert len(names) > 150
    assert [name for name, text in names.items() if ">>> " not in text] == []


def test_examples_in_docstrings_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tried = run_examples(plucker.__doc__ or "", "plucker")
    for name, thing in documented_by_hand():
        tried += run_examples(inspect.getdoc(thing) or "", name)
    assert tried > 200


def test_examples_of_torch_run() -> None:
    torch = pytest.importorskip("torch")
    import plucker.torch as pt

    robot = plucker.robots.humanoid()
    s = Sample(robot)
    for name in pt.__all__:
        text = inspect.getdoc(getattr(pt, name)) or ""
        tensors = {key: torch.tensor(x, requires_grad=True) for key, x in (("q", s.q), ("v", s.v), ("a", s.a), ("tau", s.tau))}
        assert run_examples(text, name, pt=pt, **tensors) == 1, name


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
