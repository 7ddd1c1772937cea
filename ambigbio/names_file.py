"""Lists of names: CSV, TSV or text."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from dfactscore._util.csv_text import without_guard
from dfactscore._util.files import read_text
from dfactscore.ambigbio.errors import AmbigBioError

__all__ = ["read_names"]

_HEADINGS = ("name", "names", "target name", "target_name", "entity", "topic", "title", "person")
_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


def _column(header: list[str], column: str, path: Path) -> int:
    folded = [field.strip().casefold() for field in header]
    if column.strip().casefold() in folded:
        return folded.index(column.strip().casefold())
    if column.isdigit() and 1 <= int(column) <= len(header):
        return int(column) - 1
    raise AmbigBioError(
        f"{path}, line 1: no column {column!r}; there are {', '.join(map(repr, header))}"
    )


def read_names(path: Path | str, column: str | None = None) -> list[str]:
    """The names of a list, each once, in order.

    Args:
        path: ``.csv``, ``.tsv``, or any other file with one name a line. A text file's empty
            lines and those that begin with ``#`` are left out.
        column: Heading or 1-based number of the column; by default the one headed ``name`` (or
            ``title``, ``entity``, ``topic`` …), else the first.

    Raises:
        AmbigBioError: The file cannot be read, or contains no names.
    """
    path = Path(path)
    text = read_text(path, error=AmbigBioError)
    delimiter = _DELIMITERS.get(path.suffix.lower())
    if delimiter is None:
        if column is not None:
            raise AmbigBioError(
                f"--column {column!r} needs a .csv or .tsv file; {path} is read line by line"
            )
        values = [line.strip() for line in text.split("\n")]
        values = [value for value in values if not value.startswith("#")]
    else:
        try:
            table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
            rows = [row for row in table if row]
        except csv.Error as error:
            raise AmbigBioError(f"{path} is not a table: {error}") from error
        header = rows[0] if rows else []
        folded = [field.strip().casefold() for field in header]
        heading = next((name for name in _HEADINGS if name in folded), None)
        if column is not None:
            place = _column(header, column, path)
            skip = not column.isdigit() or heading is not None
        else:
            place = folded.index(heading) if heading else 0
            skip = heading is not None
        values = [without_guard(row[place].strip()) for row in rows[skip:] if place < len(row)]
    names = list(dict.fromkeys(" ".join(value.split()) for value in values if value))
    if not names:
        raise AmbigBioError(f"{path} contains no names")
    return names
