"""Reads tables as records: CSV, spreadsheets, data frames, datasets and mappings of columns."""

from __future__ import annotations

import ast
import codecs
import contextlib
import csv
import io
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import IO, Any

from dfactscore._errors import MissingExtraError
from dfactscore._util.files import check_zip, open_bytes, read_bytes
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.message_text import message_line, near_miss, warn_caller
from dfactscore._util.reporting import MakeError

Opener = Callable[[], AbstractContextManager[IO[bytes]]]
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_BLOCK = 1 << 18


def encoding_of(opened: Opener, name: object, *, error: MakeError) -> str:
    """Detects UTF-8, UTF-16 with a byte order mark or (with a warning) Windows-1252."""
    # Returns Python's name for the encoding; `"utf-8-sig"` for UTF-8.
    with opened() as file:
        head = file.read(2)
    for mark, encoding in _MARKS:
        if head == mark and _first_fault(opened, encoding) is None:
            return encoding
    position = _first_fault(opened, "utf-8")
    if position is None:
        return "utf-8-sig"
    byte, line = position
    problem = f"{name}:{line}: not UTF-8 (byte {byte})"
    if _first_fault(opened, "cp1252") is not None:
        raise error(f"{problem}, nor UTF-16 or Windows-1252; save it as CSV UTF-8")

    warn_caller(f"{problem}; read as Windows-1252")
    return "cp1252"


def _first_fault(opened: Opener, encoding: str) -> tuple[int, int] | None:
    """Returns the offset and line of the first byte that cannot be decoded, or None."""
    decoder = codecs.getincrementaldecoder(encoding)()
    offset, line = 0, 1
    with opened() as file:
        while True:
            block, pending = file.read(_BLOCK), len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as problem:
                at = problem.start - pending
                return offset + at, line + block.count(b"\n", 0, max(0, at))
            if not block:
                return None
            offset, line = offset + len(block), line + block.count(b"\n")


# Many readers end a row at a lone carriage return, which Python's csv module would not quote.
_QUOTED = re.compile('[,"\r\n]')
# Spreadsheets run cells that begin like this as formulas, unless they are prefixed with an
# apostrophe.
_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+@\-＝＋＠－﹦﹢﹫﹣−])")


def csv_text(
    rows: Iterable[Mapping[str, Any]],
    columns: Iterable[str] | None = None,
    *,
    header: bool = True,
) -> str:
    r"""Formats rows as CSV: floats with all digits, None and NaN as empty cells.

    Booleans become ``true`` and ``false``. A text that spreadsheets would run as a formula (one
    that begins with ``=``, ``+``, ``-`` or ``@``, also in a wide or small form or after spaces) is
    prefixed with an apostrophe, which `without_guard` removes.

    Example:
        >>> csv_text([{"name": 'Ann "A" Lee', "fs": 1 / 3}, {"name": None, "mixed": True}])
        'name,fs,mixed\n"Ann ""A"" Lee",0.3333333333333333,\n,,true\n'
    """
    table = list(rows)
    if columns is None:
        columns = dict.fromkeys(key for row in table for key in row)
    names = list(columns)
    lines: list[list[Any]] = [[row.get(name) for name in names] for row in table]
    if header:
        lines.insert(0, [*names])
    return "".join(",".join(map(_cell, line)) + "\n" for line in lines)


def without_guard(cell: str) -> str:
    """Restores the original text of a cell that `csv_text` wrote.

    Example:
        >>> without_guard("'=1+1"), without_guard("'s-Hertogenbosch")
        ('=1+1', "'s-Hertogenbosch")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def check_header(path: Path, names: Iterable[str], *, error: MakeError) -> None:
    """Checks that no two columns have the same name, ignoring case."""
    for name, count in Counter(name.strip().casefold() for name in names).items():
        if name and count > 1:
            raise error(f"{path}: has {count} columns {name}; keep one of them")


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(float(value)) if isinstance(value, float) else str(value)
    if isinstance(value, str) and _FORMULA.match(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


#: Suffixes that `read_table` reads; ``.gz`` may follow the first two.
TABLES = (".csv", ".tsv", ".parquet", ".xlsx")
_DELIMITERS = ",;\t|"
#: The first line of some spreadsheets, which declares the delimiter.
DELIMITER_LINE = re.compile(r"sep=([,;\t|])", re.IGNORECASE)
_MOST_LITERAL = 1 << 22


class Unreadable(ValueError):
    """The reason a row cannot be read."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a file."""

    line: int
    # The values by column, except those missing from a short row; or the reason the row cannot be
    # read.
    cells: dict[str, Any] | Unreadable


