"""Renders a comparison as text for a terminal, Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dfactscore._scoring.biography_scores import THIN_NOTE
from dfactscore._util.message_text import without_controls
from dfactscore.comparison._comparison_tables import (
    caption_of,
    columns,
    differences_table,
    legend,
    levels_table,
    test_name,
)
from dfactscore.comparison._ranks import Order, RankStability
from dfactscore.measures._rendering import (
    drawn,
    latex_text,
    markdown_text,
    rich_table,
    to_latex,
    to_markdown,
)
from dfactscore.measures._table import Measure

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from dfactscore.comparison._types import ComparisonData


_TESTED = (
    "n: names that both runs answered; points: the difference in percentage points, with its "
    "{percent} % interval; p: {test}; Holm: p corrected for all tests here; *: significant; "
    "n.s.: not significant."
)
_CORRECTED = (
    " corr.: corrected by labels; judge: the difference by the judge without correction, which "
    "is biased and not tested; n own: each run over its own names."
)
_OTHERS = 3  # maximum number of other rankings shown, each occurring in at least 5 % of the draws


def render_text(comparison: ComparisonData, *, width: int = 100, color: bool = False) -> str:
    """Renders the tables of levels and differences, rank stability and notes."""
    return drawn(lambda console: _draw(console, comparison), width=width, color=color)


def _draw(console: Console, comparison: ComparisonData) -> None:
    percent = f"{100 * comparison.confidence:g}"
    measures = columns(comparison)
    tables = _fitting(console, comparison, measures)
    if comparison.differences:
        tables.append(rich_table(differences_table(comparison, signs=True)))
    wide = max(console.measure(table).maximum for table in tables)
    differences = tables.pop() if comparison.differences else None
    for table in tables:
        _print(console, table, wide)
    hint = "" if comparison.shown else ' More: --columns all (in Python, .select("all")).'
    column_legend = legend(measures, comparison.judge)
    console.print(f"With {percent} % intervals. {column_legend}{hint}", style="dim")
    if any(d.significant for d in comparison.differences):
        console.print(
            f"ᵃᵇ significantly higher than run a, b ({test_name(comparison)}, Holm-corrected, "
            f"level {1 - comparison.confidence:.2g}).",
            style="dim",
        )
    if differences is not None:
        console.print()
        _print(console, differences, wide)
        hint = _CORRECTED if any(d.judge is not None for d in comparison.differences) else ""
        test_legend = _TESTED.format(percent=percent, test=test_name(comparison))
        console.print(test_legend + hint, style="dim")
    for line in ranks_lines(comparison):
        console.print(without_controls(line))
    console.print()
    for note in (*comparison.remarks, *comparison.signatures):
        console.print(without_controls(note), style="dim")


def _print(console: Console, table: Table, wide: int) -> None:
    """Prints a table after widening it to match the widest one."""
    from rich.measure import Measurement

    wide = min(wide, console.width)
    label = next(column for column in table.columns if column.header)
    while Measurement.get(console, console.options, table).maximum < wide:
        label.min_width = (label.min_width or 0) + 1
        label.max_width = label.max_width and max(label.max_width, label.min_width)
    console.print(table)


def _fitting(console: Console, comparison: ComparisonData, measures: list[Measure]) -> list[Table]:
    """Distributes the columns over as many tables as the width of the console requires."""
    from rich.measure import Measurement

    roomy = console.options.update(width=10_000)
    parts: list[list[Measure]] = []
    for column in measures:
        wider = [*(parts[-1] if parts else []), column]
        need = Measurement.get(console, roomy, rich_table(levels_table(comparison, wider))).maximum
        if parts and need <= console.width:
            parts[-1] = wider
        else:
            parts.append([column])
    return [rich_table(levels_table(comparison, part)) for part in parts or [[]]]


def ranks_lines(comparison: ComparisonData) -> list[str]:
    """Returns the lines about rank stability."""
    ranks = comparison.ranks
    if ranks is None:
        return []
    return [
        "",
        f"Order of the runs over {ranks.n} common names{_judge_note(comparison)}, and how often "
        "each order holds when names are resampled:",
        *_orders("FS  ", ranks.fs_order, ranks.fs_orders),
        *_orders("D-FS", ranks.dfs_order, ranks.dfs_orders),
        f"  {_change(ranks)}.",
    ]


def _judge_note(comparison: ComparisonData) -> str:
    corrected = any("dfs_corrected" in model.levels for model in comparison.models)
    return ", by the judge alone" if corrected else ""


def _change(ranks: RankStability) -> str:
    """Describes whether both scores rank the runs the same way, and in what share of the draws."""
    if ranks.dfs_reorders_fs:
        verdict, share = "FS and D-FS rank the runs differently", ranks.reordered
    else:
        verdict, share = "FS and D-FS rank the runs alike", 1 - ranks.reordered
    percent = f"{100 * share:.1f}"
    if percent == "100.0":
        return f"{verdict}, whichever names are drawn"
    ties = " (a tie in one of them counts half)" if _ties(ranks) else ""
    return f"{verdict}, and do so in {percent} % of the draws{ties}"


def _ties(ranks: RankStability) -> bool:
    orders = (order for order, _ in (*ranks.fs_orders, *ranks.dfs_orders))
    return any(len(tied) > 1 for order in orders for tied in order)


def _orders(title: str, observed: Order, orders: tuple[tuple[Order, float], ...]) -> list[str]:
    """Returns lines that show the observed ranking and the most frequent other rankings."""
    shares = dict(orders)
    lines = [f"  {title}  {100 * shares.get(observed, 0.0):5.1f} %  {_spelled(observed)}"]
    others = [(order, share) for order, share in orders if order != observed and share >= 0.05]
    lines += [
        f"        {100 * share:5.1f} %  {_spelled(order)}" for order, share in others[:_OTHERS]
    ]
    return lines


def _spelled(order: Order) -> str:
    return " > ".join(" = ".join(tied) for tied in order)


def render_markdown(comparison: ComparisonData, caption: str | None = None) -> str:
    """Renders the tables of levels and differences, rank stability and notes."""
    measures = columns(comparison)
    title = caption_of(comparison) if caption is None else caption
    lines = [f"**{markdown_text(title.rstrip('.'))}.**", ""] if title else []
    lines += [to_markdown(levels_table(comparison, measures)), ""]
    lines += [markdown_text(_notes(comparison, measures))]
    if comparison.differences:
        lines += ["", to_markdown(differences_table(comparison))]
    order = [markdown_text(line.strip()) for line in ranks_lines(comparison)[1:]]
    if order:
        lines += ["", order[0], "", *(f"- {line}" for line in order[1:])]
    for note in (*comparison.remarks, *comparison.signatures):
        lines += ["", markdown_text(note)]
    return "\n".join(lines) + "\n"


def _notes(comparison: ComparisonData, measures: list[Measure]) -> str:
    """Returns the legend for the columns and the significance marks."""
    text = legend(measures, comparison.judge)
    if any(comparison.marks(m.label, c.name) for m in comparison.models for c in measures):
        text += (
            f" Superscripts: significantly higher than these runs ({test_name(comparison)}, "
            f"Holm-corrected, level {1 - comparison.confidence:.2g})."
        )
    return text


def render_latex(comparison: ComparisonData, caption: str | None = None) -> str:
    """Renders the table of levels, with superscript marks and with intervals below the values."""
    measures = columns(comparison)
    title = caption_of(comparison) if caption is None else caption
    opening = [r"\begin{table}", r"\centering", rf"\caption{{{latex_text(title.rstrip('.'))}.}}"]
    lines = [r"% \usepackage{booktabs}", *(opening if title else ())]
    lines.append(to_latex(levels_table(comparison, measures)))
    if not title:
        lines += [f"% {signature}" for signature in comparison.signatures]
    else:
        notes = _notes(comparison, measures)
        if any(model.thin for model in comparison.models):
            notes += f" {THIN_NOTE}."
        for text in (notes, *comparison.signatures):
            lines.append(rf"\par\smallskip{{\footnotesize {latex_text(text)}\par}}")
        lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"
