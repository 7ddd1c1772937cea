"""Imports between rooms, and the public surface."""

from __future__ import annotations

import ast
import functools
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OUTER = ("ambigbio", "linking", "retrieval")
PACKAGES = ("dfactscore", *(f"dfactscore.{name}" for name in OUTER))
UNSAFE = {"pickle", "joblib", "shelve", "marshal", "dill"}
# Rooms from the ground up (see docs/architecture.md). Each may import earlier rooms; rooms in one
# tuple may not import one another.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("_errors", "_version", "_metrics"),
    ("_util",),
    ("measures", "_text"),
    ("work",),
    ("linking", "retrieval"),
    ("ambigbio",),
    ("_records",),
    ("_asking",),
    ("_readers",),
    ("engines",),
    ("_evidence",),
    ("_scoring",),
    ("_results",),
    ("_runs",),
    ("_jobs",),
    ("generation",),
    ("comparison",),
    ("mixing",),
    ("citations",),
    ("_report",),
    ("_scorer",),
    ("annotation",),
    ("correct",),
    ("examples",),
    ("meta",),
    ("likelihood",),
    ("factor",),
    ("safe",),
    ("_experiment",),
    ("factscorer",),
    ("integrations", "testing"),
    ("_cli", "_pytest"),
    ("__main__", "__init__"),
)
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
# The outer packages can be used alone: they import only these rooms, and one another.
MAY_KNOW = {
    "linking": {"_util", "_text"},
    "retrieval": {"_util", "_errors", "_text", "work"},
    "ambigbio": {"_util", "_errors", "retrieval", "_text", "work"},
}


def sources() -> list[tuple[str, Path]]:
    """Yields room and file of every module."""
    found = []
    for path in sorted((ROOT / "dfactscore").rglob("*.py")):
        top = path.relative_to(ROOT / "dfactscore").parts[0]
        found.append((top.removesuffix(".py"), path))
    for package in OUTER:
        found += [(package, path) for path in sorted((ROOT / package).rglob("*.py"))]
    return found


@functools.cache
def nodes(path: Path) -> list[ast.AST]:
    """Returns the imports and calls of a module."""
    kept = (ast.Import, ast.ImportFrom, ast.Call)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, kept)]


def imports(path: Path) -> list[str]:
    """Yields dotted names that a module imports, also inside functions and for types."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            if module == "dfactscore":
                found += [f"dfactscore.{alias.name}" for alias in node.names]
            else:
                found.append(module)
    return found


def rooms(path: Path) -> set[str]:
    return {
        name.split(".")[1]
        for name in imports(path)
        if name.startswith("dfactscore.") and name.split(".")[1] in LEVEL
    }


def table(heading: str) -> list[list[str]]:
    """Returns the cells of the table under a heading of the architecture page."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_documented_rooms_are_the_layers():
    rows = table("The rooms")
    assert [int(number) for number, _, _ in rows] == list(range(1, len(LAYERS) + 1))
    documented = [tuple(re.findall(r"`(\w+)`", names)) for _, names, _ in rows]
    assert documented == list(LAYERS)
    assert all(purpose for _, _, purpose in rows)


def test_every_room_has_a_level():
    assert {room for room, _ in sources()} <= set(LEVEL)


@pytest.mark.parametrize("room", [r for r in LEVEL if r != "__init__"])
def test_imports_go_one_way(room):
    wrong = []
    for home, path in sources():
        if home != room:
            continue
        for other in rooms(path):
            if other == room:
                continue
            if room in MAY_KNOW and other not in MAY_KNOW[room]:
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
            elif LEVEL[other] >= LEVEL[room]:
                wrong.append(f"{path.relative_to(ROOT)} imports {other}, which stands above it")
    assert not wrong, "\n".join(sorted(wrong))


def test_no_bare_names():
    """`import retrieval` finds a user's own retrieval.py first."""
    for _, path in sources():
        bare = {name.split(".")[0] for name in imports(path)} & set(OUTER)
        assert not bare, f"{path.relative_to(ROOT)} imports {bare}"


def test_nothing_executes_data():
    for _, path in sources():
        assert not {name.split(".")[0] for name in imports(path)} & UNSAFE, path
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec"), path


@pytest.mark.parametrize("package", PACKAGES)
def test_public_surface_is_sorted_and_there(package):
    module = importlib.import_module(package)
    assert sorted(module.__all__) == sorted(set(module.__all__))
    for name in module.__all__:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("package", ["dfactscore", *OUTER])
def test_typed(package):
    assert (ROOT / package / "py.typed").exists()


def test_tests_do_not_shadow_packages():
    assert not list((ROOT / "tests").rglob("__init__.py"))
