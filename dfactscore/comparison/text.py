"""A comparison for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dfactscore._util.console import drawn
from dfactscore.comparison.cells import Column, cell, columns, interval, legend, pvalue, signed
from dfactscore.comparison.ranks import Order, RankStability

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from dfactscore.comparison.result import Comparison

__all__ = ["ranks_lines", "render_text", "superscript"]

_OTHERS = 3  # other orders shown, of those that hold in a twentieth of the draws
_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")


def superscript(letters: str) -> str:
    """Letters raised, as marks of significance."""
    return letters.translate(_RAISED)


def render_text(comparison: Comparison, *, width: int = 100, color: bool = False) -> str:
    """Tables of levels and differences, rank stability and notes, in that many columns."""
    return drawn(lambda console: _draw(console, comparison), width=width, color=color)


def _draw(console: Console, comparison: Comparison) -> None:
    percent = f"{100 * comparison.confidence:g}"
    shown = columns(comparison)
    tables = [_levels(comparison, part) for part in _fitting(console, comparison, shown)]
    if comparison.differences:
        tables.append(_differences(comparison))
    wide = max(console.measure(table).maximum for table in tables)
    differences = tables.pop() if comparison.differences else None
    for table in tables:
        _print(console, table, wide)
    console.print(f"% with {percent} % intervals. {legend(shown)}", style="dim")
    if any(comparison.marks(m.label, k) for m in comparison.models for k in ("fs", "dfs", "gap")):
        console.print(
            "ᵃᵇ significantly higher than run a, b (paired permutation test, Holm-corrected, "
            f"level {1 - comparison.confidence:.2g}).",
            style="dim",
        )
    if differences is not None:
        console.print()
        _print(console, differences, wide)
    for line in ranks_lines(comparison):
        console.print(line)
    console.print()
    for note in comparison.notes:
        console.print(note, style="dim")


def _print(console: Console, table: Table, wide: int) -> None:
    """Prints a table, its line as long as that of the widest."""
    from rich.measure import Measurement

    wide = min(wide, console.width)
    label = next(column for column in table.columns if column.header)
    while Measurement.get(console, console.options, table).maximum < wide:
        label.min_width = (label.min_width or 0) + 1
    console.print(table)


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
    cells: list[list[Text]] = [[] for _ in comparison.models]
    for column in part:
        title, texts = _column(comparison, column)
        table.add_column(title, no_wrap=True)
        for row, text in zip(cells, texts, strict=True):
            row.append(text)
    for model, row in zip(comparison.models, cells, strict=True):
        n = f"{model.scored}/{model.n}"
        table.add_row(Text(model.letter, style="dim"), Text(model.label), n, *row)
    return table


def _column(comparison: Comparison, column: Column) -> tuple[str, list[Text]]:
    """A column's title and cells, padded so that digits stand under digits, marks beside them."""
    from rich.text import Text

    values = [cell(model, column) for model in comparison.models]
    marks = [superscript(comparison.marks(model.label, column.key)) for model in comparison.models]
    under = [interval(model, column) for model in comparison.models]
    raised = max(map(len, marks))
    width = max(len(column.title), *(len(v) + raised for v in values), *map(len, under))
    texts = []
    for value, mark, below in zip(values, marks, under, strict=True):
        text = Text(style="bold" if column.key == "dfs" else "")
        text.append(value.rjust(width - raised) + mark.ljust(raised))
        if any(under):
            text.append(f"\n{below.rjust(width)}", style="dim not bold")
        texts.append(text)
    return column.title.rjust(width), texts


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
    return [
        "",
        f"Order of the runs over {ranks.n} common names, and how often each order holds when "
        "names are resampled:",
        *_orders("FS  ", ranks.fs_order, ranks.fs_orders),
        *_orders("D-FS", ranks.dfs_order, ranks.dfs_orders),
        f"  {_change(ranks)}; the two orders differ in {100 * ranks.reordered:.1f} % of the draws"
        f"{' (a tie in one of them counts half)' if _ties(ranks) else ''}.",
    ]


def _change(ranks: RankStability) -> str:
    if ranks.dfs_reorders_fs:
        return "D-FS orders the runs otherwise than FS"
    return "D-FS keeps the order of FS"


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
