"""Renders tables in a terminal with rich."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from dfactscore._util.printable import without_controls
from dfactscore.measures._markup import superscript
from dfactscore.measures._table import Cell, Column, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text


def drawn(draw: Callable[[Console], None], *, width: int, color: bool = False) -> str:
    r"""Output of a function on a console, without blanks at the ends of lines.

    Args:
        draw: Called with the console.
        width: Columns.
        color: Keep colors, as escape sequences.

    Example:
        >>> drawn(lambda console: console.print("[b] stays as it is   "), width=40)
        '[b] stays as it is\n'
    """
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        legacy_windows=False,
        emoji=False,
        markup=False,
        force_jupyter=False,  # else rich shows the lines in a notebook instead of writing them
    )
    draw(console)
    text = out.getvalue() if color else without_controls(out.getvalue())
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def text_tables(tables: Iterable[Table], *, width: int = 100) -> str:
    """Tables for a terminal, in that many columns, with their titles and notes."""

    def draw(console: Console) -> None:
        for number, table in enumerate(tables):
            if number:
                console.print()
            print_table(console, table)

    return drawn(draw, width=width)


def print_table(console: Console, table: Table) -> None:
    """Prints a table with its title above and its notes below it."""
    if table.title:
        console.print(table.title)
    if table.rows:
        console.print(rich_table(table))
    for note in table.notes:
        console.print(note)


def rich_table(table: Table) -> RichTable:
    """The table for a console; digits are aligned, with marks beside them."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    head = any(column.title for column in table.columns)
    shown = RichTable(
        box=box.SIMPLE_HEAD if head else None,
        show_header=head,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1),
    )
    columns = []
    for i, column in enumerate(table.columns):
        width, cells = _cells(column, [row[i] for row in table.rows])
        shown.add_column(
            Text(column.title.rjust(width)),
            # Padded text is left alone: rich would remove blanks at its end.
            justify="left" if column.left or width else "right",
            overflow="fold",
            no_wrap=not column.fold,
            min_width=column.width or None,
            max_width=column.widest or None,
        )
        columns.append(cells)
    for row in zip(*columns, strict=True):
        shown.add_row(*row)
    return shown


def _cells(column: Column, given: list[Cell | str]) -> tuple[int, list[Text]]:
    """Cells with their marks and the text under them, and their padded width; else 0."""
    from rich.text import Text

    cells = [Cell(cell) if isinstance(cell, str) else cell for cell in given]
    cells = [replace(cell, text=without_controls(cell.text)) for cell in cells]
    if not any(cell.mark or cell.under for cell in cells):
        return 0, [Text(cell.text, style=cell.style) for cell in cells]
    marks = [superscript(cell.mark) for cell in cells]
    raised = max(map(len, marks))
    width = (
        0
        if column.left
        else max(
            len(column.title),
            *(len(cell.text) + raised for cell in cells),
            *(len(cell.under) for cell in cells),
        )
    )
    found = []
    for cell, mark in zip(cells, marks, strict=True):
        text = Text(cell.text.rjust(width - raised) + mark.ljust(raised), style=cell.style)
        if any(other.under for other in cells):
            text.append(f"\n{cell.under.rjust(width)}", style="dim not bold")
        found.append(text)
    return width, found
