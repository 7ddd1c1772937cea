"""Reads the records of JSON files: lines, printed objects, lists, and lists within objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from dfactscore._util import jsonl
from dfactscore._util.files import decode, open_bytes, read_bytes
from dfactscore._util.jsonl import JSONError, raw_decode
from dfactscore._util.reporting import MakeError
from dfactscore._util.tables import columns_as_rows

_SPACE = re.compile(r"[ \t\r\n]*")
_SEPARATOR = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
# The probable start of the next record in an array after a broken one.
_RESTART = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")


@dataclass(frozen=True, slots=True)
class BrokenItem:
    """A record that is not valid JSON."""

    reason: str


class Rows(NamedTuple):
    """Rules for recognizing the rows of an object."""

    is_record: Callable[[Mapping[str, Any]], bool]  # whether an object is a record itself
    is_row: Callable[[Mapping[str, Any]], bool]  # whether an object is one of `{id: record}`
    lists: tuple[str, ...]  # keys of the list of records, or of an object with such a list
    error: MakeError


def iter_lines(source: Path | Iterable[bytes], rows: Rows) -> Iterator[tuple[int, Any]]:
    """Yields the record on each nonblank line, with the line number."""
    if isinstance(source, Path) and (objects := printed(source, rows)) is not None:
        yield from objects
        return
    for line in jsonl.iter_lines(source, error=rows.error):
        try:
            yield line.number, jsonl.parse_json(line.raw, missing=True)
        except JSONError as error:
            yield line.number, BrokenItem(str(error))


def printed(path: Path, rows: Rows) -> Iterator[tuple[int, Any]] | None:
    """Returns the records of a file whose objects take several lines each, or of one list."""
    with open_bytes(path, error=rows.error) as file:
        first = next((line for line in file if line.strip(b" \t\r\n\xef\xbb\xbf\x00")), b"")
        first = first.removeprefix(b"\xef\xbb\xbf").strip()
        second = next((line for line in file if line.strip()), b"").strip()
    if (
        first[:1] == b"["
        and (first == b"[" or (first[-1:] == b"," or not second))
        and (first == b"[" or first[1:].lstrip()[:1] == b"{")
    ):
        return iter_array(read_bytes(path, error=rows.error), path, rows)
    if first != b"{" or second[:1] != b'"':
        return None
    return _objects(decode(read_bytes(path, error=rows.error), path, error=rows.error))


def _objects(text: str) -> Iterator[tuple[int, Any]]:
    lines, position = _LineNumbers(text), _skip(text.removeprefix("\ufeff"), 0)
    while position < len(text):
        line = lines.at(position)
        try:
            item, position = raw_decode(text, position, missing=True)
        except JSONError as error:
            yield error.line, BrokenItem(str(error))
            return
        yield line, item
        position = _skip(text, position)


def iter_array(
    data: bytes,
    path: Path,
    rows: Rows,
    *,
    whole: bool = False,  # whether an object without a known list is a record
) -> Iterator[tuple[int, Any]]:
    """Yields the records of a JSON array, or of the array under ``"data"``, with line numbers.

    The number is that of the line on which the record starts or, if it is broken, on which the
    error occurs. After a broken record, reading continues with the next recognizable record.
    """
    text = decode(data.rstrip(b" \t\r\n"), path, error=rows.error)
    start = _array_start(text, path, rows, whole=whole)
    if not isinstance(start, int):
        yield from enumerate(start, start=1)
        return
    position = start
    lines = _LineNumbers(text)
    while True:
        position = _skip(text, position)
        if text[position : position + 1] == "]":
            return
        line = lines.at(position)
        if position >= len(text):
            yield line, BrokenItem("the file ends within the list: it is cut short")
            return
        try:
            item, position = raw_decode(text, position, missing=True)
        except JSONError as error:
            restart = _RESTART.search(text, position)
            cut = "" if restart else "; the file may be cut short"
            yield error.line, BrokenItem(f"{error.reason}{cut}")
            if restart is None:
                return
            position = restart.end()
            continue
        yield line, item
        separator = _SEPARATOR.match(text, position)
        position = separator.end() if separator else _skip(text, position)
        if not separator and text[position : position + 1] not in ("]", ""):
            yield lines.at(position), BrokenItem("expected ',' or ']' between two records")
            return


class _LineNumbers:
    """Computes line numbers for ascending positions in a single pass over the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._line = 1

    def at(self, position: int) -> int:
        if position < self._position:
            return self._text.count("\n", 0, position) + 1
        self._line += self._text.count("\n", self._position, position)
        self._position = position
        return self._line


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def rows_of_object(value: Mapping[str, Any], rows: Rows) -> list[Any] | None:
    """Returns the records in an object, in any orientation of pandas; None if there are none."""
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        names = [str(name) for name in value["columns"]]
        cells = [row if isinstance(row, list) else [] for row in value["data"]]
        return [dict(zip(names, row, strict=False)) for row in cells]
    if rows.is_record(value):
        columns = columns_as_rows(value) if rows.is_row(value) else None
        if isinstance(columns, list):
            return columns
        parts = [part for part in value.values() if isinstance(part, Mapping)]
        if len(parts) == len(value) and len({frozenset(part) for part in parts}) == 1:
            return [{name: value[name][key] for name in value} for key in parts[0]]
        return [value]
    for name in rows.lists:
        listed = value.get(name)
        if isinstance(listed, Mapping) and (found := rows_of_object(listed, rows)) is not None:
            return found
        if isinstance(listed, list) and listed and all(isinstance(r, Mapping) for r in listed):
            # The rows of the hub's API are numbered.
            return [row["row"] if isinstance(row.get("row"), Mapping) else row for row in listed]
    items = [*value.values()]
    if items and all(isinstance(row, Mapping) and rows.is_row(row) for row in items):
        return [{"id": key, **row} for key, row in value.items()]
    return None


def _array_start(text: str, path: Path, rows: Rows, *, whole: bool) -> int | list[Any]:
    """Returns the position after the ``[`` of the records, or the records of an object."""
    start = _skip(text, 0)
    if text[start : start + 1] == "[":
        return start + 1
    if text[start : start + 1] != "{":
        raise rows.error(f"{path}:1: expected a list of records or {{'data': [...]}}")
    position = _skip(text, start + 1)
    keys: list[str] = []
    try:
        while text[position : position + 1] == '"':
            key, position = raw_decode(text, position)
            position = _skip(text, position)
            if text[position : position + 1] != ":":
                break
            position = _skip(text, position + 1)
            known = dict.fromkeys(keys, "")  # beside a question and an answer, data are sources
            alone = rows.is_record(known) and rows.is_row(known)
            lists = key == "data" and "columns" not in keys and not alone
            if lists and text[position : position + 1] == "[":
                return position + 1
            keys.append(str(key))
            _, position = raw_decode(text, position, missing=True)
            separator = _SEPARATOR.match(text, position)
            position = separator.end() if separator else len(text)
    except JSONError as error:
        raise rows.error(f"{path}:{error.line}: {error}") from None
    try:
        value = raw_decode(text, start, missing=True)[0]
    except JSONError as error:
        raise rows.error(f"{path}:{error.line}: {error}") from None
    if (found := rows_of_object(value, rows)) is not None or whole:
        return [value] if found is None else found
    key_list = ", ".join(keys[:8]) or "none"
    raise rows.error(f"{path}: expected a list under the key 'data'; found keys: {key_list}")
