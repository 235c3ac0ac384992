"""Builds the extension with CMake; all else is in pyproject.toml.

CMAKE_ARGS in the environment is passed on: CMAKE_ARGS=-DPLUCKER_ISAS=native builds for this machine alone, in half the time.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        folder = ROOT / "build" / f"pip-{sys.implementation.cache_tag}"
        output = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "PLUCKER_BUILD_PYTHON": "ON",
            "PLUCKER_PYTHON": sys.executable,
            "PLUCKER_PYTHON_OUTPUT": str(output),
            "PLUCKER_BUILD_CLI": "OFF",
            "PLUCKER_BUILD_TESTS": "OFF",
            "PLUCKER_BUILD_EXAMPLES": "OFF",
            "PLUCKER_INSTALL": "OFF",
            "CMAKE_UNITY_BUILD": "ON",
            **pybind11_folder(),
        }
        arguments = [f"-D{name}={value}" for name, value in options.items()]
        if shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ:
            arguments += ["-G", "Ninja"]  # of the packages that the project asks for; make is none of them
        arguments += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *arguments], check=True)
        build = ["cmake", "--build", folder, "--target", "plucker_python", "--parallel", str(os.cpu_count())]
        subprocess.run(build, check=True)


def pybind11_folder() -> dict[str, str]:
    """That of the package index, where it was installed from there; CMake finds Debian's by itself."""
    try:
        import pybind11
    except ImportError:
        return {}
    return {"pybind11_DIR": pybind11.get_cmake_dir()}


def version() -> str:
    text = (ROOT / "include/plucker/version.hpp").read_text(encoding="utf-8")
    found = re.search(r'kVersion = "(.*)"', text)
    assert found is not None
    return found[1]


setup(
    version=version(),
    ext_modules=[Extension("plucker._plucker", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
