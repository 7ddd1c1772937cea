"""No modules import one another in a circle."""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parent.parent
OUTER = ("ambigbio", "linking", "retrieval")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def modules() -> dict[str, Path]:
    """Returns every module by its installed name."""
    found = {}
    for package in ("dfactscore", *OUTER):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts if package == "dfactscore" else ("dfactscore", *parts)
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(
    tree: ast.AST, *, lazy: bool, typed: bool = False
) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yields import statements: inside functions if `lazy`, for type checkers if `typed`."""
    for node in ast.iter_child_nodes(tree):
        if not typed and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports(ast.Module(node.orelse, []), lazy=lazy)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif lazy or not isinstance(node, FUNCTIONS):
            yield from imports(node, lazy=lazy, typed=typed)


def by_name(tree: ast.AST, package: str) -> Iterator[str]:
    """Yields modules, or prefixes of modules, that are imported by name at run time.

    These are the arguments of `import_module` and `names_on_use`.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if called in ("import_module", "__import__") and node.args:
            first = node.args[0]
            if isinstance(first, ast.JoinedStr) and isinstance(first.values[0], ast.Constant):
                yield f"{first.values[0].value}*"
            elif isinstance(first, ast.Constant):
                yield str(first.value)
        elif called == "names_on_use" and isinstance(node.args[1], ast.Dict):
            yield from (f"{package}.{ast.literal_eval(key)}" for key in node.args[1].keys if key)


def graph(sources: dict[str, str], *, lazy: bool, typed: bool = False) -> nx.DiGraph:
    """Builds the graph with an edge from each module to every module that it imports."""
    arrows = nx.DiGraph()
    arrows.add_nodes_from(sources)
    for name, text in sources.items():
        tree = ast.parse(text)
        for node in imports(tree, lazy=lazy, typed=typed):
            if isinstance(node, ast.Import):
                named = {alias.name for alias in node.names}
            else:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                # `from package import module` names the module, else the package's own names.
                named = {n if n in sources else str(node.module) for n in inner}
            arrows.add_edges_from((name, other) for other in named & set(sources) - {name})
        for pattern in by_name(tree, name) if lazy else ():
            others = fnmatch.filter(sources, pattern)
            arrows.add_edges_from((name, other) for other in others if other != name)
    return arrows


def circles(arrows: nx.DiGraph) -> list[set[str]]:
    found = [set(c) for c in nx.strongly_connected_components(arrows) if len(c) > 1]
    return sorted(found, key=sorted)


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return {name: path.read_text(encoding="utf-8") for name, path in modules().items()}


def test_no_circle_when_imported(sources):
    assert circles(graph(sources, lazy=False)) == []


def test_no_circle_when_functions_import_nor_by_name(sources):
    assert circles(graph(sources, lazy=True)) == []


def test_no_circle_when_types_are_checked(sources):
    assert circles(graph(sources, lazy=True, typed=True)) == []


def test_circles_are_seen():
    made = {
        "a": "import b",
        "b": "def f():\n    from c import x",
        "c": "if TYPE_CHECKING:\n    import a\nelse:\n    import b",
        "d": "try:\n    import e\nexcept ImportError:\n    pass",
        "e": "class X:\n    import d",
        "f.one": "import_module('f.two')",
        "f.two": "def f():\n    importlib.import_module(f'f.{name}')",
        "g": "__getattr__ = names_on_use(__name__, {'h': ('X',)})",
        "g.h": "import g",
    }
    assert circles(graph(made, lazy=False)) == [{"d", "e"}]
    assert circles(graph(made, lazy=True)) == [
        {"b", "c"},
        {"d", "e"},
        {"f.one", "f.two"},
        {"g", "g.h"},
    ]
    made = {"a": "if TYPE_CHECKING:\n    import b", "b": "import a"}
    assert circles(graph(made, lazy=True)) == []
    assert circles(graph(made, lazy=False, typed=True)) == [{"a", "b"}]
