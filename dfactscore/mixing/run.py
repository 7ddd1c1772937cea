"""Mixing over a run: shares, the gap by cause, and the mixed entities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.csv_text import csv_text
from dfactscore._util.numbers import mean
from dfactscore.linking import MIN_FOREIGN, Mixed, mixed_pairs, mixing_graph
from dfactscore.measures.bootstrap import Interval, clustered_interval
from dfactscore.measures.table import json_text
from dfactscore.mixing.biography import BiographyMixing, biography_mixing
from dfactscore.mixing.plots import plot_mixing
from dfactscore.mixing.text import render_mixing
from dfactscore.scoring.record import Record

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from dfactscore.results.result import Result

__all__ = ["MixingSummary", "RunMixing", "run_mixing"]

GAP_PARTS = ("same_name", "other_page", "link_conflict")


@dataclass(frozen=True, slots=True)
class MixingSummary:
    """Means over the biographies that have a D-FS.

    Attributes:
        n: Such biographies.
        n_groups: Groups with a fact that an entity of the name supports.
        mixed_groups: Share of those that are mixed.
        mixed_biographies: Share of biographies with a mixed group, and its interval.
        entropy: Mean mixing entropy of the groups, in bits.
        min_entities: Mean number of entities that a group needs.
        foreign: Mean number of foreign facts in a group.
        switches: Mean number of switch points in a group.
        gap: Mean FS − D-FS, and its interval; the three parts add up to it.
        same_name, other_page, link_conflict: The parts of the gap.
    """

    n: int
    n_groups: int
    mixed_groups: float | None
    mixed_biographies: float | None
    mixed_interval: Interval
    entropy: float | None
    min_entities: float | None
    foreign: float | None
    switches: float | None
    gap: float | None
    gap_interval: Interval
    same_name: float | None
    other_page: float | None
    link_conflict: float | None


@dataclass(frozen=True)
class RunMixing:
    """Mixing of a run; printing it prints the tables.

    Attributes:
        biographies: Those that have a D-FS.
        left_out: Biographies without one.
        min_foreign: From how many facts of another entity on a group counts as mixed.
        models: Which models wrote them; all are averaged together.
    """

    biographies: tuple[BiographyMixing, ...]
    left_out: int
    min_foreign: int
    models: tuple[str, ...] = ()

    def summary(self) -> MixingSummary:
        """Averages the biographies; intervals are 95 % percentile bootstrap over names."""
        names = [b.name for b in self.biographies]
        groups = [g for b in self.biographies for g in b.groups if g.supported]
        mixed = [float(b.mixed > 0) for b in self.biographies]
        gap = [b.gap for b in self.biographies]
        parts = {p: mean([getattr(b, p) for b in self.biographies]) for p in GAP_PARTS}
        return MixingSummary(
            n=len(self.biographies),
            n_groups=len(groups),
            mixed_groups=mean([float(g.mixed) for g in groups]),
            mixed_biographies=mean(mixed),
            mixed_interval=clustered_interval(mixed, names),
            entropy=mean([g.entropy for g in groups]),
            min_entities=mean([float(g.min_entities) for g in groups]),
            foreign=mean([float(len(g.foreign)) for g in groups]),
            switches=mean([float(len(g.switches)) for g in groups]),
            gap=mean(gap),
            gap_interval=clustered_interval(gap, names),
            **parts,
        )

    def mixed(self) -> Mixed:
        """Which entities are mixed with which, counted (see `dfactscore.linking.mixed_pairs`)."""
        return mixed_pairs((b.name, b.entities, b.groups) for b in self.biographies)

    def graph(self) -> nx.Graph:
        """Which entities are mixed with which (see `dfactscore.linking.mixing_graph`)."""
        return mixing_graph((b.name, b.entities, b.groups) for b in self.biographies)

    def to_graphml(self) -> str:
        """The graph as GraphML, for Gephi, Cytoscape or networkx."""
        import networkx as nx

        return "\n".join(nx.generate_graphml(_writable(self.graph()))) + "\n"

    def plot(self, kind: str = "graph", path: str | Path | None = None) -> Any:
        """Draws the mixing (extra ``[plot]``).

        Args:
            kind: ``"graph"`` which entities are mixed; ``"by_number"`` shares of mixed biographies
                by number of people of the name.
            path: Where to save it (.png, .svg or .pdf); not saved by default.

        Returns:
            The matplotlib figure.
        """
        return plot_mixing(self, kind, path)

    def rows(self) -> list[dict[str, Any]]:
        """One mapping per biography, the most mixed first."""
        return [
            {
                "id": b.id,
                "name": b.name,
                "n_named": b.n_named,
                "n_groups": len(b.groups),
                "mixed_groups": b.mixed,
                "min_entities": max((g.min_entities for g in b.groups), default=0),
                "entropy": max((g.entropy for g in b.groups), default=0.0),
                "foreign": b.foreign,
                "switches": b.switches,
                "n_facts": b.n_facts,
                "gap": b.gap,
                **{p: getattr(b, p) for p in GAP_PARTS},
            }
            for b in self.worst()
        ]

    def worst(self) -> list[BiographyMixing]:
        """The biographies, the most mixed first."""
        return sorted(self.biographies, key=lambda b: (-b.same_name, -b.foreign))

    def to_frame(self) -> pd.DataFrame:
        """One row per biography, the most mixed first."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def to_csv(self) -> str:
        """The rows as CSV, unrounded."""
        rows = self.rows()
        return csv_text(rows, None if rows else ["id"])

    def to_json(self) -> str:
        """Summary and rows as JSON."""
        from dataclasses import asdict

        summary = {
            k: None if isinstance(v, tuple) and v[0] != v[0] else v
            for k, v in asdict(self.summary()).items()
        }
        document = {
            "min_foreign": self.min_foreign,
            "left_out": self.left_out,
            "summary": summary,
            "biographies": self.rows(),
        }
        return json_text(document)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def to_text(self, *, width: int = 100, color: bool = False, top: int = 10) -> str:
        """The tables for a terminal; ``top`` limits the list of biographies."""
        return render_mixing(self, width=width, color=color, top=top)


def run_mixing(records: Iterable[Record | Result], *, min_foreign: int | None = None) -> RunMixing:
    """Measures the mixing in a run.

    Args:
        records: What `Scorer.score_many` returns, or ``load_run(folder).records()``.
        min_foreign: From how many facts of another entity on a group is mixed; as the records were
            scored by default.
    """
    from dfactscore.results.result import Result

    used = min_foreign
    every: list[BiographyMixing | None] = []
    models: dict[str, None] = {}
    for one in records:
        record = one.record if isinstance(one, Result) else one
        used = record.options.min_foreign if used is None else used
        every.append(biography_mixing(record, min_foreign=used))
        models[record.biography.model] = None
    measured = tuple(b for b in every if b is not None)
    return RunMixing(measured, len(every) - len(measured), used or MIN_FOREIGN, tuple(models))


def _writable(graph: nx.Graph) -> nx.Graph:
    """The graph with texts that XML can hold: it knows no control characters."""
    import networkx as nx

    from dfactscore.text.clean_text import one_line

    names = {node: one_line(node, 400) for node in graph}
    if len(set(names.values())) < len(names):
        names = {node: f"{name} ({i})" for i, (node, name) in enumerate(names.items())}
    clean = nx.relabel_nodes(graph, names)
    for _, values in clean.nodes(data=True):
        values["name"] = one_line(values["name"], 400)
    return clean
