"""Biography files of any known format; bad records are skipped and reported."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.files import decode, read_bytes
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore.errors import InputError
from dfactscore.readers.json_items import BrokenItem, iter_array, iter_lines
from dfactscore.readers.problems import BadRecord, RecordError
from dfactscore.readers.records import biography_from_record
from dfactscore.records import Biography

__all__ = ["Reading", "iter_items", "read_biographies"]

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a file.

    Attributes:
        biographies: The good records, in order.
        bad: The records that were skipped.
    """

    biographies: tuple[Biography, ...]
    bad: tuple[BadRecord, ...]


def read_biographies(path: str | Path, *, limit: int | None = None) -> Reading:
    """Reads biographies.

    ``.json``: ALCE's ``{"data": [{question, output, docs}]}`` or a plain list of records;
    ``.jsonl``: our own records or FActScore's (``topic``, ``output``, ``annotations``);
    ``.csv``, ``.tsv``: a header with at least a name and a text column.

    Args:
        path: The file.
        limit: Read at most this many records.

    Raises:
        InputError: If the file cannot be read at all, is empty or contains no usable record.
    """
    path = Path(path)
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: unknown format {path.suffix!r}; known: {', '.join(_SUFFIXES)}")
    data = read_bytes(path, error=InputError)
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf"):
        raise InputError(f"{path}: the file is empty")
    good: list[Biography] = []
    bad: list[BadRecord] = []
    seen: dict[str, int] = {}
    for number, (line, item) in enumerate(iter_items(path, data)):
        if limit is not None and number >= limit:
            break
        identity = str(number)
        try:
            if isinstance(item, BrokenItem):
                raise RecordError("", item.reason)
            if isinstance(item, Mapping) and isinstance(item.get("id"), (str, int)):
                identity = str(item["id"])
            biography = biography_from_record(item, default_id=identity)
            if biography.id in seen:
                raise RecordError(
                    "id", f"{biography.id!r} is already the id of line {seen[biography.id]}"
                )
        except RecordError as error:
            bad.append(BadRecord(path.name, line, identity, str(error)))
            continue
        seen[biography.id] = line
        good.append(biography)
    if not good and not bad:
        raise InputError(f"{path}: contains no records")
    if not good:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise InputError(f"{path}: contains no usable record; {bad[0]}{more}")
    return Reading(tuple(good), tuple(bad))


def iter_items(path: Path, data: bytes, *, strict: bool = True) -> Iterator[tuple[int, Any]]:
    """The records with the line on which each starts; a `BrokenItem` where one cannot be read.

    Args:
        path: The file; its ending says how it is read.
        data: What it holds.
        strict: Refuse NaN and Infinity in lines of JSON.
    """
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        yield from _rows(path, data, "\t" if suffix == ".tsv" else ",")
    elif suffix == ".json":
        yield from iter_array(data, path)
    else:
        yield from iter_lines(data, strict=strict)


def _rows(path: Path, data: bytes, delimiter: str) -> Iterator[tuple[int, Any]]:
    import io

    text = decode(data, path, error=InputError)
    if delimiter == "," and ";" in (header := text.split("\n", 1)[0]) and "," not in header:
        delimiter = ";"  # what spreadsheets write where the comma is a decimal sign
    csv.field_size_limit(1 << 27)
    reader = csv.DictReader(io.StringIO(text.replace("\x00", "\ufffd")), delimiter=delimiter)
    line = 2
    try:
        for row in reader:
            if None in row:
                yield line, BrokenItem(f"has {len(row[None])} columns too many")
            else:
                yield line, {k: _cell(k, v) for k, v in row.items() if v not in (None, "")}
            line = reader.line_num + 1
    except csv.Error as error:
        yield line, BrokenItem(f"not readable as CSV: {error}")


def _cell(column: str, value: str) -> Any:
    """Passages and stages stand in a cell as JSON."""
    if column in ("passages", "docs", "facts", "groups", "links", "verdicts"):
        with contextlib.suppress(JSONError):  # what is not JSON is refused as the text that it is
            return parse_json(value)
    return value
