"""Reads lists of names in common table formats."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from dfactscore._text.questions import name_of_question
from dfactscore._util.callbacks import MakeError
from dfactscore._util.csv_text import without_guard
from dfactscore._util.files import open_bytes
from dfactscore._util.tables import SAID, TABLES, kind_of, parsed, read_table
from dfactscore._util.text_encoding import encoding_of

HEADINGS = ("name", "names", "target name", "target_name", "entity", "topic", "title", "person",
            "question", "query")  # fmt: skip
"""The headings of a column of names, in any case."""

LISTS = (".txt", ".tab", *TABLES)
"""Endings of files with names; ``.gz`` may follow those of texts."""

_DELIMITERS = "\t,;|"
_SAMPLE = 200


def listed_names(path: Path, column: str | None = None, *, error: MakeError) -> list[str]:
    """The names of a list, each once, in order.

    A table may be separated by tabs, commas, semicolons or bars, whatever its ending says, and in
    any encoding that `read_table` takes; another file than a table is one where its lines have
    tabs. Of a query ("Tell me a
    bio of …") only the name is kept, and of a cell with a list its first name. So the table that
    the paper's authors released (a query, a tab, ``['NAME']``, no header) gives its names.

    Args:
        path: The file.
        column: Heading or 1-based number of the column; by default the one with a known heading,
            else the first.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if the file cannot be read, or has no such column or name.
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
    """The rows of a table, its first one included; None for lines of names."""
    kind = kind_of(path)
    if kind in (".xlsx", ".parquet"):
        found = [row.cells for row in read_table(path, error=error) if isinstance(row.cells, dict)]
        heads = list(found[0]) if found else []
        return [heads, *(["" if c is None else str(c) for c in row.values()] for row in found)]
    text = _text(path, error)
    first, _, rest = text.lstrip("\n").partition("\n")
    if said := SAID.fullmatch(first.strip()):
        text, delimiter = rest, said[1]
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
    """Separator of the cells of a table, or None if each line is a name."""
    lines = [line for line in text.split("\n") if line.strip()][:_SAMPLE]
    tabs = bool(lines) and all("\t" in line for line in lines)
    if suffix in (".tsv", ".tab"):
        return "\t" if tabs or not lines else _commonest(lines) or "\t"
    if suffix != ".csv":
        return "\t" if tabs else None
    # A comma within a name ("Lee, Ann") separates nothing where every line has a tab, or as many
    # semicolons as every other one.
    if tabs:
        return "\t"
    if len(lines) > 1 and len({line.count(";") for line in lines}) == 1 and ";" in lines[0]:
        return ";"
    return "," if not lines or "," in lines[0] else _commonest(lines) or ","


def _commonest(lines: Sequence[str]) -> str | None:
    """The delimiter that every line has."""
    return next((sign for sign in _DELIMITERS if all(sign in line for line in lines)), None)


def _place(
    first: Sequence[str],
    column: str | None,
    path: Path,
    error: MakeError,
) -> tuple[int, int]:
    """Index of the column of names, and the number of rows before them."""
    folded = [field.strip().casefold() for field in first]
    heading = next((name for name in HEADINGS if name in folded), None)
    if column is None:
        return (0, 0) if heading is None else (folded.index(heading), 1)
    wanted = column.strip().casefold()
    if wanted in folded:
        return folded.index(wanted), 1
    if column.isdigit() and 1 <= int(column) <= len(first):
        return int(column) - 1, int(heading is not None)
    shown = ", ".join(map(repr, first))
    raise error(f"{path}, line 1: no column {column!r}; there are {shown}")
