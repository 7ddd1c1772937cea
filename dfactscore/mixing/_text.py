"""The mixing in a run as text for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dfactscore._text.clean_text import one_line
from dfactscore._util.numbers import counted, number, percent
from dfactscore.measures._table import Cell, Column, Table
from dfactscore.measures._terminal import drawn, rich_table
from dfactscore.mixing._biography import BiographyMixing

if TYPE_CHECKING:
    from rich.console import Console

    from dfactscore.measures._bootstrap import Interval
    from dfactscore.mixing._types import MixingData


def render_mixing(mixing: MixingData, *, width: int, color: bool, top: int) -> str:
    """Renders the summary, the parts of the gap, and the biographies that mix the most facts."""
    return drawn(lambda console: _draw(console, mixing, top), width=width, color=color)


def _draw(console: Console, mixing: MixingData, top: int) -> None:
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
    console.print(
        f"\nA group is mixed if it has at least {counted(mixing.min_foreign, 'fact')} of another "
        "entity of the name, as in score. Intervals are 95 % bootstrap intervals over names.",
        style="dim",
    )
    if len(mixing.models) > 1:
        console.print(f"{len(mixing.models)} models are averaged together.", style="dim")
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
            one_line(b.name, 40),
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
