"""Plots of the mixing in a run: the graph of mixed entities, and shares by number of namesakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from dfactscore._util.plotting import COLORS, draw, figure
from dfactscore.measures._resampling import clustered_interval
from dfactscore.mixing._biography import BiographyMixing

if TYPE_CHECKING:
    import networkx as nx


class MixingOfTexts(Protocol):
    """The mixing of texts, of one run or of several."""

    @property
    def biographies(self) -> Sequence[BiographyMixing]: ...

    def graph(self) -> nx.Graph: ...


_MOST = 24  # maximum number of components drawn; more would be too small to read
MOST_PEOPLE = 4  # names with at least this many people are rare and share a bar


def plot_mixing(mixing: MixingOfTexts, kind: str = "graph", path: str | Path | None = None) -> Any:
    """Draws the mixing in a run.

    Args:
        mixing: The mixing in a run.
        kind: ``"graph"`` connects entities that are mixed in one group by lines whose width shows
            the number of facts; ``"by_number"`` shows the share of biographies with a mixed group,
            by the number of entities that bear the name.
        path: Path to save the plot to (.png, .svg or .pdf); by default, it is not saved.

    Returns:
        The matplotlib figure.

    Raises:
        MissingExtraError: If matplotlib is not installed.
        InputError: If the type of plot or the file extension is unknown.
    """
    return draw(MIXING_PLOTS, kind, mixing, path)


def _by_number(mixing: MixingOfTexts) -> Any:
    by_number: dict[int, list[tuple[str, float]]] = defaultdict(list)
    for b in mixing.biographies:
        by_number[min(b.n_named, MOST_PEOPLE)].append((b.name, float(b.mixed > 0)))
    drawn, axes = figure(6, 4)
    numbers = sorted(by_number)
    for n in numbers:
        names, share = zip(*by_number[n], strict=True)
        low, high = clustered_interval(share, names)
        mean = 100 * float(np.mean(share))
        axes.bar(n, mean, 0.62, color=COLORS[0])
        if low == low:
            axes.plot([n, n], [100 * low, 100 * high], color="#222222", linewidth=1.6)
        top = 100 * high if high == high else mean
        axes.annotate(
            f"n = {len(share)}",
            (n, top),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            fontsize=9,
            color="#444444",
        )
    axes.set_xticks(numbers, [f"{n}+" if n == MOST_PEOPLE else str(n) for n in numbers])
    axes.set_ylim(0, None)
    axes.margins(y=0.14)
    axes.autoscale(axis="y")
    axes.set_ylim(bottom=0)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("entities of the name that were retrieved")
    axes.set_ylabel("biographies with a mixed group, percent")
    axes.set_title("Mixing by number of same-name entities")
    return drawn


def _graph(mixing: MixingOfTexts) -> Any:
    import networkx as nx

    graph = mixing.graph()
    parts = sorted(
        nx.connected_components(graph),
        key=lambda c: (-sum(graph.edges[e]["weight"] for e in graph.subgraph(c).edges), min(c)),
    )
    shown = parts[:_MOST]
    columns = max(1, min(3, len(shown)))
    lines = max(1, -(-len(shown) // columns))
    drawn, axes = figure(4.4 * columns, max(1.6, 1.15 * lines + 0.5))
    axes.set_axis_off()
    left_out = len(parts) - len(shown)
    more = f"; {left_out} smaller clusters left out" if left_out > 0 else ""
    axes.set_title(f"Entities that are mixed (facts){more}")
    if not shown:
        axes.text(0.5, 0.5, "no mixing", ha="center", transform=axes.transAxes)
        return drawn
    for i, part in enumerate(shown):
        _cluster(axes, graph.subgraph(part), i % columns, -(i // columns))
    axes.set_xlim(-0.55, columns - 0.45)
    axes.set_ylim(0.5 - lines, 0.5)
    return drawn


def _cluster(axes: Any, graph: Any, column: int, line: int) -> None:
    """Draws, within its cell, a set of people who are mixed with each other."""
    nodes = sorted(graph, key=lambda n: (-graph.nodes[n]["facts"], n))
    step = 0.7 / max(1, len(nodes) - 1)
    places = {n: (column - 0.38, line + 0.33 - i * step) for i, n in enumerate(nodes)}
    if len(nodes) == 2:
        places = {n: (column - 0.38, line + (0.16, -0.16)[i]) for i, n in enumerate(nodes)}
    edges = sorted((*sorted((a, b)), values["weight"]) for a, b, values in graph.edges(data=True))
    for a, b, weight in edges:
        ends = sorted((places[a], places[b]), key=lambda place: place[1])
        axes.annotate(
            "",
            ends[1],
            ends[0],
            arrowprops={
                "arrowstyle": "-",
                "color": COLORS[1],
                "shrinkA": 0,
                "shrinkB": 0,
                "linewidth": min(7.0, 0.8 + 0.5 * weight),
                "connectionstyle": "arc3,rad=-0.25",
            },
        )
    for node, (x, y) in places.items():
        facts = graph.nodes[node]["facts"]
        axes.plot(x, y, "o", color=COLORS[0], markersize=4 + min(12.0, 1.2 * facts**0.8))
        label = node if len(node) <= 40 else node[:39] + "…"
        axes.annotate(
            f"{label} ({facts})",
            (x, y),
            xytext=(11, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            parse_math=False,
        )


MIXING_PLOTS: dict[str, Callable[[MixingOfTexts], Any]] = {"graph": _graph, "by_number": _by_number}
