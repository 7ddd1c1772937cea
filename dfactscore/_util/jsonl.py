r"""Reads and writes JSON and JSON Lines.

Lines end at ``\n`` only. `str.splitlines` would also split records at U+2028 and U+0085, which JSON
does not escape in strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from dfactscore._errors import RunError
from dfactscore._util.files import atomic_write, dump_json, open_bytes, read_bytes
from dfactscore._util.reporting import MakeError

_BOM = b"\xef\xbb\xbf"
# Real records are about a dozen levels deep. The functions that print, validate and write values
# are recursive, and Python allows a thousand nested calls.
_DEEPEST = 100
_SPACE = re.compile(r"[ \t\r\n]*")
_BRACKETS = b'[]{}"'
_OTHERS = bytes(set(range(256)) - set(_BRACKETS))


class JSONError(ValueError):
    """A text is not valid JSON in UTF-8."""

    # `column`: the position of the problem on that line, in characters, counting from 1; 0 if
    # unknown.

    def __init__(self, reason: str, line: int, column: int = 0) -> None:
        super().__init__(f"{reason} (column {column})" if column else reason)
        self.reason = reason
        self.line = line
        self.column = column


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


_STRICT = json.JSONDecoder(parse_constant=_refuse)
_LENIENT = json.JSONDecoder()
_WITHOUT_NAN = json.JSONDecoder(parse_constant=lambda name: None)


def raw_decode(
    text: str,
    start: int = 0,
    *,
    strict: bool = True,  # whether to refuse NaN and infinities, which Python writes
    missing: bool = False,  # whether to read them as null
) -> tuple[Any, int]:
    """Reads the JSON value at a position in a text."""
    decoder = _WITHOUT_NAN if missing else _STRICT if strict else _LENIENT
    try:
        value, end = decoder.raw_decode(text, start)
        if not _is_deep(text, start, end):
            return value, end
        reason = f"nested more than {_DEEPEST} levels deep"
    except json.JSONDecodeError as error:
        raise JSONError(f"not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        reason = f"nested more than {_DEEPEST} levels deep"
    except ValueError as error:  # NaN, or a number with more digits than Python converts
        reason = str(error).split(";")[0]
    raise JSONError(f"not valid JSON: {reason}", text.count("\n", 0, start) + 1)


def _is_deep(text: str, start: int, end: int) -> bool:
    if text.count("[", start, end) + text.count("{", start, end) <= _DEEPEST:
        return False
    data = text[start:end].encode("utf-8", "surrogatepass")
    data = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
    brackets = b"".join(data.split(b'"')[::2])
    # Each round removes the innermost level; a matrix of any size takes two.
    for _ in range(_DEEPEST):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)


def parse_json(text: str | bytes, *, strict: bool = True, missing: bool = False) -> Any:
    """Reads one JSON value; ignores a byte order mark and surrounding white space.

    Example:
        >>> parse_json('[1 2]')
        Traceback (most recent call last):
        dfactscore._util.jsonl.JSONError: not valid JSON: Expecting ',' delimiter (column 4)
    """
    if isinstance(text, bytes):
        try:
            text = text.removeprefix(_BOM).decode("utf-8")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            reason = f"not UTF-8 (byte {error.start}); convert it first (iconv -t utf-8)"
            raise JSONError(reason, line) from None
    # Line breaks after an incomplete value would shift the error to the next line.
    text = text.removeprefix("\ufeff").rstrip(" \t\r\n")
    value, end = raw_decode(text, _skip(text, 0), strict=strict, missing=missing)
    end = _skip(text, end)
    if end < len(text):
        line, column = text.count("\n", 0, end) + 1, end - text.rfind("\n", 0, end)
        raise JSONError("not valid JSON: something follows the value", line, column)
    return value


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


class FileLine(NamedTuple):
    """A non-blank line of a file."""

    where: str  # file and line, as shown in messages, such as `"names.jsonl:3"`
    number: int
    start: int  # offset of the line's first byte in the (decompressed) file
    raw: bytes  # bytes of the line, including the line ending

    def value(self, *, error: MakeError) -> Any:
        """Reads the line's JSON value."""
        try:
            return parse_json(self.raw)
        except JSONError as problem:
            raise error(f"{self.where}: {problem}") from None


def iter_lines(
    source: Path | Iterable[bytes], *, name: str = "", error: MakeError
) -> Iterator[FileLine]:
    """Yields the non-blank lines of a file."""
    if isinstance(source, Path):
        with open_bytes(source, error=error) as file:
            yield from iter_lines(file, name=name or str(source), error=error)
        return
    start = 0
    for number, raw in enumerate(source, start=1):
        if raw.removeprefix(_BOM).strip():
            yield FileLine(f"{name}:{number}", number, start, raw)
        start += len(raw)


def read_jsonl(path: Path, *, error: MakeError) -> Iterator[tuple[str, Any]]:
    """Yields the values in a JSONL file, each with its location (``"names.jsonl:3"``)."""
    for line in iter_lines(path, error=error):
        yield line.where, line.value(error=error)


def read_json(path: Path, *, error: MakeError) -> Any:
    """Reads a JSON file."""
    try:
        return parse_json(read_bytes(path, error=error))
    except JSONError as problem:
        raise error(f"{path}:{problem.line}: {problem}") from None


def write_json(
    path: Path,
    value: Any,
    *,
    error: MakeError = RunError,
    indent: int | None = 2,
    synced: bool = True,
) -> None:
    """Writes a JSON file atomically."""
    with atomic_write(path, error=error, synced=synced) as file:
        file.write(dump_json(value, indent=indent) + "\n")


def write_jsonl(
    path: Path, records: Iterable[Mapping[str, Any]], *, error: MakeError = RunError
) -> int:
    """Writes a JSONL file atomically and returns the number of records."""
    count = 0
    with atomic_write(path, error=error) as file:
        for record in records:
            file.write(dump_json(record) + "\n")
            count += 1
    return count
