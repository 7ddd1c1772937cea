"""Reads tables as records: spreadsheets, data frames, datasets, columns.

A table with a header in the first row becomes one mapping per row. Cells that are empty are None;
what libraries have types of their own for (numbers, arrays, missing values) becomes plain Python.
"""

from __future__ import annotations

import ast
import contextlib
import csv
import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import IO, Any

from dfactscore._errors import MissingExtraError
from dfactscore._util.callbacks import MakeError
from dfactscore._util.csv_text import check_header, without_guard
from dfactscore._util.files import open_bytes, read_bytes
from dfactscore._util.input_limits import check_zip
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.printable import message_line
from dfactscore._util.text_encoding import encoding_of

#: Suffixes of the files that `read_table` reads; ``.gz`` may follow the first two.
TABLES = (".csv", ".tsv", ".parquet", ".xlsx")

_DELIMITERS = ",;\t|"
#: The first line of some spreadsheets, which says what separates the cells.
SAID = re.compile(r"sep=([,;\t|])", re.IGNORECASE)
_MOST_LITERAL = 1 << 22


class Unreadable(ValueError):
    """A row that cannot be read, with the reason."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a file.

    Attributes:
        line: The line it begins on, or its number in the sheet; 1-based, the header included.
        cells: Its values by column, None if empty, absent if the row of a text file
            ends before it; or why it cannot be read.
    """

    line: int
    cells: dict[str, Any] | Unreadable


def is_table(table: object) -> bool:
    """Whether `rows_of` reads it as a table of one piece, not as a series of records."""
    return _is_frame(table) or _is_dataset(table) or _is_columns(table) or _is_splits(table)


def rows_of(table: Any) -> Iterator[dict[str, Any]]:
    """The rows of a table in memory.

    Args:
        table: A data frame (pandas, polars), an Arrow table, a Hugging Face ``Dataset`` or
            ``DatasetDict`` (all splits, which a column ``split`` names), or a mapping of columns.
    """
    if _is_splits(table):
        for split, part in table.items():
            for row in rows_of(part):
                yield {"split": str(split), **row}
        return
    rows: Iterable[Any]
    if hasattr(table, "to_pylist"):
        rows = table.to_pylist()
    elif hasattr(table, "to_dicts"):
        rows = table.to_dicts()
    elif _is_frame(table):
        rows = table.to_dict("records")
    elif _is_columns(table):
        names = list(table)
        rows = (dict(zip(names, cells, strict=True)) for cells in zip(*table.values(), strict=True))
    else:
        rows = table
    for row in rows:
        yield {str(k): _filled(cell) for k, cell in row.items()}


def columns_as_rows(value: Any) -> Any:
    """A mapping of columns as a list of rows; anything else as it is.

    So Hugging Face's ``Sequence`` of mappings comes out of a data set.

    Example:
        >>> columns_as_rows({"title": ["A", "B"], "text": ["a", "b"]})
        [{'title': 'A', 'text': 'a'}, {'title': 'B', 'text': 'b'}]
    """
    return list(rows_of(value)) if _is_columns(value) else value


def plain(value: Any) -> Any:
    """A value of numpy, pandas or Arrow as plain Python; what is missing becomes None.

    Example:
        >>> import numpy as np
        >>> plain(np.array([{"title": "A", "rank": np.int64(1)}], dtype=object))
        [{'title': 'A', 'rank': 1}]
        >>> plain(float("nan")), plain(3.0), plain((1, 2))
        (None, 3, [1, 2])
    """
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (str, bytes, bool)) or value is None:
        return value
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "tolist"):
        listed = value.tolist()
        return [plain(v) for v in listed] if isinstance(listed, list) else plain(listed)
    if isinstance(value, float):
        if value != value:
            return None
        # A column of whole numbers with a gap in it is one of fractions to pandas.
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


