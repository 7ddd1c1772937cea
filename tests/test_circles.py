"""Modules that import one another in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parent.parent
OUTER = ("ambigbio", "linking", "retrieval")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def modules() -> dict[str, Path]:
    """Every module by the name under which it is installed."""
    found = {}
    for package in ("dfactscore", *OUTER):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts if package == "dfactscore" else ("dfactscore", *parts)
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(tree: ast.AST, *, lazy: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements that are carried out; those inside functions where `lazy`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports(ast.Module(node.orelse, []), lazy=lazy)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif lazy or not isinstance(node, FUNCTIONS):
            yield from imports(node, lazy=lazy)


def graph(sources: dict[str, str], *, lazy: bool) -> nx.DiGraph:
    """An arrow from each module to every module that it names."""
    arrows = nx.DiGraph()
    arrows.add_nodes_from(sources)
    for name, text in sources.items():
        for node in imports(ast.parse(text), lazy=lazy):
            if isinstance(node, ast.Import):
                named = {alias.name for alias in node.names}
            else:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                # `from package import module` names the module, else the package's own names.
                named = {n if n in sources else str(node.module) for n in inner}
            arrows.add_edges_from((name, other) for other in named & set(sources) - {name})
    return arrows


def circles(arrows: nx.DiGraph) -> list[set[str]]:
    found = [set(c) for c in nx.strongly_connected_components(arrows) if len(c) > 1]
    return sorted(found, key=sorted)


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return {name: path.read_text(encoding="utf-8") for name, path in modules().items()}


def test_no_circle_when_imported(sources):
    assert circles(graph(sources, lazy=False)) == []


def test_result_objects_and_what_draws_them_are_the_only_circles(sources):
    found = circles(graph(sources, lazy=True))
    print(*map(sorted, found), sep="\n")
    assert len(found) <= 2
    for circle, result in zip(found, ("comparison.result", "results.result"), strict=True):
        assert f"dfactscore.{result}" in circle
        # Only the result object closes the circle: without it the rest is none.
        rest = graph({n: sources[n] for n in circle - {f"dfactscore.{result}"}}, lazy=True)
        assert circles(rest) == []


def test_circles_are_seen():
    made = {
        "a": "import b",
        "b": "def f():\n    from c import x",
        "c": "if TYPE_CHECKING:\n    import a\nelse:\n    import b",
        "d": "try:\n    import e\nexcept ImportError:\n    pass",
        "e": "class X:\n    import d",
    }
    assert circles(graph(made, lazy=False)) == [{"d", "e"}]
    assert circles(graph(made, lazy=True)) == [{"b", "c"}, {"d", "e"}]
