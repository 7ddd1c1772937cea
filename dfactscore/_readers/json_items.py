"""Reads JSON records one by one, so that one broken record does not affect the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._readers.record_fields import RecordError
from dfactscore._util import jsonl
from dfactscore._util.files import decode
from dfactscore._util.jsonl import JSONError, raw_decode
from dfactscore._util.message_text import short_repr

_SPACE = re.compile(r"[ \t\r\n]*")
_SEPARATOR = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
# The probable start of the next record in an array after a broken one.
_RESTART = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")


@dataclass(frozen=True, slots=True)
class BrokenItem:
    """A record that is not valid JSON."""

    reason: str


def object_of(item: Any) -> Mapping[str, Any]:
    """Checks that a record is a JSON object."""
    if isinstance(item, BrokenItem):
        raise RecordError("", item.reason)
    if not isinstance(item, Mapping):
        raise RecordError("", f"expected an object, found {short_repr(item)}")
    return item


def iter_lines(source: Path | Iterable[bytes], *, strict: bool = True) -> Iterator[tuple[int, Any]]:
    """Yields the record on each nonblank line, with the line number."""
    # `strict`: whether to reject NaN and Infinity, which Python writes although they are not valid
    # JSON.
    for line in jsonl.iter_lines(source, error=InputError):
        try:
            yield line.number, jsonl.parse_json(line.raw, strict=strict)
        except JSONError as error:
            yield line.number, BrokenItem(str(error))


def iter_array(data: bytes, path: Path) -> Iterator[tuple[int, Any]]:
    """Yields the records of a JSON array, or of the array under ``"data"``, with line numbers.

    The number is that of the line on which the record starts or, if it is broken, on which the
    error occurs. After a broken record, reading continues with the next recognizable record.
    """
    text = decode(data.rstrip(b" \t\r\n"), path, error=InputError)
    position = _array_start(text, path)
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
            item, position = raw_decode(text, position)
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


def _array_start(text: str, path: Path) -> int:
    """Returns the position after the ``[`` of the records."""
    start = _skip(text, 0)
    if text[start : start + 1] == "[":
        return start + 1
    if text[start : start + 1] != "{":
        raise InputError(f"{path}:1: expected a list of records or {{'data': [...]}}")
    position = _skip(text, start + 1)
    keys: list[str] = []
    try:
        while text[position : position + 1] == '"':
            key, position = raw_decode(text, position)
            position = _skip(text, position)
            if text[position : position + 1] != ":":
                break
            position = _skip(text, position + 1)
            if key == "data" and text[position : position + 1] == "[":
                return position + 1
            keys.append(str(key))
            _, position = raw_decode(text, position)
            separator = _SEPARATOR.match(text, position)
            position = separator.end() if separator else len(text)
    except JSONError as error:
        raise InputError(f"{path}:{error.line}: {error}") from None
    key_list = ", ".join(keys[:8]) or "none"
    raise InputError(f"{path}: expected a list under the key 'data'; found keys: {key_list}")
