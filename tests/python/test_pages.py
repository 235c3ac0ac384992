"""The Python blocks of the README and of the pages run, page by page: a block knows what those before it have defined.

What a block takes for granted stands in a comment above it, <!-- given: q = robot.neutral() -->; <!-- not run: why --> excepts one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import plucker

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?:<!-- (given|not run): ((?:(?!-->).)*?) -->\n)?```python\n(.*?)```", re.DOTALL)


def blocks(page: str) -> list[tuple[str, str, str, int]]:
    """(word, comment, block, line of the block) for each."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(x[1] or "", x[2] or "", x[3], text.count("\n", 0, x.start(3))) for x in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", ["README.md", "python/README.md", "docs/python.md", "docs/compiler.md", "docs/coming_from.md"])
def test_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plucker.robots.arm().write_urdf_file("arm.urdf")
    names: dict[str, Any] = {}
    count = 0
    for word, comment, block, line in blocks(page):
        if word == "not run":
            compile(block, page, "exec")
            continue
        if word == "given":
            exec(comment, names)
        exec(compile("\n" * line + block, str(ROOT / page), "exec"), names)  # messages name the page and its line
        count += 1
    assert count > 0


def test_the_first_lines_print_what_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, block, _ = blocks("README.md")[0]
    exec(block, {})
    assert capsys.readouterr().out == block.rpartition("# ")[2]
