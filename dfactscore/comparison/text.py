"""A comparison for the terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from dfactscore.comparison.cells import COLUMNS, Column, cell, columns, interval, pvalue, signed
from dfactscore.comparison.result import Comparison

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["ranks_lines", "render_text", "superscript"]

_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")


def superscript(letters: str) -> str:
    """Letters raised, as marks of significance."""
    return letters.translate(_RAISED)


def render_text(comparison: Comparison, *, width: int = 100, color: bool = False) -> str:
    """Tables of levels and differences, rank stability and notes, in that many columns."""
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=color, color_system="standard" if color else None,
        highlight=False, legacy_windows=False, emoji=False, markup=False,
        force_jupyter=False,  # else rich shows the lines in a notebook instead of writing them
    )  # fmt: skip
    percent = f"{100 * comparison.confidence:g}"
    shown = columns(comparison)
    for part in _fitting(console, comparison, shown):
        console.print(_levels(comparison, part))
    console.print(f"% with {percent} % intervals. {_legend(shown)}", style="dim")
    if any(comparison.marks(m.label, k) for m in comparison.models for k in ("fs", "dfs", "gap")):
        console.print(
            "ᵃᵇ significantly higher than run a, b (paired permutation test, Holm-corrected, "
            f"level {1 - comparison.confidence:.2g}).",
            style="dim",
        )
    if comparison.differences:
        console.print()
        console.print(_differences(comparison))
    for line in ranks_lines(comparison):
        console.print(line)
    console.print()
    for note in comparison.notes:
        console.print(note, style="dim")
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _legend(shown: list[Column]) -> str:
    known = {c.key for c in shown}
    return "; ".join(f"{c.title}: {c.legend}" for c in COLUMNS if c.key in known) + "."


def _fitting(console: Console, comparison: Comparison, shown: list[Column]) -> list[list[Column]]:
    """The columns in one table, or in as many as the width asks for."""
    from rich.measure import Measurement

    roomy = console.options.update(width=10_000)
    parts: list[list[Column]] = []
    for column in shown:
        wider = [*(parts[-1] if parts else []), column]
        need = Measurement.get(console, roomy, _levels(comparison, wider)).maximum
        if parts and need <= console.width:
            parts[-1] = wider
        else:
            parts.append([column])
    return parts


def _new_table() -> Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))


def _levels(comparison: Comparison, part: list[Column]) -> Table:
    from rich.text import Text

    table = _new_table()
    table.add_column("")
    table.add_column("run", overflow="fold", min_width=8)
    table.add_column("n", justify="right", no_wrap=True)
    for column in part:
        table.add_column(column.title, justify="right", no_wrap=True)
    for model in comparison.models:
        cells = []
        for column in part:
            value = cell(model, column)
            marks = superscript(comparison.marks(model.label, column.key))
            text = Text(value + marks, style="bold" if column.key == "dfs" else "")
            if under := interval(model, column):
                text.append(f"\n{under}", style="dim")
            cells.append(text)
        n = f"{model.answered}/{model.n}"
        table.add_row(Text(model.letter, style="dim"), Text(model.label), n, *cells)
    return table


def _differences(comparison: Comparison) -> Table:
    from rich.text import Text

    table = _new_table()
    table.add_column("difference", overflow="fold")
    for title in ("score", "n", "points"):
        table.add_column(title, justify="left" if title == "score" else "right", no_wrap=True)
    table.add_column(f"{100 * comparison.confidence:g} %", justify="right", no_wrap=True)
    for title in ("p", "Holm", ""):
        table.add_column(title, justify="right", no_wrap=True)
    titles = {"fs": "FS", "dfs": "D-FS", "gap": "gap"}
    last = None
    for d in comparison.differences:
        pair = f"{d.first} − {d.second}"
        low, high = (f"{100 * x:+.1f}".replace("-", "−") for x in d.interval)
        table.add_row(
            Text("" if pair == last else pair), titles[d.measure], str(d.n), signed(d),
            f"{low} to {high}", pvalue(d.p), pvalue(d.p_holm),
            Text("*", style="bold") if d.significant else Text("n.s.", style="dim"),
        )  # fmt: skip
        last = pair
    return table


def ranks_lines(comparison: Comparison) -> list[str]:
    """Rank stability in words."""
    ranks = comparison.ranks
    if ranks is None:
        return []
    changed = (
        "D-FS orders the runs otherwise than FS"
        if ranks.dfs_reorders_fs
        else "D-FS keeps the order of FS"
    )
    return [
        "",
        f"Order of the runs over {ranks.n} common names, and how often it holds when names are "
        "drawn anew:",
        f"  FS    {' > '.join(ranks.fs_order)}  ({100 * ranks.fs_held:.1f} %)",
        f"  D-FS  {' > '.join(ranks.dfs_order)}  ({100 * ranks.dfs_held:.1f} %)",
        f"  {changed}; the two orders differ in {100 * ranks.reordered:.1f} % of the draws.",
    ]
