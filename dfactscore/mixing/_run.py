"""Mixing of people in a run: its frequency, the gap by cause, the mixed entities, text, plots."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._results.result import Result
from dfactscore._scoring.record import Record
from dfactscore._text.clean_text import one_line
from dfactscore._util.numbers import counted, mean, number, percent
from dfactscore._util.tables import csv_text
from dfactscore.linking import MIXED_SHARE, Mixed, mixed_pairs, mixing_graph
from dfactscore.measures._rendering import drawn, rich_table, to_latex, to_markdown
from dfactscore.measures._resampling import Interval, clustered_interval
from dfactscore.measures._table import Cell, Column, Table, json_text
from dfactscore.mixing._biography import BiographyMixing, biography_mixing
from dfactscore.mixing._mixing_plots import MOST_PEOPLE, plot_mixing

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    from rich.console import Console


GAP_PARTS = ("same_name", "other_page", "link_conflict")


@dataclass(frozen=True, slots=True)
class MixingSummary:
    """Means over the biographies that have a D-FS.

    Attributes:
        n: The number of biographies that have a D-FS.
        n_groups: The number of groups in which an entity with the name supports at least one fact.
        mixed_groups: The share of these groups that are mixed.
        mixed_biographies: The share of biographies with a mixed group.
        mixed_interval: The confidence interval of `mixed_biographies`.
        entropy: The mean mixing entropy of a group, in bits.
        min_entities: The mean number of entities that a group needs.
        foreign: The mean number of foreign facts per group.
        switches: The mean number of switch points per group.
        gap: The mean FS − D-FS.
        gap_interval: The confidence interval of the gap.
        same_name, other_page, link_conflict: The three parts that add up to the gap.
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


Rows = Literal["model", "number", "popularity", "layout"]


def _order(b: BiographyMixing, by: Rows) -> float:
    """Returns the place of a biography's part; models and layouts keep their order."""
    views = -1.0 if b.views is None else b.views
    return {"number": float(b.n_named), "popularity": views}.get(by, 0.0)


def _part(b: BiographyMixing, by: Rows) -> str:
    if by == "number":
        return f"{MOST_PEOPLE}+" if b.n_named >= MOST_PEOPLE else str(b.n_named)
    if by == "popularity":
        if b.views is None:
            return "unknown"
        least = 10 ** (len(str(int(b.views))) - 1) if b.views >= 1 else 0
        return f"{least:,} views and more"
    return {"model": b.model, "layout": b.layout}[by] or "unknown"


def parts_table(mixing: MixingData, by: Rows) -> Table:
    """Creates a table with one row per part of the biographies; intervals are over names."""
    rows: list[tuple[Cell | str, ...]] = []
    for label, part in mixing.parts(by).items():
        s = part.summary()
        intervals = [_between(i).strip(" ()") for i in (s.mixed_interval, s.gap_interval)]
        rows.append(
            (
                label,
                str(s.n),
                Cell(percent(s.mixed_biographies), under=intervals[0]),
                Cell(percent(s.gap), under=intervals[1]),
                *(percent(getattr(s, name)) for name in GAP_PARTS),
                number(s.entropy),
                number(s.min_entities),
            )
        )
    titles = ("n", "mixed", "gap", "same-name", "other page", "link conflict", "bits", "needed")
    columns = (Column(by, left=True, fold=True), *map(Column, titles))
    return Table(columns, tuple(rows), name=by)


_PARTS_NOTE = (
    "mixed: % of texts with a mixed group; gap: FS − D-FS in points, and its three parts; bits: "
    "mixing entropy of a group; needed: entities that a group needs. 95 % intervals over names."
)


