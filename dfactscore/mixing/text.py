"""Mixing of a run for the terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dfactscore._util.console import drawn
from dfactscore._util.numbers import number, percent
from dfactscore.mixing.biography import BiographyMixing
from dfactscore.text.cleaning import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from dfactscore.mixing.run import RunMixing

__all__ = ["render_mixing"]


def render_mixing(mixing: RunMixing, *, width: int, color: bool, top: int) -> str:
    """Summary, parts of the gap, and the biographies in which most is mixed."""
    return drawn(lambda console: _draw(console, mixing, top), width=width, color=color)


def _draw(console: Console, mixing: RunMixing, top: int) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    summary = mixing.summary()
    left_out = f" ({mixing.left_out} without D-FS left out)" if mixing.left_out else ""
    console.print(f"Mixing of same-name entities in {summary.n} biographies{left_out}\n")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style="dim")
    low, high = (percent(x) for x in summary.mixed_interval)
    table.add_row(
        "biographies with a mixed group", percent(summary.mixed_biographies),
        f"% ({low}–{high})",
    )  # fmt: skip
    table.add_row("mixed groups", percent(summary.mixed_groups), f"% of {summary.n_groups} groups")
    table.add_row("mixing entropy of a group", number(summary.entropy), "bits")
    table.add_row("entities that a group needs", number(summary.min_entities), "")
    table.add_row("foreign facts in a group", number(summary.foreign), "")
    table.add_row("switch points in a group", number(summary.switches), "")
    low, high = (percent(x) for x in summary.gap_interval)
    table.add_row("FS − D-FS", percent(summary.gap), f"points ({low}–{high}), of which")
    table.add_row("  same-name mixing", percent(summary.same_name), "")
    table.add_row("  other page", percent(summary.other_page), "")
    table.add_row("  link conflict", percent(summary.link_conflict), "")
    console.print(table)
    console.print(
        f"\nA group is mixed from {mixing.min_foreign} "
        f"fact{'' if mixing.min_foreign == 1 else 's'} of another entity of the name on, "
        "as in score. Intervals are 95 % bootstrap intervals over names.",
        style="dim",
    )
    if len(mixing.models) > 1:
        console.print(f"{len(mixing.models)} models are averaged together.", style="dim")
    worst = sorted(
        (b for b in mixing.biographies if b.mixed), key=lambda b: (-b.same_name, -b.foreign)
    )[:top]
    if worst:
        console.print()
        listing = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
        listing.add_column("name", overflow="fold", min_width=12)
        for title in ("facts", "switches", "gap", "same-name"):
            listing.add_column(title, justify="right", no_wrap=True)
        listing.add_column("mixed of (facts)", overflow="fold", ratio=1)
        for b in worst:
            listing.add_row(
                Text(one_line(b.name, 40)), str(b.n_facts), str(b.switches), percent(b.gap),
                percent(b.same_name), Text(_ingredients(b)),
            )  # fmt: skip
        console.print(listing)


def _ingredients(biography: BiographyMixing) -> str:
    """Whose facts the most mixed group holds."""
    group = max((g for g in biography.groups if g.mixed), key=lambda g: len(g.foreign))
    facts = Counter(c for c in group.credit if c is not None)
    return " + ".join(
        f"{one_line(biography.labels[column], 48)} ({n})" for column, n in facts.most_common()
    )