def is_table(table: object) -> bool:
    """Whether an object is a table that `rows_of` can read, rather than a series of records."""
    return _is_frame(table) or _is_dataset(table) or _is_columns(table) or _is_splits(table)


def rows_of(table: Any) -> Iterator[dict[str, Any]]:
    """Yields the rows of a table in memory."""
    # `table`: a data frame (pandas, polars), an Arrow table, a Hugging Face `Dataset` or
    # `DatasetDict` (all splits, named in a `split` column), or a mapping of columns.
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
    """Turns a mapping of columns into a list of rows; returns other values unchanged.

    Hugging Face datasets return a ``Sequence`` of mappings as a mapping of columns.

    Example:
        >>> columns_as_rows({"title": ["A", "B"], "text": ["a", "b"]})
        [{'title': 'A', 'text': 'a'}, {'title': 'B', 'text': 'b'}]
    """
    return list(rows_of(value)) if _is_columns(value) else value


def plain(value: Any) -> Any:
    """Turns a numpy, pandas or Arrow value into plain Python; missing values become None.

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
        # pandas stores a column of integers with a missing value as floats.
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


def parsed(cell: Any) -> Any:
    """Parses a cell that contains a list or mapping as JSON or as a Python literal."""
    if not isinstance(cell, str) or cell.lstrip()[:1] not in ("[", "{"):
        return cell
    with contextlib.suppress(JSONError):
        return parse_json(cell)
    if len(cell) <= _MOST_LITERAL:
        # A mapping with a list as a key raises a TypeError.
        with contextlib.suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return ast.literal_eval(cell)
    return cell


def read_table(
    path: Path,
    data: bytes | None = None,
    *,
    error: MakeError,
    header: list[str] | None = None,
    sheet: str | None = None,  # of a workbook; by default the first
) -> Iterator[TableRow]:
    """Yields the rows of a file; only spreadsheets (``.xlsx``) are read into memory as a whole.

    The delimiter of ``.csv`` and ``.tsv`` may be a comma, a semicolon, a tab or a vertical bar. The
    encoding may be UTF-8, UTF-16 with a byte order mark, or else Windows-1252.
    """
    suffix = kind_of(path)
    if suffix == ".parquet":
        yield from _parquet(path, data, error)
        return
    if suffix == ".xlsx":
        data = read_bytes(path, error=error) if data is None else data
        yield from _xlsx(path, data, sheet, error)
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
    """Returns a file's suffix in lower case, ignoring ``.gz``."""
    return Path(path.name.removesuffix(".gz")).suffix.lower()