def parsed(cell: Any) -> Any:
    """A list or mapping that a cell holds as text: JSON, or as Python prints it."""
    if not isinstance(cell, str) or cell.lstrip()[:1] not in ("[", "{"):
        return cell
    with contextlib.suppress(JSONError):
        return parse_json(cell)
    if len(cell) <= _MOST_LITERAL:
        # A TypeError is of a mapping with a list as a key.
        with contextlib.suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return ast.literal_eval(cell)
    return cell


def read_table(
    path: Path,
    data: bytes | None = None,
    *,
    error: MakeError,
    header: list[str] | None = None,
) -> Iterator[TableRow]:
    """The rows of a file, of which a sheet (``.xlsx``) alone is held.

    ``.csv`` and ``.tsv`` may be separated by commas, semicolons, tabs or bars, and written in
    UTF-8, UTF-16 (with its mark) or, where neither fits, Windows' own encoding (cp1252).

    Args:
        path: The file; its ending says how it is read.
        data: Contents, if read already.
        error: Makes the error to raise.
        header: A list that gets the names of the columns of a ``.csv`` or ``.tsv``.

    Raises:
        Exception: Made by `error`, if the file cannot be read at all, or has a column twice.
        MissingExtraError: If the library for Parquet or XLSX is not installed.
    """
    suffix = kind_of(path)
    if suffix == ".parquet":
        yield from _parquet(path, data, error)
        return
    if suffix == ".xlsx":
        yield from _xlsx(path, read_bytes(path, error=error) if data is None else data, error)
        return

    def opened() -> AbstractContextManager[IO[bytes]]:
        return open_bytes(path, error=error) if data is None else io.BytesIO(data)

    encoding = encoding_of(opened, path, error=error)
    with opened() as file, io.TextIOWrapper(file, encoding, newline="") as lines:
        first = next((line.rstrip("\r\n") for line in lines if line.strip()), "")
    with opened() as file, io.TextIOWrapper(file, encoding, newline="") as lines:
        clean = (line.replace("\x00", "\ufffd") for line in lines)
        check = partial(check_header, path, error=error)
        yield from _csv(clean, first, suffix, [] if header is None else header, check)


def kind_of(path: Path) -> str:
    """The ending that says what a file is, in lower case: of ``a.CSV.gz`` ``.csv``."""
    return Path(path.name.removesuffix(".gz")).suffix.lower()


def csv_rows(
    path: Path, columns: Iterable[str], *, error: MakeError
) -> list[tuple[str, dict[str, str]]]:
    """The rows of a table as texts, each with its place (``"scores.csv:3"``); see `read_table`.

    A cell that is empty, or that a short row lacks, is an empty text.

    Args:
        path: The file.
        columns: Required columns.
        error: Makes the error to raise.

    Raises:
        Exception: Made by `error`, if it cannot be read, lacks a column or has one twice.
    """
    rows: list[tuple[str, dict[str, str]]] = []
    names: list[str] = []
    for row in read_table(path, error=error, header=names):
        where = f"{path}:{row.line}"
        if isinstance(row.cells, Unreadable):
            raise error(f"{where}: {row.cells}")
        rows.append((where, {k: _text(cell) for k, cell in row.cells.items()}))
    known = list(dict.fromkeys([*filter(None, names), *(k for _, row in rows[:1] for k in row)]))
    if missing := [name for name in columns if name not in known]:
        raise error(f"{path}: no column {', '.join(missing)}; it has {', '.join(known) or 'none'}")
    empty = dict.fromkeys(known, "")
    return [(where, {**empty, **row}) for where, row in rows]


