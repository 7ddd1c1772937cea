"""Definitions of measures, and tables as data, independent of their rendering."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._util.files import dump_json
from dfactscore._util.message_text import near_miss, without_controls
from dfactscore._util.tables import csv_text

EVERY = "all"
"""The key for all measures with a place in tables."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure that is computed for each text and averaged over texts."""

    name: str  # key in files, and the attribute name in a text's scores and in a summary
    title: str
    help: str
    # The texts included in the mean: `"scored"` texts, texts with `"both"` FS and D-FS, or another
    # choice that the summary offers.
    of: Literal["scored", "both", "other"] = "other"
    compared: bool = False
    count: bool = False  # whether the measure is a count; otherwise it is a share from 0 to 1
    interval: bool = False
    # The position among the columns of a comparison; 0 for a column shown only if requested by
    # name.
    place: int = 0
    usual: bool = False

    def __str__(self) -> str:
        return self.name


def find_measures(
    keys: Iterable[str],
    known: Mapping[str, Measure],
    create: Callable[[str], Measure | None] = lambda _: None,
) -> tuple[Measure, ...]:
    """Returns the measures for keys, without duplicates; ``"all"`` stands for all with a place."""
    measures: dict[str, Measure] = {}
    for key in keys:
        if key == EVERY:
            placed = sorted((m for m in known.values() if m.place), key=lambda m: m.place)
            measures |= {m.name: m for m in placed}
        elif (measure := known.get(key) or create(key)) is not None:
            measures[key] = measure
        else:
            names = (EVERY, *known)
            raise InputError(
                f"unknown column {key!r}; choose {', '.join(names)}{near_miss(key, names)}"
            )
    return tuple(measures.values())


@dataclass(frozen=True, slots=True)
class Cell:
    """The content of a cell.

    Attributes:
        text: The formatted value.
        mark: Letters to show in superscript after the value.
        under: Small text to show under the value, such as an interval.
        style: The style on a terminal: ``"bold"`` or ``"dim"``.
    """

    text: str
    mark: str = ""
    under: str = ""
    style: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Column:
    """The heading and alignment of a column.

    Attributes:
        title: The heading. If no column has a title, the table has no heading row.
        left: Whether cells are left-aligned instead of right-aligned.
        fold: Whether long cells may span several lines on a terminal.
        width: The minimum width on a terminal.
        tex: The heading in LaTeX; the title by default.
        widest: The maximum width on a terminal; 0 for no limit.
    """

    title: str = ""
    left: bool = False
    fold: bool = False
    width: int = 0
    tex: str | None = None
    widest: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table of formatted cells, together with the unrounded values.

    Attributes:
        columns: The columns.
        rows: The cells.
        title: The heading of the table.
        notes: Notes for the reader.
        name: Short name, used in file names.
        records: The unrounded values, for programs; None if the cells themselves contain them.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell | str, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    name: str = ""
    records: tuple[Mapping[str, Any], ...] | None = None


def labeled(lines: Iterable[tuple[str, str]], *, left: bool = False) -> Table:
    """Creates a table of labels and values without headings."""
    return Table((Column(left=True), Column(left=left)), tuple(lines))


def words(
    name: str,
    title: str,
    header: Iterable[str],
    rows: Iterable[tuple[str, ...]],
    notes: Iterable[str] = (),
) -> Table:
    """Creates a table whose cells are left-aligned and may span several lines."""
    columns = tuple(Column(text, left=True, fold=True) for text in header)
    return Table(columns, tuple(rows), title, tuple(notes), name)


def to_csv(table: Table) -> str:
    """Returns a table's values as CSV with a header."""
    if table.records is not None:
        return csv_text(table.records)
    titles = [column.title for column in table.columns]
    return csv_text(dict(zip(titles, map(str, row), strict=True)) for row in table.rows)


def json_text(value: Any) -> str:
    """Formats a value as JSON, with null in place of NaN and infinite numbers."""
    return dump_json(finite(value), indent=2) + "\n"


def finite(value: Any) -> Any:
    """Replaces NaN and infinite numbers in a JSON value with None."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(v) for v in value]
    return value


def aligned(table: Table, *, gap: str = "  ", indent: str = "") -> str:
    """Formats a table as lines of plain text, leaving out empty columns.

    Args:
        table: The table.
        gap: The column separator.
        indent: The string at the start of each line.

    Example:
        >>> print(aligned(Table((Column("name", left=True), Column("FS")), (("Ann Lee", "9.5"),))))
        name      FS
        Ann Lee  9.5
    """
    lines = [tuple(without_controls(str(cell)) for cell in row) for row in table.rows]
    if any(column.title for column in table.columns):
        lines.insert(0, tuple(column.title for column in table.columns))
    columns = list(enumerate(table.columns))
    content_widths = {
        i: max((_display_width(line[i]) for line in lines), default=0) for i, _ in columns
    }
    widths = [
        (i, max(content_widths[i], column.width), column)
        for i, column in columns
        if content_widths[i]
    ]
    padded = (
        gap.join(_padded(line[i], width, column) for i, width, column in widths) for line in lines
    )
    return "\n".join(f"{indent}{line.rstrip()}" for line in padded)


def _padded(text: str, width: int, column: Column) -> str:
    blanks = " " * (width - _display_width(text))
    return text + blanks if column.left else blanks + text


def _display_width(text: str) -> int:
    """Returns the width of a text on a terminal, where Chinese characters take two cells."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
