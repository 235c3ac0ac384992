"""Pages that show robots: one file, in a notebook or a browser, and texts of files stay texts."""

from __future__ import annotations

import html
import re
import webbrowser
from pathlib import Path

import numpy as np
import pytest

import plucker

HOSTILE = "</script><script>window.hacked = 1</script>\"'><img src=x onerror=alert(1)>"


def swing(seconds: float = 0.05) -> plucker.Recording:
    robot = plucker.robots.pendulum()
    simulator = robot.simulator()
    simulator.set_state(np.array([0.5]), np.zeros(1))
    return simulator.run(seconds)


def test_a_robot_is_shown() -> None:
    page = plucker.robots.arm().view()
    assert page.html.startswith("<!DOCTYPE html>")
    assert '"name":"arm"' in page.html
    assert repr(page).startswith("<plucker.Page of 'arm'")


def test_a_notebook_shows_it_in_a_frame_of_its_own() -> None:
    page = plucker.robots.pendulum().view(title="a <b> & c", height=300)
    shown = page._repr_html_()
    assert shown.count("<iframe") == 1 and shown.endswith("</iframe>")
    assert 'sandbox="allow-scripts allow-downloads"' in shown and "height: 300px" in shown
    found = re.search(r'srcdoc="([^"]*)"', shown)
    assert found is not None and html.unescape(found[1]) == page.html
    assert 'title="a &lt;b&gt; &amp; c"' in shown


def test_a_recording_is_shown_with_others_beside_it() -> None:
    first, second = swing(), swing(0.1)
    page = first.view(second, names=["short", "long"])
    assert '"name":"short"' in page.html and '"name":"long"' in page.html
    assert '"demonstration":false' in page.html
    with pytest.raises(plucker.Error, match="names has 1 names, and there are 2 recordings"):
        first.view(second, names=["one"])
    robot = plucker.robots.arm()
    other = robot.simulator().run(0.01)
    with pytest.raises(plucker.Error, match="recording 2 is of 'arm', the first of 'pendulum'"):
        first.view(other)


def test_others_are_of_the_same_robot() -> None:
    def sliding(link: str) -> plucker.Recording:
        mass = plucker.MassProperties.sphere(1, 0.1)
        slide = plucker.prismatic("slide", (0, 0, 1))
        ball = plucker.Shape.sphere(0.1, (0, 0, 0))
        robot = plucker.Builder("ball").link("ground").body("ground", slide, link, mass).collision(link, ball).build()
        simulator = robot.simulator(plucker.World.flat())
        simulator.set_state([0.1])
        return simulator.run(0.02)

    first = sliding("red")
    assert '"name":"red"' in first.view(sliding("red")).html
    with pytest.raises(plucker.Error, match="recording 2 is of 'ball', the first of 'ball'; only recordings of one robot"):
        first.view(sliding("blue"))


def test_it_is_saved_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = plucker.robots.pendulum().view()
    path = page.save(tmp_path / "robot.html")
    assert path.read_text(encoding="utf-8") == page.html
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    shown = page.open()
    assert opened == [shown.as_uri()] and shown.read_text(encoding="utf-8") == page.html
    shown.unlink()


def test_names_of_files_are_data() -> None:
    robot = (
        plucker.Builder(HOSTILE)
        .link("base")
        .body("base", plucker.revolute("j", (0, 0, 1)), HOSTILE, plucker.MassProperties.box(1, (1, 1, 1)))
        .build()
    )
    page = robot.view()
    assert "<script>window.hacked" not in page.html and "\\u003c/script>" in page.html
    shown = page._repr_html_()
    assert shown.count("<") == 2, "the frame's own tags, and no other"


def test_what_cannot_be_drawn_is_said() -> None:
    text = """<robot name='r'><link name='base'><visual><geometry><mesh filename='nowhere.stl'/></geometry></visual></link>
        <link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>
        <joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>"""
    with pytest.warns(UserWarning, match="nowhere.stl"):
        plucker.loads(text).view()
