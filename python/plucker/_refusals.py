"""What is said of arguments that a function does not take: which one, what it was, and what is expected."""

from __future__ import annotations

import difflib
import functools
import os
import re
from types import ModuleType
from typing import Any, Callable, NamedTuple, NoReturn


class Parameter(NamedTuple):
    name: str
    type: str  # as the signature has it
    is_optional: bool
    by_name_alone: bool


KNOWN = re.compile(r"^(\w+)\(\): incompatible (?:function|constructor) arguments\.")
SIGNATURE = re.compile(r"^ +\d+\. ([\w.]*)\((.*)\)(?: -> .*)?$", re.MULTILINE)
IN_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "bool": "True or False",
    "dict": "a dictionary",
    "os.PathLike": "a path",
    "List[str]": "a list of texts",
}
CLASSES: dict[str, Any] = {
    "float": (float, int),
    "int": int,
    "str": str,
    "bool": bool,
    "dict": dict,
    "os.PathLike": (str, os.PathLike),
    "List[str]": (list, tuple),
}


def parts_of(text: str) -> list[str]:
    """Between commas that stand in no bracket and no text."""
    out, depth, quote, begin = [], 0, "", 0
    for k, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
        elif letter == "," and depth == 0:
            out.append(text[begin:k].strip())
            begin = k + 1
    return [part for part in [*out, text[begin:].strip()] if part]


def parameters_of(signature: str) -> list[Parameter]:
    out: list[Parameter] = []
    by_name = False
    for part in parts_of(signature):
        if part == "*":
            by_name = True
            continue
        name, _, rest = part.partition(":")
        kind, is_optional, _ = rest.partition(" = ")
        out.append(Parameter(name, kind.strip(), bool(is_optional), by_name))
    return out


def in_words(parameters: list[Parameter]) -> str:
    shown = [f"[{p.name}]" if p.is_optional else p.name for p in parameters if not p.by_name_alone]
    named = [p.name for p in parameters if p.by_name_alone]
    if named:
        shown.append(("and, by name, " if shown else "by name ") + named[0])
    return ("it takes " + ", ".join([*shown, *named[1:]])).replace(", and,", " and,") if parameters else "it takes none"


def why(parameters: list[Parameter], args: tuple[Any, ...], names: dict[str, Any], module: ModuleType) -> str:
    by_place = [p for p in parameters if not p.by_name_alone]
    for name in names:
        if name not in [p.name for p in parameters]:
            close = difflib.get_close_matches(name, [p.name for p in parameters], 1)
            return f"there is no argument '{name}'; {f'closest: {close[0]!r}; ' if close else ''}{in_words(parameters)}"
    if len(args) > len(by_place):
        count = f"{len(args)} arguments" if len(args) > 1 else "1 argument"
        return f"{count} without a name {'were' if len(args) > 1 else 'was'} given; {in_words(parameters)}"
    given = {p.name: x for p, x in zip(by_place, args)}
    for name in names:
        if name in given:
            return f"{name} is given twice; {in_words(parameters)}"
    given.update(names)
    for p in parameters:
        if p.name not in given and not p.is_optional:
            return f"{p.name} is missing; {in_words(parameters)}"
    for p in parameters:
        if p.name not in given or (given[p.name] is None and p.type.startswith("Optional")):
            continue
        x = given[p.name]
        kind = re.sub(r"^Optional\[(.*)\]$", r"\1", p.type)
        own = kind.rpartition("plucker._plucker.")[2] if kind.startswith("plucker._plucker.") else ""
        expected = CLASSES.get(kind) or getattr(module, own, None)
        words = f"plucker.{own}" if own else IN_WORDS.get(kind, kind)
        if expected is not None and not isinstance(x, expected):
            if kind == "float" and hasattr(type(x), "__float__"):
                continue
            if kind == "int" and hasattr(type(x), "__index__"):
                continue
            return f"{p.name} is {type(x).__name__}; expected {words}"
        if kind == "int" and not 0 <= x < 2**31:
            return f"{p.name} is {x}, which is out of range"
        if kind == "List[str]":
            for k, entry in enumerate(x):
                if not isinstance(entry, str):
                    return f"{p.name}[{k}] is {type(entry).__name__}; expected a text"
    types = ", ".join([type(x).__name__ for x in args] + [f"{k}: {type(x).__name__}" for k, x in names.items()])
    return f"({types}) is given; it takes " + ", ".join(f"{p.name}: {p.type}" for p in parameters)


def refuse(error: TypeError, args: tuple[Any, ...], names: dict[str, Any], module: ModuleType) -> NoReturn:
    text = str(error)
    found, signatures = KNOWN.match(text), SIGNATURE.findall(text)
    if found is None or len(signatures) != 1:
        raise error
    of_class, parameters = signatures[0][0].rpartition(".")[2], parameters_of(signatures[0][1])
    if of_class or (parameters and parameters[0].name == "self"):
        parameters, args = [p for p in parameters if p.name != "self"], args[1:]
    raise TypeError(f"{of_class or found[1]}: {why(parameters, args, names, module)}") from None


def in_plain_words(function: Callable[..., Any], name: str, module: ModuleType) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **names: Any) -> Any:
        try:
            return function(*args, **names)
        except TypeError as error:
            if "incompatible" not in str(error):
                raise
            refuse(error, args, names, module)

    call.__qualname__ = name  # by which it is pickled
    return call


def take_over(module: ModuleType) -> None:
    """All functions and methods that pybind11 has made; those of the table of algorithms have words of their own."""
    functions, methods = type(module.loads), type(module.Robot.neutral)
    for name, value in list(vars(module).items()):
        if isinstance(value, functions) and not name.startswith("_"):
            setattr(module, name, in_plain_words(value, name, module))
        if not isinstance(value, type) or not value.__module__.startswith("plucker"):
            continue
        for member, entry in list(vars(value).items()):
            if isinstance(entry, staticmethod):
                setattr(value, member, staticmethod(in_plain_words(entry.__func__, f"{name}.{member}", module)))
            elif isinstance(entry, methods) and (member == "__init__" or not member.startswith("_")):
                setattr(value, member, in_plain_words(entry, f"{name}.{member}", module))
