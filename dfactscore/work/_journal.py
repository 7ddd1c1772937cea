"""Append-only JSONL files that stay usable if the process is killed, and the keys of items."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from dfactscore._errors import RunError
from dfactscore._util.bounded_memory import KeyTable
from dfactscore._util.files import atomic_write, dump_json, why
from dfactscore._util.jsonl import JSONError, iter_lines, parse_json
from dfactscore._util.validated import Form, misfit

_SUM = b', "crc32": "00000000"}'
"""The end of a line, with the CRC-32 of the rest of it."""
_FRAME = frozenset(i for i, c in enumerate(_SUM) if c != ord("0"))


def key_of(*content: Any) -> str:
    """Returns a hash of everything an item's line depends on.

    Args:
        content: JSON values; the order of the keys in an object matters.

    Example:
        >>> key_of("id", "text") == key_of("id", "text") != key_of("id", "Text")
        True
    """
    return hashlib.sha256(dump_json(content).encode("utf-8")).hexdigest()[:32]


class LineStore(Protocol):
    """A store of lines by key: a journal on disk or in memory."""

    def __contains__(self, key: str) -> bool:
        """Whether there is a line for a key."""

    def get(self, key: str) -> dict[str, Any] | None:
        """Returns the line for a key, or None."""

    def append(self, key: str, record: dict[str, Any]) -> None:
        """Adds a line, which replaces any earlier line with the same key."""

    def forget(self, key: str) -> None:
        """Drops a line."""


Journals = Mapping[str, LineStore]
"""The journals of a work by name."""


class Journal:
    """A file of records by key, one per line; each line is written and flushed at once.

    Only keys and positions are kept in memory. If the last line is incomplete because the process
    was killed, it is dropped when the journal is opened; any other unreadable line is an error, and
    so is a line that no longer has its check sum.

    Args:
        path: The file; it may not exist yet.
        form: Format of the records, excluding the key.
        read_only: Whether to leave the file unchanged.

    Raises:
        RunError: If the file cannot be read, or a line does not have the right format.
    """

    def __init__(
        self, path: Path, form: type[Form] | None = None, *, read_only: bool = False
    ) -> None:
        self.path = path
        self._form = form
        self._places = KeyTable()
        self._reader: BinaryIO | None = None
        with self._faults():
            size = self._scan()
            if read_only:
                return
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115 (closed by close())
            if self._file.tell() != size:
                self._file.truncate(size)

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = f"cannot be used ({why(error)}); what was done so far is kept"
            raise RunError(f"{self.path}: {reason}") from None

    def _scan(self) -> int:
        end = 0
        if not self.path.exists():
            return 0
        for line in iter_lines(self.path, error=RunError):
            if not line.raw.endswith(b"\n"):
                break
            record = read_line(line.raw, line.where)
            key = record.get("key")
            if not isinstance(key, str):
                raise _damaged(line.where, "it has no key")
            problem = misfit(self._form, record) if self._form else None
            if problem:
                raise _damaged(line.where, problem)
            self._places.put(key, line.start, len(line.raw))
            end = line.start + len(line.raw)
        return end

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def keys(self) -> Iterator[str]:
        """Returns the keys, in the order of the file."""
        return iter(self._places)

    def get(self, key: str) -> dict[str, Any] | None:
        """Returns the record of a key, or None."""
        line = self.line(key)
        return None if line is None else read_line(line, self.path)

    def line(self, key: str) -> bytes | None:
        """Returns the line that contains a key's record, as bytes, or None."""
        place = self._places.get(key)
        if place is None:
            return None
        with self._faults():
            if self._reader is None:
                self._reader = open(self.path, "rb")  # noqa: SIM115 (closed by close())
            self._reader.seek(place[0])
            return self._reader.read(place[1])

    def records(self, keys: Iterable[str]) -> Iterator[dict[str, Any] | None]:
        """Yields the records of several keys, in the order of the keys; opens the file once."""
        for line in self.lines(keys):
            yield None if line is None else read_line(line, self.path)

    def lines(self, keys: Iterable[str]) -> Iterator[bytes | None]:
        """Yields the lines with the records of several keys, as bytes, in the order of the keys."""
        if not self.path.exists():
            yield from (None for _ in keys)
            return
        with self._faults():
            file = open(self.path, "rb")  # noqa: SIM115 (closed below)
        with file:
            for key in keys:
                place = self._places.get(key)
                if place is not None:
                    with self._faults():
                        file.seek(place[0])
                        line = file.read(place[1])
                yield None if place is None else line

    def number(self, key: str) -> int | None:
        """Returns a key's number, which never changes as keys are added; None if there is none."""
        return self._places.number(key)

    def append(self, key: str, record: dict[str, Any]) -> None:
        """Writes a record, which replaces any earlier record with the same key.

        Raises:
            RunError: If the record cannot be written (for example, if the disk is full); the file
                is then left unchanged.
        """
        self.extend([(key, journal_line(key, record))])

    def extend(self, lines: Iterable[tuple[str, bytes]]) -> None:
        """Writes several lines at once, each given with its key; see `append`.

        Raises:
            RunError: If the lines cannot be written (for example, if the disk is full); the file is
                then left unchanged.
        """
        lines = list(lines)
        data = lines[0][1] if len(lines) == 1 else b"".join(line for _, line in lines)
        with self._faults():
            offset = self._file.seek(0, os.SEEK_END)
            try:
                written = self._file.write(data)
                while written < len(data):
                    written += self._file.write(data[written:])
            except OSError:
                self._file.truncate(offset)
                raise
        for key, line in lines:
            self._places.put(key, offset, len(line))
            offset += len(line)

    def forget(self, key: str) -> None:
        """Drops a record; its line is removed when the file is settled."""
        self._places.forget(key)

    def settle(self, keys: Iterable[str]) -> None:
        """Rewrites the file so that it contains the given keys in order, if it does not already.

        Args:
            keys: The keys, which are iterated over twice.
        """
        with self._faults():
            size = self._file.seek(0, os.SEEK_END)
        pairs = zip_longest(self._places, self._known(keys))
        if all(old == new for old, new in pairs) and size == self._places.total():
            return
        places = KeyTable()
        offset = 0
        with self._faults(), open(self.path, "rb") as old, atomic_write(self.path) as new:
            for key in self._known(keys):
                start, length = self._places.get(key) or (0, 0)
                old.seek(start)
                new.write(old.read(length).decode("utf-8"))
                places.put(key, offset, length)
                offset += length
        self.close()
        with self._faults():
            self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 (closed by close())
        self._places = places

    def _known(self, keys: Iterable[str]) -> Iterator[str]:
        return (key for key in keys if key in self._places)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
        if self._reader is not None:
            self._reader.close()
            self._reader = None


