"""Every example runs. One that has a C++ twin prints what that one prints, to the letter."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

import plucker

EXAMPLES = Path(__file__).parents[2] / "examples"
PICTURES = ("computed_torque", "payloads", "reachability", "simulate", "trajectory")


@pytest.mark.parametrize("path", sorted((EXAMPLES / "python").glob("*.py")), ids=lambda path: path.stem)
def test_example(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if path.stem == "13_compile" and plucker.isa() == "generic":
        pytest.skip("nothing is compiled without AVX2")
    is_picture = path.stem in PICTURES
    picture = tmp_path / "picture.png"
    monkeypatch.setattr(sys, "argv", [str(path), str(picture)])
    runpy.run_path(str(path), run_name="__main__")
    expected = (path if is_picture else EXAMPLES / path.name).with_suffix(".txt")
    assert capsys.readouterr().out == expected.read_text(encoding="utf-8")
    assert picture.exists() == is_picture