@dataclass(frozen=True)
class MixingData:
    """The fields of `dfactscore.RunMixing`, which documents them, and their sums."""

    biographies: tuple[BiographyMixing, ...]
    left_out: int
    min_foreign: int | None
    models: tuple[str, ...] = ()

    def summary(self) -> MixingSummary:
        """Averages the biographies, with 95 % percentile bootstrap intervals over names."""
        names = [b.name for b in self.biographies]
        groups = [g for b in self.biographies for g in b.groups if g.supported]
        mixed = [float(b.mixed > 0) for b in self.biographies]
        gap = [b.gap for b in self.biographies]
        parts = {p: mean([getattr(b, p) for b in self.biographies]) for p in GAP_PARTS}
        return MixingSummary(
            n=len(self.biographies),
            n_groups=len(groups),
            mixed_groups=mean([float(g.mixed is True) for g in groups]),
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
        """Counts the pairs of mixed entities (see `dfactscore.linking.mixed_pairs`)."""
        return mixed_pairs((b.name, b.entities, b.groups) for b in self.biographies)

    def graph(self) -> nx.Graph:
        """Returns the graph of mixed entities (see `dfactscore.linking.mixing_graph`)."""
        return mixing_graph((b.name, b.entities, b.groups) for b in self.biographies)

    def parts(self, by: Rows) -> dict[str, MixingData]:
        """Splits the biographies by model, number of entities of the name, page views or layout."""
        found: dict[str, list[BiographyMixing]] = defaultdict(list)
        for b in sorted(self.biographies, key=lambda b: _order(b, by)):
            found[_part(b, by)].append(b)
        return {label: replace(self, biographies=tuple(part)) for label, part in found.items()}

    def worst(self) -> list[BiographyMixing]:
        """Returns the biographies, most mixed first."""
        return sorted(self.biographies, key=lambda b: (-b.same_name, -b.foreign))


def render_mixing(
    mixing: MixingData, *, width: int, color: bool, top: int, rows: Rows | None = None
) -> str:
    """Renders the summary, the parts of the gap, and the biographies that mix the most facts."""
    return drawn(lambda console: _draw(console, mixing, top, rows), width=width, color=color)


def _draw(console: Console, mixing: MixingData, top: int, rows_by: Rows | None) -> None:
    summary = mixing.summary()
    left_out = f" ({mixing.left_out} without D-FS left out)" if mixing.left_out else ""
    console.print(f"Mixing of same-name entities in {counted(summary.n, 'biography')}{left_out}\n")
    measures = (
        (
            "biographies with a mixed group",
            percent(summary.mixed_biographies),
            f"%{_between(summary.mixed_interval)}",
        ),
        (
            "mixed groups",
            percent(summary.mixed_groups),
            f"% of {counted(summary.n_groups, 'group')}",
        ),
        ("mixing entropy of a group", number(summary.entropy), "bits"),
        ("entities that a group needs", number(summary.min_entities), ""),
        ("foreign facts in a group", number(summary.foreign), ""),
        ("switch points in a group", number(summary.switches), ""),
        ("FS − D-FS", percent(summary.gap), f"points{_between(summary.gap_interval)}, of which"),
        ("  same-name mixing", percent(summary.same_name), ""),
        ("  other page", percent(summary.other_page), ""),
        ("  link conflict", percent(summary.link_conflict), ""),
    )
    rows = tuple((label, value, Cell(more, style="dim")) for label, value, more in measures)
    columns = (Column(left=True, fold=True), Column(), Column(left=True, fold=True))
    console.print(rich_table(Table(columns, rows)))
    least = f"more than {MIXED_SHARE:.0%} of the text's facts are"
    if mixing.min_foreign is not None:
        least = f"at least {counted(mixing.min_foreign, 'fact')} of it are"
    console.print(
        f"\nA group is mixed if {least} true only of one other entity of the name, as in score. "
        "Intervals are 95 % bootstrap intervals over names.",
        style="dim",
    )
    if len(mixing.models) > 1:
        console.print(f"{len(mixing.models)} models are averaged together above.", style="dim")
        rows_by = rows_by or "model"
    if rows_by is not None:
        console.print()
        console.print(rich_table(parts_table(mixing, rows_by)))
        console.print(_PARTS_NOTE, style="dim")
    worst = [b for b in mixing.worst() if b.mixed][:top]
    if worst:
        console.print()
        console.print(rich_table(_worst(worst)))


def _between(interval: Interval) -> str:
    """Formats an interval in brackets; returns an empty string if there is none."""
    low, high = interval
    return "" if low != low else f" ({percent(low)}–{percent(high)})"


def _worst(listed: Sequence[BiographyMixing]) -> Table:
    columns = (
        Column("name", left=True, fold=True, width=12),
        *map(Column, ("facts", "switches", "gap", "same-name")),
        Column("mixed people (facts)", left=True, fold=True),
    )
    rows = tuple(
        (
            one_line(b.name if b.id in ("", b.name) else f"{b.name} ({b.id})", 60),
            str(b.n_facts),
            str(b.switches),
            percent(b.gap),
            percent(b.same_name),
            _ingredients(b),
        )
        for b in listed
    )
    return Table(columns, rows)


def _ingredients(biography: BiographyMixing) -> str:
    """Returns the entities in the most mixed group and the number of facts about each."""
    group = max((g for g in biography.groups if g.mixed), key=lambda g: len(g.foreign))
    facts = Counter(c for c in group.credit if c is not None)
    return " + ".join(
        f"{one_line(biography.labels[column], 48)} ({n})" for column, n in facts.most_common()
    )


@dataclass(frozen=True)
class RunMixing(MixingData):
    """The mixing in a run; ``print`` shows the tables.

    Attributes:
        biographies: The biographies that have a D-FS.
        left_out: The number of biographies without a D-FS.
        min_foreign: Number of facts of a namesake at which a group counts as mixed; None for more
            than a twentieth of the text's facts.
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
                "model": b.model,
                "layout": b.layout,
                "views": b.views,
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

    def to_text(
        self, *, width: int = 100, color: bool = False, top: int = 10, rows: Rows | None = None
    ) -> str:
        """Returns the tables for a terminal.

        Args:
            width: The width of the terminal in columns.
            color: Whether to use colors.
            top: The maximum number of biographies to list.
            rows: What the rows of a further table are: each ``"model"`` (the default if there are
                several), ``"number"`` of entities of the name, ``"popularity"`` or ``"layout"``.
        """
        return render_mixing(self, width=width, color=color, top=top, rows=rows)

    def to_latex(self, *, rows: Rows = "model") -> str:
        """Returns the table with one row per model, number, popularity or layout in LaTeX."""
        return f"% \\usepackage{{booktabs}}\n{to_latex(parts_table(self, rows))}\n% {_PARTS_NOTE}\n"

    def to_markdown(self, *, rows: Rows = "model") -> str:
        """Returns the table of `to_latex` in Markdown."""
        return f"{to_markdown(parts_table(self, rows))}\n\n{_PARTS_NOTE}\n"


def run_mixing(
    records: Iterable[Record | Result],
    *,
    min_foreign: int | None = None,
    views: Mapping[str, float] | None = None,
) -> RunMixing:
    """Measures the mixing in a run.

    Args:
        records: The result of `Scorer.score_many`, or ``load_run(folder).records()``.
        min_foreign: Number of facts of a namesake at which a group counts as mixed; by default, as
            the records were scored.
        views: Page views by title, for rows by popularity.
    """
    used = min_foreign
    every: list[BiographyMixing | None] = []
    models: dict[str, None] = {}
    for one in records:
        record = one.record if isinstance(one, Result) else one
        used = record.options.min_foreign if used is None else used
        every.append(biography_mixing(record, min_foreign=used, views=views))
        models[record.biography.model] = None
    measured = tuple(b for b in every if b is not None)
    return RunMixing(measured, len(every) - len(measured), used, tuple(models))


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
