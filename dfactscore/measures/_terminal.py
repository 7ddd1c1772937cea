"""Renders tables for a terminal using rich."""

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
    r"""Returns the console output of a function, with trailing spaces removed from lines.

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
        force_jupyter=False,  # otherwise rich displays the lines in a notebook
    )
    draw(console)
    text = out.getvalue() if color else without_controls(out.getvalue())
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def text_tables(tables: Iterable[Table], *, width: int = 100) -> str:
    """Formats tables, including titles and notes, for a terminal that is `width` columns wide."""

    def draw(console: Console) -> None:
        for number, table in enumerate(tables):
            if number:
                console.print()
            print_table(console, table)

    return drawn(draw, width=width)


def print_table(console: Console, table: Table) -> None:
    """Prints a table, with the title above and the notes below."""
    if table.title:
        console.print(table.title)
    if table.rows:
        console.print(rich_table(table))
    for note in table.notes:
        console.print(note)


def rich_table(table: Table) -> RichTable:
    """Converts a table to a rich table in which numbers are aligned despite their marks."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    has_head = any(column.title for column in table.columns)
    output = RichTable(
        box=box.SIMPLE_HEAD if has_head else None,
        show_header=has_head,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1),
    )
    columns = []
    for i, column in enumerate(table.columns):
        width, cells = _cells(column, [row[i] for row in table.rows])
        output.add_column(
            Text(column.title.rjust(width)),
            # Padded text is not aligned by rich, which would remove the spaces at its end.
            justify="left" if column.left or width else "right",
            overflow="fold",
            no_wrap=not column.fold,
            min_width=column.width or None,
            max_width=column.widest or None,
        )
        columns.append(cells)
    for row in zip(*columns, strict=True):
        output.add_row(*row)
    return output


def _cells(column: Column, values: list[Cell | str]) -> tuple[int, list[Text]]:
    """Returns the width to which the cells are padded (0 for none), and the cells as rich text."""
    from rich.text import Text

    cells = [Cell(cell) if isinstance(cell, str) else cell for cell in values]
    cells = [replace(cell, text=without_controls(cell.text)) for cell in cells]
    if not any(cell.mark or cell.under for cell in cells):
        return 0, [Text(cell.text, style=cell.style) for cell in cells]
    marks = [superscript(cell.mark) for cell in cells]
    mark_width = max(map(len, marks))
    width = (
        0
        if column.left
        else max(
            len(column.title),
            *(len(cell.text) + mark_width for cell in cells),
            *(len(cell.under) for cell in cells),
        )
    )
    texts = []
    for cell, mark in zip(cells, marks, strict=True):
        text = Text(cell.text.rjust(width - mark_width) + mark.ljust(mark_width), style=cell.style)
        if any(other.under for other in cells):
            text.append(f"\n{cell.under.rjust(width)}", style="dim not bold")
        texts.append(text)
    return width, texts
