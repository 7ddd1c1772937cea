"""A comparison as text for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dfactscore._util.printable import without_controls
from dfactscore.comparison._cells import columns, legend, test_name
from dfactscore.comparison._ranks import Order, RankStability
from dfactscore.comparison._tables import differences_table, levels_table
from dfactscore.measures._measure import Measure
from dfactscore.measures._terminal import drawn, rich_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from dfactscore.comparison._types import ComparisonData


_TESTED = (
    "n: names that both answer; points: the difference in percentage points, with its {percent} % "
    "interval; p: {test}, Holm: corrected for all tests here; *: significant, "
    "n.s.: not."
)
_CORRECTED = (
    " corr.: corrected by labels; judge: the judge's own difference, which has "
    "its bias and no test; n own: each over its own names."
)
_OTHERS = 3  # other orders shown, of those that hold in a twentieth of the draws


def render_text(comparison: ComparisonData, *, width: int = 100, color: bool = False) -> str:
    """Tables of levels and differences, rank stability and notes, in that many columns."""
    return drawn(lambda console: _draw(console, comparison), width=width, color=color)


def _draw(console: Console, comparison: ComparisonData) -> None:
    percent = f"{100 * comparison.confidence:g}"
    shown = columns(comparison)
    tables = _fitting(console, comparison, shown)
    if comparison.differences:
        tables.append(rich_table(differences_table(comparison, signs=True)))
    wide = max(console.measure(table).maximum for table in tables)
    differences = tables.pop() if comparison.differences else None
    for table in tables:
        _print(console, table, wide)
    more = "" if comparison.shown else ' More: --columns all (in Python, .select("all")).'
    said = legend(shown, comparison.judge)
    console.print(f"With {percent} % intervals. {said}{more}", style="dim")
    if any(d.significant for d in comparison.differences):
        console.print(
            f"ᵃᵇ significantly higher than run a, b ({test_name(comparison)}, Holm-corrected, "
            f"level {1 - comparison.confidence:.2g}).",
            style="dim",
        )
    if differences is not None:
        console.print()
        _print(console, differences, wide)
        more = _CORRECTED if any(d.judge is not None for d in comparison.differences) else ""
        tested = _TESTED.format(percent=percent, test=test_name(comparison))
        console.print(tested + more, style="dim")
    for line in ranks_lines(comparison):
        console.print(without_controls(line))
    console.print()
    for note in (*comparison.remarks, *comparison.signatures):
        console.print(without_controls(note), style="dim")


def _print(console: Console, table: Table, wide: int) -> None:
    """Prints a table, its line as long as that of the widest."""
    from rich.measure import Measurement

    wide = min(wide, console.width)
    label = next(column for column in table.columns if column.header)
    while Measurement.get(console, console.options, table).maximum < wide:
        label.min_width = (label.min_width or 0) + 1
        label.max_width = label.max_width and max(label.max_width, label.min_width)
    console.print(table)


def _fitting(console: Console, comparison: ComparisonData, shown: list[Measure]) -> list[Table]:
    """The columns in one table, or in as many as the width asks for."""
    from rich.measure import Measurement

    roomy = console.options.update(width=10_000)
    parts: list[list[Measure]] = []
    for column in shown:
        wider = [*(parts[-1] if parts else []), column]
        need = Measurement.get(console, roomy, rich_table(levels_table(comparison, wider))).maximum
        if parts and need <= console.width:
            parts[-1] = wider
        else:
            parts.append([column])
    return [rich_table(levels_table(comparison, part)) for part in parts or [[]]]


def ranks_lines(comparison: ComparisonData) -> list[str]:
    """Rank stability in words."""
    ranks = comparison.ranks
    if ranks is None:
        return []
    return [
        "",
        f"Order of the runs over {ranks.n} common names{_whose(comparison)}, and how often each "
        "order holds when names are resampled:",
        *_orders("FS  ", ranks.fs_order, ranks.fs_orders),
        *_orders("D-FS", ranks.dfs_order, ranks.dfs_orders),
        f"  {_change(ranks)}.",
    ]


def _whose(comparison: ComparisonData) -> str:
    corrected = any("dfs_corrected" in model.levels for model in comparison.models)
    return ", by the judge alone" if corrected else ""


def _change(ranks: RankStability) -> str:
    """Whether both scores rank the runs alike, and how often that holds."""
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


def _orders(title: str, seen: Order, orders: tuple[tuple[Order, float], ...]) -> list[str]:
    """The order as it is, then the likeliest others."""
    shares = dict(orders)
    lines = [f"  {title}  {100 * shares.get(seen, 0.0):5.1f} %  {_spelled(seen)}"]
    others = [(order, share) for order, share in orders if order != seen and share >= 0.05]
    lines += [
        f"        {100 * share:5.1f} %  {_spelled(order)}" for order, share in others[:_OTHERS]
    ]
    return lines


def _spelled(order: Order) -> str:
    return " > ".join(" = ".join(tied) for tied in order)
