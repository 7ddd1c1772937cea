"""Private definitions have one sentence, and a file is a task that a person can name."""

from __future__ import annotations

import ast
import configparser
import importlib
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

import dfactscore

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("dfactscore", "ambigbio", "linking", "retrieval")
SECTION = re.compile(r"(Args|Attributes|Keyword Args|Raises|Returns|Yields):")
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

#: Limits as measured; lower them if the code allows it.
CONTRACT_LINES = 20
FILES = 505
LINES_OF_A_FILE = 500
IMPORT_SHARE = 0.076
CLASSES_IN_SEVERAL_ROOMS = 7
FILE_NAMES_IN_SEVERAL_FOLDERS = 30


def texts() -> dict[str, str]:
    """Returns the text of every module of the product, by its path."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


TEXTS = texts()
TREES = {path: ast.parse(text) for path, text in TEXTS.items()}


def public() -> set[tuple[str, str]]:
    """Returns file and name of each public class and function, and of the bases of the classes."""
    modules = [dfactscore]
    for found in pkgutil.walk_packages(dfactscore.__path__, "dfactscore."):
        if found.ispkg and not any(part.startswith("_") for part in found.name.split(".")):
            modules.append(importlib.import_module(found.name))
    names = set()
    for module in modules:
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            for one in inspect.getmro(value) if inspect.isclass(value) else (value,):
                if (inspect.isclass(one) or inspect.isfunction(one)) and "dfactscore" in (
                    one.__module__
                ):
                    home = Path(inspect.getsourcefile(one) or "").resolve().relative_to(ROOT)
                    names.add((home.as_posix(), one.__qualname__))
    return names


def private_docstrings(path: str, shown: set[tuple[str, str]], options: set[str]) -> Iterator[str]:
    """Yields the docstrings of a module's definitions that no public name shows."""

    def inside(node: ast.AST, above: str, is_shown: bool) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, DEFINITIONS):
                name = f"{above}{child.name}"
                child_shown = (
                    (path, name) in shown or child.name in options
                    if not above
                    else is_shown and isinstance(node, ast.ClassDef) and child.name[0] != "_"
                )
                if not child_shown:
                    yield ast.get_docstring(child) or ""
                yield from inside(child, f"{name}.", child_shown)
            elif not isinstance(child, ast.expr):
                yield from inside(child, above, is_shown)

    yield from inside(TREES[path], "", False)


def contract_lines(docstring: str) -> int:
    """Counts the lines of sections about arguments, attributes, results and errors."""
    count, counts = 0, False
    for line in docstring.splitlines():
        if line and not line[0].isspace():
            counts = bool(SECTION.fullmatch(line))
        count += counts and bool(line.strip())
    return count


@pytest.mark.parametrize(
    ("docstring", "count"),
    [
        ("Sum.", 0),
        ("Sum.\n\nArgs:\n    a: One.\n    b: Two.\n\nExample:\n    >>> 1", 3),
        ("Sum.\n\nReturns:\n    The sum.\n\nMore.", 2),
    ],
)
def test_contract_lines_are_counted(docstring, count):
    assert contract_lines(docstring) == count


def test_private_definitions_have_one_sentence():
    shown = public()
    options = {name for text in TEXTS.values() for name in re.findall(r"Unpack\[(\w+)\]", text)}
    found = {
        path: sum(map(contract_lines, private_docstrings(path, shown, options))) for path in TEXTS
    }
    assert sum(found.values()) <= CONTRACT_LINES, {p: n for p, n in found.items() if n}


def test_a_file_is_a_task():
    lines = {path: text.count("\n") for path, text in TEXTS.items()}
    assert len(lines) <= FILES
    long = {path: n for path, n in lines.items() if n > LINES_OF_A_FILE}
    assert not long
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    )
    assert imports / sum(lines.values()) <= IMPORT_SHARE


def test_names_of_files_and_classes_say_what_they_are():
    files = Counter(Path(path).name for path in TEXTS if not path.endswith("__init__.py"))
    twice = {name for name, n in files.items() if n > 1}
    assert len(twice) <= FILE_NAMES_IN_SEVERAL_FOLDERS, sorted(twice)
    rooms: dict[str, set[str]] = {}
    for path, tree in TREES.items():
        parts = path.split("/")
        room = parts[1] if parts[0] == "dfactscore" else parts[0]
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                rooms.setdefault(node.name, set()).add(room)
    several = {name: sorted(found) for name, found in rooms.items() if len(found) > 1}
    assert len(several) <= CLASSES_IN_SEVERAL_ROOMS, several


def test_every_data_file_is_installed():
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    patterns = {
        package.replace(".", "/"): [pattern.strip() for pattern in value.split(",")]
        for package, value in config["options.package_data"].items()
    }
    left_out = []
    for folder in PACKAGES:
        for path in (ROOT / folder).rglob("*"):
            if not path.is_file() or path.suffix in (".py", ".pyc") or path.name == "py.typed":
                continue
            place = path.relative_to(ROOT).as_posix()
            place = place if folder == "dfactscore" else f"dfactscore/{place}"
            if not any(
                place.startswith(f"{package}/") and PurePath(place).match(f"{package}/{pattern}")
                for package, wanted in patterns.items()
                for pattern in wanted
            ):
                left_out.append(place)
    assert not left_out
