"""Who may import whom, and what stands in the public surface."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ambigbio", "dfactscore", "linking", "retrieval")
ALLOWED = {
    "linking": set(),
    "retrieval": set(),
    "ambigbio": {"retrieval"},
    "dfactscore": {"ambigbio", "linking", "retrieval"},
}
UNSAFE = {"pickle", "joblib", "shelve", "marshal", "dill"}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package):
    for path in (ROOT / package).rglob("*.py"):
        others = imports(path) & (set(PACKAGES) - {package})
        assert others <= ALLOWED[package], f"{path.relative_to(ROOT)} imports {others}"


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_executes_data(package):
    for path in (ROOT / package).rglob("*.py"):
        assert not imports(path) & UNSAFE, path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec"), path


@pytest.mark.parametrize("package", PACKAGES)
def test_public_surface_is_sorted_and_there(package):
    module = importlib.import_module(package)
    assert sorted(module.__all__) == sorted(set(module.__all__))
    for name in module.__all__:
        assert getattr(module, name) is not None


@pytest.mark.parametrize("package", PACKAGES)
def test_typed(package):
    assert (ROOT / package / "py.typed").exists()


def test_tests_do_not_shadow_packages():
    assert not list((ROOT / "tests").rglob("__init__.py"))
