"""Reads lists of names in common table formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from dfactscore._text.questions import name_of_question
from dfactscore._util.files import open_bytes
from dfactscore._util.reporting import MakeError
from dfactscore._util.tables import (
    DELIMITER_LINE,
    TABLES,
    encoding_of,
    kind_of,
    parsed,
    read_table,
    without_guard,
)

HEADINGS = ("name", "names", "target name", "target_name", "entity", "topic", "title", "person",
            "question", "query")  # fmt: skip
"""Headings that mark a column of names; case does not matter."""

LISTS = (".txt", ".tab", *TABLES)
"""Suffixes of files with names; ``.gz`` may follow the suffix of a text file."""

_DELIMITERS = "\t,;|"
_SAMPLE = 200


def listed_names(path: Path, column: str | None = None, *, error: MakeError) -> list[str]:
    """Reads a list of names in order, omitting duplicates.

    The cells of a table may be separated by tabs, commas, semicolons or bars, whatever its suffix,
    in any encoding that `read_table` reads. A text file is treated as a table if every line
    contains a tab. A query ("Tell me a bio of …") is reduced to the name in it, and a cell that
    contains a list is reduced to the first name in the list. This also reads the table that the
    paper's authors released (a query, a tab, ``['NAME']``, no header).
    """
    rows = _rows(path, error)
    if rows is None:
        if column is not None:
            raise error(
                f"--column {column!r} needs a .csv or .tsv file; {path} is read line by line"
            )
        lines = (line.strip() for line in _text(path, error).split("\n"))
        values = [line for line in lines if not line.startswith("#")]
    else:
        place, skip = _place(rows[0] if rows else [], column, path, error)
        values = [without_guard(row[place].strip()) for row in rows[skip:] if place < len(row)]
    names = list(dict.fromkeys(name for value in values if (name := _name(value))))
    if not names:
        raise error(f"{path} contains no names")
    return names


def _text(path: Path, error: MakeError) -> str:
    encoding = encoding_of(lambda: open_bytes(path, error=error), path, error=error)
    with open_bytes(path, error=error) as file, io.TextIOWrapper(file, encoding) as lines:
        return lines.read()


def _rows(path: Path, error: MakeError) -> list[list[str]] | None:
    """Returns all rows of a table, including any header, or None if each line is a name."""
    kind = kind_of(path)
    if kind in (".xlsx", ".parquet"):
        records = [
            row.cells for row in read_table(path, error=error) if isinstance(row.cells, dict)
        ]
        headings = list(records[0]) if records else []
        return [headings, *(["" if c is None else str(c) for c in row.values()] for row in records)]
    text = _text(path, error)
    first, _, other_lines = text.lstrip("\n").partition("\n")
    if declared := DELIMITER_LINE.fullmatch(first.strip()):
        text, delimiter = other_lines, declared[1]
    else:
        delimiter = _delimiter(text, kind)
    if delimiter is None:
        return None
    try:
        return [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row
        ]
    except csv.Error as problem:
        raise error(f"{path} is not a table: {problem}") from None


def _name(cell: str) -> str:
    value = parsed(cell.strip())
    if isinstance(value, list):
        value = next((part for part in value if isinstance(part, str) and part.strip()), "")
    return " ".join(name_of_question(value if isinstance(value, str) else cell).split())


def _delimiter(text: str, suffix: str) -> str | None:
    """Returns the delimiter of a table's cells, or None if each line is a name."""
    lines = [line for line in text.split("\n") if line.strip()][:_SAMPLE]
    tabs = bool(lines) and all("\t" in line for line in lines)
    if suffix in (".tsv", ".tab"):
        return "\t" if tabs or not lines else _commonest(lines) or "\t"
    if suffix != ".csv":
        return "\t" if tabs else None
    # If every line has a tab, or the same number of semicolons, a comma is part of a name
    # ("Lee, Ann").
    if tabs:
        return "\t"
    if len(lines) > 1 and len({line.count(";") for line in lines}) == 1 and ";" in lines[0]:
        return ";"
    return "," if not lines or "," in lines[0] else _commonest(lines) or ","


def _commonest(lines: Sequence[str]) -> str | None:
    """Returns the first delimiter that every line contains."""
    return next((sign for sign in _DELIMITERS if all(sign in line for line in lines)), None)


def _place(
    first: Sequence[str],
    column: str | None,
    path: Path,
    error: MakeError,
) -> tuple[int, int]:
    """Returns the index of the column of names and the number of rows above the first name."""
    folded = [field.strip().casefold() for field in first]
    heading = next((name for name in HEADINGS if name in folded), None)
    if column is None:
        return (0, 0) if heading is None else (folded.index(heading), 1)
    wanted = column.strip().casefold()
    if wanted in folded:
        return folded.index(wanted), 1
    if column.isdigit() and 1 <= int(column) <= len(first):
        return int(column) - 1, int(heading is not None)
    headings = ", ".join(map(repr, first))
    raise error(f"{path}, line 1: no column {column!r}; there are {headings}")