def csv_rows(
    path: Path, columns: Iterable[str], *, error: MakeError
) -> list[tuple[str, dict[str, str]]]:
    """Reads the rows of a table as texts, each with its location (``"scores.csv:3"``).

    Empty and missing cells become empty texts. See `read_table`.
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
    """Formats a cell as `csv_text` does."""
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
    declared = DELIMITER_LINE.fullmatch(first)
    sign = declared[1] if declared else _delimiter(first, suffix)
    reader = csv.reader(lines, delimiter=sign, skipinitialspace=f"{sign} " in first)
    line = 1
    try:
        for cells in reader:
            start, line = line, reader.line_num + 1
            if not any(cells) or (declared and start == 1):
                continue
            if not header:
                header += [cell.strip() for cell in cells]
                check(header)
                continue
            if len(cells) > len(header) and any(cells[len(header) :]):
                extra = len(cells) - len(header)
                yield TableRow(start, Unreadable(f"has {extra} columns too many"))
                continue
            pairs = zip(header, cells, strict=False)
            yield TableRow(start, {k: without_guard(v) or None for k, v in pairs if k})
    except csv.Error as problem:
        yield TableRow(line, Unreadable(f"not readable as CSV: {problem}"))


def _delimiter(line: str, suffix: str) -> str:
    """Returns the most frequent delimiter in the header; for ``.tsv``, a tab."""
    outside = "".join(line.split('"')[::2])
    if suffix == ".tsv" and "\t" in outside:
        return "\t"
    counts = {sign: outside.count(sign) for sign in _DELIMITERS}
    if counts[","]:
        return ","  # another delimiter among commas is part of a column's name
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


def _xlsx(path: Path, data: bytes, sheet: str | None, error: MakeError) -> Iterator[TableRow]:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("Reading XLSX", "xlsx") from None

    check_zip(io.BytesIO(data), path, error=error)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
            names = book.sheetnames
            title = sheet or book.worksheets[0].title
            rows = _values(book[title]) if title in names else []
            if any(None in row for row in rows[1:]):
                _add_formulas(rows, openpyxl.load_workbook(io.BytesIO(data))[title])
    except Exception as problem:  # zip, zlib, XML, styles and dates raise different errors
        raise error(f"{path}: not readable as XLSX ({message_line(problem)})") from None
    if title not in names:
        has = ", ".join(names[:12])
        raise error(f"{path}: no sheet {sheet!r}; it has {has}{near_miss(sheet, names)}")
    if len(names) > 1 and sheet is None:
        others = ", ".join(name for name in names[:12] if name != title)
        warn_caller(f"{path}: the sheet {title} is read, not {others} (--sheet chooses)")
    if cut := [
        f"{openpyxl.utils.get_column_letter(column)}{line}"
        for line, row in enumerate(rows, start=1)
        for column, cell in enumerate(row, start=1)
        if isinstance(cell, str) and len(cell) == _LONGEST_CELL
    ]:
        warn_caller(
            f"{path}: {', '.join(cut[:5])}{' …' * (len(cut) > 5)} has {_LONGEST_CELL:,} "
            "characters, the most that a cell can hold: its text may be cut"
        )
    header: list[str] = []
    for number, row in enumerate(rows, start=1):
        if all(_filled(cell) is None for cell in row):
            continue
        if not header:
            header = ["" if cell is None else str(cell).strip() for cell in row]
            check_header(path, header, error=error)
            continue
        pairs = zip_longest(header, row[: len(header)])
        yield TableRow(number, {k: _filled(cell) for k, cell in pairs if k})


_LONGEST_CELL = 32_767


def _values(sheet: Any) -> list[list[Any]]:
    """Returns the rows of a sheet; cells merged with one above have its value."""
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    for place in sheet.merged_cells.ranges:
        left, top, _, bottom = (edge - 1 for edge in place.bounds)
        for row in rows[top + 1 : bottom + 1]:
            row[left] = rows[top][left]
    return rows


def _add_formulas(rows: list[list[Any]], sheet: Any) -> None:
    """Puts formulas where no program has stored their values."""
    for row, formulas in zip(rows, sheet.iter_rows(values_only=True), strict=False):
        for column, formula in enumerate(formulas[: len(row)]):
            if row[column] is None and formula is not None:
                row[column] = str(getattr(formula, "text", formula))


def spreadsheet_fault(cell: str) -> str:
    """Says why a cell has no value: an error of a spreadsheet, or a formula; empty if it has one.

    Example:
        >>> spreadsheet_fault("#NAME?"), spreadsheet_fault("=SUM(A1)"), spreadsheet_fault("= Ann =")
        ('is an error of a spreadsheet: #NAME?', 'is a formula without a value: =SUM(A1)', '')
    """
    if _ERROR_CELL.fullmatch(cell):
        return f"is an error of a spreadsheet: {cell}"
    return f"is a formula without a value: {cell[:60]}" if _FORMULA_CELL.match(cell) else ""


_ERROR_CELL = re.compile(r"#(?:NAME\?|REF!|VALUE!|N/A|DIV/0!|NULL!|NUM!|SPILL!|CALC!|FIELD!)")
_FORMULA_CELL = re.compile(
    r"=(?:[A-Z][A-Z.]{1,30}\(|\$?[A-Z]{1,3}\$?\d{1,7}\b|'?[^\W\d][^'!\n]{0,40}'?!)"
)


def _filled(cell: Any) -> Any:
    """Returns the value of a cell as plain Python; None if it is empty."""
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
    """Whether an object maps names to columns of equal length."""
    if not isinstance(table, Mapping) or not table:
        return False
    columns = list(table.values())
    if not all(
        (isinstance(c, Sequence) and not isinstance(c, (str, bytes))) or hasattr(c, "tolist")
        for c in columns
    ):
        return False
    return len({len(c) for c in columns}) == 1
