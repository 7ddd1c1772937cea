"""Mixing of people in a run: its frequency, the gap by cause, and the mixed entities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._results.result import Result
from dfactscore._scoring.record import Record
from dfactscore._text.clean_text import one_line
from dfactscore._util.csv_text import csv_text
from dfactscore.linking import MIN_FOREIGN
from dfactscore.measures._table import json_text
from dfactscore.mixing._biography import BiographyMixing, biography_mixing
from dfactscore.mixing._plots import plot_mixing
from dfactscore.mixing._text import render_mixing
from dfactscore.mixing._types import GAP_PARTS, MixingData

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


@dataclass(frozen=True)
class RunMixing(MixingData):
    """The mixing in a run; ``print`` shows the tables.

    Attributes:
        biographies: The biographies that have a D-FS.
        left_out: The number of biographies without a D-FS.
        min_foreign: Number of facts about another entity at which a group counts as mixed.
        models: The models that wrote the biographies; averages are over all models.
    """

    def to_graphml(self) -> str:
        """Returns the graph as GraphML, for Gephi, Cytoscape or networkx."""
        import networkx as nx

        return "\n".join(nx.generate_graphml(_writable(self.graph()))) + "\n"

    def plot(self, kind: str = "graph", path: str | Path | None = None) -> Any:
        """Draws the mixing (extra ``[plot]``).

        Args:
            kind: ``"graph"`` shows the entities that are mixed, ``"by_number"`` the share of mixed
                biographies by number of people who bear the name.
            path: Path to save the plot to (.png, .svg or .pdf); by default, it is not saved.

        Returns:
            The matplotlib figure.
        """
        return plot_mixing(self, kind, path)

    def rows(self) -> list[dict[str, Any]]:
        """Returns one mapping per biography, most mixed first."""
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

    def to_frame(self) -> pd.DataFrame:
        """Returns one row per biography, most mixed first."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def to_csv(self) -> str:
        """Returns the rows as unrounded CSV."""
        rows = self.rows()
        return csv_text(rows, None if rows else ["id"])

    def to_json(self) -> str:
        """Returns the summary and rows as JSON."""
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
        """Returns the tables for a terminal; ``top`` limits the list of biographies."""
        return render_mixing(self, width=width, color=color, top=top)


def run_mixing(records: Iterable[Record | Result], *, min_foreign: int | None = None) -> RunMixing:
    """Measures the mixing in a run.

    Args:
        records: The result of `Scorer.score_many`, or ``load_run(folder).records()``.
        min_foreign: Number of facts about another entity at which a group counts as mixed; by
            default, the number used when the records were scored.
    """
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
    """Returns the graph without control characters, which XML does not allow."""
    import networkx as nx

    names = {node: one_line(node, 400) for node in graph}
    if len(set(names.values())) < len(names):
        names = {node: f"{name} ({i})" for i, (node, name) in enumerate(names.items())}
    clean = nx.relabel_nodes(graph, names)
    for _, values in clean.nodes(data=True):
        values["name"] = one_line(values["name"], 400)
    return clean