def _text(cell: Any) -> str:
    """A cell as `csv_text` writes it."""
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _csv(
    lines: Iterable[str],
    first: str,
    suffix: str,
    header: list[str],
    check: Callable[[list[str]], None],
) -> Iterator[TableRow]:
    csv.field_size_limit(1 << 27)
    said = SAID.fullmatch(first)
    sign = said[1] if said else _delimiter(first, suffix)
    reader = csv.reader(lines, delimiter=sign, skipinitialspace=f"{sign} " in first)
    line = 1
    try:
        for cells in reader:
            begun, line = line, reader.line_num + 1
            if not any(cells) or (said and begun == 1):
                continue
            if not header:
                header += [cell.strip() for cell in cells]
                check(header)
                continue
            if len(cells) > len(header) and any(cells[len(header) :]):
                more = len(cells) - len(header)
                yield TableRow(begun, Unreadable(f"has {more} columns too many"))
                continue
            named = zip(header, cells, strict=False)
            yield TableRow(begun, {k: without_guard(v) or None for k, v in named if k})
    except csv.Error as problem:
        yield TableRow(line, Unreadable(f"not readable as CSV: {problem}"))


def _delimiter(line: str, suffix: str) -> str:
    """The sign that separates most of the header's cells; a tab in ``.tsv``."""
    outside = "".join(line.split('"')[::2])
    if suffix == ".tsv" and "\t" in outside:
        return "\t"
    counts = {sign: outside.count(sign) for sign in _DELIMITERS}
    if counts[","]:
        return ","  # another sign beside commas is part of a column's name
    best = max(_DELIMITERS, key=lambda sign: counts[sign])
    return best if counts[best] else ","


def _parquet(path: Path, data: bytes | None, error: MakeError) -> Iterator[TableRow]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("Reading Parquet", "parquet") from None
    with open_bytes(path, error=error):
        pass
    try:
        with pq.ParquetFile(path if data is None else io.BytesIO(data)) as file:
            check_header(path, file.schema_arrow.names, error=error)
            batches = (batch.to_pylist() for batch in file.iter_batches(batch_size=256))
            for number, row in enumerate(chain.from_iterable(batches), start=1):
                yield TableRow(number, {k: _filled(cell) for k, cell in row.items()})
    except (pa.ArrowException, OSError, ValueError) as problem:
        raise error(f"{path}: not readable as Parquet ({message_line(problem)})") from None


def _xlsx(path: Path, data: bytes, error: MakeError) -> Iterator[TableRow]:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("Reading XLSX", "xlsx") from None

    check_zip(io.BytesIO(data), path, error=error)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions that are not read
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            rows = [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]
    except Exception as problem:  # of zip, zlib, XML, styles, dates: each has errors of its own
        raise error(f"{path}: not readable as XLSX ({message_line(problem)})") from None
    header: list[str] = []
    for number, row in enumerate(rows, start=1):
        if all(_filled(cell) is None for cell in row):
            continue
        if not header:
            header = ["" if cell is None else str(cell).strip() for cell in row]
            check_header(path, header, error=error)
            continue
        named = zip_longest(header, row[: len(header)])
        yield TableRow(number, {k: _filled(cell) for k, cell in named if k})


def _filled(cell: Any) -> Any:
    """Value of a cell as plain Python; None if it is empty."""
    value = plain(cell)
    return None if isinstance(value, str) and not value else value


def _is_frame(table: object) -> bool:
    return (
        not isinstance(table, Mapping)
        and hasattr(table, "columns")
        and (hasattr(table, "to_dict") or hasattr(table, "to_dicts") or hasattr(table, "to_pylist"))
    )


def _is_dataset(table: object) -> bool:
    return not isinstance(table, Mapping) and hasattr(table, "column_names")


def _is_splits(table: object) -> bool:
    return (
        isinstance(table, Mapping)
        and bool(table)
        and all(_is_frame(part) or _is_dataset(part) for part in table.values())
    )


def _is_columns(table: object) -> bool:
    """Whether it maps names to columns of one length."""
    if not isinstance(table, Mapping) or not table:
        return False
    columns = list(table.values())
    if not all(
        (isinstance(c, Sequence) and not isinstance(c, (str, bytes))) or hasattr(c, "tolist")
        for c in columns
    ):
        return False
    return len({len(c) for c in columns}) == 1
