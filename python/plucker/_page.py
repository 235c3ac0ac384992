"""Viewer pages of a robot or a recording, each one self-contained HTML file."""

from __future__ import annotations

import html as markup
import os
import tempfile
import warnings
import webbrowser
from pathlib import Path
from typing import Sequence

from . import _plucker
from ._plucker import Recording, Robot


class Page:
    """A viewer page: a notebook displays it, open() shows it in the browser.

    Names and texts of robot files are data in it, which no browser runs; it loads nothing from anywhere.

    >>> arm.view(title="the arm").title
    'the arm'
    """

    def __init__(self, html: str, title: str, height: int) -> None:
        self.html = html
        self.title = title
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file and returns its path.

        >>> robot.view().save('robot.html').name
        'robot.html'
        """
        out = Path(path)
        out.write_text(self.html, encoding="utf-8")
        return out

    def open(self) -> Path:
        """Shows the page in the browser, from a permanent file, and returns its path.

        >>> robot.view().open()  # doctest: +SKIP
        """
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="plucker-", suffix=".html", delete=False) as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())
        return Path(file.name)

    def _repr_html_(self) -> str:
        # In a frame of its own: neither page can reach into the other.
        return (
            f'<iframe title="{markup.escape(self.title)}" sandbox="allow-scripts allow-downloads" allowfullscreen '
            f'style="width: 100%; height: {self.height}px; border: 0" srcdoc="{markup.escape(self.html)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<plucker.Page of '{self.title}': {len(self.html) / 1e6:.1f} MB; save(path) or open() it>"


def _page(made: tuple[str, list[str]], title: str, height: int) -> Page:
    html, said = made
    for text in said:
        warnings.warn(text, stacklevel=4)
    return Page(html, title, int(height))


def of_robot(robot: Robot, title: str, height: int) -> Page:
    return _page(_plucker._page_of_robot(robot, title), title or robot.name, height)


def of_recording(
    recording: Recording, others: Sequence[Recording], names: Sequence[str] | None, title: str, height: int
) -> Page:
    recordings = [recording, *others]
    if names is None:
        names = ["recording"] + [f"recording {k + 2}" for k in range(len(others))]
    if len(names) != len(recordings):
        raise _plucker.Error(f"view: names has {len(names)} names, and there are {len(recordings)} recordings")
    made = _plucker._page_of_recordings(recordings, list(names), title)
    return _page(made, title or recording.robot.name, height)
