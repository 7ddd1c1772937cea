"""A table as data, independent of its rendering."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dfactscore._util.csv_text import csv_text
from dfactscore._util.files import dump_json
from dfactscore._util.printable import without_controls


@dataclass(frozen=True, slots=True)
class Cell:
    """Content of a cell.

    Attributes:
        text: The value, as people read it.
        mark: Raised letters after it.
        under: Small text under it: an interval.
        style: ``"bold"`` or ``"dim"``, on a terminal.
    """

    text: str
    mark: str = ""
    under: str = ""
    style: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes:
        title: Its heading; it has no line if no column has a title.
        left: Whether its cells begin at the left; numbers end at the right.
        fold: Whether long cells may take several lines of a terminal.
        width: The least width on a terminal.
        tex: Its heading in LaTeX; the title by default.
        widest: The greatest width on a terminal; 0 for any.
    """

    title: str = ""
    left: bool = False
    fold: bool = False
    width: int = 0
    tex: str | None = None
    widest: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table of words, with the values that they were made of.

    Attributes:
        columns: The columns.
        rows: Cells.
        title: Its heading.
        notes: Notes for the reader.
        name: Short name, for a file.
        records: The values behind the rows, unrounded, for programs; the words where there are
            none.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell | str, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    name: str = ""
    records: tuple[Mapping[str, Any], ...] | None = None


def labeled(lines: Iterable[tuple[str, str]], *, left: bool = False) -> Table:
    """Values after their labels, as a table without a head.

    Args:
        lines: Label and value of each.
        left: Whether the values begin at the left.
    """
    return Table((Column(left=True), Column(left=left)), tuple(lines))


def words(
    name: str,
    title: str,
    header: Iterable[str],
    rows: Iterable[tuple[str, ...]],
    notes: Iterable[str] = (),
) -> Table:
    """A table whose cells all begin at the left and may take several lines.

    Args:
        name: Short name, for a file.
        title: Its heading.
        header: Titles of the columns.
        rows: Cells.
        notes: Notes for the reader.
    """
    columns = tuple(Column(text, left=True, fold=True) for text in header)
    return Table(columns, tuple(rows), title, tuple(notes), name)


def to_csv(table: Table) -> str:
    """The table's values as CSV with a header."""
    if table.records is not None:
        return csv_text(table.records)
    titles = [column.title for column in table.columns]
    return csv_text(dict(zip(titles, map(str, row), strict=True)) for row in table.rows)


def json_text(value: Any) -> str:
    """A document as JSON, for which a number that is none is null."""
    return dump_json(finite(value), indent=2) + "\n"


def finite(value: Any) -> Any:
    """A JSON value with null for every number that is NaN or infinite."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    return value


def aligned(table: Table, *, gap: str = "  ", indent: str = "") -> str:
    """The table as lines of plain text; empty columns are left out.

    Args:
        table: The table.
        gap: Separator of columns.
        indent: Start of every line.

    Example:
        >>> print(aligned(Table((Column("name", left=True), Column("FS")), (("Ann Lee", "9.5"),))))
        name      FS
        Ann Lee  9.5
    """
    lines = [tuple(without_controls(str(cell)) for cell in row) for row in table.rows]
    if any(column.title for column in table.columns):
        lines.insert(0, tuple(column.title for column in table.columns))
    columns = list(enumerate(table.columns))
    filled = {i: max((_wide(line[i]) for line in lines), default=0) for i, _ in columns}
    kept = [(i, max(filled[i], column.width), column) for i, column in columns if filled[i]]
    padded = (
        gap.join(_padded(line[i], wide, column) for i, wide, column in kept) for line in lines
    )
    return "\n".join(f"{indent}{line.rstrip()}" for line in padded)


def _padded(text: str, width: int, column: Column) -> str:
    blanks = " " * (width - _wide(text))
    return text + blanks if column.left else blanks + text


def _wide(text: str) -> int:
    """Places that a text takes on a terminal, where Chinese characters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