class MemoryJournal:
    """An in-memory journal whose new lines are sent to another process."""

    def __init__(self) -> None:
        self._lines: dict[str, bytes] = {}
        self._preset: dict[str, bytes] = {}
        self.forgotten: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._lines or key in self._preset

    def preset(self, key: str, line: bytes) -> None:
        """Adds an existing line, which `new_lines` does not return."""
        self._preset[key] = line

    def get(self, key: str) -> dict[str, Any] | None:
        """Returns the record of a key, or None."""
        line = self._lines.get(key) or self._preset.get(key)
        return None if line is None else read_line(line, "a line that was sent")

    def append(self, key: str, record: dict[str, Any]) -> None:
        """Adds a record, which replaces any earlier record with the same key."""
        self._lines[key] = journal_line(key, record)

    def forget(self, key: str) -> None:
        """Drops a record."""
        if key in self:
            self._lines.pop(key, None)
            self._preset.pop(key, None)
            self.forgotten.append(key)

    def new_lines(self) -> list[tuple[str, bytes]]:
        """Returns the appended lines and their keys, in the order the keys were first added."""
        return list(self._lines.items())


def journal_line(key: str, record: dict[str, Any]) -> bytes:
    """Returns the line for a record in a journal, which ends with its check sum."""
    body = dump_json({"key": key, **record}).encode("utf-8")[:-1]
    return b'%b, "crc32": "%08x"}\n' % (body, zlib.crc32(body))


def read_line(line: bytes, where: object) -> dict[str, Any]:
    """Parses a line of a journal and removes its check sum."""
    body, end = line.rstrip()[: -len(_SUM)], line.rstrip()[-len(_SUM) :]
    # Earlier releases wrote lines without a check sum; one that is almost there is damaged.
    if len(end) == len(_SUM) and sum(end[i] == _SUM[i] for i in _FRAME) > len(_FRAME) // 2:
        if end != b', "crc32": "%08x"}' % zlib.crc32(body):
            raise _damaged(where, "its check sum is wrong, so it is not as it was written")
        line = body + b"}"
    try:
        record = parse_json(line)
    except JSONError as error:
        raise _damaged(where, error) from None
    if not isinstance(record, dict):
        raise _damaged(where, "expected an object")
    return record


def _damaged(where: object, problem: object) -> RunError:
    return RunError(f"{where}: not a line of a journal ({problem}); restore it or start a new run")
